.nnc 2
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
  r0    load         sram+0x1200 f32[1,2,10,8]{3200,320,32,4} <- dram+0xc40 f32[1,2,10,8]{3200,320,32,4}   ; c1 = x+0 x+0
  r1    load         sram+0xb40 f32[1,1,8,24] <- dram+0x0 f32[1,1,8,24]   ; c1 = w1+0{1,1,1,8} w1+0{1,1,1,8}
  r2    load         sram+0x15c0 f32[24] <- dram+0x300 f32[24]   ; c1 = b1+0 b1+0
  r3    load         sram+0xf00 f32[1,3,3,16]{64,192,64,4} <- dram+0x380 f32[1,3,3,16]   ; c2 = w2+0{9,3,1,9} w2+0{9,3,1,9}
  r4    load         sram+0x1640 f32[16] <- dram+0x5c0 f32[16]   ; c2 = b2+0 b2+0
  r5    load         sram+0x1480 f32[1,3,3,8]{32,96,32,4} <- dram+0x600 f32[1,3,3,8]   ; c2 = w2+144{9,3,1,9} w2+144{9,3,1,9}
  r6    load         sram+0x1680 f32[8] <- dram+0x740 f32[8]   ; c2 = b2+16 b2+16
  r7    load         sram+0xf00 f32[1,1,24,8] <- dram+0x780 f32[1,1,24,8]   @c1   ; c3 = w3+0{1,1,1,24} w3+0{1,1,1,24}
  r8    load         sram+0x16c0 f32[8] <- dram+0xa80 f32[8]   ; c3 = b3+0 b3+0
.compute
  c0    conv         sram+0x0 f32[1,2,10,24]{9600,960,96,4} <- sram+0x1200 f32[1,2,10,8]{3200,320,32,4}, weight=sram+0xb40 f32[1,1,8,24], bias=sram+0x15c0 f32[24], act=clip act_params=0.0,6.0 stride=1,1 dilation=1,1 pad_begin=0,0   @r2   ; c1 = x+0 w1+0{1,1,1,8} r1+0 b1+0
  c1    conv         sram+0xb40 f32[1,1,10,16]{9600,960,96,4} <- sram+0x0 f32[1,2,10,16]{9600,960,96,4}, weight=sram+0xf00 f32[3,3,1,16], bias=sram+0x1640 f32[16], act=clip act_params=0.0,6.0 stride=1,1 dilation=1,1 pad_begin=1,1 groups=16   @r4   ; c2 = r1+0 w2+0{3,1,9,9} r2+0 b2+0
  c2    conv         sram+0xb80 f32[1,1,10,8]{9600,960,96,4} <- sram+0x40 f32[1,2,10,8]{9600,960,96,4}, weight=sram+0x1480 f32[3,3,1,8], bias=sram+0x1680 f32[8], act=clip act_params=0.0,6.0 stride=1,1 dilation=1,1 pad_begin=1,1 groups=8   @r6   ; c2 = r1+16 w2+144{3,1,9,9} r2+16 b2+16
  c3    conv         sram+0x1480 f32[1,1,10,8]{3200,320,32,4} <- sram+0xb40 f32[1,1,10,24]{9600,960,96,4}, weight=sram+0xf00 f32[1,1,24,8], bias=sram+0x16c0 f32[8], residual=sram+0x1200 f32[1,1,10,8]{3200,320,32,4}, stride=1,1 dilation=1,1 pad_begin=0,0   @r8   ; c3 = r2+0 w3+0{1,1,1,24} sum+0 b3+0 x+0
.write
  w0    store        dram+0x18c0 f32[1,1,10,8]{3200,320,32,4} <- sram+0x1480 f32[1,1,10,8]{3200,320,32,4}   @c3   ; c3 = sum+0 sum+0

.part 2/10 core 0
.read
  r9    load         sram+0x1340 f32[1,1,10,8]{3200,320,32,4} <- dram+0xec0 f32[1,1,10,8]{3200,320,32,4}   @c4   ; c1 = x+160 x+160
  r10   load         sram+0xb40 f32[1,1,8,24] <- dram+0x0 f32[1,1,8,24]   ; c1 = w1+0{1,1,1,8} w1+0{1,1,1,8}
  r11   load         sram+0xf00 f32[1,3,3,16]{64,192,64,4} <- dram+0x380 f32[1,3,3,16]   ; c2 = w2+0{9,3,1,9} w2+0{9,3,1,9}
  r12   load         sram+0xf00 f32[1,3,3,8]{32,96,32,4} <- dram+0x600 f32[1,3,3,8]   @c6   ; c2 = w2+144{9,3,1,9} w2+144{9,3,1,9}
  r13   load         sram+0xf00 f32[1,1,24,8] <- dram+0x780 f32[1,1,24,8]   @c7   ; c3 = w3+0{1,1,1,24} w3+0{1,1,1,24}
