.nnc 1
.chip name "vdsp12"
.chip description "twelve vector DSP cores with scalar memory SM and vector memory AM (M2, M3)"
.chip cores 12
.chip clock_mhz 1000
.chip dram {"bytes_per_cycle": 24, "latency": 100, "burst": 64, "align": 1, "bytes": 4294967296}
.chip dma {"broadcast": true, "in_flight": 4, "move_bytes_per_cycle": 64}
.chip memory {"sm": {"bytes": 1024, "align": 64}, "am": {"bytes": 6144, "align": 64}}
.chip operands {"default": {"feature": {"memories": ["am"]}, "weight": {"memories": ["am"]}, "result": {"memories": ["am"]}, "accumulator": {"memories": ["am"]}}, "conv": {"feature": {"memories": ["sm"]}}, "gemm": {"feature": {"memories": ["sm"]}}}
.chip compute {"issue": 16, "map": "channels", "arrays": {"i8": ["128x3"], "f16": ["64x3"], "f32": ["32x3"]}, "depthwise": {"i8": 384, "f16": 192, "f32": 96}, "elementwise": {"i8": 128, "f16": 64, "f32": 32}}
.dram 26112
.constants file="residual.vdsp12.constants" bytes=14592 crc=0x26d56f66
.tensor x input dram+0x3900 f32[1,8,12,12]{4608,4,384,32}
.tensor y output dram+0x4b00 f32[1,16,6,6]{2304,4,384,64}
.tensor r1 boundary dram+0x5400 f32[1,16,6,6]{2304,4,384,64}
.tensor n2 boundary dram+0x5d00 f32[1,16,6,6]{2304,4,384,64}
.tensor w1.folded constant dram+0x0 f32[3,3,8,16]
.tensor c1.bias.folded constant dram+0x1200 f32[16]
.tensor "w2.folded[0,0,0,0]" constant dram+0x1240 f32[3,3,16,8]
.tensor "c2.bias.folded[0]" constant dram+0x2440 f32[8]
.tensor "w2.folded[8,0,0,0]" constant dram+0x2480 f32[3,3,16,8]
.tensor "c2.bias.folded[8]" constant dram+0x3680 f32[8]
.tensor "w3.folded[0,0,0,0]" constant dram+0x36c0 f32[1,1,2,16]
.tensor "w3.folded[0,2,0,0]" constant dram+0x3740 f32[1,1,2,16]
.tensor "w3.folded[0,4,0,0]" constant dram+0x37c0 f32[1,1,2,16]
.tensor "w3.folded[0,6,0,0]" constant dram+0x3840 f32[1,1,2,16]
.tensor c3.bias.folded constant dram+0x38c0 f32[16]
.fact floor_bytes 21440
.fact macs 129024
.fact peak_floor_cycles 112
.fact compute_floor_cycles 224
.fact dram_floor_cycles 894
.fact predicted_cycles 10159
.fact predicted_dram_bytes 72832

.group 0 single layers=c1 parts=18 reason="compute-bound, double-buffered, about 1650 cycles for 17130 B"
.part 1/18 core 0
.read
  r0    load         sm+0x180 f32[1,4,2,8] <- dram+0x3900 f32[1,4,2,8]{4608,384,32,4}   ; c1
  r1    load         am+0x0 f32[3,3,8,16] <- dram+0x0 f32[3,3,8,16]   ; c1
  r2    load         am+0x1200 f32[16] <- dram+0x1200 f32[16]   ; c1
.compute
  c0    conv         am+0x1240 f32[1,2,1,16]{128,64,128,4} <- sm+0x180 f32[1,4,2,8], weight=am+0x0 f32[3,3,8,16], bias=am+0x1200 f32[16], act=relu stride=2,2 dilation=1,1 pad_begin=1,1   @r2   ; c1
.write
  w0    store        dram+0x5400 f32[1,1,2,16]{2304,64,384,4} <- am+0x1240 f32[1,1,2,16]   @c0   ; c1

