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
.hex 0000703f 0000803f 0000883f 0000903f 0000b03f 0000b83f 0000c03f 0000c83f
.hex 0000e83f 0000f03f 0000f83f 0000803d 0000a03e 0000c03e 0000e03e 0000003f
.hex 0000403f 0000503f 0000603f 0000703f 0000983f 0000a03f 0000a83f 0000b03f
.hex 0000d03f 0000d83f 0000e03f 0000e83f 0000003e 0000403e 0000803e 0000a03e
.hex 0000103f 0000203f 0000303f 0000403f 00000000 00000000 00000000 00000000
.hex 00000000 00000000 00000000 00000000 00000000 00000000 00000000 00000000
.hex 0000b03f 0000e83f 0000a03e 0000403f 00000000 00000000 00000000 00000000
.hex 00000000 00000000 00000000 00000000 00000000 00000000 00000000 00000000
.hex 0000983f 0000a03f 0000a83f 0000b03f 0000d03f 0000d83f 0000e03f 0000e83f
.hex 0000003e 0000403e 0000803e 0000a03e 0000103f 0000203f 0000303f 0000403f
.hex 0000803f 0000883f 0000903f 0000983f 0000b83f 0000c03f 0000c83f 0000d03f
.hex 0000f03f 0000f83f 0000803d 0000003e 0000c03e 0000e03e 0000003f 0000103f
.hex 0000503f 0000603f 0000703f 0000803f 00000000 00000000 00000000 00000000
.hex 00000000 00000000 00000000 00000000 00000000 00000000 00000000 00000000
.hex 0000983f 0000d03f 0000003e 0000103f 00000000 00000000 00000000 00000000
.hex 00000000 00000000 00000000 00000000 00000000 00000000 00000000 00000000
.hex 0000b83f 0000c03f 0000c83f 0000d03f 0000f03f 0000f83f 0000803d 0000003e
.hex 0000c03e 0000e03e 0000003f 0000103f 0000503f 0000603f 0000703f 0000803f
.hex 0000a03f 0000a83f 0000b03f 0000b83f 0000d83f 0000e03f 0000e83f 0000f03f
.hex 0000403e 0000803e 0000a03e 0000c03e 0000203f 0000303f 0000403f 0000503f
.hex 0000883f 0000903f 0000983f 0000a03f 00000000 00000000 00000000 00000000
.hex 00000000 00000000 00000000 00000000 00000000 00000000 00000000 00000000
.hex 0000803f 0000b83f 0000f03f 0000c03e 00000000 00000000 00000000 00000000
.hex 00000000 00000000 00000000 00000000 00000000 00000000 00000000 00000000
.hex 0000d83f 0000e03f 0000e83f 0000f03f 0000403e 0000803e 0000a03e 0000c03e
.hex 0000203f 0000303f 0000403f 0000503f 0000883f 0000903f 0000983f 0000a03f
.hex 0000c03f 0000c83f 0000d03f 0000d83f 0000f83f 0000803d 0000003e 0000403e
.hex 0000e03e 0000003f 0000103f 0000203f 0000603f 0000703f 0000803f 0000883f
.hex 0000a83f 0000b03f 0000b83f 0000c03f 00000000 00000000 00000000 00000000
.hex 00000000 00000000 00000000 00000000 00000000 00000000 00000000 00000000
.hex 0000503f 0000a03f 0000d83f 0000403e 00000000 00000000 00000000 00000000
.hex 00000000 00000000 00000000 00000000 00000000 00000000 00000000 00000000
.hex 0000f83f 0000803d 0000003e 0000403e 0000e03e 0000003f 0000103f 0000203f
.hex 0000603f 0000703f 0000803f 0000883f 0000a83f 0000b03f 0000b83f 0000c03f
.hex 0000e03f 0000e83f 0000f03f 0000f83f 0000803e 0000a03e 0000c03e 0000e03e
.hex 0000303f 0000403f 0000503f 0000603f 0000903f 0000983f 0000a03f 0000a83f
.hex 0000c83f 0000d03f 0000d83f 0000e03f 00000000 00000000 00000000 00000000
.hex 00000000 00000000 00000000 00000000 00000000 00000000 00000000 00000000
.hex 0000203f 0000883f 0000c03f 0000f83f 00000000 00000000 00000000 00000000
.hex 00000000 00000000 00000000 00000000 00000000 00000000 00000000 00000000
.hex 0000803e 0000a03e 0000c03e 0000e03e 0000303f 0000403f 0000503f 0000603f
.hex 0000903f 0000983f 0000a03f 0000a83f 0000c83f 0000d03f 0000d83f 0000e03f
.hex 0000803d 0000003e 0000403e 0000803e 0000003f 0000103f 0000203f 0000303f
.hex 0000703f 0000803f 0000883f 0000903f 0000b03f 0000b83f 0000c03f 0000c83f
.hex 0000e83f 0000f03f 0000f83f 0000803d 00000000 00000000 00000000 00000000
.hex 00000000 00000000 00000000 00000000 00000000 00000000 00000000 00000000
.hex 0000e03e 0000603f 0000a83f 0000e03f 00000000 00000000 00000000 00000000
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
.tensor x input dram+0xe40 f32[1,8,10,10]{3200,4,320,32}
.tensor y output dram+0x1ac0 f32[1,10]
.tensor r1 boundary dram+0x1b00 f32[1,24,10,10]{9600,4,960,96}
.tensor r2 boundary dram+0x4080 f32[1,24,10,10]{9600,4,960,96}
.tensor sum boundary dram+0x1b00 f32[1,8,10,10]{3200,4,320,32}
.tensor pooled boundary dram+0x2780 f32[1,8,1,1]{32,4,32,32}
.tensor logits boundary dram+0x1b00 f32[1,10]
.tensor w1 constant dram+0x0 f32[1,1,8,24]
.tensor b1 constant dram+0x300 f32[24]
.tensor "w2[0,0,0,0]" constant dram+0x380 f32[1,3,3,4]
.tensor "b2[0]" constant dram+0x440 f32[4]
.tensor "w2[4,0,0,0]" constant dram+0x480 f32[1,3,3,4]
.tensor "b2[4]" constant dram+0x540 f32[4]
.tensor "w2[8,0,0,0]" constant dram+0x580 f32[1,3,3,4]
.tensor "b2[8]" constant dram+0x640 f32[4]
.tensor "w2[12,0,0,0]" constant dram+0x680 f32[1,3,3,4]
.tensor "b2[12]" constant dram+0x740 f32[4]
.tensor "w2[16,0,0,0]" constant dram+0x780 f32[1,3,3,4]
.tensor "b2[16]" constant dram+0x840 f32[4]
.tensor "w2[20,0,0,0]" constant dram+0x880 f32[1,3,3,4]
.tensor "b2[20]" constant dram+0x940 f32[4]
.tensor w3 constant dram+0x980 f32[1,1,24,8]
.tensor b3 constant dram+0xc80 f32[8]
.tensor logits.b.reordered constant dram+0xcc0 f32[8,10]
.tensor b4 constant dram+0xe00 f32[10]
.fact floor_bytes 6224
.fact macs 60080
.fact peak_floor_cycles 54
.fact compute_floor_cycles 113
.fact dram_floor_cycles 260
.fact predicted_cycles 10067
.fact predicted_dram_bytes 120448