.compute
  c4    copy         sram+0x1200 f32[1,1,10,8]{3200,320,32,4} <- sram+0x1340 f32[1,1,10,8]{3200,320,32,4}   ; x = x+80 x+80
  c5    conv         sram+0x780 f32[1,1,10,24]{9600,960,96,4} <- sram+0x1340 f32[1,1,10,8]{3200,320,32,4}, weight=sram+0xb40 f32[1,1,8,24], bias=sram+0x15c0 f32[24], act=clip act_params=0.0,6.0 stride=1,1 dilation=1,1 pad_begin=0,0   @r10   ; c1 = x+160 w1+0{1,1,1,8} r1+480 b1+0
  c6    conv         sram+0xb40 f32[1,1,10,16]{9600,960,96,4} <- sram+0x0 f32[1,3,10,16]{9600,960,96,4}, weight=sram+0xf00 f32[3,3,1,16], bias=sram+0x1640 f32[16], act=clip act_params=0.0,6.0 stride=1,1 dilation=1,1 pad_begin=0,1 groups=16   @r11   ; c2 = r1+0 w2+0{3,1,9,9} r2+240 b2+0
  c7    conv         sram+0xb80 f32[1,1,10,8]{9600,960,96,4} <- sram+0x40 f32[1,3,10,8]{9600,960,96,4}, weight=sram+0xf00 f32[3,3,1,8], bias=sram+0x1680 f32[8], act=clip act_params=0.0,6.0 stride=1,1 dilation=1,1 pad_begin=0,1 groups=8   @r12   ; c2 = r1+16 w2+144{3,1,9,9} r2+256 b2+16
  c8    conv         sram+0x1480 f32[1,1,10,8]{3200,320,32,4} <- sram+0xb40 f32[1,1,10,24]{9600,960,96,4}, weight=sram+0xf00 f32[1,1,24,8], bias=sram+0x16c0 f32[8], residual=sram+0x1200 f32[1,1,10,8]{3200,320,32,4}, stride=1,1 dilation=1,1 pad_begin=0,0   @r13 @w0   ; c3 = r2+240 w3+0{1,1,1,24} sum+80 b3+0 x+80
.write
  w1    store        dram+0x1a00 f32[1,1,10,8]{3200,320,32,4} <- sram+0x1480 f32[1,1,10,8]{3200,320,32,4}   @c8   ; c3 = sum+80 sum+80

.part 3/10 core 0
.read
  r14   load         sram+0x1340 f32[1,1,10,8]{3200,320,32,4} <- dram+0x1000 f32[1,1,10,8]{3200,320,32,4}   @c9   ; c1 = x+240 x+240
  r15   load         sram+0xb40 f32[1,1,8,24] <- dram+0x0 f32[1,1,8,24]   ; c1 = w1+0{1,1,1,8} w1+0{1,1,1,8}
  r16   load         sram+0xf00 f32[1,3,3,16]{64,192,64,4} <- dram+0x380 f32[1,3,3,16]   ; c2 = w2+0{9,3,1,9} w2+0{9,3,1,9}
  r17   load         sram+0x1480 f32[1,3,3,8]{32,96,32,4} <- dram+0x600 f32[1,3,3,8]   @w1   ; c2 = w2+144{9,3,1,9} w2+144{9,3,1,9}
  r18   load         sram+0xf00 f32[1,1,24,8] <- dram+0x780 f32[1,1,24,8]   @c12   ; c3 = w3+0{1,1,1,24} w3+0{1,1,1,24}