.part 2/18 core 0
.read
  r3    load         sm+0x0 f32[1,4,3,8] <- dram+0x3920 f32[1,4,3,8]{4608,384,32,4}   ; c1
.compute
  c1    conv         am+0x12c0 f32[1,2,1,16]{128,64,128,4} <- sm+0x0 f32[1,4,3,8], weight=am+0x0 f32[3,3,8,16], bias=am+0x1200 f32[16], act=relu stride=2,2 dilation=1,1 pad_begin=1,0   @r3   ; c1
.write
  w1    store        dram+0x5440 f32[1,1,2,16]{2304,64,384,4} <- am+0x12c0 f32[1,1,2,16]   @c1   ; c1

.part 3/18 core 0
.read
  r4    load         sm+0x180 f32[1,4,3,8] <- dram+0x3960 f32[1,4,3,8]{4608,384,32,4}   @c0   ; c1
.compute
  c2    conv         am+0x1240 f32[1,2,1,16]{128,64,128,4} <- sm+0x180 f32[1,4,3,8], weight=am+0x0 f32[3,3,8,16], bias=am+0x1200 f32[16], act=relu stride=2,2 dilation=1,1 pad_begin=1,0   @r4 @w0   ; c1
.write
  w2    store        dram+0x5480 f32[1,1,2,16]{2304,64,384,4} <- am+0x1240 f32[1,1,2,16]   @c2   ; c1

.part 4/18 core 0
.read
  r5    load         sm+0x0 f32[1,4,3,8] <- dram+0x39a0 f32[1,4,3,8]{4608,384,32,4}   @c1   ; c1
.compute
  c3    conv         am+0x12c0 f32[1,2,1,16]{128,64,128,4} <- sm+0x0 f32[1,4,3,8], weight=am+0x0 f32[3,3,8,16], bias=am+0x1200 f32[16], act=relu stride=2,2 dilation=1,1 pad_begin=1,0   @r5 @w1   ; c1
.write
  w3    store        dram+0x54c0 f32[1,1,2,16]{2304,64,384,4} <- am+0x12c0 f32[1,1,2,16]   @c3   ; c1

.part 5/18 core 0
.read
  r6    load         sm+0x180 f32[1,4,3,8] <- dram+0x39e0 f32[1,4,3,8]{4608,384,32,4}   @c2   ; c1
.compute
  c4    conv         am+0x1240 f32[1,2,1,16]{128,64,128,4} <- sm+0x180 f32[1,4,3,8], weight=am+0x0 f32[3,3,8,16], bias=am+0x1200 f32[16], act=relu stride=2,2 dilation=1,1 pad_begin=1,0   @r6 @w2   ; c1
.write
  w4    store        dram+0x5500 f32[1,1,2,16]{2304,64,384,4} <- am+0x1240 f32[1,1,2,16]   @c4   ; c1

.part 6/18 core 0
.read
  r7    load         sm+0x0 f32[1,4,3,8] <- dram+0x3a20 f32[1,4,3,8]{4608,384,32,4}   @c3   ; c1
.compute
  c5    conv         am+0x12c0 f32[1,2,1,16]{128,64,128,4} <- sm+0x0 f32[1,4,3,8], weight=am+0x0 f32[3,3,8,16], bias=am+0x1200 f32[16], act=relu stride=2,2 dilation=1,1 pad_begin=1,0   @r7 @w3   ; c1
.write
  w5    store        dram+0x5540 f32[1,1,2,16]{2304,64,384,4} <- am+0x12c0 f32[1,1,2,16]   @c5   ; c1

.part 7/18 core 0
.read
  r8    load         sm+0x200 f32[1,5,2,8] <- dram+0x3d80 f32[1,5,2,8]{4608,384,32,4}   @c4   ; c1
.compute
  c6    conv         am+0x1240 f32[1,2,1,16]{128,64,128,4} <- sm+0x200 f32[1,5,2,8], weight=am+0x0 f32[3,3,8,16], bias=am+0x1200 f32[16], act=relu stride=2,2 dilation=1,1 pad_begin=0,1   @r8 @w4   ; c1
