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
.dram 25600
.hex 0000803d 0000d03f 0000a03f 0000603f 0000003f 0000003e 0000d83f 0000a83f
.hex 0000703f 0000103f 0000403e 0000e03f 0000b03f 0000803f 0000203f 0000803e
.hex 0000e83f 0000b83f 0000883f 0000303f 0000a03e 0000f03f 0000c03f 0000903f
.hex 0000003f 0000003e 0000d83f 0000a83f 0000703f 0000103f 0000403e 0000e03f
.hex 0000b03f 0000803f 0000203f 0000803e 0000e83f 0000b83f 0000883f 0000303f
.hex 0000a03e 0000f03f 0000c03f 0000903f 0000403f 0000c03e 0000f83f 0000c83f
.hex 0000703f 0000103f 0000403e 0000e03f 0000b03f 0000803f 0000203f 0000803e
.hex 0000e83f 0000b83f 0000883f 0000303f 0000a03e 0000f03f 0000c03f 0000903f
.hex 0000403f 0000c03e 0000f83f 0000c83f 0000983f 0000503f 0000e03e 0000803d
.hex 0000b03f 0000803f 0000203f 0000803e 0000e83f 0000b83f 0000883f 0000303f
.hex 0000a03e 0000f03f 0000c03f 0000903f 0000403f 0000c03e 0000f83f 0000c83f
.hex 0000983f 0000503f 0000e03e 0000803d 0000d03f 0000a03f 0000603f 0000003f
.hex 0000e83f 0000b83f 0000883f 0000303f 0000a03e 0000f03f 0000c03f 0000903f
.hex 0000403f 0000c03e 0000f83f 0000c83f 0000983f 0000503f 0000e03e 0000803d
.hex 0000d03f 0000a03f 0000603f 0000003f 0000003e 0000d83f 0000a83f 0000703f
.hex 0000a03e 0000f03f 0000c03f 0000903f 0000403f 0000c03e 0000f83f 0000c83f
.hex 0000983f 0000503f 0000e03e 0000803d 0000d03f 0000a03f 0000603f 0000003f
.hex 0000003e 0000d83f 0000a83f 0000703f 0000103f 0000403e 0000e03f 0000b03f
.hex 0000403f 0000c03e 0000f83f 0000c83f 0000983f 0000503f 0000e03e 0000803d
.hex 0000d03f 0000a03f 0000603f 0000003f 0000003e 0000d83f 0000a83f 0000703f
.hex 0000103f 0000403e 0000e03f 0000b03f 0000803f 0000203f 0000803e 0000e83f
.hex 0000983f 0000503f 0000e03e 0000803d 0000d03f 0000a03f 0000603f 0000003f
.hex 0000003e 0000d83f 0000a83f 0000703f 0000103f 0000403e 0000e03f 0000b03f
.hex 0000803f 0000203f 0000803e 0000e83f 0000b83f 0000883f 0000303f 0000a03e
.hex 0000003f 0000703f 0000b03f 0000e83f 0000a03e 0000403f 0000983f 0000d03f
.hex 0000003e 0000103f 0000803f 0000b83f 0000f03f 0000c03e 0000503f 0000a03f
.hex 0000d83f 0000403e 0000203f 0000883f 0000c03f 0000f83f 0000e03e 0000603f
.hex 00000000 00000000 00000000 00000000 00000000 00000000 00000000 00000000
.hex 0000703f 0000803f 0000883f 0000903f 0000983f 0000a03f 0000a83f 0000b03f
.hex 0000b83f 0000c03f 0000c83f 0000d03f 0000d83f 0000e03f 0000e83f 0000f03f
.hex 0000f83f 0000803d 0000003e 0000403e 0000803e 0000a03e 0000c03e 0000e03e
.hex 0000b03f 0000b83f 0000c03f 0000c83f 0000d03f 0000d83f 0000e03f 0000e83f
.hex 0000f03f 0000f83f 0000803d 0000003e 0000403e 0000803e 0000a03e 0000c03e
.hex 0000e03e 0000003f 0000103f 0000203f 0000303f 0000403f 0000503f 0000603f
.hex 0000e83f 0000f03f 0000f83f 0000803d 0000003e 0000403e 0000803e 0000a03e
.hex 0000c03e 0000e03e 0000003f 0000103f 0000203f 0000303f 0000403f 0000503f
.hex 0000603f 0000703f 0000803f 0000883f 0000903f 0000983f 0000a03f 0000a83f
.hex 0000a03e 0000c03e 0000e03e 0000003f 0000103f 0000203f 0000303f 0000403f
.hex 0000503f 0000603f 0000703f 0000803f 0000883f 0000903f 0000983f 0000a03f
.hex 0000a83f 0000b03f 0000b83f 0000c03f 0000c83f 0000d03f 0000d83f 0000e03f
.hex 0000403f 0000503f 0000603f 0000703f 0000803f 0000883f 0000903f 0000983f
.hex 0000a03f 0000a83f 0000b03f 0000b83f 0000c03f 0000c83f 0000d03f 0000d83f
.hex 0000e03f 0000e83f 0000f03f 0000f83f 0000803d 0000003e 0000403e 0000803e
.hex 0000983f 0000a03f 0000a83f 0000b03f 0000b83f 0000c03f 0000c83f 0000d03f
.hex 0000d83f 0000e03f 0000e83f 0000f03f 0000f83f 0000803d 0000003e 0000403e
.hex 0000803e 0000a03e 0000c03e 0000e03e 0000003f 0000103f 0000203f 0000303f
.hex 0000d03f 0000d83f 0000e03f 0000e83f 0000f03f 0000f83f 0000803d 0000003e
.hex 0000403e 0000803e 0000a03e 0000c03e 0000e03e 0000003f 0000103f 0000203f
.hex 0000303f 0000403f 0000503f 0000603f 0000703f 0000803f 0000883f 0000903f
.hex 0000003e 0000403e 0000803e 0000a03e 0000c03e 0000e03e 0000003f 0000103f
.hex 0000203f 0000303f 0000403f 0000503f 0000603f 0000703f 0000803f 0000883f
.hex 0000903f 0000983f 0000a03f 0000a83f 0000b03f 0000b83f 0000c03f 0000c83f
.hex 0000103f 0000203f 0000303f 0000403f 0000503f 0000603f 0000703f 0000803f
.hex 0000883f 0000903f 0000983f 0000a03f 0000a83f 0000b03f 0000b83f 0000c03f
.hex 0000c83f 0000d03f 0000d83f 0000e03f 0000e83f 0000f03f 0000f83f 0000803d
.hex 00000000 00000000 00000000 00000000 00000000 00000000 00000000 00000000
.hex 0000b03f 0000e83f 0000a03e 0000403f 0000983f 0000d03f 0000003e 0000103f
.hex 0000803f 0000b83f 0000f03f 0000c03e 0000503f 0000a03f 0000d83f 0000403e
.hex 0000203f 0000883f 0000c03f 0000f83f 0000e03e 0000603f 0000a83f 0000e03f
.hex 00000000 00000000 00000000 00000000 00000000 00000000 00000000 00000000
.hex 0000e83f 0000303f 0000c03f 0000c03e 0000983f 0000803d 0000603f 0000d83f
.hex 0000a03e 0000903f 0000f83f 0000503f 0000d03f 0000003f 0000a83f 0000403e
.hex 0000403f 0000c83f 0000e03e 0000a03f 0000003e 0000703f 0000e03f 0000203f
.hex 0000983f 0000803d 0000603f 0000d83f 0000103f 0000b03f 0000803e 0000883f
.hex 0000d03f 0000003f 0000a83f 0000403e 0000803f 0000e83f 0000303f 0000c03f
.hex 0000003e 0000703f 0000e03f 0000203f 0000b83f 0000a03e 0000903f 0000f83f
.hex 0000103f 0000b03f 0000803e 0000883f 0000f03f 0000403f 0000c83f 0000e03e
.hex 0000803f 0000e83f 0000303f 0000c03f 0000c03e 0000983f 0000803d 0000603f
.hex 0000b83f 0000a03e 0000903f 0000f83f 0000503f 0000d03f 0000003f 0000a83f
.hex 0000f03f 0000403f 0000c83f 0000e03e 0000a03f 0000003e 0000703f 0000e03f
.hex 0000c03e 0000983f 0000803d 0000603f 0000d83f 0000103f 0000b03f 0000803e
.hex 0000503f 0000d03f 0000003f 0000a83f 0000403e 0000803f 0000e83f 0000303f
.hex 0000a03f 0000003e 0000703f 0000e03f 0000203f 0000b83f 0000a03e 0000903f
.hex 0000d83f 0000103f 0000b03f 0000803e 0000883f 0000f03f 0000403f 0000c83f
.hex 0000403e 0000803f 0000e83f 0000303f 0000c03f 0000c03e 0000983f 0000803d
.hex 0000203f 0000b83f 0000a03e 0000903f 0000f83f 0000503f 0000d03f 0000003f
.hex 0000883f 0000f03f 0000403f 0000c83f 0000e03e 0000a03f 0000003e 0000703f
.hex 0000c03f 0000c03e 0000983f 0000803d 0000603f 0000d83f 0000103f 0000b03f
.hex 0000f83f 0000503f 0000d03f 0000003f 0000a83f 0000403e 0000803f 0000e83f
.hex 0000e03e 0000a03f 0000003e 0000703f 0000e03f 0000203f 0000b83f 0000a03e
.hex 0000603f 0000d83f 0000103f 0000b03f 0000803e 0000883f 0000f03f 0000403f
.hex 0000a83f 0000403e 0000803f 0000e83f 0000303f 0000c03f 0000c03e 0000983f
.hex 0000e03f 0000203f 0000b83f 0000a03e 0000903f 0000f83f 0000503f 0000d03f
.hex 0000803e 0000883f 0000f03f 0000403f 0000c83f 0000e03e 0000a03f 0000003e
.hex 0000a03e 0000403f 0000983f 0000d03f 0000003e 0000103f 0000803f 0000b83f
.hex 00000000 00000000 00000000 00000000 00000000 00000000 00000000 00000000
.hex 0000403f 0000c03e 0000f83f 0000c83f 0000983f 0000503f 0000e03e 0000803d
.hex 0000d03f 0000a03f 0000983f 0000503f 0000e03e 0000803d 0000d03f 0000a03f
.hex 0000603f 0000003f 0000003e 0000d83f 0000d03f 0000a03f 0000603f 0000003f
.hex 0000003e 0000d83f 0000a83f 0000703f 0000103f 0000403e 0000003e 0000d83f
.hex 0000a83f 0000703f 0000103f 0000403e 0000e03f 0000b03f 0000803f 0000203f
.hex 0000103f 0000403e 0000e03f 0000b03f 0000803f 0000203f 0000803e 0000e83f
.hex 0000b83f 0000883f 0000803f 0000203f 0000803e 0000e83f 0000b83f 0000883f
.hex 0000303f 0000a03e 0000f03f 0000c03f 0000b83f 0000883f 0000303f 0000a03e
.hex 0000f03f 0000c03f 0000903f 0000403f 0000c03e 0000f83f 0000f03f 0000c03f
.hex 0000903f 0000403f 0000c03e 0000f83f 0000c83f 0000983f 0000503f 0000e03e
.hex 0000983f 0000d03f 0000003e 0000103f 0000803f 0000b83f 0000f03f 0000c03e
.hex 0000503f 0000a03f 00000000 00000000 00000000 00000000 00000000 00000000
.tensor x input dram+0x5740 f32[1,8,10,10]{3200,4,320,32}
.tensor y output dram+0x63c0 f32[1,10]
.tensor r1 boundary dram+0xc40 f32[1,24,10,10]{9600,4,960,96}
.tensor r2 boundary dram+0x31c0 f32[1,24,10,10]{9600,4,960,96}
.tensor sum boundary dram+0xc40 f32[1,8,10,10]{3200,4,320,32}
.tensor pooled boundary dram+0x18c0 f32[1,8,1,1]{32,4,32,32}
.tensor logits boundary dram+0xc40 f32[1,10]
.tensor w1 constant dram+0x0 f32[1,1,8,24]
.tensor b1 constant dram+0x300 f32[24]
.tensor w2 constant dram+0x380 f32[1,3,3,24]
.tensor b2 constant dram+0x700 f32[24]
.tensor w3 constant dram+0x780 f32[1,1,24,8]
.tensor b3 constant dram+0xa80 f32[8]
.tensor logits.b.reordered constant dram+0xac0 f32[8,10]
.tensor b4 constant dram+0xc00 f32[10]
.fact floor_bytes 6224
.fact macs 60080
.fact peak_floor_cycles 54
.fact compute_floor_cycles 113
.fact dram_floor_cycles 260
.fact predicted_cycles 4332
.fact predicted_dram_bytes 76800

