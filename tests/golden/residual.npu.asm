.nnc 2
.chip name "npu"
.chip description "one core, unified 512 KiB SRAM"
.chip cores 1
.chip split_bytes 0
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
.tensor n3 boundary dram+0x55c0 f32[1,16,6,6]{2304,4,384,64}
.tensor r1 boundary dram+0x5ec0 f32[1,16,6,6]{2304,4,384,64}
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
.fact predicted_cycles 6854
.fact predicted_dram_bytes 73664

.group 0 inverse-y layers=c1,c3 parts=3 reason="23872 B of DRAM traffic for 432 cycles of work; 544 B of weights resident"
.part 1/3 core 0
.read
  r0    load         sram+0x900 f32[1,4,12,8]{4608,384,32,4} <- dram+0x3ac0 f32[1,4,12,8]{4608,384,32,4}   ; c1 = x+0 x+0
  r1    load         sram+0x0 f32[3,3,8,8] <- dram+0x0 f32[3,3,8,8]   ; c1 = w1.folded+0{3,1,9,72} w1.folded+0{3,1,9,72}
  r2    load         sram+0x1380 f32[8] <- dram+0x900 f32[8]   ; c1 = c1.bias.folded+0 c1.bias.folded+0
  r3    load         sram+0x0 f32[3,3,8,8] <- dram+0x940 f32[3,3,8,8]   @c0   ; c1 = w1.folded+576{3,1,9,72} w1.folded+576{3,1,9,72}
  r4    load         sram+0x13c0 f32[8] <- dram+0x1240 f32[8]   ; c1 = c1.bias.folded+8 c1.bias.folded+8
  r5    load         sram+0x1440 f32[1,1,8,16] <- dram+0x1280 f32[1,1,8,16]   ; c3 = w3.folded+0{1,1,1,8} w3.folded+0{1,1,1,8}
  r6    load         sram+0x1400 f32[16] <- dram+0x1480 f32[16]   ; c3 = c3.bias.folded+0 c3.bias.folded+0
.compute
  c0    conv         sram+0xf00 f32[1,2,6,8]{2304,384,64,4} <- sram+0x900 f32[1,4,12,8]{4608,384,32,4}, weight=sram+0x0 f32[3,3,8,8], bias=sram+0x1380 f32[8], act=relu stride=2,2 dilation=1,1 pad_begin=1,1   @r2   ; c1 = x+0 w1.folded+0{3,1,9,72} r1+0 c1.bias.folded+0
  c1    conv         sram+0xf20 f32[1,2,6,8]{2304,384,64,4} <- sram+0x900 f32[1,4,12,8]{4608,384,32,4}, weight=sram+0x0 f32[3,3,8,8], bias=sram+0x13c0 f32[8], act=relu stride=2,2 dilation=1,1 pad_begin=1,1   @r4   ; c1 = x+0 w1.folded+576{3,1,9,72} r1+8 c1.bias.folded+8
  c2    conv         sram+0x0 f32[1,2,6,16]{2304,384,64,4} <- sram+0x900 f32[1,3,11,8]{4608,384,32,4}, weight=sram+0x1440 f32[1,1,8,16], bias=sram+0x1400 f32[16], stride=2,2 dilation=1,1 pad_begin=0,0   @r6   ; c3 = x+0 w3.folded+0{1,1,1,8} n3+0 c3.bias.folded+0
  c3    copy         sram+0x0 f32[1,1,12,8]{4608,384,32,4} <- sram+0xd80 f32[1,1,12,8]{4608,384,32,4}   @w0   ; x = x+288 x+288
.write
  w0    store        dram+0x55c0 f32[1,2,6,16]{2304,384,64,4} <- sram+0x0 f32[1,2,6,16]{2304,384,64,4}   @c2   ; c3 = n3+0 n3+0
  w1    store        dram+0x5ec0 f32[1,2,6,16]{2304,384,64,4} <- sram+0xf00 f32[1,2,6,16]{2304,384,64,4}   ; c1 = r1+0 r1+0