.compute
  c9    copy         sram+0x1200 f32[1,1,10,8]{3200,320,32,4} <- sram+0x1340 f32[1,1,10,8]{3200,320,32,4}   ; x = x+160 x+160
  c10   copy         sram+0x0 f32[1,2,10,24]{9600,960,96,4} <- sram+0x3c0 f32[1,2,10,24]{9600,960,96,4}   ; c1 = r1+240 r1+240
  c11   conv         sram+0x780 f32[1,1,10,24]{9600,960,96,4} <- sram+0x1340 f32[1,1,10,8]{3200,320,32,4}, weight=sram+0xb40 f32[1,1,8,24], bias=sram+0x15c0 f32[24], act=clip act_params=0.0,6.0 stride=1,1 dilation=1,1 pad_begin=0,0   @r15   ; c1 = x+240 w1+0{1,1,1,8} r1+720 b1+0
  c12   conv         sram+0xb40 f32[1,1,10,16]{9600,960,96,4} <- sram+0x0 f32[1,3,10,16]{9600,960,96,4}, weight=sram+0xf00 f32[3,3,1,16], bias=sram+0x1640 f32[16], act=clip act_params=0.0,6.0 stride=1,1 dilation=1,1 pad_begin=0,1 groups=16   @r16   ; c2 = r1+240 w2+0{3,1,9,9} r2+480 b2+0
  c13   conv         sram+0xb80 f32[1,1,10,8]{9600,960,96,4} <- sram+0x40 f32[1,3,10,8]{9600,960,96,4}, weight=sram+0x1480 f32[3,3,1,8], bias=sram+0x1680 f32[8], act=clip act_params=0.0,6.0 stride=1,1 dilation=1,1 pad_begin=0,1 groups=8   @r17   ; c2 = r1+256 w2+144{3,1,9,9} r2+496 b2+16
  c14   conv         sram+0x1480 f32[1,1,10,8]{3200,320,32,4} <- sram+0xb40 f32[1,1,10,24]{9600,960,96,4}, weight=sram+0xf00 f32[1,1,24,8], bias=sram+0x16c0 f32[8], residual=sram+0x1200 f32[1,1,10,8]{3200,320,32,4}, stride=1,1 dilation=1,1 pad_begin=0,0   @r18   ; c3 = r2+480 w3+0{1,1,1,24} sum+160 b3+0 x+160
.write
  w2    store        dram+0x1b40 f32[1,1,10,8]{3200,320,32,4} <- sram+0x1480 f32[1,1,10,8]{3200,320,32,4}   @c14   ; c3 = sum+160 sum+160

.part 4/10 core 0
.read
  r19   load         sram+0x1340 f32[1,1,10,8]{3200,320,32,4} <- dram+0x1140 f32[1,1,10,8]{3200,320,32,4}   @c15   ; c1 = x+320 x+320
  r20   load         sram+0xb40 f32[1,1,8,24] <- dram+0x0 f32[1,1,8,24]   ; c1 = w1+0{1,1,1,8} w1+0{1,1,1,8}
  r21   load         sram+0xf00 f32[1,3,3,16]{64,192,64,4} <- dram+0x380 f32[1,3,3,16]   ; c2 = w2+0{9,3,1,9} w2+0{9,3,1,9}
  r22   load         sram+0x1480 f32[1,3,3,8]{32,96,32,4} <- dram+0x600 f32[1,3,3,8]   @w2   ; c2 = w2+144{9,3,1,9} w2+144{9,3,1,9}
  r23   load         sram+0xf00 f32[1,1,24,8] <- dram+0x780 f32[1,1,24,8]   @c18   ; c3 = w3+0{1,1,1,24} w3+0{1,1,1,24}
.compute
  c15   copy         sram+0x1200 f32[1,1,10,8]{3200,320,32,4} <- sram+0x1340 f32[1,1,10,8]{3200,320,32,4}   ; x = x+240 x+240
  c16   copy         sram+0x0 f32[1,2,10,24]{9600,960,96,4} <- sram+0x3c0 f32[1,2,10,24]{9600,960,96,4}   ; c1 = r1+480 r1+480
  c17   conv         sram+0x780 f32[1,1,10,24]{9600,960,96,4} <- sram+0x1340 f32[1,1,10,8]{3200,320,32,4}, weight=sram+0xb40 f32[1,1,8,24], bias=sram+0x15c0 f32[24], act=clip act_params=0.0,6.0 stride=1,1 dilation=1,1 pad_begin=0,0   @r20   ; c1 = x+320 w1+0{1,1,1,8} r1+960 b1+0
  c18   conv         sram+0xb40 f32[1,1,10,16]{9600,960,96,4} <- sram+0x0 f32[1,3,10,16]{9600,960,96,4}, weight=sram+0xf00 f32[3,3,1,16], bias=sram+0x1640 f32[16], act=clip act_params=0.0,6.0 stride=1,1 dilation=1,1 pad_begin=0,1 groups=16   @r21   ; c2 = r1+480 w2+0{3,1,9,9} r2+720 b2+0
  c19   conv         sram+0xb80 f32[1,1,10,8]{9600,960,96,4} <- sram+0x40 f32[1,3,10,8]{9600,960,96,4}, weight=sram+0x1480 f32[3,3,1,8], bias=sram+0x1680 f32[8], act=clip act_params=0.0,6.0 stride=1,1 dilation=1,1 pad_begin=0,1 groups=8   @r22   ; c2 = r1+496 w2+144{3,1,9,9} r2+736 b2+16
  c20   conv         sram+0x1480 f32[1,1,10,8]{3200,320,32,4} <- sram+0xb40 f32[1,1,10,24]{9600,960,96,4}, weight=sram+0xf00 f32[1,1,24,8], bias=sram+0x16c0 f32[8], residual=sram+0x1200 f32[1,1,10,8]{3200,320,32,4}, stride=1,1 dilation=1,1 pad_begin=0,0   @r23   ; c3 = r2+720 w3+0{1,1,1,24} sum+240 b3+0 x+240
