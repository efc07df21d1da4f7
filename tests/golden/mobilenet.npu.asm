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
.dram 16000
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
.tensor x input dram+0x31c0 f32[1,8,10,10]{3200,4,320,32}
.tensor y output dram+0x3e40 f32[1,10]
.tensor r2 boundary dram+0xc40 f32[1,24,10,10]{9600,4,960,96}
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
.fact peak_floor_cycles 236
.fact compute_floor_cycles 564
.fact dram_floor_cycles 389
.fact predicted_cycles 5178
.fact predicted_dram_bytes 28800

.group 0 serial layers=c1,c2 parts=10 reason="14624 B of DRAM traffic for 1658 cycles of work; weights resident"
.part 1/10 core 0
.read
  r0    load         sram+0xb40 f32[1,2,10,8]{3200,320,32,4} <- dram+0x31c0 f32[1,2,10,8]{3200,320,32,4}   ; c1
  r1    load         sram+0x1280 f32[1,1,8,24] <- dram+0x0 f32[1,1,8,24]   ; c1
  r2    load         sram+0x1580 f32[24] <- dram+0x300 f32[24]   ; c1
  r3    load         sram+0xf00 f32[1,3,3,24]{96,288,96,4} <- dram+0x380 f32[1,3,3,24]   ; c2
  r4    load         sram+0x1600 f32[24] <- dram+0x700 f32[24]   ; c2
.compute
  c0    conv         sram+0x0 f32[1,2,10,24]{9600,960,96,4} <- sram+0xb40 f32[1,2,10,8]{3200,320,32,4}, weight=sram+0x1280 f32[1,1,8,24], bias=sram+0x1580 f32[24], act=clip act_params=0.0,6.0 stride=1,1 dilation=1,1 pad_begin=0,0   @r2   ; c1
  c1    conv         sram+0xb40 f32[1,1,10,24]{9600,960,96,4} <- sram+0x0 f32[1,2,10,24]{9600,960,96,4}, weight=sram+0xf00 f32[3,3,1,24], bias=sram+0x1600 f32[24], act=clip act_params=0.0,6.0 stride=1,1 dilation=1,1 pad_begin=1,1 groups=24   @r4   ; c2
.write
  w0    store        dram+0xc40 f32[1,1,10,24]{9600,960,96,4} <- sram+0xb40 f32[1,1,10,24]{9600,960,96,4}   @c1   ; c2

.part 2/10 core 0
.read
  r5    load         sram+0x1680 f32[1,1,10,8]{3200,320,32,4} <- dram+0x3440 f32[1,1,10,8]{3200,320,32,4}   ; c1
.compute
  c2    conv         sram+0x780 f32[1,1,10,24]{9600,960,96,4} <- sram+0x1680 f32[1,1,10,8]{3200,320,32,4}, weight=sram+0x1280 f32[1,1,8,24], bias=sram+0x1580 f32[24], act=clip act_params=0.0,6.0 stride=1,1 dilation=1,1 pad_begin=0,0   @r5   ; c1
  c3    conv         sram+0xb40 f32[1,1,10,24]{9600,960,96,4} <- sram+0x0 f32[1,3,10,24]{9600,960,96,4}, weight=sram+0xf00 f32[3,3,1,24], bias=sram+0x1600 f32[24], act=clip act_params=0.0,6.0 stride=1,1 dilation=1,1 pad_begin=0,1 groups=24   @w0   ; c2
.write
  w1    store        dram+0x1000 f32[1,1,10,24]{9600,960,96,4} <- sram+0xb40 f32[1,1,10,24]{9600,960,96,4}   @c3   ; c2

.part 3/10 core 0
.read
  r6    load         sram+0x1680 f32[1,1,10,8]{3200,320,32,4} <- dram+0x3580 f32[1,1,10,8]{3200,320,32,4}   @c2   ; c1
