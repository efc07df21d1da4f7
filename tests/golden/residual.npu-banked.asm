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
.dram 27136
.constants file="residual.npu-banked.constants" bytes=15616 crc=0x493c06a0
.tensor x input dram+0x3d00 f32[1,8,12,12]{4608,4,384,32}
.tensor y output dram+0x4f00 f32[1,16,6,6]{2304,4,384,64}
.tensor r1 boundary dram+0x5800 f32[1,16,6,6]{2304,4,384,64}
.tensor n2 boundary dram+0x6100 f32[1,16,6,6]{2304,4,384,64}
.tensor "w1.folded[0,0,0,0]" constant dram+0x0 f32[3,3,8,4]
.tensor "c1.bias.folded[0]" constant dram+0x480 f32[4]
.tensor "w1.folded[4,0,0,0]" constant dram+0x4c0 f32[3,3,8,4]
.tensor "c1.bias.folded[4]" constant dram+0x940 f32[4]
.tensor "w1.folded[8,0,0,0]" constant dram+0x980 f32[3,3,8,4]
.tensor "c1.bias.folded[8]" constant dram+0xe00 f32[4]
.tensor "w1.folded[12,0,0,0]" constant dram+0xe40 f32[3,3,8,4]
.tensor "c1.bias.folded[12]" constant dram+0x12c0 f32[4]
.tensor "w2.folded[0,0,0,0]" constant dram+0x1300 f32[3,3,16,2]
.tensor "c2.bias.folded[0]" constant dram+0x1780 f32[2]
.tensor "w2.folded[2,0,0,0]" constant dram+0x17c0 f32[3,3,16,2]
.tensor "c2.bias.folded[2]" constant dram+0x1c40 f32[2]
.tensor "w2.folded[4,0,0,0]" constant dram+0x1c80 f32[3,3,16,2]
.tensor "c2.bias.folded[4]" constant dram+0x2100 f32[2]
.tensor "w2.folded[6,0,0,0]" constant dram+0x2140 f32[3,3,16,2]
.tensor "c2.bias.folded[6]" constant dram+0x25c0 f32[2]
.tensor "w2.folded[8,0,0,0]" constant dram+0x2600 f32[3,3,16,2]
.tensor "c2.bias.folded[8]" constant dram+0x2a80 f32[2]
.tensor "w2.folded[10,0,0,0]" constant dram+0x2ac0 f32[3,3,16,2]
.tensor "c2.bias.folded[10]" constant dram+0x2f40 f32[2]
.tensor "w2.folded[12,0,0,0]" constant dram+0x2f80 f32[3,3,16,2]
.tensor "c2.bias.folded[12]" constant dram+0x3400 f32[2]
.tensor "w2.folded[14,0,0,0]" constant dram+0x3440 f32[3,3,16,2]
.tensor "c2.bias.folded[14]" constant dram+0x38c0 f32[2]
.tensor "w3.folded[0,0,0,0]" constant dram+0x3900 f32[1,1,8,2]
.tensor "c3.bias.folded[0]" constant dram+0x3940 f32[2]
.tensor "w3.folded[2,0,0,0]" constant dram+0x3980 f32[1,1,8,2]
.tensor "c3.bias.folded[2]" constant dram+0x39c0 f32[2]
.tensor "w3.folded[4,0,0,0]" constant dram+0x3a00 f32[1,1,8,2]
.tensor "c3.bias.folded[4]" constant dram+0x3a40 f32[2]
.tensor "w3.folded[6,0,0,0]" constant dram+0x3a80 f32[1,1,8,2]
.tensor "c3.bias.folded[6]" constant dram+0x3ac0 f32[2]
.tensor "w3.folded[8,0,0,0]" constant dram+0x3b00 f32[1,1,8,2]
.tensor "c3.bias.folded[8]" constant dram+0x3b40 f32[2]
.tensor "w3.folded[10,0,0,0]" constant dram+0x3b80 f32[1,1,8,2]
.tensor "c3.bias.folded[10]" constant dram+0x3bc0 f32[2]
.tensor "w3.folded[12,0,0,0]" constant dram+0x3c00 f32[1,1,8,2]
.tensor "c3.bias.folded[12]" constant dram+0x3c40 f32[2]
.tensor "w3.folded[14,0,0,0]" constant dram+0x3c80 f32[1,1,8,2]
.tensor "c3.bias.folded[14]" constant dram+0x3cc0 f32[2]
.fact floor_bytes 21440
.fact macs 129024
.fact peak_floor_cycles 504
.fact compute_floor_cycles 672
.fact dram_floor_cycles 1340
.fact predicted_cycles 18768
.fact predicted_dram_bytes 110720

.group 0 single layers=c1 parts=8 reason="DRAM-bound, single-buffered, about 2522 cycles for 16640 B"
.part 1/8 core 0
.read
  r0    load         bank1+0x0 f32[1,6,12,8] <- dram+0x3d00 f32[1,6,12,8]{4608,384,32,4}   ; c1
  r1    load         bank2+0x0 f32[3,3,8,4] <- dram+0x0 f32[3,3,8,4]   ; c1
  r2    load         bank2+0x480 f32[4] <- dram+0x480 f32[4]   ; c1
.compute
  c0    conv         bank1+0x900 f32[1,3,6,4] <- bank1+0x0 f32[1,6,12,8], weight=bank2+0x0 f32[3,3,8,4], bias=bank2+0x480 f32[4], act=relu stride=2,2 dilation=1,1 pad_begin=1,1   @r2   ; c1
.write
  w0    store        dram+0x5800 f32[1,3,6,4]{2304,384,64,4} <- bank1+0x900 f32[1,3,6,4]   @c0   ; c1

.part 2/8 core 0
.read
  r3    load         bank2+0x0 f32[3,3,8,4] <- dram+0x4c0 f32[3,3,8,4]   @c0   ; c1
  r4    load         bank2+0x480 f32[4] <- dram+0x940 f32[4]   ; c1
.compute
  c1    conv         bank1+0x900 f32[1,3,6,4] <- bank1+0x0 f32[1,6,12,8], weight=bank2+0x0 f32[3,3,8,4], bias=bank2+0x480 f32[4], act=relu stride=2,2 dilation=1,1 pad_begin=1,1   @r4 @w0   ; c1
.write
  w1    store        dram+0x5810 f32[1,3,6,4]{2304,384,64,4} <- bank1+0x900 f32[1,3,6,4]   @c1   ; c1

.part 3/8 core 0
.read
  r5    load         bank2+0x0 f32[3,3,8,4] <- dram+0x980 f32[3,3,8,4]   @c1   ; c1
  r6    load         bank2+0x480 f32[4] <- dram+0xe00 f32[4]   ; c1
.compute
  c2    conv         bank1+0x900 f32[1,3,6,4] <- bank1+0x0 f32[1,6,12,8], weight=bank2+0x0 f32[3,3,8,4], bias=bank2+0x480 f32[4], act=relu stride=2,2 dilation=1,1 pad_begin=1,1   @r6 @w1   ; c1
.write
  w2    store        dram+0x5820 f32[1,3,6,4]{2304,384,64,4} <- bank1+0x900 f32[1,3,6,4]   @c2   ; c1

.part 4/8 core 0
.read
  r7    load         bank2+0x0 f32[3,3,8,4] <- dram+0xe40 f32[3,3,8,4]   @c2   ; c1
  r8    load         bank2+0x480 f32[4] <- dram+0x12c0 f32[4]   ; c1
.compute
  c3    conv         bank1+0x900 f32[1,3,6,4] <- bank1+0x0 f32[1,6,12,8], weight=bank2+0x0 f32[3,3,8,4], bias=bank2+0x480 f32[4], act=relu stride=2,2 dilation=1,1 pad_begin=1,1   @r8 @w2   ; c1
.write
  w3    store        dram+0x5830 f32[1,3,6,4]{2304,384,64,4} <- bank1+0x900 f32[1,3,6,4]   @c3   ; c1