.group 0 single layers=c1 parts=10 reason="DRAM-bound, double-buffered, about 893 cycles for 13664 B"
.part 1/10 core 0
.read
  r0    load         sm+0x0 f32[1,1,10,8] <- dram+0xe40 f32[1,1,10,8]{3200,320,32,4}   ; c1
  r1    load         am+0x0 f32[1,1,8,24] <- dram+0x0 f32[1,1,8,24]   ; c1
  r2    load         am+0x300 f32[24] <- dram+0x300 f32[24]   ; c1
.compute
  c0    conv         am+0x380 f32[1,1,10,24] <- sm+0x0 f32[1,1,10,8], weight=am+0x0 f32[1,1,8,24], bias=am+0x300 f32[24], act=clip act_params=0.0,6.0 stride=1,1 dilation=1,1 pad_begin=0,0   @r2   ; c1
.write
  w0    store        dram+0x1b00 f32[1,1,10,24]{9600,960,96,4} <- am+0x380 f32[1,1,10,24]   @c0   ; c1

.part 2/10 core 0
.read
  r3    load         sm+0x140 f32[1,1,10,8] <- dram+0xf80 f32[1,1,10,8]{3200,320,32,4}   ; c1
.compute
  c1    conv         am+0x740 f32[1,1,10,24] <- sm+0x140 f32[1,1,10,8], weight=am+0x0 f32[1,1,8,24], bias=am+0x300 f32[24], act=clip act_params=0.0,6.0 stride=1,1 dilation=1,1 pad_begin=0,0   @r3   ; c1
.write
  w1    store        dram+0x1ec0 f32[1,1,10,24]{9600,960,96,4} <- am+0x740 f32[1,1,10,24]   @c1   ; c1