.compute
  c4    copy         sram+0x0 f32[1,2,10,24]{9600,960,96,4} <- sram+0x3c0 f32[1,2,10,24]{9600,960,96,4}   ; c1
  c5    conv         sram+0x780 f32[1,1,10,24]{9600,960,96,4} <- sram+0x1680 f32[1,1,10,8]{3200,320,32,4}, weight=sram+0x1280 f32[1,1,8,24], bias=sram+0x1580 f32[24], act=clip act_params=0.0,6.0 stride=1,1 dilation=1,1 pad_begin=0,0   @r6   ; c1
  c6    conv         sram+0xb40 f32[1,1,10,24]{9600,960,96,4} <- sram+0x0 f32[1,3,10,24]{9600,960,96,4}, weight=sram+0xf00 f32[3,3,1,24], bias=sram+0x1600 f32[24], act=clip act_params=0.0,6.0 stride=1,1 dilation=1,1 pad_begin=0,1 groups=24   @w1   ; c2
.write
  w2    store        dram+0x13c0 f32[1,1,10,24]{9600,960,96,4} <- sram+0xb40 f32[1,1,10,24]{9600,960,96,4}   @c6   ; c2

.part 4/10 core 0
.read
  r7    load         sram+0x1680 f32[1,1,10,8]{3200,320,32,4} <- dram+0x36c0 f32[1,1,10,8]{3200,320,32,4}   @c5   ; c1
.compute
  c7    copy         sram+0x0 f32[1,2,10,24]{9600,960,96,4} <- sram+0x3c0 f32[1,2,10,24]{9600,960,96,4}   ; c1
  c8    conv         sram+0x780 f32[1,1,10,24]{9600,960,96,4} <- sram+0x1680 f32[1,1,10,8]{3200,320,32,4}, weight=sram+0x1280 f32[1,1,8,24], bias=sram+0x1580 f32[24], act=clip act_params=0.0,6.0 stride=1,1 dilation=1,1 pad_begin=0,0   @r7   ; c1
  c9    conv         sram+0xb40 f32[1,1,10,24]{9600,960,96,4} <- sram+0x0 f32[1,3,10,24]{9600,960,96,4}, weight=sram+0xf00 f32[3,3,1,24], bias=sram+0x1600 f32[24], act=clip act_params=0.0,6.0 stride=1,1 dilation=1,1 pad_begin=0,1 groups=24   @w2   ; c2
.write
  w3    store        dram+0x1780 f32[1,1,10,24]{9600,960,96,4} <- sram+0xb40 f32[1,1,10,24]{9600,960,96,4}   @c9   ; c2

.part 5/10 core 0
.read
  r8    load         sram+0x1680 f32[1,1,10,8]{3200,320,32,4} <- dram+0x3800 f32[1,1,10,8]{3200,320,32,4}   @c8   ; c1
.compute
  c10   copy         sram+0x0 f32[1,2,10,24]{9600,960,96,4} <- sram+0x3c0 f32[1,2,10,24]{9600,960,96,4}   ; c1
  c11   conv         sram+0x780 f32[1,1,10,24]{9600,960,96,4} <- sram+0x1680 f32[1,1,10,8]{3200,320,32,4}, weight=sram+0x1280 f32[1,1,8,24], bias=sram+0x1580 f32[24], act=clip act_params=0.0,6.0 stride=1,1 dilation=1,1 pad_begin=0,0   @r8   ; c1
  c12   conv         sram+0xb40 f32[1,1,10,24]{9600,960,96,4} <- sram+0x0 f32[1,3,10,24]{9600,960,96,4}, weight=sram+0xf00 f32[3,3,1,24], bias=sram+0x1600 f32[24], act=clip act_params=0.0,6.0 stride=1,1 dilation=1,1 pad_begin=0,1 groups=24   @w3   ; c2
.write
  w4    store        dram+0x1b40 f32[1,1,10,24]{9600,960,96,4} <- sram+0xb40 f32[1,1,10,24]{9600,960,96,4}   @c12   ; c2

.part 6/10 core 0
.read
  r9    load         sram+0x1680 f32[1,1,10,8]{3200,320,32,4} <- dram+0x3940 f32[1,1,10,8]{3200,320,32,4}   @c11   ; c1