.part 5/8 core 0
.read
  r9    load         bank1+0x0 f32[1,7,12,8] <- dram+0x4480 f32[1,7,12,8]{4608,384,32,4}   @w3   ; c1
  r10   load         bank2+0x0 f32[3,3,8,4] <- dram+0x0 f32[3,3,8,4]   ; c1
  r11   load         bank2+0x480 f32[4] <- dram+0x480 f32[4]   ; c1
.compute
  c4    conv         bank1+0xa80 f32[1,3,6,4] <- bank1+0x0 f32[1,7,12,8], weight=bank2+0x0 f32[3,3,8,4], bias=bank2+0x480 f32[4], act=relu stride=2,2 dilation=1,1 pad_begin=0,1   @r11   ; c1
.write
  w4    store        dram+0x5c80 f32[1,3,6,4]{2304,384,64,4} <- bank1+0xa80 f32[1,3,6,4]   @c4   ; c1

.part 6/8 core 0
.read
  r12   load         bank2+0x0 f32[3,3,8,4] <- dram+0x4c0 f32[3,3,8,4]   @c4   ; c1
  r13   load         bank2+0x480 f32[4] <- dram+0x940 f32[4]   ; c1
.compute
  c5    conv         bank1+0xa80 f32[1,3,6,4] <- bank1+0x0 f32[1,7,12,8], weight=bank2+0x0 f32[3,3,8,4], bias=bank2+0x480 f32[4], act=relu stride=2,2 dilation=1,1 pad_begin=0,1   @r13 @w4   ; c1
.write
  w5    store        dram+0x5c90 f32[1,3,6,4]{2304,384,64,4} <- bank1+0xa80 f32[1,3,6,4]   @c5   ; c1

.part 7/8 core 0
.read
  r14   load         bank2+0x0 f32[3,3,8,4] <- dram+0x980 f32[3,3,8,4]   @c5   ; c1
  r15   load         bank2+0x480 f32[4] <- dram+0xe00 f32[4]   ; c1
.compute
  c6    conv         bank1+0xa80 f32[1,3,6,4] <- bank1+0x0 f32[1,7,12,8], weight=bank2+0x0 f32[3,3,8,4], bias=bank2+0x480 f32[4], act=relu stride=2,2 dilation=1,1 pad_begin=0,1   @r15 @w5   ; c1
.write
  w6    store        dram+0x5ca0 f32[1,3,6,4]{2304,384,64,4} <- bank1+0xa80 f32[1,3,6,4]   @c6   ; c1

.part 8/8 core 0
.read
  r16   load         bank2+0x0 f32[3,3,8,4] <- dram+0xe40 f32[3,3,8,4]   @c6   ; c1
  r17   load         bank2+0x480 f32[4] <- dram+0x12c0 f32[4]   ; c1
.compute
  c7    conv         bank1+0xa80 f32[1,3,6,4] <- bank1+0x0 f32[1,7,12,8], weight=bank2+0x0 f32[3,3,8,4], bias=bank2+0x480 f32[4], act=relu stride=2,2 dilation=1,1 pad_begin=0,1   @r17 @w6   ; c1
.write
  w7    store        dram+0x5cb0 f32[1,3,6,4]{2304,384,64,4} <- bank1+0xa80 f32[1,3,6,4]   @c7   ; c1

.group 1 single layers=c2 parts=8 reason="compute-bound, single-buffered, about 4053 cycles for 13888 B"
.part 1/8 core 0
.read
  r18   load         bank1+0x700 f32[1,6,6,16] <- dram+0x5800 f32[1,6,6,16]   @w7   ; c2
  r19   load         bank2+0x380 f32[3,3,16,2] <- dram+0x1300 f32[3,3,16,2]   ; c2
  r20   load         bank2+0x340 f32[2] <- dram+0x1780 f32[2]   ; c2
.compute
  c8    conv         bank1+0x5c0 f32[1,6,6,2] <- bank1+0x700 f32[1,6,6,16], weight=bank2+0x380 f32[3,3,16,2], bias=bank2+0x340 f32[2], stride=1,1 dilation=1,1 pad_begin=1,1   @r20   ; c2
.write
  w8    store        dram+0x6100 f32[1,6,6,2]{2304,384,64,4} <- bank1+0x5c0 f32[1,6,6,2]   @c8   ; c2

.part 2/8 core 0
.read
  r21   load         bank2+0x380 f32[3,3,16,2] <- dram+0x17c0 f32[3,3,16,2]   @c8   ; c2
  r22   load         bank2+0x340 f32[2] <- dram+0x1c40 f32[2]   ; c2
.compute
  c9    conv         bank1+0x5c0 f32[1,6,6,2] <- bank1+0x700 f32[1,6,6,16], weight=bank2+0x380 f32[3,3,16,2], bias=bank2+0x340 f32[2], stride=1,1 dilation=1,1 pad_begin=1,1   @r22 @w8   ; c2
.write
  w9    store        dram+0x6108 f32[1,6,6,2]{2304,384,64,4} <- bank1+0x5c0 f32[1,6,6,2]   @c9   ; c2

.part 3/8 core 0
.read
  r23   load         bank2+0x380 f32[3,3,16,2] <- dram+0x1c80 f32[3,3,16,2]   @c9   ; c2
  r24   load         bank2+0x340 f32[2] <- dram+0x2100 f32[2]   ; c2
.compute
  c10   conv         bank1+0x5c0 f32[1,6,6,2] <- bank1+0x700 f32[1,6,6,16], weight=bank2+0x380 f32[3,3,16,2], bias=bank2+0x340 f32[2], stride=1,1 dilation=1,1 pad_begin=1,1   @r24 @w9   ; c2
.write
  w10   store        dram+0x6110 f32[1,6,6,2]{2304,384,64,4} <- bank1+0x5c0 f32[1,6,6,2]   @c10   ; c2

.part 4/8 core 0
.read
  r25   load         bank2+0x380 f32[3,3,16,2] <- dram+0x2140 f32[3,3,16,2]   @c10   ; c2
  r26   load         bank2+0x340 f32[2] <- dram+0x25c0 f32[2]   ; c2
.compute
  c11   conv         bank1+0x5c0 f32[1,6,6,2] <- bank1+0x700 f32[1,6,6,16], weight=bank2+0x380 f32[3,3,16,2], bias=bank2+0x340 f32[2], stride=1,1 dilation=1,1 pad_begin=1,1   @r26 @w10   ; c2
.write
  w11   store        dram+0x6118 f32[1,6,6,2]{2304,384,64,4} <- bank1+0x5c0 f32[1,6,6,2]   @c11   ; c2

.part 5/8 core 0
.read
  r27   load         bank2+0x380 f32[3,3,16,2] <- dram+0x2600 f32[3,3,16,2]   @c11   ; c2
  r28   load         bank2+0x340 f32[2] <- dram+0x2a80 f32[2]   ; c2
.compute
  c12   conv         bank1+0x5c0 f32[1,6,6,2] <- bank1+0x700 f32[1,6,6,16], weight=bank2+0x380 f32[3,3,16,2], bias=bank2+0x340 f32[2], stride=1,1 dilation=1,1 pad_begin=1,1   @r28 @w11   ; c2
.write
  w12   store        dram+0x6120 f32[1,6,6,2]{2304,384,64,4} <- bank1+0x5c0 f32[1,6,6,2]   @c12   ; c2

.part 6/8 core 0
.read
  r29   load         bank2+0x380 f32[3,3,16,2] <- dram+0x2ac0 f32[3,3,16,2]   @c12   ; c2
  r30   load         bank2+0x340 f32[2] <- dram+0x2f40 f32[2]   ; c2
.compute
  c13   conv         bank1+0x5c0 f32[1,6,6,2] <- bank1+0x700 f32[1,6,6,16], weight=bank2+0x380 f32[3,3,16,2], bias=bank2+0x340 f32[2], stride=1,1 dilation=1,1 pad_begin=1,1   @r30 @w12   ; c2
