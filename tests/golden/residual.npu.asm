.nnc 1
.chip name "npu"
.chip description "one core, unified 512 KiB SRAM"
.chip cores 1
.chip clock_mhz 1000
.chip dram {"bytes_per_cycle": 16, "latency": 100, "burst": 64, "align": 1, "bytes": 4294967296}
.chip dma {"broadcast": false, "in_flight": 4, "move_bytes_per_cycle": 64}
.chip memory {"sram": {"bytes": 6144, "align": 64}}
.chip operands {"default": {"feature": {"memories": ["sram"]}, "weight": {"memories": ["sram"]}, "result": {"memories": ["sram"]}, "accumulator": {"memories": ["sram"]}}}
.chip compute {"issue": 32, "map": "channels", "arrays": {"i8": ["16x64", "32x32", "64x16", "128x8"], "f16": ["16x32", "32x16", "64x8"], "f32": ["8x32", "16x16", "32x8", "64x4"]}, "depthwise": {"i8": 256, "f16": 128, "f32": 64}, "elementwise": {"i8": 128, "f16": 64, "f32": 32}}
.dram 26560
.constants file="residual.npu.constants" bytes=15040 crc=0xe2aca34c
.tensor x input dram+0x3ac0 f32[1,8,12,12]{4608,4,384,32}
.tensor y output dram+0x4cc0 f32[1,16,6,6]{2304,4,384,64}
.tensor r1 boundary dram+0x55c0 f32[1,16,6,6]{2304,4,384,64}
.tensor n3 boundary dram+0x5ec0 f32[1,16,6,6]{2304,4,384,64}
.tensor "w1.folded[0,0,0,0]" constant dram+0x0 f32[3,3,8,8]
.tensor "c1.bias.folded[0]" constant dram+0x900 f32[8]
.tensor "w1.folded[8,0,0,0]" constant dram+0x940 f32[3,3,8,8]
.tensor "c1.bias.folded[8]" constant dram+0x1240 f32[8]
.tensor w3.folded constant dram+0x1280 f32[1,1,8,16]
.tensor c3.bias.folded constant dram+0x1480 f32[16]
.tensor "w2.folded[0,0,0,0]" constant dram+0x14c0 f32[3,3,16,2]
.tensor "c2.bias.folded[0]" constant dram+0x1940 f32[2]
.tensor "w2.folded[2,0,0,0]" constant dram+0x1980 f32[3,3,16,2]
.tensor "c2.bias.folded[2]" constant dram+0x1e00 f32[2]
.tensor "w2.folded[4,0,0,0]" constant dram+0x1e40 f32[3,3,16,2]
.tensor "c2.bias.folded[4]" constant dram+0x22c0 f32[2]
.tensor "w2.folded[6,0,0,0]" constant dram+0x2300 f32[3,3,16,2]
.tensor "c2.bias.folded[6]" constant dram+0x2780 f32[2]
.tensor "w2.folded[8,0,0,0]" constant dram+0x27c0 f32[3,3,16,2]
.tensor "c2.bias.folded[8]" constant dram+0x2c40 f32[2]
.tensor "w2.folded[10,0,0,0]" constant dram+0x2c80 f32[3,3,16,2]
.tensor "c2.bias.folded[10]" constant dram+0x3100 f32[2]
.tensor "w2.folded[12,0,0,0]" constant dram+0x3140 f32[3,3,16,2]
.tensor "c2.bias.folded[12]" constant dram+0x35c0 f32[2]
.tensor "w2.folded[14,0,0,0]" constant dram+0x3600 f32[3,3,16,2]
.tensor "c2.bias.folded[14]" constant dram+0x3a80 f32[2]
.fact floor_bytes 21440
.fact macs 129024
.fact peak_floor_cycles 504
.fact compute_floor_cycles 672
.fact dram_floor_cycles 1340
.fact predicted_cycles 8484
.fact predicted_dram_bytes 73920

.group 0 single layers=c1 parts=4 reason="tiled alone, about 16640 B and 1806 cycles"
.part 1/4 core 0
.read
  r0    load         sram+0x0 f32[1,6,12,8] <- dram+0x3ac0 f32[1,6,12,8]{4608,384,32,4}   ; c1
  r1    load         sram+0x900 f32[3,3,8,8] <- dram+0x0 f32[3,3,8,8]   ; c1
  r2    load         sram+0x1440 f32[8] <- dram+0x900 f32[8]   ; c1
.compute
  c0    conv         sram+0x1200 f32[1,3,6,8] <- sram+0x0 f32[1,6,12,8], weight=sram+0x900 f32[3,3,8,8], bias=sram+0x1440 f32[8], act=relu stride=2,2 dilation=1,1 pad_begin=1,1   @r2   ; c1