.compute
  c13   copy         sram+0x0 f32[1,2,10,24]{9600,960,96,4} <- sram+0x3c0 f32[1,2,10,24]{9600,960,96,4}   ; c1
  c14   conv         sram+0x780 f32[1,1,10,24]{9600,960,96,4} <- sram+0x1680 f32[1,1,10,8]{3200,320,32,4}, weight=sram+0x1280 f32[1,1,8,24], bias=sram+0x1580 f32[24], act=clip act_params=0.0,6.0 stride=1,1 dilation=1,1 pad_begin=0,0   @r9   ; c1
  c15   conv         sram+0xb40 f32[1,1,10,24]{9600,960,96,4} <- sram+0x0 f32[1,3,10,24]{9600,960,96,4}, weight=sram+0xf00 f32[3,3,1,24], bias=sram+0x1600 f32[24], act=clip act_params=0.0,6.0 stride=1,1 dilation=1,1 pad_begin=0,1 groups=24   @w4   ; c2
.write
  w5    store        dram+0x1f00 f32[1,1,10,24]{9600,960,96,4} <- sram+0xb40 f32[1,1,10,24]{9600,960,96,4}   @c15   ; c2

.part 7/10 core 0
.read
  r10   load         sram+0x1680 f32[1,1,10,8]{3200,320,32,4} <- dram+0x3a80 f32[1,1,10,8]{3200,320,32,4}   @c14   ; c1
.compute
  c16   copy         sram+0x0 f32[1,2,10,24]{9600,960,96,4} <- sram+0x3c0 f32[1,2,10,24]{9600,960,96,4}   ; c1
  c17   conv         sram+0x780 f32[1,1,10,24]{9600,960,96,4} <- sram+0x1680 f32[1,1,10,8]{3200,320,32,4}, weight=sram+0x1280 f32[1,1,8,24], bias=sram+0x1580 f32[24], act=clip act_params=0.0,6.0 stride=1,1 dilation=1,1 pad_begin=0,0   @r10   ; c1
  c18   conv         sram+0xb40 f32[1,1,10,24]{9600,960,96,4} <- sram+0x0 f32[1,3,10,24]{9600,960,96,4}, weight=sram+0xf00 f32[3,3,1,24], bias=sram+0x1600 f32[24], act=clip act_params=0.0,6.0 stride=1,1 dilation=1,1 pad_begin=0,1 groups=24   @w5   ; c2
.write
  w6    store        dram+0x22c0 f32[1,1,10,24]{9600,960,96,4} <- sram+0xb40 f32[1,1,10,24]{9600,960,96,4}   @c18   ; c2

.part 8/10 core 0
.read
  r11   load         sram+0x1680 f32[1,1,10,8]{3200,320,32,4} <- dram+0x3bc0 f32[1,1,10,8]{3200,320,32,4}   @c17   ; c1
.compute
  c19   copy         sram+0x0 f32[1,2,10,24]{9600,960,96,4} <- sram+0x3c0 f32[1,2,10,24]{9600,960,96,4}   ; c1
  c20   conv         sram+0x780 f32[1,1,10,24]{9600,960,96,4} <- sram+0x1680 f32[1,1,10,8]{3200,320,32,4}, weight=sram+0x1280 f32[1,1,8,24], bias=sram+0x1580 f32[24], act=clip act_params=0.0,6.0 stride=1,1 dilation=1,1 pad_begin=0,0   @r11   ; c1
  c21   conv         sram+0xb40 f32[1,1,10,24]{9600,960,96,4} <- sram+0x0 f32[1,3,10,24]{9600,960,96,4}, weight=sram+0xf00 f32[3,3,1,24], bias=sram+0x1600 f32[24], act=clip act_params=0.0,6.0 stride=1,1 dilation=1,1 pad_begin=0,1 groups=24   @w6   ; c2
.write
  w7    store        dram+0x2680 f32[1,1,10,24]{9600,960,96,4} <- sram+0xb40 f32[1,1,10,24]{9600,960,96,4}   @c21   ; c2

