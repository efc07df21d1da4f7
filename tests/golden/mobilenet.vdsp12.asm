.nnc 1
.chip name "vdsp12"
.chip description "twelve vector DSP cores with scalar memory SM and vector memory AM (M2, M3)"
.chip cores 12
.chip clock_mhz 1000
.chip dram {"bytes_per_cycle": 24, "latency": 100, "burst": 64, "align": 1, "bytes": 4294967296}
.chip dma {"broadcast": true, "in_flight": 4, "move_bytes_per_cycle": 64}
.chip memory {"sm": {"bytes": 2048, "align": 64}, "am": {"bytes": 8192, "align": 64}}
.chip operands {"default": {"feature": {"memories": ["am"]}, "weight": {"memories": ["am"]}, "result": {"memories": ["am"]}, "accumulator": {"memories": ["am"]}}, "conv": {"feature": {"memories": ["sm"]}}, "gemm": {"feature": {"memories": ["sm"]}}}
.chip compute {"issue": 16, "map": "channels", "arrays": {"i8": ["128x3"], "f16": ["64x3"], "f32": ["32x3"]}, "depthwise": {"i8": 384, "f16": 192, "f32": 96}, "elementwise": {"i8": 128, "f16": 64, "f32": 32}}
.dram 25728
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
.hex 0000b03f 0000b83f 0000c03f 0000c83f 0000d03f 0000d83f 0000e03f 0000e83f
.hex 0000e83f 0000f03f 0000f83f 0000803d 0000003e 0000403e 0000803e 0000a03e
.hex 0000a03e 0000c03e 0000e03e 0000003f 0000103f 0000203f 0000303f 0000403f
.hex 0000403f 0000503f 0000603f 0000703f 0000803f 0000883f 0000903f 0000983f
.hex 0000983f 0000a03f 0000a83f 0000b03f 0000b83f 0000c03f 0000c83f 0000d03f
.hex 0000d03f 0000d83f 0000e03f 0000e83f 0000f03f 0000f83f 0000803d 0000003e
.hex 0000003e 0000403e 0000803e 0000a03e 0000c03e 0000e03e 0000003f 0000103f
.hex 0000103f 0000203f 0000303f 0000403f 0000503f 0000603f 0000703f 0000803f
.hex 00000000 00000000 00000000 00000000 00000000 00000000 00000000 00000000
.hex 0000b03f 0000e83f 0000a03e 0000403f 0000983f 0000d03f 0000003e 0000103f
.hex 00000000 00000000 00000000 00000000 00000000 00000000 00000000 00000000
.hex 0000b83f 0000c03f 0000c83f 0000d03f 0000d83f 0000e03f 0000e83f 0000f03f
.hex 0000f03f 0000f83f 0000803d 0000003e 0000403e 0000803e 0000a03e 0000c03e
.hex 0000c03e 0000e03e 0000003f 0000103f 0000203f 0000303f 0000403f 0000503f
.hex 0000503f 0000603f 0000703f 0000803f 0000883f 0000903f 0000983f 0000a03f
.hex 0000a03f 0000a83f 0000b03f 0000b83f 0000c03f 0000c83f 0000d03f 0000d83f
.hex 0000d83f 0000e03f 0000e83f 0000f03f 0000f83f 0000803d 0000003e 0000403e
.hex 0000403e 0000803e 0000a03e 0000c03e 0000e03e 0000003f 0000103f 0000203f
.hex 0000203f 0000303f 0000403f 0000503f 0000603f 0000703f 0000803f 0000883f
.hex 0000883f 0000903f 0000983f 0000a03f 0000a83f 0000b03f 0000b83f 0000c03f
.hex 00000000 00000000 00000000 00000000 00000000 00000000 00000000 00000000
.hex 0000803f 0000b83f 0000f03f 0000c03e 0000503f 0000a03f 0000d83f 0000403e
.hex 00000000 00000000 00000000 00000000 00000000 00000000 00000000 00000000
.hex 0000f83f 0000803d 0000003e 0000403e 0000803e 0000a03e 0000c03e 0000e03e
.hex 0000e03e 0000003f 0000103f 0000203f 0000303f 0000403f 0000503f 0000603f
.hex 0000603f 0000703f 0000803f 0000883f 0000903f 0000983f 0000a03f 0000a83f
.hex 0000a83f 0000b03f 0000b83f 0000c03f 0000c83f 0000d03f 0000d83f 0000e03f
.hex 0000e03f 0000e83f 0000f03f 0000f83f 0000803d 0000003e 0000403e 0000803e
.hex 0000803e 0000a03e 0000c03e 0000e03e 0000003f 0000103f 0000203f 0000303f
.hex 0000303f 0000403f 0000503f 0000603f 0000703f 0000803f 0000883f 0000903f
.hex 0000903f 0000983f 0000a03f 0000a83f 0000b03f 0000b83f 0000c03f 0000c83f
.hex 0000c83f 0000d03f 0000d83f 0000e03f 0000e83f 0000f03f 0000f83f 0000803d
.hex 00000000 00000000 00000000 00000000 00000000 00000000 00000000 00000000
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
.tensor x input dram+0x57c0 f32[1,8,10,10]{3200,4,320,32}
.tensor y output dram+0x6440 f32[1,10]
.tensor r1 boundary dram+0xcc0 f32[1,24,10,10]{9600,4,960,96}
.tensor r2 boundary dram+0x3240 f32[1,24,10,10]{9600,4,960,96}
.tensor sum boundary dram+0xcc0 f32[1,8,10,10]{3200,4,320,32}
.tensor pooled boundary dram+0x1940 f32[1,8,1,1]{32,4,32,32}
.tensor logits boundary dram+0xcc0 f32[1,10]
.tensor w1 constant dram+0x0 f32[1,1,8,24]
.tensor b1 constant dram+0x300 f32[24]
.tensor "w2[0,0,0,0]" constant dram+0x380 f32[1,3,3,8]
.tensor "b2[0]" constant dram+0x4c0 f32[8]
.tensor "w2[8,0,0,0]" constant dram+0x500 f32[1,3,3,8]
.tensor "b2[8]" constant dram+0x640 f32[8]
.tensor "w2[16,0,0,0]" constant dram+0x680 f32[1,3,3,8]
.tensor "b2[16]" constant dram+0x7c0 f32[8]
.tensor w3 constant dram+0x800 f32[1,1,24,8]
.tensor b3 constant dram+0xb00 f32[8]
.tensor logits.b.reordered constant dram+0xb40 f32[8,10]
.tensor b4 constant dram+0xc80 f32[10]
.fact floor_bytes 6224
.fact macs 60080
.fact peak_floor_cycles 54
.fact compute_floor_cycles 113
.fact dram_floor_cycles 260
.fact predicted_cycles 7508
.fact predicted_dram_bytes 77824