.part 3/10 core 0
.read
  r4    load         sm+0x0 f32[1,1,10,8] <- dram+0x10c0 f32[1,1,10,8]{3200,320,32,4}   @c0   ; c1
.compute
  c2    conv         am+0x380 f32[1,1,10,24] <- sm+0x0 f32[1,1,10,8], weight=am+0x0 f32[1,1,8,24], bias=am+0x300 f32[24], act=clip act_params=0.0,6.0 stride=1,1 dilation=1,1 pad_begin=0,0   @r4 @w0   ; c1
.write
  w2    store        dram+0x2280 f32[1,1,10,24]{9600,960,96,4} <- am+0x380 f32[1,1,10,24]   @c2   ; c1

.part 4/10 core 0
.read
  r5    load         sm+0x140 f32[1,1,10,8] <- dram+0x1200 f32[1,1,10,8]{3200,320,32,4}   @c1   ; c1
.compute
  c3    conv         am+0x740 f32[1,1,10,24] <- sm+0x140 f32[1,1,10,8], weight=am+0x0 f32[1,1,8,24], bias=am+0x300 f32[24], act=clip act_params=0.0,6.0 stride=1,1 dilation=1,1 pad_begin=0,0   @r5 @w1   ; c1
.write
  w3    store        dram+0x2640 f32[1,1,10,24]{9600,960,96,4} <- am+0x740 f32[1,1,10,24]   @c3   ; c1

.part 5/10 core 0
.read
  r6    load         sm+0x0 f32[1,1,10,8] <- dram+0x1340 f32[1,1,10,8]{3200,320,32,4}   @c2   ; c1
.compute
  c4    conv         am+0x380 f32[1,1,10,24] <- sm+0x0 f32[1,1,10,8], weight=am+0x0 f32[1,1,8,24], bias=am+0x300 f32[24], act=clip act_params=0.0,6.0 stride=1,1 dilation=1,1 pad_begin=0,0   @r6 @w2   ; c1
.write
  w4    store        dram+0x2a00 f32[1,1,10,24]{9600,960,96,4} <- am+0x380 f32[1,1,10,24]   @c4   ; c1

.part 6/10 core 0
.read
  r7    load         sm+0x140 f32[1,1,10,8] <- dram+0x1480 f32[1,1,10,8]{3200,320,32,4}   @c3   ; c1
.compute
  c5    conv         am+0x740 f32[1,1,10,24] <- sm+0x140 f32[1,1,10,8], weight=am+0x0 f32[1,1,8,24], bias=am+0x300 f32[24], act=clip act_params=0.0,6.0 stride=1,1 dilation=1,1 pad_begin=0,0   @r7 @w3   ; c1
.write
  w5    store        dram+0x2dc0 f32[1,1,10,24]{9600,960,96,4} <- am+0x740 f32[1,1,10,24]   @c5   ; c1

.part 7/10 core 0
.read
  r8    load         sm+0x0 f32[1,1,10,8] <- dram+0x15c0 f32[1,1,10,8]{3200,320,32,4}   @c4   ; c1
.compute
  c6    conv         am+0x380 f32[1,1,10,24] <- sm+0x0 f32[1,1,10,8], weight=am+0x0 f32[1,1,8,24], bias=am+0x300 f32[24], act=clip act_params=0.0,6.0 stride=1,1 dilation=1,1 pad_begin=0,0   @r8 @w4   ; c1
.write
  w6    store        dram+0x3180 f32[1,1,10,24]{9600,960,96,4} <- am+0x380 f32[1,1,10,24]   @c6   ; c1

.part 8/10 core 0
.read
  r9    load         sm+0x140 f32[1,1,10,8] <- dram+0x1700 f32[1,1,10,8]{3200,320,32,4}   @c5   ; c1
.compute
  c7    conv         am+0x740 f32[1,1,10,24] <- sm+0x140 f32[1,1,10,8], weight=am+0x0 f32[1,1,8,24], bias=am+0x300 f32[24], act=clip act_params=0.0,6.0 stride=1,1 dilation=1,1 pad_begin=0,0   @r9 @w5   ; c1
.write
  w7    store        dram+0x3540 f32[1,1,10,24]{9600,960,96,4} <- am+0x740 f32[1,1,10,24]   @c7   ; c1

.part 9/10 core 0
.read
  r10   load         sm+0x0 f32[1,1,10,8] <- dram+0x1840 f32[1,1,10,8]{3200,320,32,4}   @c6   ; c1
