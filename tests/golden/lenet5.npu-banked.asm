.nnc 1
.chip name "npu-banked"
.chip description "one core, one SRAM bank for activations and one for weights (M1 to the letter)"
.chip cores 1
.chip clock_mhz 1000
.chip dram {"bytes_per_cycle": 16, "latency": 100, "burst": 64, "align": 1, "bytes": 4294967296}
.chip dma {"broadcast": false, "in_flight": 4, "move_bytes_per_cycle": 64}
.chip memory {"bank1": {"bytes": 4096, "align": 64}, "bank2": {"bytes": 2048, "align": 64}}
.chip operands {"default": {"feature": {"memories": ["bank1"]}, "weight": {"memories": ["bank2"]}, "result": {"memories": ["bank1"]}, "accumulator": {"memories": ["bank1"]}}}
.chip compute {"issue": 32, "map": "channels", "arrays": {"i8": ["16x64", "32x32", "64x16", "128x8"], "f16": ["16x32", "32x16", "64x8"], "f32": ["8x32", "16x16", "32x8", "64x4"]}, "depthwise": {"i8": 256, "f16": 128, "f32": 64}, "elementwise": {"i8": 128, "f16": 64, "f32": 32}}
.dram 23808
.constants file="lenet5.npu-banked.constants" bytes=19840 crc=0x34866b7d
.tensor input input dram+0x4d80 f32[1,1,16,16]{1024,4,64,4}
.tensor output output dram+0x5180 f32[1,10]
.tensor tanh1 boundary dram+0x51c0 f32[1,4,12,12]{2304,4,192,16}
.tensor averagepool1 boundary dram+0x5ac0 f32[1,4,6,6]{576,4,96,16}
.tensor tanh2 boundary dram+0x51c0 f32[1,8,2,2]{128,4,64,32}
.tensor averagepool2 boundary dram+0x5240 f32[1,8,1,1]{32,4,32,32}
.tensor tanh3 boundary dram+0x5280 f32[1,60]
.tensor tanh4 boundary dram+0x51c0 f32[1,42]
.tensor gemm3 boundary dram+0x5280 f32[1,10]
.tensor conv1.weight constant dram+0x0 f32[1,5,5,4]
.tensor conv1.bias constant dram+0x1c0 f32[4]
.tensor "conv2.weight[0,0,0,0]" constant dram+0x200 f32[5,5,4,2]
.tensor "conv2.bias[0]" constant dram+0x540 f32[2]
.tensor "conv2.weight[2,0,0,0]" constant dram+0x580 f32[5,5,4,2]
.tensor "conv2.bias[2]" constant dram+0x8c0 f32[2]
.tensor "conv2.weight[4,0,0,0]" constant dram+0x900 f32[5,5,4,2]
.tensor "conv2.bias[4]" constant dram+0xc40 f32[2]
.tensor "conv2.weight[6,0,0,0]" constant dram+0xc80 f32[5,5,4,2]
.tensor "conv2.bias[6]" constant dram+0xfc0 f32[2]
.tensor "gemm1.b.reordered[0,0]" constant dram+0x1000 f32[8,15]
.tensor "gemm1.bias[0]" constant dram+0x1200 f32[15]
.tensor "gemm1.b.reordered[0,15]" constant dram+0x1240 f32[8,15]
.tensor "gemm1.bias[15]" constant dram+0x1440 f32[15]
.tensor "gemm1.b.reordered[0,30]" constant dram+0x1480 f32[8,15]
.tensor "gemm1.bias[30]" constant dram+0x1680 f32[15]
.tensor "gemm1.b.reordered[0,45]" constant dram+0x16c0 f32[8,15]
.tensor "gemm1.bias[45]" constant dram+0x18c0 f32[15]
.tensor "gemm2.b[0,0]" constant dram+0x1900 f32[60,3]
.tensor "gemm2.bias[0]" constant dram+0x1c00 f32[3]
.tensor "gemm2.b[0,3]" constant dram+0x1c40 f32[60,3]
.tensor "gemm2.bias[3]" constant dram+0x1f40 f32[3]
.tensor "gemm2.b[0,6]" constant dram+0x1f80 f32[60,3]
.tensor "gemm2.bias[6]" constant dram+0x2280 f32[3]
.tensor "gemm2.b[0,9]" constant dram+0x22c0 f32[60,3]
.tensor "gemm2.bias[9]" constant dram+0x25c0 f32[3]
.tensor "gemm2.b[0,12]" constant dram+0x2600 f32[60,3]
.tensor "gemm2.bias[12]" constant dram+0x2900 f32[3]
.tensor "gemm2.b[0,15]" constant dram+0x2940 f32[60,3]
.tensor "gemm2.bias[15]" constant dram+0x2c40 f32[3]
.tensor "gemm2.b[0,18]" constant dram+0x2c80 f32[60,3]
.tensor "gemm2.bias[18]" constant dram+0x2f80 f32[3]
.tensor "gemm2.b[0,21]" constant dram+0x2fc0 f32[60,3]
.tensor "gemm2.bias[21]" constant dram+0x32c0 f32[3]
.tensor "gemm2.b[0,24]" constant dram+0x3300 f32[60,3]
.tensor "gemm2.bias[24]" constant dram+0x3600 f32[3]
.tensor "gemm2.b[0,27]" constant dram+0x3640 f32[60,3]
.tensor "gemm2.bias[27]" constant dram+0x3940 f32[3]
.tensor "gemm2.b[0,30]" constant dram+0x3980 f32[60,3]
.tensor "gemm2.bias[30]" constant dram+0x3c80 f32[3]
.tensor "gemm2.b[0,33]" constant dram+0x3cc0 f32[60,3]
.tensor "gemm2.bias[33]" constant dram+0x3fc0 f32[3]
.tensor "gemm2.b[0,36]" constant dram+0x4000 f32[60,3]
.tensor "gemm2.bias[36]" constant dram+0x4300 f32[3]
.tensor "gemm2.b[0,39]" constant dram+0x4340 f32[60,3]
.tensor "gemm2.bias[39]" constant dram+0x4640 f32[3]
.tensor gemm3.b constant dram+0x4680 f32[42,10]
.tensor gemm3.bias constant dram+0x4d40 f32[10]
.fact floor_bytes 18840
.fact macs 21020
.fact peak_floor_cycles 84
.fact compute_floor_cycles 355
.fact dram_floor_cycles 1178
.fact predicted_cycles 5240
.fact predicted_dram_bytes 30272