.group 0 single layers=c1 parts=10 reason="tiled alone, about 13664 B and 668 cycles; 10 cores by rows; estimated cycles: one core 779, 10 cores by rows 668, 5 x 2 cores by columns x rows 668, 2 x 6 cores by rows x columns 703"
.part 1/10 core 0
.read
  r0    broadcast    am+0x3c0 f32[1,1,8,24] <- dram+0x0 f32[1,1,8,24], cores=1023   ; c1 = w1+0{1,1,1,8} w1+0{1,1,1,8}
  r1    broadcast    am+0x6c0 f32[24] <- dram+0x300 f32[24], cores=1023   ; c1 = b1+0 b1+0
  r2    load         sm+0x0 f32[1,1,10,8] <- dram+0x5740 f32[1,1,10,8]{3200,320,32,4}   ; c1 = x+0 x+0
.compute
  c0    conv         am+0x0 f32[1,1,10,24] <- sm+0x0 f32[1,1,10,8], weight=am+0x3c0 f32[1,1,8,24], bias=am+0x6c0 f32[24], act=clip act_params=0.0,6.0 stride=1,1 dilation=1,1 pad_begin=0,0   @r2   ; c1 = x+0 w1+0{1,1,1,8} r1+0 b1+0
.write
  w0    store        dram+0xc40 f32[1,1,10,24]{9600,960,96,4} <- am+0x0 f32[1,1,10,24]   @c0   ; c1 = r1+0 r1+0