.write
  w13   store        dram+0x6128 f32[1,6,6,2]{2304,384,64,4} <- bank1+0x5c0 f32[1,6,6,2]   @c13   ; c2

.part 7/8 core 0
.read
  r31   load         bank2+0x380 f32[3,3,16,2] <- dram+0x2f80 f32[3,3,16,2]   @c13   ; c2
  r32   load         bank2+0x340 f32[2] <- dram+0x3400 f32[2]   ; c2
.compute
  c14   conv         bank1+0x5c0 f32[1,6,6,2] <- bank1+0x700 f32[1,6,6,16], weight=bank2+0x380 f32[3,3,16,2], bias=bank2+0x340 f32[2], stride=1,1 dilation=1,1 pad_begin=1,1   @r32 @w13   ; c2
.write
  w14   store        dram+0x6130 f32[1,6,6,2]{2304,384,64,4} <- bank1+0x5c0 f32[1,6,6,2]   @c14   ; c2

.part 8/8 core 0
.read
  r33   load         bank2+0x380 f32[3,3,16,2] <- dram+0x3440 f32[3,3,16,2]   @c14   ; c2
  r34   load         bank2+0x340 f32[2] <- dram+0x38c0 f32[2]   ; c2
.compute
  c15   conv         bank1+0x5c0 f32[1,6,6,2] <- bank1+0x700 f32[1,6,6,16], weight=bank2+0x380 f32[3,3,16,2], bias=bank2+0x340 f32[2], stride=1,1 dilation=1,1 pad_begin=1,1   @r34 @w14   ; c2
.write
  w15   store        dram+0x6138 f32[1,6,6,2]{2304,384,64,4} <- bank1+0x5c0 f32[1,6,6,2]   @c15   ; c2

.group 2 single layers=c3 parts=48 reason="DRAM-bound, single-buffered, about 24548 cycles for 291648 B"
.part 1/48 core 0
.read
  r35   load         bank1+0x0 f32[1,1,11,8] <- dram+0x3d00 f32[1,1,11,8]{4608,384,32,4}   ; c3
  r36   load         bank2+0x0 f32[1,1,8,2] <- dram+0x3900 f32[1,1,8,2]   ; c3
  r37   load         bank2+0x40 f32[2] <- dram+0x3940 f32[2]   ; c3
  r38   load         bank1+0x180 f32[1,1,6,2] <- dram+0x6100 f32[1,1,6,2]{2304,384,64,4}   ; c3
.compute
  c16   conv         bank1+0x1c0 f32[1,1,6,2] <- bank1+0x0 f32[1,1,11,8], weight=bank2+0x0 f32[1,1,8,2], bias=bank2+0x40 f32[2], residual=bank1+0x180 f32[1,1,6,2], act=relu stride=2,2 dilation=1,1 pad_begin=0,0   @r38   ; c3
.write
  w16   store        dram+0x4f00 f32[1,1,6,2]{2304,384,64,4} <- bank1+0x1c0 f32[1,1,6,2]   @c16   ; c3

.part 2/48 core 0
.read
  r39   load         bank1+0x0 f32[1,1,11,8] <- dram+0x4000 f32[1,1,11,8]{4608,384,32,4}   @c16   ; c3
  r40   load         bank1+0x180 f32[1,1,6,2] <- dram+0x6280 f32[1,1,6,2]{2304,384,64,4}   ; c3
.compute
  c17   conv         bank1+0x1c0 f32[1,1,6,2] <- bank1+0x0 f32[1,1,11,8], weight=bank2+0x0 f32[1,1,8,2], bias=bank2+0x40 f32[2], residual=bank1+0x180 f32[1,1,6,2], act=relu stride=2,2 dilation=1,1 pad_begin=0,0   @r40 @w16   ; c3
.write
  w17   store        dram+0x5080 f32[1,1,6,2]{2304,384,64,4} <- bank1+0x1c0 f32[1,1,6,2]   @c17   ; c3

.part 3/48 core 0
.read
  r41   load         bank1+0x0 f32[1,1,11,8] <- dram+0x4300 f32[1,1,11,8]{4608,384,32,4}   @c17   ; c3
  r42   load         bank1+0x180 f32[1,1,6,2] <- dram+0x6400 f32[1,1,6,2]{2304,384,64,4}   ; c3
.compute
  c18   conv         bank1+0x1c0 f32[1,1,6,2] <- bank1+0x0 f32[1,1,11,8], weight=bank2+0x0 f32[1,1,8,2], bias=bank2+0x40 f32[2], residual=bank1+0x180 f32[1,1,6,2], act=relu stride=2,2 dilation=1,1 pad_begin=0,0   @r42 @w17   ; c3
.write
  w18   store        dram+0x5200 f32[1,1,6,2]{2304,384,64,4} <- bank1+0x1c0 f32[1,1,6,2]   @c18   ; c3

.part 4/48 core 0
.read
  r43   load         bank1+0x0 f32[1,1,11,8] <- dram+0x4600 f32[1,1,11,8]{4608,384,32,4}   @c18   ; c3
  r44   load         bank1+0x180 f32[1,1,6,2] <- dram+0x6580 f32[1,1,6,2]{2304,384,64,4}   ; c3
.compute
  c19   conv         bank1+0x1c0 f32[1,1,6,2] <- bank1+0x0 f32[1,1,11,8], weight=bank2+0x0 f32[1,1,8,2], bias=bank2+0x40 f32[2], residual=bank1+0x180 f32[1,1,6,2], act=relu stride=2,2 dilation=1,1 pad_begin=0,0   @r44 @w18   ; c3
.write
  w19   store        dram+0x5380 f32[1,1,6,2]{2304,384,64,4} <- bank1+0x1c0 f32[1,1,6,2]   @c19   ; c3

.part 5/48 core 0
.read
  r45   load         bank1+0x0 f32[1,1,11,8] <- dram+0x4900 f32[1,1,11,8]{4608,384,32,4}   @c19   ; c3
  r46   load         bank1+0x180 f32[1,1,6,2] <- dram+0x6700 f32[1,1,6,2]{2304,384,64,4}   ; c3
.compute
  c20   conv         bank1+0x1c0 f32[1,1,6,2] <- bank1+0x0 f32[1,1,11,8], weight=bank2+0x0 f32[1,1,8,2], bias=bank2+0x40 f32[2], residual=bank1+0x180 f32[1,1,6,2], act=relu stride=2,2 dilation=1,1 pad_begin=0,0   @r46 @w19   ; c3
.write
  w20   store        dram+0x5500 f32[1,1,6,2]{2304,384,64,4} <- bank1+0x1c0 f32[1,1,6,2]   @c20   ; c3

.part 6/48 core 0
.read
  r47   load         bank1+0x0 f32[1,1,11,8] <- dram+0x4c00 f32[1,1,11,8]{4608,384,32,4}   @c20   ; c3
  r48   load         bank1+0x180 f32[1,1,6,2] <- dram+0x6880 f32[1,1,6,2]{2304,384,64,4}   ; c3
.compute
  c21   conv         bank1+0x1c0 f32[1,1,6,2] <- bank1+0x0 f32[1,1,11,8], weight=bank2+0x0 f32[1,1,8,2], bias=bank2+0x40 f32[2], residual=bank1+0x180 f32[1,1,6,2], act=relu stride=2,2 dilation=1,1 pad_begin=0,0   @r48 @w20   ; c3
.write
  w21   store        dram+0x5680 f32[1,1,6,2]{2304,384,64,4} <- bank1+0x1c0 f32[1,1,6,2]   @c21   ; c3

.part 7/48 core 0
.read
  r49   load         bank1+0x0 f32[1,1,11,8] <- dram+0x3d00 f32[1,1,11,8]{4608,384,32,4}   @c21   ; c3
  r50   load         bank2+0x0 f32[1,1,8,2] <- dram+0x3980 f32[1,1,8,2]   ; c3
  r51   load         bank2+0x40 f32[2] <- dram+0x39c0 f32[2]   ; c3
  r52   load         bank1+0x180 f32[1,1,6,2] <- dram+0x6108 f32[1,1,6,2]{2304,384,64,4}   ; c3
