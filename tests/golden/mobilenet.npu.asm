.nnc 1
.chip name "npu"
.chip description "one core, unified 512 KiB SRAM"
.chip cores 1
.chip split_bytes 0
.chip clock_mhz 1000
.chip dram {"bytes_per_cycle": 16, "latency": 100, "burst": 64, "align": 1, "bytes": 4294967296}
.chip dma {"broadcast": false, "in_flight": 4, "move_bytes_per_cycle": 64}
.chip memory {"sram": {"bytes": 6144, "align": 64}}
.chip operands {"default": {"feature": {"memories": ["sram"]}, "weight": {"memories": ["sram"]}, "result": {"memories": ["sram"]}, "accumulator": {"memories": ["sram"]}}}
.chip compute {"issue": 32, "map": "channels", "arrays": {"i8": ["16x64", "32x32", "64x16", "128x8"], "f16": ["16x32", "32x16", "64x8"], "f32": ["8x32", "16x16", "32x8", "64x4"]}, "depthwise": {"i8": 256, "f16": 128, "f32": 64}, "elementwise": {"i8": 128, "f16": 64, "f32": 32}}
.dram 9600
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
.hex 0000b03f 0000b83f 0000c03f 0000c83f 0000d03f 0000d83f 0000e03f 0000e83f
.hex 0000f03f 0000f83f 0000803d 0000003e 0000403e 0000803e 0000a03e 0000c03e
.hex 0000e83f 0000f03f 0000f83f 0000803d 0000003e 0000403e 0000803e 0000a03e
.hex 0000c03e 0000e03e 0000003f 0000103f 0000203f 0000303f 0000403f 0000503f
.hex 0000a03e 0000c03e 0000e03e 0000003f 0000103f 0000203f 0000303f 0000403f
.hex 0000503f 0000603f 0000703f 0000803f 0000883f 0000903f 0000983f 0000a03f
.hex 0000403f 0000503f 0000603f 0000703f 0000803f 0000883f 0000903f 0000983f
.hex 0000a03f 0000a83f 0000b03f 0000b83f 0000c03f 0000c83f 0000d03f 0000d83f
.hex 0000983f 0000a03f 0000a83f 0000b03f 0000b83f 0000c03f 0000c83f 0000d03f
.hex 0000d83f 0000e03f 0000e83f 0000f03f 0000f83f 0000803d 0000003e 0000403e
.hex 0000d03f 0000d83f 0000e03f 0000e83f 0000f03f 0000f83f 0000803d 0000003e
.hex 0000403e 0000803e 0000a03e 0000c03e 0000e03e 0000003f 0000103f 0000203f
.hex 0000003e 0000403e 0000803e 0000a03e 0000c03e 0000e03e 0000003f 0000103f
.hex 0000203f 0000303f 0000403f 0000503f 0000603f 0000703f 0000803f 0000883f
.hex 0000103f 0000203f 0000303f 0000403f 0000503f 0000603f 0000703f 0000803f
.hex 0000883f 0000903f 0000983f 0000a03f 0000a83f 0000b03f 0000b83f 0000c03f
.hex 0000b03f 0000e83f 0000a03e 0000403f 0000983f 0000d03f 0000003e 0000103f
.hex 0000803f 0000b83f 0000f03f 0000c03e 0000503f 0000a03f 0000d83f 0000403e
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
.tensor x input dram+0xc40 f32[1,8,10,10]{3200,4,320,32}
.tensor y output dram+0x2540 f32[1,10]
.tensor sum boundary dram+0x18c0 f32[1,8,10,10]{3200,4,320,32}
.tensor w1 constant dram+0x0 f32[1,1,8,24]
.tensor b1 constant dram+0x300 f32[24]
.tensor "w2[0,0,0,0]" constant dram+0x380 f32[1,3,3,16]
.tensor "b2[0]" constant dram+0x5c0 f32[16]
.tensor "w2[16,0,0,0]" constant dram+0x600 f32[1,3,3,8]
.tensor "b2[16]" constant dram+0x740 f32[8]
.tensor w3 constant dram+0x780 f32[1,1,24,8]
.tensor b3 constant dram+0xa80 f32[8]
.tensor logits.b.reordered constant dram+0xac0 f32[8,10]
.tensor b4 constant dram+0xc00 f32[10]
.fact floor_bytes 6224
.fact macs 60080
.fact peak_floor_cycles 236
.fact compute_floor_cycles 564
.fact dram_floor_cycles 389
.fact predicted_cycles 6008
.fact predicted_dram_bytes 33920

