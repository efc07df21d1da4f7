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
.tensor x input dram+0x5740 f32[1,8,10,10]{3200,4,320,32}
.tensor y output dram+0x63c0 f32[1,10]
.tensor r1 boundary dram+0xc40 f32[1,24,10,10]{9600,4,960,96}
.tensor r2 boundary dram+0x31c0 f32[1,24,10,10]{9600,4,960,96}
.tensor sum boundary dram+0xc40 f32[1,8,10,10]{3200,4,320,32}
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
.fact predicted_cycles 7374
.fact predicted_dram_bytes 77440

.group 0 single layers=c1 parts=5 reason="tiled alone, about 13664 B and 1060 cycles"
.part 1/5 core 0
.read
  r0    load         sram+0xa80 f32[1,2,10,8] <- dram+0x5740 f32[1,2,10,8]{3200,320,32,4}   ; c1
  r1    load         sram+0x780 f32[1,1,8,24] <- dram+0x0 f32[1,1,8,24]   ; c1
  r2    load         sram+0xd00 f32[24] <- dram+0x300 f32[24]   ; c1
.compute
  c0    conv         sram+0x0 f32[1,2,10,24] <- sram+0xa80 f32[1,2,10,8], weight=sram+0x780 f32[1,1,8,24], bias=sram+0xd00 f32[24], act=clip act_params=0.0,6.0 stride=1,1 dilation=1,1 pad_begin=0,0   @r2   ; c1
.write
  w0    store        dram+0xc40 f32[1,2,10,24]{9600,960,96,4} <- sram+0x0 f32[1,2,10,24]   @c0   ; c1

.part 2/5 core 0
.read
  r3    load         sram+0xd80 f32[1,2,10,8] <- dram+0x59c0 f32[1,2,10,8]{3200,320,32,4}   ; c1
.compute
  c1    conv         sram+0x0 f32[1,2,10,24] <- sram+0xd80 f32[1,2,10,8], weight=sram+0x780 f32[1,1,8,24], bias=sram+0xd00 f32[24], act=clip act_params=0.0,6.0 stride=1,1 dilation=1,1 pad_begin=0,0   @r3 @w0   ; c1
.write
  w1    store        dram+0x13c0 f32[1,2,10,24]{9600,960,96,4} <- sram+0x0 f32[1,2,10,24]   @c1   ; c1

.part 3/5 core 0
.read
  r4    load         sram+0x1000 f32[1,2,10,8] <- dram+0x5c40 f32[1,2,10,8]{3200,320,32,4}   ; c1
.compute
  c2    conv         sram+0x0 f32[1,2,10,24] <- sram+0x1000 f32[1,2,10,8], weight=sram+0x780 f32[1,1,8,24], bias=sram+0xd00 f32[24], act=clip act_params=0.0,6.0 stride=1,1 dilation=1,1 pad_begin=0,0   @r4 @w1   ; c1
.write
  w2    store        dram+0x1b40 f32[1,2,10,24]{9600,960,96,4} <- sram+0x0 f32[1,2,10,24]   @c2   ; c1

.part 4/5 core 0
.read
  r5    load         sram+0x1280 f32[1,2,10,8] <- dram+0x5ec0 f32[1,2,10,8]{3200,320,32,4}   ; c1
.compute
  c3    conv         sram+0x0 f32[1,2,10,24] <- sram+0x1280 f32[1,2,10,8], weight=sram+0x780 f32[1,1,8,24], bias=sram+0xd00 f32[24], act=clip act_params=0.0,6.0 stride=1,1 dilation=1,1 pad_begin=0,0   @r5 @w2   ; c1
.write
  w3    store        dram+0x22c0 f32[1,2,10,24]{9600,960,96,4} <- sram+0x0 f32[1,2,10,24]   @c3   ; c1

.part 5/5 core 0
.read
  r6    load         sram+0x1500 f32[1,2,10,8] <- dram+0x6140 f32[1,2,10,8]{3200,320,32,4}   ; c1
.compute
  c4    conv         sram+0x0 f32[1,2,10,24] <- sram+0x1500 f32[1,2,10,8], weight=sram+0x780 f32[1,1,8,24], bias=sram+0xd00 f32[24], act=clip act_params=0.0,6.0 stride=1,1 dilation=1,1 pad_begin=0,0   @r6 @w3   ; c1