.part 2/3 core 0
.read
  r7    load         sram+0xa80 f32[1,4,12,8]{4608,384,32,4} <- dram+0x40c0 f32[1,4,12,8]{4608,384,32,4}   @c3 @w1   ; c1 = x+384 x+384
  r8    load         sram+0x0 f32[3,3,8,8] <- dram+0x0 f32[3,3,8,8]   @c4   ; c1 = w1.folded+0{3,1,9,72} w1.folded+0{3,1,9,72}
  r9    load         sram+0x0 f32[3,3,8,8] <- dram+0x940 f32[3,3,8,8]   @c5   ; c1 = w1.folded+576{3,1,9,72} w1.folded+576{3,1,9,72}
  r10   load         sram+0x1440 f32[1,1,8,16] <- dram+0x1280 f32[1,1,8,16]   ; c3 = w3.folded+0{1,1,1,8} w3.folded+0{1,1,1,8}
.compute
  c4    copy         sram+0x900 f32[1,1,12,8]{4608,384,32,4} <- sram+0x0 f32[1,1,12,8]{4608,384,32,4}   ; x = x+288 x+288
  c5    conv         sram+0x1080 f32[1,2,6,8]{2304,384,64,4} <- sram+0x900 f32[1,5,12,8]{4608,384,32,4}, weight=sram+0x0 f32[3,3,8,8], bias=sram+0x1380 f32[8], act=relu stride=2,2 dilation=1,1 pad_begin=0,1   @r8   ; c1 = x+288 w1.folded+0{3,1,9,72} r1+192 c1.bias.folded+0
  c6    conv         sram+0x10a0 f32[1,2,6,8]{2304,384,64,4} <- sram+0x900 f32[1,5,12,8]{4608,384,32,4}, weight=sram+0x0 f32[3,3,8,8], bias=sram+0x13c0 f32[8], act=relu stride=2,2 dilation=1,1 pad_begin=0,1   @r9   ; c1 = x+288 w1.folded+576{3,1,9,72} r1+200 c1.bias.folded+8
  c7    conv         sram+0x0 f32[1,2,6,16]{2304,384,64,4} <- sram+0xa80 f32[1,3,11,8]{4608,384,32,4}, weight=sram+0x1440 f32[1,1,8,16], bias=sram+0x1400 f32[16], stride=2,2 dilation=1,1 pad_begin=0,0   @r10   ; c3 = x+384 w3.folded+0{1,1,1,8} n3+192 c3.bias.folded+0
  c8    copy         sram+0x0 f32[1,1,12,8]{4608,384,32,4} <- sram+0xf00 f32[1,1,12,8]{4608,384,32,4}   @w2   ; x = x+672 x+672
.write
  w2    store        dram+0x58c0 f32[1,2,6,16]{2304,384,64,4} <- sram+0x0 f32[1,2,6,16]{2304,384,64,4}   @c7   ; c3 = n3+192 n3+192
  w3    store        dram+0x61c0 f32[1,2,6,16]{2304,384,64,4} <- sram+0x1080 f32[1,2,6,16]{2304,384,64,4}   ; c1 = r1+192 r1+192

.part 3/3 core 0
.read
  r11   load         sram+0xa80 f32[1,4,12,8]{4608,384,32,4} <- dram+0x46c0 f32[1,4,12,8]{4608,384,32,4}   @c8   ; c1 = x+768 x+768
  r12   load         sram+0x0 f32[3,3,8,8] <- dram+0x0 f32[3,3,8,8]   @c9   ; c1 = w1.folded+0{3,1,9,72} w1.folded+0{3,1,9,72}
  r13   load         sram+0x0 f32[3,3,8,8] <- dram+0x940 f32[3,3,8,8]   @c10   ; c1 = w1.folded+576{3,1,9,72} w1.folded+576{3,1,9,72}
  r14   load         sram+0x1440 f32[1,1,8,16] <- dram+0x1280 f32[1,1,8,16]   ; c3 = w3.folded+0{1,1,1,8} w3.folded+0{1,1,1,8}