.compute
  c8    conv         am+0x380 f32[1,1,10,24] <- sm+0x0 f32[1,1,10,8], weight=am+0x0 f32[1,1,8,24], bias=am+0x300 f32[24], act=clip act_params=0.0,6.0 stride=1,1 dilation=1,1 pad_begin=0,0   @r10 @w6   ; c1
.write
  w8    store        dram+0x3900 f32[1,1,10,24]{9600,960,96,4} <- am+0x380 f32[1,1,10,24]   @c8   ; c1

.part 10/10 core 0
.read
  r11   load         sm+0x140 f32[1,1,10,8] <- dram+0x1980 f32[1,1,10,8]{3200,320,32,4}   @c7   ; c1
.compute
  c9    conv         am+0x740 f32[1,1,10,24] <- sm+0x140 f32[1,1,10,8], weight=am+0x0 f32[1,1,8,24], bias=am+0x300 f32[24], act=clip act_params=0.0,6.0 stride=1,1 dilation=1,1 pad_begin=0,0   @r11 @w7   ; c1
.write
  w9    store        dram+0x3cc0 f32[1,1,10,24]{9600,960,96,4} <- am+0x740 f32[1,1,10,24]   @c9   ; c1

.group 1 single layers=c2 parts=12 reason="DRAM-bound, single-buffered, about 3680 cycles for 56640 B"
.part 1/12 core 0
.read
  r12   load         sm+0x40 f32[1,6,10,4] <- dram+0x1b00 f32[1,6,10,4]{9600,960,96,4}   @c9   ; c2
  r13   load         am+0x1740 f32[1,3,3,4] <- dram+0x380 f32[1,3,3,4]   ; c2
  r14   load         am+0x1700 f32[4] <- dram+0x440 f32[4]   ; c2
.compute
  c10   conv         am+0x13c0 f32[1,5,10,4] <- sm+0x40 f32[1,6,10,4], weight=am+0x1740 f32[3,3,1,4]{48,16,144,4}, bias=am+0x1700 f32[4], act=clip act_params=0.0,6.0 stride=1,1 dilation=1,1 pad_begin=1,1 groups=4   @r14   ; c2
.write
  w10   store        dram+0x4080 f32[1,5,10,4]{9600,960,96,4} <- am+0x13c0 f32[1,5,10,4]   @c10   ; c2

.part 2/12 core 0
.read
  r15   load         sm+0x40 f32[1,6,10,4] <- dram+0x2a00 f32[1,6,10,4]{9600,960,96,4}   @c10 @w9   ; c2
.compute
  c11   conv         am+0x13c0 f32[1,5,10,4] <- sm+0x40 f32[1,6,10,4], weight=am+0x1740 f32[3,3,1,4]{48,16,144,4}, bias=am+0x1700 f32[4], act=clip act_params=0.0,6.0 stride=1,1 dilation=1,1 pad_begin=0,1 groups=4   @r15 @w10   ; c2
.write
  w11   store        dram+0x5340 f32[1,5,10,4]{9600,960,96,4} <- am+0x13c0 f32[1,5,10,4]   @c11   ; c2

.part 3/12 core 0
.read
  r16   load         sm+0x40 f32[1,6,10,4] <- dram+0x1b10 f32[1,6,10,4]{9600,960,96,4}   @c11   ; c2
  r17   load         am+0x1740 f32[1,3,3,4] <- dram+0x480 f32[1,3,3,4]   ; c2
  r18   load         am+0x1700 f32[4] <- dram+0x540 f32[4]   ; c2
.compute
  c12   conv         am+0x13c0 f32[1,5,10,4] <- sm+0x40 f32[1,6,10,4], weight=am+0x1740 f32[3,3,1,4]{48,16,144,4}, bias=am+0x1700 f32[4], act=clip act_params=0.0,6.0 stride=1,1 dilation=1,1 pad_begin=1,1 groups=4   @r18 @w11   ; c2
.write
  w12   store        dram+0x4090 f32[1,5,10,4]{9600,960,96,4} <- am+0x13c0 f32[1,5,10,4]   @c12   ; c2

.part 4/12 core 0
.read
  r19   load         sm+0x40 f32[1,6,10,4] <- dram+0x2a10 f32[1,6,10,4]{9600,960,96,4}   @c12   ; c2
.compute
  c13   conv         am+0x13c0 f32[1,5,10,4] <- sm+0x40 f32[1,6,10,4], weight=am+0x1740 f32[3,3,1,4]{48,16,144,4}, bias=am+0x1700 f32[4], act=clip act_params=0.0,6.0 stride=1,1 dilation=1,1 pad_begin=0,1 groups=4   @r19 @w12   ; c2