.group 0 single layers=conv1 parts=2 reason="DRAM-bound, double-buffered, about 432 cycles for 4000 B"
.part 1/2 core 0
.read
  r0    load         bank1+0x480 f32[1,1,10,16] <- dram+0x4d80 f32[1,1,10,16]{1024,4,64,4}   ; conv1
  r1    load         bank2+0x0 f32[1,5,5,4] <- dram+0x0 f32[1,5,5,4]   ; conv1
  r2    load         bank2+0x1c0 f32[4] <- dram+0x1c0 f32[4]   ; conv1
.compute
  c0    conv         bank1+0x0 f32[1,6,12,4] <- bank1+0x480 f32[1,10,16,1]{640,64,4,640}, weight=bank2+0x0 f32[5,5,1,4]{80,16,400,4}, bias=bank2+0x1c0 f32[4], act=tanh stride=1,1 dilation=1,1 pad_begin=0,0   @r2   ; conv1
.write
  w0    store        dram+0x51c0 f32[1,6,12,4]{2304,192,16,4} <- bank1+0x0 f32[1,6,12,4]   @c0   ; conv1

.part 2/2 core 0
.read
  r3    load         bank1+0x900 f32[1,1,10,16] <- dram+0x4f00 f32[1,1,10,16]{1024,4,64,4}   ; conv1