.write
  w6    store        dram+0x5700 f32[1,1,2,16]{2304,64,384,4} <- am+0x1240 f32[1,1,2,16]   @c6   ; c1

.part 8/18 core 0
.read
  r9    load         sm+0x0 f32[1,5,3,8] <- dram+0x3da0 f32[1,5,3,8]{4608,384,32,4}   @c5   ; c1
.compute
  c7    conv         am+0x12c0 f32[1,2,1,16]{128,64,128,4} <- sm+0x0 f32[1,5,3,8], weight=am+0x0 f32[3,3,8,16], bias=am+0x1200 f32[16], act=relu stride=2,2 dilation=1,1 pad_begin=0,0   @r9 @w5   ; c1
.write
  w7    store        dram+0x5740 f32[1,1,2,16]{2304,64,384,4} <- am+0x12c0 f32[1,1,2,16]   @c7   ; c1

.part 9/18 core 0
.read
  r10   load         sm+0x200 f32[1,5,3,8] <- dram+0x3de0 f32[1,5,3,8]{4608,384,32,4}   @c6   ; c1
.compute
  c8    conv         am+0x1240 f32[1,2,1,16]{128,64,128,4} <- sm+0x200 f32[1,5,3,8], weight=am+0x0 f32[3,3,8,16], bias=am+0x1200 f32[16], act=relu stride=2,2 dilation=1,1 pad_begin=0,0   @r10 @w6   ; c1
.write
  w8    store        dram+0x5780 f32[1,1,2,16]{2304,64,384,4} <- am+0x1240 f32[1,1,2,16]   @c8   ; c1

.part 10/18 core 0
.read
  r11   load         sm+0x0 f32[1,5,3,8] <- dram+0x3e20 f32[1,5,3,8]{4608,384,32,4}   @c7   ; c1
.compute
  c9    conv         am+0x12c0 f32[1,2,1,16]{128,64,128,4} <- sm+0x0 f32[1,5,3,8], weight=am+0x0 f32[3,3,8,16], bias=am+0x1200 f32[16], act=relu stride=2,2 dilation=1,1 pad_begin=0,0   @r11 @w7   ; c1
.write
  w9    store        dram+0x57c0 f32[1,1,2,16]{2304,64,384,4} <- am+0x12c0 f32[1,1,2,16]   @c9   ; c1

.part 11/18 core 0
.read
  r12   load         sm+0x200 f32[1,5,3,8] <- dram+0x3e60 f32[1,5,3,8]{4608,384,32,4}   @c8   ; c1
.compute
  c10   conv         am+0x1240 f32[1,2,1,16]{128,64,128,4} <- sm+0x200 f32[1,5,3,8], weight=am+0x0 f32[3,3,8,16], bias=am+0x1200 f32[16], act=relu stride=2,2 dilation=1,1 pad_begin=0,0   @r12 @w8   ; c1
.write
  w10   store        dram+0x5800 f32[1,1,2,16]{2304,64,384,4} <- am+0x1240 f32[1,1,2,16]   @c10   ; c1

.part 12/18 core 0
.read
  r13   load         sm+0x0 f32[1,5,3,8] <- dram+0x3ea0 f32[1,5,3,8]{4608,384,32,4}   @c9   ; c1
.compute
  c11   conv         am+0x12c0 f32[1,2,1,16]{128,64,128,4} <- sm+0x0 f32[1,5,3,8], weight=am+0x0 f32[3,3,8,16], bias=am+0x1200 f32[16], act=relu stride=2,2 dilation=1,1 pad_begin=0,0   @r13 @w9   ; c1
.write
  w11   store        dram+0x5840 f32[1,1,2,16]{2304,64,384,4} <- am+0x12c0 f32[1,1,2,16]   @c11   ; c1

.part 13/18 core 0
.read
  r14   load         sm+0x200 f32[1,5,2,8] <- dram+0x4380 f32[1,5,2,8]{4608,384,32,4}   @c10   ; c1