.write
  w13   store        dram+0x5350 f32[1,5,10,4]{9600,960,96,4} <- am+0x13c0 f32[1,5,10,4]   @c13   ; c2

.part 5/12 core 0
.read
  r20   load         sm+0x40 f32[1,6,10,4] <- dram+0x1b20 f32[1,6,10,4]{9600,960,96,4}   @c13   ; c2
  r21   load         am+0x1740 f32[1,3,3,4] <- dram+0x580 f32[1,3,3,4]   ; c2
  r22   load         am+0x1700 f32[4] <- dram+0x640 f32[4]   ; c2
.compute
  c14   conv         am+0x13c0 f32[1,5,10,4] <- sm+0x40 f32[1,6,10,4], weight=am+0x1740 f32[3,3,1,4]{48,16,144,4}, bias=am+0x1700 f32[4], act=clip act_params=0.0,6.0 stride=1,1 dilation=1,1 pad_begin=1,1 groups=4   @r22 @w13   ; c2
.write
  w14   store        dram+0x40a0 f32[1,5,10,4]{9600,960,96,4} <- am+0x13c0 f32[1,5,10,4]   @c14   ; c2

.part 6/12 core 0
.read
  r23   load         sm+0x40 f32[1,6,10,4] <- dram+0x2a20 f32[1,6,10,4]{9600,960,96,4}   @c14   ; c2
.compute
  c15   conv         am+0x13c0 f32[1,5,10,4] <- sm+0x40 f32[1,6,10,4], weight=am+0x1740 f32[3,3,1,4]{48,16,144,4}, bias=am+0x1700 f32[4], act=clip act_params=0.0,6.0 stride=1,1 dilation=1,1 pad_begin=0,1 groups=4   @r23 @w14   ; c2
.write
  w15   store        dram+0x5360 f32[1,5,10,4]{9600,960,96,4} <- am+0x13c0 f32[1,5,10,4]   @c15   ; c2

.part 7/12 core 0
.read
  r24   load         sm+0x40 f32[1,6,10,4] <- dram+0x1b30 f32[1,6,10,4]{9600,960,96,4}   @c15   ; c2
  r25   load         am+0x1740 f32[1,3,3,4] <- dram+0x680 f32[1,3,3,4]   ; c2
  r26   load         am+0x1700 f32[4] <- dram+0x740 f32[4]   ; c2
.compute
  c16   conv         am+0x13c0 f32[1,5,10,4] <- sm+0x40 f32[1,6,10,4], weight=am+0x1740 f32[3,3,1,4]{48,16,144,4}, bias=am+0x1700 f32[4], act=clip act_params=0.0,6.0 stride=1,1 dilation=1,1 pad_begin=1,1 groups=4   @r26 @w15   ; c2
.write
  w16   store        dram+0x40b0 f32[1,5,10,4]{9600,960,96,4} <- am+0x13c0 f32[1,5,10,4]   @c16   ; c2

.part 8/12 core 0
.read
  r27   load         sm+0x40 f32[1,6,10,4] <- dram+0x2a30 f32[1,6,10,4]{9600,960,96,4}   @c16   ; c2
.compute
  c17   conv         am+0x13c0 f32[1,5,10,4] <- sm+0x40 f32[1,6,10,4], weight=am+0x1740 f32[3,3,1,4]{48,16,144,4}, bias=am+0x1700 f32[4], act=clip act_params=0.0,6.0 stride=1,1 dilation=1,1 pad_begin=0,1 groups=4   @r27 @w16   ; c2
.write
  w17   store        dram+0x5370 f32[1,5,10,4]{9600,960,96,4} <- am+0x13c0 f32[1,5,10,4]   @c17   ; c2

.part 9/12 core 0
.read
  r28   load         sm+0x40 f32[1,6,10,4] <- dram+0x1b40 f32[1,6,10,4]{9600,960,96,4}   @c17   ; c2
  r29   load         am+0x1740 f32[1,3,3,4] <- dram+0x780 f32[1,3,3,4]   ; c2
  r30   load         am+0x1700 f32[4] <- dram+0x840 f32[4]   ; c2
.compute
  c18   conv         am+0x13c0 f32[1,5,10,4] <- sm+0x40 f32[1,6,10,4], weight=am+0x1740 f32[3,3,1,4]{48,16,144,4}, bias=am+0x1700 f32[4], act=clip act_params=0.0,6.0 stride=1,1 dilation=1,1 pad_begin=1,1 groups=4   @r30 @w17   ; c2