.write
  w4    store        dram+0x2a40 f32[1,2,10,24]{9600,960,96,4} <- sram+0x0 f32[1,2,10,24]   @c4   ; c1

.group 1 single layers=c2 parts=4 reason="tiled alone, about 25920 B and 2388 cycles"
.part 1/4 core 0
.read
  r7    load         sram+0x0 f32[1,6,10,12] <- dram+0xc40 f32[1,6,10,12]{9600,960,96,4}   @w4   ; c2
  r8    load         sram+0x14c0 f32[1,3,3,12] <- dram+0x380 f32[1,3,3,12]   ; c2
  r9    load         sram+0x1680 f32[12] <- dram+0x540 f32[12]   ; c2
.compute
  c5    conv         sram+0xb40 f32[1,5,10,12] <- sram+0x0 f32[1,6,10,12], weight=sram+0x14c0 f32[3,3,1,12]{144,48,432,4}, bias=sram+0x1680 f32[12], act=clip act_params=0.0,6.0 stride=1,1 dilation=1,1 pad_begin=1,1 groups=12   @r9   ; c2
.write
  w5    store        dram+0x31c0 f32[1,5,10,12]{9600,960,96,4} <- sram+0xb40 f32[1,5,10,12]   @c5   ; c2

.part 2/4 core 0
.read
  r10   load         sram+0x0 f32[1,6,10,12] <- dram+0x1b40 f32[1,6,10,12]{9600,960,96,4}   @c5   ; c2
.compute
  c6    conv         sram+0xb40 f32[1,5,10,12] <- sram+0x0 f32[1,6,10,12], weight=sram+0x14c0 f32[3,3,1,12]{144,48,432,4}, bias=sram+0x1680 f32[12], act=clip act_params=0.0,6.0 stride=1,1 dilation=1,1 pad_begin=0,1 groups=12   @r10 @w5   ; c2
.write
  w6    store        dram+0x4480 f32[1,5,10,12]{9600,960,96,4} <- sram+0xb40 f32[1,5,10,12]   @c6   ; c2

.part 3/4 core 0
.read
  r11   load         sram+0x0 f32[1,6,10,12] <- dram+0xc70 f32[1,6,10,12]{9600,960,96,4}   @c6   ; c2
  r12   load         sram+0x14c0 f32[1,3,3,12] <- dram+0x580 f32[1,3,3,12]   ; c2
  r13   load         sram+0x1680 f32[12] <- dram+0x740 f32[12]   ; c2
.compute
  c7    conv         sram+0xb40 f32[1,5,10,12] <- sram+0x0 f32[1,6,10,12], weight=sram+0x14c0 f32[3,3,1,12]{144,48,432,4}, bias=sram+0x1680 f32[12], act=clip act_params=0.0,6.0 stride=1,1 dilation=1,1 pad_begin=1,1 groups=12   @r13 @w6   ; c2
.write
  w7    store        dram+0x31f0 f32[1,5,10,12]{9600,960,96,4} <- sram+0xb40 f32[1,5,10,12]   @c7   ; c2

.part 4/4 core 0
.read
  r14   load         sram+0x0 f32[1,6,10,12] <- dram+0x1b70 f32[1,6,10,12]{9600,960,96,4}   @c7   ; c2
.compute
  c8    conv         sram+0xb40 f32[1,5,10,12] <- sram+0x0 f32[1,6,10,12], weight=sram+0x14c0 f32[3,3,1,12]{144,48,432,4}, bias=sram+0x1680 f32[12], act=clip act_params=0.0,6.0 stride=1,1 dilation=1,1 pad_begin=0,1 groups=12   @r14 @w7   ; c2
.write
  w8    store        dram+0x44b0 f32[1,5,10,12]{9600,960,96,4} <- sram+0xb40 f32[1,5,10,12]   @c8   ; c2

.group 2 single layers=c3 parts=7 reason="16800 B of DRAM traffic for 392 cycles of work; weights resident"
.part 1/7 core 0
.read
  r15   load         sram+0x0 f32[1,1,10,24]{9600,960,96,4} <- dram+0x31c0 f32[1,1,10,24]{9600,960,96,4}   @c8   ; c3
  r16   load         sram+0x3c0 f32[1,1,10,8]{3200,320,32,4} <- dram+0x5740 f32[1,1,10,8]{3200,320,32,4}   ; c1
  r17   load         sram+0x780 f32[1,1,24,8] <- dram+0x780 f32[1,1,24,8]   ; c3
  r18   load         sram+0xf80 f32[8] <- dram+0xa80 f32[8]   @w8   ; c3
