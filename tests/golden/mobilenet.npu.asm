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
.fact predicted_cycles 7330
.fact predicted_dram_bytes 77696

.group 0 single layers=c1 parts=5 reason="DRAM-bound, double-buffered, about 1060 cycles for 13664 B"
.part 1/5 core 0
.read
  r0    load         sram+0x0 f32[1,2,10,8] <- dram+0xc40 f32[1,2,10,8]{3200,320,32,4}   ; c1
  r1    load         sram+0x280 f32[1,1,8,24] <- dram+0x0 f32[1,1,8,24]   ; c1
  r2    load         sram+0x580 f32[24] <- dram+0x300 f32[24]   ; c1
.compute
  c0    conv         sram+0x880 f32[1,2,10,24] <- sram+0x0 f32[1,2,10,8], weight=sram+0x280 f32[1,1,8,24], bias=sram+0x580 f32[24], act=clip act_params=0.0,6.0 stride=1,1 dilation=1,1 pad_begin=0,0   @r2   ; c1
.write
  w0    store        dram+0x1900 f32[1,2,10,24]{9600,960,96,4} <- sram+0x880 f32[1,2,10,24]   @c0   ; c1

.part 2/5 core 0
.read
  r3    load         sram+0x600 f32[1,2,10,8] <- dram+0xec0 f32[1,2,10,8]{3200,320,32,4}   ; c1
.compute
  c1    conv         sram+0x1000 f32[1,2,10,24] <- sram+0x600 f32[1,2,10,8], weight=sram+0x280 f32[1,1,8,24], bias=sram+0x580 f32[24], act=clip act_params=0.0,6.0 stride=1,1 dilation=1,1 pad_begin=0,0   @r3   ; c1
.write
  w1    store        dram+0x2080 f32[1,2,10,24]{9600,960,96,4} <- sram+0x1000 f32[1,2,10,24]   @c1   ; c1

.part 3/5 core 0
.read
  r4    load         sram+0x0 f32[1,2,10,8] <- dram+0x1140 f32[1,2,10,8]{3200,320,32,4}   @c0   ; c1
.compute
  c2    conv         sram+0x880 f32[1,2,10,24] <- sram+0x0 f32[1,2,10,8], weight=sram+0x280 f32[1,1,8,24], bias=sram+0x580 f32[24], act=clip act_params=0.0,6.0 stride=1,1 dilation=1,1 pad_begin=0,0   @r4 @w0   ; c1
.write
  w2    store        dram+0x2800 f32[1,2,10,24]{9600,960,96,4} <- sram+0x880 f32[1,2,10,24]   @c2   ; c1

.part 4/5 core 0
.read
  r5    load         sram+0x600 f32[1,2,10,8] <- dram+0x13c0 f32[1,2,10,8]{3200,320,32,4}   @c1   ; c1
.compute
  c3    conv         sram+0x1000 f32[1,2,10,24] <- sram+0x600 f32[1,2,10,8], weight=sram+0x280 f32[1,1,8,24], bias=sram+0x580 f32[24], act=clip act_params=0.0,6.0 stride=1,1 dilation=1,1 pad_begin=0,0   @r5 @w1   ; c1
.write
  w3    store        dram+0x2f80 f32[1,2,10,24]{9600,960,96,4} <- sram+0x1000 f32[1,2,10,24]   @c3   ; c1

.part 5/5 core 0
.read
  r6    load         sram+0x0 f32[1,2,10,8] <- dram+0x1640 f32[1,2,10,8]{3200,320,32,4}   @c2   ; c1
.compute
  c4    conv         sram+0x600 f32[1,2,10,24] <- sram+0x0 f32[1,2,10,8], weight=sram+0x280 f32[1,1,8,24], bias=sram+0x580 f32[24], act=clip act_params=0.0,6.0 stride=1,1 dilation=1,1 pad_begin=0,0   @r6 @w2   ; c1
.write
  w4    store        dram+0x3700 f32[1,2,10,24]{9600,960,96,4} <- sram+0x600 f32[1,2,10,24]   @c4   ; c1

.group 1 single layers=c2 parts=4 reason="DRAM-bound, single-buffered, about 2388 cycles for 25920 B"
.part 1/4 core 0
.read
  r7    load         sram+0xcc0 f32[1,6,10,12] <- dram+0x1900 f32[1,6,10,12]{9600,960,96,4}   @w4   ; c2
  r8    load         sram+0xb00 f32[1,3,3,12] <- dram+0x380 f32[1,3,3,12]   ; c2
  r9    load         sram+0xac0 f32[12] <- dram+0x540 f32[12]   ; c2
