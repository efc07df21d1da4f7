.nnc 2
.chip name "vdsp12"
.chip description "twelve vector DSP cores with scalar memory SM and vector memory AM (M2, M3)"
.chip cores 12
.chip split_bytes 0
.chip clock_mhz 1000
.chip dram {"bytes_per_cycle": 24, "latency": 100, "burst": 64, "align": 1, "bytes": 4294967296}
.chip dma {"broadcast": true, "in_flight": 4, "move_bytes_per_cycle": 64}
.chip memory {"sm": {"bytes": 2048, "align": 64}, "am": {"bytes": 8192, "align": 64}}
.chip operands {"default": {"feature": {"memories": ["am"]}, "weight": {"memories": ["am"]}, "result": {"memories": ["am"]}, "accumulator": {"memories": ["am"]}}, "conv": {"feature": {"memories": ["sm"]}}, "gemm": {"feature": {"memories": ["sm"]}}}
.chip compute {"issue": 16, "map": "channels", "arrays": {"i8": ["128x3"], "f16": ["64x3"], "f32": ["32x3"]}, "depthwise": {"i8": 384, "f16": 192, "f32": 96}, "elementwise": {"i8": 128, "f16": 64, "f32": 32}}
.dram 26112
.constants file="residual.vdsp12.constants" bytes=14592 crc=0x3d6d950b
.tensor x input dram+0x3900 f32[1,8,12,12]{4608,4,384,32}
.tensor y output dram+0x4b00 f32[1,16,6,6]{2304,4,384,64}
.tensor r1 boundary dram+0x5400 f32[1,16,6,6]{2304,4,384,64}
.tensor n3 boundary dram+0x5d00 f32[1,16,6,6]{2304,4,384,64}
.tensor w1.folded constant dram+0x0 f32[3,3,8,16]
.tensor c1.bias.folded constant dram+0x1200 f32[16]
.tensor w3.folded constant dram+0x1240 f32[1,1,8,16]
.tensor c3.bias.folded constant dram+0x1440 f32[16]
.tensor "w2.folded[0,0,0,0]" constant dram+0x1480 f32[3,3,16,8]
.tensor "c2.bias.folded[0]" constant dram+0x2680 f32[8]
.tensor "w2.folded[8,0,0,0]" constant dram+0x26c0 f32[3,3,16,8]
.tensor "c2.bias.folded[8]" constant dram+0x38c0 f32[8]
.fact floor_bytes 21440
.fact macs 129024
.fact peak_floor_cycles 112
.fact compute_floor_cycles 224
.fact dram_floor_cycles 894
.fact predicted_cycles 2686
.fact predicted_dram_bytes 45440

.group 0 single layers=c1 parts=6 reason="tiled alone, about 13888 B and 789 cycles; 6 cores by rows; estimated cycles: one core 1627, 6 cores by rows 789, 6 cores by columns 885, 6 x 2 cores by rows x columns 813"
.part 1/6 core 0
.read
  r0    broadcast    am+0x0 f32[3,3,8,16] <- dram+0x0 f32[3,3,8,16], cores=63   ; c1 = w1.folded+0{3,1,9,72} w1.folded+0{3,1,9,72}
  r1    broadcast    am+0x1380 f32[16] <- dram+0x1200 f32[16], cores=63   ; c1 = c1.bias.folded+0 c1.bias.folded+0
  r2    load         sm+0x0 f32[1,2,12,8] <- dram+0x3900 f32[1,2,12,8]{4608,384,32,4}   ; c1 = x+0 x+0
.compute
  c0    conv         am+0x1200 f32[1,1,6,16] <- sm+0x0 f32[1,2,12,8], weight=am+0x0 f32[3,3,8,16], bias=am+0x1380 f32[16], act=relu stride=2,2 dilation=1,1 pad_begin=1,1   @r2   ; c1 = x+0 w1.folded+0{3,1,9,72} r1+0 c1.bias.folded+0

.part 2/6 core 1
.read
  r0    load         sm+0x0 f32[1,3,12,8] <- dram+0x3a80 f32[1,3,12,8]{4608,384,32,4}   ; c1 = x+96 x+96
.compute
  c0    conv         am+0x1200 f32[1,1,6,16] <- sm+0x0 f32[1,3,12,8], weight=am+0x0 f32[3,3,8,16], bias=am+0x1380 f32[16], act=relu stride=2,2 dilation=1,1 pad_begin=0,1   @k0.r1 @r0   ; c1 = x+96 w1.folded+0{3,1,9,72} r1+96 c1.bias.folded+0

.part 3/6 core 2
.read
  r0    load         sm+0x0 f32[1,3,12,8] <- dram+0x3d80 f32[1,3,12,8]{4608,384,32,4}   ; c1 = x+288 x+288
.compute
  c0    conv         am+0x1200 f32[1,1,6,16] <- sm+0x0 f32[1,3,12,8], weight=am+0x0 f32[3,3,8,16], bias=am+0x1380 f32[16], act=relu stride=2,2 dilation=1,1 pad_begin=0,1   @k0.r1 @r0   ; c1 = x+288 w1.folded+0{3,1,9,72} r1+192 c1.bias.folded+0

.part 4/6 core 3
.read
  r0    load         sm+0x0 f32[1,3,12,8] <- dram+0x4080 f32[1,3,12,8]{4608,384,32,4}   ; c1 = x+480 x+480
.compute
  c0    conv         am+0x1200 f32[1,1,6,16] <- sm+0x0 f32[1,3,12,8], weight=am+0x0 f32[3,3,8,16], bias=am+0x1380 f32[16], act=relu stride=2,2 dilation=1,1 pad_begin=0,1   @k0.r1 @r0   ; c1 = x+480 w1.folded+0{3,1,9,72} r1+288 c1.bias.folded+0

.part 5/6 core 4
.read
  r0    load         sm+0x0 f32[1,3,12,8] <- dram+0x4380 f32[1,3,12,8]{4608,384,32,4}   ; c1 = x+672 x+672