.compute
  c22   conv         bank1+0x1c0 f32[1,1,6,2] <- bank1+0x0 f32[1,1,11,8], weight=bank2+0x0 f32[1,1,8,2], bias=bank2+0x40 f32[2], residual=bank1+0x180 f32[1,1,6,2], act=relu stride=2,2 dilation=1,1 pad_begin=0,0   @r52 @w21   ; c3
.write
  w22   store        dram+0x4f08 f32[1,1,6,2]{2304,384,64,4} <- bank1+0x1c0 f32[1,1,6,2]   @c22   ; c3

.part 8/48 core 0
.read
  r53   load         bank1+0x0 f32[1,1,11,8] <- dram+0x4000 f32[1,1,11,8]{4608,384,32,4}   @c22   ; c3
  r54   load         bank1+0x180 f32[1,1,6,2] <- dram+0x6288 f32[1,1,6,2]{2304,384,64,4}   ; c3
.compute
  c23   conv         bank1+0x1c0 f32[1,1,6,2] <- bank1+0x0 f32[1,1,11,8], weight=bank2+0x0 f32[1,1,8,2], bias=bank2+0x40 f32[2], residual=bank1+0x180 f32[1,1,6,2], act=relu stride=2,2 dilation=1,1 pad_begin=0,0   @r54 @w22   ; c3
.write
  w23   store        dram+0x5088 f32[1,1,6,2]{2304,384,64,4} <- bank1+0x1c0 f32[1,1,6,2]   @c23   ; c3

.part 9/48 core 0
.read
  r55   load         bank1+0x0 f32[1,1,11,8] <- dram+0x4300 f32[1,1,11,8]{4608,384,32,4}   @c23   ; c3
  r56   load         bank1+0x180 f32[1,1,6,2] <- dram+0x6408 f32[1,1,6,2]{2304,384,64,4}   ; c3
.compute
  c24   conv         bank1+0x1c0 f32[1,1,6,2] <- bank1+0x0 f32[1,1,11,8], weight=bank2+0x0 f32[1,1,8,2], bias=bank2+0x40 f32[2], residual=bank1+0x180 f32[1,1,6,2], act=relu stride=2,2 dilation=1,1 pad_begin=0,0   @r56 @w23   ; c3
.write
  w24   store        dram+0x5208 f32[1,1,6,2]{2304,384,64,4} <- bank1+0x1c0 f32[1,1,6,2]   @c24   ; c3

.part 10/48 core 0
.read
  r57   load         bank1+0x0 f32[1,1,11,8] <- dram+0x4600 f32[1,1,11,8]{4608,384,32,4}   @c24   ; c3
  r58   load         bank1+0x180 f32[1,1,6,2] <- dram+0x6588 f32[1,1,6,2]{2304,384,64,4}   ; c3
.compute
  c25   conv         bank1+0x1c0 f32[1,1,6,2] <- bank1+0x0 f32[1,1,11,8], weight=bank2+0x0 f32[1,1,8,2], bias=bank2+0x40 f32[2], residual=bank1+0x180 f32[1,1,6,2], act=relu stride=2,2 dilation=1,1 pad_begin=0,0   @r58 @w24   ; c3
.write
  w25   store        dram+0x5388 f32[1,1,6,2]{2304,384,64,4} <- bank1+0x1c0 f32[1,1,6,2]   @c25   ; c3

.part 11/48 core 0
.read
  r59   load         bank1+0x0 f32[1,1,11,8] <- dram+0x4900 f32[1,1,11,8]{4608,384,32,4}   @c25   ; c3
  r60   load         bank1+0x180 f32[1,1,6,2] <- dram+0x6708 f32[1,1,6,2]{2304,384,64,4}   ; c3
.compute
  c26   conv         bank1+0x1c0 f32[1,1,6,2] <- bank1+0x0 f32[1,1,11,8], weight=bank2+0x0 f32[1,1,8,2], bias=bank2+0x40 f32[2], residual=bank1+0x180 f32[1,1,6,2], act=relu stride=2,2 dilation=1,1 pad_begin=0,0   @r60 @w25   ; c3
.write
  w26   store        dram+0x5508 f32[1,1,6,2]{2304,384,64,4} <- bank1+0x1c0 f32[1,1,6,2]   @c26   ; c3

.part 12/48 core 0
.read
  r61   load         bank1+0x0 f32[1,1,11,8] <- dram+0x4c00 f32[1,1,11,8]{4608,384,32,4}   @c26   ; c3
  r62   load         bank1+0x180 f32[1,1,6,2] <- dram+0x6888 f32[1,1,6,2]{2304,384,64,4}   ; c3
.compute
  c27   conv         bank1+0x1c0 f32[1,1,6,2] <- bank1+0x0 f32[1,1,11,8], weight=bank2+0x0 f32[1,1,8,2], bias=bank2+0x40 f32[2], residual=bank1+0x180 f32[1,1,6,2], act=relu stride=2,2 dilation=1,1 pad_begin=0,0   @r62 @w26   ; c3
.write
  w27   store        dram+0x5688 f32[1,1,6,2]{2304,384,64,4} <- bank1+0x1c0 f32[1,1,6,2]   @c27   ; c3

.part 13/48 core 0
.read
  r63   load         bank1+0x0 f32[1,1,11,8] <- dram+0x3d00 f32[1,1,11,8]{4608,384,32,4}   @c27   ; c3
  r64   load         bank2+0x0 f32[1,1,8,2] <- dram+0x3a00 f32[1,1,8,2]   ; c3
  r65   load         bank2+0x40 f32[2] <- dram+0x3a40 f32[2]   ; c3
  r66   load         bank1+0x180 f32[1,1,6,2] <- dram+0x6110 f32[1,1,6,2]{2304,384,64,4}   ; c3
.compute
  c28   conv         bank1+0x1c0 f32[1,1,6,2] <- bank1+0x0 f32[1,1,11,8], weight=bank2+0x0 f32[1,1,8,2], bias=bank2+0x40 f32[2], residual=bank1+0x180 f32[1,1,6,2], act=relu stride=2,2 dilation=1,1 pad_begin=0,0   @r66 @w27   ; c3
.write
  w28   store        dram+0x4f10 f32[1,1,6,2]{2304,384,64,4} <- bank1+0x1c0 f32[1,1,6,2]   @c28   ; c3

.part 14/48 core 0
.read
  r67   load         bank1+0x0 f32[1,1,11,8] <- dram+0x4000 f32[1,1,11,8]{4608,384,32,4}   @c28   ; c3
  r68   load         bank1+0x180 f32[1,1,6,2] <- dram+0x6290 f32[1,1,6,2]{2304,384,64,4}   ; c3
.compute
  c29   conv         bank1+0x1c0 f32[1,1,6,2] <- bank1+0x0 f32[1,1,11,8], weight=bank2+0x0 f32[1,1,8,2], bias=bank2+0x40 f32[2], residual=bank1+0x180 f32[1,1,6,2], act=relu stride=2,2 dilation=1,1 pad_begin=0,0   @r68 @w28   ; c3
.write
  w29   store        dram+0x5090 f32[1,1,6,2]{2304,384,64,4} <- bank1+0x1c0 f32[1,1,6,2]   @c29   ; c3

.part 15/48 core 0
.read
  r69   load         bank1+0x0 f32[1,1,11,8] <- dram+0x4300 f32[1,1,11,8]{4608,384,32,4}   @c29   ; c3
  r70   load         bank1+0x180 f32[1,1,6,2] <- dram+0x6410 f32[1,1,6,2]{2304,384,64,4}   ; c3
.compute
  c30   conv         bank1+0x1c0 f32[1,1,6,2] <- bank1+0x0 f32[1,1,11,8], weight=bank2+0x0 f32[1,1,8,2], bias=bank2+0x40 f32[2], residual=bank1+0x180 f32[1,1,6,2], act=relu stride=2,2 dilation=1,1 pad_begin=0,0   @r70 @w29   ; c3
