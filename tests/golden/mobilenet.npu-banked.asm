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
.hex 0000b83f 0000c03f 0000c83f 0000d03f 0000b03f 0000b83f 0000c03f 0000c83f
.hex 0000d03f 0000d83f 0000e03f 0000e83f 0000f03f 0000f83f 0000803d 0000003e
.hex 0000e83f 0000f03f 0000f83f 0000803d 0000003e 0000403e 0000803e 0000a03e
.hex 0000c03e 0000e03e 0000003f 0000103f 0000a03e 0000c03e 0000e03e 0000003f
.hex 0000103f 0000203f 0000303f 0000403f 0000503f 0000603f 0000703f 0000803f
.hex 0000403f 0000503f 0000603f 0000703f 0000803f 0000883f 0000903f 0000983f
.hex 0000a03f 0000a83f 0000b03f 0000b83f 0000983f 0000a03f 0000a83f 0000b03f
.hex 0000b83f 0000c03f 0000c83f 0000d03f 0000d83f 0000e03f 0000e83f 0000f03f
.hex 0000d03f 0000d83f 0000e03f 0000e83f 0000f03f 0000f83f 0000803d 0000003e
.hex 0000403e 0000803e 0000a03e 0000c03e 0000003e 0000403e 0000803e 0000a03e
.hex 0000c03e 0000e03e 0000003f 0000103f 0000203f 0000303f 0000403f 0000503f
.hex 0000103f 0000203f 0000303f 0000403f 0000503f 0000603f 0000703f 0000803f
.hex 0000883f 0000903f 0000983f 0000a03f 00000000 00000000 00000000 00000000
.hex 0000b03f 0000e83f 0000a03e 0000403f 0000983f 0000d03f 0000003e 0000103f
.hex 0000803f 0000b83f 0000f03f 0000c03e 00000000 00000000 00000000 00000000
.hex 0000d83f 0000e03f 0000e83f 0000f03f 0000f83f 0000803d 0000003e 0000403e
.hex 0000803e 0000a03e 0000c03e 0000e03e 0000403e 0000803e 0000a03e 0000c03e
.hex 0000e03e 0000003f 0000103f 0000203f 0000303f 0000403f 0000503f 0000603f
.hex 0000203f 0000303f 0000403f 0000503f 0000603f 0000703f 0000803f 0000883f
.hex 0000903f 0000983f 0000a03f 0000a83f 0000883f 0000903f 0000983f 0000a03f
.hex 0000a83f 0000b03f 0000b83f 0000c03f 0000c83f 0000d03f 0000d83f 0000e03f
.hex 0000c03f 0000c83f 0000d03f 0000d83f 0000e03f 0000e83f 0000f03f 0000f83f
.hex 0000803d 0000003e 0000403e 0000803e 0000f83f 0000803d 0000003e 0000403e
.hex 0000803e 0000a03e 0000c03e 0000e03e 0000003f 0000103f 0000203f 0000303f
.hex 0000e03e 0000003f 0000103f 0000203f 0000303f 0000403f 0000503f 0000603f
.hex 0000703f 0000803f 0000883f 0000903f 0000603f 0000703f 0000803f 0000883f
.hex 0000903f 0000983f 0000a03f 0000a83f 0000b03f 0000b83f 0000c03f 0000c83f
.hex 0000a83f 0000b03f 0000b83f 0000c03f 0000c83f 0000d03f 0000d83f 0000e03f
.hex 0000e83f 0000f03f 0000f83f 0000803d 00000000 00000000 00000000 00000000
.hex 0000503f 0000a03f 0000d83f 0000403e 0000203f 0000883f 0000c03f 0000f83f
.hex 0000e03e 0000603f 0000a83f 0000e03f 00000000 00000000 00000000 00000000
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
.tensor x input dram+0xc40 f32[1,8,10,10]{3200,4,320,32}
.tensor y output dram+0x18c0 f32[1,10]
.tensor r1 boundary dram+0x1900 f32[1,24,10,10]{9600,4,960,96}
.tensor r2 boundary dram+0x3e80 f32[1,24,10,10]{9600,4,960,96}
.tensor sum boundary dram+0x1900 f32[1,8,10,10]{3200,4,320,32}
.tensor pooled boundary dram+0x2580 f32[1,8,1,1]{32,4,32,32}
.tensor logits boundary dram+0x1900 f32[1,10]
.tensor w1 constant dram+0x0 f32[1,1,8,24]
.tensor b1 constant dram+0x300 f32[24]
.tensor "w2[0,0,0,0]" constant dram+0x380 f32[1,3,3,12]
.tensor "b2[0]" constant dram+0x540 f32[12]
.tensor "w2[12,0,0,0]" constant dram+0x580 f32[1,3,3,12]
.tensor "b2[12]" constant dram+0x740 f32[12]
.tensor w3 constant dram+0x780 f32[1,1,24,8]
.tensor b3 constant dram+0xa80 f32[8]
.tensor logits.b.reordered constant dram+0xac0 f32[8,10]
.tensor b4 constant dram+0xc00 f32[10]
.fact floor_bytes 6224
.fact macs 60080
.fact peak_floor_cycles 236
.fact compute_floor_cycles 564
.fact dram_floor_cycles 389
.fact predicted_cycles 8710
.fact predicted_dram_bytes 85376