.write
  w3    store        dram+0x1c80 f32[1,1,10,8]{3200,320,32,4} <- sram+0x1480 f32[1,1,10,8]{3200,320,32,4}   @c20   ; c3 = sum+240 sum+240

.part 5/10 core 0
.read
  r24   load         sram+0x1340 f32[1,1,10,8]{3200,320,32,4} <- dram+0x1280 f32[1,1,10,8]{3200,320,32,4}   @c21   ; c1 = x+400 x+400
  r25   load         sram+0xb40 f32[1,1,8,24] <- dram+0x0 f32[1,1,8,24]   ; c1 = w1+0{1,1,1,8} w1+0{1,1,1,8}
  r26   load         sram+0xf00 f32[1,3,3,16]{64,192,64,4} <- dram+0x380 f32[1,3,3,16]   ; c2 = w2+0{9,3,1,9} w2+0{9,3,1,9}
  r27   load         sram+0x1480 f32[1,3,3,8]{32,96,32,4} <- dram+0x600 f32[1,3,3,8]   @w3   ; c2 = w2+144{9,3,1,9} w2+144{9,3,1,9}
  r28   load         sram+0xf00 f32[1,1,24,8] <- dram+0x780 f32[1,1,24,8]   @c24   ; c3 = w3+0{1,1,1,24} w3+0{1,1,1,24}
.compute
  c21   copy         sram+0x1200 f32[1,1,10,8]{3200,320,32,4} <- sram+0x1340 f32[1,1,10,8]{3200,320,32,4}   ; x = x+320 x+320
  c22   copy         sram+0x0 f32[1,2,10,24]{9600,960,96,4} <- sram+0x3c0 f32[1,2,10,24]{9600,960,96,4}   ; c1 = r1+720 r1+720
  c23   conv         sram+0x780 f32[1,1,10,24]{9600,960,96,4} <- sram+0x1340 f32[1,1,10,8]{3200,320,32,4}, weight=sram+0xb40 f32[1,1,8,24], bias=sram+0x15c0 f32[24], act=clip act_params=0.0,6.0 stride=1,1 dilation=1,1 pad_begin=0,0   @r25   ; c1 = x+400 w1+0{1,1,1,8} r1+1200 b1+0
  c24   conv         sram+0xb40 f32[1,1,10,16]{9600,960,96,4} <- sram+0x0 f32[1,3,10,16]{9600,960,96,4}, weight=sram+0xf00 f32[3,3,1,16], bias=sram+0x1640 f32[16], act=clip act_params=0.0,6.0 stride=1,1 dilation=1,1 pad_begin=0,1 groups=16   @r26   ; c2 = r1+720 w2+0{3,1,9,9} r2+960 b2+0
  c25   conv         sram+0xb80 f32[1,1,10,8]{9600,960,96,4} <- sram+0x40 f32[1,3,10,8]{9600,960,96,4}, weight=sram+0x1480 f32[3,3,1,8], bias=sram+0x1680 f32[8], act=clip act_params=0.0,6.0 stride=1,1 dilation=1,1 pad_begin=0,1 groups=8   @r27   ; c2 = r1+736 w2+144{3,1,9,9} r2+976 b2+16
  c26   conv         sram+0x1480 f32[1,1,10,8]{3200,320,32,4} <- sram+0xb40 f32[1,1,10,24]{9600,960,96,4}, weight=sram+0xf00 f32[1,1,24,8], bias=sram+0x16c0 f32[8], residual=sram+0x1200 f32[1,1,10,8]{3200,320,32,4}, stride=1,1 dilation=1,1 pad_begin=0,0   @r28   ; c3 = r2+960 w3+0{1,1,1,24} sum+320 b3+0 x+320
.write
  w4    store        dram+0x1dc0 f32[1,1,10,8]{3200,320,32,4} <- sram+0x1480 f32[1,1,10,8]{3200,320,32,4}   @c26   ; c3 = sum+320 sum+320

