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
.dram 26304
.constants file="residual.npu.constants" bytes=14784 crc=0xd1b8fde1
.tensor x input dram+0x39c0 f32[1,8,12,12]{4608,4,384,32}
.tensor y output dram+0x4bc0 f32[1,16,6,6]{2304,4,384,64}
.tensor r1 boundary dram+0x54c0 f32[1,16,6,6]{2304,4,384,64}
.tensor n2 boundary dram+0x5dc0 f32[1,16,6,6]{2304,4,384,64}
.tensor "w1.folded[0,0,0,0]" constant dram+0x0 f32[3,3,8,8]
.tensor "c1.bias.folded[0]" constant dram+0x900 f32[8]
.tensor "w1.folded[8,0,0,0]" constant dram+0x940 f32[3,3,8,8]
.tensor "c1.bias.folded[8]" constant dram+0x1240 f32[8]
.tensor "w2.folded[0,0,0,0]" constant dram+0x1280 f32[3,3,16,4]
.tensor "c2.bias.folded[0]" constant dram+0x1b80 f32[4]
.tensor "w2.folded[4,0,0,0]" constant dram+0x1bc0 f32[3,3,16,4]
.tensor "c2.bias.folded[4]" constant dram+0x24c0 f32[4]
.tensor "w2.folded[8,0,0,0]" constant dram+0x2500 f32[3,3,16,4]
.tensor "c2.bias.folded[8]" constant dram+0x2e00 f32[4]
.tensor "w2.folded[12,0,0,0]" constant dram+0x2e40 f32[3,3,16,4]
.tensor "c2.bias.folded[12]" constant dram+0x3740 f32[4]
.tensor w3.folded constant dram+0x3780 f32[1,1,8,16]
.tensor c3.bias.folded constant dram+0x3980 f32[16]
.fact floor_bytes 21440
.fact macs 129024
.fact peak_floor_cycles 504
.fact compute_floor_cycles 672
.fact dram_floor_cycles 1340
.fact predicted_cycles 6016
.fact predicted_dram_bytes 47552

.group 0 single layers=c1 parts=4 reason="DRAM-bound, single-buffered, about 1806 cycles for 16640 B"
.part 1/4 core 0
.read
  r0    load         sram+0x0 f32[1,6,12,8] <- dram+0x39c0 f32[1,6,12,8]{4608,384,32,4}   ; c1
  r1    load         sram+0x900 f32[3,3,8,8] <- dram+0x0 f32[3,3,8,8]   ; c1
  r2    load         sram+0x1200 f32[8] <- dram+0x900 f32[8]   ; c1
.compute
  c0    conv         sram+0x1240 f32[1,3,6,8] <- sram+0x0 f32[1,6,12,8], weight=sram+0x900 f32[3,3,8,8], bias=sram+0x1200 f32[8], act=relu stride=2,2 dilation=1,1 pad_begin=1,1   @r2   ; c1
.write
  w0    store        dram+0x54c0 f32[1,3,6,8]{2304,384,64,4} <- sram+0x1240 f32[1,3,6,8]   @c0   ; c1

.part 2/4 core 0
.read
  r3    load         sram+0x900 f32[3,3,8,8] <- dram+0x940 f32[3,3,8,8]   @c0   ; c1
  r4    load         sram+0x1200 f32[8] <- dram+0x1240 f32[8]   ; c1
.compute
  c1    conv         sram+0x1240 f32[1,3,6,8] <- sram+0x0 f32[1,6,12,8], weight=sram+0x900 f32[3,3,8,8], bias=sram+0x1200 f32[8], act=relu stride=2,2 dilation=1,1 pad_begin=1,1   @r4 @w0   ; c1
.write
  w1    store        dram+0x54e0 f32[1,3,6,8]{2304,384,64,4} <- sram+0x1240 f32[1,3,6,8]   @c1   ; c1

.part 3/4 core 0
.read
  r5    load         sram+0x0 f32[1,7,12,8] <- dram+0x4140 f32[1,7,12,8]{4608,384,32,4}   @c1   ; c1
  r6    load         sram+0xa80 f32[3,3,8,8] <- dram+0x0 f32[3,3,8,8]   @w1   ; c1
  r7    load         sram+0x1380 f32[8] <- dram+0x900 f32[8]   ; c1
.compute
  c2    conv         sram+0x13c0 f32[1,3,6,8] <- sram+0x0 f32[1,7,12,8], weight=sram+0xa80 f32[3,3,8,8], bias=sram+0x1380 f32[8], act=relu stride=2,2 dilation=1,1 pad_begin=0,1   @r7   ; c1
.write
  w2    store        dram+0x5940 f32[1,3,6,8]{2304,384,64,4} <- sram+0x13c0 f32[1,3,6,8]   @c2   ; c1