.group 0 single layers=c1 parts=10 reason="DRAM-bound, double-buffered, about 1177 cycles for 13664 B"
.part 1/10 core 0
.read
  r0    load         bank1+0x0 f32[1,1,10,8] <- dram+0xc40 f32[1,1,10,8]{3200,320,32,4}   ; c1
  r1    load         bank2+0x0 f32[1,1,8,24] <- dram+0x0 f32[1,1,8,24]   ; c1
  r2    load         bank2+0x300 f32[24] <- dram+0x300 f32[24]   ; c1
.compute
  c0    conv         bank1+0x280 f32[1,1,10,24] <- bank1+0x0 f32[1,1,10,8], weight=bank2+0x0 f32[1,1,8,24], bias=bank2+0x300 f32[24], act=clip act_params=0.0,6.0 stride=1,1 dilation=1,1 pad_begin=0,0   @r2   ; c1
.write
  w0    store        dram+0x1900 f32[1,1,10,24]{9600,960,96,4} <- bank1+0x280 f32[1,1,10,24]   @c0   ; c1

.part 2/10 core 0
.read
  r3    load         bank1+0x140 f32[1,1,10,8] <- dram+0xd80 f32[1,1,10,8]{3200,320,32,4}   ; c1
.compute
  c1    conv         bank1+0x640 f32[1,1,10,24] <- bank1+0x140 f32[1,1,10,8], weight=bank2+0x0 f32[1,1,8,24], bias=bank2+0x300 f32[24], act=clip act_params=0.0,6.0 stride=1,1 dilation=1,1 pad_begin=0,0   @r3   ; c1
.write
  w1    store        dram+0x1cc0 f32[1,1,10,24]{9600,960,96,4} <- bank1+0x640 f32[1,1,10,24]   @c1   ; c1

.part 3/10 core 0
.read
  r4    load         bank1+0x0 f32[1,1,10,8] <- dram+0xec0 f32[1,1,10,8]{3200,320,32,4}   @c0   ; c1
.compute
  c2    conv         bank1+0x280 f32[1,1,10,24] <- bank1+0x0 f32[1,1,10,8], weight=bank2+0x0 f32[1,1,8,24], bias=bank2+0x300 f32[24], act=clip act_params=0.0,6.0 stride=1,1 dilation=1,1 pad_begin=0,0   @r4 @w0   ; c1
.write
  w2    store        dram+0x2080 f32[1,1,10,24]{9600,960,96,4} <- bank1+0x280 f32[1,1,10,24]   @c2   ; c1