.compute
  c5    conv         sram+0x140 f32[1,5,10,12] <- sram+0xcc0 f32[1,6,10,12], weight=sram+0xb00 f32[3,3,1,12]{144,48,432,4}, bias=sram+0xac0 f32[12], act=clip act_params=0.0,6.0 stride=1,1 dilation=1,1 pad_begin=1,1 groups=12   @r9   ; c2
.write
  w5    store        dram+0x3e80 f32[1,5,10,12]{9600,960,96,4} <- sram+0x140 f32[1,5,10,12]   @c5   ; c2

.part 2/4 core 0
.read
  r10   load         sram+0xcc0 f32[1,6,10,12] <- dram+0x2800 f32[1,6,10,12]{9600,960,96,4}   @c5   ; c2
.compute
  c6    conv         sram+0x140 f32[1,5,10,12] <- sram+0xcc0 f32[1,6,10,12], weight=sram+0xb00 f32[3,3,1,12]{144,48,432,4}, bias=sram+0xac0 f32[12], act=clip act_params=0.0,6.0 stride=1,1 dilation=1,1 pad_begin=0,1 groups=12   @r10 @w5   ; c2
.write
  w6    store        dram+0x5140 f32[1,5,10,12]{9600,960,96,4} <- sram+0x140 f32[1,5,10,12]   @c6   ; c2

.part 3/4 core 0
.read
  r11   load         sram+0xcc0 f32[1,6,10,12] <- dram+0x1930 f32[1,6,10,12]{9600,960,96,4}   @c6   ; c2
  r12   load         sram+0xb00 f32[1,3,3,12] <- dram+0x580 f32[1,3,3,12]   ; c2
  r13   load         sram+0xac0 f32[12] <- dram+0x740 f32[12]   ; c2
.compute
  c7    conv         sram+0x140 f32[1,5,10,12] <- sram+0xcc0 f32[1,6,10,12], weight=sram+0xb00 f32[3,3,1,12]{144,48,432,4}, bias=sram+0xac0 f32[12], act=clip act_params=0.0,6.0 stride=1,1 dilation=1,1 pad_begin=1,1 groups=12   @r13 @w6   ; c2
.write
  w7    store        dram+0x3eb0 f32[1,5,10,12]{9600,960,96,4} <- sram+0x140 f32[1,5,10,12]   @c7   ; c2

.part 4/4 core 0
.read
  r14   load         sram+0xcc0 f32[1,6,10,12] <- dram+0x2830 f32[1,6,10,12]{9600,960,96,4}   @c7   ; c2
.compute
  c8    conv         sram+0x140 f32[1,5,10,12] <- sram+0xcc0 f32[1,6,10,12], weight=sram+0xb00 f32[3,3,1,12]{144,48,432,4}, bias=sram+0xac0 f32[12], act=clip act_params=0.0,6.0 stride=1,1 dilation=1,1 pad_begin=0,1 groups=12   @r14 @w7   ; c2
.write
  w8    store        dram+0x5170 f32[1,5,10,12]{9600,960,96,4} <- sram+0x140 f32[1,5,10,12]   @c8   ; c2

.group 2 single layers=c3 parts=10 reason="DRAM-bound, double-buffered, about 1506 cycles for 16800 B"
.part 1/10 core 0
.read
  r15   load         sram+0x0 f32[1,1,10,24] <- dram+0x3e80 f32[1,1,10,24]{9600,960,96,4}   @w8   ; c3
  r16   load         sram+0x3c0 f32[1,1,24,8] <- dram+0x780 f32[1,1,24,8]   ; c3
  r17   load         sram+0x6c0 f32[8] <- dram+0xa80 f32[8]   ; c3
  r18   load         sram+0x700 f32[1,1,10,8] <- dram+0xc40 f32[1,1,10,8]{3200,320,32,4}   ; c3
.compute
  c9    conv         sram+0xd40 f32[1,1,10,8] <- sram+0x0 f32[1,1,10,24], weight=sram+0x3c0 f32[1,1,24,8], bias=sram+0x6c0 f32[8], residual=sram+0x700 f32[1,1,10,8], stride=1,1 dilation=1,1 pad_begin=0,0   @r18   ; c3
.write
  w9    store        dram+0x1900 f32[1,1,10,8]{3200,320,32,4} <- sram+0xd40 f32[1,1,10,8]   @c9   ; c3

.part 2/10 core 0
.read
  r19   load         sram+0x840 f32[1,1,10,24] <- dram+0x4240 f32[1,1,10,24]{9600,960,96,4}   ; c3
  r20   load         sram+0xc00 f32[1,1,10,8] <- dram+0xd80 f32[1,1,10,8]{3200,320,32,4}   ; c3
.compute
  c10   conv         sram+0xe80 f32[1,1,10,8] <- sram+0x840 f32[1,1,10,24], weight=sram+0x3c0 f32[1,1,24,8], bias=sram+0x6c0 f32[8], residual=sram+0xc00 f32[1,1,10,8], stride=1,1 dilation=1,1 pad_begin=0,0   @r20   ; c3