.group 0 single layers=c1 parts=4 reason="tiled alone, about 13664 B and 791 cycles"
.part 1/4 core 0
.read
  r0    load         sm+0x0 f32[1,3,10,8] <- dram+0x57c0 f32[1,3,10,8]{3200,320,32,4}   ; c1
  r1    load         am+0xb40 f32[1,1,8,24] <- dram+0x0 f32[1,1,8,24]   ; c1
  r2    load         am+0xe40 f32[24] <- dram+0x300 f32[24]   ; c1
.compute
  c0    conv         am+0x0 f32[1,3,10,24] <- sm+0x0 f32[1,3,10,8], weight=am+0xb40 f32[1,1,8,24], bias=am+0xe40 f32[24], act=clip act_params=0.0,6.0 stride=1,1 dilation=1,1 pad_begin=0,0   @r2   ; c1
.write
  w0    store        dram+0xcc0 f32[1,3,10,24]{9600,960,96,4} <- am+0x0 f32[1,3,10,24]   @c0   ; c1

.part 2/4 core 0
.read
  r3    load         sm+0x3c0 f32[1,3,10,8] <- dram+0x5b80 f32[1,3,10,8]{3200,320,32,4}   ; c1
.compute
  c1    conv         am+0x0 f32[1,3,10,24] <- sm+0x3c0 f32[1,3,10,8], weight=am+0xb40 f32[1,1,8,24], bias=am+0xe40 f32[24], act=clip act_params=0.0,6.0 stride=1,1 dilation=1,1 pad_begin=0,0   @r3 @w0   ; c1
.write
  w1    store        dram+0x1800 f32[1,3,10,24]{9600,960,96,4} <- am+0x0 f32[1,3,10,24]   @c1   ; c1

.part 3/4 core 0
.read
  r4    load         sm+0x0 f32[1,3,10,8] <- dram+0x5f40 f32[1,3,10,8]{3200,320,32,4}   @c0   ; c1
