.nnc 1
.chip name "npu-banked"
.chip description "one core, one SRAM bank for activations and one for weights (M1 to the letter)"
.chip cores 1
.chip clock_mhz 1000
.chip dram {"bytes_per_cycle": 16, "latency": 100, "burst": 64, "align": 1, "bytes": 4294967296}
.chip dma {"broadcast": false, "in_flight": 4, "move_bytes_per_cycle": 64}
.chip memory {"bank1": {"bytes": 8192, "align": 64}, "bank2": {"bytes": 6144, "align": 64}}
.chip operands {"default": {"feature": {"memories": ["bank1"]}, "weight": {"memories": ["bank2"]}, "result": {"memories": ["bank1"]}, "accumulator": {"memories": ["bank1"]}}}
.chip compute {"issue": 32, "map": "channels", "arrays": {"i8": ["16x64", "32x32", "64x16", "128x8"], "f16": ["16x32", "32x16", "64x8"], "f32": ["8x32", "16x16", "32x8", "64x4"]}, "depthwise": {"i8": 256, "f16": 128, "f32": 64}, "elementwise": {"i8": 128, "f16": 64, "f32": 32}}
.dram 6400
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
.tensor x input dram+0xc40 f32[1,8,10,10]{3200,4,320,32}
.tensor y output dram+0x18c0 f32[1,10]
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
.fact predicted_cycles 3467
.fact predicted_dram_bytes 6400

.group 0 residual layers=c1,c2,c3 parts=10 reason="5824 B of DRAM traffic for 2218 cycles of work; weights resident; leaves sum on chip"
.part 1/10 core 0
.read
  r0    load         bank1+0x1b80 f32[1,2,10,8]{3200,320,32,4} <- dram+0xc40 f32[1,2,10,8]{3200,320,32,4}   ; c1
  r1    load         bank2+0x380 f32[1,1,8,24] <- dram+0x0 f32[1,1,8,24]   ; c1
  r2    load         bank2+0x980 f32[24] <- dram+0x300 f32[24]   ; c1
  r3    load         bank2+0x0 f32[1,3,3,24]{96,288,96,4} <- dram+0x380 f32[1,3,3,24]   ; c2
  r4    load         bank2+0xa00 f32[24] <- dram+0x700 f32[24]   ; c2
  r5    load         bank2+0x680 f32[1,1,24,8] <- dram+0x780 f32[1,1,24,8]   ; c3
  r6    load         bank2+0xa80 f32[8] <- dram+0xa80 f32[8]   ; c3
.compute
  c0    conv         bank1+0xc80 f32[1,2,10,24]{9600,960,96,4} <- bank1+0x1b80 f32[1,2,10,8]{3200,320,32,4}, weight=bank2+0x380 f32[1,1,8,24], bias=bank2+0x980 f32[24], act=clip act_params=0.0,6.0 stride=1,1 dilation=1,1 pad_begin=0,0   @r2   ; c1
  c1    conv         bank1+0x17c0 f32[1,1,10,24]{9600,960,96,4} <- bank1+0xc80 f32[1,2,10,24]{9600,960,96,4}, weight=bank2+0x0 f32[3,3,1,24], bias=bank2+0xa00 f32[24], act=clip act_params=0.0,6.0 stride=1,1 dilation=1,1 pad_begin=1,1 groups=24   @r4   ; c2
  c2    conv         bank1+0x0 f32[1,1,10,8]{3200,320,32,4} <- bank1+0x17c0 f32[1,1,10,24]{9600,960,96,4}, weight=bank2+0x680 f32[1,1,24,8], bias=bank2+0xa80 f32[8], residual=bank1+0x1b80 f32[1,1,10,8]{3200,320,32,4}, stride=1,1 dilation=1,1 pad_begin=0,0   @r6   ; c3

.part 2/10 core 0
.read
  r7    load         bank1+0x1cc0 f32[1,1,10,8]{3200,320,32,4} <- dram+0xec0 f32[1,1,10,8]{3200,320,32,4}   @c3   ; c1