.compute
  c9    copy         sram+0x900 f32[1,1,12,8]{4608,384,32,4} <- sram+0x0 f32[1,1,12,8]{4608,384,32,4}   ; x = x+672 x+672
  c10   conv         sram+0x1080 f32[1,2,6,8]{2304,384,64,4} <- sram+0x900 f32[1,5,12,8]{4608,384,32,4}, weight=sram+0x0 f32[3,3,8,8], bias=sram+0x1380 f32[8], act=relu stride=2,2 dilation=1,1 pad_begin=0,1   @r12 @w3   ; c1 = x+672 w1.folded+0{3,1,9,72} r1+384 c1.bias.folded+0
  c11   conv         sram+0x10a0 f32[1,2,6,8]{2304,384,64,4} <- sram+0x900 f32[1,5,12,8]{4608,384,32,4}, weight=sram+0x0 f32[3,3,8,8], bias=sram+0x13c0 f32[8], act=relu stride=2,2 dilation=1,1 pad_begin=0,1   @r13   ; c1 = x+672 w1.folded+576{3,1,9,72} r1+392 c1.bias.folded+8
  c12   conv         sram+0x0 f32[1,2,6,16]{2304,384,64,4} <- sram+0xa80 f32[1,3,11,8]{4608,384,32,4}, weight=sram+0x1440 f32[1,1,8,16], bias=sram+0x1400 f32[16], stride=2,2 dilation=1,1 pad_begin=0,0   @r14   ; c3 = x+768 w3.folded+0{1,1,1,8} n3+384 c3.bias.folded+0
.write
  w4    store        dram+0x64c0 f32[1,2,6,16]{2304,384,64,4} <- sram+0x1080 f32[1,2,6,16]{2304,384,64,4}   @c11   ; c1 = r1+384 r1+384
  w5    store        dram+0x5bc0 f32[1,2,6,16]{2304,384,64,4} <- sram+0x0 f32[1,2,6,16]{2304,384,64,4}   @c12   ; c3 = n3+384 n3+384

.group 1 single layers=c2 parts=8 reason="tiled alone, about 32320 B and 2812 cycles"
.part 1/8 core 0
.read
  r15   load         sram+0x900 f32[3,3,16,2] <- dram+0x14c0 f32[3,3,16,2]   @c12   ; c2 = w2.folded+0{3,1,9,144} w2.folded+0{3,1,9,144}
  r16   load         sram+0x1000 f32[2] <- dram+0x1940 f32[2]   ; c2 = c2.bias.folded+0 c2.bias.folded+0
  r17   load         sram+0x0 f32[1,6,6,16] <- dram+0x5ec0 f32[1,6,6,16]   @w5   ; c2 = r1+0 r1+0
  r18   load         sram+0xd80 f32[1,6,6,2] <- dram+0x55c0 f32[1,6,6,2]{2304,384,64,4}   ; c2 = n3+0{576,96,16,1} n3+0
.compute
  c13   conv         sram+0xec0 f32[1,6,6,2] <- sram+0x0 f32[1,6,6,16], weight=sram+0x900 f32[3,3,16,2], bias=sram+0x1000 f32[2], residual=sram+0xd80 f32[1,6,6,2], act=relu stride=1,1 dilation=1,1 pad_begin=1,1   @r18   ; c2 = r1+0 w2.folded+0{3,1,9,144} y+0{576,96,16,1} c2.bias.folded+0 n3+0{576,96,16,1}
.write
  w6    store        dram+0x4cc0 f32[1,6,6,2]{2304,384,64,4} <- sram+0xec0 f32[1,6,6,2]   @c13   ; c2 = y+0 y+0{576,96,16,1}

.part 2/8 core 0
.read
  r19   load         sram+0x1180 f32[3,3,16,2] <- dram+0x1980 f32[3,3,16,2]   ; c2 = w2.folded+288{3,1,9,144} w2.folded+288{3,1,9,144}
  r20   load         sram+0x1140 f32[2] <- dram+0x1e00 f32[2]   ; c2 = c2.bias.folded+2 c2.bias.folded+2
  r21   load         sram+0x1600 f32[1,6,6,2] <- dram+0x55c8 f32[1,6,6,2]{2304,384,64,4}   ; c2 = n3+2{576,96,16,1} n3+2
.compute
  c14   conv         sram+0x1000 f32[1,6,6,2] <- sram+0x0 f32[1,6,6,16], weight=sram+0x1180 f32[3,3,16,2], bias=sram+0x1140 f32[2], residual=sram+0x1600 f32[1,6,6,2], act=relu stride=1,1 dilation=1,1 pad_begin=1,1   @r21   ; c2 = r1+0 w2.folded+288{3,1,9,144} y+2{576,96,16,1} c2.bias.folded+2 n3+2{576,96,16,1}