.compute
  c2    conv         am+0x0 f32[1,3,10,24] <- sm+0x0 f32[1,3,10,8], weight=am+0xb40 f32[1,1,8,24], bias=am+0xe40 f32[24], act=clip act_params=0.0,6.0 stride=1,1 dilation=1,1 pad_begin=0,0   @r4 @w1   ; c1
.write
  w2    store        dram+0x2340 f32[1,3,10,24]{9600,960,96,4} <- am+0x0 f32[1,3,10,24]   @c2   ; c1

.part 4/4 core 0
.read
  r5    load         sm+0x3c0 f32[1,1,10,8] <- dram+0x6300 f32[1,1,10,8]{3200,320,32,4}   @c1   ; c1
.compute
  c3    conv         am+0x0 f32[1,1,10,24] <- sm+0x3c0 f32[1,1,10,8], weight=am+0xb40 f32[1,1,8,24], bias=am+0xe40 f32[24], act=clip act_params=0.0,6.0 stride=1,1 dilation=1,1 pad_begin=0,0   @r5 @w2   ; c1
.write
  w3    store        dram+0x2e80 f32[1,1,10,24]{9600,960,96,4} <- am+0x0 f32[1,1,10,24]   @c3   ; c1

.group 1 single layers=c2 parts=6 reason="tiled alone, about 33600 B and 2174 cycles"
.part 1/6 core 0
.read
  r6    load         sm+0x0 f32[1,6,10,8] <- dram+0xcc0 f32[1,6,10,8]{9600,960,96,4}   @c3   ; c2
  r7    load         am+0x640 f32[1,3,3,8] <- dram+0x380 f32[1,3,3,8]   ; c2
  r8    load         am+0x780 f32[8] <- dram+0x4c0 f32[8]   ; c2
.compute
  c4    conv         am+0x0 f32[1,5,10,8] <- sm+0x0 f32[1,6,10,8], weight=am+0x640 f32[3,3,1,8]{96,32,288,4}, bias=am+0x780 f32[8], act=clip act_params=0.0,6.0 stride=1,1 dilation=1,1 pad_begin=1,1 groups=8   @r8 @w3   ; c2
.write
  w4    store        dram+0x3240 f32[1,5,10,8]{9600,960,96,4} <- am+0x0 f32[1,5,10,8]   @c4   ; c2

.part 2/6 core 0
.read
  r9    load         sm+0x0 f32[1,6,10,8] <- dram+0x1bc0 f32[1,6,10,8]{9600,960,96,4}   @c4   ; c2
.compute
  c5    conv         am+0x0 f32[1,5,10,8] <- sm+0x0 f32[1,6,10,8], weight=am+0x640 f32[3,3,1,8]{96,32,288,4}, bias=am+0x780 f32[8], act=clip act_params=0.0,6.0 stride=1,1 dilation=1,1 pad_begin=0,1 groups=8   @r9 @w4   ; c2
.write
  w5    store        dram+0x4500 f32[1,5,10,8]{9600,960,96,4} <- am+0x0 f32[1,5,10,8]   @c5   ; c2

.part 3/6 core 0
.read
  r10   load         sm+0x0 f32[1,6,10,8] <- dram+0xce0 f32[1,6,10,8]{9600,960,96,4}   @c5   ; c2
  r11   load         am+0x640 f32[1,3,3,8] <- dram+0x500 f32[1,3,3,8]   ; c2
  r12   load         am+0x780 f32[8] <- dram+0x640 f32[8]   ; c2
.compute
  c6    conv         am+0x0 f32[1,5,10,8] <- sm+0x0 f32[1,6,10,8], weight=am+0x640 f32[3,3,1,8]{96,32,288,4}, bias=am+0x780 f32[8], act=clip act_params=0.0,6.0 stride=1,1 dilation=1,1 pad_begin=1,1 groups=8   @r12 @w5   ; c2
.write
  w6    store        dram+0x3260 f32[1,5,10,8]{9600,960,96,4} <- am+0x0 f32[1,5,10,8]   @c6   ; c2

.part 4/6 core 0
.read
  r13   load         sm+0x0 f32[1,6,10,8] <- dram+0x1be0 f32[1,6,10,8]{9600,960,96,4}   @c6   ; c2