.write
  w18   store        dram+0x40c0 f32[1,5,10,4]{9600,960,96,4} <- am+0x13c0 f32[1,5,10,4]   @c18   ; c2

.part 10/12 core 0
.read
  r31   load         sm+0x40 f32[1,6,10,4] <- dram+0x2a40 f32[1,6,10,4]{9600,960,96,4}   @c18   ; c2
.compute
  c19   conv         am+0x13c0 f32[1,5,10,4] <- sm+0x40 f32[1,6,10,4], weight=am+0x1740 f32[3,3,1,4]{48,16,144,4}, bias=am+0x1700 f32[4], act=clip act_params=0.0,6.0 stride=1,1 dilation=1,1 pad_begin=0,1 groups=4   @r31 @w18   ; c2
.write
  w19   store        dram+0x5380 f32[1,5,10,4]{9600,960,96,4} <- am+0x13c0 f32[1,5,10,4]   @c19   ; c2

.part 11/12 core 0
.read
  r32   load         sm+0x40 f32[1,6,10,4] <- dram+0x1b50 f32[1,6,10,4]{9600,960,96,4}   @c19   ; c2
  r33   load         am+0x1740 f32[1,3,3,4] <- dram+0x880 f32[1,3,3,4]   ; c2
  r34   load         am+0x1700 f32[4] <- dram+0x940 f32[4]   ; c2
.compute
  c20   conv         am+0x13c0 f32[1,5,10,4] <- sm+0x40 f32[1,6,10,4], weight=am+0x1740 f32[3,3,1,4]{48,16,144,4}, bias=am+0x1700 f32[4], act=clip act_params=0.0,6.0 stride=1,1 dilation=1,1 pad_begin=1,1 groups=4   @r34 @w19   ; c2
.write
  w20   store        dram+0x40d0 f32[1,5,10,4]{9600,960,96,4} <- am+0x13c0 f32[1,5,10,4]   @c20   ; c2

.part 12/12 core 0
.read
  r35   load         sm+0x40 f32[1,6,10,4] <- dram+0x2a50 f32[1,6,10,4]{9600,960,96,4}   @c20   ; c2
.compute
  c21   conv         am+0x13c0 f32[1,5,10,4] <- sm+0x40 f32[1,6,10,4], weight=am+0x1740 f32[3,3,1,4]{48,16,144,4}, bias=am+0x1700 f32[4], act=clip act_params=0.0,6.0 stride=1,1 dilation=1,1 pad_begin=0,1 groups=4   @r35 @w20   ; c2
.write
  w21   store        dram+0x5390 f32[1,5,10,4]{9600,960,96,4} <- am+0x13c0 f32[1,5,10,4]   @c21   ; c2

.group 2 single layers=c3 parts=10 reason="compute-bound, single-buffered, about 2620 cycles for 16800 B"
.part 1/10 core 0
.read
  r36   load         sm+0x0 f32[1,1,10,24] <- dram+0x4080 f32[1,1,10,24]{9600,960,96,4}   @c21   ; c3
  r37   load         am+0x0 f32[1,1,24,8] <- dram+0x980 f32[1,1,24,8]   ; c3
  r38   load         am+0x300 f32[8] <- dram+0xc80 f32[8]   ; c3
  r39   load         am+0x340 f32[1,1,10,8] <- dram+0xe40 f32[1,1,10,8]{3200,320,32,4}   ; c3
.compute
  c22   conv         am+0x480 f32[1,1,10,8] <- sm+0x0 f32[1,1,10,24], weight=am+0x0 f32[1,1,24,8], bias=am+0x300 f32[8], residual=am+0x340 f32[1,1,10,8], stride=1,1 dilation=1,1 pad_begin=0,0   @r39   ; c3
.write
  w22   store        dram+0x1b00 f32[1,1,10,8]{3200,320,32,4} <- am+0x480 f32[1,1,10,8]   @c22   ; c3

.part 2/10 core 0
.read
  r40   load         sm+0x0 f32[1,1,10,24] <- dram+0x4440 f32[1,1,10,24]{9600,960,96,4}   @c22   ; c3
  r41   load         am+0x340 f32[1,1,10,8] <- dram+0xf80 f32[1,1,10,8]{3200,320,32,4}   ; c3
.compute
  c23   conv         am+0x480 f32[1,1,10,8] <- sm+0x0 f32[1,1,10,24], weight=am+0x0 f32[1,1,24,8], bias=am+0x300 f32[8], residual=am+0x340 f32[1,1,10,8], stride=1,1 dilation=1,1 pad_begin=0,0   @r41 @w22   ; c3