.part 2/10 core 1
.read
  r0    load         sm+0x0 f32[1,1,10,8] <- dram+0x5880 f32[1,1,10,8]{3200,320,32,4}   ; c1 = x+80 x+80
.compute
  c0    conv         am+0x0 f32[1,1,10,24] <- sm+0x0 f32[1,1,10,8], weight=am+0x3c0 f32[1,1,8,24], bias=am+0x6c0 f32[24], act=clip act_params=0.0,6.0 stride=1,1 dilation=1,1 pad_begin=0,0   @k0.r1 @r0   ; c1 = x+80 w1+0{1,1,1,8} r1+240 b1+0
.write
  w0    store        dram+0x1000 f32[1,1,10,24]{9600,960,96,4} <- am+0x0 f32[1,1,10,24]   @c0   ; c1 = r1+240 r1+240

.part 3/10 core 2
.read
  r0    load         sm+0x0 f32[1,1,10,8] <- dram+0x59c0 f32[1,1,10,8]{3200,320,32,4}   ; c1 = x+160 x+160
.compute
  c0    conv         am+0x0 f32[1,1,10,24] <- sm+0x0 f32[1,1,10,8], weight=am+0x3c0 f32[1,1,8,24], bias=am+0x6c0 f32[24], act=clip act_params=0.0,6.0 stride=1,1 dilation=1,1 pad_begin=0,0   @k0.r1 @r0   ; c1 = x+160 w1+0{1,1,1,8} r1+480 b1+0
.write
  w0    store        dram+0x13c0 f32[1,1,10,24]{9600,960,96,4} <- am+0x0 f32[1,1,10,24]   @c0   ; c1 = r1+480 r1+480

.part 4/10 core 3
.read
  r0    load         sm+0x0 f32[1,1,10,8] <- dram+0x5b00 f32[1,1,10,8]{3200,320,32,4}   ; c1 = x+240 x+240
.compute
  c0    conv         am+0x0 f32[1,1,10,24] <- sm+0x0 f32[1,1,10,8], weight=am+0x3c0 f32[1,1,8,24], bias=am+0x6c0 f32[24], act=clip act_params=0.0,6.0 stride=1,1 dilation=1,1 pad_begin=0,0   @k0.r1 @r0   ; c1 = x+240 w1+0{1,1,1,8} r1+720 b1+0
.write
  w0    store        dram+0x1780 f32[1,1,10,24]{9600,960,96,4} <- am+0x0 f32[1,1,10,24]   @c0   ; c1 = r1+720 r1+720

.part 5/10 core 4
.read
  r0    load         sm+0x0 f32[1,1,10,8] <- dram+0x5c40 f32[1,1,10,8]{3200,320,32,4}   ; c1 = x+320 x+320
.compute
  c0    conv         am+0x0 f32[1,1,10,24] <- sm+0x0 f32[1,1,10,8], weight=am+0x3c0 f32[1,1,8,24], bias=am+0x6c0 f32[24], act=clip act_params=0.0,6.0 stride=1,1 dilation=1,1 pad_begin=0,0   @k0.r1 @r0   ; c1 = x+320 w1+0{1,1,1,8} r1+960 b1+0
.write
  w0    store        dram+0x1b40 f32[1,1,10,24]{9600,960,96,4} <- am+0x0 f32[1,1,10,24]   @c0   ; c1 = r1+960 r1+960

.part 6/10 core 5
.read
  r0    load         sm+0x0 f32[1,1,10,8] <- dram+0x5d80 f32[1,1,10,8]{3200,320,32,4}   ; c1 = x+400 x+400
.compute
  c0    conv         am+0x0 f32[1,1,10,24] <- sm+0x0 f32[1,1,10,8], weight=am+0x3c0 f32[1,1,8,24], bias=am+0x6c0 f32[24], act=clip act_params=0.0,6.0 stride=1,1 dilation=1,1 pad_begin=0,0   @k0.r1 @r0   ; c1 = x+400 w1+0{1,1,1,8} r1+1200 b1+0
.write
  w0    store        dram+0x1f00 f32[1,1,10,24]{9600,960,96,4} <- am+0x0 f32[1,1,10,24]   @c0   ; c1 = r1+1200 r1+1200

.part 7/10 core 6
.read
  r0    load         sm+0x0 f32[1,1,10,8] <- dram+0x5ec0 f32[1,1,10,8]{3200,320,32,4}   ; c1 = x+480 x+480
.compute
  c0    conv         am+0x0 f32[1,1,10,24] <- sm+0x0 f32[1,1,10,8], weight=am+0x3c0 f32[1,1,8,24], bias=am+0x6c0 f32[24], act=clip act_params=0.0,6.0 stride=1,1 dilation=1,1 pad_begin=0,0   @k0.r1 @r0   ; c1 = x+480 w1+0{1,1,1,8} r1+1440 b1+0
.write
  w0    store        dram+0x22c0 f32[1,1,10,24]{9600,960,96,4} <- am+0x0 f32[1,1,10,24]   @c0   ; c1 = r1+1440 r1+1440

.part 8/10 core 7
.read
  r0    load         sm+0x0 f32[1,1,10,8] <- dram+0x6000 f32[1,1,10,8]{3200,320,32,4}   ; c1 = x+560 x+560
.compute
  c0    conv         am+0x0 f32[1,1,10,24] <- sm+0x0 f32[1,1,10,8], weight=am+0x3c0 f32[1,1,8,24], bias=am+0x6c0 f32[24], act=clip act_params=0.0,6.0 stride=1,1 dilation=1,1 pad_begin=0,0   @k0.r1 @r0   ; c1 = x+560 w1+0{1,1,1,8} r1+1680 b1+0
.write
  w0    store        dram+0x2680 f32[1,1,10,24]{9600,960,96,4} <- am+0x0 f32[1,1,10,24]   @c0   ; c1 = r1+1680 r1+1680

.part 9/10 core 8
.read
  r0    load         sm+0x0 f32[1,1,10,8] <- dram+0x6140 f32[1,1,10,8]{3200,320,32,4}   ; c1 = x+640 x+640
.compute
  c0    conv         am+0x0 f32[1,1,10,24] <- sm+0x0 f32[1,1,10,8], weight=am+0x3c0 f32[1,1,8,24], bias=am+0x6c0 f32[24], act=clip act_params=0.0,6.0 stride=1,1 dilation=1,1 pad_begin=0,0   @k0.r1 @r0   ; c1 = x+640 w1+0{1,1,1,8} r1+1920 b1+0
.write
  w0    store        dram+0x2a40 f32[1,1,10,24]{9600,960,96,4} <- am+0x0 f32[1,1,10,24]   @c0   ; c1 = r1+1920 r1+1920

.part 10/10 core 9
.read
  r0    load         sm+0x0 f32[1,1,10,8] <- dram+0x6280 f32[1,1,10,8]{3200,320,32,4}   ; c1 = x+720 x+720
.compute
  c0    conv         am+0x0 f32[1,1,10,24] <- sm+0x0 f32[1,1,10,8], weight=am+0x3c0 f32[1,1,8,24], bias=am+0x6c0 f32[24], act=clip act_params=0.0,6.0 stride=1,1 dilation=1,1 pad_begin=0,0   @k0.r1 @r0   ; c1 = x+720 w1+0{1,1,1,8} r1+2160 b1+0