.part 9/10 core 0
.read
  r12   load         sram+0x1680 f32[1,1,10,8]{3200,320,32,4} <- dram+0x3d00 f32[1,1,10,8]{3200,320,32,4}   @c20   ; c1
.compute
  c22   copy         sram+0x0 f32[1,2,10,24]{9600,960,96,4} <- sram+0x3c0 f32[1,2,10,24]{9600,960,96,4}   ; c1
  c23   conv         sram+0x780 f32[1,1,10,24]{9600,960,96,4} <- sram+0x1680 f32[1,1,10,8]{3200,320,32,4}, weight=sram+0x1280 f32[1,1,8,24], bias=sram+0x1580 f32[24], act=clip act_params=0.0,6.0 stride=1,1 dilation=1,1 pad_begin=0,0   @r12   ; c1
  c24   conv         sram+0xb40 f32[1,1,10,24]{9600,960,96,4} <- sram+0x0 f32[1,3,10,24]{9600,960,96,4}, weight=sram+0xf00 f32[3,3,1,24], bias=sram+0x1600 f32[24], act=clip act_params=0.0,6.0 stride=1,1 dilation=1,1 pad_begin=0,1 groups=24   @w7   ; c2
.write
  w8    store        dram+0x2a40 f32[1,1,10,24]{9600,960,96,4} <- sram+0xb40 f32[1,1,10,24]{9600,960,96,4}   @c24   ; c2

.part 10/10 core 0
.compute
  c25   copy         sram+0x0 f32[1,2,10,24]{9600,960,96,4} <- sram+0x3c0 f32[1,2,10,24]{9600,960,96,4}   ; c1
  c26   conv         sram+0xb40 f32[1,1,10,24]{9600,960,96,4} <- sram+0x0 f32[1,2,10,24]{9600,960,96,4}, weight=sram+0xf00 f32[3,3,1,24], bias=sram+0x1600 f32[24], act=clip act_params=0.0,6.0 stride=1,1 dilation=1,1 pad_begin=0,1 groups=24   @w8   ; c2
.write
  w9    store        dram+0x2e00 f32[1,1,10,24]{9600,960,96,4} <- sram+0xb40 f32[1,1,10,24]{9600,960,96,4}   @c26   ; c2

.group 1 single layers=c3 parts=10 reason="13600 B of DRAM traffic for 560 cycles of work; weights resident; leaves sum on chip"
.part 1/10 core 0
.read
  r13   load         sram+0xc80 f32[1,1,10,24]{9600,960,96,4} <- dram+0xc40 f32[1,1,10,24]{9600,960,96,4}   @w9   ; c3
  r14   load         sram+0x1340 f32[1,1,10,8]{3200,320,32,4} <- dram+0x31c0 f32[1,1,10,8]{3200,320,32,4}   ; c1
  r15   load         sram+0x1040 f32[1,1,24,8] <- dram+0x780 f32[1,1,24,8]   ; c3
  r16   load         sram+0x1480 f32[8] <- dram+0xa80 f32[8]   ; c3
.compute
  c27   conv         sram+0x0 f32[1,1,10,8]{3200,320,32,4} <- sram+0xc80 f32[1,1,10,24]{9600,960,96,4}, weight=sram+0x1040 f32[1,1,24,8], bias=sram+0x1480 f32[8], residual=sram+0x1340 f32[1,1,10,8]{3200,320,32,4}, stride=1,1 dilation=1,1 pad_begin=0,0   @r16   ; c3

.part 2/10 core 0
.read
  r17   load         sram+0xc80 f32[1,1,10,24]{9600,960,96,4} <- dram+0x1000 f32[1,1,10,24]{9600,960,96,4}   @c27   ; c3
  r18   load         sram+0x1340 f32[1,1,10,8]{3200,320,32,4} <- dram+0x3300 f32[1,1,10,8]{3200,320,32,4}   ; c1
.compute
  c28   conv         sram+0x140 f32[1,1,10,8]{3200,320,32,4} <- sram+0xc80 f32[1,1,10,24]{9600,960,96,4}, weight=sram+0x1040 f32[1,1,24,8], bias=sram+0x1480 f32[8], residual=sram+0x1340 f32[1,1,10,8]{3200,320,32,4}, stride=1,1 dilation=1,1 pad_begin=0,0   @r18   ; c3