.compute
  c1    conv         bank1+0x480 f32[1,6,12,4] <- bank1+0x900 f32[1,10,16,1]{640,64,4,640}, weight=bank2+0x0 f32[5,5,1,4]{80,16,400,4}, bias=bank2+0x1c0 f32[4], act=tanh stride=1,1 dilation=1,1 pad_begin=0,0   @r3   ; conv1
.write
  w1    store        dram+0x5640 f32[1,6,12,4]{2304,192,16,4} <- bank1+0x480 f32[1,6,12,4]   @c1   ; conv1

.group 1 single layers=averagepool1 parts=1 reason="DRAM-bound, double-buffered, about 255 cycles for 2880 B"
.part 1/1 core 0
.read
  r4    load         bank1+0x700 f32[1,12,12,4] <- dram+0x51c0 f32[1,12,12,4]   @w1   ; averagepool1
.compute
  c2    pool         bank1+0x4c0 f32[1,6,6,4] <- bank1+0x700 f32[1,12,12,4], function=average kernel=2,2 stride=2,2 dilation=1,1 pad_begin=0,0 pad_end=0,0   @r4   ; averagepool1
.write
  w2    store        dram+0x5ac0 f32[1,6,6,4] <- bank1+0x4c0 f32[1,6,6,4]   @c2   ; averagepool1

.group 2 single layers=conv2 parts=4 reason="compute-bound, double-buffered, about 630 cycles for 3936 B"
.part 1/4 core 0
.read
  r5    load         bank1+0x0 f32[1,6,6,4] <- dram+0x5ac0 f32[1,6,6,4]   @w2   ; conv2
  r6    load         bank2+0x0 f32[5,5,4,2] <- dram+0x200 f32[5,5,4,2]   ; conv2
  r7    load         bank2+0x340 f32[2] <- dram+0x540 f32[2]   ; conv2
.compute
  c3    conv         bank1+0x240 f32[1,2,2,2] <- bank1+0x0 f32[1,6,6,4], weight=bank2+0x0 f32[5,5,4,2], bias=bank2+0x340 f32[2], act=tanh stride=1,1 dilation=1,1 pad_begin=0,0   @r7   ; conv2
.write
  w3    store        dram+0x51c0 f32[1,2,2,2]{128,64,32,4} <- bank1+0x240 f32[1,2,2,2]   @c3   ; conv2

.part 2/4 core 0
.read
  r8    load         bank2+0x380 f32[5,5,4,2] <- dram+0x580 f32[5,5,4,2]   ; conv2
  r9    load         bank2+0x6c0 f32[2] <- dram+0x8c0 f32[2]   ; conv2
.compute
  c4    conv         bank1+0x280 f32[1,2,2,2] <- bank1+0x0 f32[1,6,6,4], weight=bank2+0x380 f32[5,5,4,2], bias=bank2+0x6c0 f32[2], act=tanh stride=1,1 dilation=1,1 pad_begin=0,0   @r9   ; conv2
.write
  w4    store        dram+0x51c8 f32[1,2,2,2]{128,64,32,4} <- bank1+0x280 f32[1,2,2,2]   @c4   ; conv2

.part 3/4 core 0
.read
  r10   load         bank2+0x0 f32[5,5,4,2] <- dram+0x900 f32[5,5,4,2]   @c3   ; conv2
  r11   load         bank2+0x340 f32[2] <- dram+0xc40 f32[2]   ; conv2
.compute
  c5    conv         bank1+0x240 f32[1,2,2,2] <- bank1+0x0 f32[1,6,6,4], weight=bank2+0x0 f32[5,5,4,2], bias=bank2+0x340 f32[2], act=tanh stride=1,1 dilation=1,1 pad_begin=0,0   @r11 @w3   ; conv2
.write
  w5    store        dram+0x51d0 f32[1,2,2,2]{128,64,32,4} <- bank1+0x240 f32[1,2,2,2]   @c5   ; conv2