.compute
  c3    copy         bank1+0x1b80 f32[1,1,10,8]{3200,320,32,4} <- bank1+0x1cc0 f32[1,1,10,8]{3200,320,32,4}   ; x
  c4    conv         bank1+0x1400 f32[1,1,10,24]{9600,960,96,4} <- bank1+0x1cc0 f32[1,1,10,8]{3200,320,32,4}, weight=bank2+0x380 f32[1,1,8,24], bias=bank2+0x980 f32[24], act=clip act_params=0.0,6.0 stride=1,1 dilation=1,1 pad_begin=0,0   @r7   ; c1
  c5    conv         bank1+0x17c0 f32[1,1,10,24]{9600,960,96,4} <- bank1+0xc80 f32[1,3,10,24]{9600,960,96,4}, weight=bank2+0x0 f32[3,3,1,24], bias=bank2+0xa00 f32[24], act=clip act_params=0.0,6.0 stride=1,1 dilation=1,1 pad_begin=0,1 groups=24   ; c2
  c6    conv         bank1+0x140 f32[1,1,10,8]{3200,320,32,4} <- bank1+0x17c0 f32[1,1,10,24]{9600,960,96,4}, weight=bank2+0x680 f32[1,1,24,8], bias=bank2+0xa80 f32[8], residual=bank1+0x1b80 f32[1,1,10,8]{3200,320,32,4}, stride=1,1 dilation=1,1 pad_begin=0,0   ; c3

.part 3/10 core 0
.read
  r8    load         bank1+0x1cc0 f32[1,1,10,8]{3200,320,32,4} <- dram+0x1000 f32[1,1,10,8]{3200,320,32,4}   @c7   ; c1
.compute
  c7    copy         bank1+0x1b80 f32[1,1,10,8]{3200,320,32,4} <- bank1+0x1cc0 f32[1,1,10,8]{3200,320,32,4}   ; x
  c8    copy         bank1+0xc80 f32[1,2,10,24]{9600,960,96,4} <- bank1+0x1040 f32[1,2,10,24]{9600,960,96,4}   ; c1
  c9    conv         bank1+0x1400 f32[1,1,10,24]{9600,960,96,4} <- bank1+0x1cc0 f32[1,1,10,8]{3200,320,32,4}, weight=bank2+0x380 f32[1,1,8,24], bias=bank2+0x980 f32[24], act=clip act_params=0.0,6.0 stride=1,1 dilation=1,1 pad_begin=0,0   @r8   ; c1
  c10   conv         bank1+0x17c0 f32[1,1,10,24]{9600,960,96,4} <- bank1+0xc80 f32[1,3,10,24]{9600,960,96,4}, weight=bank2+0x0 f32[3,3,1,24], bias=bank2+0xa00 f32[24], act=clip act_params=0.0,6.0 stride=1,1 dilation=1,1 pad_begin=0,1 groups=24   ; c2
  c11   conv         bank1+0x280 f32[1,1,10,8]{3200,320,32,4} <- bank1+0x17c0 f32[1,1,10,24]{9600,960,96,4}, weight=bank2+0x680 f32[1,1,24,8], bias=bank2+0xa80 f32[8], residual=bank1+0x1b80 f32[1,1,10,8]{3200,320,32,4}, stride=1,1 dilation=1,1 pad_begin=0,0   ; c3

.part 4/10 core 0
.read
  r9    load         bank1+0x1cc0 f32[1,1,10,8]{3200,320,32,4} <- dram+0x1140 f32[1,1,10,8]{3200,320,32,4}   @c12   ; c1