.part 4/10 core 0
.read
  r5    load         bank1+0x140 f32[1,1,10,8] <- dram+0x1000 f32[1,1,10,8]{3200,320,32,4}   @c1   ; c1
.compute
  c3    conv         bank1+0x640 f32[1,1,10,24] <- bank1+0x140 f32[1,1,10,8], weight=bank2+0x0 f32[1,1,8,24], bias=bank2+0x300 f32[24], act=clip act_params=0.0,6.0 stride=1,1 dilation=1,1 pad_begin=0,0   @r5 @w1   ; c1
.write
  w3    store        dram+0x2440 f32[1,1,10,24]{9600,960,96,4} <- bank1+0x640 f32[1,1,10,24]   @c3   ; c1

.part 5/10 core 0
.read
  r6    load         bank1+0x0 f32[1,1,10,8] <- dram+0x1140 f32[1,1,10,8]{3200,320,32,4}   @c2   ; c1
.compute
  c4    conv         bank1+0x280 f32[1,1,10,24] <- bank1+0x0 f32[1,1,10,8], weight=bank2+0x0 f32[1,1,8,24], bias=bank2+0x300 f32[24], act=clip act_params=0.0,6.0 stride=1,1 dilation=1,1 pad_begin=0,0   @r6 @w2   ; c1
.write
  w4    store        dram+0x2800 f32[1,1,10,24]{9600,960,96,4} <- bank1+0x280 f32[1,1,10,24]   @c4   ; c1

.part 6/10 core 0
.read
  r7    load         bank1+0x140 f32[1,1,10,8] <- dram+0x1280 f32[1,1,10,8]{3200,320,32,4}   @c3   ; c1
.compute
  c5    conv         bank1+0x640 f32[1,1,10,24] <- bank1+0x140 f32[1,1,10,8], weight=bank2+0x0 f32[1,1,8,24], bias=bank2+0x300 f32[24], act=clip act_params=0.0,6.0 stride=1,1 dilation=1,1 pad_begin=0,0   @r7 @w3   ; c1
.write
  w5    store        dram+0x2bc0 f32[1,1,10,24]{9600,960,96,4} <- bank1+0x640 f32[1,1,10,24]   @c5   ; c1

.part 7/10 core 0
.read
  r8    load         bank1+0x0 f32[1,1,10,8] <- dram+0x13c0 f32[1,1,10,8]{3200,320,32,4}   @c4   ; c1
.compute
  c6    conv         bank1+0x280 f32[1,1,10,24] <- bank1+0x0 f32[1,1,10,8], weight=bank2+0x0 f32[1,1,8,24], bias=bank2+0x300 f32[24], act=clip act_params=0.0,6.0 stride=1,1 dilation=1,1 pad_begin=0,0   @r8 @w4   ; c1
.write
  w6    store        dram+0x2f80 f32[1,1,10,24]{9600,960,96,4} <- bank1+0x280 f32[1,1,10,24]   @c6   ; c1

.part 8/10 core 0
.read
  r9    load         bank1+0x140 f32[1,1,10,8] <- dram+0x1500 f32[1,1,10,8]{3200,320,32,4}   @c5   ; c1
.compute
  c7    conv         bank1+0x640 f32[1,1,10,24] <- bank1+0x140 f32[1,1,10,8], weight=bank2+0x0 f32[1,1,8,24], bias=bank2+0x300 f32[24], act=clip act_params=0.0,6.0 stride=1,1 dilation=1,1 pad_begin=0,0   @r9 @w5   ; c1
.write
  w7    store        dram+0x3340 f32[1,1,10,24]{9600,960,96,4} <- bank1+0x640 f32[1,1,10,24]   @c7   ; c1

.part 9/10 core 0
.read
  r10   load         bank1+0x0 f32[1,1,10,8] <- dram+0x1640 f32[1,1,10,8]{3200,320,32,4}   @c6   ; c1