.write
  w7    store        dram+0x4cc8 f32[1,6,6,2]{2304,384,64,4} <- sram+0x1000 f32[1,6,6,2]   @c14   ; c2 = y+2 y+2{576,96,16,1}

.part 3/8 core 0
.read
  r22   load         sram+0x900 f32[3,3,16,2] <- dram+0x1e40 f32[3,3,16,2]   @c13   ; c2 = w2.folded+576{3,1,9,144} w2.folded+576{3,1,9,144}
  r23   load         sram+0x1740 f32[2] <- dram+0x22c0 f32[2]   ; c2 = c2.bias.folded+4 c2.bias.folded+4
  r24   load         sram+0xd80 f32[1,6,6,2] <- dram+0x55d0 f32[1,6,6,2]{2304,384,64,4}   ; c2 = n3+4{576,96,16,1} n3+4
.compute
  c15   conv         sram+0xec0 f32[1,6,6,2] <- sram+0x0 f32[1,6,6,16], weight=sram+0x900 f32[3,3,16,2], bias=sram+0x1740 f32[2], residual=sram+0xd80 f32[1,6,6,2], act=relu stride=1,1 dilation=1,1 pad_begin=1,1   @r24 @w6   ; c2 = r1+0 w2.folded+576{3,1,9,144} y+4{576,96,16,1} c2.bias.folded+4 n3+4{576,96,16,1}
.write
  w8    store        dram+0x4cd0 f32[1,6,6,2]{2304,384,64,4} <- sram+0xec0 f32[1,6,6,2]   @c15   ; c2 = y+4 y+4{576,96,16,1}

.part 4/8 core 0
.read
  r25   load         sram+0x1180 f32[3,3,16,2] <- dram+0x2300 f32[3,3,16,2]   @c14   ; c2 = w2.folded+864{3,1,9,144} w2.folded+864{3,1,9,144}
  r26   load         sram+0x1140 f32[2] <- dram+0x2780 f32[2]   ; c2 = c2.bias.folded+6 c2.bias.folded+6
  r27   load         sram+0x1600 f32[1,6,6,2] <- dram+0x55d8 f32[1,6,6,2]{2304,384,64,4}   ; c2 = n3+6{576,96,16,1} n3+6
.compute
  c16   conv         sram+0x1000 f32[1,6,6,2] <- sram+0x0 f32[1,6,6,16], weight=sram+0x1180 f32[3,3,16,2], bias=sram+0x1140 f32[2], residual=sram+0x1600 f32[1,6,6,2], act=relu stride=1,1 dilation=1,1 pad_begin=1,1   @r27 @w7   ; c2 = r1+0 w2.folded+864{3,1,9,144} y+6{576,96,16,1} c2.bias.folded+6 n3+6{576,96,16,1}
.write
  w9    store        dram+0x4cd8 f32[1,6,6,2]{2304,384,64,4} <- sram+0x1000 f32[1,6,6,2]   @c16   ; c2 = y+6 y+6{576,96,16,1}

.part 5/8 core 0
.read
  r28   load         sram+0x900 f32[3,3,16,2] <- dram+0x27c0 f32[3,3,16,2]   @c15   ; c2 = w2.folded+1152{3,1,9,144} w2.folded+1152{3,1,9,144}
  r29   load         sram+0x1740 f32[2] <- dram+0x2c40 f32[2]   ; c2 = c2.bias.folded+8 c2.bias.folded+8
  r30   load         sram+0xd80 f32[1,6,6,2] <- dram+0x55e0 f32[1,6,6,2]{2304,384,64,4}   ; c2 = n3+8{576,96,16,1} n3+8
.compute
  c17   conv         sram+0xec0 f32[1,6,6,2] <- sram+0x0 f32[1,6,6,16], weight=sram+0x900 f32[3,3,16,2], bias=sram+0x1740 f32[2], residual=sram+0xd80 f32[1,6,6,2], act=relu stride=1,1 dilation=1,1 pad_begin=1,1   @r30 @w8   ; c2 = r1+0 w2.folded+1152{3,1,9,144} y+8{576,96,16,1} c2.bias.folded+8 n3+8{576,96,16,1}
.write
  w10   store        dram+0x4ce0 f32[1,6,6,2]{2304,384,64,4} <- sram+0xec0 f32[1,6,6,2]   @c17   ; c2 = y+8 y+8{576,96,16,1}