.compute
  c7    conv         am+0x0 f32[1,5,10,8] <- sm+0x0 f32[1,6,10,8], weight=am+0x640 f32[3,3,1,8]{96,32,288,4}, bias=am+0x780 f32[8], act=clip act_params=0.0,6.0 stride=1,1 dilation=1,1 pad_begin=0,1 groups=8   @r13 @w6   ; c2
.write
  w7    store        dram+0x4520 f32[1,5,10,8]{9600,960,96,4} <- am+0x0 f32[1,5,10,8]   @c7   ; c2

.part 5/6 core 0
.read
  r14   load         sm+0x0 f32[1,6,10,8] <- dram+0xd00 f32[1,6,10,8]{9600,960,96,4}   @c7   ; c2
  r15   load         am+0x640 f32[1,3,3,8] <- dram+0x680 f32[1,3,3,8]   ; c2
  r16   load         am+0x780 f32[8] <- dram+0x7c0 f32[8]   ; c2
.compute
  c8    conv         am+0x0 f32[1,5,10,8] <- sm+0x0 f32[1,6,10,8], weight=am+0x640 f32[3,3,1,8]{96,32,288,4}, bias=am+0x780 f32[8], act=clip act_params=0.0,6.0 stride=1,1 dilation=1,1 pad_begin=1,1 groups=8   @r16 @w7   ; c2
.write
  w8    store        dram+0x3280 f32[1,5,10,8]{9600,960,96,4} <- am+0x0 f32[1,5,10,8]   @c8   ; c2

.part 6/6 core 0
.read
  r17   load         sm+0x0 f32[1,6,10,8] <- dram+0x1c00 f32[1,6,10,8]{9600,960,96,4}   @c8   ; c2
.compute
  c9    conv         am+0x0 f32[1,5,10,8] <- sm+0x0 f32[1,6,10,8], weight=am+0x640 f32[3,3,1,8]{96,32,288,4}, bias=am+0x780 f32[8], act=clip act_params=0.0,6.0 stride=1,1 dilation=1,1 pad_begin=0,1 groups=8   @r17 @w8   ; c2
.write
  w9    store        dram+0x4540 f32[1,5,10,8]{9600,960,96,4} <- am+0x0 f32[1,5,10,8]   @c9   ; c2

.group 2 single layers=c3 parts=10 reason="tiled alone, about 16800 B and 1230 cycles"
.part 1/10 core 0
.read
  r18   load         sm+0x0 f32[1,1,10,24] <- dram+0x3240 f32[1,1,10,24]{9600,960,96,4}   @c9   ; c3
  r19   load         am+0x0 f32[1,1,24,8] <- dram+0x800 f32[1,1,24,8]   @w9   ; c3
  r20   load         am+0x580 f32[8] <- dram+0xb00 f32[8]   ; c3
  r21   load         am+0x300 f32[1,1,10,8] <- dram+0x57c0 f32[1,1,10,8]{3200,320,32,4}   ; c3
.compute
  c10   conv         am+0x440 f32[1,1,10,8] <- sm+0x0 f32[1,1,10,24], weight=am+0x0 f32[1,1,24,8], bias=am+0x580 f32[8], residual=am+0x300 f32[1,1,10,8], stride=1,1 dilation=1,1 pad_begin=0,0   @r21   ; c3
.write
  w10   store        dram+0xcc0 f32[1,1,10,8]{3200,320,32,4} <- am+0x440 f32[1,1,10,8]   @c10   ; c3

.part 2/10 core 0
.read
  r22   load         sm+0x3c0 f32[1,1,10,24] <- dram+0x3600 f32[1,1,10,24]{9600,960,96,4}   ; c3
  r23   load         am+0x5c0 f32[1,1,10,8] <- dram+0x5900 f32[1,1,10,8]{3200,320,32,4}   ; c3
.compute
  c11   conv         am+0x440 f32[1,1,10,8] <- sm+0x3c0 f32[1,1,10,24], weight=am+0x0 f32[1,1,24,8], bias=am+0x580 f32[8], residual=am+0x5c0 f32[1,1,10,8], stride=1,1 dilation=1,1 pad_begin=0,0   @r23 @w10   ; c3
.write
  w11   store        dram+0xe00 f32[1,1,10,8]{3200,320,32,4} <- am+0x440 f32[1,1,10,8]   @c11   ; c3

.part 3/10 core 0
.read
  r24   load         sm+0x0 f32[1,1,10,24] <- dram+0x39c0 f32[1,1,10,24]{9600,960,96,4}   @c10   ; c3
  r25   load         am+0x300 f32[1,1,10,8] <- dram+0x5a40 f32[1,1,10,8]{3200,320,32,4}   ; c3