.write
  w30   store        dram+0x5210 f32[1,1,6,2]{2304,384,64,4} <- bank1+0x1c0 f32[1,1,6,2]   @c30   ; c3

.part 16/48 core 0
.read
  r71   load         bank1+0x0 f32[1,1,11,8] <- dram+0x4600 f32[1,1,11,8]{4608,384,32,4}   @c30   ; c3
  r72   load         bank1+0x180 f32[1,1,6,2] <- dram+0x6590 f32[1,1,6,2]{2304,384,64,4}   ; c3
.compute
  c31   conv         bank1+0x1c0 f32[1,1,6,2] <- bank1+0x0 f32[1,1,11,8], weight=bank2+0x0 f32[1,1,8,2], bias=bank2+0x40 f32[2], residual=bank1+0x180 f32[1,1,6,2], act=relu stride=2,2 dilation=1,1 pad_begin=0,0   @r72 @w30   ; c3
.write
  w31   store        dram+0x5390 f32[1,1,6,2]{2304,384,64,4} <- bank1+0x1c0 f32[1,1,6,2]   @c31   ; c3

.part 17/48 core 0
.read
  r73   load         bank1+0x0 f32[1,1,11,8] <- dram+0x4900 f32[1,1,11,8]{4608,384,32,4}   @c31   ; c3
  r74   load         bank1+0x180 f32[1,1,6,2] <- dram+0x6710 f32[1,1,6,2]{2304,384,64,4}   ; c3
.compute
  c32   conv         bank1+0x1c0 f32[1,1,6,2] <- bank1+0x0 f32[1,1,11,8], weight=bank2+0x0 f32[1,1,8,2], bias=bank2+0x40 f32[2], residual=bank1+0x180 f32[1,1,6,2], act=relu stride=2,2 dilation=1,1 pad_begin=0,0   @r74 @w31   ; c3
.write
  w32   store        dram+0x5510 f32[1,1,6,2]{2304,384,64,4} <- bank1+0x1c0 f32[1,1,6,2]   @c32   ; c3

.part 18/48 core 0
.read
  r75   load         bank1+0x0 f32[1,1,11,8] <- dram+0x4c00 f32[1,1,11,8]{4608,384,32,4}   @c32   ; c3
  r76   load         bank1+0x180 f32[1,1,6,2] <- dram+0x6890 f32[1,1,6,2]{2304,384,64,4}   ; c3
.compute
  c33   conv         bank1+0x1c0 f32[1,1,6,2] <- bank1+0x0 f32[1,1,11,8], weight=bank2+0x0 f32[1,1,8,2], bias=bank2+0x40 f32[2], residual=bank1+0x180 f32[1,1,6,2], act=relu stride=2,2 dilation=1,1 pad_begin=0,0   @r76 @w32   ; c3
.write
  w33   store        dram+0x5690 f32[1,1,6,2]{2304,384,64,4} <- bank1+0x1c0 f32[1,1,6,2]   @c33   ; c3

.part 19/48 core 0
.read
  r77   load         bank1+0x0 f32[1,1,11,8] <- dram+0x3d00 f32[1,1,11,8]{4608,384,32,4}   @c33   ; c3
  r78   load         bank2+0x0 f32[1,1,8,2] <- dram+0x3a80 f32[1,1,8,2]   ; c3
  r79   load         bank2+0x40 f32[2] <- dram+0x3ac0 f32[2]   ; c3
  r80   load         bank1+0x180 f32[1,1,6,2] <- dram+0x6118 f32[1,1,6,2]{2304,384,64,4}   ; c3
.compute
  c34   conv         bank1+0x1c0 f32[1,1,6,2] <- bank1+0x0 f32[1,1,11,8], weight=bank2+0x0 f32[1,1,8,2], bias=bank2+0x40 f32[2], residual=bank1+0x180 f32[1,1,6,2], act=relu stride=2,2 dilation=1,1 pad_begin=0,0   @r80 @w33   ; c3
.write
  w34   store        dram+0x4f18 f32[1,1,6,2]{2304,384,64,4} <- bank1+0x1c0 f32[1,1,6,2]   @c34   ; c3

.part 20/48 core 0
.read
  r81   load         bank1+0x0 f32[1,1,11,8] <- dram+0x4000 f32[1,1,11,8]{4608,384,32,4}   @c34   ; c3
  r82   load         bank1+0x180 f32[1,1,6,2] <- dram+0x6298 f32[1,1,6,2]{2304,384,64,4}   ; c3
.compute
  c35   conv         bank1+0x1c0 f32[1,1,6,2] <- bank1+0x0 f32[1,1,11,8], weight=bank2+0x0 f32[1,1,8,2], bias=bank2+0x40 f32[2], residual=bank1+0x180 f32[1,1,6,2], act=relu stride=2,2 dilation=1,1 pad_begin=0,0   @r82 @w34   ; c3
.write
  w35   store        dram+0x5098 f32[1,1,6,2]{2304,384,64,4} <- bank1+0x1c0 f32[1,1,6,2]   @c35   ; c3

.part 21/48 core 0
.read
  r83   load         bank1+0x0 f32[1,1,11,8] <- dram+0x4300 f32[1,1,11,8]{4608,384,32,4}   @c35   ; c3
  r84   load         bank1+0x180 f32[1,1,6,2] <- dram+0x6418 f32[1,1,6,2]{2304,384,64,4}   ; c3
.compute
  c36   conv         bank1+0x1c0 f32[1,1,6,2] <- bank1+0x0 f32[1,1,11,8], weight=bank2+0x0 f32[1,1,8,2], bias=bank2+0x40 f32[2], residual=bank1+0x180 f32[1,1,6,2], act=relu stride=2,2 dilation=1,1 pad_begin=0,0   @r84 @w35   ; c3
.write
  w36   store        dram+0x5218 f32[1,1,6,2]{2304,384,64,4} <- bank1+0x1c0 f32[1,1,6,2]   @c36   ; c3

.part 22/48 core 0
.read
  r85   load         bank1+0x0 f32[1,1,11,8] <- dram+0x4600 f32[1,1,11,8]{4608,384,32,4}   @c36   ; c3
  r86   load         bank1+0x180 f32[1,1,6,2] <- dram+0x6598 f32[1,1,6,2]{2304,384,64,4}   ; c3
.compute
  c37   conv         bank1+0x1c0 f32[1,1,6,2] <- bank1+0x0 f32[1,1,11,8], weight=bank2+0x0 f32[1,1,8,2], bias=bank2+0x40 f32[2], residual=bank1+0x180 f32[1,1,6,2], act=relu stride=2,2 dilation=1,1 pad_begin=0,0   @r86 @w36   ; c3
.write
  w37   store        dram+0x5398 f32[1,1,6,2]{2304,384,64,4} <- bank1+0x1c0 f32[1,1,6,2]   @c37   ; c3

.part 23/48 core 0
.read
  r87   load         bank1+0x0 f32[1,1,11,8] <- dram+0x4900 f32[1,1,11,8]{4608,384,32,4}   @c37   ; c3
  r88   load         bank1+0x180 f32[1,1,6,2] <- dram+0x6718 f32[1,1,6,2]{2304,384,64,4}   ; c3
.compute
  c38   conv         bank1+0x1c0 f32[1,1,6,2] <- bank1+0x0 f32[1,1,11,8], weight=bank2+0x0 f32[1,1,8,2], bias=bank2+0x40 f32[2], residual=bank1+0x180 f32[1,1,6,2], act=relu stride=2,2 dilation=1,1 pad_begin=0,0   @r88 @w37   ; c3
.write
  w38   store        dram+0x5518 f32[1,1,6,2]{2304,384,64,4} <- bank1+0x1c0 f32[1,1,6,2]   @c38   ; c3