.compute
  c8    conv         bank1+0x280 f32[1,1,10,24] <- bank1+0x0 f32[1,1,10,8], weight=bank2+0x0 f32[1,1,8,24], bias=bank2+0x300 f32[24], act=clip act_params=0.0,6.0 stride=1,1 dilation=1,1 pad_begin=0,0   @r10 @w6   ; c1
.write
  w8    store        dram+0x3700 f32[1,1,10,24]{9600,960,96,4} <- bank1+0x280 f32[1,1,10,24]   @c8   ; c1

.part 10/10 core 0
.read
  r11   load         bank1+0x140 f32[1,1,10,8] <- dram+0x1780 f32[1,1,10,8]{3200,320,32,4}   @c7   ; c1
.compute
  c9    conv         bank1+0x640 f32[1,1,10,24] <- bank1+0x140 f32[1,1,10,8], weight=bank2+0x0 f32[1,1,8,24], bias=bank2+0x300 f32[24], act=clip act_params=0.0,6.0 stride=1,1 dilation=1,1 pad_begin=0,0   @r11 @w7   ; c1
.write
  w9    store        dram+0x3ac0 f32[1,1,10,24]{9600,960,96,4} <- bank1+0x640 f32[1,1,10,24]   @c9   ; c1

.group 1 single layers=c2 parts=8 reason="DRAM-bound, single-buffered, about 3104 cycles for 31040 B"
.part 1/8 core 0
.read
  r12   load         bank1+0x880 f32[1,4,10,12] <- dram+0x1900 f32[1,4,10,12]{9600,960,96,4}   @w9   ; c2
  r13   load         bank2+0x640 f32[1,3,3,12] <- dram+0x380 f32[1,3,3,12]   ; c2
  r14   load         bank2+0x600 f32[12] <- dram+0x540 f32[12]   ; c2
.compute
  c10   conv         bank1+0x2c0 f32[1,3,10,12] <- bank1+0x880 f32[1,4,10,12], weight=bank2+0x640 f32[3,3,1,12]{144,48,432,4}, bias=bank2+0x600 f32[12], act=clip act_params=0.0,6.0 stride=1,1 dilation=1,1 pad_begin=1,1 groups=12   @r14   ; c2
.write
  w10   store        dram+0x3e80 f32[1,3,10,12]{9600,960,96,4} <- bank1+0x2c0 f32[1,3,10,12]   @c10   ; c2

.part 2/8 core 0
.read
  r15   load         bank1+0x680 f32[1,5,10,12] <- dram+0x2080 f32[1,5,10,12]{9600,960,96,4}   @w10   ; c2
.compute
  c11   conv         bank1+0xc0 f32[1,3,10,12] <- bank1+0x680 f32[1,5,10,12], weight=bank2+0x640 f32[3,3,1,12]{144,48,432,4}, bias=bank2+0x600 f32[12], act=clip act_params=0.0,6.0 stride=1,1 dilation=1,1 pad_begin=0,1 groups=12   @r15   ; c2
.write
  w11   store        dram+0x49c0 f32[1,3,10,12]{9600,960,96,4} <- bank1+0xc0 f32[1,3,10,12]   @c11   ; c2

.part 3/8 core 0
.read
  r16   load         bank1+0x680 f32[1,5,10,12] <- dram+0x2bc0 f32[1,5,10,12]{9600,960,96,4}   @c11   ; c2
.compute
  c12   conv         bank1+0xc0 f32[1,3,10,12] <- bank1+0x680 f32[1,5,10,12], weight=bank2+0x640 f32[3,3,1,12]{144,48,432,4}, bias=bank2+0x600 f32[12], act=clip act_params=0.0,6.0 stride=1,1 dilation=1,1 pad_begin=0,1 groups=12   @r16 @w11   ; c2
.write
  w12   store        dram+0x5500 f32[1,3,10,12]{9600,960,96,4} <- bank1+0xc0 f32[1,3,10,12]   @c12   ; c2