.compute
  c12   conv         am+0x440 f32[1,1,10,8] <- sm+0x0 f32[1,1,10,24], weight=am+0x0 f32[1,1,24,8], bias=am+0x580 f32[8], residual=am+0x300 f32[1,1,10,8], stride=1,1 dilation=1,1 pad_begin=0,0   @r25 @w11   ; c3
.write
  w12   store        dram+0xf40 f32[1,1,10,8]{3200,320,32,4} <- am+0x440 f32[1,1,10,8]   @c12   ; c3

.part 4/10 core 0
.read
  r26   load         sm+0x3c0 f32[1,1,10,24] <- dram+0x3d80 f32[1,1,10,24]{9600,960,96,4}   @c11   ; c3
  r27   load         am+0x5c0 f32[1,1,10,8] <- dram+0x5b80 f32[1,1,10,8]{3200,320,32,4}   ; c3
.compute
  c13   conv         am+0x440 f32[1,1,10,8] <- sm+0x3c0 f32[1,1,10,24], weight=am+0x0 f32[1,1,24,8], bias=am+0x580 f32[8], residual=am+0x5c0 f32[1,1,10,8], stride=1,1 dilation=1,1 pad_begin=0,0   @r27 @w12   ; c3
.write
  w13   store        dram+0x1080 f32[1,1,10,8]{3200,320,32,4} <- am+0x440 f32[1,1,10,8]   @c13   ; c3

.part 5/10 core 0
.read
  r28   load         sm+0x0 f32[1,1,10,24] <- dram+0x4140 f32[1,1,10,24]{9600,960,96,4}   @c12   ; c3
  r29   load         am+0x300 f32[1,1,10,8] <- dram+0x5cc0 f32[1,1,10,8]{3200,320,32,4}   ; c3
.compute
  c14   conv         am+0x440 f32[1,1,10,8] <- sm+0x0 f32[1,1,10,24], weight=am+0x0 f32[1,1,24,8], bias=am+0x580 f32[8], residual=am+0x300 f32[1,1,10,8], stride=1,1 dilation=1,1 pad_begin=0,0   @r29 @w13   ; c3
.write
  w14   store        dram+0x11c0 f32[1,1,10,8]{3200,320,32,4} <- am+0x440 f32[1,1,10,8]   @c14   ; c3

.part 6/10 core 0
.read
  r30   load         sm+0x3c0 f32[1,1,10,24] <- dram+0x4500 f32[1,1,10,24]{9600,960,96,4}   @c13   ; c3
  r31   load         am+0x5c0 f32[1,1,10,8] <- dram+0x5e00 f32[1,1,10,8]{3200,320,32,4}   ; c3
.compute
  c15   conv         am+0x440 f32[1,1,10,8] <- sm+0x3c0 f32[1,1,10,24], weight=am+0x0 f32[1,1,24,8], bias=am+0x580 f32[8], residual=am+0x5c0 f32[1,1,10,8], stride=1,1 dilation=1,1 pad_begin=0,0   @r31 @w14   ; c3
.write
  w15   store        dram+0x1300 f32[1,1,10,8]{3200,320,32,4} <- am+0x440 f32[1,1,10,8]   @c15   ; c3

.part 7/10 core 0
.read
  r32   load         sm+0x0 f32[1,1,10,24] <- dram+0x48c0 f32[1,1,10,24]{9600,960,96,4}   @c14   ; c3
  r33   load         am+0x300 f32[1,1,10,8] <- dram+0x5f40 f32[1,1,10,8]{3200,320,32,4}   ; c3
.compute
  c16   conv         am+0x440 f32[1,1,10,8] <- sm+0x0 f32[1,1,10,24], weight=am+0x0 f32[1,1,24,8], bias=am+0x580 f32[8], residual=am+0x300 f32[1,1,10,8], stride=1,1 dilation=1,1 pad_begin=0,0   @r33 @w15   ; c3
.write
  w16   store        dram+0x1440 f32[1,1,10,8]{3200,320,32,4} <- am+0x440 f32[1,1,10,8]   @c16   ; c3