.compute
  c0    conv         am+0x1200 f32[1,1,6,16] <- sm+0x0 f32[1,3,12,8], weight=am+0x0 f32[3,3,8,16], bias=am+0x1380 f32[16], act=relu stride=2,2 dilation=1,1 pad_begin=0,1   @k0.r1 @r0   ; c1 = x+672 w1.folded+0{3,1,9,72} r1+384 c1.bias.folded+0

.part 6/6 core 5
.read
  r0    load         sm+0x0 f32[1,3,12,8] <- dram+0x4680 f32[1,3,12,8]{4608,384,32,4}   ; c1 = x+864 x+864
.compute
  c0    conv         am+0x1200 f32[1,1,6,16] <- sm+0x0 f32[1,3,12,8], weight=am+0x0 f32[3,3,8,16], bias=am+0x1380 f32[16], act=relu stride=2,2 dilation=1,1 pad_begin=0,1   @k0.r1 @r0   ; c1 = x+864 w1.folded+0{3,1,9,72} r1+480 c1.bias.folded+0

.group 1 single layers=c3 parts=12 reason="tiled alone, about 5184 B and 290 cycles; 6 x 2 cores by rows x columns; estimated cycles: one core 423, 6 cores by rows 298, 6 x 2 cores by rows x columns 290, 2 x 6 cores by columns x rows 290"
.part 1/12 core 0
.read
  r3    broadcast    am+0x13c0 f32[1,1,8,16] <- dram+0x1240 f32[1,1,8,16], cores=4095   ; c3 = w3.folded+0{1,1,1,8} w3.folded+0{1,1,1,8}
  r4    broadcast    am+0x15c0 f32[16] <- dram+0x1440 f32[16], cores=4095   ; c3 = c3.bias.folded+0 c3.bias.folded+0
  r5    load         sm+0x480 f32[1,1,5,8] <- dram+0x3900 f32[1,1,5,8]{4608,384,32,4}   ; c3 = x+0 x+0
.compute
  c1    conv         am+0x200 f32[1,1,3,16] <- sm+0x480 f32[1,1,5,8], weight=am+0x13c0 f32[1,1,8,16], bias=am+0x15c0 f32[16], stride=2,2 dilation=1,1 pad_begin=0,0   @r5   ; c3 = x+0 w3.folded+0{1,1,1,8} n3+0 c3.bias.folded+0
.write
  w0    store        dram+0x5d00 f32[1,1,3,16]{2304,384,64,4} <- am+0x200 f32[1,1,3,16]   @c1   ; c3 = n3+0 n3+0

.group 0
.part 1/6 core 0
.write
  w1    store        dram+0x5400 f32[1,1,6,16]{2304,384,64,4} <- am+0x1200 f32[1,1,6,16]   ; c1 = r1+0 r1+0

.group 1
.part 2/12 core 1
.read
  r1    load         sm+0x480 f32[1,1,5,8] <- dram+0x39c0 f32[1,1,5,8]{4608,384,32,4}   ; c3 = x+48 x+48
.compute
  c1    conv         am+0x200 f32[1,1,3,16] <- sm+0x480 f32[1,1,5,8], weight=am+0x13c0 f32[1,1,8,16], bias=am+0x15c0 f32[16], stride=2,2 dilation=1,1 pad_begin=0,0   @k0.r4 @r1   ; c3 = x+48 w3.folded+0{1,1,1,8} n3+48 c3.bias.folded+0
.write
  w0    store        dram+0x5dc0 f32[1,1,3,16]{2304,384,64,4} <- am+0x200 f32[1,1,3,16]   @c1   ; c3 = n3+48 n3+48

.group 0
.part 2/6 core 1
.write
  w1    store        dram+0x5580 f32[1,1,6,16]{2304,384,64,4} <- am+0x1200 f32[1,1,6,16]   ; c1 = r1+96 r1+96

.group 1
.part 3/12 core 2
.read
  r1    load         sm+0x480 f32[1,1,5,8] <- dram+0x3c00 f32[1,1,5,8]{4608,384,32,4}   ; c3 = x+192 x+192
.compute
  c1    conv         am+0x200 f32[1,1,3,16] <- sm+0x480 f32[1,1,5,8], weight=am+0x13c0 f32[1,1,8,16], bias=am+0x15c0 f32[16], stride=2,2 dilation=1,1 pad_begin=0,0   @k0.r4 @r1   ; c3 = x+192 w3.folded+0{1,1,1,8} n3+96 c3.bias.folded+0
.write
  w0    store        dram+0x5e80 f32[1,1,3,16]{2304,384,64,4} <- am+0x200 f32[1,1,3,16]   @c1   ; c3 = n3+96 n3+96

.group 0
.part 3/6 core 2
.write
  w1    store        dram+0x5700 f32[1,1,6,16]{2304,384,64,4} <- am+0x1200 f32[1,1,6,16]   ; c1 = r1+192 r1+192

.group 1
.part 4/12 core 3
.read
  r1    load         sm+0x480 f32[1,1,5,8] <- dram+0x3cc0 f32[1,1,5,8]{4608,384,32,4}   ; c3 = x+240 x+240
.compute
  c1    conv         am+0x200 f32[1,1,3,16] <- sm+0x480 f32[1,1,5,8], weight=am+0x13c0 f32[1,1,8,16], bias=am+0x15c0 f32[16], stride=2,2 dilation=1,1 pad_begin=0,0   @k0.r4 @r1   ; c3 = x+240 w3.folded+0{1,1,1,8} n3+144 c3.bias.folded+0
.write
  w0    store        dram+0x5f40 f32[1,1,3,16]{2304,384,64,4} <- am+0x200 f32[1,1,3,16]   @c1   ; c3 = n3+144 n3+144

.group 0
.part 4/6 core 3
.write
  w1    store        dram+0x5880 f32[1,1,6,16]{2304,384,64,4} <- am+0x1200 f32[1,1,6,16]   ; c1 = r1+288 r1+288

.group 1
.part 5/12 core 4
.read
  r1    load         sm+0x480 f32[1,1,5,8] <- dram+0x3f00 f32[1,1,5,8]{4608,384,32,4}   ; c3 = x+384 x+384