.part 4/8 core 0
.read
  r17   load         bank1+0xc40 f32[1,2,10,12] <- dram+0x3700 f32[1,2,10,12]{9600,960,96,4}   @c12   ; c2
.compute
  c13   conv         bank1+0xa40 f32[1,1,10,12] <- bank1+0xc40 f32[1,2,10,12], weight=bank2+0x640 f32[3,3,1,12]{144,48,432,4}, bias=bank2+0x600 f32[12], act=clip act_params=0.0,6.0 stride=1,1 dilation=1,1 pad_begin=0,1 groups=12   @r17   ; c2
.write
  w13   store        dram+0x6040 f32[1,1,10,12]{9600,960,96,4} <- bank1+0xa40 f32[1,1,10,12]   @c13   ; c2

.part 5/8 core 0
.read
  r18   load         bank1+0x880 f32[1,4,10,12] <- dram+0x1930 f32[1,4,10,12]{9600,960,96,4}   @w13   ; c2
  r19   load         bank2+0x640 f32[1,3,3,12] <- dram+0x580 f32[1,3,3,12]   ; c2
  r20   load         bank2+0x600 f32[12] <- dram+0x740 f32[12]   ; c2
.compute
  c14   conv         bank1+0x2c0 f32[1,3,10,12] <- bank1+0x880 f32[1,4,10,12], weight=bank2+0x640 f32[3,3,1,12]{144,48,432,4}, bias=bank2+0x600 f32[12], act=clip act_params=0.0,6.0 stride=1,1 dilation=1,1 pad_begin=1,1 groups=12   @r20   ; c2
.write
  w14   store        dram+0x3eb0 f32[1,3,10,12]{9600,960,96,4} <- bank1+0x2c0 f32[1,3,10,12]   @c14   ; c2

.part 6/8 core 0
.read
  r21   load         bank1+0x680 f32[1,5,10,12] <- dram+0x20b0 f32[1,5,10,12]{9600,960,96,4}   @w14   ; c2
.compute
  c15   conv         bank1+0xc0 f32[1,3,10,12] <- bank1+0x680 f32[1,5,10,12], weight=bank2+0x640 f32[3,3,1,12]{144,48,432,4}, bias=bank2+0x600 f32[12], act=clip act_params=0.0,6.0 stride=1,1 dilation=1,1 pad_begin=0,1 groups=12   @r21   ; c2
.write
  w15   store        dram+0x49f0 f32[1,3,10,12]{9600,960,96,4} <- bank1+0xc0 f32[1,3,10,12]   @c15   ; c2

.part 7/8 core 0
.read
  r22   load         bank1+0x680 f32[1,5,10,12] <- dram+0x2bf0 f32[1,5,10,12]{9600,960,96,4}   @c15   ; c2
.compute
  c16   conv         bank1+0xc0 f32[1,3,10,12] <- bank1+0x680 f32[1,5,10,12], weight=bank2+0x640 f32[3,3,1,12]{144,48,432,4}, bias=bank2+0x600 f32[12], act=clip act_params=0.0,6.0 stride=1,1 dilation=1,1 pad_begin=0,1 groups=12   @r22 @w15   ; c2
.write
  w16   store        dram+0x5530 f32[1,3,10,12]{9600,960,96,4} <- bank1+0xc0 f32[1,3,10,12]   @c16   ; c2

.part 8/8 core 0
.read
  r23   load         bank1+0xc40 f32[1,2,10,12] <- dram+0x3730 f32[1,2,10,12]{9600,960,96,4}   @c16   ; c2
.compute
  c17   conv         bank1+0xa40 f32[1,1,10,12] <- bank1+0xc40 f32[1,2,10,12], weight=bank2+0x640 f32[3,3,1,12]{144,48,432,4}, bias=bank2+0x600 f32[12], act=clip act_params=0.0,6.0 stride=1,1 dilation=1,1 pad_begin=0,1 groups=12   @r23   ; c2