.group 0 residual layers=c1,c2,c3 parts=10 reason="29472 B of DRAM traffic for 2218 cycles of work; 352 B of weights resident"
.part 1/10 core 0
.read
  r0    load         sram+0x1200 f32[1,2,10,8]{3200,320,32,4} <- dram+0xc40 f32[1,2,10,8]{3200,320,32,4}   ; c1
  r1    load         sram+0xb40 f32[1,1,8,24] <- dram+0x0 f32[1,1,8,24]   ; c1
  r2    load         sram+0x15c0 f32[24] <- dram+0x300 f32[24]   ; c1
  r3    load         sram+0xf00 f32[1,3,3,16]{64,192,64,4} <- dram+0x380 f32[1,3,3,16]   ; c2
  r4    load         sram+0x1640 f32[16] <- dram+0x5c0 f32[16]   ; c2
  r5    load         sram+0x1480 f32[1,3,3,8]{32,96,32,4} <- dram+0x600 f32[1,3,3,8]   ; c2
  r6    load         sram+0x1680 f32[8] <- dram+0x740 f32[8]   ; c2
  r7    load         sram+0xf00 f32[1,1,24,8] <- dram+0x780 f32[1,1,24,8]   @c1   ; c3
  r8    load         sram+0x16c0 f32[8] <- dram+0xa80 f32[8]   ; c3
.compute
  c0    conv         sram+0x0 f32[1,2,10,24]{9600,960,96,4} <- sram+0x1200 f32[1,2,10,8]{3200,320,32,4}, weight=sram+0xb40 f32[1,1,8,24], bias=sram+0x15c0 f32[24], act=clip act_params=0.0,6.0 stride=1,1 dilation=1,1 pad_begin=0,0   @r2   ; c1
  c1    conv         sram+0xb40 f32[1,1,10,16]{9600,960,96,4} <- sram+0x0 f32[1,2,10,16]{9600,960,96,4}, weight=sram+0xf00 f32[3,3,1,16], bias=sram+0x1640 f32[16], act=clip act_params=0.0,6.0 stride=1,1 dilation=1,1 pad_begin=1,1 groups=16   @r4   ; c2
  c2    conv         sram+0xb80 f32[1,1,10,8]{9600,960,96,4} <- sram+0x40 f32[1,2,10,8]{9600,960,96,4}, weight=sram+0x1480 f32[3,3,1,8], bias=sram+0x1680 f32[8], act=clip act_params=0.0,6.0 stride=1,1 dilation=1,1 pad_begin=1,1 groups=8   @r6   ; c2
  c3    conv         sram+0x1480 f32[1,1,10,8]{3200,320,32,4} <- sram+0xb40 f32[1,1,10,24]{9600,960,96,4}, weight=sram+0xf00 f32[1,1,24,8], bias=sram+0x16c0 f32[8], residual=sram+0x1200 f32[1,1,10,8]{3200,320,32,4}, stride=1,1 dilation=1,1 pad_begin=0,0   @r8   ; c3
.write
  w0    store        dram+0x18c0 f32[1,1,10,8]{3200,320,32,4} <- sram+0x1480 f32[1,1,10,8]{3200,320,32,4}   @c3   ; c3

.part 2/10 core 0
.read
  r9    load         sram+0x1340 f32[1,1,10,8]{3200,320,32,4} <- dram+0xec0 f32[1,1,10,8]{3200,320,32,4}   @c4   ; c1
  r10   load         sram+0xb40 f32[1,1,8,24] <- dram+0x0 f32[1,1,8,24]   ; c1
  r11   load         sram+0xf00 f32[1,3,3,16]{64,192,64,4} <- dram+0x380 f32[1,3,3,16]   ; c2
  r12   load         sram+0xf00 f32[1,3,3,8]{32,96,32,4} <- dram+0x600 f32[1,3,3,8]   @c6   ; c2
  r13   load         sram+0xf00 f32[1,1,24,8] <- dram+0x780 f32[1,1,24,8]   @c7   ; c3