.compute
  c12   conv         am+0x1240 f32[1,2,1,16]{128,64,128,4} <- sm+0x200 f32[1,5,2,8], weight=am+0x0 f32[3,3,8,16], bias=am+0x1200 f32[16], act=relu stride=2,2 dilation=1,1 pad_begin=0,1   @r14 @w10   ; c1
.write
  w12   store        dram+0x5a00 f32[1,1,2,16]{2304,64,384,4} <- am+0x1240 f32[1,1,2,16]   @c12   ; c1

.part 14/18 core 0
.read
  r15   load         sm+0x0 f32[1,5,3,8] <- dram+0x43a0 f32[1,5,3,8]{4608,384,32,4}   @c11   ; c1
.compute
  c13   conv         am+0x12c0 f32[1,2,1,16]{128,64,128,4} <- sm+0x0 f32[1,5,3,8], weight=am+0x0 f32[3,3,8,16], bias=am+0x1200 f32[16], act=relu stride=2,2 dilation=1,1 pad_begin=0,0   @r15 @w11   ; c1
.write
  w13   store        dram+0x5a40 f32[1,1,2,16]{2304,64,384,4} <- am+0x12c0 f32[1,1,2,16]   @c13   ; c1

.part 15/18 core 0
.read
  r16   load         sm+0x200 f32[1,5,3,8] <- dram+0x43e0 f32[1,5,3,8]{4608,384,32,4}   @c12   ; c1
.compute
  c14   conv         am+0x1240 f32[1,2,1,16]{128,64,128,4} <- sm+0x200 f32[1,5,3,8], weight=am+0x0 f32[3,3,8,16], bias=am+0x1200 f32[16], act=relu stride=2,2 dilation=1,1 pad_begin=0,0   @r16 @w12   ; c1
.write
  w14   store        dram+0x5a80 f32[1,1,2,16]{2304,64,384,4} <- am+0x1240 f32[1,1,2,16]   @c14   ; c1

.part 16/18 core 0
.read
  r17   load         sm+0x0 f32[1,5,3,8] <- dram+0x4420 f32[1,5,3,8]{4608,384,32,4}   @c13   ; c1
.compute
  c15   conv         am+0x12c0 f32[1,2,1,16]{128,64,128,4} <- sm+0x0 f32[1,5,3,8], weight=am+0x0 f32[3,3,8,16], bias=am+0x1200 f32[16], act=relu stride=2,2 dilation=1,1 pad_begin=0,0   @r17 @w13   ; c1
.write
  w15   store        dram+0x5ac0 f32[1,1,2,16]{2304,64,384,4} <- am+0x12c0 f32[1,1,2,16]   @c15   ; c1

.part 17/18 core 0
.read
  r18   load         sm+0x200 f32[1,5,3,8] <- dram+0x4460 f32[1,5,3,8]{4608,384,32,4}   @c14   ; c1
.compute
  c16   conv         am+0x1240 f32[1,2,1,16]{128,64,128,4} <- sm+0x200 f32[1,5,3,8], weight=am+0x0 f32[3,3,8,16], bias=am+0x1200 f32[16], act=relu stride=2,2 dilation=1,1 pad_begin=0,0   @r18 @w14   ; c1
.write
  w16   store        dram+0x5b00 f32[1,1,2,16]{2304,64,384,4} <- am+0x1240 f32[1,1,2,16]   @c16   ; c1

.part 18/18 core 0
.read
  r19   load         sm+0x0 f32[1,5,3,8] <- dram+0x44a0 f32[1,5,3,8]{4608,384,32,4}   @c15   ; c1
.compute
  c17   conv         am+0x12c0 f32[1,2,1,16]{128,64,128,4} <- sm+0x0 f32[1,5,3,8], weight=am+0x0 f32[3,3,8,16], bias=am+0x1200 f32[16], act=relu stride=2,2 dilation=1,1 pad_begin=0,0   @r19 @w15   ; c1