.part 6/10 core 0
.read
  r29   load         sram+0x1340 f32[1,1,10,8]{3200,320,32,4} <- dram+0x13c0 f32[1,1,10,8]{3200,320,32,4}   @c27   ; c1 = x+480 x+480
  r30   load         sram+0xb40 f32[1,1,8,24] <- dram+0x0 f32[1,1,8,24]   ; c1 = w1+0{1,1,1,8} w1+0{1,1,1,8}
  r31   load         sram+0xf00 f32[1,3,3,16]{64,192,64,4} <- dram+0x380 f32[1,3,3,16]   ; c2 = w2+0{9,3,1,9} w2+0{9,3,1,9}
  r32   load         sram+0x1480 f32[1,3,3,8]{32,96,32,4} <- dram+0x600 f32[1,3,3,8]   @w4   ; c2 = w2+144{9,3,1,9} w2+144{9,3,1,9}
  r33   load         sram+0xf00 f32[1,1,24,8] <- dram+0x780 f32[1,1,24,8]   @c30   ; c3 = w3+0{1,1,1,24} w3+0{1,1,1,24}
.compute
  c27   copy         sram+0x1200 f32[1,1,10,8]{3200,320,32,4} <- sram+0x1340 f32[1,1,10,8]{3200,320,32,4}   ; x = x+400 x+400
  c28   copy         sram+0x0 f32[1,2,10,24]{9600,960,96,4} <- sram+0x3c0 f32[1,2,10,24]{9600,960,96,4}   ; c1 = r1+960 r1+960
  c29   conv         sram+0x780 f32[1,1,10,24]{9600,960,96,4} <- sram+0x1340 f32[1,1,10,8]{3200,320,32,4}, weight=sram+0xb40 f32[1,1,8,24], bias=sram+0x15c0 f32[24], act=clip act_params=0.0,6.0 stride=1,1 dilation=1,1 pad_begin=0,0   @r30   ; c1 = x+480 w1+0{1,1,1,8} r1+1440 b1+0
  c30   conv         sram+0xb40 f32[1,1,10,16]{9600,960,96,4} <- sram+0x0 f32[1,3,10,16]{9600,960,96,4}, weight=sram+0xf00 f32[3,3,1,16], bias=sram+0x1640 f32[16], act=clip act_params=0.0,6.0 stride=1,1 dilation=1,1 pad_begin=0,1 groups=16   @r31   ; c2 = r1+960 w2+0{3,1,9,9} r2+1200 b2+0
  c31   conv         sram+0xb80 f32[1,1,10,8]{9600,960,96,4} <- sram+0x40 f32[1,3,10,8]{9600,960,96,4}, weight=sram+0x1480 f32[3,3,1,8], bias=sram+0x1680 f32[8], act=clip act_params=0.0,6.0 stride=1,1 dilation=1,1 pad_begin=0,1 groups=8   @r32   ; c2 = r1+976 w2+144{3,1,9,9} r2+1216 b2+16
  c32   conv         sram+0x1480 f32[1,1,10,8]{3200,320,32,4} <- sram+0xb40 f32[1,1,10,24]{9600,960,96,4}, weight=sram+0xf00 f32[1,1,24,8], bias=sram+0x16c0 f32[8], residual=sram+0x1200 f32[1,1,10,8]{3200,320,32,4}, stride=1,1 dilation=1,1 pad_begin=0,0   @r33   ; c3 = r2+1200 w3+0{1,1,1,24} sum+400 b3+0 x+400
.write
  w5    store        dram+0x1f00 f32[1,1,10,8]{3200,320,32,4} <- sram+0x1480 f32[1,1,10,8]{3200,320,32,4}   @c32   ; c3 = sum+400 sum+400

.part 7/10 core 0
.read
  r34   load         sram+0x1340 f32[1,1,10,8]{3200,320,32,4} <- dram+0x1500 f32[1,1,10,8]{3200,320,32,4}   @c33   ; c1 = x+560 x+560
  r35   load         sram+0xb40 f32[1,1,8,24] <- dram+0x0 f32[1,1,8,24]   ; c1 = w1+0{1,1,1,8} w1+0{1,1,1,8}
  r36   load         sram+0xf00 f32[1,3,3,16]{64,192,64,4} <- dram+0x380 f32[1,3,3,16]   ; c2 = w2+0{9,3,1,9} w2+0{9,3,1,9}
  r37   load         sram+0x1480 f32[1,3,3,8]{32,96,32,4} <- dram+0x600 f32[1,3,3,8]   @w5   ; c2 = w2+144{9,3,1,9} w2+144{9,3,1,9}
  r38   load         sram+0xf00 f32[1,1,24,8] <- dram+0x780 f32[1,1,24,8]   @c36   ; c3 = w3+0{1,1,1,24} w3+0{1,1,1,24}