.compute
  c1    conv         am+0x200 f32[1,1,3,16] <- sm+0x480 f32[1,1,5,8], weight=am+0x13c0 f32[1,1,8,16], bias=am+0x15c0 f32[16], stride=2,2 dilation=1,1 pad_begin=0,0   @k0.r4 @r1   ; c3 = x+384 w3.folded+0{1,1,1,8} n3+192 c3.bias.folded+0
.write
  w0    store        dram+0x6000 f32[1,1,3,16]{2304,384,64,4} <- am+0x200 f32[1,1,3,16]   @c1   ; c3 = n3+192 n3+192

.group 0
.part 5/6 core 4
.write
  w1    store        dram+0x5a00 f32[1,1,6,16]{2304,384,64,4} <- am+0x1200 f32[1,1,6,16]   ; c1 = r1+384 r1+384

.group 1
.part 6/12 core 5
.read
  r1    load         sm+0x480 f32[1,1,5,8] <- dram+0x3fc0 f32[1,1,5,8]{4608,384,32,4}   ; c3 = x+432 x+432
.compute
  c1    conv         am+0x200 f32[1,1,3,16] <- sm+0x480 f32[1,1,5,8], weight=am+0x13c0 f32[1,1,8,16], bias=am+0x15c0 f32[16], stride=2,2 dilation=1,1 pad_begin=0,0   @k0.r4 @r1   ; c3 = x+432 w3.folded+0{1,1,1,8} n3+240 c3.bias.folded+0
.write
  w0    store        dram+0x60c0 f32[1,1,3,16]{2304,384,64,4} <- am+0x200 f32[1,1,3,16]   @c1   ; c3 = n3+240 n3+240

.group 0
.part 6/6 core 5
.write
  w1    store        dram+0x5b80 f32[1,1,6,16]{2304,384,64,4} <- am+0x1200 f32[1,1,6,16]   ; c1 = r1+480 r1+480

.group 1
.part 7/12 core 6
.read
  r0    load         sm+0x480 f32[1,1,5,8] <- dram+0x4200 f32[1,1,5,8]{4608,384,32,4}   ; c3 = x+576 x+576
.compute
  c0    conv         am+0x200 f32[1,1,3,16] <- sm+0x480 f32[1,1,5,8], weight=am+0x13c0 f32[1,1,8,16], bias=am+0x15c0 f32[16], stride=2,2 dilation=1,1 pad_begin=0,0   @k0.r4 @r0   ; c3 = x+576 w3.folded+0{1,1,1,8} n3+288 c3.bias.folded+0
.write
  w0    store        dram+0x6180 f32[1,1,3,16]{2304,384,64,4} <- am+0x200 f32[1,1,3,16]   @c0   ; c3 = n3+288 n3+288

.part 8/12 core 7
.read
  r0    load         sm+0x480 f32[1,1,5,8] <- dram+0x42c0 f32[1,1,5,8]{4608,384,32,4}   ; c3 = x+624 x+624
.compute
  c0    conv         am+0x200 f32[1,1,3,16] <- sm+0x480 f32[1,1,5,8], weight=am+0x13c0 f32[1,1,8,16], bias=am+0x15c0 f32[16], stride=2,2 dilation=1,1 pad_begin=0,0   @k0.r4 @r0   ; c3 = x+624 w3.folded+0{1,1,1,8} n3+336 c3.bias.folded+0
.write
  w0    store        dram+0x6240 f32[1,1,3,16]{2304,384,64,4} <- am+0x200 f32[1,1,3,16]   @c0   ; c3 = n3+336 n3+336

.part 9/12 core 8
.read
  r0    load         sm+0x480 f32[1,1,5,8] <- dram+0x4500 f32[1,1,5,8]{4608,384,32,4}   ; c3 = x+768 x+768
.compute
  c0    conv         am+0x200 f32[1,1,3,16] <- sm+0x480 f32[1,1,5,8], weight=am+0x13c0 f32[1,1,8,16], bias=am+0x15c0 f32[16], stride=2,2 dilation=1,1 pad_begin=0,0   @k0.r4 @r0   ; c3 = x+768 w3.folded+0{1,1,1,8} n3+384 c3.bias.folded+0
.write
  w0    store        dram+0x6300 f32[1,1,3,16]{2304,384,64,4} <- am+0x200 f32[1,1,3,16]   @c0   ; c3 = n3+384 n3+384

.part 10/12 core 9
.read
  r0    load         sm+0x480 f32[1,1,5,8] <- dram+0x45c0 f32[1,1,5,8]{4608,384,32,4}   ; c3 = x+816 x+816
.compute
  c0    conv         am+0x200 f32[1,1,3,16] <- sm+0x480 f32[1,1,5,8], weight=am+0x13c0 f32[1,1,8,16], bias=am+0x15c0 f32[16], stride=2,2 dilation=1,1 pad_begin=0,0   @k0.r4 @r0   ; c3 = x+816 w3.folded+0{1,1,1,8} n3+432 c3.bias.folded+0
.write
  w0    store        dram+0x63c0 f32[1,1,3,16]{2304,384,64,4} <- am+0x200 f32[1,1,3,16]   @c0   ; c3 = n3+432 n3+432

.part 11/12 core 10
.read
  r0    load         sm+0x480 f32[1,1,5,8] <- dram+0x4800 f32[1,1,5,8]{4608,384,32,4}   ; c3 = x+960 x+960
.compute
  c0    conv         am+0x200 f32[1,1,3,16] <- sm+0x480 f32[1,1,5,8], weight=am+0x13c0 f32[1,1,8,16], bias=am+0x15c0 f32[16], stride=2,2 dilation=1,1 pad_begin=0,0   @k0.r4 @r0   ; c3 = x+960 w3.folded+0{1,1,1,8} n3+480 c3.bias.folded+0
.write
  w0    store        dram+0x6480 f32[1,1,3,16]{2304,384,64,4} <- am+0x200 f32[1,1,3,16]   @c0   ; c3 = n3+480 n3+480

.part 12/12 core 11
.read
  r0    load         sm+0x480 f32[1,1,5,8] <- dram+0x48c0 f32[1,1,5,8]{4608,384,32,4}   ; c3 = x+1008 x+1008