.part 4/4 core 0
.read
  r12   load         bank2+0x380 f32[5,5,4,2] <- dram+0xc80 f32[5,5,4,2]   @c4   ; conv2
  r13   load         bank2+0x6c0 f32[2] <- dram+0xfc0 f32[2]   ; conv2
.compute
  c6    conv         bank1+0x280 f32[1,2,2,2] <- bank1+0x0 f32[1,6,6,4], weight=bank2+0x380 f32[5,5,4,2], bias=bank2+0x6c0 f32[2], act=tanh stride=1,1 dilation=1,1 pad_begin=0,0   @r13 @w4   ; conv2
.write
  w6    store        dram+0x51d8 f32[1,2,2,2]{128,64,32,4} <- bank1+0x280 f32[1,2,2,2]   @c6   ; conv2

.group 3 single layers=averagepool2 parts=1 reason="compute-bound, double-buffered, about 68 cycles for 160 B"
.part 1/1 core 0
.read
  r14   load         bank1+0xf80 f32[1,2,2,8] <- dram+0x51c0 f32[1,2,2,8]   @w6   ; averagepool2
.compute
  c7    pool         bank1+0xf40 f32[1,1,1,8] <- bank1+0xf80 f32[1,2,2,8], function=average kernel=2,2 stride=2,2 dilation=1,1 pad_begin=0,0 pad_end=0,0   @r14   ; averagepool2
.write
  w7    store        dram+0x5240 f32[1,1,1,8] <- bank1+0xf40 f32[1,1,1,8]   @c7   ; averagepool2

.group 4 single layers=gemm1 parts=4 reason="compute-bound, double-buffered, about 356 cycles for 2464 B"
.part 1/4 core 0
.read
  r15   load         bank1+0x0 f32[1,8] <- dram+0x5240 f32[1,8]{0,4}   @w7   ; gemm1
  r16   load         bank2+0x0 f32[8,15] <- dram+0x1000 f32[8,15]   ; gemm1
  r17   load         bank2+0x200 f32[15] <- dram+0x1200 f32[15]   ; gemm1
.compute
  c8    gemm         bank1+0x40 f32[1,15] <- bank1+0x0 f32[1,8], weight=bank2+0x0 f32[8,15], bias=bank2+0x200 f32[15], act=tanh   @r17   ; gemm1
.write
  w8    store        dram+0x5280 f32[1,15]{240,4} <- bank1+0x40 f32[1,15]   @c8   ; gemm1

.part 2/4 core 0
.read
  r18   load         bank2+0x240 f32[8,15] <- dram+0x1240 f32[8,15]   ; gemm1
  r19   load         bank2+0x440 f32[15] <- dram+0x1440 f32[15]   ; gemm1
.compute
  c9    gemm         bank1+0x80 f32[1,15] <- bank1+0x0 f32[1,8], weight=bank2+0x240 f32[8,15], bias=bank2+0x440 f32[15], act=tanh   @r19   ; gemm1
.write
  w9    store        dram+0x52bc f32[1,15]{240,4} <- bank1+0x80 f32[1,15]   @c9   ; gemm1

.part 3/4 core 0
.read
  r20   load         bank2+0x0 f32[8,15] <- dram+0x1480 f32[8,15]   @c8   ; gemm1
  r21   load         bank2+0x200 f32[15] <- dram+0x1680 f32[15]   ; gemm1
.compute
  c10   gemm         bank1+0x40 f32[1,15] <- bank1+0x0 f32[1,8], weight=bank2+0x0 f32[8,15], bias=bank2+0x200 f32[15], act=tanh   @r21 @w8   ; gemm1
.write
  w10   store        dram+0x52f8 f32[1,15]{240,4} <- bank1+0x40 f32[1,15]   @c10   ; gemm1

.part 4/4 core 0
.read
  r22   load         bank2+0x240 f32[8,15] <- dram+0x16c0 f32[8,15]   @c9   ; gemm1
  r23   load         bank2+0x440 f32[15] <- dram+0x18c0 f32[15]   ; gemm1