.write
  w23   store        dram+0x1c40 f32[1,1,10,8]{3200,320,32,4} <- am+0x480 f32[1,1,10,8]   @c23   ; c3

.part 3/10 core 0
.read
  r42   load         sm+0x0 f32[1,1,10,24] <- dram+0x4800 f32[1,1,10,24]{9600,960,96,4}   @c23   ; c3
  r43   load         am+0x340 f32[1,1,10,8] <- dram+0x10c0 f32[1,1,10,8]{3200,320,32,4}   ; c3
.compute
  c24   conv         am+0x480 f32[1,1,10,8] <- sm+0x0 f32[1,1,10,24], weight=am+0x0 f32[1,1,24,8], bias=am+0x300 f32[8], residual=am+0x340 f32[1,1,10,8], stride=1,1 dilation=1,1 pad_begin=0,0   @r43 @w23   ; c3
.write
  w24   store        dram+0x1d80 f32[1,1,10,8]{3200,320,32,4} <- am+0x480 f32[1,1,10,8]   @c24   ; c3

.part 4/10 core 0
.read
  r44   load         sm+0x0 f32[1,1,10,24] <- dram+0x4bc0 f32[1,1,10,24]{9600,960,96,4}   @c24   ; c3
  r45   load         am+0x340 f32[1,1,10,8] <- dram+0x1200 f32[1,1,10,8]{3200,320,32,4}   ; c3
.compute
  c25   conv         am+0x480 f32[1,1,10,8] <- sm+0x0 f32[1,1,10,24], weight=am+0x0 f32[1,1,24,8], bias=am+0x300 f32[8], residual=am+0x340 f32[1,1,10,8], stride=1,1 dilation=1,1 pad_begin=0,0   @r45 @w24   ; c3
.write
  w25   store        dram+0x1ec0 f32[1,1,10,8]{3200,320,32,4} <- am+0x480 f32[1,1,10,8]   @c25   ; c3

.part 5/10 core 0
.read
  r46   load         sm+0x0 f32[1,1,10,24] <- dram+0x4f80 f32[1,1,10,24]{9600,960,96,4}   @c25   ; c3
  r47   load         am+0x340 f32[1,1,10,8] <- dram+0x1340 f32[1,1,10,8]{3200,320,32,4}   ; c3
.compute
  c26   conv         am+0x480 f32[1,1,10,8] <- sm+0x0 f32[1,1,10,24], weight=am+0x0 f32[1,1,24,8], bias=am+0x300 f32[8], residual=am+0x340 f32[1,1,10,8], stride=1,1 dilation=1,1 pad_begin=0,0   @r47 @w25   ; c3
.write
  w26   store        dram+0x2000 f32[1,1,10,8]{3200,320,32,4} <- am+0x480 f32[1,1,10,8]   @c26   ; c3

.part 6/10 core 0
.read
  r48   load         sm+0x0 f32[1,1,10,24] <- dram+0x5340 f32[1,1,10,24]{9600,960,96,4}   @c26   ; c3
  r49   load         am+0x340 f32[1,1,10,8] <- dram+0x1480 f32[1,1,10,8]{3200,320,32,4}   ; c3
.compute
  c27   conv         am+0x480 f32[1,1,10,8] <- sm+0x0 f32[1,1,10,24], weight=am+0x0 f32[1,1,24,8], bias=am+0x300 f32[8], residual=am+0x340 f32[1,1,10,8], stride=1,1 dilation=1,1 pad_begin=0,0   @r49 @w26   ; c3
.write
  w27   store        dram+0x2140 f32[1,1,10,8]{3200,320,32,4} <- am+0x480 f32[1,1,10,8]   @c27   ; c3

.part 7/10 core 0
.read
  r50   load         sm+0x0 f32[1,1,10,24] <- dram+0x5700 f32[1,1,10,24]{9600,960,96,4}   @c27   ; c3
  r51   load         am+0x340 f32[1,1,10,8] <- dram+0x15c0 f32[1,1,10,8]{3200,320,32,4}   ; c3
.compute
  c28   conv         am+0x480 f32[1,1,10,8] <- sm+0x0 f32[1,1,10,24], weight=am+0x0 f32[1,1,24,8], bias=am+0x300 f32[8], residual=am+0x340 f32[1,1,10,8], stride=1,1 dilation=1,1 pad_begin=0,0   @r51 @w27   ; c3
.write
  w28   store        dram+0x2280 f32[1,1,10,8]{3200,320,32,4} <- am+0x480 f32[1,1,10,8]   @c28   ; c3