.compute
  c0    conv         am+0x200 f32[1,1,3,16] <- sm+0x480 f32[1,1,5,8], weight=am+0x13c0 f32[1,1,8,16], bias=am+0x15c0 f32[16], stride=2,2 dilation=1,1 pad_begin=0,0   @k0.r4 @r0   ; c3 = x+1008 w3.folded+0{1,1,1,8} n3+528 c3.bias.folded+0
.write
  w0    store        dram+0x6540 f32[1,1,3,16]{2304,384,64,4} <- am+0x200 f32[1,1,3,16]   @c0   ; c3 = n3+528 n3+528

.group 2 single layers=c2 parts=24 reason="tiled alone, about 25408 B and 1604 cycles; 2 x 6 cores by rows x columns; estimated cycles: one core 4851, 6 cores by rows 1671, 6 cores by columns 1671, 2 x 6 cores by rows x columns 1604"
.part 1/24 core 0
.read
  r6    broadcast    am+0x0 f32[3,3,16,8] <- dram+0x1480 f32[3,3,16,8], cores=4095   @w0 @k1.w0 @k2.w0 @k3.w0 @k4.w0 @k5.w0 @k6.w0 @k7.w0 @k8.w0 @k9.w0 @k10.w0 @k11.w0   ; c2 = w2.folded+0{3,1,9,144} w2.folded+0{3,1,9,144}
  r7    broadcast    am+0x1380 f32[8] <- dram+0x2680 f32[8], cores=4095   ; c2 = c2.bias.folded+0 c2.bias.folded+0
  r8    load         sm+0x0 f32[1,4,2,16] <- dram+0x5400 f32[1,4,2,16]{2304,384,64,4}   @w1 @k1.w1 @k2.w1 @k3.w1   ; c2 = r1+0{576,96,16,1} r1+0
  r9    load         am+0x1200 f32[1,1,3,8] <- dram+0x5d00 f32[1,1,3,8]{2304,64,384,4}   ; c2 = n3+0{576,16,96,1} n3+0
.compute
  c2    conv         am+0x1280 f32[1,3,1,8]{96,32,96,4} <- sm+0x0 f32[1,4,2,16], weight=am+0x0 f32[3,3,16,8], bias=am+0x1380 f32[8], residual=am+0x1200 f32[1,3,1,8]{96,32,96,4}, act=relu stride=1,1 dilation=1,1 pad_begin=1,1   @r9   ; c2 = r1+0{576,96,16,1} w2.folded+0{3,1,9,144} y+0{576,96,16,1} c2.bias.folded+0 n3+0{576,96,16,1}
.write
  w2    store        dram+0x4b00 f32[1,1,3,8]{2304,64,384,4} <- am+0x1280 f32[1,1,3,8]   @c2   ; c2 = y+0 y+0{576,16,96,1}

.part 2/24 core 1
.read
  r2    load         sm+0x0 f32[1,4,3,16] <- dram+0x5400 f32[1,4,3,16]{2304,384,64,4}   @k0.w1 @w1 @k2.w1 @k3.w1   ; c2 = r1+0{576,96,16,1} r1+0
  r3    load         am+0x1200 f32[1,1,3,8] <- dram+0x5d40 f32[1,1,3,8]{2304,64,384,4}   @k4.w0   ; c2 = n3+16{576,16,96,1} n3+16
.compute
  c2    conv         am+0x1280 f32[1,3,1,8]{96,32,96,4} <- sm+0x0 f32[1,4,3,16], weight=am+0x0 f32[3,3,16,8], bias=am+0x1380 f32[8], residual=am+0x1200 f32[1,3,1,8]{96,32,96,4}, act=relu stride=1,1 dilation=1,1 pad_begin=1,0   @k0.r7 @r3   ; c2 = r1+0{576,96,16,1} w2.folded+0{3,1,9,144} y+16{576,96,16,1} c2.bias.folded+0 n3+16{576,96,16,1}
.write
  w2    store        dram+0x4b40 f32[1,1,3,8]{2304,64,384,4} <- am+0x1280 f32[1,1,3,8]   @c2   ; c2 = y+16 y+16{576,16,96,1}

.part 3/24 core 2
.read
  r2    load         sm+0x0 f32[1,4,3,16] <- dram+0x5440 f32[1,4,3,16]{2304,384,64,4}   @k0.w1 @k1.w1 @w1 @k3.w1   ; c2 = r1+16{576,96,16,1} r1+16
  r3    load         am+0x1200 f32[1,1,3,8] <- dram+0x5d80 f32[1,1,3,8]{2304,64,384,4}   @k4.w0   ; c2 = n3+32{576,16,96,1} n3+32
.compute
  c2    conv         am+0x1280 f32[1,3,1,8]{96,32,96,4} <- sm+0x0 f32[1,4,3,16], weight=am+0x0 f32[3,3,16,8], bias=am+0x1380 f32[8], residual=am+0x1200 f32[1,3,1,8]{96,32,96,4}, act=relu stride=1,1 dilation=1,1 pad_begin=1,0   @k0.r7 @r3   ; c2 = r1+16{576,96,16,1} w2.folded+0{3,1,9,144} y+32{576,96,16,1} c2.bias.folded+0 n3+32{576,96,16,1}
.write
  w2    store        dram+0x4b80 f32[1,1,3,8]{2304,64,384,4} <- am+0x1280 f32[1,1,3,8]   @c2   ; c2 = y+32 y+32{576,16,96,1}

.part 4/24 core 3
.read
  r2    load         sm+0x0 f32[1,4,3,16] <- dram+0x5480 f32[1,4,3,16]{2304,384,64,4}   @k0.w1 @k1.w1 @k2.w1 @w1   ; c2 = r1+32{576,96,16,1} r1+32
  r3    load         am+0x1200 f32[1,1,3,8] <- dram+0x5dc0 f32[1,1,3,8]{2304,64,384,4}   @k5.w0   ; c2 = n3+48{576,16,96,1} n3+48
.compute
  c2    conv         am+0x1280 f32[1,3,1,8]{96,32,96,4} <- sm+0x0 f32[1,4,3,16], weight=am+0x0 f32[3,3,16,8], bias=am+0x1380 f32[8], residual=am+0x1200 f32[1,3,1,8]{96,32,96,4}, act=relu stride=1,1 dilation=1,1 pad_begin=1,0   @k0.r7 @r3   ; c2 = r1+32{576,96,16,1} w2.folded+0{3,1,9,144} y+48{576,96,16,1} c2.bias.folded+0 n3+48{576,96,16,1}