.compute
  c9    conv         sram+0x500 f32[1,1,10,8]{3200,320,32,4} <- sram+0x0 f32[1,1,10,24]{9600,960,96,4}, weight=sram+0x780 f32[1,1,24,8], bias=sram+0xf80 f32[8], residual=sram+0x3c0 f32[1,1,10,8]{3200,320,32,4}, stride=1,1 dilation=1,1 pad_begin=0,0   @r18   ; c3
.write
  w9    store        dram+0xc40 f32[1,1,10,8]{3200,320,32,4} <- sram+0x500 f32[1,1,10,8]{3200,320,32,4}   @c9   ; c3

.part 2/7 core 0
.read
  r19   load         sram+0xa80 f32[1,1,10,24]{9600,960,96,4} <- dram+0x3580 f32[1,1,10,24]{9600,960,96,4}   ; c3
  r20   load         sram+0x640 f32[1,1,10,8]{3200,320,32,4} <- dram+0x5880 f32[1,1,10,8]{3200,320,32,4}   ; c1
.compute
  c10   conv         sram+0x500 f32[1,1,10,8]{3200,320,32,4} <- sram+0xa80 f32[1,1,10,24]{9600,960,96,4}, weight=sram+0x780 f32[1,1,24,8], bias=sram+0xf80 f32[8], residual=sram+0x640 f32[1,1,10,8]{3200,320,32,4}, stride=1,1 dilation=1,1 pad_begin=0,0   @r20 @w9   ; c3
.write
  w10   store        dram+0xd80 f32[1,1,10,8]{3200,320,32,4} <- sram+0x500 f32[1,1,10,8]{3200,320,32,4}   @c10   ; c3

.part 3/7 core 0
.read
  r21   load         sram+0xfc0 f32[1,2,10,24]{9600,960,96,4} <- dram+0x3940 f32[1,2,10,24]{9600,960,96,4}   ; c3
  r22   load         sram+0x0 f32[1,2,10,8]{3200,320,32,4} <- dram+0x59c0 f32[1,2,10,8]{3200,320,32,4}   @c9   ; c1
.compute
  c11   conv         sram+0xd00 f32[1,2,10,8]{3200,320,32,4} <- sram+0xfc0 f32[1,2,10,24]{9600,960,96,4}, weight=sram+0x780 f32[1,1,24,8], bias=sram+0xf80 f32[8], residual=sram+0x0 f32[1,2,10,8]{3200,320,32,4}, stride=1,1 dilation=1,1 pad_begin=0,0   @r22   ; c3

.part 4/7 core 0
.read
  r23   load         sram+0x0 f32[1,1,10,24]{9600,960,96,4} <- dram+0x40c0 f32[1,1,10,24]{9600,960,96,4}   @c11   ; c3
  r24   load         sram+0x3c0 f32[1,1,10,8]{3200,320,32,4} <- dram+0x5c40 f32[1,1,10,8]{3200,320,32,4}   ; c1
.compute
  c12   conv         sram+0x500 f32[1,1,10,8]{3200,320,32,4} <- sram+0x0 f32[1,1,10,24]{9600,960,96,4}, weight=sram+0x780 f32[1,1,24,8], bias=sram+0xf80 f32[8], residual=sram+0x3c0 f32[1,1,10,8]{3200,320,32,4}, stride=1,1 dilation=1,1 pad_begin=0,0   @r24 @w10   ; c3
.write
  w11   store        dram+0x1140 f32[1,1,10,8]{3200,320,32,4} <- sram+0x500 f32[1,1,10,8]{3200,320,32,4}   @c12   ; c3

.part 3/7 core 0
.write
  w12   store        dram+0xec0 f32[1,2,10,8]{3200,320,32,4} <- sram+0xd00 f32[1,2,10,8]{3200,320,32,4}   ; c3