.part 8/10 core 0
.read
  r52   load         sm+0x0 f32[1,1,10,24] <- dram+0x5ac0 f32[1,1,10,24]{9600,960,96,4}   @c28   ; c3
  r53   load         am+0x340 f32[1,1,10,8] <- dram+0x1700 f32[1,1,10,8]{3200,320,32,4}   ; c3
.compute
  c29   conv         am+0x480 f32[1,1,10,8] <- sm+0x0 f32[1,1,10,24], weight=am+0x0 f32[1,1,24,8], bias=am+0x300 f32[8], residual=am+0x340 f32[1,1,10,8], stride=1,1 dilation=1,1 pad_begin=0,0   @r53 @w28   ; c3
.write
  w29   store        dram+0x23c0 f32[1,1,10,8]{3200,320,32,4} <- am+0x480 f32[1,1,10,8]   @c29   ; c3

.part 9/10 core 0
.read
  r54   load         sm+0x0 f32[1,1,10,24] <- dram+0x5e80 f32[1,1,10,24]{9600,960,96,4}   @c29   ; c3
  r55   load         am+0x340 f32[1,1,10,8] <- dram+0x1840 f32[1,1,10,8]{3200,320,32,4}   ; c3
.compute
  c30   conv         am+0x480 f32[1,1,10,8] <- sm+0x0 f32[1,1,10,24], weight=am+0x0 f32[1,1,24,8], bias=am+0x300 f32[8], residual=am+0x340 f32[1,1,10,8], stride=1,1 dilation=1,1 pad_begin=0,0   @r55 @w29   ; c3
.write
  w30   store        dram+0x2500 f32[1,1,10,8]{3200,320,32,4} <- am+0x480 f32[1,1,10,8]   @c30   ; c3

.part 10/10 core 0
.read
  r56   load         sm+0x0 f32[1,1,10,24] <- dram+0x6240 f32[1,1,10,24]{9600,960,96,4}   @c30   ; c3
  r57   load         am+0x340 f32[1,1,10,8] <- dram+0x1980 f32[1,1,10,8]{3200,320,32,4}   ; c3
.compute
  c31   conv         am+0x480 f32[1,1,10,8] <- sm+0x0 f32[1,1,10,24], weight=am+0x0 f32[1,1,24,8], bias=am+0x300 f32[8], residual=am+0x340 f32[1,1,10,8], stride=1,1 dilation=1,1 pad_begin=0,0   @r57 @w30   ; c3
.write
  w31   store        dram+0x2640 f32[1,1,10,8]{3200,320,32,4} <- am+0x480 f32[1,1,10,8]   @c31   ; c3

.group 3 single layers=pooled parts=1 reason="DRAM-bound, double-buffered, about 201 cycles for 3232 B"
.part 1/1 core 0
.read
  r58   load         am+0xb80 f32[1,10,10,8] <- dram+0x1b00 f32[1,10,10,8]   @w31   ; pooled
.compute
  c32   reduce       am+0xb40 f32[1,1,1,8] <- am+0xb80 f32[1,10,10,8], function=mean axes=1,2 count=100   @r58   ; pooled
.write
  w32   store        dram+0x2780 f32[1,1,1,8] <- am+0xb40 f32[1,1,1,8]   @c32   ; pooled

.group 4 single layers=logits parts=1 reason="compute-bound, double-buffered, about 94 cycles for 464 B"
.part 1/1 core 0
.read
  r59   load         sm+0x0 f32[1,8] <- dram+0x2780 f32[1,8]{0,4}   @w32   ; logits
  r60   load         am+0x0 f32[8,10] <- dram+0xcc0 f32[8,10]   ; logits
  r61   load         am+0x140 f32[10] <- dram+0xe00 f32[10]   ; logits
.compute
  c33   gemm         am+0x180 f32[1,10] <- sm+0x0 f32[1,8], weight=am+0x0 f32[8,10], bias=am+0x140 f32[10]   @r61   ; logits
.write
  w33   store        dram+0x1b00 f32[1,10] <- am+0x180 f32[1,10]   @c33   ; logits

.group 5 single layers=y parts=1 reason="compute-bound, double-buffered, about 47 cycles for 104 B"
.part 1/1 core 0
.read
  r62   load         am+0x17c0 f32[1,10] <- dram+0x1b00 f32[1,10]   @w33   ; y
.compute
  c34   softmax      am+0x1780 f32[1,10] <- am+0x17c0 f32[1,10], axis=1   @r62   ; y
.write
  w34   store        dram+0x1ac0 f32[1,10] <- am+0x1780 f32[1,10]   @c34   ; y