.write
  w0    store        dram+0x2e00 f32[1,1,10,24]{9600,960,96,4} <- am+0x0 f32[1,1,10,24]   @c0   ; c1 = r1+2160 r1+2160

.group 1 single layers=c2 parts=20 reason="tiled alone, about 41280 B and 1925 cycles; 5 x 2 cores by columns x rows; estimated cycles: one core 2068, 5 x 2 cores by rows x columns 1976, 5 x 2 cores by columns x rows 1925, 2 x 6 cores by rows x columns 2181"
.part 1/20 core 0
.read
  r3    broadcast    am+0x740 f32[1,3,3,24] <- dram+0x380 f32[1,3,3,24], cores=1023   ; c2 = w2+0{9,3,1,9} w2+0{9,3,1,9}
  r4    broadcast    am+0xac0 f32[24] <- dram+0x700 f32[24], cores=1023   ; c2 = b2+0 b2+0
.compute
  c1    conv         am+0x380 f32[1,3,2,24] <- sm+0x0 f32[1,4,3,24], weight=am+0x740 f32[3,3,1,24]{288,96,864,4}, bias=am+0xac0 f32[24], act=clip act_params=0.0,6.0 stride=1,1 dilation=1,1 pad_begin=1,1 groups=24   @r9   ; c2 = r1+0{2400,240,24,1} w2+0{3,1,9,9} r2+0{2400,240,24,1} b2+0
.write
  w1    store        dram+0x31c0 f32[1,3,2,24]{9600,960,96,4} <- am+0x380 f32[1,3,2,24]   @c1   ; c2 = r2+0 r2+0{2400,240,24,1}

.part 2/20 core 1
.read
  r1    load         sm+0x0 f32[1,5,3,24] <- dram+0x1b40 f32[1,5,3,24]{9600,960,96,4}   @c0 @k4.w0 @k5.w0 @k6.w0 @k7.w0 @k8.w0   ; c2 = r1+960{2400,240,24,1} r1+960
.compute
  c1    conv         am+0x380 f32[1,3,2,24] <- sm+0x0 f32[1,5,3,24], weight=am+0x740 f32[3,3,1,24]{288,96,864,4}, bias=am+0xac0 f32[24], act=clip act_params=0.0,6.0 stride=1,1 dilation=1,1 pad_begin=0,1 groups=24   @k0.r4 @r1 @w0   ; c2 = r1+960{2400,240,24,1} w2+0{3,1,9,9} r2+1200{2400,240,24,1} b2+0
.write
  w1    store        dram+0x4480 f32[1,3,2,24]{9600,960,96,4} <- am+0x380 f32[1,3,2,24]   @c1   ; c2 = r2+1200 r2+1200{2400,240,24,1}

.part 3/20 core 2
.read
  r1    load         sm+0x0 f32[1,4,4,24] <- dram+0xca0 f32[1,4,4,24]{9600,960,96,4}   @k0.w0 @k1.w0 @w0 @k3.w0   ; c2 = r1+24{2400,240,24,1} r1+24
.compute
  c1    conv         am+0x380 f32[1,3,2,24] <- sm+0x0 f32[1,4,4,24], weight=am+0x740 f32[3,3,1,24]{288,96,864,4}, bias=am+0xac0 f32[24], act=clip act_params=0.0,6.0 stride=1,1 dilation=1,1 pad_begin=1,0 groups=24   @k0.r4 @r1   ; c2 = r1+24{2400,240,24,1} w2+0{3,1,9,9} r2+48{2400,240,24,1} b2+0
.write
  w1    store        dram+0x3280 f32[1,3,2,24]{9600,960,96,4} <- am+0x380 f32[1,3,2,24]   @c1   ; c2 = r2+48 r2+48{2400,240,24,1}

.part 4/20 core 3
.read
  r1    load         sm+0x0 f32[1,5,4,24] <- dram+0x1ba0 f32[1,5,4,24]{9600,960,96,4}   @c0 @k4.w0 @k5.w0 @k6.w0 @k7.w0 @k8.w0   ; c2 = r1+984{2400,240,24,1} r1+984
.compute
  c1    conv         am+0x380 f32[1,3,2,24] <- sm+0x0 f32[1,5,4,24], weight=am+0x740 f32[3,3,1,24]{288,96,864,4}, bias=am+0xac0 f32[24], act=clip act_params=0.0,6.0 stride=1,1 dilation=1,1 pad_begin=0,0 groups=24   @k0.r4 @r1 @w0   ; c2 = r1+984{2400,240,24,1} w2+0{3,1,9,9} r2+1248{2400,240,24,1} b2+0
.write
  w1    store        dram+0x4540 f32[1,3,2,24]{9600,960,96,4} <- am+0x380 f32[1,3,2,24]   @c1   ; c2 = r2+1248 r2+1248{2400,240,24,1}

.part 5/20 core 4
.read
  r1    load         sm+0x0 f32[1,4,4,24] <- dram+0xd60 f32[1,4,4,24]{9600,960,96,4}   @k0.w0 @k1.w0 @k2.w0 @k3.w0 @c0   ; c2 = r1+72{2400,240,24,1} r1+72
.compute
  c1    conv         am+0x380 f32[1,3,2,24] <- sm+0x0 f32[1,4,4,24], weight=am+0x740 f32[3,3,1,24]{288,96,864,4}, bias=am+0xac0 f32[24], act=clip act_params=0.0,6.0 stride=1,1 dilation=1,1 pad_begin=1,0 groups=24   @k0.r4 @r1 @w0   ; c2 = r1+72{2400,240,24,1} w2+0{3,1,9,9} r2+96{2400,240,24,1} b2+0
.write
  w1    store        dram+0x3340 f32[1,3,2,24]{9600,960,96,4} <- am+0x380 f32[1,3,2,24]   @c1   ; c2 = r2+96 r2+96{2400,240,24,1}

.part 6/20 core 5
.read
  r1    load         sm+0x0 f32[1,5,4,24] <- dram+0x1c60 f32[1,5,4,24]{9600,960,96,4}   @k4.w0 @w0 @k6.w0 @k7.w0 @k8.w0   ; c2 = r1+1032{2400,240,24,1} r1+1032
.compute
  c1    conv         am+0x380 f32[1,3,2,24] <- sm+0x0 f32[1,5,4,24], weight=am+0x740 f32[3,3,1,24]{288,96,864,4}, bias=am+0xac0 f32[24], act=clip act_params=0.0,6.0 stride=1,1 dilation=1,1 pad_begin=0,0 groups=24   @k0.r4 @r1   ; c2 = r1+1032{2400,240,24,1} w2+0{3,1,9,9} r2+1296{2400,240,24,1} b2+0
.write
  w1    store        dram+0x4600 f32[1,3,2,24]{9600,960,96,4} <- am+0x380 f32[1,3,2,24]   @c1   ; c2 = r2+1296 r2+1296{2400,240,24,1}

.part 7/20 core 6
.read
  r1    load         sm+0x0 f32[1,4,4,24] <- dram+0xe20 f32[1,4,4,24]{9600,960,96,4}   @k0.w0 @k1.w0 @k2.w0 @k3.w0 @c0   ; c2 = r1+120{2400,240,24,1} r1+120