.compute
  c4    copy         sram+0x1200 f32[1,1,10,8]{3200,320,32,4} <- sram+0x1340 f32[1,1,10,8]{3200,320,32,4}   ; x
  c5    conv         sram+0x780 f32[1,1,10,24]{9600,960,96,4} <- sram+0x1340 f32[1,1,10,8]{3200,320,32,4}, weight=sram+0xb40 f32[1,1,8,24], bias=sram+0x15c0 f32[24], act=clip act_params=0.0,6.0 stride=1,1 dilation=1,1 pad_begin=0,0   @r10   ; c1
  c6    conv         sram+0xb40 f32[1,1,10,16]{9600,960,96,4} <- sram+0x0 f32[1,3,10,16]{9600,960,96,4}, weight=sram+0xf00 f32[3,3,1,16], bias=sram+0x1640 f32[16], act=clip act_params=0.0,6.0 stride=1,1 dilation=1,1 pad_begin=0,1 groups=16   @r11   ; c2
  c7    conv         sram+0xb80 f32[1,1,10,8]{9600,960,96,4} <- sram+0x40 f32[1,3,10,8]{9600,960,96,4}, weight=sram+0xf00 f32[3,3,1,8], bias=sram+0x1680 f32[8], act=clip act_params=0.0,6.0 stride=1,1 dilation=1,1 pad_begin=0,1 groups=8   @r12   ; c2
  c8    conv         sram+0x1480 f32[1,1,10,8]{3200,320,32,4} <- sram+0xb40 f32[1,1,10,24]{9600,960,96,4}, weight=sram+0xf00 f32[1,1,24,8], bias=sram+0x16c0 f32[8], residual=sram+0x1200 f32[1,1,10,8]{3200,320,32,4}, stride=1,1 dilation=1,1 pad_begin=0,0   @r13 @w0   ; c3
.write
  w1    store        dram+0x1a00 f32[1,1,10,8]{3200,320,32,4} <- sram+0x1480 f32[1,1,10,8]{3200,320,32,4}   @c8   ; c3

.part 3/10 core 0
.read
  r14   load         sram+0x1340 f32[1,1,10,8]{3200,320,32,4} <- dram+0x1000 f32[1,1,10,8]{3200,320,32,4}   @c9   ; c1
  r15   load         sram+0xb40 f32[1,1,8,24] <- dram+0x0 f32[1,1,8,24]   ; c1
  r16   load         sram+0xf00 f32[1,3,3,16]{64,192,64,4} <- dram+0x380 f32[1,3,3,16]   ; c2
  r17   load         sram+0x1480 f32[1,3,3,8]{32,96,32,4} <- dram+0x600 f32[1,3,3,8]   @w1   ; c2
  r18   load         sram+0xf00 f32[1,1,24,8] <- dram+0x780 f32[1,1,24,8]   @c12   ; c3
.compute
  c9    copy         sram+0x1200 f32[1,1,10,8]{3200,320,32,4} <- sram+0x1340 f32[1,1,10,8]{3200,320,32,4}   ; x
  c10   copy         sram+0x0 f32[1,2,10,24]{9600,960,96,4} <- sram+0x3c0 f32[1,2,10,24]{9600,960,96,4}   ; c1
  c11   conv         sram+0x780 f32[1,1,10,24]{9600,960,96,4} <- sram+0x1340 f32[1,1,10,8]{3200,320,32,4}, weight=sram+0xb40 f32[1,1,8,24], bias=sram+0x15c0 f32[24], act=clip act_params=0.0,6.0 stride=1,1 dilation=1,1 pad_begin=0,0   @r15   ; c1
  c12   conv         sram+0xb40 f32[1,1,10,16]{9600,960,96,4} <- sram+0x0 f32[1,3,10,16]{9600,960,96,4}, weight=sram+0xf00 f32[3,3,1,16], bias=sram+0x1640 f32[16], act=clip act_params=0.0,6.0 stride=1,1 dilation=1,1 pad_begin=0,1 groups=16   @r16   ; c2
  c13   conv         sram+0xb80 f32[1,1,10,8]{9600,960,96,4} <- sram+0x40 f32[1,3,10,8]{9600,960,96,4}, weight=sram+0x1480 f32[3,3,1,8], bias=sram+0x1680 f32[8], act=clip act_params=0.0,6.0 stride=1,1 dilation=1,1 pad_begin=0,1 groups=8   @r17   ; c2
  c14   conv         sram+0x1480 f32[1,1,10,8]{3200,320,32,4} <- sram+0xb40 f32[1,1,10,24]{9600,960,96,4}, weight=sram+0xf00 f32[1,1,24,8], bias=sram+0x16c0 f32[8], residual=sram+0x1200 f32[1,1,10,8]{3200,320,32,4}, stride=1,1 dilation=1,1 pad_begin=0,0   @r18   ; c3