.write
  w2    store        dram+0x4bc0 f32[1,1,3,8]{2304,64,384,4} <- am+0x1280 f32[1,1,3,8]   @c2   ; c2 = y+48 y+48{576,16,96,1}

.part 5/24 core 4
.read
  r2    load         sm+0x0 f32[1,4,3,16] <- dram+0x54c0 f32[1,4,3,16]{2304,384,64,4}   @k0.w1 @k1.w1 @k2.w1 @k3.w1 @c0   ; c2 = r1+48{576,96,16,1} r1+48
  r3    load         am+0x1200 f32[1,1,3,8] <- dram+0x5e00 f32[1,1,3,8]{2304,64,384,4}   @w1 @k5.w0   ; c2 = n3+64{576,16,96,1} n3+64
.compute
  c2    conv         am+0x1280 f32[1,3,1,8]{96,32,96,4} <- sm+0x0 f32[1,4,3,16], weight=am+0x0 f32[3,3,16,8], bias=am+0x1380 f32[8], residual=am+0x1200 f32[1,3,1,8]{96,32,96,4}, act=relu stride=1,1 dilation=1,1 pad_begin=1,0   @k0.r7 @r3   ; c2 = r1+48{576,96,16,1} w2.folded+0{3,1,9,144} y+64{576,96,16,1} c2.bias.folded+0 n3+64{576,96,16,1}
.write
  w2    store        dram+0x4c00 f32[1,1,3,8]{2304,64,384,4} <- am+0x1280 f32[1,1,3,8]   @c2   ; c2 = y+64 y+64{576,16,96,1}

.part 6/24 core 5
.read
  r2    load         sm+0x0 f32[1,4,2,16] <- dram+0x5500 f32[1,4,2,16]{2304,384,64,4}   @k0.w1 @k1.w1 @k2.w1 @k3.w1 @c0   ; c2 = r1+64{576,96,16,1} r1+64
  r3    load         am+0x1200 f32[1,1,3,8] <- dram+0x5e40 f32[1,1,3,8]{2304,64,384,4}   @w1   ; c2 = n3+80{576,16,96,1} n3+80
.compute
  c2    conv         am+0x1280 f32[1,3,1,8]{96,32,96,4} <- sm+0x0 f32[1,4,2,16], weight=am+0x0 f32[3,3,16,8], bias=am+0x1380 f32[8], residual=am+0x1200 f32[1,3,1,8]{96,32,96,4}, act=relu stride=1,1 dilation=1,1 pad_begin=1,0   @k0.r7 @r3   ; c2 = r1+64{576,96,16,1} w2.folded+0{3,1,9,144} y+80{576,96,16,1} c2.bias.folded+0 n3+80{576,96,16,1}
.write
  w2    store        dram+0x4c40 f32[1,1,3,8]{2304,64,384,4} <- am+0x1280 f32[1,1,3,8]   @c2   ; c2 = y+80 y+80{576,16,96,1}

.part 7/24 core 6
.read
  r1    load         sm+0x0 f32[1,4,2,16] <- dram+0x5700 f32[1,4,2,16]{2304,384,64,4}   @k2.w1 @k3.w1 @k4.w1 @k5.w1   ; c2 = r1+192{576,96,16,1} r1+192
  r2    load         am+0x1200 f32[1,1,3,8] <- dram+0x6180 f32[1,1,3,8]{2304,64,384,4}   @w0 @k8.w0 @k10.w0   ; c2 = n3+288{576,16,96,1} n3+288
.compute
  c1    conv         am+0x1280 f32[1,3,1,8]{96,32,96,4} <- sm+0x0 f32[1,4,2,16], weight=am+0x0 f32[3,3,16,8], bias=am+0x1380 f32[8], residual=am+0x1200 f32[1,3,1,8]{96,32,96,4}, act=relu stride=1,1 dilation=1,1 pad_begin=0,1   @k0.r7 @r2   ; c2 = r1+192{576,96,16,1} w2.folded+0{3,1,9,144} y+288{576,96,16,1} c2.bias.folded+0 n3+288{576,96,16,1}
.write
  w1    store        dram+0x4f80 f32[1,1,3,8]{2304,64,384,4} <- am+0x1280 f32[1,1,3,8]   @c1   ; c2 = y+288 y+288{576,16,96,1}

.part 8/24 core 7
.read
  r1    load         sm+0x0 f32[1,4,3,16] <- dram+0x5700 f32[1,4,3,16]{2304,384,64,4}   @k2.w1 @k3.w1 @k4.w1 @k5.w1   ; c2 = r1+192{576,96,16,1} r1+192
  r2    load         am+0x1200 f32[1,1,3,8] <- dram+0x61c0 f32[1,1,3,8]{2304,64,384,4}   @k6.w0 @k8.w0 @k10.w0   ; c2 = n3+304{576,16,96,1} n3+304
.compute
  c1    conv         am+0x1280 f32[1,3,1,8]{96,32,96,4} <- sm+0x0 f32[1,4,3,16], weight=am+0x0 f32[3,3,16,8], bias=am+0x1380 f32[8], residual=am+0x1200 f32[1,3,1,8]{96,32,96,4}, act=relu stride=1,1 dilation=1,1 pad_begin=0,0   @k0.r7 @r2   ; c2 = r1+192{576,96,16,1} w2.folded+0{3,1,9,144} y+304{576,96,16,1} c2.bias.folded+0 n3+304{576,96,16,1}
.write
  w1    store        dram+0x4fc0 f32[1,1,3,8]{2304,64,384,4} <- am+0x1280 f32[1,1,3,8]   @c1   ; c2 = y+304 y+304{576,16,96,1}

.part 9/24 core 8
.read
  r1    load         sm+0x0 f32[1,4,3,16] <- dram+0x5740 f32[1,4,3,16]{2304,384,64,4}   @k2.w1 @k3.w1 @k4.w1 @k5.w1   ; c2 = r1+208{576,96,16,1} r1+208
  r2    load         am+0x1200 f32[1,1,3,8] <- dram+0x6200 f32[1,1,3,8]{2304,64,384,4}   @k6.w0 @w0 @k10.w0   ; c2 = n3+320{576,16,96,1} n3+320