.write
  w17   store        dram+0x6070 f32[1,1,10,12]{9600,960,96,4} <- bank1+0xa40 f32[1,1,10,12]   @c17   ; c2

.group 2 single layers=c3 parts=10 reason="DRAM-bound, double-buffered, about 1506 cycles for 16800 B"
.part 1/10 core 0
.read
  r24   load         bank1+0x0 f32[1,1,10,24] <- dram+0x3e80 f32[1,1,10,24]{9600,960,96,4}   @w16   ; c3
  r25   load         bank2+0x0 f32[1,1,24,8] <- dram+0x780 f32[1,1,24,8]   ; c3
  r26   load         bank2+0x300 f32[8] <- dram+0xa80 f32[8]   ; c3
  r27   load         bank1+0x3c0 f32[1,1,10,8] <- dram+0xc40 f32[1,1,10,8]{3200,320,32,4}   ; c3
.compute
  c18   conv         bank1+0xa00 f32[1,1,10,8] <- bank1+0x0 f32[1,1,10,24], weight=bank2+0x0 f32[1,1,24,8], bias=bank2+0x300 f32[8], residual=bank1+0x3c0 f32[1,1,10,8], stride=1,1 dilation=1,1 pad_begin=0,0   @r27 @w17   ; c3
.write
  w18   store        dram+0x1900 f32[1,1,10,8]{3200,320,32,4} <- bank1+0xa00 f32[1,1,10,8]   @c18   ; c3

.part 2/10 core 0
.read
  r28   load         bank1+0x500 f32[1,1,10,24] <- dram+0x4240 f32[1,1,10,24]{9600,960,96,4}   ; c3
  r29   load         bank1+0x8c0 f32[1,1,10,8] <- dram+0xd80 f32[1,1,10,8]{3200,320,32,4}   ; c3
.compute
  c19   conv         bank1+0xb40 f32[1,1,10,8] <- bank1+0x500 f32[1,1,10,24], weight=bank2+0x0 f32[1,1,24,8], bias=bank2+0x300 f32[8], residual=bank1+0x8c0 f32[1,1,10,8], stride=1,1 dilation=1,1 pad_begin=0,0   @r29   ; c3
.write
  w19   store        dram+0x1a40 f32[1,1,10,8]{3200,320,32,4} <- bank1+0xb40 f32[1,1,10,8]   @c19   ; c3

.part 3/10 core 0
.read
  r30   load         bank1+0x0 f32[1,1,10,24] <- dram+0x4600 f32[1,1,10,24]{9600,960,96,4}   @c18   ; c3
  r31   load         bank1+0x3c0 f32[1,1,10,8] <- dram+0xec0 f32[1,1,10,8]{3200,320,32,4}   ; c3
.compute
  c20   conv         bank1+0xa00 f32[1,1,10,8] <- bank1+0x0 f32[1,1,10,24], weight=bank2+0x0 f32[1,1,24,8], bias=bank2+0x300 f32[8], residual=bank1+0x3c0 f32[1,1,10,8], stride=1,1 dilation=1,1 pad_begin=0,0   @r31 @w18   ; c3
.write
  w20   store        dram+0x1b80 f32[1,1,10,8]{3200,320,32,4} <- bank1+0xa00 f32[1,1,10,8]   @c20   ; c3

.part 4/10 core 0
.read
  r32   load         bank1+0x500 f32[1,1,10,24] <- dram+0x49c0 f32[1,1,10,24]{9600,960,96,4}   @c19   ; c3
  r33   load         bank1+0x8c0 f32[1,1,10,8] <- dram+0x1000 f32[1,1,10,8]{3200,320,32,4}   ; c3
.compute
  c21   conv         bank1+0xb40 f32[1,1,10,8] <- bank1+0x500 f32[1,1,10,24], weight=bank2+0x0 f32[1,1,24,8], bias=bank2+0x300 f32[8], residual=bank1+0x8c0 f32[1,1,10,8], stride=1,1 dilation=1,1 pad_begin=0,0   @r33 @w19   ; c3