.write
  w2    store        dram+0x1b40 f32[1,1,10,8]{3200,320,32,4} <- sram+0x1480 f32[1,1,10,8]{3200,320,32,4}   @c14   ; c3

.part 4/10 core 0
.read
  r19   load         sram+0x1340 f32[1,1,10,8]{3200,320,32,4} <- dram+0x1140 f32[1,1,10,8]{3200,320,32,4}   @c15   ; c1
  r20   load         sram+0xb40 f32[1,1,8,24] <- dram+0x0 f32[1,1,8,24]   ; c1
  r21   load         sram+0xf00 f32[1,3,3,16]{64,192,64,4} <- dram+0x380 f32[1,3,3,16]   ; c2
  r22   load         sram+0x1480 f32[1,3,3,8]{32,96,32,4} <- dram+0x600 f32[1,3,3,8]   @w2   ; c2
  r23   load         sram+0xf00 f32[1,1,24,8] <- dram+0x780 f32[1,1,24,8]   @c18   ; c3
.compute
  c15   copy         sram+0x1200 f32[1,1,10,8]{3200,320,32,4} <- sram+0x1340 f32[1,1,10,8]{3200,320,32,4}   ; x
  c16   copy         sram+0x0 f32[1,2,10,24]{9600,960,96,4} <- sram+0x3c0 f32[1,2,10,24]{9600,960,96,4}   ; c1
  c17   conv         sram+0x780 f32[1,1,10,24]{9600,960,96,4} <- sram+0x1340 f32[1,1,10,8]{3200,320,32,4}, weight=sram+0xb40 f32[1,1,8,24], bias=sram+0x15c0 f32[24], act=clip act_params=0.0,6.0 stride=1,1 dilation=1,1 pad_begin=0,0   @r20   ; c1
  c18   conv         sram+0xb40 f32[1,1,10,16]{9600,960,96,4} <- sram+0x0 f32[1,3,10,16]{9600,960,96,4}, weight=sram+0xf00 f32[3,3,1,16], bias=sram+0x1640 f32[16], act=clip act_params=0.0,6.0 stride=1,1 dilation=1,1 pad_begin=0,1 groups=16   @r21   ; c2
  c19   conv         sram+0xb80 f32[1,1,10,8]{9600,960,96,4} <- sram+0x40 f32[1,3,10,8]{9600,960,96,4}, weight=sram+0x1480 f32[3,3,1,8], bias=sram+0x1680 f32[8], act=clip act_params=0.0,6.0 stride=1,1 dilation=1,1 pad_begin=0,1 groups=8   @r22   ; c2
  c20   conv         sram+0x1480 f32[1,1,10,8]{3200,320,32,4} <- sram+0xb40 f32[1,1,10,24]{9600,960,96,4}, weight=sram+0xf00 f32[1,1,24,8], bias=sram+0x16c0 f32[8], residual=sram+0x1200 f32[1,1,10,8]{3200,320,32,4}, stride=1,1 dilation=1,1 pad_begin=0,0   @r23   ; c3
.write
  w3    store        dram+0x1c80 f32[1,1,10,8]{3200,320,32,4} <- sram+0x1480 f32[1,1,10,8]{3200,320,32,4}   @c20   ; c3

.part 5/10 core 0
.read
  r24   load         sram+0x1340 f32[1,1,10,8]{3200,320,32,4} <- dram+0x1280 f32[1,1,10,8]{3200,320,32,4}   @c21   ; c1
  r25   load         sram+0xb40 f32[1,1,8,24] <- dram+0x0 f32[1,1,8,24]   ; c1
  r26   load         sram+0xf00 f32[1,3,3,16]{64,192,64,4} <- dram+0x380 f32[1,3,3,16]   ; c2
  r27   load         sram+0x1480 f32[1,3,3,8]{32,96,32,4} <- dram+0x600 f32[1,3,3,8]   @w3   ; c2
  r28   load         sram+0xf00 f32[1,1,24,8] <- dram+0x780 f32[1,1,24,8]   @c24   ; c3