.part 4/4 core 0
.read
  r8    load         sram+0xa80 f32[3,3,8,8] <- dram+0x940 f32[3,3,8,8]   @c2   ; c1
  r9    load         sram+0x1380 f32[8] <- dram+0x1240 f32[8]   ; c1
.compute
  c3    conv         sram+0x13c0 f32[1,3,6,8] <- sram+0x0 f32[1,7,12,8], weight=sram+0xa80 f32[3,3,8,8], bias=sram+0x1380 f32[8], act=relu stride=2,2 dilation=1,1 pad_begin=0,1   @r9 @w2   ; c1
.write
  w3    store        dram+0x5960 f32[1,3,6,8]{2304,384,64,4} <- sram+0x13c0 f32[1,3,6,8]   @c3   ; c1

.group 1 single layers=c2 parts=4 reason="compute-bound, single-buffered, about 2473 cycles for 13888 B"
.part 1/4 core 0
.read
  r10   load         sram+0xf00 f32[1,6,6,16] <- dram+0x54c0 f32[1,6,6,16]   @w3   ; c2
  r11   load         sram+0x600 f32[3,3,16,4] <- dram+0x1280 f32[3,3,16,4]   ; c2
  r12   load         sram+0x5c0 f32[4] <- dram+0x1b80 f32[4]   ; c2
.compute
  c4    conv         sram+0x380 f32[1,6,6,4] <- sram+0xf00 f32[1,6,6,16], weight=sram+0x600 f32[3,3,16,4], bias=sram+0x5c0 f32[4], stride=1,1 dilation=1,1 pad_begin=1,1   @r12   ; c2
.write
  w4    store        dram+0x5dc0 f32[1,6,6,4]{2304,384,64,4} <- sram+0x380 f32[1,6,6,4]   @c4   ; c2

.part 2/4 core 0
.read
  r13   load         sram+0x600 f32[3,3,16,4] <- dram+0x1bc0 f32[3,3,16,4]   @c4   ; c2
  r14   load         sram+0x5c0 f32[4] <- dram+0x24c0 f32[4]   ; c2
.compute
  c5    conv         sram+0x380 f32[1,6,6,4] <- sram+0xf00 f32[1,6,6,16], weight=sram+0x600 f32[3,3,16,4], bias=sram+0x5c0 f32[4], stride=1,1 dilation=1,1 pad_begin=1,1   @r14 @w4   ; c2
.write
  w5    store        dram+0x5dd0 f32[1,6,6,4]{2304,384,64,4} <- sram+0x380 f32[1,6,6,4]   @c5   ; c2

.part 3/4 core 0
.read
  r15   load         sram+0x600 f32[3,3,16,4] <- dram+0x2500 f32[3,3,16,4]   @c5   ; c2
  r16   load         sram+0x5c0 f32[4] <- dram+0x2e00 f32[4]   ; c2
.compute
  c6    conv         sram+0x380 f32[1,6,6,4] <- sram+0xf00 f32[1,6,6,16], weight=sram+0x600 f32[3,3,16,4], bias=sram+0x5c0 f32[4], stride=1,1 dilation=1,1 pad_begin=1,1   @r16 @w5   ; c2
.write
  w6    store        dram+0x5de0 f32[1,6,6,4]{2304,384,64,4} <- sram+0x380 f32[1,6,6,4]   @c6   ; c2

.part 4/4 core 0
.read
  r17   load         sram+0x600 f32[3,3,16,4] <- dram+0x2e40 f32[3,3,16,4]   @c6   ; c2
  r18   load         sram+0x5c0 f32[4] <- dram+0x3740 f32[4]   ; c2
.compute
  c7    conv         sram+0x380 f32[1,6,6,4] <- sram+0xf00 f32[1,6,6,16], weight=sram+0x600 f32[3,3,16,4], bias=sram+0x5c0 f32[4], stride=1,1 dilation=1,1 pad_begin=1,1   @r18 @w6   ; c2
.write
  w7    store        dram+0x5df0 f32[1,6,6,4]{2304,384,64,4} <- sram+0x380 f32[1,6,6,4]   @c7   ; c2

.group 2 single layers=c3 parts=6 reason="DRAM-bound, double-buffered, about 815 cycles for 9408 B"
.part 1/6 core 0
.read
  r19   load         sram+0x0 f32[1,1,11,8] <- dram+0x39c0 f32[1,1,11,8]{4608,384,32,4}   ; c3
  r20   load         sram+0x180 f32[1,1,8,16] <- dram+0x3780 f32[1,1,8,16]   ; c3
  r21   load         sram+0x380 f32[16] <- dram+0x3980 f32[16]   @w7   ; c3
  r22   load         sram+0x3c0 f32[1,1,6,16] <- dram+0x5dc0 f32[1,1,6,16]{2304,384,64,4}   ; c3
.compute
  c8    conv         sram+0x840 f32[1,1,6,16] <- sram+0x0 f32[1,1,11,8], weight=sram+0x180 f32[1,1,8,16], bias=sram+0x380 f32[16], residual=sram+0x3c0 f32[1,1,6,16], act=relu stride=2,2 dilation=1,1 pad_begin=0,0   @r22   ; c3