.part 24/48 core 0
.read
  r89   load         bank1+0x0 f32[1,1,11,8] <- dram+0x4c00 f32[1,1,11,8]{4608,384,32,4}   @c38   ; c3
  r90   load         bank1+0x180 f32[1,1,6,2] <- dram+0x6898 f32[1,1,6,2]{2304,384,64,4}   ; c3
.compute
  c39   conv         bank1+0x1c0 f32[1,1,6,2] <- bank1+0x0 f32[1,1,11,8], weight=bank2+0x0 f32[1,1,8,2], bias=bank2+0x40 f32[2], residual=bank1+0x180 f32[1,1,6,2], act=relu stride=2,2 dilation=1,1 pad_begin=0,0   @r90 @w38   ; c3
.write
  w39   store        dram+0x5698 f32[1,1,6,2]{2304,384,64,4} <- bank1+0x1c0 f32[1,1,6,2]   @c39   ; c3

.part 25/48 core 0
.read
  r91   load         bank1+0x0 f32[1,1,11,8] <- dram+0x3d00 f32[1,1,11,8]{4608,384,32,4}   @c39   ; c3
  r92   load         bank2+0x0 f32[1,1,8,2] <- dram+0x3b00 f32[1,1,8,2]   ; c3
  r93   load         bank2+0x40 f32[2] <- dram+0x3b40 f32[2]   ; c3
  r94   load         bank1+0x180 f32[1,1,6,2] <- dram+0x6120 f32[1,1,6,2]{2304,384,64,4}   ; c3
.compute
  c40   conv         bank1+0x1c0 f32[1,1,6,2] <- bank1+0x0 f32[1,1,11,8], weight=bank2+0x0 f32[1,1,8,2], bias=bank2+0x40 f32[2], residual=bank1+0x180 f32[1,1,6,2], act=relu stride=2,2 dilation=1,1 pad_begin=0,0   @r94 @w39   ; c3
.write
  w40   store        dram+0x4f20 f32[1,1,6,2]{2304,384,64,4} <- bank1+0x1c0 f32[1,1,6,2]   @c40   ; c3

.part 26/48 core 0
.read
  r95   load         bank1+0x0 f32[1,1,11,8] <- dram+0x4000 f32[1,1,11,8]{4608,384,32,4}   @c40   ; c3
  r96   load         bank1+0x180 f32[1,1,6,2] <- dram+0x62a0 f32[1,1,6,2]{2304,384,64,4}   ; c3
.compute
  c41   conv         bank1+0x1c0 f32[1,1,6,2] <- bank1+0x0 f32[1,1,11,8], weight=bank2+0x0 f32[1,1,8,2], bias=bank2+0x40 f32[2], residual=bank1+0x180 f32[1,1,6,2], act=relu stride=2,2 dilation=1,1 pad_begin=0,0   @r96 @w40   ; c3
.write
  w41   store        dram+0x50a0 f32[1,1,6,2]{2304,384,64,4} <- bank1+0x1c0 f32[1,1,6,2]   @c41   ; c3

.part 27/48 core 0
.read
  r97   load         bank1+0x0 f32[1,1,11,8] <- dram+0x4300 f32[1,1,11,8]{4608,384,32,4}   @c41   ; c3
  r98   load         bank1+0x180 f32[1,1,6,2] <- dram+0x6420 f32[1,1,6,2]{2304,384,64,4}   ; c3
.compute
  c42   conv         bank1+0x1c0 f32[1,1,6,2] <- bank1+0x0 f32[1,1,11,8], weight=bank2+0x0 f32[1,1,8,2], bias=bank2+0x40 f32[2], residual=bank1+0x180 f32[1,1,6,2], act=relu stride=2,2 dilation=1,1 pad_begin=0,0   @r98 @w41   ; c3
.write
  w42   store        dram+0x5220 f32[1,1,6,2]{2304,384,64,4} <- bank1+0x1c0 f32[1,1,6,2]   @c42   ; c3

.part 28/48 core 0
.read
  r99   load         bank1+0x0 f32[1,1,11,8] <- dram+0x4600 f32[1,1,11,8]{4608,384,32,4}   @c42   ; c3
  r100  load         bank1+0x180 f32[1,1,6,2] <- dram+0x65a0 f32[1,1,6,2]{2304,384,64,4}   ; c3
.compute
  c43   conv         bank1+0x1c0 f32[1,1,6,2] <- bank1+0x0 f32[1,1,11,8], weight=bank2+0x0 f32[1,1,8,2], bias=bank2+0x40 f32[2], residual=bank1+0x180 f32[1,1,6,2], act=relu stride=2,2 dilation=1,1 pad_begin=0,0   @r100 @w42   ; c3
.write
  w43   store        dram+0x53a0 f32[1,1,6,2]{2304,384,64,4} <- bank1+0x1c0 f32[1,1,6,2]   @c43   ; c3

.part 29/48 core 0
.read
  r101  load         bank1+0x0 f32[1,1,11,8] <- dram+0x4900 f32[1,1,11,8]{4608,384,32,4}   @c43   ; c3
  r102  load         bank1+0x180 f32[1,1,6,2] <- dram+0x6720 f32[1,1,6,2]{2304,384,64,4}   ; c3
.compute
  c44   conv         bank1+0x1c0 f32[1,1,6,2] <- bank1+0x0 f32[1,1,11,8], weight=bank2+0x0 f32[1,1,8,2], bias=bank2+0x40 f32[2], residual=bank1+0x180 f32[1,1,6,2], act=relu stride=2,2 dilation=1,1 pad_begin=0,0   @r102 @w43   ; c3
.write
  w44   store        dram+0x5520 f32[1,1,6,2]{2304,384,64,4} <- bank1+0x1c0 f32[1,1,6,2]   @c44   ; c3

.part 30/48 core 0
.read
  r103  load         bank1+0x0 f32[1,1,11,8] <- dram+0x4c00 f32[1,1,11,8]{4608,384,32,4}   @c44   ; c3
  r104  load         bank1+0x180 f32[1,1,6,2] <- dram+0x68a0 f32[1,1,6,2]{2304,384,64,4}   ; c3
.compute
  c45   conv         bank1+0x1c0 f32[1,1,6,2] <- bank1+0x0 f32[1,1,11,8], weight=bank2+0x0 f32[1,1,8,2], bias=bank2+0x40 f32[2], residual=bank1+0x180 f32[1,1,6,2], act=relu stride=2,2 dilation=1,1 pad_begin=0,0   @r104 @w44   ; c3
.write
  w45   store        dram+0x56a0 f32[1,1,6,2]{2304,384,64,4} <- bank1+0x1c0 f32[1,1,6,2]   @c45   ; c3

.part 31/48 core 0
.read
  r105  load         bank1+0x0 f32[1,1,11,8] <- dram+0x3d00 f32[1,1,11,8]{4608,384,32,4}   @c45   ; c3
  r106  load         bank2+0x0 f32[1,1,8,2] <- dram+0x3b80 f32[1,1,8,2]   ; c3
  r107  load         bank2+0x40 f32[2] <- dram+0x3bc0 f32[2]   ; c3
  r108  load         bank1+0x180 f32[1,1,6,2] <- dram+0x6128 f32[1,1,6,2]{2304,384,64,4}   ; c3
.compute
  c46   conv         bank1+0x1c0 f32[1,1,6,2] <- bank1+0x0 f32[1,1,11,8], weight=bank2+0x0 f32[1,1,8,2], bias=bank2+0x40 f32[2], residual=bank1+0x180 f32[1,1,6,2], act=relu stride=2,2 dilation=1,1 pad_begin=0,0   @r108 @w45   ; c3
.write
  w46   store        dram+0x4f28 f32[1,1,6,2]{2304,384,64,4} <- bank1+0x1c0 f32[1,1,6,2]   @c46   ; c3