.compute
  c1    conv         am+0x1280 f32[1,3,1,8]{96,32,96,4} <- sm+0x0 f32[1,4,3,16], weight=am+0x0 f32[3,3,16,8], bias=am+0x1380 f32[8], residual=am+0x1200 f32[1,3,1,8]{96,32,96,4}, act=relu stride=1,1 dilation=1,1 pad_begin=0,0   @k0.r7 @r2   ; c2 = r1+208{576,96,16,1} w2.folded+0{3,1,9,144} y+320{576,96,16,1} c2.bias.folded+0 n3+320{576,96,16,1}
.write
  w1    store        dram+0x5000 f32[1,1,3,8]{2304,64,384,4} <- am+0x1280 f32[1,1,3,8]   @c1   ; c2 = y+320 y+320{576,16,96,1}

.part 10/24 core 9
.read
  r1    load         sm+0x0 f32[1,4,3,16] <- dram+0x5780 f32[1,4,3,16]{2304,384,64,4}   @k2.w1 @k3.w1 @k4.w1 @k5.w1   ; c2 = r1+224{576,96,16,1} r1+224
  r2    load         am+0x1200 f32[1,1,3,8] <- dram+0x6240 f32[1,1,3,8]{2304,64,384,4}   @k7.w0 @w0 @k11.w0   ; c2 = n3+336{576,16,96,1} n3+336
.compute
  c1    conv         am+0x1280 f32[1,3,1,8]{96,32,96,4} <- sm+0x0 f32[1,4,3,16], weight=am+0x0 f32[3,3,16,8], bias=am+0x1380 f32[8], residual=am+0x1200 f32[1,3,1,8]{96,32,96,4}, act=relu stride=1,1 dilation=1,1 pad_begin=0,0   @k0.r7 @r2   ; c2 = r1+224{576,96,16,1} w2.folded+0{3,1,9,144} y+336{576,96,16,1} c2.bias.folded+0 n3+336{576,96,16,1}
.write
  w1    store        dram+0x5040 f32[1,1,3,8]{2304,64,384,4} <- am+0x1280 f32[1,1,3,8]   @c1   ; c2 = y+336 y+336{576,16,96,1}

.part 11/24 core 10
.read
  r1    load         sm+0x0 f32[1,4,3,16] <- dram+0x57c0 f32[1,4,3,16]{2304,384,64,4}   @k2.w1 @k3.w1 @k4.w1 @k5.w1   ; c2 = r1+240{576,96,16,1} r1+240
  r2    load         am+0x1200 f32[1,1,3,8] <- dram+0x6280 f32[1,1,3,8]{2304,64,384,4}   @k7.w0 @k9.w0 @k11.w0   ; c2 = n3+352{576,16,96,1} n3+352
.compute
  c1    conv         am+0x1280 f32[1,3,1,8]{96,32,96,4} <- sm+0x0 f32[1,4,3,16], weight=am+0x0 f32[3,3,16,8], bias=am+0x1380 f32[8], residual=am+0x1200 f32[1,3,1,8]{96,32,96,4}, act=relu stride=1,1 dilation=1,1 pad_begin=0,0   @k0.r7 @r2   ; c2 = r1+240{576,96,16,1} w2.folded+0{3,1,9,144} y+352{576,96,16,1} c2.bias.folded+0 n3+352{576,96,16,1}
.write
  w1    store        dram+0x5080 f32[1,1,3,8]{2304,64,384,4} <- am+0x1280 f32[1,1,3,8]   @c1   ; c2 = y+352 y+352{576,16,96,1}

.part 12/24 core 11
.read
  r1    load         sm+0x0 f32[1,4,2,16] <- dram+0x5800 f32[1,4,2,16]{2304,384,64,4}   @k2.w1 @k3.w1 @k4.w1 @k5.w1   ; c2 = r1+256{576,96,16,1} r1+256
  r2    load         am+0x1200 f32[1,1,3,8] <- dram+0x62c0 f32[1,1,3,8]{2304,64,384,4}   @k7.w0 @k9.w0 @w0   ; c2 = n3+368{576,16,96,1} n3+368
.compute
  c1    conv         am+0x1280 f32[1,3,1,8]{96,32,96,4} <- sm+0x0 f32[1,4,2,16], weight=am+0x0 f32[3,3,16,8], bias=am+0x1380 f32[8], residual=am+0x1200 f32[1,3,1,8]{96,32,96,4}, act=relu stride=1,1 dilation=1,1 pad_begin=0,0   @k0.r7 @r2   ; c2 = r1+256{576,96,16,1} w2.folded+0{3,1,9,144} y+368{576,96,16,1} c2.bias.folded+0 n3+368{576,96,16,1}
.write
  w1    store        dram+0x50c0 f32[1,1,3,8]{2304,64,384,4} <- am+0x1280 f32[1,1,3,8]   @c1   ; c2 = y+368 y+368{576,16,96,1}

.part 13/24 core 0
.read
  r10   load         am+0x13c0 f32[1,1,3,8] <- dram+0x5d20 f32[1,1,3,8]{2304,64,384,4}   ; c2 = n3+8{576,16,96,1} n3+8
  r11   broadcast    am+0x0 f32[3,3,16,8] <- dram+0x26c0 f32[3,3,16,8], cores=4095   @c2 @k1.c2 @k2.c2 @k3.c2 @k4.c2 @k5.c2 @k6.c1 @k7.c1 @k8.c1 @k9.c1 @k10.c1 @k11.c1   ; c2 = w2.folded+1152{3,1,9,144} w2.folded+1152{3,1,9,144}
  r12   broadcast    am+0x1300 f32[8] <- dram+0x38c0 f32[8], cores=4095   ; c2 = c2.bias.folded+8 c2.bias.folded+8