.compute
  c21   copy         sram+0x1200 f32[1,1,10,8]{3200,320,32,4} <- sram+0x1340 f32[1,1,10,8]{3200,320,32,4}   ; x
  c22   copy         sram+0x0 f32[1,2,10,24]{9600,960,96,4} <- sram+0x3c0 f32[1,2,10,24]{9600,960,96,4}   ; c1
  c23   conv         sram+0x780 f32[1,1,10,24]{9600,960,96,4} <- sram+0x1340 f32[1,1,10,8]{3200,320,32,4}, weight=sram+0xb40 f32[1,1,8,24], bias=sram+0x15c0 f32[24], act=clip act_params=0.0,6.0 stride=1,1 dilation=1,1 pad_begin=0,0   @r25   ; c1
  c24   conv         sram+0xb40 f32[1,1,10,16]{9600,960,96,4} <- sram+0x0 f32[1,3,10,16]{9600,960,96,4}, weight=sram+0xf00 f32[3,3,1,16], bias=sram+0x1640 f32[16], act=clip act_params=0.0,6.0 stride=1,1 dilation=1,1 pad_begin=0,1 groups=16   @r26   ; c2
  c25   conv         sram+0xb80 f32[1,1,10,8]{9600,960,96,4} <- sram+0x40 f32[1,3,10,8]{9600,960,96,4}, weight=sram+0x1480 f32[3,3,1,8], bias=sram+0x1680 f32[8], act=clip act_params=0.0,6.0 stride=1,1 dilation=1,1 pad_begin=0,1 groups=8   @r27   ; c2
  c26   conv         sram+0x1480 f32[1,1,10,8]{3200,320,32,4} <- sram+0xb40 f32[1,1,10,24]{9600,960,96,4}, weight=sram+0xf00 f32[1,1,24,8], bias=sram+0x16c0 f32[8], residual=sram+0x1200 f32[1,1,10,8]{3200,320,32,4}, stride=1,1 dilation=1,1 pad_begin=0,0   @r28   ; c3
.write
  w4    store        dram+0x1dc0 f32[1,1,10,8]{3200,320,32,4} <- sram+0x1480 f32[1,1,10,8]{3200,320,32,4}   @c26   ; c3

.part 6/10 core 0
.read
  r29   load         sram+0x1340 f32[1,1,10,8]{3200,320,32,4} <- dram+0x13c0 f32[1,1,10,8]{3200,320,32,4}   @c27   ; c1
  r30   load         sram+0xb40 f32[1,1,8,24] <- dram+0x0 f32[1,1,8,24]   ; c1
  r31   load         sram+0xf00 f32[1,3,3,16]{64,192,64,4} <- dram+0x380 f32[1,3,3,16]   ; c2
  r32   load         sram+0x1480 f32[1,3,3,8]{32,96,32,4} <- dram+0x600 f32[1,3,3,8]   @w4   ; c2
  r33   load         sram+0xf00 f32[1,1,24,8] <- dram+0x780 f32[1,1,24,8]   @c30   ; c3
.compute
  c27   copy         sram+0x1200 f32[1,1,10,8]{3200,320,32,4} <- sram+0x1340 f32[1,1,10,8]{3200,320,32,4}   ; x
  c28   copy         sram+0x0 f32[1,2,10,24]{9600,960,96,4} <- sram+0x3c0 f32[1,2,10,24]{9600,960,96,4}   ; c1
  c29   conv         sram+0x780 f32[1,1,10,24]{9600,960,96,4} <- sram+0x1340 f32[1,1,10,8]{3200,320,32,4}, weight=sram+0xb40 f32[1,1,8,24], bias=sram+0x15c0 f32[24], act=clip act_params=0.0,6.0 stride=1,1 dilation=1,1 pad_begin=0,0   @r30   ; c1
  c30   conv         sram+0xb40 f32[1,1,10,16]{9600,960,96,4} <- sram+0x0 f32[1,3,10,16]{9600,960,96,4}, weight=sram+0xf00 f32[3,3,1,16], bias=sram+0x1640 f32[16], act=clip act_params=0.0,6.0 stride=1,1 dilation=1,1 pad_begin=0,1 groups=16   @r31   ; c2
  c31   conv         sram+0xb80 f32[1,1,10,8]{9600,960,96,4} <- sram+0x40 f32[1,3,10,8]{9600,960,96,4}, weight=sram+0x1480 f32[3,3,1,8], bias=sram+0x1680 f32[8], act=clip act_params=0.0,6.0 stride=1,1 dilation=1,1 pad_begin=0,1 groups=8   @r32   ; c2
  c32   conv         sram+0x1480 f32[1,1,10,8]{3200,320,32,4} <- sram+0xb40 f32[1,1,10,24]{9600,960,96,4}, weight=sram+0xf00 f32[1,1,24,8], bias=sram+0x16c0 f32[8], residual=sram+0x1200 f32[1,1,10,8]{3200,320,32,4}, stride=1,1 dilation=1,1 pad_begin=0,0   @r33   ; c3