.write
  w21   store        dram+0x1cc0 f32[1,1,10,8]{3200,320,32,4} <- bank1+0xb40 f32[1,1,10,8]   @c21   ; c3

.part 5/10 core 0
.read
  r34   load         bank1+0x0 f32[1,1,10,24] <- dram+0x4d80 f32[1,1,10,24]{9600,960,96,4}   @c20   ; c3
  r35   load         bank1+0x3c0 f32[1,1,10,8] <- dram+0x1140 f32[1,1,10,8]{3200,320,32,4}   ; c3
.compute
  c22   conv         bank1+0xa00 f32[1,1,10,8] <- bank1+0x0 f32[1,1,10,24], weight=bank2+0x0 f32[1,1,24,8], bias=bank2+0x300 f32[8], residual=bank1+0x3c0 f32[1,1,10,8], stride=1,1 dilation=1,1 pad_begin=0,0   @r35 @w20   ; c3
.write
  w22   store        dram+0x1e00 f32[1,1,10,8]{3200,320,32,4} <- bank1+0xa00 f32[1,1,10,8]   @c22   ; c3

.part 6/10 core 0
.read
  r36   load         bank1+0x500 f32[1,1,10,24] <- dram+0x5140 f32[1,1,10,24]{9600,960,96,4}   @c21   ; c3
  r37   load         bank1+0x8c0 f32[1,1,10,8] <- dram+0x1280 f32[1,1,10,8]{3200,320,32,4}   ; c3
.compute
  c23   conv         bank1+0xb40 f32[1,1,10,8] <- bank1+0x500 f32[1,1,10,24], weight=bank2+0x0 f32[1,1,24,8], bias=bank2+0x300 f32[8], residual=bank1+0x8c0 f32[1,1,10,8], stride=1,1 dilation=1,1 pad_begin=0,0   @r37 @w21   ; c3
.write
  w23   store        dram+0x1f40 f32[1,1,10,8]{3200,320,32,4} <- bank1+0xb40 f32[1,1,10,8]   @c23   ; c3

.part 7/10 core 0
.read
  r38   load         bank1+0x0 f32[1,1,10,24] <- dram+0x5500 f32[1,1,10,24]{9600,960,96,4}   @c22   ; c3
  r39   load         bank1+0x3c0 f32[1,1,10,8] <- dram+0x13c0 f32[1,1,10,8]{3200,320,32,4}   ; c3
.compute
  c24   conv         bank1+0xa00 f32[1,1,10,8] <- bank1+0x0 f32[1,1,10,24], weight=bank2+0x0 f32[1,1,24,8], bias=bank2+0x300 f32[8], residual=bank1+0x3c0 f32[1,1,10,8], stride=1,1 dilation=1,1 pad_begin=0,0   @r39 @w22   ; c3
.write
  w24   store        dram+0x2080 f32[1,1,10,8]{3200,320,32,4} <- bank1+0xa00 f32[1,1,10,8]   @c24   ; c3

.part 8/10 core 0
.read
  r40   load         bank1+0x500 f32[1,1,10,24] <- dram+0x58c0 f32[1,1,10,24]{9600,960,96,4}   @c23   ; c3
  r41   load         bank1+0x8c0 f32[1,1,10,8] <- dram+0x1500 f32[1,1,10,8]{3200,320,32,4}   ; c3
.compute
  c25   conv         bank1+0xb40 f32[1,1,10,8] <- bank1+0x500 f32[1,1,10,24], weight=bank2+0x0 f32[1,1,24,8], bias=bank2+0x300 f32[8], residual=bank1+0x8c0 f32[1,1,10,8], stride=1,1 dilation=1,1 pad_begin=0,0   @r41 @w23   ; c3
.write
  w25   store        dram+0x21c0 f32[1,1,10,8]{3200,320,32,4} <- bank1+0xb40 f32[1,1,10,8]   @c25   ; c3