.compute
  c1    conv         am+0x380 f32[1,3,2,24] <- sm+0x0 f32[1,4,4,24], weight=am+0x740 f32[3,3,1,24]{288,96,864,4}, bias=am+0xac0 f32[24], act=clip act_params=0.0,6.0 stride=1,1 dilation=1,1 pad_begin=1,0 groups=24   @k0.r4 @r1 @w0   ; c2 = r1+120{2400,240,24,1} w2+0{3,1,9,9} r2+144{2400,240,24,1} b2+0
.write
  w1    store        dram+0x3400 f32[1,3,2,24]{9600,960,96,4} <- am+0x380 f32[1,3,2,24]   @c1   ; c2 = r2+144 r2+144{2400,240,24,1}

.part 8/20 core 7
.read
  r1    load         sm+0x0 f32[1,5,4,24] <- dram+0x1d20 f32[1,5,4,24]{9600,960,96,4}   @k4.w0 @k5.w0 @k6.w0 @w0 @k8.w0   ; c2 = r1+1080{2400,240,24,1} r1+1080
.compute
  c1    conv         am+0x380 f32[1,3,2,24] <- sm+0x0 f32[1,5,4,24], weight=am+0x740 f32[3,3,1,24]{288,96,864,4}, bias=am+0xac0 f32[24], act=clip act_params=0.0,6.0 stride=1,1 dilation=1,1 pad_begin=0,0 groups=24   @k0.r4 @r1   ; c2 = r1+1080{2400,240,24,1} w2+0{3,1,9,9} r2+1344{2400,240,24,1} b2+0
.write
  w1    store        dram+0x46c0 f32[1,3,2,24]{9600,960,96,4} <- am+0x380 f32[1,3,2,24]   @c1   ; c2 = r2+1344 r2+1344{2400,240,24,1}

.part 9/20 core 8
.read
  r1    load         sm+0x0 f32[1,4,3,24] <- dram+0xee0 f32[1,4,3,24]{9600,960,96,4}   @k0.w0 @k1.w0 @k2.w0 @k3.w0 @c0   ; c2 = r1+168{2400,240,24,1} r1+168
.compute
  c1    conv         am+0x380 f32[1,3,2,24] <- sm+0x0 f32[1,4,3,24], weight=am+0x740 f32[3,3,1,24]{288,96,864,4}, bias=am+0xac0 f32[24], act=clip act_params=0.0,6.0 stride=1,1 dilation=1,1 pad_begin=1,0 groups=24   @k0.r4 @r1 @w0   ; c2 = r1+168{2400,240,24,1} w2+0{3,1,9,9} r2+192{2400,240,24,1} b2+0
.write
  w1    store        dram+0x34c0 f32[1,3,2,24]{9600,960,96,4} <- am+0x380 f32[1,3,2,24]   @c1   ; c2 = r2+192 r2+192{2400,240,24,1}

.part 10/20 core 9
.read
  r1    load         sm+0x0 f32[1,5,3,24] <- dram+0x1de0 f32[1,5,3,24]{9600,960,96,4}   @k4.w0 @k5.w0 @k6.w0 @k7.w0 @k8.w0 @c0   ; c2 = r1+1128{2400,240,24,1} r1+1128
.compute
  c1    conv         am+0x380 f32[1,3,2,24] <- sm+0x0 f32[1,5,3,24], weight=am+0x740 f32[3,3,1,24]{288,96,864,4}, bias=am+0xac0 f32[24], act=clip act_params=0.0,6.0 stride=1,1 dilation=1,1 pad_begin=0,0 groups=24   @k0.r4 @r1 @w0   ; c2 = r1+1128{2400,240,24,1} w2+0{3,1,9,9} r2+1392{2400,240,24,1} b2+0
.write
  w1    store        dram+0x4780 f32[1,3,2,24]{9600,960,96,4} <- am+0x380 f32[1,3,2,24]   @c1   ; c2 = r2+1392 r2+1392{2400,240,24,1}

.part 11/20 core 0
.compute
  c2    conv         am+0x380 f32[1,2,2,24] <- sm+0x0 f32[1,4,3,24], weight=am+0x740 f32[3,3,1,24]{288,96,864,4}, bias=am+0xac0 f32[24], act=clip act_params=0.0,6.0 stride=1,1 dilation=1,1 pad_begin=0,1 groups=24   @r10 @w1   ; c2 = r1+480{2400,240,24,1} w2+0{3,1,9,9} r2+720{2400,240,24,1} b2+0
.write
  w2    store        dram+0x3d00 f32[1,2,2,24]{9600,960,96,4} <- am+0x380 f32[1,2,2,24]   @c2   ; c2 = r2+720 r2+720{2400,240,24,1}

.part 12/20 core 1
.read
  r2    load         sm+0x0 f32[1,3,3,24] <- dram+0x2680 f32[1,3,3,24]{9600,960,96,4}   @c1 @k9.w0   ; c2 = r1+1680{2400,240,24,1} r1+1680
.compute
  c2    conv         am+0x380 f32[1,2,2,24] <- sm+0x0 f32[1,3,3,24], weight=am+0x740 f32[3,3,1,24]{288,96,864,4}, bias=am+0xac0 f32[24], act=clip act_params=0.0,6.0 stride=1,1 dilation=1,1 pad_begin=0,1 groups=24   @r2 @w1   ; c2 = r1+1680{2400,240,24,1} w2+0{3,1,9,9} r2+1920{2400,240,24,1} b2+0
.write
  w2    store        dram+0x4fc0 f32[1,2,2,24]{9600,960,96,4} <- am+0x380 f32[1,2,2,24]   @c2   ; c2 = r2+1920 r2+1920{2400,240,24,1}

.part 13/20 core 2
.read
  r2    load         sm+0x0 f32[1,4,4,24] <- dram+0x1420 f32[1,4,4,24]{9600,960,96,4}   @c1 @k4.w0 @k5.w0   ; c2 = r1+504{2400,240,24,1} r1+504
.compute
  c2    conv         am+0x380 f32[1,2,2,24] <- sm+0x0 f32[1,4,4,24], weight=am+0x740 f32[3,3,1,24]{288,96,864,4}, bias=am+0xac0 f32[24], act=clip act_params=0.0,6.0 stride=1,1 dilation=1,1 pad_begin=0,0 groups=24   @r2 @w1   ; c2 = r1+504{2400,240,24,1} w2+0{3,1,9,9} r2+768{2400,240,24,1} b2+0
.write
  w2    store        dram+0x3dc0 f32[1,2,2,24]{9600,960,96,4} <- am+0x380 f32[1,2,2,24]   @c2   ; c2 = r2+768 r2+768{2400,240,24,1}

.part 14/20 core 3
.read
  r2    load         sm+0x0 f32[1,3,4,24] <- dram+0x26e0 f32[1,3,4,24]{9600,960,96,4}   @c1 @k9.w0   ; c2 = r1+1704{2400,240,24,1} r1+1704
.compute
  c2    conv         am+0x380 f32[1,2,2,24] <- sm+0x0 f32[1,3,4,24], weight=am+0x740 f32[3,3,1,24]{288,96,864,4}, bias=am+0xac0 f32[24], act=clip act_params=0.0,6.0 stride=1,1 dilation=1,1 pad_begin=0,0 groups=24   @r2 @w1   ; c2 = r1+1704{2400,240,24,1} w2+0{3,1,9,9} r2+1968{2400,240,24,1} b2+0