.part 8/10 core 0
.read
  r34   load         sm+0x3c0 f32[1,1,10,24] <- dram+0x4c80 f32[1,1,10,24]{9600,960,96,4}   @c15   ; c3
  r35   load         am+0x5c0 f32[1,1,10,8] <- dram+0x6080 f32[1,1,10,8]{3200,320,32,4}   ; c3
.compute
  c17   conv         am+0x440 f32[1,1,10,8] <- sm+0x3c0 f32[1,1,10,24], weight=am+0x0 f32[1,1,24,8], bias=am+0x580 f32[8], residual=am+0x5c0 f32[1,1,10,8], stride=1,1 dilation=1,1 pad_begin=0,0   @r35 @w16   ; c3
.write
  w17   store        dram+0x1580 f32[1,1,10,8]{3200,320,32,4} <- am+0x440 f32[1,1,10,8]   @c17   ; c3

.part 9/10 core 0
.read
  r36   load         sm+0x0 f32[1,1,10,24] <- dram+0x5040 f32[1,1,10,24]{9600,960,96,4}   @c16   ; c3
  r37   load         am+0x300 f32[1,1,10,8] <- dram+0x61c0 f32[1,1,10,8]{3200,320,32,4}   ; c3
.compute
  c18   conv         am+0x440 f32[1,1,10,8] <- sm+0x0 f32[1,1,10,24], weight=am+0x0 f32[1,1,24,8], bias=am+0x580 f32[8], residual=am+0x300 f32[1,1,10,8], stride=1,1 dilation=1,1 pad_begin=0,0   @r37 @w17   ; c3
.write
  w18   store        dram+0x16c0 f32[1,1,10,8]{3200,320,32,4} <- am+0x440 f32[1,1,10,8]   @c18   ; c3

.part 10/10 core 0
.read
  r38   load         sm+0x3c0 f32[1,1,10,24] <- dram+0x5400 f32[1,1,10,24]{9600,960,96,4}   @c17   ; c3
  r39   load         am+0x5c0 f32[1,1,10,8] <- dram+0x6300 f32[1,1,10,8]{3200,320,32,4}   ; c3
.compute
  c19   conv         am+0x440 f32[1,1,10,8] <- sm+0x3c0 f32[1,1,10,24], weight=am+0x0 f32[1,1,24,8], bias=am+0x580 f32[8], residual=am+0x5c0 f32[1,1,10,8], stride=1,1 dilation=1,1 pad_begin=0,0   @r39 @w18   ; c3
.write
  w19   store        dram+0x1800 f32[1,1,10,8]{3200,320,32,4} <- am+0x440 f32[1,1,10,8]   @c19   ; c3

.group 3 single layers=pooled parts=1 reason="tiled alone, about 3232 B and 201 cycles"
.part 1/1 core 0
.read
  r40   load         am+0x0 f32[1,10,10,8] <- dram+0xcc0 f32[1,10,10,8]   @w19   ; pooled
.compute
  c20   reduce       am+0xc80 f32[1,1,1,8] <- am+0x0 f32[1,10,10,8], function=mean axes=1,2 count=100   @r40   ; pooled
.write
  w20   store        dram+0x1940 f32[1,1,1,8] <- am+0xc80 f32[1,1,1,8]   @c20   ; pooled

.group 4 single layers=logits parts=1 reason="tiled alone, about 464 B and 94 cycles"
.part 1/1 core 0
.read
  r41   load         sm+0x0 f32[1,8] <- dram+0x1940 f32[1,8]{0,4}   @w20   ; logits
  r42   load         am+0x0 f32[8,10] <- dram+0xb40 f32[8,10]   ; logits
  r43   load         am+0x140 f32[10] <- dram+0xc80 f32[10]   ; logits
.compute
  c21   gemm         am+0x180 f32[1,10] <- sm+0x0 f32[1,8], weight=am+0x0 f32[8,10], bias=am+0x140 f32[10]   @r43   ; logits
.write
  w21   store        dram+0xcc0 f32[1,10] <- am+0x180 f32[1,10]   @c21   ; logits

.group 5 single layers=y parts=1 reason="tiled alone, about 104 B and 47 cycles"
.part 1/1 core 0
.read
  r44   load         am+0x0 f32[1,10] <- dram+0xcc0 f32[1,10]   @w21   ; y
.compute
  c22   softmax      am+0x40 f32[1,10] <- am+0x0 f32[1,10], axis=1   @r44   ; y
.write
  w22   store        dram+0x6440 f32[1,10] <- am+0x40 f32[1,10]   @c22   ; y