.part 32/48 core 0
.read
  r109  load         bank1+0x0 f32[1,1,11,8] <- dram+0x4000 f32[1,1,11,8]{4608,384,32,4}   @c46   ; c3
  r110  load         bank1+0x180 f32[1,1,6,2] <- dram+0x62a8 f32[1,1,6,2]{2304,384,64,4}   ; c3
.compute
  c47   conv         bank1+0x1c0 f32[1,1,6,2] <- bank1+0x0 f32[1,1,11,8], weight=bank2+0x0 f32[1,1,8,2], bias=bank2+0x40 f32[2], residual=bank1+0x180 f32[1,1,6,2], act=relu stride=2,2 dilation=1,1 pad_begin=0,0   @r110 @w46   ; c3
.write
  w47   store        dram+0x50a8 f32[1,1,6,2]{2304,384,64,4} <- bank1+0x1c0 f32[1,1,6,2]   @c47   ; c3

.part 33/48 core 0
.read
  r111  load         bank1+0x0 f32[1,1,11,8] <- dram+0x4300 f32[1,1,11,8]{4608,384,32,4}   @c47   ; c3
  r112  load         bank1+0x180 f32[1,1,6,2] <- dram+0x6428 f32[1,1,6,2]{2304,384,64,4}   ; c3
.compute
  c48   conv         bank1+0x1c0 f32[1,1,6,2] <- bank1+0x0 f32[1,1,11,8], weight=bank2+0x0 f32[1,1,8,2], bias=bank2+0x40 f32[2], residual=bank1+0x180 f32[1,1,6,2], act=relu stride=2,2 dilation=1,1 pad_begin=0,0   @r112 @w47   ; c3
.write
  w48   store        dram+0x5228 f32[1,1,6,2]{2304,384,64,4} <- bank1+0x1c0 f32[1,1,6,2]   @c48   ; c3

.part 34/48 core 0
.read
  r113  load         bank1+0x0 f32[1,1,11,8] <- dram+0x4600 f32[1,1,11,8]{4608,384,32,4}   @c48   ; c3
  r114  load         bank1+0x180 f32[1,1,6,2] <- dram+0x65a8 f32[1,1,6,2]{2304,384,64,4}   ; c3
.compute
  c49   conv         bank1+0x1c0 f32[1,1,6,2] <- bank1+0x0 f32[1,1,11,8], weight=bank2+0x0 f32[1,1,8,2], bias=bank2+0x40 f32[2], residual=bank1+0x180 f32[1,1,6,2], act=relu stride=2,2 dilation=1,1 pad_begin=0,0   @r114 @w48   ; c3
.write
  w49   store        dram+0x53a8 f32[1,1,6,2]{2304,384,64,4} <- bank1+0x1c0 f32[1,1,6,2]   @c49   ; c3

.part 35/48 core 0
.read
  r115  load         bank1+0x0 f32[1,1,11,8] <- dram+0x4900 f32[1,1,11,8]{4608,384,32,4}   @c49   ; c3
  r116  load         bank1+0x180 f32[1,1,6,2] <- dram+0x6728 f32[1,1,6,2]{2304,384,64,4}   ; c3
.compute
  c50   conv         bank1+0x1c0 f32[1,1,6,2] <- bank1+0x0 f32[1,1,11,8], weight=bank2+0x0 f32[1,1,8,2], bias=bank2+0x40 f32[2], residual=bank1+0x180 f32[1,1,6,2], act=relu stride=2,2 dilation=1,1 pad_begin=0,0   @r116 @w49   ; c3
.write
  w50   store        dram+0x5528 f32[1,1,6,2]{2304,384,64,4} <- bank1+0x1c0 f32[1,1,6,2]   @c50   ; c3

.part 36/48 core 0
.read
  r117  load         bank1+0x0 f32[1,1,11,8] <- dram+0x4c00 f32[1,1,11,8]{4608,384,32,4}   @c50   ; c3
  r118  load         bank1+0x180 f32[1,1,6,2] <- dram+0x68a8 f32[1,1,6,2]{2304,384,64,4}   ; c3
.compute
  c51   conv         bank1+0x1c0 f32[1,1,6,2] <- bank1+0x0 f32[1,1,11,8], weight=bank2+0x0 f32[1,1,8,2], bias=bank2+0x40 f32[2], residual=bank1+0x180 f32[1,1,6,2], act=relu stride=2,2 dilation=1,1 pad_begin=0,0   @r118 @w50   ; c3
.write
  w51   store        dram+0x56a8 f32[1,1,6,2]{2304,384,64,4} <- bank1+0x1c0 f32[1,1,6,2]   @c51   ; c3

.part 37/48 core 0
.read
  r119  load         bank1+0x0 f32[1,1,11,8] <- dram+0x3d00 f32[1,1,11,8]{4608,384,32,4}   @c51   ; c3
  r120  load         bank2+0x0 f32[1,1,8,2] <- dram+0x3c00 f32[1,1,8,2]   ; c3
  r121  load         bank2+0x40 f32[2] <- dram+0x3c40 f32[2]   ; c3
  r122  load         bank1+0x180 f32[1,1,6,2] <- dram+0x6130 f32[1,1,6,2]{2304,384,64,4}   ; c3
.compute
  c52   conv         bank1+0x1c0 f32[1,1,6,2] <- bank1+0x0 f32[1,1,11,8], weight=bank2+0x0 f32[1,1,8,2], bias=bank2+0x40 f32[2], residual=bank1+0x180 f32[1,1,6,2], act=relu stride=2,2 dilation=1,1 pad_begin=0,0   @r122 @w51   ; c3
.write
  w52   store        dram+0x4f30 f32[1,1,6,2]{2304,384,64,4} <- bank1+0x1c0 f32[1,1,6,2]   @c52   ; c3

.part 38/48 core 0
.read
  r123  load         bank1+0x0 f32[1,1,11,8] <- dram+0x4000 f32[1,1,11,8]{4608,384,32,4}   @c52   ; c3
  r124  load         bank1+0x180 f32[1,1,6,2] <- dram+0x62b0 f32[1,1,6,2]{2304,384,64,4}   ; c3
.compute
  c53   conv         bank1+0x1c0 f32[1,1,6,2] <- bank1+0x0 f32[1,1,11,8], weight=bank2+0x0 f32[1,1,8,2], bias=bank2+0x40 f32[2], residual=bank1+0x180 f32[1,1,6,2], act=relu stride=2,2 dilation=1,1 pad_begin=0,0   @r124 @w52   ; c3
.write
  w53   store        dram+0x50b0 f32[1,1,6,2]{2304,384,64,4} <- bank1+0x1c0 f32[1,1,6,2]   @c53   ; c3

.part 39/48 core 0
.read
  r125  load         bank1+0x0 f32[1,1,11,8] <- dram+0x4300 f32[1,1,11,8]{4608,384,32,4}   @c53   ; c3
  r126  load         bank1+0x180 f32[1,1,6,2] <- dram+0x6430 f32[1,1,6,2]{2304,384,64,4}   ; c3
.compute
  c54   conv         bank1+0x1c0 f32[1,1,6,2] <- bank1+0x0 f32[1,1,11,8], weight=bank2+0x0 f32[1,1,8,2], bias=bank2+0x40 f32[2], residual=bank1+0x180 f32[1,1,6,2], act=relu stride=2,2 dilation=1,1 pad_begin=0,0   @r126 @w53   ; c3
.write
  w54   store        dram+0x5230 f32[1,1,6,2]{2304,384,64,4} <- bank1+0x1c0 f32[1,1,6,2]   @c54   ; c3

.part 40/48 core 0
.read
  r127  load         bank1+0x0 f32[1,1,11,8] <- dram+0x4600 f32[1,1,11,8]{4608,384,32,4}   @c54   ; c3
  r128  load         bank1+0x180 f32[1,1,6,2] <- dram+0x65b0 f32[1,1,6,2]{2304,384,64,4}   ; c3
.compute
  c55   conv         bank1+0x1c0 f32[1,1,6,2] <- bank1+0x0 f32[1,1,11,8], weight=bank2+0x0 f32[1,1,8,2], bias=bank2+0x40 f32[2], residual=bank1+0x180 f32[1,1,6,2], act=relu stride=2,2 dilation=1,1 pad_begin=0,0   @r128 @w54   ; c3