.part 3/10 core 0
.read
  r19   load         sram+0xc80 f32[1,1,10,24]{9600,960,96,4} <- dram+0x13c0 f32[1,1,10,24]{9600,960,96,4}   @c28   ; c3
  r20   load         sram+0x1340 f32[1,1,10,8]{3200,320,32,4} <- dram+0x3440 f32[1,1,10,8]{3200,320,32,4}   ; c1
.compute
  c29   conv         sram+0x280 f32[1,1,10,8]{3200,320,32,4} <- sram+0xc80 f32[1,1,10,24]{9600,960,96,4}, weight=sram+0x1040 f32[1,1,24,8], bias=sram+0x1480 f32[8], residual=sram+0x1340 f32[1,1,10,8]{3200,320,32,4}, stride=1,1 dilation=1,1 pad_begin=0,0   @r20   ; c3

.part 4/10 core 0
.read
  r21   load         sram+0xc80 f32[1,1,10,24]{9600,960,96,4} <- dram+0x1780 f32[1,1,10,24]{9600,960,96,4}   @c29   ; c3
  r22   load         sram+0x1340 f32[1,1,10,8]{3200,320,32,4} <- dram+0x3580 f32[1,1,10,8]{3200,320,32,4}   ; c1
.compute
  c30   conv         sram+0x3c0 f32[1,1,10,8]{3200,320,32,4} <- sram+0xc80 f32[1,1,10,24]{9600,960,96,4}, weight=sram+0x1040 f32[1,1,24,8], bias=sram+0x1480 f32[8], residual=sram+0x1340 f32[1,1,10,8]{3200,320,32,4}, stride=1,1 dilation=1,1 pad_begin=0,0   @r22   ; c3

.part 5/10 core 0
.read
  r23   load         sram+0xc80 f32[1,1,10,24]{9600,960,96,4} <- dram+0x1b40 f32[1,1,10,24]{9600,960,96,4}   @c30   ; c3
  r24   load         sram+0x1340 f32[1,1,10,8]{3200,320,32,4} <- dram+0x36c0 f32[1,1,10,8]{3200,320,32,4}   ; c1
.compute
  c31   conv         sram+0x500 f32[1,1,10,8]{3200,320,32,4} <- sram+0xc80 f32[1,1,10,24]{9600,960,96,4}, weight=sram+0x1040 f32[1,1,24,8], bias=sram+0x1480 f32[8], residual=sram+0x1340 f32[1,1,10,8]{3200,320,32,4}, stride=1,1 dilation=1,1 pad_begin=0,0   @r24   ; c3

.part 6/10 core 0
.read
  r25   load         sram+0xc80 f32[1,1,10,24]{9600,960,96,4} <- dram+0x1f00 f32[1,1,10,24]{9600,960,96,4}   @c31   ; c3
  r26   load         sram+0x1340 f32[1,1,10,8]{3200,320,32,4} <- dram+0x3800 f32[1,1,10,8]{3200,320,32,4}   ; c1
.compute
  c32   conv         sram+0x640 f32[1,1,10,8]{3200,320,32,4} <- sram+0xc80 f32[1,1,10,24]{9600,960,96,4}, weight=sram+0x1040 f32[1,1,24,8], bias=sram+0x1480 f32[8], residual=sram+0x1340 f32[1,1,10,8]{3200,320,32,4}, stride=1,1 dilation=1,1 pad_begin=0,0   @r26   ; c3

.part 7/10 core 0
.read
  r27   load         sram+0xc80 f32[1,1,10,24]{9600,960,96,4} <- dram+0x22c0 f32[1,1,10,24]{9600,960,96,4}   @c32   ; c3
  r28   load         sram+0x1340 f32[1,1,10,8]{3200,320,32,4} <- dram+0x3940 f32[1,1,10,8]{3200,320,32,4}   ; c1