.write
  w0    store        dram+0x55c0 f32[1,3,6,8]{2304,384,64,4} <- sram+0x1200 f32[1,3,6,8]   @c0   ; c1

.part 2/4 core 0
.read
  r3    load         sram+0x900 f32[3,3,8,8] <- dram+0x940 f32[3,3,8,8]   @c0   ; c1
  r4    load         sram+0x1440 f32[8] <- dram+0x1240 f32[8]   ; c1
.compute
  c1    conv         sram+0x1200 f32[1,3,6,8] <- sram+0x0 f32[1,6,12,8], weight=sram+0x900 f32[3,3,8,8], bias=sram+0x1440 f32[8], act=relu stride=2,2 dilation=1,1 pad_begin=1,1   @r4 @w0   ; c1
.write
  w1    store        dram+0x55e0 f32[1,3,6,8]{2304,384,64,4} <- sram+0x1200 f32[1,3,6,8]   @c1   ; c1

.part 3/4 core 0
.read
  r5    load         sram+0x0 f32[1,7,12,8] <- dram+0x4240 f32[1,7,12,8]{4608,384,32,4}   @c1   ; c1
  r6    load         sram+0xa80 f32[3,3,8,8] <- dram+0x0 f32[3,3,8,8]   @w1   ; c1
  r7    load         sram+0x15c0 f32[8] <- dram+0x900 f32[8]   ; c1
.compute
  c2    conv         sram+0x1380 f32[1,3,6,8] <- sram+0x0 f32[1,7,12,8], weight=sram+0xa80 f32[3,3,8,8], bias=sram+0x15c0 f32[8], act=relu stride=2,2 dilation=1,1 pad_begin=0,1   @r7   ; c1
.write
  w2    store        dram+0x5a40 f32[1,3,6,8]{2304,384,64,4} <- sram+0x1380 f32[1,3,6,8]   @c2   ; c1

.part 4/4 core 0
.read
  r8    load         sram+0xa80 f32[3,3,8,8] <- dram+0x940 f32[3,3,8,8]   @c2   ; c1
  r9    load         sram+0x15c0 f32[8] <- dram+0x1240 f32[8]   ; c1
.compute
  c3    conv         sram+0x1380 f32[1,3,6,8] <- sram+0x0 f32[1,7,12,8], weight=sram+0xa80 f32[3,3,8,8], bias=sram+0x15c0 f32[8], act=relu stride=2,2 dilation=1,1 pad_begin=0,1   @r9 @w2   ; c1

.group 1 single layers=c3 parts=4 reason="7104 B of DRAM traffic for 160 cycles of work; weights resident"
.part 1/4 core 0
.read
  r10   load         sram+0x1600 f32[1,1,12,8]{4608,384,32,4} <- dram+0x3ac0 f32[1,1,12,8]{4608,384,32,4}   ; c1
  r11   load         sram+0xa80 f32[1,1,8,16] <- dram+0x1280 f32[1,1,8,16]   @c3   ; c3
  r12   load         sram+0x980 f32[16] <- dram+0x1480 f32[16]   ; c3
.compute
  c4    conv         sram+0x180 f32[1,1,6,16]{2304,384,64,4} <- sram+0x1600 f32[1,1,11,8]{4608,384,32,4}, weight=sram+0xa80 f32[1,1,8,16], bias=sram+0x980 f32[16], stride=2,2 dilation=1,1 pad_begin=0,0   @r12   ; c3
.write
  w3    store        dram+0x5ec0 f32[1,1,6,16]{2304,384,64,4} <- sram+0x180 f32[1,1,6,16]{2304,384,64,4}   @c4   ; c3

.group 0
.part 4/4 core 0
.write
  w4    store        dram+0x5a60 f32[1,3,6,8]{2304,384,64,4} <- sram+0x1380 f32[1,3,6,8]   ; c1

.group 1
.part 2/4 core 0
.read
  r13   load         sram+0xc80 f32[1,3,12,8]{4608,384,32,4} <- dram+0x3dc0 f32[1,3,12,8]{4608,384,32,4}   ; c1
.compute
  c5    conv         sram+0x480 f32[1,2,6,16]{2304,384,64,4} <- sram+0xc80 f32[1,3,11,8]{4608,384,32,4}, weight=sram+0xa80 f32[1,1,8,16], bias=sram+0x980 f32[16], stride=2,2 dilation=1,1 pad_begin=0,0   @r13   ; c3

.part 3/4 core 0
.read
  r14   load         sram+0x0 f32[1,1,12,8]{4608,384,32,4} <- dram+0x43c0 f32[1,1,12,8]{4608,384,32,4}   ; c1
.compute
  c6    conv         sram+0x180 f32[1,1,6,16]{2304,384,64,4} <- sram+0x0 f32[1,1,11,8]{4608,384,32,4}, weight=sram+0xa80 f32[1,1,8,16], bias=sram+0x980 f32[16], stride=2,2 dilation=1,1 pad_begin=0,0   @r14 @w3   ; c3