.write
  w8    store        dram+0x4bc0 f32[1,1,6,16]{2304,384,64,4} <- sram+0x840 f32[1,1,6,16]   @c8   ; c3

.part 2/6 core 0
.read
  r23   load         sram+0x540 f32[1,1,11,8] <- dram+0x3cc0 f32[1,1,11,8]{4608,384,32,4}   ; c3
  r24   load         sram+0x6c0 f32[1,1,6,16] <- dram+0x5f40 f32[1,1,6,16]{2304,384,64,4}   ; c3
.compute
  c9    conv         sram+0x9c0 f32[1,1,6,16] <- sram+0x540 f32[1,1,11,8], weight=sram+0x180 f32[1,1,8,16], bias=sram+0x380 f32[16], residual=sram+0x6c0 f32[1,1,6,16], act=relu stride=2,2 dilation=1,1 pad_begin=0,0   @r24   ; c3
.write
  w9    store        dram+0x4d40 f32[1,1,6,16]{2304,384,64,4} <- sram+0x9c0 f32[1,1,6,16]   @c9   ; c3

.part 3/6 core 0
.read
  r25   load         sram+0x0 f32[1,1,11,8] <- dram+0x3fc0 f32[1,1,11,8]{4608,384,32,4}   @c8   ; c3
  r26   load         sram+0x3c0 f32[1,1,6,16] <- dram+0x60c0 f32[1,1,6,16]{2304,384,64,4}   ; c3
.compute
  c10   conv         sram+0x840 f32[1,1,6,16] <- sram+0x0 f32[1,1,11,8], weight=sram+0x180 f32[1,1,8,16], bias=sram+0x380 f32[16], residual=sram+0x3c0 f32[1,1,6,16], act=relu stride=2,2 dilation=1,1 pad_begin=0,0   @r26 @w8   ; c3
.write
  w10   store        dram+0x4ec0 f32[1,1,6,16]{2304,384,64,4} <- sram+0x840 f32[1,1,6,16]   @c10   ; c3

.part 4/6 core 0
.read
  r27   load         sram+0x540 f32[1,1,11,8] <- dram+0x42c0 f32[1,1,11,8]{4608,384,32,4}   @c9   ; c3
  r28   load         sram+0x6c0 f32[1,1,6,16] <- dram+0x6240 f32[1,1,6,16]{2304,384,64,4}   ; c3
.compute
  c11   conv         sram+0x9c0 f32[1,1,6,16] <- sram+0x540 f32[1,1,11,8], weight=sram+0x180 f32[1,1,8,16], bias=sram+0x380 f32[16], residual=sram+0x6c0 f32[1,1,6,16], act=relu stride=2,2 dilation=1,1 pad_begin=0,0   @r28 @w9   ; c3
.write
  w11   store        dram+0x5040 f32[1,1,6,16]{2304,384,64,4} <- sram+0x9c0 f32[1,1,6,16]   @c11   ; c3

.part 5/6 core 0
.read
  r29   load         sram+0x0 f32[1,1,11,8] <- dram+0x45c0 f32[1,1,11,8]{4608,384,32,4}   @c10   ; c3
  r30   load         sram+0x3c0 f32[1,1,6,16] <- dram+0x63c0 f32[1,1,6,16]{2304,384,64,4}   ; c3
.compute
  c12   conv         sram+0x840 f32[1,1,6,16] <- sram+0x0 f32[1,1,11,8], weight=sram+0x180 f32[1,1,8,16], bias=sram+0x380 f32[16], residual=sram+0x3c0 f32[1,1,6,16], act=relu stride=2,2 dilation=1,1 pad_begin=0,0   @r30 @w10   ; c3
.write
  w12   store        dram+0x51c0 f32[1,1,6,16]{2304,384,64,4} <- sram+0x840 f32[1,1,6,16]   @c12   ; c3

.part 6/6 core 0
.read
  r31   load         sram+0x540 f32[1,1,11,8] <- dram+0x48c0 f32[1,1,11,8]{4608,384,32,4}   @c11   ; c3
  r32   load         sram+0x6c0 f32[1,1,6,16] <- dram+0x6540 f32[1,1,6,16]{2304,384,64,4}   ; c3
.compute
  c13   conv         sram+0x0 f32[1,1,6,16] <- sram+0x540 f32[1,1,11,8], weight=sram+0x180 f32[1,1,8,16], bias=sram+0x380 f32[16], residual=sram+0x6c0 f32[1,1,6,16], act=relu stride=2,2 dilation=1,1 pad_begin=0,0   @r32   ; c3
.write
  w13   store        dram+0x5340 f32[1,1,6,16]{2304,384,64,4} <- sram+0x0 f32[1,1,6,16]   @c13   ; c3