.write
  w17   store        dram+0x5b40 f32[1,1,2,16]{2304,64,384,4} <- am+0x12c0 f32[1,1,2,16]   @c17   ; c1

.group 1 single layers=c2 parts=8 reason="compute-bound, single-buffered, about 4908 cycles for 19776 B"
.part 1/8 core 0
.read
  r20   load         sm+0x0 f32[1,4,4,16] <- dram+0x5400 f32[1,4,4,16]{2304,384,64,4}   @c17   ; c2
  r21   load         am+0x600 f32[3,3,16,8] <- dram+0x1240 f32[3,3,16,8]   @w17   ; c2
  r22   load         am+0x5c0 f32[8] <- dram+0x2440 f32[8]   ; c2
.compute
  c18   conv         am+0x480 f32[1,3,3,8] <- sm+0x0 f32[1,4,4,16], weight=am+0x600 f32[3,3,16,8], bias=am+0x5c0 f32[8], stride=1,1 dilation=1,1 pad_begin=1,1   @r22   ; c2
.write
  w18   store        dram+0x5d00 f32[1,3,3,8]{2304,384,64,4} <- am+0x480 f32[1,3,3,8]   @c18   ; c2

.part 2/8 core 0
.read
  r23   load         sm+0x0 f32[1,4,4,16] <- dram+0x5480 f32[1,4,4,16]{2304,384,64,4}   @c18   ; c2
.compute
  c19   conv         am+0x480 f32[1,3,3,8] <- sm+0x0 f32[1,4,4,16], weight=am+0x600 f32[3,3,16,8], bias=am+0x5c0 f32[8], stride=1,1 dilation=1,1 pad_begin=1,0   @r23 @w18   ; c2
.write
  w19   store        dram+0x5dc0 f32[1,3,3,8]{2304,384,64,4} <- am+0x480 f32[1,3,3,8]   @c19   ; c2

.part 3/8 core 0
.read
  r24   load         sm+0x0 f32[1,4,4,16] <- dram+0x5700 f32[1,4,4,16]{2304,384,64,4}   @c19   ; c2
.compute
  c20   conv         am+0x480 f32[1,3,3,8] <- sm+0x0 f32[1,4,4,16], weight=am+0x600 f32[3,3,16,8], bias=am+0x5c0 f32[8], stride=1,1 dilation=1,1 pad_begin=0,1   @r24 @w19   ; c2
.write
  w20   store        dram+0x6180 f32[1,3,3,8]{2304,384,64,4} <- am+0x480 f32[1,3,3,8]   @c20   ; c2

.part 4/8 core 0
.read
  r25   load         sm+0x0 f32[1,4,4,16] <- dram+0x5780 f32[1,4,4,16]{2304,384,64,4}   @c20   ; c2
.compute
  c21   conv         am+0x480 f32[1,3,3,8] <- sm+0x0 f32[1,4,4,16], weight=am+0x600 f32[3,3,16,8], bias=am+0x5c0 f32[8], stride=1,1 dilation=1,1 pad_begin=0,0   @r25 @w20   ; c2
.write
  w21   store        dram+0x6240 f32[1,3,3,8]{2304,384,64,4} <- am+0x480 f32[1,3,3,8]   @c21   ; c2

.part 5/8 core 0
.read
  r26   load         sm+0x0 f32[1,4,4,16] <- dram+0x5400 f32[1,4,4,16]{2304,384,64,4}   @c21   ; c2
  r27   load         am+0x600 f32[3,3,16,8] <- dram+0x2480 f32[3,3,16,8]   ; c2
  r28   load         am+0x5c0 f32[8] <- dram+0x3680 f32[8]   ; c2
.compute
  c22   conv         am+0x480 f32[1,3,3,8] <- sm+0x0 f32[1,4,4,16], weight=am+0x600 f32[3,3,16,8], bias=am+0x5c0 f32[8], stride=1,1 dilation=1,1 pad_begin=1,1   @r28 @w21   ; c2