.write
  w5    store        dram+0x1f00 f32[1,1,10,8]{3200,320,32,4} <- sram+0x1480 f32[1,1,10,8]{3200,320,32,4}   @c32   ; c3

.part 7/10 core 0
.read
  r34   load         sram+0x1340 f32[1,1,10,8]{3200,320,32,4} <- dram+0x1500 f32[1,1,10,8]{3200,320,32,4}   @c33   ; c1
  r35   load         sram+0xb40 f32[1,1,8,24] <- dram+0x0 f32[1,1,8,24]   ; c1
  r36   load         sram+0xf00 f32[1,3,3,16]{64,192,64,4} <- dram+0x380 f32[1,3,3,16]   ; c2
  r37   load         sram+0x1480 f32[1,3,3,8]{32,96,32,4} <- dram+0x600 f32[1,3,3,8]   @w5   ; c2
  r38   load         sram+0xf00 f32[1,1,24,8] <- dram+0x780 f32[1,1,24,8]   @c36   ; c3
.compute
  c33   copy         sram+0x1200 f32[1,1,10,8]{3200,320,32,4} <- sram+0x1340 f32[1,1,10,8]{3200,320,32,4}   ; x
  c34   copy         sram+0x0 f32[1,2,10,24]{9600,960,96,4} <- sram+0x3c0 f32[1,2,10,24]{9600,960,96,4}   ; c1
  c35   conv         sram+0x780 f32[1,1,10,24]{9600,960,96,4} <- sram+0x1340 f32[1,1,10,8]{3200,320,32,4}, weight=sram+0xb40 f32[1,1,8,24], bias=sram+0x15c0 f32[24], act=clip act_params=0.0,6.0 stride=1,1 dilation=1,1 pad_begin=0,0   @r35   ; c1
  c36   conv         sram+0xb40 f32[1,1,10,16]{9600,960,96,4} <- sram+0x0 f32[1,3,10,16]{9600,960,96,4}, weight=sram+0xf00 f32[3,3,1,16], bias=sram+0x1640 f32[16], act=clip act_params=0.0,6.0 stride=1,1 dilation=1,1 pad_begin=0,1 groups=16   @r36   ; c2
  c37   conv         sram+0xb80 f32[1,1,10,8]{9600,960,96,4} <- sram+0x40 f32[1,3,10,8]{9600,960,96,4}, weight=sram+0x1480 f32[3,3,1,8], bias=sram+0x1680 f32[8], act=clip act_params=0.0,6.0 stride=1,1 dilation=1,1 pad_begin=0,1 groups=8   @r37   ; c2
  c38   conv         sram+0x1480 f32[1,1,10,8]{3200,320,32,4} <- sram+0xb40 f32[1,1,10,24]{9600,960,96,4}, weight=sram+0xf00 f32[1,1,24,8], bias=sram+0x16c0 f32[8], residual=sram+0x1200 f32[1,1,10,8]{3200,320,32,4}, stride=1,1 dilation=1,1 pad_begin=0,0   @r38   ; c3
.write
  w6    store        dram+0x2040 f32[1,1,10,8]{3200,320,32,4} <- sram+0x1480 f32[1,1,10,8]{3200,320,32,4}   @c38   ; c3

.part 8/10 core 0
.read
  r39   load         sram+0x1340 f32[1,1,10,8]{3200,320,32,4} <- dram+0x1640 f32[1,1,10,8]{3200,320,32,4}   @c39   ; c1
  r40   load         sram+0xb40 f32[1,1,8,24] <- dram+0x0 f32[1,1,8,24]   ; c1
  r41   load         sram+0xf00 f32[1,3,3,16]{64,192,64,4} <- dram+0x380 f32[1,3,3,16]   ; c2
  r42   load         sram+0x1480 f32[1,3,3,8]{32,96,32,4} <- dram+0x600 f32[1,3,3,8]   @w6   ; c2
  r43   load         sram+0xf00 f32[1,1,24,8] <- dram+0x780 f32[1,1,24,8]   @c42   ; c3