.write
  w2    store        dram+0x5080 f32[1,2,2,24]{9600,960,96,4} <- am+0x380 f32[1,2,2,24]   @c2   ; c2 = r2+1968 r2+1968{2400,240,24,1}

.part 15/20 core 4
.read
  r2    load         sm+0x0 f32[1,4,4,24] <- dram+0x14e0 f32[1,4,4,24]{9600,960,96,4}   @c1 @k5.w0   ; c2 = r1+552{2400,240,24,1} r1+552
.compute
  c2    conv         am+0x380 f32[1,2,2,24] <- sm+0x0 f32[1,4,4,24], weight=am+0x740 f32[3,3,1,24]{288,96,864,4}, bias=am+0xac0 f32[24], act=clip act_params=0.0,6.0 stride=1,1 dilation=1,1 pad_begin=0,0 groups=24   @r2 @w1   ; c2 = r1+552{2400,240,24,1} w2+0{3,1,9,9} r2+816{2400,240,24,1} b2+0
.write
  w2    store        dram+0x3e80 f32[1,2,2,24]{9600,960,96,4} <- am+0x380 f32[1,2,2,24]   @c2   ; c2 = r2+816 r2+816{2400,240,24,1}

.part 16/20 core 5
.read
  r2    load         sm+0x0 f32[1,3,4,24] <- dram+0x27a0 f32[1,3,4,24]{9600,960,96,4}   @c1 @k9.w0   ; c2 = r1+1752{2400,240,24,1} r1+1752
.compute
  c2    conv         am+0x380 f32[1,2,2,24] <- sm+0x0 f32[1,3,4,24], weight=am+0x740 f32[3,3,1,24]{288,96,864,4}, bias=am+0xac0 f32[24], act=clip act_params=0.0,6.0 stride=1,1 dilation=1,1 pad_begin=0,0 groups=24   @r2 @w1   ; c2 = r1+1752{2400,240,24,1} w2+0{3,1,9,9} r2+2016{2400,240,24,1} b2+0
.write
  w2    store        dram+0x5140 f32[1,2,2,24]{9600,960,96,4} <- am+0x380 f32[1,2,2,24]   @c2   ; c2 = r2+2016 r2+2016{2400,240,24,1}

.part 17/20 core 6
.read
  r2    load         sm+0x0 f32[1,4,4,24] <- dram+0x15a0 f32[1,4,4,24]{9600,960,96,4}   @k4.w0 @k5.w0 @c1   ; c2 = r1+600{2400,240,24,1} r1+600
.compute
  c2    conv         am+0x380 f32[1,2,2,24] <- sm+0x0 f32[1,4,4,24], weight=am+0x740 f32[3,3,1,24]{288,96,864,4}, bias=am+0xac0 f32[24], act=clip act_params=0.0,6.0 stride=1,1 dilation=1,1 pad_begin=0,0 groups=24   @r2 @w1   ; c2 = r1+600{2400,240,24,1} w2+0{3,1,9,9} r2+864{2400,240,24,1} b2+0
.write
  w2    store        dram+0x3f40 f32[1,2,2,24]{9600,960,96,4} <- am+0x380 f32[1,2,2,24]   @c2   ; c2 = r2+864 r2+864{2400,240,24,1}

.part 18/20 core 7
.read
  r2    load         sm+0x0 f32[1,3,4,24] <- dram+0x2860 f32[1,3,4,24]{9600,960,96,4}   @c1 @k9.w0   ; c2 = r1+1800{2400,240,24,1} r1+1800
.compute
  c2    conv         am+0x380 f32[1,2,2,24] <- sm+0x0 f32[1,3,4,24], weight=am+0x740 f32[3,3,1,24]{288,96,864,4}, bias=am+0xac0 f32[24], act=clip act_params=0.0,6.0 stride=1,1 dilation=1,1 pad_begin=0,0 groups=24   @r2 @w1   ; c2 = r1+1800{2400,240,24,1} w2+0{3,1,9,9} r2+2064{2400,240,24,1} b2+0
.write
  w2    store        dram+0x5200 f32[1,2,2,24]{9600,960,96,4} <- am+0x380 f32[1,2,2,24]   @c2   ; c2 = r2+2064 r2+2064{2400,240,24,1}

.part 19/20 core 8
.read
  r2    load         sm+0x0 f32[1,4,3,24] <- dram+0x1660 f32[1,4,3,24]{9600,960,96,4}   @k4.w0 @k5.w0 @c1   ; c2 = r1+648{2400,240,24,1} r1+648
.compute
  c2    conv         am+0x380 f32[1,2,2,24] <- sm+0x0 f32[1,4,3,24], weight=am+0x740 f32[3,3,1,24]{288,96,864,4}, bias=am+0xac0 f32[24], act=clip act_params=0.0,6.0 stride=1,1 dilation=1,1 pad_begin=0,0 groups=24   @r2 @w1   ; c2 = r1+648{2400,240,24,1} w2+0{3,1,9,9} r2+912{2400,240,24,1} b2+0
.write
  w2    store        dram+0x4000 f32[1,2,2,24]{9600,960,96,4} <- am+0x380 f32[1,2,2,24]   @c2   ; c2 = r2+912 r2+912{2400,240,24,1}

.part 20/20 core 9
.read
  r2    load         sm+0x0 f32[1,3,3,24] <- dram+0x2920 f32[1,3,3,24]{9600,960,96,4}   @c1   ; c2 = r1+1848{2400,240,24,1} r1+1848
.compute
  c2    conv         am+0x380 f32[1,2,2,24] <- sm+0x0 f32[1,3,3,24], weight=am+0x740 f32[3,3,1,24]{288,96,864,4}, bias=am+0xac0 f32[24], act=clip act_params=0.0,6.0 stride=1,1 dilation=1,1 pad_begin=0,0 groups=24   @r2 @w1   ; c2 = r1+1848{2400,240,24,1} w2+0{3,1,9,9} r2+2112{2400,240,24,1} b2+0
.write
  w2    store        dram+0x52c0 f32[1,2,2,24]{9600,960,96,4} <- am+0x380 f32[1,2,2,24]   @c2   ; c2 = r2+2112 r2+2112{2400,240,24,1}

.group 2 single layers=c3 parts=10 reason="tiled alone, about 16800 B and 874 cycles; 10 cores by rows; estimated cycles: one core 1220, 10 cores by rows 874, 5 x 2 cores by columns x rows 874, 5 x 2 cores by rows x columns 928"
.part 1/10 core 0
.read
  r5    broadcast    am+0xb40 f32[1,1,24,8] <- dram+0x780 f32[1,1,24,8], cores=1023   ; c3 = w3+0{1,1,1,24} w3+0{1,1,1,24}
  r6    broadcast    am+0xe40 f32[8] <- dram+0xa80 f32[8], cores=1023   ; c3 = b3+0 b3+0