.write
  w22   store        dram+0x5d20 f32[1,3,3,8]{2304,384,64,4} <- am+0x480 f32[1,3,3,8]   @c22   ; c2

.part 6/8 core 0
.read
  r29   load         sm+0x0 f32[1,4,4,16] <- dram+0x5480 f32[1,4,4,16]{2304,384,64,4}   @c22   ; c2
.compute
  c23   conv         am+0x480 f32[1,3,3,8] <- sm+0x0 f32[1,4,4,16], weight=am+0x600 f32[3,3,16,8], bias=am+0x5c0 f32[8], stride=1,1 dilation=1,1 pad_begin=1,0   @r29 @w22   ; c2
.write
  w23   store        dram+0x5de0 f32[1,3,3,8]{2304,384,64,4} <- am+0x480 f32[1,3,3,8]   @c23   ; c2

.part 7/8 core 0
.read
  r30   load         sm+0x0 f32[1,4,4,16] <- dram+0x5700 f32[1,4,4,16]{2304,384,64,4}   @c23   ; c2
.compute
  c24   conv         am+0x480 f32[1,3,3,8] <- sm+0x0 f32[1,4,4,16], weight=am+0x600 f32[3,3,16,8], bias=am+0x5c0 f32[8], stride=1,1 dilation=1,1 pad_begin=0,1   @r30 @w23   ; c2
.write
  w24   store        dram+0x61a0 f32[1,3,3,8]{2304,384,64,4} <- am+0x480 f32[1,3,3,8]   @c24   ; c2

.part 8/8 core 0
.read
  r31   load         sm+0x0 f32[1,4,4,16] <- dram+0x5780 f32[1,4,4,16]{2304,384,64,4}   @c24   ; c2
.compute
  c25   conv         am+0x480 f32[1,3,3,8] <- sm+0x0 f32[1,4,4,16], weight=am+0x600 f32[3,3,16,8], bias=am+0x5c0 f32[8], stride=1,1 dilation=1,1 pad_begin=0,0   @r31 @w24   ; c2
.write
  w25   store        dram+0x6260 f32[1,3,3,8]{2304,384,64,4} <- am+0x480 f32[1,3,3,8]   @c25   ; c2

.group 2 single layers=c3 parts=2 reason="DRAM-bound, single-buffered, about 3568 cycles for 67648 B"
.part 1/2 core 0
.read
  r32   load         sm+0x0 f32[1,5,11,2] <- dram+0x3900 f32[1,5,11,2]{4608,384,32,4}   @c25   ; c3
  r33   load         am+0x0 f32[1,1,2,16] <- dram+0x36c0 f32[1,1,2,16]   ; c3
  r34   load         sm+0x0 f32[1,5,11,2] <- dram+0x3908 f32[1,5,11,2]{4608,384,32,4}   @c26   ; c3
  r35   load         am+0x0 f32[1,1,2,16] <- dram+0x3740 f32[1,1,2,16]   ; c3
  r36   load         sm+0x0 f32[1,5,11,2] <- dram+0x3910 f32[1,5,11,2]{4608,384,32,4}   @c27   ; c3
  r37   load         am+0x0 f32[1,1,2,16] <- dram+0x37c0 f32[1,1,2,16]   ; c3
  r38   load         sm+0x0 f32[1,5,11,2] <- dram+0x3918 f32[1,5,11,2]{4608,384,32,4}   @c28   ; c3
  r39   load         am+0x0 f32[1,1,2,16] <- dram+0x3840 f32[1,1,2,16]   ; c3
  r40   load         am+0x500 f32[16] <- dram+0x38c0 f32[16]   ; c3
  r41   load         am+0x540 f32[1,3,6,16] <- dram+0x5d00 f32[1,3,6,16]{2304,384,64,4}   ; c3