.compute
  c39   copy         sram+0x1200 f32[1,1,10,8]{3200,320,32,4} <- sram+0x1340 f32[1,1,10,8]{3200,320,32,4}   ; x
  c40   copy         sram+0x0 f32[1,2,10,24]{9600,960,96,4} <- sram+0x3c0 f32[1,2,10,24]{9600,960,96,4}   ; c1
  c41   conv         sram+0x780 f32[1,1,10,24]{9600,960,96,4} <- sram+0x1340 f32[1,1,10,8]{3200,320,32,4}, weight=sram+0xb40 f32[1,1,8,24], bias=sram+0x15c0 f32[24], act=clip act_params=0.0,6.0 stride=1,1 dilation=1,1 pad_begin=0,0   @r40   ; c1
  c42   conv         sram+0xb40 f32[1,1,10,16]{9600,960,96,4} <- sram+0x0 f32[1,3,10,16]{9600,960,96,4}, weight=sram+0xf00 f32[3,3,1,16], bias=sram+0x1640 f32[16], act=clip act_params=0.0,6.0 stride=1,1 dilation=1,1 pad_begin=0,1 groups=16   @r41   ; c2
  c43   conv         sram+0xb80 f32[1,1,10,8]{9600,960,96,4} <- sram+0x40 f32[1,3,10,8]{9600,960,96,4}, weight=sram+0x1480 f32[3,3,1,8], bias=sram+0x1680 f32[8], act=clip act_params=0.0,6.0 stride=1,1 dilation=1,1 pad_begin=0,1 groups=8   @r42   ; c2
  c44   conv         sram+0x1480 f32[1,1,10,8]{3200,320,32,4} <- sram+0xb40 f32[1,1,10,24]{9600,960,96,4}, weight=sram+0xf00 f32[1,1,24,8], bias=sram+0x16c0 f32[8], residual=sram+0x1200 f32[1,1,10,8]{3200,320,32,4}, stride=1,1 dilation=1,1 pad_begin=0,0   @r43   ; c3
.write
  w7    store        dram+0x2180 f32[1,1,10,8]{3200,320,32,4} <- sram+0x1480 f32[1,1,10,8]{3200,320,32,4}   @c44   ; c3

.part 9/10 core 0
.read
  r44   load         sram+0x1340 f32[1,1,10,8]{3200,320,32,4} <- dram+0x1780 f32[1,1,10,8]{3200,320,32,4}   @c45   ; c1
  r45   load         sram+0xb40 f32[1,1,8,24] <- dram+0x0 f32[1,1,8,24]   ; c1
  r46   load         sram+0xf00 f32[1,3,3,16]{64,192,64,4} <- dram+0x380 f32[1,3,3,16]   ; c2
  r47   load         sram+0x1480 f32[1,3,3,8]{32,96,32,4} <- dram+0x600 f32[1,3,3,8]   @w7   ; c2
  r48   load         sram+0xf00 f32[1,1,24,8] <- dram+0x780 f32[1,1,24,8]   @c48   ; c3
.compute
  c45   copy         sram+0x1200 f32[1,1,10,8]{3200,320,32,4} <- sram+0x1340 f32[1,1,10,8]{3200,320,32,4}   ; x
  c46   copy         sram+0x0 f32[1,2,10,24]{9600,960,96,4} <- sram+0x3c0 f32[1,2,10,24]{9600,960,96,4}   ; c1
  c47   conv         sram+0x780 f32[1,1,10,24]{9600,960,96,4} <- sram+0x1340 f32[1,1,10,8]{3200,320,32,4}, weight=sram+0xb40 f32[1,1,8,24], bias=sram+0x15c0 f32[24], act=clip act_params=0.0,6.0 stride=1,1 dilation=1,1 pad_begin=0,0   @r45   ; c1
  c48   conv         sram+0xb40 f32[1,1,10,16]{9600,960,96,4} <- sram+0x0 f32[1,3,10,16]{9600,960,96,4}, weight=sram+0xf00 f32[3,3,1,16], bias=sram+0x1640 f32[16], act=clip act_params=0.0,6.0 stride=1,1 dilation=1,1 pad_begin=0,1 groups=16   @r46   ; c2
  c49   conv         sram+0xb80 f32[1,1,10,8]{9600,960,96,4} <- sram+0x40 f32[1,3,10,8]{9600,960,96,4}, weight=sram+0x1480 f32[3,3,1,8], bias=sram+0x1680 f32[8], act=clip act_params=0.0,6.0 stride=1,1 dilation=1,1 pad_begin=0,1 groups=8   @r47   ; c2
  c50   conv         sram+0x1480 f32[1,1,10,8]{3200,320,32,4} <- sram+0xb40 f32[1,1,10,24]{9600,960,96,4}, weight=sram+0xf00 f32[1,1,24,8], bias=sram+0x16c0 f32[8], residual=sram+0x1200 f32[1,1,10,8]{3200,320,32,4}, stride=1,1 dilation=1,1 pad_begin=0,0   @r48   ; c3