.compute
  c3    conv         am+0x440 f32[1,1,10,8] <- sm+0x0 f32[1,1,10,24], weight=am+0xb40 f32[1,1,24,8], bias=am+0xe40 f32[8], residual=am+0x300 f32[1,1,10,8], stride=1,1 dilation=1,1 pad_begin=0,0   @r12   ; c3 = r2+0 w3+0{1,1,1,24} sum+0 b3+0 x+0
.write
  w3    store        dram+0xc40 f32[1,1,10,8]{3200,320,32,4} <- am+0x440 f32[1,1,10,8]   @c3   ; c3 = sum+0 sum+0

.part 2/10 core 1
.read
  r3    load         sm+0x0 f32[1,1,10,24] <- dram+0x3580 f32[1,1,10,24]{9600,960,96,4}   @k0.w1 @c2 @k2.w1 @k4.w1 @k6.w1 @k8.w1   ; c3 = r2+240 r2+240
  r4    load         am+0x300 f32[1,1,10,8] <- dram+0x5880 f32[1,1,10,8]{3200,320,32,4}   @w2   ; c3 = x+80 x+80
.compute
  c3    conv         am+0x440 f32[1,1,10,8] <- sm+0x0 f32[1,1,10,24], weight=am+0xb40 f32[1,1,24,8], bias=am+0xe40 f32[8], residual=am+0x300 f32[1,1,10,8], stride=1,1 dilation=1,1 pad_begin=0,0   @r4   ; c3 = r2+240 w3+0{1,1,1,24} sum+80 b3+0 x+80
.write
  w3    store        dram+0xd80 f32[1,1,10,8]{3200,320,32,4} <- am+0x440 f32[1,1,10,8]   @c3   ; c3 = sum+80 sum+80

.part 3/10 core 2
.read
  r3    load         sm+0x0 f32[1,1,10,24] <- dram+0x3940 f32[1,1,10,24]{9600,960,96,4}   @k0.w1 @c2 @k4.w1 @k6.w1 @k8.w1   ; c3 = r2+480 r2+480
  r4    load         am+0x300 f32[1,1,10,8] <- dram+0x59c0 f32[1,1,10,8]{3200,320,32,4}   @w2   ; c3 = x+160 x+160
.compute
  c3    conv         am+0x440 f32[1,1,10,8] <- sm+0x0 f32[1,1,10,24], weight=am+0xb40 f32[1,1,24,8], bias=am+0xe40 f32[8], residual=am+0x300 f32[1,1,10,8], stride=1,1 dilation=1,1 pad_begin=0,0   @r4   ; c3 = r2+480 w3+0{1,1,1,24} sum+160 b3+0 x+160
.write
  w3    store        dram+0xec0 f32[1,1,10,8]{3200,320,32,4} <- am+0x440 f32[1,1,10,8]   @c3   ; c3 = sum+160 sum+160

.part 4/10 core 3
.read
  r3    load         sm+0x0 f32[1,1,10,24] <- dram+0x3d00 f32[1,1,10,24]{9600,960,96,4}   @k0.w2 @k2.w2 @c2 @k4.w2 @k6.w2 @k8.w2   ; c3 = r2+720 r2+720
  r4    load         am+0x300 f32[1,1,10,8] <- dram+0x5b00 f32[1,1,10,8]{3200,320,32,4}   @w2   ; c3 = x+240 x+240
.compute
  c3    conv         am+0x440 f32[1,1,10,8] <- sm+0x0 f32[1,1,10,24], weight=am+0xb40 f32[1,1,24,8], bias=am+0xe40 f32[8], residual=am+0x300 f32[1,1,10,8], stride=1,1 dilation=1,1 pad_begin=0,0   @r4   ; c3 = r2+720 w3+0{1,1,1,24} sum+240 b3+0 x+240
.write
  w3    store        dram+0x1000 f32[1,1,10,8]{3200,320,32,4} <- am+0x440 f32[1,1,10,8]   @c3   ; c3 = sum+240 sum+240

.part 5/10 core 4
.read
  r3    load         sm+0x0 f32[1,1,10,24] <- dram+0x40c0 f32[1,1,10,24]{9600,960,96,4}   @k0.w2 @k2.w2 @w2 @k6.w2 @k8.w2   ; c3 = r2+960 r2+960
  r4    load         am+0x300 f32[1,1,10,8] <- dram+0x5c40 f32[1,1,10,8]{3200,320,32,4}   ; c3 = x+320 x+320
.compute
  c3    conv         am+0x440 f32[1,1,10,8] <- sm+0x0 f32[1,1,10,24], weight=am+0xb40 f32[1,1,24,8], bias=am+0xe40 f32[8], residual=am+0x300 f32[1,1,10,8], stride=1,1 dilation=1,1 pad_begin=0,0   @r4   ; c3 = r2+960 w3+0{1,1,1,24} sum+320 b3+0 x+320
.write
  w3    store        dram+0x1140 f32[1,1,10,8]{3200,320,32,4} <- am+0x440 f32[1,1,10,8]   @c3   ; c3 = sum+320 sum+320

.part 6/10 core 5
.read
  r3    load         sm+0x0 f32[1,1,10,24] <- dram+0x4480 f32[1,1,10,24]{9600,960,96,4}   @k1.w1 @k3.w1 @c2 @k7.w1 @k9.w1   ; c3 = r2+1200 r2+1200
  r4    load         am+0x300 f32[1,1,10,8] <- dram+0x5d80 f32[1,1,10,8]{3200,320,32,4}   @w2   ; c3 = x+400 x+400
.compute
  c3    conv         am+0x440 f32[1,1,10,8] <- sm+0x0 f32[1,1,10,24], weight=am+0xb40 f32[1,1,24,8], bias=am+0xe40 f32[8], residual=am+0x300 f32[1,1,10,8], stride=1,1 dilation=1,1 pad_begin=0,0   @k0.r6 @r4   ; c3 = r2+1200 w3+0{1,1,1,24} sum+400 b3+0 x+400
.write
  w3    store        dram+0x1280 f32[1,1,10,8]{3200,320,32,4} <- am+0x440 f32[1,1,10,8]   @k4.r1 @c3 @k6.r1 @k8.r1   ; c3 = sum+400 sum+400

.part 7/10 core 6
.read
  r3    load         sm+0x0 f32[1,1,10,24] <- dram+0x4840 f32[1,1,10,24]{9600,960,96,4}   @k1.w1 @k3.w1 @k5.w1 @c2 @k7.w1 @k9.w1   ; c3 = r2+1440 r2+1440
  r4    load         am+0x300 f32[1,1,10,8] <- dram+0x5ec0 f32[1,1,10,8]{3200,320,32,4}   @w2   ; c3 = x+480 x+480
.compute
  c3    conv         am+0x440 f32[1,1,10,8] <- sm+0x0 f32[1,1,10,24], weight=am+0xb40 f32[1,1,24,8], bias=am+0xe40 f32[8], residual=am+0x300 f32[1,1,10,8], stride=1,1 dilation=1,1 pad_begin=0,0   @k0.r6 @r4   ; c3 = r2+1440 w3+0{1,1,1,24} sum+480 b3+0 x+480
.write
  w3    store        dram+0x13c0 f32[1,1,10,8]{3200,320,32,4} <- am+0x440 f32[1,1,10,8]   @k0.r10 @k2.r2 @k4.r2 @c3   ; c3 = sum+480 sum+480