.write
  w10   store        dram+0x1a40 f32[1,1,10,8]{3200,320,32,4} <- sram+0xe80 f32[1,1,10,8]   @c10   ; c3

.part 3/10 core 0
.read
  r21   load         sram+0x0 f32[1,1,10,24] <- dram+0x4600 f32[1,1,10,24]{9600,960,96,4}   @c9   ; c3
  r22   load         sram+0x700 f32[1,1,10,8] <- dram+0xec0 f32[1,1,10,8]{3200,320,32,4}   ; c3
.compute
  c11   conv         sram+0xd40 f32[1,1,10,8] <- sram+0x0 f32[1,1,10,24], weight=sram+0x3c0 f32[1,1,24,8], bias=sram+0x6c0 f32[8], residual=sram+0x700 f32[1,1,10,8], stride=1,1 dilation=1,1 pad_begin=0,0   @r22 @w9   ; c3
.write
  w11   store        dram+0x1b80 f32[1,1,10,8]{3200,320,32,4} <- sram+0xd40 f32[1,1,10,8]   @c11   ; c3

.part 4/10 core 0
.read
  r23   load         sram+0x840 f32[1,1,10,24] <- dram+0x49c0 f32[1,1,10,24]{9600,960,96,4}   @c10   ; c3
  r24   load         sram+0xc00 f32[1,1,10,8] <- dram+0x1000 f32[1,1,10,8]{3200,320,32,4}   ; c3
.compute
  c12   conv         sram+0xe80 f32[1,1,10,8] <- sram+0x840 f32[1,1,10,24], weight=sram+0x3c0 f32[1,1,24,8], bias=sram+0x6c0 f32[8], residual=sram+0xc00 f32[1,1,10,8], stride=1,1 dilation=1,1 pad_begin=0,0   @r24 @w10   ; c3
.write
  w12   store        dram+0x1cc0 f32[1,1,10,8]{3200,320,32,4} <- sram+0xe80 f32[1,1,10,8]   @c12   ; c3

.part 5/10 core 0
.read
  r25   load         sram+0x0 f32[1,1,10,24] <- dram+0x4d80 f32[1,1,10,24]{9600,960,96,4}   @c11   ; c3
  r26   load         sram+0x700 f32[1,1,10,8] <- dram+0x1140 f32[1,1,10,8]{3200,320,32,4}   ; c3
.compute
  c13   conv         sram+0xd40 f32[1,1,10,8] <- sram+0x0 f32[1,1,10,24], weight=sram+0x3c0 f32[1,1,24,8], bias=sram+0x6c0 f32[8], residual=sram+0x700 f32[1,1,10,8], stride=1,1 dilation=1,1 pad_begin=0,0   @r26 @w11   ; c3
.write
  w13   store        dram+0x1e00 f32[1,1,10,8]{3200,320,32,4} <- sram+0xd40 f32[1,1,10,8]   @c13   ; c3

.part 6/10 core 0
.read
  r27   load         sram+0x840 f32[1,1,10,24] <- dram+0x5140 f32[1,1,10,24]{9600,960,96,4}   @c12   ; c3
  r28   load         sram+0xc00 f32[1,1,10,8] <- dram+0x1280 f32[1,1,10,8]{3200,320,32,4}   ; c3
.compute
  c14   conv         sram+0xe80 f32[1,1,10,8] <- sram+0x840 f32[1,1,10,24], weight=sram+0x3c0 f32[1,1,24,8], bias=sram+0x6c0 f32[8], residual=sram+0xc00 f32[1,1,10,8], stride=1,1 dilation=1,1 pad_begin=0,0   @r28 @w12   ; c3
.write
  w14   store        dram+0x1f40 f32[1,1,10,8]{3200,320,32,4} <- sram+0xe80 f32[1,1,10,8]   @c14   ; c3

.part 7/10 core 0
.read
  r29   load         sram+0x0 f32[1,1,10,24] <- dram+0x5500 f32[1,1,10,24]{9600,960,96,4}   @c13   ; c3
  r30   load         sram+0x700 f32[1,1,10,8] <- dram+0x13c0 f32[1,1,10,8]{3200,320,32,4}   ; c3
.compute
  c15   conv         sram+0xd40 f32[1,1,10,8] <- sram+0x0 f32[1,1,10,24], weight=sram+0x3c0 f32[1,1,24,8], bias=sram+0x6c0 f32[8], residual=sram+0x700 f32[1,1,10,8], stride=1,1 dilation=1,1 pad_begin=0,0   @r30 @w13   ; c3
.write
  w15   store        dram+0x2080 f32[1,1,10,8]{3200,320,32,4} <- sram+0xd40 f32[1,1,10,8]   @c15   ; c3