.write
  w8    store        dram+0x22c0 f32[1,1,10,8]{3200,320,32,4} <- sram+0x1480 f32[1,1,10,8]{3200,320,32,4}   @c50   ; c3

.part 10/10 core 0
.read
  r49   load         sram+0xf00 f32[1,3,3,16]{64,192,64,4} <- dram+0x380 f32[1,3,3,16]   @c50   ; c2
  r50   load         sram+0xf00 f32[1,3,3,8]{32,96,32,4} <- dram+0x600 f32[1,3,3,8]   @c52   ; c2
  r51   load         sram+0xf00 f32[1,1,24,8] <- dram+0x780 f32[1,1,24,8]   @c53   ; c3
.compute
  c51   copy         sram+0x0 f32[1,2,10,24]{9600,960,96,4} <- sram+0x3c0 f32[1,2,10,24]{9600,960,96,4}   ; c1
  c52   conv         sram+0xb40 f32[1,1,10,16]{9600,960,96,4} <- sram+0x0 f32[1,2,10,16]{9600,960,96,4}, weight=sram+0xf00 f32[3,3,1,16], bias=sram+0x1640 f32[16], act=clip act_params=0.0,6.0 stride=1,1 dilation=1,1 pad_begin=0,1 groups=16   @r49   ; c2
  c53   conv         sram+0xb80 f32[1,1,10,8]{9600,960,96,4} <- sram+0x40 f32[1,2,10,8]{9600,960,96,4}, weight=sram+0xf00 f32[3,3,1,8], bias=sram+0x1680 f32[8], act=clip act_params=0.0,6.0 stride=1,1 dilation=1,1 pad_begin=0,1 groups=8   @r50   ; c2
  c54   copy         sram+0x1200 f32[1,1,10,8]{3200,320,32,4} <- sram+0x1340 f32[1,1,10,8]{3200,320,32,4}   ; x
  c55   conv         sram+0x300 f32[1,1,10,8]{3200,320,32,4} <- sram+0xb40 f32[1,1,10,24]{9600,960,96,4}, weight=sram+0xf00 f32[1,1,24,8], bias=sram+0x16c0 f32[8], residual=sram+0x1200 f32[1,1,10,8]{3200,320,32,4}, stride=1,1 dilation=1,1 pad_begin=0,0   @r51   ; c3
.write
  w9    store        dram+0x2400 f32[1,1,10,8]{3200,320,32,4} <- sram+0x300 f32[1,1,10,8]{3200,320,32,4}   @c55   ; c3

.group 1 serial layers=pooled,logits,y parts=1 reason="3600 B of DRAM traffic for 130 cycles of work; activations stay, weights stream once"
.part 1/1 core 0
.read
  r52   load         sram+0x0 f32[1,10,10,8] <- dram+0x18c0 f32[1,10,10,8]   @w9   ; pooled
  r53   load         sram+0xcc0 f32[8,10] <- dram+0xac0 f32[8,10]   ; logits
  r54   load         sram+0xe00 f32[10] <- dram+0xc00 f32[10]   ; logits
.compute
  c56   reduce       sram+0xc80 f32[1,1,1,8] <- sram+0x0 f32[1,10,10,8], function=mean axes=1,2 count=100   @r52   ; pooled
  c57   gemm         sram+0x180 f32[1,10] <- sram+0xc80 f32[1,8]{0,4}, weight=sram+0xcc0 f32[8,10], bias=sram+0xe00 f32[10]   @r54   ; logits
  c58   softmax      sram+0x0 f32[1,10] <- sram+0x180 f32[1,10], axis=1   ; y
.write
  w10   store        dram+0x2540 f32[1,10] <- sram+0x0 f32[1,10]   @c58   ; y