.compute
  c3    conv         am+0x1280 f32[1,3,1,8]{96,32,96,4} <- sm+0x0 f32[1,4,2,16], weight=am+0x0 f32[3,3,16,8], bias=am+0x1300 f32[8], residual=am+0x13c0 f32[1,3,1,8]{96,32,96,4}, act=relu stride=1,1 dilation=1,1 pad_begin=1,1   @r12 @w2   ; c2 = r1+0{576,96,16,1} w2.folded+1152{3,1,9,144} y+8{576,96,16,1} c2.bias.folded+8 n3+8{576,96,16,1}
.write
  w3    store        dram+0x4b20 f32[1,1,3,8]{2304,64,384,4} <- am+0x1280 f32[1,1,3,8]   @c3   ; c2 = y+8 y+8{576,16,96,1}

.part 14/24 core 1
.read
  r4    load         am+0x13c0 f32[1,1,3,8] <- dram+0x5d60 f32[1,1,3,8]{2304,64,384,4}   ; c2 = n3+24{576,16,96,1} n3+24
.compute
  c3    conv         am+0x1280 f32[1,3,1,8]{96,32,96,4} <- sm+0x0 f32[1,4,3,16], weight=am+0x0 f32[3,3,16,8], bias=am+0x1300 f32[8], residual=am+0x13c0 f32[1,3,1,8]{96,32,96,4}, act=relu stride=1,1 dilation=1,1 pad_begin=1,0   @k0.r12 @r4 @w2   ; c2 = r1+0{576,96,16,1} w2.folded+1152{3,1,9,144} y+24{576,96,16,1} c2.bias.folded+8 n3+24{576,96,16,1}
.write
  w3    store        dram+0x4b60 f32[1,1,3,8]{2304,64,384,4} <- am+0x1280 f32[1,1,3,8]   @c3   ; c2 = y+24 y+24{576,16,96,1}

.part 15/24 core 2
.read
  r4    load         am+0x13c0 f32[1,1,3,8] <- dram+0x5da0 f32[1,1,3,8]{2304,64,384,4}   ; c2 = n3+40{576,16,96,1} n3+40
.compute
  c3    conv         am+0x1280 f32[1,3,1,8]{96,32,96,4} <- sm+0x0 f32[1,4,3,16], weight=am+0x0 f32[3,3,16,8], bias=am+0x1300 f32[8], residual=am+0x13c0 f32[1,3,1,8]{96,32,96,4}, act=relu stride=1,1 dilation=1,1 pad_begin=1,0   @k0.r12 @r4 @w2   ; c2 = r1+16{576,96,16,1} w2.folded+1152{3,1,9,144} y+40{576,96,16,1} c2.bias.folded+8 n3+40{576,96,16,1}
.write
  w3    store        dram+0x4ba0 f32[1,1,3,8]{2304,64,384,4} <- am+0x1280 f32[1,1,3,8]   @c3   ; c2 = y+40 y+40{576,16,96,1}

.part 16/24 core 3
.read
  r4    load         am+0x13c0 f32[1,1,3,8] <- dram+0x5de0 f32[1,1,3,8]{2304,64,384,4}   ; c2 = n3+56{576,16,96,1} n3+56
.compute
  c3    conv         am+0x1280 f32[1,3,1,8]{96,32,96,4} <- sm+0x0 f32[1,4,3,16], weight=am+0x0 f32[3,3,16,8], bias=am+0x1300 f32[8], residual=am+0x13c0 f32[1,3,1,8]{96,32,96,4}, act=relu stride=1,1 dilation=1,1 pad_begin=1,0   @k0.r12 @r4 @w2   ; c2 = r1+32{576,96,16,1} w2.folded+1152{3,1,9,144} y+56{576,96,16,1} c2.bias.folded+8 n3+56{576,96,16,1}
.write
  w3    store        dram+0x4be0 f32[1,1,3,8]{2304,64,384,4} <- am+0x1280 f32[1,1,3,8]   @c3   ; c2 = y+56 y+56{576,16,96,1}

.part 17/24 core 4
.read
  r4    load         am+0x13c0 f32[1,1,3,8] <- dram+0x5e20 f32[1,1,3,8]{2304,64,384,4}   ; c2 = n3+72{576,16,96,1} n3+72
.compute
  c3    conv         am+0x1280 f32[1,3,1,8]{96,32,96,4} <- sm+0x0 f32[1,4,3,16], weight=am+0x0 f32[3,3,16,8], bias=am+0x1300 f32[8], residual=am+0x13c0 f32[1,3,1,8]{96,32,96,4}, act=relu stride=1,1 dilation=1,1 pad_begin=1,0   @k0.r12 @r4 @w2   ; c2 = r1+48{576,96,16,1} w2.folded+1152{3,1,9,144} y+72{576,96,16,1} c2.bias.folded+8 n3+72{576,96,16,1}
.write
  w3    store        dram+0x4c20 f32[1,1,3,8]{2304,64,384,4} <- am+0x1280 f32[1,1,3,8]   @c3   ; c2 = y+72 y+72{576,16,96,1}

.part 18/24 core 5
.read
  r4    load         am+0x13c0 f32[1,1,3,8] <- dram+0x5e60 f32[1,1,3,8]{2304,64,384,4}   ; c2 = n3+88{576,16,96,1} n3+88
.compute
  c3    conv         am+0x1280 f32[1,3,1,8]{96,32,96,4} <- sm+0x0 f32[1,4,2,16], weight=am+0x0 f32[3,3,16,8], bias=am+0x1300 f32[8], residual=am+0x13c0 f32[1,3,1,8]{96,32,96,4}, act=relu stride=1,1 dilation=1,1 pad_begin=1,0   @k0.r12 @r4 @w2   ; c2 = r1+64{576,96,16,1} w2.folded+1152{3,1,9,144} y+88{576,96,16,1} c2.bias.folded+8 n3+88{576,96,16,1}
.write
  w3    store        dram+0x4c60 f32[1,1,3,8]{2304,64,384,4} <- am+0x1280 f32[1,1,3,8]   @c3   ; c2 = y+88 y+88{576,16,96,1}

.part 19/24 core 6
.read
  r3    load         am+0x13c0 f32[1,1,3,8] <- dram+0x61a0 f32[1,1,3,8]{2304,64,384,4}   ; c2 = n3+296{576,16,96,1} n3+296