.part 9/10 core 0
.read
  r42   load         bank1+0x0 f32[1,1,10,24] <- dram+0x5c80 f32[1,1,10,24]{9600,960,96,4}   @c24   ; c3
  r43   load         bank1+0x3c0 f32[1,1,10,8] <- dram+0x1640 f32[1,1,10,8]{3200,320,32,4}   ; c3
.compute
  c26   conv         bank1+0xa00 f32[1,1,10,8] <- bank1+0x0 f32[1,1,10,24], weight=bank2+0x0 f32[1,1,24,8], bias=bank2+0x300 f32[8], residual=bank1+0x3c0 f32[1,1,10,8], stride=1,1 dilation=1,1 pad_begin=0,0   @r43 @w24   ; c3
.write
  w26   store        dram+0x2300 f32[1,1,10,8]{3200,320,32,4} <- bank1+0xa00 f32[1,1,10,8]   @c26   ; c3

.part 10/10 core 0
.read
  r44   load         bank1+0x500 f32[1,1,10,24] <- dram+0x6040 f32[1,1,10,24]{9600,960,96,4}   @c25   ; c3
  r45   load         bank1+0x8c0 f32[1,1,10,8] <- dram+0x1780 f32[1,1,10,8]{3200,320,32,4}   ; c3
.compute
  c27   conv         bank1+0x0 f32[1,1,10,8] <- bank1+0x500 f32[1,1,10,24], weight=bank2+0x0 f32[1,1,24,8], bias=bank2+0x300 f32[8], residual=bank1+0x8c0 f32[1,1,10,8], stride=1,1 dilation=1,1 pad_begin=0,0   @r45   ; c3
.write
  w27   store        dram+0x2440 f32[1,1,10,8]{3200,320,32,4} <- bank1+0x0 f32[1,1,10,8]   @c27   ; c3

.group 3 single layers=pooled parts=1 reason="DRAM-bound, double-buffered, about 284 cycles for 3232 B"
.part 1/1 core 0
.read
  r46   load         bank1+0x380 f32[1,10,10,8] <- dram+0x1900 f32[1,10,10,8]   @w27   ; pooled
.compute
  c28   reduce       bank1+0x340 f32[1,1,1,8] <- bank1+0x380 f32[1,10,10,8], function=mean axes=1,2 count=100   @r46   ; pooled
.write
  w28   store        dram+0x2580 f32[1,1,1,8] <- bank1+0x340 f32[1,1,1,8]   @c28   ; pooled

.group 4 single layers=logits parts=1 reason="compute-bound, double-buffered, about 119 cycles for 464 B"
.part 1/1 core 0
.read
  r47   load         bank1+0x0 f32[1,8] <- dram+0x2580 f32[1,8]{0,4}   @w28   ; logits
  r48   load         bank2+0x0 f32[8,10] <- dram+0xac0 f32[8,10]   ; logits
  r49   load         bank2+0x140 f32[10] <- dram+0xc00 f32[10]   ; logits
.compute
  c29   gemm         bank1+0x40 f32[1,10] <- bank1+0x0 f32[1,8], weight=bank2+0x0 f32[8,10], bias=bank2+0x140 f32[10]   @r49   ; logits
.write
  w29   store        dram+0x1900 f32[1,10] <- bank1+0x40 f32[1,10]   @c29   ; logits

.group 5 single layers=y parts=1 reason="compute-bound, double-buffered, about 65 cycles for 104 B"
.part 1/1 core 0
.read
  r50   load         bank1+0xfc0 f32[1,10] <- dram+0x1900 f32[1,10]   @w29   ; y
.compute
  c30   softmax      bank1+0xf80 f32[1,10] <- bank1+0xfc0 f32[1,10], axis=1   @r50   ; y
.write
  w30   store        dram+0x18c0 f32[1,10] <- bank1+0xf80 f32[1,10]   @c30   ; y