.part 6/8 core 0
.read
  r31   load         sram+0x1180 f32[3,3,16,2] <- dram+0x2c80 f32[3,3,16,2]   @c16   ; c2 = w2.folded+1440{3,1,9,144} w2.folded+1440{3,1,9,144}
  r32   load         sram+0x1140 f32[2] <- dram+0x3100 f32[2]   ; c2 = c2.bias.folded+10 c2.bias.folded+10
  r33   load         sram+0x1600 f32[1,6,6,2] <- dram+0x55e8 f32[1,6,6,2]{2304,384,64,4}   ; c2 = n3+10{576,96,16,1} n3+10
.compute
  c18   conv         sram+0x1000 f32[1,6,6,2] <- sram+0x0 f32[1,6,6,16], weight=sram+0x1180 f32[3,3,16,2], bias=sram+0x1140 f32[2], residual=sram+0x1600 f32[1,6,6,2], act=relu stride=1,1 dilation=1,1 pad_begin=1,1   @r33 @w9   ; c2 = r1+0 w2.folded+1440{3,1,9,144} y+10{576,96,16,1} c2.bias.folded+10 n3+10{576,96,16,1}
.write
  w11   store        dram+0x4ce8 f32[1,6,6,2]{2304,384,64,4} <- sram+0x1000 f32[1,6,6,2]   @c18   ; c2 = y+10 y+10{576,96,16,1}

.part 7/8 core 0
.read
  r34   load         sram+0x900 f32[3,3,16,2] <- dram+0x3140 f32[3,3,16,2]   @c17   ; c2 = w2.folded+1728{3,1,9,144} w2.folded+1728{3,1,9,144}
  r35   load         sram+0x1740 f32[2] <- dram+0x35c0 f32[2]   ; c2 = c2.bias.folded+12 c2.bias.folded+12
  r36   load         sram+0xd80 f32[1,6,6,2] <- dram+0x55f0 f32[1,6,6,2]{2304,384,64,4}   ; c2 = n3+12{576,96,16,1} n3+12
.compute
  c19   conv         sram+0xec0 f32[1,6,6,2] <- sram+0x0 f32[1,6,6,16], weight=sram+0x900 f32[3,3,16,2], bias=sram+0x1740 f32[2], residual=sram+0xd80 f32[1,6,6,2], act=relu stride=1,1 dilation=1,1 pad_begin=1,1   @r36 @w10   ; c2 = r1+0 w2.folded+1728{3,1,9,144} y+12{576,96,16,1} c2.bias.folded+12 n3+12{576,96,16,1}
.write
  w12   store        dram+0x4cf0 f32[1,6,6,2]{2304,384,64,4} <- sram+0xec0 f32[1,6,6,2]   @c19   ; c2 = y+12 y+12{576,96,16,1}

.part 8/8 core 0
.read
  r37   load         sram+0x1180 f32[3,3,16,2] <- dram+0x3600 f32[3,3,16,2]   @c18   ; c2 = w2.folded+2016{3,1,9,144} w2.folded+2016{3,1,9,144}
  r38   load         sram+0x1140 f32[2] <- dram+0x3a80 f32[2]   ; c2 = c2.bias.folded+14 c2.bias.folded+14
  r39   load         sram+0x1600 f32[1,6,6,2] <- dram+0x55f8 f32[1,6,6,2]{2304,384,64,4}   ; c2 = n3+14{576,96,16,1} n3+14
.compute
  c20   conv         sram+0x1000 f32[1,6,6,2] <- sram+0x0 f32[1,6,6,16], weight=sram+0x1180 f32[3,3,16,2], bias=sram+0x1140 f32[2], residual=sram+0x1600 f32[1,6,6,2], act=relu stride=1,1 dilation=1,1 pad_begin=1,1   @r39 @w11   ; c2 = r1+0 w2.folded+2016{3,1,9,144} y+14{576,96,16,1} c2.bias.folded+14 n3+14{576,96,16,1}
.write
  w13   store        dram+0x4cf8 f32[1,6,6,2]{2304,384,64,4} <- sram+0x1000 f32[1,6,6,2]   @c20   ; c2 = y+14 y+14{576,96,16,1}