.compute
  c33   copy         sram+0x1200 f32[1,1,10,8]{3200,320,32,4} <- sram+0x1340 f32[1,1,10,8]{3200,320,32,4}   ; x = x+480 x+480
  c34   copy         sram+0x0 f32[1,2,10,24]{9600,960,96,4} <- sram+0x3c0 f32[1,2,10,24]{9600,960,96,4}   ; c1 = r1+1200 r1+1200
  c35   conv         sram+0x780 f32[1,1,10,24]{9600,960,96,4} <- sram+0x1340 f32[1,1,10,8]{3200,320,32,4}, weight=sram+0xb40 f32[1,1,8,24], bias=sram+0x15c0 f32[24], act=clip act_params=0.0,6.0 stride=1,1 dilation=1,1 pad_begin=0,0   @r35   ; c1 = x+560 w1+0{1,1,1,8} r1+1680 b1+0
  c36   conv         sram+0xb40 f32[1,1,10,16]{9600,960,96,4} <- sram+0x0 f32[1,3,10,16]{9600,960,96,4}, weight=sram+0xf00 f32[3,3,1,16], bias=sram+0x1640 f32[16], act=clip act_params=0.0,6.0 stride=1,1 dilation=1,1 pad_begin=0,1 groups=16   @r36   ; c2 = r1+1200 w2+0{3,1,9,9} r2+1440 b2+0
  c37   conv         sram+0xb80 f32[1,1,10,8]{9600,960,96,4} <- sram+0x40 f32[1,3,10,8]{9600,960,96,4}, weight=sram+0x1480 f32[3,3,1,8], bias=sram+0x1680 f32[8], act=clip act_params=0.0,6.0 stride=1,1 dilation=1,1 pad_begin=0,1 groups=8   @r37   ; c2 = r1+1216 w2+144{3,1,9,9} r2+1456 b2+16
  c38   conv         sram+0x1480 f32[1,1,10,8]{3200,320,32,4} <- sram+0xb40 f32[1,1,10,24]{9600,960,96,4}, weight=sram+0xf00 f32[1,1,24,8], bias=sram+0x16c0 f32[8], residual=sram+0x1200 f32[1,1,10,8]{3200,320,32,4}, stride=1,1 dilation=1,1 pad_begin=0,0   @r38   ; c3 = r2+1440 w3+0{1,1,1,24} sum+480 b3+0 x+480
.write
  w6    store        dram+0x2040 f32[1,1,10,8]{3200,320,32,4} <- sram+0x1480 f32[1,1,10,8]{3200,320,32,4}   @c38   ; c3 = sum+480 sum+480

.part 8/10 core 0
.read
  r39   load         sram+0x1340 f32[1,1,10,8]{3200,320,32,4} <- dram+0x1640 f32[1,1,10,8]{3200,320,32,4}   @c39   ; c1 = x+640 x+640
  r40   load         sram+0xb40 f32[1,1,8,24] <- dram+0x0 f32[1,1,8,24]   ; c1 = w1+0{1,1,1,8} w1+0{1,1,1,8}
  r41   load         sram+0xf00 f32[1,3,3,16]{64,192,64,4} <- dram+0x380 f32[1,3,3,16]   ; c2 = w2+0{9,3,1,9} w2+0{9,3,1,9}
  r42   load         sram+0x1480 f32[1,3,3,8]{32,96,32,4} <- dram+0x600 f32[1,3,3,8]   @w6   ; c2 = w2+144{9,3,1,9} w2+144{9,3,1,9}
  r43   load         sram+0xf00 f32[1,1,24,8] <- dram+0x780 f32[1,1,24,8]   @c42   ; c3 = w3+0{1,1,1,24} w3+0{1,1,1,24}
.compute
  c39   copy         sram+0x1200 f32[1,1,10,8]{3200,320,32,4} <- sram+0x1340 f32[1,1,10,8]{3200,320,32,4}   ; x = x+560 x+560
  c40   copy         sram+0x0 f32[1,2,10,24]{9600,960,96,4} <- sram+0x3c0 f32[1,2,10,24]{9600,960,96,4}   ; c1 = r1+1440 r1+1440
  c41   conv         sram+0x780 f32[1,1,10,24]{9600,960,96,4} <- sram+0x1340 f32[1,1,10,8]{3200,320,32,4}, weight=sram+0xb40 f32[1,1,8,24], bias=sram+0x15c0 f32[24], act=clip act_params=0.0,6.0 stride=1,1 dilation=1,1 pad_begin=0,0   @r40   ; c1 = x+640 w1+0{1,1,1,8} r1+1920 b1+0
  c42   conv         sram+0xb40 f32[1,1,10,16]{9600,960,96,4} <- sram+0x0 f32[1,3,10,16]{9600,960,96,4}, weight=sram+0xf00 f32[3,3,1,16], bias=sram+0x1640 f32[16], act=clip act_params=0.0,6.0 stride=1,1 dilation=1,1 pad_begin=0,1 groups=16   @r41   ; c2 = r1+1440 w2+0{3,1,9,9} r2+1680 b2+0
  c43   conv         sram+0xb80 f32[1,1,10,8]{9600,960,96,4} <- sram+0x40 f32[1,3,10,8]{9600,960,96,4}, weight=sram+0x1480 f32[3,3,1,8], bias=sram+0x1680 f32[8], act=clip act_params=0.0,6.0 stride=1,1 dilation=1,1 pad_begin=0,1 groups=8   @r42   ; c2 = r1+1456 w2+144{3,1,9,9} r2+1696 b2+16
  c44   conv         sram+0x1480 f32[1,1,10,8]{3200,320,32,4} <- sram+0xb40 f32[1,1,10,24]{9600,960,96,4}, weight=sram+0xf00 f32[1,1,24,8], bias=sram+0x16c0 f32[8], residual=sram+0x1200 f32[1,1,10,8]{3200,320,32,4}, stride=1,1 dilation=1,1 pad_begin=0,0   @r43   ; c3 = r2+1680 w3+0{1,1,1,24} sum+560 b3+0 x+560