.compute
  c33   conv         sram+0x780 f32[1,1,10,8]{3200,320,32,4} <- sram+0xc80 f32[1,1,10,24]{9600,960,96,4}, weight=sram+0x1040 f32[1,1,24,8], bias=sram+0x1480 f32[8], residual=sram+0x1340 f32[1,1,10,8]{3200,320,32,4}, stride=1,1 dilation=1,1 pad_begin=0,0   @r28   ; c3

.part 8/10 core 0
.read
  r29   load         sram+0xc80 f32[1,1,10,24]{9600,960,96,4} <- dram+0x2680 f32[1,1,10,24]{9600,960,96,4}   @c33   ; c3
  r30   load         sram+0x1340 f32[1,1,10,8]{3200,320,32,4} <- dram+0x3a80 f32[1,1,10,8]{3200,320,32,4}   ; c1
.compute
  c34   conv         sram+0x8c0 f32[1,1,10,8]{3200,320,32,4} <- sram+0xc80 f32[1,1,10,24]{9600,960,96,4}, weight=sram+0x1040 f32[1,1,24,8], bias=sram+0x1480 f32[8], residual=sram+0x1340 f32[1,1,10,8]{3200,320,32,4}, stride=1,1 dilation=1,1 pad_begin=0,0   @r30   ; c3

.part 9/10 core 0
.read
  r31   load         sram+0xc80 f32[1,1,10,24]{9600,960,96,4} <- dram+0x2a40 f32[1,1,10,24]{9600,960,96,4}   @c34   ; c3
  r32   load         sram+0x1340 f32[1,1,10,8]{3200,320,32,4} <- dram+0x3bc0 f32[1,1,10,8]{3200,320,32,4}   ; c1
.compute
  c35   conv         sram+0xa00 f32[1,1,10,8]{3200,320,32,4} <- sram+0xc80 f32[1,1,10,24]{9600,960,96,4}, weight=sram+0x1040 f32[1,1,24,8], bias=sram+0x1480 f32[8], residual=sram+0x1340 f32[1,1,10,8]{3200,320,32,4}, stride=1,1 dilation=1,1 pad_begin=0,0   @r32   ; c3

.part 10/10 core 0
.read
  r33   load         sram+0xc80 f32[1,1,10,24]{9600,960,96,4} <- dram+0x2e00 f32[1,1,10,24]{9600,960,96,4}   @c35   ; c3
  r34   load         sram+0x1340 f32[1,1,10,8]{3200,320,32,4} <- dram+0x3d00 f32[1,1,10,8]{3200,320,32,4}   ; c1
.compute
  c36   conv         sram+0xb40 f32[1,1,10,8]{3200,320,32,4} <- sram+0xc80 f32[1,1,10,24]{9600,960,96,4}, weight=sram+0x1040 f32[1,1,24,8], bias=sram+0x1480 f32[8], residual=sram+0x1340 f32[1,1,10,8]{3200,320,32,4}, stride=1,1 dilation=1,1 pad_begin=0,0   @r34   ; c3

.group 2 serial layers=pooled,logits,y parts=1 reason="400 B of DRAM traffic for 130 cycles of work; activations stay, weights stream once; finds sum on chip"
.part 1/1 core 0
.read
  r35   load         sram+0x14c0 f32[8,10] <- dram+0xac0 f32[8,10]   ; logits
  r36   load         sram+0x1600 f32[10] <- dram+0xc00 f32[10]   ; logits
.compute
  c37   reduce       sram+0xc80 f32[1,1,1,8] <- sram+0x0 f32[1,10,10,8], function=mean axes=1,2 count=100   ; pooled
  c38   gemm         sram+0x180 f32[1,10] <- sram+0xc80 f32[1,8]{0,4}, weight=sram+0x14c0 f32[8,10], bias=sram+0x1600 f32[10]   @r36   ; logits
  c39   softmax      sram+0x0 f32[1,10] <- sram+0x180 f32[1,10], axis=1   ; y
.write
  w10   store        dram+0x3e40 f32[1,10] <- sram+0x0 f32[1,10]   @c39   ; y