.compute
  c12   copy         bank1+0x1b80 f32[1,1,10,8]{3200,320,32,4} <- bank1+0x1cc0 f32[1,1,10,8]{3200,320,32,4}   ; x
  c13   copy         bank1+0xc80 f32[1,2,10,24]{9600,960,96,4} <- bank1+0x1040 f32[1,2,10,24]{9600,960,96,4}   ; c1
  c14   conv         bank1+0x1400 f32[1,1,10,24]{9600,960,96,4} <- bank1+0x1cc0 f32[1,1,10,8]{3200,320,32,4}, weight=bank2+0x380 f32[1,1,8,24], bias=bank2+0x980 f32[24], act=clip act_params=0.0,6.0 stride=1,1 dilation=1,1 pad_begin=0,0   @r9   ; c1
  c15   conv         bank1+0x17c0 f32[1,1,10,24]{9600,960,96,4} <- bank1+0xc80 f32[1,3,10,24]{9600,960,96,4}, weight=bank2+0x0 f32[3,3,1,24], bias=bank2+0xa00 f32[24], act=clip act_params=0.0,6.0 stride=1,1 dilation=1,1 pad_begin=0,1 groups=24   ; c2
  c16   conv         bank1+0x3c0 f32[1,1,10,8]{3200,320,32,4} <- bank1+0x17c0 f32[1,1,10,24]{9600,960,96,4}, weight=bank2+0x680 f32[1,1,24,8], bias=bank2+0xa80 f32[8], residual=bank1+0x1b80 f32[1,1,10,8]{3200,320,32,4}, stride=1,1 dilation=1,1 pad_begin=0,0   ; c3

.part 5/10 core 0
.read
  r10   load         bank1+0x1cc0 f32[1,1,10,8]{3200,320,32,4} <- dram+0x1280 f32[1,1,10,8]{3200,320,32,4}   @c17   ; c1
.compute
  c17   copy         bank1+0x1b80 f32[1,1,10,8]{3200,320,32,4} <- bank1+0x1cc0 f32[1,1,10,8]{3200,320,32,4}   ; x
  c18   copy         bank1+0xc80 f32[1,2,10,24]{9600,960,96,4} <- bank1+0x1040 f32[1,2,10,24]{9600,960,96,4}   ; c1
  c19   conv         bank1+0x1400 f32[1,1,10,24]{9600,960,96,4} <- bank1+0x1cc0 f32[1,1,10,8]{3200,320,32,4}, weight=bank2+0x380 f32[1,1,8,24], bias=bank2+0x980 f32[24], act=clip act_params=0.0,6.0 stride=1,1 dilation=1,1 pad_begin=0,0   @r10   ; c1
  c20   conv         bank1+0x17c0 f32[1,1,10,24]{9600,960,96,4} <- bank1+0xc80 f32[1,3,10,24]{9600,960,96,4}, weight=bank2+0x0 f32[3,3,1,24], bias=bank2+0xa00 f32[24], act=clip act_params=0.0,6.0 stride=1,1 dilation=1,1 pad_begin=0,1 groups=24   ; c2
  c21   conv         bank1+0x500 f32[1,1,10,8]{3200,320,32,4} <- bank1+0x17c0 f32[1,1,10,24]{9600,960,96,4}, weight=bank2+0x680 f32[1,1,24,8], bias=bank2+0xa80 f32[8], residual=bank1+0x1b80 f32[1,1,10,8]{3200,320,32,4}, stride=1,1 dilation=1,1 pad_begin=0,0   ; c3

.part 6/10 core 0
.read
  r11   load         bank1+0x1cc0 f32[1,1,10,8]{3200,320,32,4} <- dram+0x13c0 f32[1,1,10,8]{3200,320,32,4}   @c22   ; c1
.compute
  c22   copy         bank1+0x1b80 f32[1,1,10,8]{3200,320,32,4} <- bank1+0x1cc0 f32[1,1,10,8]{3200,320,32,4}   ; x
  c23   copy         bank1+0xc80 f32[1,2,10,24]{9600,960,96,4} <- bank1+0x1040 f32[1,2,10,24]{9600,960,96,4}   ; c1
  c24   conv         bank1+0x1400 f32[1,1,10,24]{9600,960,96,4} <- bank1+0x1cc0 f32[1,1,10,8]{3200,320,32,4}, weight=bank2+0x380 f32[1,1,8,24], bias=bank2+0x980 f32[24], act=clip act_params=0.0,6.0 stride=1,1 dilation=1,1 pad_begin=0,0   @r11   ; c1
  c25   conv         bank1+0x17c0 f32[1,1,10,24]{9600,960,96,4} <- bank1+0xc80 f32[1,3,10,24]{9600,960,96,4}, weight=bank2+0x0 f32[3,3,1,24], bias=bank2+0xa00 f32[24], act=clip act_params=0.0,6.0 stride=1,1 dilation=1,1 pad_begin=0,1 groups=24   ; c2
  c26   conv         bank1+0x640 f32[1,1,10,8]{3200,320,32,4} <- bank1+0x17c0 f32[1,1,10,24]{9600,960,96,4}, weight=bank2+0x680 f32[1,1,24,8], bias=bank2+0xa80 f32[8], residual=bank1+0x1b80 f32[1,1,10,8]{3200,320,32,4}, stride=1,1 dilation=1,1 pad_begin=0,0   ; c3