.part 5/7 core 0
.read
  r25   load         sram+0xfc0 f32[1,2,10,24]{9600,960,96,4} <- dram+0x4480 f32[1,2,10,24]{9600,960,96,4}   ; c3
  r26   load         sram+0xa80 f32[1,2,10,8]{3200,320,32,4} <- dram+0x5d80 f32[1,2,10,8]{3200,320,32,4}   ; c1
.compute
  c13   conv         sram+0xd00 f32[1,2,10,8]{3200,320,32,4} <- sram+0xfc0 f32[1,2,10,24]{9600,960,96,4}, weight=sram+0x780 f32[1,1,24,8], bias=sram+0xf80 f32[8], residual=sram+0xa80 f32[1,2,10,8]{3200,320,32,4}, stride=1,1 dilation=1,1 pad_begin=0,0   @r26 @w12   ; c3

.part 6/7 core 0
.read
  r27   load         sram+0x0 f32[1,1,10,24]{9600,960,96,4} <- dram+0x4c00 f32[1,1,10,24]{9600,960,96,4}   @c12   ; c3
  r28   load         sram+0x3c0 f32[1,1,10,8]{3200,320,32,4} <- dram+0x6000 f32[1,1,10,8]{3200,320,32,4}   ; c1
.compute
  c14   conv         sram+0x500 f32[1,1,10,8]{3200,320,32,4} <- sram+0x0 f32[1,1,10,24]{9600,960,96,4}, weight=sram+0x780 f32[1,1,24,8], bias=sram+0xf80 f32[8], residual=sram+0x3c0 f32[1,1,10,8]{3200,320,32,4}, stride=1,1 dilation=1,1 pad_begin=0,0   @r28   ; c3
.write
  w13   store        dram+0x1500 f32[1,1,10,8]{3200,320,32,4} <- sram+0x500 f32[1,1,10,8]{3200,320,32,4}   @c14   ; c3

.part 5/7 core 0
.write
  w14   store        dram+0x1280 f32[1,2,10,8]{3200,320,32,4} <- sram+0xd00 f32[1,2,10,8]{3200,320,32,4}   ; c3

.part 7/7 core 0
.read
  r29   load         sram+0xfc0 f32[1,2,10,24]{9600,960,96,4} <- dram+0x4fc0 f32[1,2,10,24]{9600,960,96,4}   @c13   ; c3
  r30   load         sram+0xa80 f32[1,2,10,8]{3200,320,32,4} <- dram+0x6140 f32[1,2,10,8]{3200,320,32,4}   ; c1
.compute
  c15   conv         sram+0xd00 f32[1,2,10,8]{3200,320,32,4} <- sram+0xfc0 f32[1,2,10,24]{9600,960,96,4}, weight=sram+0x780 f32[1,1,24,8], bias=sram+0xf80 f32[8], residual=sram+0xa80 f32[1,2,10,8]{3200,320,32,4}, stride=1,1 dilation=1,1 pad_begin=0,0   @r30 @w14   ; c3
.write
  w15   store        dram+0x1640 f32[1,2,10,8]{3200,320,32,4} <- sram+0xd00 f32[1,2,10,8]{3200,320,32,4}   @c15   ; c3

.group 3 serial layers=pooled,logits,y parts=1 reason="3600 B of DRAM traffic for 130 cycles of work; activations stay, weights stream once"
.part 1/1 core 0
.read
  r31   load         sram+0x0 f32[1,10,10,8] <- dram+0xc40 f32[1,10,10,8]   @w15   ; pooled
  r32   load         sram+0xcc0 f32[8,10] <- dram+0xac0 f32[8,10]   ; logits
  r33   load         sram+0xe00 f32[10] <- dram+0xc00 f32[10]   ; logits
.compute
  c16   reduce       sram+0xc80 f32[1,1,1,8] <- sram+0x0 f32[1,10,10,8], function=mean axes=1,2 count=100   @r31   ; pooled
  c17   gemm         sram+0x180 f32[1,10] <- sram+0xc80 f32[1,8]{0,4}, weight=sram+0xcc0 f32[8,10], bias=sram+0xe00 f32[10]   @r33   ; logits
  c18   softmax      sram+0x0 f32[1,10] <- sram+0x180 f32[1,10], axis=1   ; y
.write
  w16   store        dram+0x63c0 f32[1,10] <- sram+0x0 f32[1,10]   @c18   ; y