.write
  w5    store        dram+0x6340 f32[1,1,6,16]{2304,384,64,4} <- sram+0x180 f32[1,1,6,16]{2304,384,64,4}   @c6   ; c3

.part 2/4 core 0
.write
  w6    store        dram+0x6040 f32[1,2,6,16]{2304,384,64,4} <- sram+0x480 f32[1,2,6,16]{2304,384,64,4}   ; c3

.part 4/4 core 0
.read
  r15   load         sram+0xc80 f32[1,3,12,8]{4608,384,32,4} <- dram+0x46c0 f32[1,3,12,8]{4608,384,32,4}   @c5   ; c1
.compute
  c7    conv         sram+0x480 f32[1,2,6,16]{2304,384,64,4} <- sram+0xc80 f32[1,3,11,8]{4608,384,32,4}, weight=sram+0xa80 f32[1,1,8,16], bias=sram+0x980 f32[16], stride=2,2 dilation=1,1 pad_begin=0,0   @r15 @w6   ; c3
.write
  w7    store        dram+0x64c0 f32[1,2,6,16]{2304,384,64,4} <- sram+0x480 f32[1,2,6,16]{2304,384,64,4}   @c7   ; c3

.group 2 single layers=c2 parts=8 reason="tiled alone, about 32320 B and 2864 cycles"
.part 1/8 core 0
.read
  r16   load         sram+0x0 f32[1,6,6,16] <- dram+0x55c0 f32[1,6,6,16]   @w7   ; c2
  r17   load         sram+0x900 f32[3,3,16,2] <- dram+0x14c0 f32[3,3,16,2]   ; c2
  r18   load         sram+0x1000 f32[2] <- dram+0x1940 f32[2]   ; c2
  r19   load         sram+0xd80 f32[1,6,6,2] <- dram+0x5ec0 f32[1,6,6,2]{2304,384,64,4}   ; c2
.compute
  c8    conv         sram+0xec0 f32[1,6,6,2] <- sram+0x0 f32[1,6,6,16], weight=sram+0x900 f32[3,3,16,2], bias=sram+0x1000 f32[2], residual=sram+0xd80 f32[1,6,6,2], act=relu stride=1,1 dilation=1,1 pad_begin=1,1   @r19   ; c2
.write
  w8    store        dram+0x4cc0 f32[1,6,6,2]{2304,384,64,4} <- sram+0xec0 f32[1,6,6,2]   @c8   ; c2

.part 2/8 core 0
.read
  r20   load         sram+0x1040 f32[3,3,16,2] <- dram+0x1980 f32[3,3,16,2]   ; c2
  r21   load         sram+0x14c0 f32[2] <- dram+0x1e00 f32[2]   ; c2
  r22   load         sram+0x1500 f32[1,6,6,2] <- dram+0x5ec8 f32[1,6,6,2]{2304,384,64,4}   ; c2
.compute
  c9    conv         sram+0xec0 f32[1,6,6,2] <- sram+0x0 f32[1,6,6,16], weight=sram+0x1040 f32[3,3,16,2], bias=sram+0x14c0 f32[2], residual=sram+0x1500 f32[1,6,6,2], act=relu stride=1,1 dilation=1,1 pad_begin=1,1   @r22 @w8   ; c2
.write
  w9    store        dram+0x4cc8 f32[1,6,6,2]{2304,384,64,4} <- sram+0xec0 f32[1,6,6,2]   @c9   ; c2

.part 3/8 core 0
.read
  r23   load         sram+0x900 f32[3,3,16,2] <- dram+0x1e40 f32[3,3,16,2]   @c8   ; c2
  r24   load         sram+0x1000 f32[2] <- dram+0x22c0 f32[2]   ; c2
  r25   load         sram+0xd80 f32[1,6,6,2] <- dram+0x5ed0 f32[1,6,6,2]{2304,384,64,4}   ; c2
.compute
  c10   conv         sram+0xec0 f32[1,6,6,2] <- sram+0x0 f32[1,6,6,16], weight=sram+0x900 f32[3,3,16,2], bias=sram+0x1000 f32[2], residual=sram+0xd80 f32[1,6,6,2], act=relu stride=1,1 dilation=1,1 pad_begin=1,1   @r25 @w9   ; c2
.write
  w10   store        dram+0x4cd0 f32[1,6,6,2]{2304,384,64,4} <- sram+0xec0 f32[1,6,6,2]   @c10   ; c2