.part 8/10 core 0
.read
  r31   load         sram+0x840 f32[1,1,10,24] <- dram+0x58c0 f32[1,1,10,24]{9600,960,96,4}   @c14   ; c3
  r32   load         sram+0xc00 f32[1,1,10,8] <- dram+0x1500 f32[1,1,10,8]{3200,320,32,4}   ; c3
.compute
  c16   conv         sram+0xe80 f32[1,1,10,8] <- sram+0x840 f32[1,1,10,24], weight=sram+0x3c0 f32[1,1,24,8], bias=sram+0x6c0 f32[8], residual=sram+0xc00 f32[1,1,10,8], stride=1,1 dilation=1,1 pad_begin=0,0   @r32 @w14   ; c3
.write
  w16   store        dram+0x21c0 f32[1,1,10,8]{3200,320,32,4} <- sram+0xe80 f32[1,1,10,8]   @c16   ; c3

.part 9/10 core 0
.read
  r33   load         sram+0x0 f32[1,1,10,24] <- dram+0x5c80 f32[1,1,10,24]{9600,960,96,4}   @c15   ; c3
  r34   load         sram+0x700 f32[1,1,10,8] <- dram+0x1640 f32[1,1,10,8]{3200,320,32,4}   ; c3
.compute
  c17   conv         sram+0xd40 f32[1,1,10,8] <- sram+0x0 f32[1,1,10,24], weight=sram+0x3c0 f32[1,1,24,8], bias=sram+0x6c0 f32[8], residual=sram+0x700 f32[1,1,10,8], stride=1,1 dilation=1,1 pad_begin=0,0   @r34 @w15   ; c3
.write
  w17   store        dram+0x2300 f32[1,1,10,8]{3200,320,32,4} <- sram+0xd40 f32[1,1,10,8]   @c17   ; c3

.part 10/10 core 0
.read
  r35   load         sram+0x840 f32[1,1,10,24] <- dram+0x6040 f32[1,1,10,24]{9600,960,96,4}   @c16   ; c3
  r36   load         sram+0xc00 f32[1,1,10,8] <- dram+0x1780 f32[1,1,10,8]{3200,320,32,4}   ; c3
.compute
  c18   conv         sram+0x0 f32[1,1,10,8] <- sram+0x840 f32[1,1,10,24], weight=sram+0x3c0 f32[1,1,24,8], bias=sram+0x6c0 f32[8], residual=sram+0xc00 f32[1,1,10,8], stride=1,1 dilation=1,1 pad_begin=0,0   @r36   ; c3
.write
  w18   store        dram+0x2440 f32[1,1,10,8]{3200,320,32,4} <- sram+0x0 f32[1,1,10,8]   @c18   ; c3

.group 3 single layers=pooled parts=1 reason="DRAM-bound, double-buffered, about 284 cycles for 3232 B"
.part 1/1 core 0
.read
  r37   load         sram+0xb80 f32[1,10,10,8] <- dram+0x1900 f32[1,10,10,8]   @w18   ; pooled
.compute
  c19   reduce       sram+0xb40 f32[1,1,1,8] <- sram+0xb80 f32[1,10,10,8], function=mean axes=1,2 count=100   @r37   ; pooled
.write
  w19   store        dram+0x2580 f32[1,1,1,8] <- sram+0xb40 f32[1,1,1,8]   @c19   ; pooled

.group 4 single layers=logits parts=1 reason="compute-bound, double-buffered, about 119 cycles for 464 B"
.part 1/1 core 0
.read
  r38   load         sram+0x0 f32[1,8] <- dram+0x2580 f32[1,8]{0,4}   @w19   ; logits
  r39   load         sram+0x40 f32[8,10] <- dram+0xac0 f32[8,10]   ; logits
  r40   load         sram+0x180 f32[10] <- dram+0xc00 f32[10]   ; logits
.compute
  c20   gemm         sram+0x1c0 f32[1,10] <- sram+0x0 f32[1,8], weight=sram+0x40 f32[8,10], bias=sram+0x180 f32[10]   @r40   ; logits
.write
  w20   store        dram+0x1900 f32[1,10] <- sram+0x1c0 f32[1,10]   @c20   ; logits

.group 5 single layers=y parts=1 reason="compute-bound, double-buffered, about 65 cycles for 104 B"
.part 1/1 core 0
.read
  r41   load         sram+0x17c0 f32[1,10] <- dram+0x1900 f32[1,10]   @w20   ; y
.compute
  c21   softmax      sram+0x1780 f32[1,10] <- sram+0x17c0 f32[1,10], axis=1   @r41   ; y
.write
  w21   store        dram+0x18c0 f32[1,10] <- sram+0x1780 f32[1,10]   @c21   ; y