.compute
  c11   gemm         bank1+0x80 f32[1,15] <- bank1+0x0 f32[1,8], weight=bank2+0x240 f32[8,15], bias=bank2+0x440 f32[15], act=tanh   @r23 @w9   ; gemm1
.write
  w11   store        dram+0x5334 f32[1,15]{240,4} <- bank1+0x80 f32[1,15]   @c11   ; gemm1

.group 5 single layers=gemm2 parts=14 reason="compute-bound, double-buffered, about 1374 cycles for 10672 B"
.part 1/14 core 0
.read
  r24   load         bank1+0xf00 f32[1,60] <- dram+0x5280 f32[1,60]   @w11   ; gemm2
  r25   load         bank2+0x500 f32[60,3] <- dram+0x1900 f32[60,3]   ; gemm2
  r26   load         bank2+0x4c0 f32[3] <- dram+0x1c00 f32[3]   ; gemm2
.compute
  c12   gemm         bank1+0xec0 f32[1,3] <- bank1+0xf00 f32[1,60], weight=bank2+0x500 f32[60,3], bias=bank2+0x4c0 f32[3], act=tanh   @r26   ; gemm2
.write
  w12   store        dram+0x51c0 f32[1,3]{168,4} <- bank1+0xec0 f32[1,3]   @c12   ; gemm2

.part 2/14 core 0
.read
  r27   load         bank2+0x1c0 f32[60,3] <- dram+0x1c40 f32[60,3]   ; gemm2
  r28   load         bank2+0x180 f32[3] <- dram+0x1f40 f32[3]   ; gemm2
.compute
  c13   gemm         bank1+0xe80 f32[1,3] <- bank1+0xf00 f32[1,60], weight=bank2+0x1c0 f32[60,3], bias=bank2+0x180 f32[3], act=tanh   @r28   ; gemm2
.write
  w13   store        dram+0x51cc f32[1,3]{168,4} <- bank1+0xe80 f32[1,3]   @c13   ; gemm2

.part 3/14 core 0
.read
  r29   load         bank2+0x500 f32[60,3] <- dram+0x1f80 f32[60,3]   @c12   ; gemm2
  r30   load         bank2+0x4c0 f32[3] <- dram+0x2280 f32[3]   ; gemm2
.compute
  c14   gemm         bank1+0xec0 f32[1,3] <- bank1+0xf00 f32[1,60], weight=bank2+0x500 f32[60,3], bias=bank2+0x4c0 f32[3], act=tanh   @r30 @w12   ; gemm2
.write
  w14   store        dram+0x51d8 f32[1,3]{168,4} <- bank1+0xec0 f32[1,3]   @c14   ; gemm2

.part 4/14 core 0
.read
  r31   load         bank2+0x1c0 f32[60,3] <- dram+0x22c0 f32[60,3]   @c13   ; gemm2
  r32   load         bank2+0x180 f32[3] <- dram+0x25c0 f32[3]   ; gemm2
.compute
  c15   gemm         bank1+0xe80 f32[1,3] <- bank1+0xf00 f32[1,60], weight=bank2+0x1c0 f32[60,3], bias=bank2+0x180 f32[3], act=tanh   @r32 @w13   ; gemm2
.write
  w15   store        dram+0x51e4 f32[1,3]{168,4} <- bank1+0xe80 f32[1,3]   @c15   ; gemm2

.part 5/14 core 0
.read
  r33   load         bank2+0x500 f32[60,3] <- dram+0x2600 f32[60,3]   @c14   ; gemm2
  r34   load         bank2+0x4c0 f32[3] <- dram+0x2900 f32[3]   ; gemm2
.compute
  c16   gemm         bank1+0xec0 f32[1,3] <- bank1+0xf00 f32[1,60], weight=bank2+0x500 f32[60,3], bias=bank2+0x4c0 f32[3], act=tanh   @r34 @w14   ; gemm2