.write
  w7    store        dram+0x2180 f32[1,1,10,8]{3200,320,32,4} <- sram+0x1480 f32[1,1,10,8]{3200,320,32,4}   @c44   ; c3 = sum+560 sum+560

.part 9/10 core 0
.read
  r44   load         sram+0x1340 f32[1,1,10,8]{3200,320,32,4} <- dram+0x1780 f32[1,1,10,8]{3200,320,32,4}   @c45   ; c1 = x+720 x+720
  r45   load         sram+0xb40 f32[1,1,8,24] <- dram+0x0 f32[1,1,8,24]   ; c1 = w1+0{1,1,1,8} w1+0{1,1,1,8}
  r46   load         sram+0xf00 f32[1,3,3,16]{64,192,64,4} <- dram+0x380 f32[1,3,3,16]   ; c2 = w2+0{9,3,1,9} w2+0{9,3,1,9}
  r47   load         sram+0x1480 f32[1,3,3,8]{32,96,32,4} <- dram+0x600 f32[1,3,3,8]   @w7   ; c2 = w2+144{9,3,1,9} w2+144{9,3,1,9}
  r48   load         sram+0xf00 f32[1,1,24,8] <- dram+0x780 f32[1,1,24,8]   @c48   ; c3 = w3+0{1,1,1,24} w3+0{1,1,1,24}
.compute
  c45   copy         sram+0x1200 f32[1,1,10,8]{3200,320,32,4} <- sram+0x1340 f32[1,1,10,8]{3200,320,32,4}   ; x = x+640 x+640
  c46   copy         sram+0x0 f32[1,2,10,24]{9600,960,96,4} <- sram+0x3c0 f32[1,2,10,24]{9600,960,96,4}   ; c1 = r1+1680 r1+1680
  c47   conv         sram+0x780 f32[1,1,10,24]{9600,960,96,4} <- sram+0x1340 f32[1,1,10,8]{3200,320,32,4}, weight=sram+0xb40 f32[1,1,8,24], bias=sram+0x15c0 f32[24], act=clip act_params=0.0,6.0 stride=1,1 dilation=1,1 pad_begin=0,0   @r45   ; c1 = x+720 w1+0{1,1,1,8} r1+2160 b1+0
  c48   conv         sram+0xb40 f32[1,1,10,16]{9600,960,96,4} <- sram+0x0 f32[1,3,10,16]{9600,960,96,4}, weight=sram+0xf00 f32[3,3,1,16], bias=sram+0x1640 f32[16], act=clip act_params=0.0,6.0 stride=1,1 dilation=1,1 pad_begin=0,1 groups=16   @r46   ; c2 = r1+1680 w2+0{3,1,9,9} r2+1920 b2+0
  c49   conv         sram+0xb80 f32[1,1,10,8]{9600,960,96,4} <- sram+0x40 f32[1,3,10,8]{9600,960,96,4}, weight=sram+0x1480 f32[3,3,1,8], bias=sram+0x1680 f32[8], act=clip act_params=0.0,6.0 stride=1,1 dilation=1,1 pad_begin=0,1 groups=8   @r47   ; c2 = r1+1696 w2+144{3,1,9,9} r2+1936 b2+16
  c50   conv         sram+0x1480 f32[1,1,10,8]{3200,320,32,4} <- sram+0xb40 f32[1,1,10,24]{9600,960,96,4}, weight=sram+0xf00 f32[1,1,24,8], bias=sram+0x16c0 f32[8], residual=sram+0x1200 f32[1,1,10,8]{3200,320,32,4}, stride=1,1 dilation=1,1 pad_begin=0,0   @r48   ; c3 = r2+1920 w3+0{1,1,1,24} sum+640 b3+0 x+640