.part 7/10 core 0
.read
  r12   load         bank1+0x1cc0 f32[1,1,10,8]{3200,320,32,4} <- dram+0x1500 f32[1,1,10,8]{3200,320,32,4}   @c27   ; c1
.compute
  c27   copy         bank1+0x1b80 f32[1,1,10,8]{3200,320,32,4} <- bank1+0x1cc0 f32[1,1,10,8]{3200,320,32,4}   ; x
  c28   copy         bank1+0xc80 f32[1,2,10,24]{9600,960,96,4} <- bank1+0x1040 f32[1,2,10,24]{9600,960,96,4}   ; c1
  c29   conv         bank1+0x1400 f32[1,1,10,24]{9600,960,96,4} <- bank1+0x1cc0 f32[1,1,10,8]{3200,320,32,4}, weight=bank2+0x380 f32[1,1,8,24], bias=bank2+0x980 f32[24], act=clip act_params=0.0,6.0 stride=1,1 dilation=1,1 pad_begin=0,0   @r12   ; c1
  c30   conv         bank1+0x17c0 f32[1,1,10,24]{9600,960,96,4} <- bank1+0xc80 f32[1,3,10,24]{9600,960,96,4}, weight=bank2+0x0 f32[3,3,1,24], bias=bank2+0xa00 f32[24], act=clip act_params=0.0,6.0 stride=1,1 dilation=1,1 pad_begin=0,1 groups=24   ; c2
  c31   conv         bank1+0x780 f32[1,1,10,8]{3200,320,32,4} <- bank1+0x17c0 f32[1,1,10,24]{9600,960,96,4}, weight=bank2+0x680 f32[1,1,24,8], bias=bank2+0xa80 f32[8], residual=bank1+0x1b80 f32[1,1,10,8]{3200,320,32,4}, stride=1,1 dilation=1,1 pad_begin=0,0   ; c3

.part 8/10 core 0
.read
  r13   load         bank1+0x1cc0 f32[1,1,10,8]{3200,320,32,4} <- dram+0x1640 f32[1,1,10,8]{3200,320,32,4}   @c32   ; c1
.compute
  c32   copy         bank1+0x1b80 f32[1,1,10,8]{3200,320,32,4} <- bank1+0x1cc0 f32[1,1,10,8]{3200,320,32,4}   ; x
  c33   copy         bank1+0xc80 f32[1,2,10,24]{9600,960,96,4} <- bank1+0x1040 f32[1,2,10,24]{9600,960,96,4}   ; c1
  c34   conv         bank1+0x1400 f32[1,1,10,24]{9600,960,96,4} <- bank1+0x1cc0 f32[1,1,10,8]{3200,320,32,4}, weight=bank2+0x380 f32[1,1,8,24], bias=bank2+0x980 f32[24], act=clip act_params=0.0,6.0 stride=1,1 dilation=1,1 pad_begin=0,0   @r13   ; c1
  c35   conv         bank1+0x17c0 f32[1,1,10,24]{9600,960,96,4} <- bank1+0xc80 f32[1,3,10,24]{9600,960,96,4}, weight=bank2+0x0 f32[3,3,1,24], bias=bank2+0xa00 f32[24], act=clip act_params=0.0,6.0 stride=1,1 dilation=1,1 pad_begin=0,1 groups=24   ; c2
  c36   conv         bank1+0x8c0 f32[1,1,10,8]{3200,320,32,4} <- bank1+0x17c0 f32[1,1,10,24]{9600,960,96,4}, weight=bank2+0x680 f32[1,1,24,8], bias=bank2+0xa80 f32[8], residual=bank1+0x1b80 f32[1,1,10,8]{3200,320,32,4}, stride=1,1 dilation=1,1 pad_begin=0,0   ; c3