.write
  w16   store        dram+0x51f0 f32[1,3]{168,4} <- bank1+0xec0 f32[1,3]   @c16   ; gemm2

.part 6/14 core 0
.read
  r35   load         bank2+0x1c0 f32[60,3] <- dram+0x2940 f32[60,3]   @c15   ; gemm2
  r36   load         bank2+0x180 f32[3] <- dram+0x2c40 f32[3]   ; gemm2
.compute
  c17   gemm         bank1+0xe80 f32[1,3] <- bank1+0xf00 f32[1,60], weight=bank2+0x1c0 f32[60,3], bias=bank2+0x180 f32[3], act=tanh   @r36 @w15   ; gemm2
.write
  w17   store        dram+0x51fc f32[1,3]{168,4} <- bank1+0xe80 f32[1,3]   @c17   ; gemm2

.part 7/14 core 0
.read
  r37   load         bank2+0x500 f32[60,3] <- dram+0x2c80 f32[60,3]   @c16   ; gemm2
  r38   load         bank2+0x4c0 f32[3] <- dram+0x2f80 f32[3]   ; gemm2
.compute
  c18   gemm         bank1+0xec0 f32[1,3] <- bank1+0xf00 f32[1,60], weight=bank2+0x500 f32[60,3], bias=bank2+0x4c0 f32[3], act=tanh   @r38 @w16   ; gemm2
.write
  w18   store        dram+0x5208 f32[1,3]{168,4} <- bank1+0xec0 f32[1,3]   @c18   ; gemm2

.part 8/14 core 0
.read
  r39   load         bank2+0x1c0 f32[60,3] <- dram+0x2fc0 f32[60,3]   @c17   ; gemm2
  r40   load         bank2+0x180 f32[3] <- dram+0x32c0 f32[3]   ; gemm2
.compute
  c19   gemm         bank1+0xe80 f32[1,3] <- bank1+0xf00 f32[1,60], weight=bank2+0x1c0 f32[60,3], bias=bank2+0x180 f32[3], act=tanh   @r40 @w17   ; gemm2
.write
  w19   store        dram+0x5214 f32[1,3]{168,4} <- bank1+0xe80 f32[1,3]   @c19   ; gemm2

.part 9/14 core 0
.read
  r41   load         bank2+0x500 f32[60,3] <- dram+0x3300 f32[60,3]   @c18   ; gemm2
  r42   load         bank2+0x4c0 f32[3] <- dram+0x3600 f32[3]   ; gemm2
.compute
  c20   gemm         bank1+0xec0 f32[1,3] <- bank1+0xf00 f32[1,60], weight=bank2+0x500 f32[60,3], bias=bank2+0x4c0 f32[3], act=tanh   @r42 @w18   ; gemm2
.write
  w20   store        dram+0x5220 f32[1,3]{168,4} <- bank1+0xec0 f32[1,3]   @c20   ; gemm2

.part 10/14 core 0
.read
  r43   load         bank2+0x1c0 f32[60,3] <- dram+0x3640 f32[60,3]   @c19   ; gemm2
  r44   load         bank2+0x180 f32[3] <- dram+0x3940 f32[3]   ; gemm2
.compute
  c21   gemm         bank1+0xe80 f32[1,3] <- bank1+0xf00 f32[1,60], weight=bank2+0x1c0 f32[60,3], bias=bank2+0x180 f32[3], act=tanh   @r44 @w19   ; gemm2
.write
  w21   store        dram+0x522c f32[1,3]{168,4} <- bank1+0xe80 f32[1,3]   @c21   ; gemm2

.part 11/14 core 0
.read
  r45   load         bank2+0x500 f32[60,3] <- dram+0x3980 f32[60,3]   @c20   ; gemm2
  r46   load         bank2+0x4c0 f32[3] <- dram+0x3c80 f32[3]   ; gemm2