.part 8/10 core 7
.read
  r3    load         sm+0x0 f32[1,1,10,24] <- dram+0x4c00 f32[1,1,10,24]{9600,960,96,4}   @k1.w1 @k3.w1 @k5.w1 @c2 @k9.w1   ; c3 = r2+1680 r2+1680
  r4    load         am+0x300 f32[1,1,10,8] <- dram+0x6000 f32[1,1,10,8]{3200,320,32,4}   @w2   ; c3 = x+560 x+560
.compute
  c3    conv         am+0x440 f32[1,1,10,8] <- sm+0x0 f32[1,1,10,24], weight=am+0xb40 f32[1,1,24,8], bias=am+0xe40 f32[8], residual=am+0x300 f32[1,1,10,8], stride=1,1 dilation=1,1 pad_begin=0,0   @k0.r6 @r4   ; c3 = r2+1680 w3+0{1,1,1,24} sum+560 b3+0 x+560
.write
  w3    store        dram+0x1500 f32[1,1,10,8]{3200,320,32,4} <- am+0x440 f32[1,1,10,8]   @k2.r2 @k4.r2 @k6.r2 @c3   ; c3 = sum+560 sum+560

.part 9/10 core 8
.read
  r3    load         sm+0x0 f32[1,1,10,24] <- dram+0x4fc0 f32[1,1,10,24]{9600,960,96,4}   @k1.w2 @k3.w2 @k5.w2 @k7.w2 @c2 @k9.w2   ; c3 = r2+1920 r2+1920
  r4    load         am+0x300 f32[1,1,10,8] <- dram+0x6140 f32[1,1,10,8]{3200,320,32,4}   @w2   ; c3 = x+640 x+640
.compute
  c3    conv         am+0x440 f32[1,1,10,8] <- sm+0x0 f32[1,1,10,24], weight=am+0xb40 f32[1,1,24,8], bias=am+0xe40 f32[8], residual=am+0x300 f32[1,1,10,8], stride=1,1 dilation=1,1 pad_begin=0,0   @k0.r6 @r4   ; c3 = r2+1920 w3+0{1,1,1,24} sum+640 b3+0 x+640
.write
  w3    store        dram+0x1640 f32[1,1,10,8]{3200,320,32,4} <- am+0x440 f32[1,1,10,8]   @k4.r2 @k6.r2 @c3   ; c3 = sum+640 sum+640

.part 10/10 core 9
.read
  r3    load         sm+0x0 f32[1,1,10,24] <- dram+0x5380 f32[1,1,10,24]{9600,960,96,4}   @k1.w2 @k3.w2 @k5.w2 @k7.w2 @w2   ; c3 = r2+2160 r2+2160
  r4    load         am+0x300 f32[1,1,10,8] <- dram+0x6280 f32[1,1,10,8]{3200,320,32,4}   ; c3 = x+720 x+720
.compute
  c3    conv         am+0x440 f32[1,1,10,8] <- sm+0x0 f32[1,1,10,24], weight=am+0xb40 f32[1,1,24,8], bias=am+0xe40 f32[8], residual=am+0x300 f32[1,1,10,8], stride=1,1 dilation=1,1 pad_begin=0,0   @k0.r6 @r4   ; c3 = r2+2160 w3+0{1,1,1,24} sum+720 b3+0 x+720
.write
  w3    store        dram+0x1780 f32[1,1,10,8]{3200,320,32,4} <- am+0x440 f32[1,1,10,8]   @k0.r10 @k2.r2 @k4.r2 @c3   ; c3 = sum+720 sum+720

.group 3 single layers=pooled parts=1 reason="tiled alone, about 3232 B and 201 cycles; one core; estimated cycles: one core 201, 8 cores by channels 2180"
.part 1/1 core 0
.compute
  c4    reduce       am+0xc80 f32[1,1,1,8] <- am+0x0 f32[1,10,10,8], function=mean axes=1,2 count=100   @r13   ; pooled = sum+0 pooled+0
.write
  w4    store        dram+0x18c0 f32[1,1,1,8] <- am+0xc80 f32[1,1,1,8]   @c4   ; pooled = pooled+0 pooled+0

.group 4 single layers=logits parts=1 reason="tiled alone, about 464 B and 94 cycles; one core: there is nothing to share"
.part 1/1 core 0
.read
  r7    load         am+0xe80 f32[8,10] <- dram+0xac0 f32[8,10]   ; logits = logits.b.reordered+0 logits.b.reordered+0
  r8    load         am+0xfc0 f32[10] <- dram+0xc00 f32[10]   ; logits = b4+0 b4+0

.group 1
.part 1/20 core 0
.read
  r9    load         sm+0x0 f32[1,4,3,24] <- dram+0xc40 f32[1,4,3,24]{9600,960,96,4}   @w0 @k1.w0 @k2.w0 @k3.w0   ; c2 = r1+0{2400,240,24,1} r1+0

.part 11/20 core 0
.read
  r10   load         sm+0x0 f32[1,4,3,24] <- dram+0x13c0 f32[1,4,3,24]{9600,960,96,4}   @c1 @k4.w0 @k5.w0   ; c2 = r1+480{2400,240,24,1} r1+480

.group 2
.part 1/10 core 0
.read
  r11   load         sm+0x0 f32[1,1,10,24] <- dram+0x31c0 f32[1,1,10,24]{9600,960,96,4}   @c2 @k2.w1 @k4.w1 @k6.w1 @k8.w1   ; c3 = r2+0 r2+0
  r12   load         am+0x300 f32[1,1,10,8] <- dram+0x5740 f32[1,1,10,8]{3200,320,32,4}   @w2   ; c3 = x+0 x+0

.group 3
.part 1/1 core 0
.read
  r13   load         am+0x0 f32[1,10,10,8] <- dram+0xc40 f32[1,10,10,8]   @w3 @k1.w3 @k2.w3 @k3.w3 @k4.w3 @k5.w3 @k6.w3 @k7.w3 @k8.w3 @k9.w3   ; pooled = sum+0 sum+0

.group 4
.part 1/1 core 0
.read
  r14   load         sm+0x0 f32[1,8] <- dram+0x18c0 f32[1,8]{0,4}   @w4   ; logits = pooled+0 pooled+0
.compute
  c5    gemm         am+0x180 f32[1,10] <- sm+0x0 f32[1,8], weight=am+0xe80 f32[8,10], bias=am+0xfc0 f32[10]   @r14   ; logits = pooled+0 logits.b.reordered+0 logits+0 b4+0
.write
  w5    store        dram+0xc40 f32[1,10] <- am+0x180 f32[1,10]   @c5   ; logits = logits+0 logits+0

.group 5 single layers=y parts=1 reason="tiled alone, about 104 B and 47 cycles; one core: there is nothing to share"
.part 1/1 core 0
.read
  r15   load         am+0x0 f32[1,10] <- dram+0xc40 f32[1,10]   @w5   ; y = logits+0 logits+0
.compute
  c6    softmax      am+0x40 f32[1,10] <- am+0x0 f32[1,10], axis=1   @r15   ; y = y+0 logits+0
.write
  w6    store        dram+0x63c0 f32[1,10] <- am+0x40 f32[1,10]   @c6   ; y = y+0 y+0