.part 9/10 core 0
.read
  r14   load         bank1+0x1cc0 f32[1,1,10,8]{3200,320,32,4} <- dram+0x1780 f32[1,1,10,8]{3200,320,32,4}   @c37   ; c1
.compute
  c37   copy         bank1+0x1b80 f32[1,1,10,8]{3200,320,32,4} <- bank1+0x1cc0 f32[1,1,10,8]{3200,320,32,4}   ; x
  c38   copy         bank1+0xc80 f32[1,2,10,24]{9600,960,96,4} <- bank1+0x1040 f32[1,2,10,24]{9600,960,96,4}   ; c1
  c39   conv         bank1+0x1400 f32[1,1,10,24]{9600,960,96,4} <- bank1+0x1cc0 f32[1,1,10,8]{3200,320,32,4}, weight=bank2+0x380 f32[1,1,8,24], bias=bank2+0x980 f32[24], act=clip act_params=0.0,6.0 stride=1,1 dilation=1,1 pad_begin=0,0   @r14   ; c1
  c40   conv         bank1+0x17c0 f32[1,1,10,24]{9600,960,96,4} <- bank1+0xc80 f32[1,3,10,24]{9600,960,96,4}, weight=bank2+0x0 f32[3,3,1,24], bias=bank2+0xa00 f32[24], act=clip act_params=0.0,6.0 stride=1,1 dilation=1,1 pad_begin=0,1 groups=24   ; c2
  c41   conv         bank1+0xa00 f32[1,1,10,8]{3200,320,32,4} <- bank1+0x17c0 f32[1,1,10,24]{9600,960,96,4}, weight=bank2+0x680 f32[1,1,24,8], bias=bank2+0xa80 f32[8], residual=bank1+0x1b80 f32[1,1,10,8]{3200,320,32,4}, stride=1,1 dilation=1,1 pad_begin=0,0   ; c3

.part 10/10 core 0
.compute
  c42   copy         bank1+0xc80 f32[1,2,10,24]{9600,960,96,4} <- bank1+0x1040 f32[1,2,10,24]{9600,960,96,4}   ; c1
  c43   conv         bank1+0x17c0 f32[1,1,10,24]{9600,960,96,4} <- bank1+0xc80 f32[1,2,10,24]{9600,960,96,4}, weight=bank2+0x0 f32[3,3,1,24], bias=bank2+0xa00 f32[24], act=clip act_params=0.0,6.0 stride=1,1 dilation=1,1 pad_begin=0,1 groups=24   ; c2
  c44   copy         bank1+0x1b80 f32[1,1,10,8]{3200,320,32,4} <- bank1+0x1cc0 f32[1,1,10,8]{3200,320,32,4}   ; x
  c45   conv         bank1+0xb40 f32[1,1,10,8]{3200,320,32,4} <- bank1+0x17c0 f32[1,1,10,24]{9600,960,96,4}, weight=bank2+0x680 f32[1,1,24,8], bias=bank2+0xa80 f32[8], residual=bank1+0x1b80 f32[1,1,10,8]{3200,320,32,4}, stride=1,1 dilation=1,1 pad_begin=0,0   ; c3

.group 1 serial layers=pooled,logits,y parts=1 reason="400 B of DRAM traffic for 130 cycles of work; activations stay, weights stream once; finds sum on chip"
.part 1/1 core 0
.read
  r15   load         bank2+0xac0 f32[8,10] <- dram+0xac0 f32[8,10]   ; logits
  r16   load         bank2+0xc00 f32[10] <- dram+0xc00 f32[10]   ; logits
.compute
  c46   reduce       bank1+0xc80 f32[1,1,1,8] <- bank1+0x0 f32[1,10,10,8], function=mean axes=1,2 count=100   ; pooled
  c47   gemm         bank1+0x0 f32[1,10] <- bank1+0xc80 f32[1,8]{0,4}, weight=bank2+0xac0 f32[8,10], bias=bank2+0xc00 f32[10]   @r16   ; logits
  c48   softmax      bank1+0x40 f32[1,10] <- bank1+0x0 f32[1,10], axis=1   ; y
.write
  w0    store        dram+0x18c0 f32[1,10] <- bank1+0x40 f32[1,10]   @c48   ; y