.compute
  c22   gemm         bank1+0xec0 f32[1,3] <- bank1+0xf00 f32[1,60], weight=bank2+0x500 f32[60,3], bias=bank2+0x4c0 f32[3], act=tanh   @r46 @w20   ; gemm2
.write
  w22   store        dram+0x5238 f32[1,3]{168,4} <- bank1+0xec0 f32[1,3]   @c22   ; gemm2

.part 12/14 core 0
.read
  r47   load         bank2+0x1c0 f32[60,3] <- dram+0x3cc0 f32[60,3]   @c21   ; gemm2
  r48   load         bank2+0x180 f32[3] <- dram+0x3fc0 f32[3]   ; gemm2
.compute
  c23   gemm         bank1+0xe80 f32[1,3] <- bank1+0xf00 f32[1,60], weight=bank2+0x1c0 f32[60,3], bias=bank2+0x180 f32[3], act=tanh   @r48 @w21   ; gemm2
.write
  w23   store        dram+0x5244 f32[1,3]{168,4} <- bank1+0xe80 f32[1,3]   @c23   ; gemm2

.part 13/14 core 0
.read
  r49   load         bank2+0x500 f32[60,3] <- dram+0x4000 f32[60,3]   @c22   ; gemm2
  r50   load         bank2+0x4c0 f32[3] <- dram+0x4300 f32[3]   ; gemm2
.compute
  c24   gemm         bank1+0xec0 f32[1,3] <- bank1+0xf00 f32[1,60], weight=bank2+0x500 f32[60,3], bias=bank2+0x4c0 f32[3], act=tanh   @r50 @w22   ; gemm2
.write
  w24   store        dram+0x5250 f32[1,3]{168,4} <- bank1+0xec0 f32[1,3]   @c24   ; gemm2

.part 14/14 core 0
.read
  r51   load         bank2+0x1c0 f32[60,3] <- dram+0x4340 f32[60,3]   @c23   ; gemm2
  r52   load         bank2+0x180 f32[3] <- dram+0x4640 f32[3]   ; gemm2
.compute
  c25   gemm         bank1+0xe80 f32[1,3] <- bank1+0xf00 f32[1,60], weight=bank2+0x1c0 f32[60,3], bias=bank2+0x180 f32[3], act=tanh   @r52 @w23   ; gemm2
.write
  w25   store        dram+0x525c f32[1,3]{168,4} <- bank1+0xe80 f32[1,3]   @c25   ; gemm2

.group 6 single layers=gemm3 parts=1 reason="DRAM-bound, double-buffered, about 246 cycles for 1952 B"
.part 1/1 core 0
.read
  r53   load         bank1+0x0 f32[1,42] <- dram+0x51c0 f32[1,42]   @w25   ; gemm3
  r54   load         bank2+0x0 f32[42,10] <- dram+0x4680 f32[42,10]   ; gemm3
  r55   load         bank2+0x6c0 f32[10] <- dram+0x4d40 f32[10]   ; gemm3
.compute
  c26   gemm         bank1+0xc0 f32[1,10] <- bank1+0x0 f32[1,42], weight=bank2+0x0 f32[42,10], bias=bank2+0x6c0 f32[10]   @r55   ; gemm3
.write
  w26   store        dram+0x5280 f32[1,10] <- bank1+0xc0 f32[1,10]   @c26   ; gemm3

.group 7 single layers=softmax1 parts=1 reason="compute-bound, double-buffered, about 65 cycles for 104 B"
.part 1/1 core 0
.read
  r56   load         bank1+0xfc0 f32[1,10] <- dram+0x5280 f32[1,10]   @w26   ; softmax1
.compute
  c27   softmax      bank1+0xf80 f32[1,10] <- bank1+0xfc0 f32[1,10], axis=1   @r56   ; softmax1
.write
  w27   store        dram+0x5180 f32[1,10] <- bank1+0xf80 f32[1,10]   @c27   ; softmax1