.compute
  c26   conv         <- sm+0x0 f32[1,5,11,2], weight=am+0x0 f32[1,1,2,16], accumulator=am+0x80 f32[1,3,6,16], phase=start stride=2,2 dilation=1,1 pad_begin=0,0   @r33 @w25   ; c3
  c27   conv         <- sm+0x0 f32[1,5,11,2], weight=am+0x0 f32[1,1,2,16], accumulator=am+0x80 f32[1,3,6,16], phase=add stride=2,2 dilation=1,1 pad_begin=0,0   @r35   ; c3
  c28   conv         <- sm+0x0 f32[1,5,11,2], weight=am+0x0 f32[1,1,2,16], accumulator=am+0x80 f32[1,3,6,16], phase=add stride=2,2 dilation=1,1 pad_begin=0,0   @r37   ; c3
  c29   conv         am+0x9c0 f32[1,3,6,16] <- sm+0x0 f32[1,5,11,2], weight=am+0x0 f32[1,1,2,16], bias=am+0x500 f32[16], residual=am+0x540 f32[1,3,6,16], accumulator=am+0x80 f32[1,3,6,16], phase=finish act=relu stride=2,2 dilation=1,1 pad_begin=0,0   @r41   ; c3
.write
  w26   store        dram+0x4b00 f32[1,3,6,16]{2304,384,64,4} <- am+0x9c0 f32[1,3,6,16]   @c29   ; c3

.part 2/2 core 0
.read
  r42   load         sm+0x0 f32[1,5,11,2] <- dram+0x4200 f32[1,5,11,2]{4608,384,32,4}   @c29   ; c3
  r43   load         am+0x0 f32[1,1,2,16] <- dram+0x36c0 f32[1,1,2,16]   ; c3
  r44   load         sm+0x0 f32[1,5,11,2] <- dram+0x4208 f32[1,5,11,2]{4608,384,32,4}   @c30   ; c3
  r45   load         am+0x0 f32[1,1,2,16] <- dram+0x3740 f32[1,1,2,16]   ; c3
  r46   load         sm+0x0 f32[1,5,11,2] <- dram+0x4210 f32[1,5,11,2]{4608,384,32,4}   @c31   ; c3
  r47   load         am+0x0 f32[1,1,2,16] <- dram+0x37c0 f32[1,1,2,16]   ; c3
  r48   load         sm+0x0 f32[1,5,11,2] <- dram+0x4218 f32[1,5,11,2]{4608,384,32,4}   @c32   ; c3
  r49   load         am+0x0 f32[1,1,2,16] <- dram+0x3840 f32[1,1,2,16]   ; c3
  r50   load         am+0x540 f32[1,3,6,16] <- dram+0x6180 f32[1,3,6,16]{2304,384,64,4}   ; c3
.compute
  c30   conv         <- sm+0x0 f32[1,5,11,2], weight=am+0x0 f32[1,1,2,16], accumulator=am+0x80 f32[1,3,6,16], phase=start stride=2,2 dilation=1,1 pad_begin=0,0   @r43   ; c3
  c31   conv         <- sm+0x0 f32[1,5,11,2], weight=am+0x0 f32[1,1,2,16], accumulator=am+0x80 f32[1,3,6,16], phase=add stride=2,2 dilation=1,1 pad_begin=0,0   @r45   ; c3
  c32   conv         <- sm+0x0 f32[1,5,11,2], weight=am+0x0 f32[1,1,2,16], accumulator=am+0x80 f32[1,3,6,16], phase=add stride=2,2 dilation=1,1 pad_begin=0,0   @r47   ; c3
  c33   conv         am+0x9c0 f32[1,3,6,16] <- sm+0x0 f32[1,5,11,2], weight=am+0x0 f32[1,1,2,16], bias=am+0x500 f32[16], residual=am+0x540 f32[1,3,6,16], accumulator=am+0x80 f32[1,3,6,16], phase=finish act=relu stride=2,2 dilation=1,1 pad_begin=0,0   @r50 @w26   ; c3
.write
  w27   store        dram+0x4f80 f32[1,3,6,16]{2304,384,64,4} <- am+0x9c0 f32[1,3,6,16]   @c33   ; c3