.part 4/8 core 0
.read
  r26   load         sram+0x1040 f32[3,3,16,2] <- dram+0x2300 f32[3,3,16,2]   @c9   ; c2
  r27   load         sram+0x14c0 f32[2] <- dram+0x2780 f32[2]   ; c2
  r28   load         sram+0x1500 f32[1,6,6,2] <- dram+0x5ed8 f32[1,6,6,2]{2304,384,64,4}   ; c2
.compute
  c11   conv         sram+0xec0 f32[1,6,6,2] <- sram+0x0 f32[1,6,6,16], weight=sram+0x1040 f32[3,3,16,2], bias=sram+0x14c0 f32[2], residual=sram+0x1500 f32[1,6,6,2], act=relu stride=1,1 dilation=1,1 pad_begin=1,1   @r28 @w10   ; c2
.write
  w11   store        dram+0x4cd8 f32[1,6,6,2]{2304,384,64,4} <- sram+0xec0 f32[1,6,6,2]   @c11   ; c2

.part 5/8 core 0
.read
  r29   load         sram+0x900 f32[3,3,16,2] <- dram+0x27c0 f32[3,3,16,2]   @c10   ; c2
  r30   load         sram+0x1000 f32[2] <- dram+0x2c40 f32[2]   ; c2
  r31   load         sram+0xd80 f32[1,6,6,2] <- dram+0x5ee0 f32[1,6,6,2]{2304,384,64,4}   ; c2
.compute
  c12   conv         sram+0xec0 f32[1,6,6,2] <- sram+0x0 f32[1,6,6,16], weight=sram+0x900 f32[3,3,16,2], bias=sram+0x1000 f32[2], residual=sram+0xd80 f32[1,6,6,2], act=relu stride=1,1 dilation=1,1 pad_begin=1,1   @r31 @w11   ; c2
.write
  w12   store        dram+0x4ce0 f32[1,6,6,2]{2304,384,64,4} <- sram+0xec0 f32[1,6,6,2]   @c12   ; c2

.part 6/8 core 0
.read
  r32   load         sram+0x1040 f32[3,3,16,2] <- dram+0x2c80 f32[3,3,16,2]   @c11   ; c2
  r33   load         sram+0x14c0 f32[2] <- dram+0x3100 f32[2]   ; c2
  r34   load         sram+0x1500 f32[1,6,6,2] <- dram+0x5ee8 f32[1,6,6,2]{2304,384,64,4}   ; c2
.compute
  c13   conv         sram+0xec0 f32[1,6,6,2] <- sram+0x0 f32[1,6,6,16], weight=sram+0x1040 f32[3,3,16,2], bias=sram+0x14c0 f32[2], residual=sram+0x1500 f32[1,6,6,2], act=relu stride=1,1 dilation=1,1 pad_begin=1,1   @r34 @w12   ; c2
.write
  w13   store        dram+0x4ce8 f32[1,6,6,2]{2304,384,64,4} <- sram+0xec0 f32[1,6,6,2]   @c13   ; c2

.part 7/8 core 0
.read
  r35   load         sram+0x900 f32[3,3,16,2] <- dram+0x3140 f32[3,3,16,2]   @c12   ; c2
  r36   load         sram+0x1000 f32[2] <- dram+0x35c0 f32[2]   ; c2
  r37   load         sram+0xd80 f32[1,6,6,2] <- dram+0x5ef0 f32[1,6,6,2]{2304,384,64,4}   ; c2
.compute
  c14   conv         sram+0xec0 f32[1,6,6,2] <- sram+0x0 f32[1,6,6,16], weight=sram+0x900 f32[3,3,16,2], bias=sram+0x1000 f32[2], residual=sram+0xd80 f32[1,6,6,2], act=relu stride=1,1 dilation=1,1 pad_begin=1,1   @r37 @w13   ; c2
.write
  w14   store        dram+0x4cf0 f32[1,6,6,2]{2304,384,64,4} <- sram+0xec0 f32[1,6,6,2]   @c14   ; c2

.part 8/8 core 0
.read
  r38   load         sram+0x1040 f32[3,3,16,2] <- dram+0x3600 f32[3,3,16,2]   @c13   ; c2
  r39   load         sram+0x14c0 f32[2] <- dram+0x3a80 f32[2]   ; c2
  r40   load         sram+0x1500 f32[1,6,6,2] <- dram+0x5ef8 f32[1,6,6,2]{2304,384,64,4}   ; c2
.compute
  c15   conv         sram+0xec0 f32[1,6,6,2] <- sram+0x0 f32[1,6,6,16], weight=sram+0x1040 f32[3,3,16,2], bias=sram+0x14c0 f32[2], residual=sram+0x1500 f32[1,6,6,2], act=relu stride=1,1 dilation=1,1 pad_begin=1,1   @r40 @w14   ; c2
.write
  w15   store        dram+0x4cf8 f32[1,6,6,2]{2304,384,64,4} <- sram+0xec0 f32[1,6,6,2]   @c15   ; c2