.write
  w8    store        dram+0x22c0 f32[1,1,10,8]{3200,320,32,4} <- sram+0x1480 f32[1,1,10,8]{3200,320,32,4}   @c50   ; c3 = sum+640 sum+640

.part 10/10 core 0
.read
  r49   load         sram+0xf00 f32[1,3,3,16]{64,192,64,4} <- dram+0x380 f32[1,3,3,16]   @c50   ; c2 = w2+0{9,3,1,9} w2+0{9,3,1,9}
  r50   load         sram+0xf00 f32[1,3,3,8]{32,96,32,4} <- dram+0x600 f32[1,3,3,8]   @c52   ; c2 = w2+144{9,3,1,9} w2+144{9,3,1,9}
  r51   load         sram+0xf00 f32[1,1,24,8] <- dram+0x780 f32[1,1,24,8]   @c53   ; c3 = w3+0{1,1,1,24} w3+0{1,1,1,24}
.compute
  c51   copy         sram+0x0 f32[1,2,10,24]{9600,960,96,4} <- sram+0x3c0 f32[1,2,10,24]{9600,960,96,4}   ; c1 = r1+1920 r1+1920
  c52   conv         sram+0xb40 f32[1,1,10,16]{9600,960,96,4} <- sram+0x0 f32[1,2,10,16]{9600,960,96,4}, weight=sram+0xf00 f32[3,3,1,16], bias=sram+0x1640 f32[16], act=clip act_params=0.0,6.0 stride=1,1 dilation=1,1 pad_begin=0,1 groups=16   @r49   ; c2 = r1+1920 w2+0{3,1,9,9} r2+2160 b2+0
  c53   conv         sram+0xb80 f32[1,1,10,8]{9600,960,96,4} <- sram+0x40 f32[1,2,10,8]{9600,960,96,4}, weight=sram+0xf00 f32[3,3,1,8], bias=sram+0x1680 f32[8], act=clip act_params=0.0,6.0 stride=1,1 dilation=1,1 pad_begin=0,1 groups=8   @r50   ; c2 = r1+1936 w2+144{3,1,9,9} r2+2176 b2+16
  c54   copy         sram+0x1200 f32[1,1,10,8]{3200,320,32,4} <- sram+0x1340 f32[1,1,10,8]{3200,320,32,4}   ; x = x+720 x+720
  c55   conv         sram+0x300 f32[1,1,10,8]{3200,320,32,4} <- sram+0xb40 f32[1,1,10,24]{9600,960,96,4}, weight=sram+0xf00 f32[1,1,24,8], bias=sram+0x16c0 f32[8], residual=sram+0x1200 f32[1,1,10,8]{3200,320,32,4}, stride=1,1 dilation=1,1 pad_begin=0,0   @r51   ; c3 = r2+2160 w3+0{1,1,1,24} sum+720 b3+0 x+720
.write
  w9    store        dram+0x2400 f32[1,1,10,8]{3200,320,32,4} <- sram+0x300 f32[1,1,10,8]{3200,320,32,4}   @c55   ; c3 = sum+720 sum+720

.group 1 serial layers=pooled,logits,y parts=1 reason="3600 B of DRAM traffic for 130 cycles of work; activations stay, weights stream once"
.part 1/1 core 0
.read
  r52   load         sram+0x0 f32[1,10,10,8] <- dram+0x18c0 f32[1,10,10,8]   @w9   ; pooled = sum+0 sum+0
  r53   load         sram+0xcc0 f32[8,10] <- dram+0xac0 f32[8,10]   ; logits = logits.b.reordered+0 logits.b.reordered+0
  r54   load         sram+0xe00 f32[10] <- dram+0xc00 f32[10]   ; logits = b4+0 b4+0
.compute
  c56   reduce       sram+0xc80 f32[1,1,1,8] <- sram+0x0 f32[1,10,10,8], function=mean axes=1,2 count=100   @r52   ; pooled = sum+0 pooled+0
  c57   gemm         sram+0x180 f32[1,10] <- sram+0xc80 f32[1,8]{0,4}, weight=sram+0xcc0 f32[8,10], bias=sram+0xe00 f32[10]   @r54   ; logits = pooled+0 logits.b.reordered+0 logits+0 b4+0
  c58   softmax      sram+0x0 f32[1,10] <- sram+0x180 f32[1,10], axis=1   ; y = y+0 logits+0
.write
  w10   store        dram+0x2540 f32[1,10] <- sram+0x0 f32[1,10]   @c58   ; y = y+0 y+0