.compute
  c2    conv         am+0x1280 f32[1,3,1,8]{96,32,96,4} <- sm+0x0 f32[1,4,2,16], weight=am+0x0 f32[3,3,16,8], bias=am+0x1300 f32[8], residual=am+0x13c0 f32[1,3,1,8]{96,32,96,4}, act=relu stride=1,1 dilation=1,1 pad_begin=0,1   @k0.r12 @r3 @w1   ; c2 = r1+192{576,96,16,1} w2.folded+1152{3,1,9,144} y+296{576,96,16,1} c2.bias.folded+8 n3+296{576,96,16,1}
.write
  w2    store        dram+0x4fa0 f32[1,1,3,8]{2304,64,384,4} <- am+0x1280 f32[1,1,3,8]   @c2   ; c2 = y+296 y+296{576,16,96,1}

.part 20/24 core 7
.read
  r3    load         am+0x13c0 f32[1,1,3,8] <- dram+0x61e0 f32[1,1,3,8]{2304,64,384,4}   @c0   ; c2 = n3+312{576,16,96,1} n3+312
.compute
  c2    conv         am+0x1280 f32[1,3,1,8]{96,32,96,4} <- sm+0x0 f32[1,4,3,16], weight=am+0x0 f32[3,3,16,8], bias=am+0x1300 f32[8], residual=am+0x13c0 f32[1,3,1,8]{96,32,96,4}, act=relu stride=1,1 dilation=1,1 pad_begin=0,0   @k0.r12 @r3 @w1   ; c2 = r1+192{576,96,16,1} w2.folded+1152{3,1,9,144} y+312{576,96,16,1} c2.bias.folded+8 n3+312{576,96,16,1}
.write
  w2    store        dram+0x4fe0 f32[1,1,3,8]{2304,64,384,4} <- am+0x1280 f32[1,1,3,8]   @c2   ; c2 = y+312 y+312{576,16,96,1}

.part 21/24 core 8
.read
  r3    load         am+0x13c0 f32[1,1,3,8] <- dram+0x6220 f32[1,1,3,8]{2304,64,384,4}   ; c2 = n3+328{576,16,96,1} n3+328
.compute
  c2    conv         am+0x1280 f32[1,3,1,8]{96,32,96,4} <- sm+0x0 f32[1,4,3,16], weight=am+0x0 f32[3,3,16,8], bias=am+0x1300 f32[8], residual=am+0x13c0 f32[1,3,1,8]{96,32,96,4}, act=relu stride=1,1 dilation=1,1 pad_begin=0,0   @k0.r12 @r3 @w1   ; c2 = r1+208{576,96,16,1} w2.folded+1152{3,1,9,144} y+328{576,96,16,1} c2.bias.folded+8 n3+328{576,96,16,1}
.write
  w2    store        dram+0x5020 f32[1,1,3,8]{2304,64,384,4} <- am+0x1280 f32[1,1,3,8]   @c2   ; c2 = y+328 y+328{576,16,96,1}

.part 22/24 core 9
.read
  r3    load         am+0x13c0 f32[1,1,3,8] <- dram+0x6260 f32[1,1,3,8]{2304,64,384,4}   ; c2 = n3+344{576,16,96,1} n3+344
.compute
  c2    conv         am+0x1280 f32[1,3,1,8]{96,32,96,4} <- sm+0x0 f32[1,4,3,16], weight=am+0x0 f32[3,3,16,8], bias=am+0x1300 f32[8], residual=am+0x13c0 f32[1,3,1,8]{96,32,96,4}, act=relu stride=1,1 dilation=1,1 pad_begin=0,0   @k0.r12 @r3 @w1   ; c2 = r1+224{576,96,16,1} w2.folded+1152{3,1,9,144} y+344{576,96,16,1} c2.bias.folded+8 n3+344{576,96,16,1}
.write
  w2    store        dram+0x5060 f32[1,1,3,8]{2304,64,384,4} <- am+0x1280 f32[1,1,3,8]   @c2   ; c2 = y+344 y+344{576,16,96,1}

.part 23/24 core 10
.read
  r3    load         am+0x13c0 f32[1,1,3,8] <- dram+0x62a0 f32[1,1,3,8]{2304,64,384,4}   @c0   ; c2 = n3+360{576,16,96,1} n3+360
.compute
  c2    conv         am+0x1280 f32[1,3,1,8]{96,32,96,4} <- sm+0x0 f32[1,4,3,16], weight=am+0x0 f32[3,3,16,8], bias=am+0x1300 f32[8], residual=am+0x13c0 f32[1,3,1,8]{96,32,96,4}, act=relu stride=1,1 dilation=1,1 pad_begin=0,0   @k0.r12 @r3 @w1   ; c2 = r1+240{576,96,16,1} w2.folded+1152{3,1,9,144} y+360{576,96,16,1} c2.bias.folded+8 n3+360{576,96,16,1}
.write
  w2    store        dram+0x50a0 f32[1,1,3,8]{2304,64,384,4} <- am+0x1280 f32[1,1,3,8]   @c2   ; c2 = y+360 y+360{576,16,96,1}

.part 24/24 core 11
.read
  r3    load         am+0x13c0 f32[1,1,3,8] <- dram+0x62e0 f32[1,1,3,8]{2304,64,384,4}   ; c2 = n3+376{576,16,96,1} n3+376
.compute
  c2    conv         am+0x1280 f32[1,3,1,8]{96,32,96,4} <- sm+0x0 f32[1,4,2,16], weight=am+0x0 f32[3,3,16,8], bias=am+0x1300 f32[8], residual=am+0x13c0 f32[1,3,1,8]{96,32,96,4}, act=relu stride=1,1 dilation=1,1 pad_begin=0,0   @k0.r12 @r3 @w1   ; c2 = r1+256{576,96,16,1} w2.folded+1152{3,1,9,144} y+376{576,96,16,1} c2.bias.folded+8 n3+376{576,96,16,1}
.write
  w2    store        dram+0x50e0 f32[1,1,3,8]{2304,64,384,4} <- am+0x1280 f32[1,1,3,8]   @c2   ; c2 = y+376 y+376{576,16,96,1}