.write
  w55   store        dram+0x53b0 f32[1,1,6,2]{2304,384,64,4} <- bank1+0x1c0 f32[1,1,6,2]   @c55   ; c3

.part 41/48 core 0
.read
  r129  load         bank1+0x0 f32[1,1,11,8] <- dram+0x4900 f32[1,1,11,8]{4608,384,32,4}   @c55   ; c3
  r130  load         bank1+0x180 f32[1,1,6,2] <- dram+0x6730 f32[1,1,6,2]{2304,384,64,4}   ; c3
.compute
  c56   conv         bank1+0x1c0 f32[1,1,6,2] <- bank1+0x0 f32[1,1,11,8], weight=bank2+0x0 f32[1,1,8,2], bias=bank2+0x40 f32[2], residual=bank1+0x180 f32[1,1,6,2], act=relu stride=2,2 dilation=1,1 pad_begin=0,0   @r130 @w55   ; c3
.write
  w56   store        dram+0x5530 f32[1,1,6,2]{2304,384,64,4} <- bank1+0x1c0 f32[1,1,6,2]   @c56   ; c3

.part 42/48 core 0
.read
  r131  load         bank1+0x0 f32[1,1,11,8] <- dram+0x4c00 f32[1,1,11,8]{4608,384,32,4}   @c56   ; c3
  r132  load         bank1+0x180 f32[1,1,6,2] <- dram+0x68b0 f32[1,1,6,2]{2304,384,64,4}   ; c3
.compute
  c57   conv         bank1+0x1c0 f32[1,1,6,2] <- bank1+0x0 f32[1,1,11,8], weight=bank2+0x0 f32[1,1,8,2], bias=bank2+0x40 f32[2], residual=bank1+0x180 f32[1,1,6,2], act=relu stride=2,2 dilation=1,1 pad_begin=0,0   @r132 @w56   ; c3
.write
  w57   store        dram+0x56b0 f32[1,1,6,2]{2304,384,64,4} <- bank1+0x1c0 f32[1,1,6,2]   @c57   ; c3

.part 43/48 core 0
.read
  r133  load         bank1+0x0 f32[1,1,11,8] <- dram+0x3d00 f32[1,1,11,8]{4608,384,32,4}   @c57   ; c3
  r134  load         bank2+0x0 f32[1,1,8,2] <- dram+0x3c80 f32[1,1,8,2]   ; c3
  r135  load         bank2+0x40 f32[2] <- dram+0x3cc0 f32[2]   ; c3
  r136  load         bank1+0x180 f32[1,1,6,2] <- dram+0x6138 f32[1,1,6,2]{2304,384,64,4}   ; c3
.compute
  c58   conv         bank1+0x1c0 f32[1,1,6,2] <- bank1+0x0 f32[1,1,11,8], weight=bank2+0x0 f32[1,1,8,2], bias=bank2+0x40 f32[2], residual=bank1+0x180 f32[1,1,6,2], act=relu stride=2,2 dilation=1,1 pad_begin=0,0   @r136 @w57   ; c3
.write
  w58   store        dram+0x4f38 f32[1,1,6,2]{2304,384,64,4} <- bank1+0x1c0 f32[1,1,6,2]   @c58   ; c3

.part 44/48 core 0
.read
  r137  load         bank1+0x0 f32[1,1,11,8] <- dram+0x4000 f32[1,1,11,8]{4608,384,32,4}   @c58   ; c3
  r138  load         bank1+0x180 f32[1,1,6,2] <- dram+0x62b8 f32[1,1,6,2]{2304,384,64,4}   ; c3
.compute
  c59   conv         bank1+0x1c0 f32[1,1,6,2] <- bank1+0x0 f32[1,1,11,8], weight=bank2+0x0 f32[1,1,8,2], bias=bank2+0x40 f32[2], residual=bank1+0x180 f32[1,1,6,2], act=relu stride=2,2 dilation=1,1 pad_begin=0,0   @r138 @w58   ; c3
.write
  w59   store        dram+0x50b8 f32[1,1,6,2]{2304,384,64,4} <- bank1+0x1c0 f32[1,1,6,2]   @c59   ; c3

.part 45/48 core 0
.read
  r139  load         bank1+0x0 f32[1,1,11,8] <- dram+0x4300 f32[1,1,11,8]{4608,384,32,4}   @c59   ; c3
  r140  load         bank1+0x180 f32[1,1,6,2] <- dram+0x6438 f32[1,1,6,2]{2304,384,64,4}   ; c3
.compute
  c60   conv         bank1+0x1c0 f32[1,1,6,2] <- bank1+0x0 f32[1,1,11,8], weight=bank2+0x0 f32[1,1,8,2], bias=bank2+0x40 f32[2], residual=bank1+0x180 f32[1,1,6,2], act=relu stride=2,2 dilation=1,1 pad_begin=0,0   @r140 @w59   ; c3
.write
  w60   store        dram+0x5238 f32[1,1,6,2]{2304,384,64,4} <- bank1+0x1c0 f32[1,1,6,2]   @c60   ; c3

.part 46/48 core 0
.read
  r141  load         bank1+0x0 f32[1,1,11,8] <- dram+0x4600 f32[1,1,11,8]{4608,384,32,4}   @c60   ; c3
  r142  load         bank1+0x180 f32[1,1,6,2] <- dram+0x65b8 f32[1,1,6,2]{2304,384,64,4}   ; c3
.compute
  c61   conv         bank1+0x1c0 f32[1,1,6,2] <- bank1+0x0 f32[1,1,11,8], weight=bank2+0x0 f32[1,1,8,2], bias=bank2+0x40 f32[2], residual=bank1+0x180 f32[1,1,6,2], act=relu stride=2,2 dilation=1,1 pad_begin=0,0   @r142 @w60   ; c3
.write
  w61   store        dram+0x53b8 f32[1,1,6,2]{2304,384,64,4} <- bank1+0x1c0 f32[1,1,6,2]   @c61   ; c3

.part 47/48 core 0
.read
  r143  load         bank1+0x0 f32[1,1,11,8] <- dram+0x4900 f32[1,1,11,8]{4608,384,32,4}   @c61   ; c3
  r144  load         bank1+0x180 f32[1,1,6,2] <- dram+0x6738 f32[1,1,6,2]{2304,384,64,4}   ; c3
.compute
  c62   conv         bank1+0x1c0 f32[1,1,6,2] <- bank1+0x0 f32[1,1,11,8], weight=bank2+0x0 f32[1,1,8,2], bias=bank2+0x40 f32[2], residual=bank1+0x180 f32[1,1,6,2], act=relu stride=2,2 dilation=1,1 pad_begin=0,0   @r144 @w61   ; c3
.write
  w62   store        dram+0x5538 f32[1,1,6,2]{2304,384,64,4} <- bank1+0x1c0 f32[1,1,6,2]   @c62   ; c3

.part 48/48 core 0
.read
  r145  load         bank1+0x0 f32[1,1,11,8] <- dram+0x4c00 f32[1,1,11,8]{4608,384,32,4}   @c62   ; c3
  r146  load         bank1+0x180 f32[1,1,6,2] <- dram+0x68b8 f32[1,1,6,2]{2304,384,64,4}   ; c3
.compute
  c63   conv         bank1+0x1c0 f32[1,1,6,2] <- bank1+0x0 f32[1,1,11,8], weight=bank2+0x0 f32[1,1,8,2], bias=bank2+0x40 f32[2], residual=bank1+0x180 f32[1,1,6,2], act=relu stride=2,2 dilation=1,1 pad_begin=0,0   @r146 @w62   ; c3
.write
  w63   store        dram+0x56b8 f32[1,1,6,2]{2304,384,64,4} <- bank1+0x1c0 f32[1,1,6,2]   @c63   ; c3
