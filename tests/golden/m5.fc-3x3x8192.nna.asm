.nnc 5
.chip name "nna"
.chip description "one core, ORAM for the DMA, from there copies to FRAM (features) and WRAM (weights) (M5)"
.chip cores 1
.chip split_bytes 0
.chip clock_mhz 1000
.chip dram {"bytes_per_cycle": 16, "latency": 100, "burst": 64, "align": 64, "bytes": 4294967296}
.chip dma {"broadcast": false, "in_flight": 4, "move_bytes_per_cycle": 64, "align": 64}
.chip memory {"oram": {"bytes": 655360, "align": 64, "word": 16}, "fram": {"bytes": 65536, "align": 64, "word": 16}, "wram": {"bytes": 262144, "align": 64, "word": 16}}
.chip operands {"default": {"feature": {"memories": ["oram"]}, "weight": {"memories": ["oram"]}, "result": {"memories": ["oram"]}, "accumulator": {"memories": ["oram"]}}, "dma": {"feature": {"memories": ["oram"]}, "result": {"memories": ["oram"]}}, "copy": {"feature": {"memories": ["oram"]}, "result": {"memories": ["oram", "fram", "wram"]}}, "conv": {"feature": {"memories": ["fram"], "dtypes": ["u8", "f32"]}, "weight": {"memories": ["wram"], "dtypes": ["u8", "f32"]}}, "gemm": {"feature": {"memories": ["fram"], "dtypes": ["u8", "f32"]}, "weight": {"memories": ["wram"], "dtypes": ["u8", "f32"]}}}
.chip compute {"issue": 32, "result_bytes_per_cycle": 64, "map": "channels", "arrays": {"i8": ["32x32"], "f32": ["16x1"]}, "depthwise": {"i8": 256, "f32": 16}, "elementwise": {"i8": 64, "f16": 32, "f32": 16}}
.chip energy {"mac": {"i8": 0.3, "f16": 2.0, "f32": 4.6}, "operation": {"i8": 0.03, "f16": 0.4, "f32": 0.9}, "memory": {"oram": {"read": 10.0, "write": 10.0}, "fram": {"read": 3.5, "write": 3.5}, "wram": {"read": 6.5, "write": 6.5}}, "dram": 100.0, "broadcast": 5.0, "static": 1000.0}
.chip area {"unit": {"i8": 0.0004, "f16": 0.006, "f32": 0.012}, "kib": 0.005, "core": 0.5, "shared": 2.0}
.dram 3375424
.constants file="m5.fc-3x3x8192.nna.constants" bytes=3080256 crc=0xe5a402e3
.tensor input input dram+0x338040 f32[1,3,3,3]{192,4,64,12} reserved=192
.tensor output output dram+0x338100 f32[1,10] reserved=64
.tensor flatten1.flat.copy0 boundary dram+0x2f0040 f32[1,256,32,3,3]{294912,1152,4,384,128}
.tensor "conv1.weight[0,0,0,0]" constant dram+0x0 f32[1,1,3,4096]
.tensor "conv1.bias[0]" constant dram+0xc000 f32[4096]
.tensor "conv1.weight[4096,0,0,0]" constant dram+0x10000 f32[1,1,3,4096]
.tensor "conv1.bias[4096]" constant dram+0x1c000 f32[4096]
.tensor "output.b.pixels[0,0]" constant dram+0x20000 f32[2880,10]
.tensor "output.b.pixels[2880,0]" constant dram+0x3c200 f32[2880,10]
.tensor "output.b.pixels[5760,0]" constant dram+0x58400 f32[2880,10]
.tensor "output.b.pixels[8640,0]" constant dram+0x74600 f32[2880,10]
.tensor "output.b.pixels[11520,0]" constant dram+0x90800 f32[2880,10]
.tensor "output.b.pixels[14400,0]" constant dram+0xaca00 f32[2880,10]
.tensor "output.b.pixels[17280,0]" constant dram+0xc8c00 f32[2880,10]
.tensor "output.b.pixels[20160,0]" constant dram+0xe4e00 f32[2880,10]
.tensor "output.b.pixels[23040,0]" constant dram+0x101000 f32[2880,10]
.tensor "output.b.pixels[25920,0]" constant dram+0x11d200 f32[2880,10]
.tensor "output.b.pixels[28800,0]" constant dram+0x139400 f32[2880,10]
.tensor "output.b.pixels[31680,0]" constant dram+0x155600 f32[2880,10]
.tensor "output.b.pixels[34560,0]" constant dram+0x171800 f32[2880,10]
.tensor "output.b.pixels[37440,0]" constant dram+0x18da00 f32[2880,10]
.tensor "output.b.pixels[40320,0]" constant dram+0x1a9c00 f32[2880,10]
.tensor "output.b.pixels[43200,0]" constant dram+0x1c5e00 f32[2880,10]
.tensor "output.b.pixels[46080,0]" constant dram+0x1e2000 f32[2880,10]
.tensor "output.b.pixels[48960,0]" constant dram+0x1fe200 f32[2880,10]
.tensor "output.b.pixels[51840,0]" constant dram+0x21a400 f32[2880,10]
.tensor "output.b.pixels[54720,0]" constant dram+0x236600 f32[2880,10]
.tensor "output.b.pixels[57600,0]" constant dram+0x252800 f32[2880,10]
.tensor "output.b.pixels[60480,0]" constant dram+0x26ea00 f32[2880,10]
.tensor "output.b.pixels[63360,0]" constant dram+0x28ac00 f32[2880,10]
.tensor "output.b.pixels[66240,0]" constant dram+0x2a6e00 f32[2880,10]
.tensor "output.b.pixels[69120,0]" constant dram+0x2c3000 f32[2880,10]
.tensor "output.b.pixels[72000,0]" constant dram+0x2df200 f32[1728,10]
.tensor gemm1.bias constant dram+0x2f0000 f32[10] reserved=64
.fact floor_bytes 3080380
.fact macs 958464
.fact peak_floor_cycles 59904
.fact compute_floor_cycles 87552
.fact dram_floor_cycles 192524
.fact predicted_cycles 236529
.fact predicted_dram_bytes 3670336
.fact estimated_cycles 236260
.fact estimated_dram_bytes 3670336
.fact group_0_estimated_dram_bytes 131264
.fact group_0_estimated_cycles 19472
.fact group_1_estimated_dram_bytes 294912
.fact group_1_estimated_cycles 18582
.fact group_2_estimated_dram_bytes 3244160
.fact group_2_estimated_cycles 198206
.fact group_0_digest 3160958941856352186
.fact group_1_digest 8651803097660981667
.fact group_2_digest 6416325346707678070
.fact digest_of_ports 1283526524

.group 0 single layers=conv1 parts=1 reason="131264 B of DRAM traffic for 16002 cycles of work; activations stay, weights stream once; leaves relu1 on chip"
.part 1/1 core 0
.read
  r0    load         oram+0x10000 f32[3,16] <- dram+0x338040 f32[3,16]   ; conv1 = input+0{16,1} input+0{16,1}
  r1    load         oram+0x0 f32[1,1,3,4096] <- dram+0x0 f32[1,1,3,4096]   ; conv1 = conv1.weight+0{1,1,1,3} conv1.weight+0{1,1,1,3}
  r2    load         oram+0xc000 f32[4096] <- dram+0xc000 f32[4096]   ; conv1 = conv1.bias+0{1} conv1.bias+0{1}
  r3    load         oram+0x48000 f32[1,1,3,4096] <- dram+0x10000 f32[1,1,3,4096]   ; conv1 = conv1.weight+12288{1,1,1,3} conv1.weight+12288{1,1,1,3}
  r4    load         oram+0x54000 f32[4096] <- dram+0x1c000 f32[4096]   ; conv1 = conv1.bias+4096{1} conv1.bias+4096{1}
.compute
  c0    copy         fram+0x0 f32[1,3,3,3] <- oram+0x10000 f32[1,3,3,3]{192,64,12,4}   @r0   ; input = input+0{48,16,3,1} input+0{48,16,3,1}
  c1    copy         wram+0x0 f32[1,1,3,4096] <- oram+0x0 f32[1,1,3,4096]   @r1   ; conv1.weight = conv1.weight+0{1,1,1,3} conv1.weight+0{1,1,1,3}
  c2    copy         wram+0xc000 f32[4096] <- oram+0xc000 f32[4096]   @r2   ; conv1.bias = conv1.bias+0{1} conv1.bias+0{1}
  c3    conv         oram+0x0 f32[1,3,3,4096]{294912,98304,32768,4} <- fram+0x0 f32[1,3,3,3], weight=wram+0x0 f32[1,1,3,4096], bias=wram+0xc000 f32[4096], act=relu stride=1,1 dilation=1,1 pad_begin=0,0   ; conv1 = input+0{48,16,3,1} conv1.weight+0{1,1,1,3} relu1+0{73728,24576,8192,1} conv1.bias+0{1}
  c4    copy         wram+0x0 f32[1,1,3,4096] <- oram+0x48000 f32[1,1,3,4096]   @r3   ; conv1.weight = conv1.weight+12288{1,1,1,3} conv1.weight+12288{1,1,1,3}
  c5    copy         wram+0xc000 f32[4096] <- oram+0x54000 f32[4096]   @r4   ; conv1.bias = conv1.bias+4096{1} conv1.bias+4096{1}
  c6    conv         oram+0x4000 f32[1,3,3,4096]{294912,98304,32768,4} <- fram+0x0 f32[1,3,3,3], weight=wram+0x0 f32[1,1,3,4096], bias=wram+0xc000 f32[4096], act=relu stride=1,1 dilation=1,1 pad_begin=0,0   ; conv1 = input+0{48,16,3,1} conv1.weight+12288{1,1,1,3} relu1+4096{73728,24576,8192,1} conv1.bias+4096{1}

.group 1 single layers=flatten1.flat.copy0 parts=256 reason="294912 B of DRAM traffic for 12800 cycles of work; weights resident; finds relu1 on chip"
.part 1/256 core 0
.compute
  c7    copy         oram+0x48000 f32[1,1,3,3,32]{294912,1152,384,128,4} <- oram+0x0 f32[1,1,3,3,32]{0,128,98304,32768,4}   ; flatten1 = flatten1.flat.copy0+0{73728,288,96,32,1} relu1+0{0,32,24576,8192,1}
.write
  w0    store        dram+0x2f0040 f32[1,1,3,3,32]{294912,1152,384,128,4} <- oram+0x48000 f32[1,1,3,3,32]{294912,1152,384,128,4}   @c7   ; flatten1 = flatten1.flat.copy0+0{73728,288,96,32,1} flatten1.flat.copy0+0{73728,288,96,32,1}

.part 2/256 core 0
.compute
  c8    copy         oram+0x48480 f32[1,1,3,3,32]{294912,1152,384,128,4} <- oram+0x80 f32[1,1,3,3,32]{0,128,98304,32768,4}   ; flatten1 = flatten1.flat.copy0+288{73728,288,96,32,1} relu1+32{0,32,24576,8192,1}
.write
  w1    store        dram+0x2f04c0 f32[1,1,3,3,32]{294912,1152,384,128,4} <- oram+0x48480 f32[1,1,3,3,32]{294912,1152,384,128,4}   @c8   ; flatten1 = flatten1.flat.copy0+288{73728,288,96,32,1} flatten1.flat.copy0+288{73728,288,96,32,1}

.part 3/256 core 0
.compute
  c9    copy         oram+0x48900 f32[1,1,3,3,32]{294912,1152,384,128,4} <- oram+0x100 f32[1,1,3,3,32]{0,128,98304,32768,4}   ; flatten1 = flatten1.flat.copy0+576{73728,288,96,32,1} relu1+64{0,32,24576,8192,1}
.write
  w2    store        dram+0x2f0940 f32[1,1,3,3,32]{294912,1152,384,128,4} <- oram+0x48900 f32[1,1,3,3,32]{294912,1152,384,128,4}   @c9   ; flatten1 = flatten1.flat.copy0+576{73728,288,96,32,1} flatten1.flat.copy0+576{73728,288,96,32,1}

.part 4/256 core 0
.compute
  c10   copy         oram+0x48d80 f32[1,1,3,3,32]{294912,1152,384,128,4} <- oram+0x180 f32[1,1,3,3,32]{0,128,98304,32768,4}   ; flatten1 = flatten1.flat.copy0+864{73728,288,96,32,1} relu1+96{0,32,24576,8192,1}
.write
  w3    store        dram+0x2f0dc0 f32[1,1,3,3,32]{294912,1152,384,128,4} <- oram+0x48d80 f32[1,1,3,3,32]{294912,1152,384,128,4}   @c10   ; flatten1 = flatten1.flat.copy0+864{73728,288,96,32,1} flatten1.flat.copy0+864{73728,288,96,32,1}

.part 5/256 core 0
.compute
  c11   copy         oram+0x49200 f32[1,1,3,3,32]{294912,1152,384,128,4} <- oram+0x200 f32[1,1,3,3,32]{0,128,98304,32768,4}   ; flatten1 = flatten1.flat.copy0+1152{73728,288,96,32,1} relu1+128{0,32,24576,8192,1}
.write
  w4    store        dram+0x2f1240 f32[1,1,3,3,32]{294912,1152,384,128,4} <- oram+0x49200 f32[1,1,3,3,32]{294912,1152,384,128,4}   @c11   ; flatten1 = flatten1.flat.copy0+1152{73728,288,96,32,1} flatten1.flat.copy0+1152{73728,288,96,32,1}

.part 6/256 core 0
.compute
  c12   copy         oram+0x49680 f32[1,1,3,3,32]{294912,1152,384,128,4} <- oram+0x280 f32[1,1,3,3,32]{0,128,98304,32768,4}   ; flatten1 = flatten1.flat.copy0+1440{73728,288,96,32,1} relu1+160{0,32,24576,8192,1}
.write
  w5    store        dram+0x2f16c0 f32[1,1,3,3,32]{294912,1152,384,128,4} <- oram+0x49680 f32[1,1,3,3,32]{294912,1152,384,128,4}   @c12   ; flatten1 = flatten1.flat.copy0+1440{73728,288,96,32,1} flatten1.flat.copy0+1440{73728,288,96,32,1}

.part 7/256 core 0
.compute
  c13   copy         oram+0x49b00 f32[1,1,3,3,32]{294912,1152,384,128,4} <- oram+0x300 f32[1,1,3,3,32]{0,128,98304,32768,4}   ; flatten1 = flatten1.flat.copy0+1728{73728,288,96,32,1} relu1+192{0,32,24576,8192,1}
.write
  w6    store        dram+0x2f1b40 f32[1,1,3,3,32]{294912,1152,384,128,4} <- oram+0x49b00 f32[1,1,3,3,32]{294912,1152,384,128,4}   @c13   ; flatten1 = flatten1.flat.copy0+1728{73728,288,96,32,1} flatten1.flat.copy0+1728{73728,288,96,32,1}

.part 8/256 core 0
.compute
  c14   copy         oram+0x49f80 f32[1,1,3,3,32]{294912,1152,384,128,4} <- oram+0x380 f32[1,1,3,3,32]{0,128,98304,32768,4}   ; flatten1 = flatten1.flat.copy0+2016{73728,288,96,32,1} relu1+224{0,32,24576,8192,1}
.write
  w7    store        dram+0x2f1fc0 f32[1,1,3,3,32]{294912,1152,384,128,4} <- oram+0x49f80 f32[1,1,3,3,32]{294912,1152,384,128,4}   @c14   ; flatten1 = flatten1.flat.copy0+2016{73728,288,96,32,1} flatten1.flat.copy0+2016{73728,288,96,32,1}

.part 9/256 core 0
.compute
  c15   copy         oram+0x4a400 f32[1,1,3,3,32]{294912,1152,384,128,4} <- oram+0x400 f32[1,1,3,3,32]{0,128,98304,32768,4}   ; flatten1 = flatten1.flat.copy0+2304{73728,288,96,32,1} relu1+256{0,32,24576,8192,1}
.write
  w8    store        dram+0x2f2440 f32[1,1,3,3,32]{294912,1152,384,128,4} <- oram+0x4a400 f32[1,1,3,3,32]{294912,1152,384,128,4}   @c15   ; flatten1 = flatten1.flat.copy0+2304{73728,288,96,32,1} flatten1.flat.copy0+2304{73728,288,96,32,1}

.part 10/256 core 0
.compute
  c16   copy         oram+0x48000 f32[1,1,3,3,32]{294912,1152,384,128,4} <- oram+0x480 f32[1,1,3,3,32]{0,128,98304,32768,4}   @w0   ; flatten1 = flatten1.flat.copy0+2592{73728,288,96,32,1} relu1+288{0,32,24576,8192,1}
.write
  w9    store        dram+0x2f28c0 f32[1,1,3,3,32]{294912,1152,384,128,4} <- oram+0x48000 f32[1,1,3,3,32]{294912,1152,384,128,4}   @c16   ; flatten1 = flatten1.flat.copy0+2592{73728,288,96,32,1} flatten1.flat.copy0+2592{73728,288,96,32,1}

.part 11/256 core 0
.compute
  c17   copy         oram+0x48480 f32[1,1,3,3,32]{294912,1152,384,128,4} <- oram+0x500 f32[1,1,3,3,32]{0,128,98304,32768,4}   @w1   ; flatten1 = flatten1.flat.copy0+2880{73728,288,96,32,1} relu1+320{0,32,24576,8192,1}
.write
  w10   store        dram+0x2f2d40 f32[1,1,3,3,32]{294912,1152,384,128,4} <- oram+0x48480 f32[1,1,3,3,32]{294912,1152,384,128,4}   @c17   ; flatten1 = flatten1.flat.copy0+2880{73728,288,96,32,1} flatten1.flat.copy0+2880{73728,288,96,32,1}

.part 12/256 core 0
.compute
  c18   copy         oram+0x48900 f32[1,1,3,3,32]{294912,1152,384,128,4} <- oram+0x580 f32[1,1,3,3,32]{0,128,98304,32768,4}   @w2   ; flatten1 = flatten1.flat.copy0+3168{73728,288,96,32,1} relu1+352{0,32,24576,8192,1}
.write
  w11   store        dram+0x2f31c0 f32[1,1,3,3,32]{294912,1152,384,128,4} <- oram+0x48900 f32[1,1,3,3,32]{294912,1152,384,128,4}   @c18   ; flatten1 = flatten1.flat.copy0+3168{73728,288,96,32,1} flatten1.flat.copy0+3168{73728,288,96,32,1}

.part 13/256 core 0
.compute
  c19   copy         oram+0x48d80 f32[1,1,3,3,32]{294912,1152,384,128,4} <- oram+0x600 f32[1,1,3,3,32]{0,128,98304,32768,4}   @w3   ; flatten1 = flatten1.flat.copy0+3456{73728,288,96,32,1} relu1+384{0,32,24576,8192,1}
.write
  w12   store        dram+0x2f3640 f32[1,1,3,3,32]{294912,1152,384,128,4} <- oram+0x48d80 f32[1,1,3,3,32]{294912,1152,384,128,4}   @c19   ; flatten1 = flatten1.flat.copy0+3456{73728,288,96,32,1} flatten1.flat.copy0+3456{73728,288,96,32,1}

.part 14/256 core 0
.compute
  c20   copy         oram+0x49200 f32[1,1,3,3,32]{294912,1152,384,128,4} <- oram+0x680 f32[1,1,3,3,32]{0,128,98304,32768,4}   @w4   ; flatten1 = flatten1.flat.copy0+3744{73728,288,96,32,1} relu1+416{0,32,24576,8192,1}
.write
  w13   store        dram+0x2f3ac0 f32[1,1,3,3,32]{294912,1152,384,128,4} <- oram+0x49200 f32[1,1,3,3,32]{294912,1152,384,128,4}   @c20   ; flatten1 = flatten1.flat.copy0+3744{73728,288,96,32,1} flatten1.flat.copy0+3744{73728,288,96,32,1}

.part 15/256 core 0
.compute
  c21   copy         oram+0x49680 f32[1,1,3,3,32]{294912,1152,384,128,4} <- oram+0x700 f32[1,1,3,3,32]{0,128,98304,32768,4}   @w5   ; flatten1 = flatten1.flat.copy0+4032{73728,288,96,32,1} relu1+448{0,32,24576,8192,1}
.write
  w14   store        dram+0x2f3f40 f32[1,1,3,3,32]{294912,1152,384,128,4} <- oram+0x49680 f32[1,1,3,3,32]{294912,1152,384,128,4}   @c21   ; flatten1 = flatten1.flat.copy0+4032{73728,288,96,32,1} flatten1.flat.copy0+4032{73728,288,96,32,1}

.part 16/256 core 0
.compute
  c22   copy         oram+0x49b00 f32[1,1,3,3,32]{294912,1152,384,128,4} <- oram+0x780 f32[1,1,3,3,32]{0,128,98304,32768,4}   @w6   ; flatten1 = flatten1.flat.copy0+4320{73728,288,96,32,1} relu1+480{0,32,24576,8192,1}
.write
  w15   store        dram+0x2f43c0 f32[1,1,3,3,32]{294912,1152,384,128,4} <- oram+0x49b00 f32[1,1,3,3,32]{294912,1152,384,128,4}   @c22   ; flatten1 = flatten1.flat.copy0+4320{73728,288,96,32,1} flatten1.flat.copy0+4320{73728,288,96,32,1}

.part 17/256 core 0
.compute
  c23   copy         oram+0x49f80 f32[1,1,3,3,32]{294912,1152,384,128,4} <- oram+0x800 f32[1,1,3,3,32]{0,128,98304,32768,4}   @w7   ; flatten1 = flatten1.flat.copy0+4608{73728,288,96,32,1} relu1+512{0,32,24576,8192,1}
.write
  w16   store        dram+0x2f4840 f32[1,1,3,3,32]{294912,1152,384,128,4} <- oram+0x49f80 f32[1,1,3,3,32]{294912,1152,384,128,4}   @c23   ; flatten1 = flatten1.flat.copy0+4608{73728,288,96,32,1} flatten1.flat.copy0+4608{73728,288,96,32,1}

.part 18/256 core 0
.compute
  c24   copy         oram+0x4a400 f32[1,1,3,3,32]{294912,1152,384,128,4} <- oram+0x880 f32[1,1,3,3,32]{0,128,98304,32768,4}   @w8   ; flatten1 = flatten1.flat.copy0+4896{73728,288,96,32,1} relu1+544{0,32,24576,8192,1}
.write
  w17   store        dram+0x2f4cc0 f32[1,1,3,3,32]{294912,1152,384,128,4} <- oram+0x4a400 f32[1,1,3,3,32]{294912,1152,384,128,4}   @c24   ; flatten1 = flatten1.flat.copy0+4896{73728,288,96,32,1} flatten1.flat.copy0+4896{73728,288,96,32,1}

.part 19/256 core 0
.compute
  c25   copy         oram+0x48000 f32[1,1,3,3,32]{294912,1152,384,128,4} <- oram+0x900 f32[1,1,3,3,32]{0,128,98304,32768,4}   @w9   ; flatten1 = flatten1.flat.copy0+5184{73728,288,96,32,1} relu1+576{0,32,24576,8192,1}
.write
  w18   store        dram+0x2f5140 f32[1,1,3,3,32]{294912,1152,384,128,4} <- oram+0x48000 f32[1,1,3,3,32]{294912,1152,384,128,4}   @c25   ; flatten1 = flatten1.flat.copy0+5184{73728,288,96,32,1} flatten1.flat.copy0+5184{73728,288,96,32,1}

.part 20/256 core 0
.compute
  c26   copy         oram+0x48480 f32[1,1,3,3,32]{294912,1152,384,128,4} <- oram+0x980 f32[1,1,3,3,32]{0,128,98304,32768,4}   @w10   ; flatten1 = flatten1.flat.copy0+5472{73728,288,96,32,1} relu1+608{0,32,24576,8192,1}
.write
  w19   store        dram+0x2f55c0 f32[1,1,3,3,32]{294912,1152,384,128,4} <- oram+0x48480 f32[1,1,3,3,32]{294912,1152,384,128,4}   @c26   ; flatten1 = flatten1.flat.copy0+5472{73728,288,96,32,1} flatten1.flat.copy0+5472{73728,288,96,32,1}

.part 21/256 core 0
.compute
  c27   copy         oram+0x48900 f32[1,1,3,3,32]{294912,1152,384,128,4} <- oram+0xa00 f32[1,1,3,3,32]{0,128,98304,32768,4}   @w11   ; flatten1 = flatten1.flat.copy0+5760{73728,288,96,32,1} relu1+640{0,32,24576,8192,1}
.write
  w20   store        dram+0x2f5a40 f32[1,1,3,3,32]{294912,1152,384,128,4} <- oram+0x48900 f32[1,1,3,3,32]{294912,1152,384,128,4}   @c27   ; flatten1 = flatten1.flat.copy0+5760{73728,288,96,32,1} flatten1.flat.copy0+5760{73728,288,96,32,1}

.part 22/256 core 0
.compute
  c28   copy         oram+0x48d80 f32[1,1,3,3,32]{294912,1152,384,128,4} <- oram+0xa80 f32[1,1,3,3,32]{0,128,98304,32768,4}   @w12   ; flatten1 = flatten1.flat.copy0+6048{73728,288,96,32,1} relu1+672{0,32,24576,8192,1}
.write
  w21   store        dram+0x2f5ec0 f32[1,1,3,3,32]{294912,1152,384,128,4} <- oram+0x48d80 f32[1,1,3,3,32]{294912,1152,384,128,4}   @c28   ; flatten1 = flatten1.flat.copy0+6048{73728,288,96,32,1} flatten1.flat.copy0+6048{73728,288,96,32,1}

.part 23/256 core 0
.compute
  c29   copy         oram+0x49200 f32[1,1,3,3,32]{294912,1152,384,128,4} <- oram+0xb00 f32[1,1,3,3,32]{0,128,98304,32768,4}   @w13   ; flatten1 = flatten1.flat.copy0+6336{73728,288,96,32,1} relu1+704{0,32,24576,8192,1}
.write
  w22   store        dram+0x2f6340 f32[1,1,3,3,32]{294912,1152,384,128,4} <- oram+0x49200 f32[1,1,3,3,32]{294912,1152,384,128,4}   @c29   ; flatten1 = flatten1.flat.copy0+6336{73728,288,96,32,1} flatten1.flat.copy0+6336{73728,288,96,32,1}

.part 24/256 core 0
.compute
  c30   copy         oram+0x49680 f32[1,1,3,3,32]{294912,1152,384,128,4} <- oram+0xb80 f32[1,1,3,3,32]{0,128,98304,32768,4}   @w14   ; flatten1 = flatten1.flat.copy0+6624{73728,288,96,32,1} relu1+736{0,32,24576,8192,1}
.write
  w23   store        dram+0x2f67c0 f32[1,1,3,3,32]{294912,1152,384,128,4} <- oram+0x49680 f32[1,1,3,3,32]{294912,1152,384,128,4}   @c30   ; flatten1 = flatten1.flat.copy0+6624{73728,288,96,32,1} flatten1.flat.copy0+6624{73728,288,96,32,1}

.part 25/256 core 0
.compute
  c31   copy         oram+0x49b00 f32[1,1,3,3,32]{294912,1152,384,128,4} <- oram+0xc00 f32[1,1,3,3,32]{0,128,98304,32768,4}   @w15   ; flatten1 = flatten1.flat.copy0+6912{73728,288,96,32,1} relu1+768{0,32,24576,8192,1}
.write
  w24   store        dram+0x2f6c40 f32[1,1,3,3,32]{294912,1152,384,128,4} <- oram+0x49b00 f32[1,1,3,3,32]{294912,1152,384,128,4}   @c31   ; flatten1 = flatten1.flat.copy0+6912{73728,288,96,32,1} flatten1.flat.copy0+6912{73728,288,96,32,1}

.part 26/256 core 0
.compute
  c32   copy         oram+0x49f80 f32[1,1,3,3,32]{294912,1152,384,128,4} <- oram+0xc80 f32[1,1,3,3,32]{0,128,98304,32768,4}   @w16   ; flatten1 = flatten1.flat.copy0+7200{73728,288,96,32,1} relu1+800{0,32,24576,8192,1}
.write
  w25   store        dram+0x2f70c0 f32[1,1,3,3,32]{294912,1152,384,128,4} <- oram+0x49f80 f32[1,1,3,3,32]{294912,1152,384,128,4}   @c32   ; flatten1 = flatten1.flat.copy0+7200{73728,288,96,32,1} flatten1.flat.copy0+7200{73728,288,96,32,1}

.part 27/256 core 0
.compute
  c33   copy         oram+0x4a400 f32[1,1,3,3,32]{294912,1152,384,128,4} <- oram+0xd00 f32[1,1,3,3,32]{0,128,98304,32768,4}   @w17   ; flatten1 = flatten1.flat.copy0+7488{73728,288,96,32,1} relu1+832{0,32,24576,8192,1}
.write
  w26   store        dram+0x2f7540 f32[1,1,3,3,32]{294912,1152,384,128,4} <- oram+0x4a400 f32[1,1,3,3,32]{294912,1152,384,128,4}   @c33   ; flatten1 = flatten1.flat.copy0+7488{73728,288,96,32,1} flatten1.flat.copy0+7488{73728,288,96,32,1}

.part 28/256 core 0
.compute
  c34   copy         oram+0x48000 f32[1,1,3,3,32]{294912,1152,384,128,4} <- oram+0xd80 f32[1,1,3,3,32]{0,128,98304,32768,4}   @w18   ; flatten1 = flatten1.flat.copy0+7776{73728,288,96,32,1} relu1+864{0,32,24576,8192,1}
.write
  w27   store        dram+0x2f79c0 f32[1,1,3,3,32]{294912,1152,384,128,4} <- oram+0x48000 f32[1,1,3,3,32]{294912,1152,384,128,4}   @c34   ; flatten1 = flatten1.flat.copy0+7776{73728,288,96,32,1} flatten1.flat.copy0+7776{73728,288,96,32,1}

.part 29/256 core 0
.compute
  c35   copy         oram+0x48480 f32[1,1,3,3,32]{294912,1152,384,128,4} <- oram+0xe00 f32[1,1,3,3,32]{0,128,98304,32768,4}   @w19   ; flatten1 = flatten1.flat.copy0+8064{73728,288,96,32,1} relu1+896{0,32,24576,8192,1}
.write
  w28   store        dram+0x2f7e40 f32[1,1,3,3,32]{294912,1152,384,128,4} <- oram+0x48480 f32[1,1,3,3,32]{294912,1152,384,128,4}   @c35   ; flatten1 = flatten1.flat.copy0+8064{73728,288,96,32,1} flatten1.flat.copy0+8064{73728,288,96,32,1}

.part 30/256 core 0
.compute
  c36   copy         oram+0x48900 f32[1,1,3,3,32]{294912,1152,384,128,4} <- oram+0xe80 f32[1,1,3,3,32]{0,128,98304,32768,4}   @w20   ; flatten1 = flatten1.flat.copy0+8352{73728,288,96,32,1} relu1+928{0,32,24576,8192,1}
.write
  w29   store        dram+0x2f82c0 f32[1,1,3,3,32]{294912,1152,384,128,4} <- oram+0x48900 f32[1,1,3,3,32]{294912,1152,384,128,4}   @c36   ; flatten1 = flatten1.flat.copy0+8352{73728,288,96,32,1} flatten1.flat.copy0+8352{73728,288,96,32,1}

.part 31/256 core 0
.compute
  c37   copy         oram+0x48d80 f32[1,1,3,3,32]{294912,1152,384,128,4} <- oram+0xf00 f32[1,1,3,3,32]{0,128,98304,32768,4}   @w21   ; flatten1 = flatten1.flat.copy0+8640{73728,288,96,32,1} relu1+960{0,32,24576,8192,1}
.write
  w30   store        dram+0x2f8740 f32[1,1,3,3,32]{294912,1152,384,128,4} <- oram+0x48d80 f32[1,1,3,3,32]{294912,1152,384,128,4}   @c37   ; flatten1 = flatten1.flat.copy0+8640{73728,288,96,32,1} flatten1.flat.copy0+8640{73728,288,96,32,1}

.part 32/256 core 0
.compute
  c38   copy         oram+0x49200 f32[1,1,3,3,32]{294912,1152,384,128,4} <- oram+0xf80 f32[1,1,3,3,32]{0,128,98304,32768,4}   @w22   ; flatten1 = flatten1.flat.copy0+8928{73728,288,96,32,1} relu1+992{0,32,24576,8192,1}
.write
  w31   store        dram+0x2f8bc0 f32[1,1,3,3,32]{294912,1152,384,128,4} <- oram+0x49200 f32[1,1,3,3,32]{294912,1152,384,128,4}   @c38   ; flatten1 = flatten1.flat.copy0+8928{73728,288,96,32,1} flatten1.flat.copy0+8928{73728,288,96,32,1}

.part 33/256 core 0
.compute
  c39   copy         oram+0x49680 f32[1,1,3,3,32]{294912,1152,384,128,4} <- oram+0x1000 f32[1,1,3,3,32]{0,128,98304,32768,4}   @w23   ; flatten1 = flatten1.flat.copy0+9216{73728,288,96,32,1} relu1+1024{0,32,24576,8192,1}
.write
  w32   store        dram+0x2f9040 f32[1,1,3,3,32]{294912,1152,384,128,4} <- oram+0x49680 f32[1,1,3,3,32]{294912,1152,384,128,4}   @c39   ; flatten1 = flatten1.flat.copy0+9216{73728,288,96,32,1} flatten1.flat.copy0+9216{73728,288,96,32,1}

.part 34/256 core 0
.compute
  c40   copy         oram+0x49b00 f32[1,1,3,3,32]{294912,1152,384,128,4} <- oram+0x1080 f32[1,1,3,3,32]{0,128,98304,32768,4}   @w24   ; flatten1 = flatten1.flat.copy0+9504{73728,288,96,32,1} relu1+1056{0,32,24576,8192,1}
.write
  w33   store        dram+0x2f94c0 f32[1,1,3,3,32]{294912,1152,384,128,4} <- oram+0x49b00 f32[1,1,3,3,32]{294912,1152,384,128,4}   @c40   ; flatten1 = flatten1.flat.copy0+9504{73728,288,96,32,1} flatten1.flat.copy0+9504{73728,288,96,32,1}

.part 35/256 core 0
.compute
  c41   copy         oram+0x49f80 f32[1,1,3,3,32]{294912,1152,384,128,4} <- oram+0x1100 f32[1,1,3,3,32]{0,128,98304,32768,4}   @w25   ; flatten1 = flatten1.flat.copy0+9792{73728,288,96,32,1} relu1+1088{0,32,24576,8192,1}
.write
  w34   store        dram+0x2f9940 f32[1,1,3,3,32]{294912,1152,384,128,4} <- oram+0x49f80 f32[1,1,3,3,32]{294912,1152,384,128,4}   @c41   ; flatten1 = flatten1.flat.copy0+9792{73728,288,96,32,1} flatten1.flat.copy0+9792{73728,288,96,32,1}

.part 36/256 core 0
.compute
  c42   copy         oram+0x4a400 f32[1,1,3,3,32]{294912,1152,384,128,4} <- oram+0x1180 f32[1,1,3,3,32]{0,128,98304,32768,4}   @w26   ; flatten1 = flatten1.flat.copy0+10080{73728,288,96,32,1} relu1+1120{0,32,24576,8192,1}
.write
  w35   store        dram+0x2f9dc0 f32[1,1,3,3,32]{294912,1152,384,128,4} <- oram+0x4a400 f32[1,1,3,3,32]{294912,1152,384,128,4}   @c42   ; flatten1 = flatten1.flat.copy0+10080{73728,288,96,32,1} flatten1.flat.copy0+10080{73728,288,96,32,1}

.part 37/256 core 0
.compute
  c43   copy         oram+0x48000 f32[1,1,3,3,32]{294912,1152,384,128,4} <- oram+0x1200 f32[1,1,3,3,32]{0,128,98304,32768,4}   @w27   ; flatten1 = flatten1.flat.copy0+10368{73728,288,96,32,1} relu1+1152{0,32,24576,8192,1}
.write
  w36   store        dram+0x2fa240 f32[1,1,3,3,32]{294912,1152,384,128,4} <- oram+0x48000 f32[1,1,3,3,32]{294912,1152,384,128,4}   @c43   ; flatten1 = flatten1.flat.copy0+10368{73728,288,96,32,1} flatten1.flat.copy0+10368{73728,288,96,32,1}

.part 38/256 core 0
.compute
  c44   copy         oram+0x48480 f32[1,1,3,3,32]{294912,1152,384,128,4} <- oram+0x1280 f32[1,1,3,3,32]{0,128,98304,32768,4}   @w28   ; flatten1 = flatten1.flat.copy0+10656{73728,288,96,32,1} relu1+1184{0,32,24576,8192,1}
.write
  w37   store        dram+0x2fa6c0 f32[1,1,3,3,32]{294912,1152,384,128,4} <- oram+0x48480 f32[1,1,3,3,32]{294912,1152,384,128,4}   @c44   ; flatten1 = flatten1.flat.copy0+10656{73728,288,96,32,1} flatten1.flat.copy0+10656{73728,288,96,32,1}

.part 39/256 core 0
.compute
  c45   copy         oram+0x48900 f32[1,1,3,3,32]{294912,1152,384,128,4} <- oram+0x1300 f32[1,1,3,3,32]{0,128,98304,32768,4}   @w29   ; flatten1 = flatten1.flat.copy0+10944{73728,288,96,32,1} relu1+1216{0,32,24576,8192,1}
.write
  w38   store        dram+0x2fab40 f32[1,1,3,3,32]{294912,1152,384,128,4} <- oram+0x48900 f32[1,1,3,3,32]{294912,1152,384,128,4}   @c45   ; flatten1 = flatten1.flat.copy0+10944{73728,288,96,32,1} flatten1.flat.copy0+10944{73728,288,96,32,1}

.part 40/256 core 0
.compute
  c46   copy         oram+0x48d80 f32[1,1,3,3,32]{294912,1152,384,128,4} <- oram+0x1380 f32[1,1,3,3,32]{0,128,98304,32768,4}   @w30   ; flatten1 = flatten1.flat.copy0+11232{73728,288,96,32,1} relu1+1248{0,32,24576,8192,1}
.write
  w39   store        dram+0x2fafc0 f32[1,1,3,3,32]{294912,1152,384,128,4} <- oram+0x48d80 f32[1,1,3,3,32]{294912,1152,384,128,4}   @c46   ; flatten1 = flatten1.flat.copy0+11232{73728,288,96,32,1} flatten1.flat.copy0+11232{73728,288,96,32,1}

.part 41/256 core 0
.compute
  c47   copy         oram+0x49200 f32[1,1,3,3,32]{294912,1152,384,128,4} <- oram+0x1400 f32[1,1,3,3,32]{0,128,98304,32768,4}   @w31   ; flatten1 = flatten1.flat.copy0+11520{73728,288,96,32,1} relu1+1280{0,32,24576,8192,1}
.write
  w40   store        dram+0x2fb440 f32[1,1,3,3,32]{294912,1152,384,128,4} <- oram+0x49200 f32[1,1,3,3,32]{294912,1152,384,128,4}   @c47   ; flatten1 = flatten1.flat.copy0+11520{73728,288,96,32,1} flatten1.flat.copy0+11520{73728,288,96,32,1}

.part 42/256 core 0
.compute
  c48   copy         oram+0x49680 f32[1,1,3,3,32]{294912,1152,384,128,4} <- oram+0x1480 f32[1,1,3,3,32]{0,128,98304,32768,4}   @w32   ; flatten1 = flatten1.flat.copy0+11808{73728,288,96,32,1} relu1+1312{0,32,24576,8192,1}
.write
  w41   store        dram+0x2fb8c0 f32[1,1,3,3,32]{294912,1152,384,128,4} <- oram+0x49680 f32[1,1,3,3,32]{294912,1152,384,128,4}   @c48   ; flatten1 = flatten1.flat.copy0+11808{73728,288,96,32,1} flatten1.flat.copy0+11808{73728,288,96,32,1}

.part 43/256 core 0
.compute
  c49   copy         oram+0x49b00 f32[1,1,3,3,32]{294912,1152,384,128,4} <- oram+0x1500 f32[1,1,3,3,32]{0,128,98304,32768,4}   @w33   ; flatten1 = flatten1.flat.copy0+12096{73728,288,96,32,1} relu1+1344{0,32,24576,8192,1}
.write
  w42   store        dram+0x2fbd40 f32[1,1,3,3,32]{294912,1152,384,128,4} <- oram+0x49b00 f32[1,1,3,3,32]{294912,1152,384,128,4}   @c49   ; flatten1 = flatten1.flat.copy0+12096{73728,288,96,32,1} flatten1.flat.copy0+12096{73728,288,96,32,1}

.part 44/256 core 0
.compute
  c50   copy         oram+0x49f80 f32[1,1,3,3,32]{294912,1152,384,128,4} <- oram+0x1580 f32[1,1,3,3,32]{0,128,98304,32768,4}   @w34   ; flatten1 = flatten1.flat.copy0+12384{73728,288,96,32,1} relu1+1376{0,32,24576,8192,1}
.write
  w43   store        dram+0x2fc1c0 f32[1,1,3,3,32]{294912,1152,384,128,4} <- oram+0x49f80 f32[1,1,3,3,32]{294912,1152,384,128,4}   @c50   ; flatten1 = flatten1.flat.copy0+12384{73728,288,96,32,1} flatten1.flat.copy0+12384{73728,288,96,32,1}

.part 45/256 core 0
.compute
  c51   copy         oram+0x4a400 f32[1,1,3,3,32]{294912,1152,384,128,4} <- oram+0x1600 f32[1,1,3,3,32]{0,128,98304,32768,4}   @w35   ; flatten1 = flatten1.flat.copy0+12672{73728,288,96,32,1} relu1+1408{0,32,24576,8192,1}
.write
  w44   store        dram+0x2fc640 f32[1,1,3,3,32]{294912,1152,384,128,4} <- oram+0x4a400 f32[1,1,3,3,32]{294912,1152,384,128,4}   @c51   ; flatten1 = flatten1.flat.copy0+12672{73728,288,96,32,1} flatten1.flat.copy0+12672{73728,288,96,32,1}

.part 46/256 core 0
.compute
  c52   copy         oram+0x48000 f32[1,1,3,3,32]{294912,1152,384,128,4} <- oram+0x1680 f32[1,1,3,3,32]{0,128,98304,32768,4}   @w36   ; flatten1 = flatten1.flat.copy0+12960{73728,288,96,32,1} relu1+1440{0,32,24576,8192,1}
.write
  w45   store        dram+0x2fcac0 f32[1,1,3,3,32]{294912,1152,384,128,4} <- oram+0x48000 f32[1,1,3,3,32]{294912,1152,384,128,4}   @c52   ; flatten1 = flatten1.flat.copy0+12960{73728,288,96,32,1} flatten1.flat.copy0+12960{73728,288,96,32,1}

.part 47/256 core 0
.compute
  c53   copy         oram+0x48480 f32[1,1,3,3,32]{294912,1152,384,128,4} <- oram+0x1700 f32[1,1,3,3,32]{0,128,98304,32768,4}   @w37   ; flatten1 = flatten1.flat.copy0+13248{73728,288,96,32,1} relu1+1472{0,32,24576,8192,1}
.write
  w46   store        dram+0x2fcf40 f32[1,1,3,3,32]{294912,1152,384,128,4} <- oram+0x48480 f32[1,1,3,3,32]{294912,1152,384,128,4}   @c53   ; flatten1 = flatten1.flat.copy0+13248{73728,288,96,32,1} flatten1.flat.copy0+13248{73728,288,96,32,1}

.part 48/256 core 0
.compute
  c54   copy         oram+0x48900 f32[1,1,3,3,32]{294912,1152,384,128,4} <- oram+0x1780 f32[1,1,3,3,32]{0,128,98304,32768,4}   @w38   ; flatten1 = flatten1.flat.copy0+13536{73728,288,96,32,1} relu1+1504{0,32,24576,8192,1}
.write
  w47   store        dram+0x2fd3c0 f32[1,1,3,3,32]{294912,1152,384,128,4} <- oram+0x48900 f32[1,1,3,3,32]{294912,1152,384,128,4}   @c54   ; flatten1 = flatten1.flat.copy0+13536{73728,288,96,32,1} flatten1.flat.copy0+13536{73728,288,96,32,1}

.part 49/256 core 0
.compute
  c55   copy         oram+0x48d80 f32[1,1,3,3,32]{294912,1152,384,128,4} <- oram+0x1800 f32[1,1,3,3,32]{0,128,98304,32768,4}   @w39   ; flatten1 = flatten1.flat.copy0+13824{73728,288,96,32,1} relu1+1536{0,32,24576,8192,1}
.write
  w48   store        dram+0x2fd840 f32[1,1,3,3,32]{294912,1152,384,128,4} <- oram+0x48d80 f32[1,1,3,3,32]{294912,1152,384,128,4}   @c55   ; flatten1 = flatten1.flat.copy0+13824{73728,288,96,32,1} flatten1.flat.copy0+13824{73728,288,96,32,1}

.part 50/256 core 0
.compute
  c56   copy         oram+0x49200 f32[1,1,3,3,32]{294912,1152,384,128,4} <- oram+0x1880 f32[1,1,3,3,32]{0,128,98304,32768,4}   @w40   ; flatten1 = flatten1.flat.copy0+14112{73728,288,96,32,1} relu1+1568{0,32,24576,8192,1}
.write
  w49   store        dram+0x2fdcc0 f32[1,1,3,3,32]{294912,1152,384,128,4} <- oram+0x49200 f32[1,1,3,3,32]{294912,1152,384,128,4}   @c56   ; flatten1 = flatten1.flat.copy0+14112{73728,288,96,32,1} flatten1.flat.copy0+14112{73728,288,96,32,1}

.part 51/256 core 0
.compute
  c57   copy         oram+0x49680 f32[1,1,3,3,32]{294912,1152,384,128,4} <- oram+0x1900 f32[1,1,3,3,32]{0,128,98304,32768,4}   @w41   ; flatten1 = flatten1.flat.copy0+14400{73728,288,96,32,1} relu1+1600{0,32,24576,8192,1}
.write
  w50   store        dram+0x2fe140 f32[1,1,3,3,32]{294912,1152,384,128,4} <- oram+0x49680 f32[1,1,3,3,32]{294912,1152,384,128,4}   @c57   ; flatten1 = flatten1.flat.copy0+14400{73728,288,96,32,1} flatten1.flat.copy0+14400{73728,288,96,32,1}

.part 52/256 core 0
.compute
  c58   copy         oram+0x49b00 f32[1,1,3,3,32]{294912,1152,384,128,4} <- oram+0x1980 f32[1,1,3,3,32]{0,128,98304,32768,4}   @w42   ; flatten1 = flatten1.flat.copy0+14688{73728,288,96,32,1} relu1+1632{0,32,24576,8192,1}
.write
  w51   store        dram+0x2fe5c0 f32[1,1,3,3,32]{294912,1152,384,128,4} <- oram+0x49b00 f32[1,1,3,3,32]{294912,1152,384,128,4}   @c58   ; flatten1 = flatten1.flat.copy0+14688{73728,288,96,32,1} flatten1.flat.copy0+14688{73728,288,96,32,1}

.part 53/256 core 0
.compute
  c59   copy         oram+0x49f80 f32[1,1,3,3,32]{294912,1152,384,128,4} <- oram+0x1a00 f32[1,1,3,3,32]{0,128,98304,32768,4}   @w43   ; flatten1 = flatten1.flat.copy0+14976{73728,288,96,32,1} relu1+1664{0,32,24576,8192,1}
.write
  w52   store        dram+0x2fea40 f32[1,1,3,3,32]{294912,1152,384,128,4} <- oram+0x49f80 f32[1,1,3,3,32]{294912,1152,384,128,4}   @c59   ; flatten1 = flatten1.flat.copy0+14976{73728,288,96,32,1} flatten1.flat.copy0+14976{73728,288,96,32,1}

.part 54/256 core 0
.compute
  c60   copy         oram+0x4a400 f32[1,1,3,3,32]{294912,1152,384,128,4} <- oram+0x1a80 f32[1,1,3,3,32]{0,128,98304,32768,4}   @w44   ; flatten1 = flatten1.flat.copy0+15264{73728,288,96,32,1} relu1+1696{0,32,24576,8192,1}
.write
  w53   store        dram+0x2feec0 f32[1,1,3,3,32]{294912,1152,384,128,4} <- oram+0x4a400 f32[1,1,3,3,32]{294912,1152,384,128,4}   @c60   ; flatten1 = flatten1.flat.copy0+15264{73728,288,96,32,1} flatten1.flat.copy0+15264{73728,288,96,32,1}

.part 55/256 core 0
.compute
  c61   copy         oram+0x48000 f32[1,1,3,3,32]{294912,1152,384,128,4} <- oram+0x1b00 f32[1,1,3,3,32]{0,128,98304,32768,4}   @w45   ; flatten1 = flatten1.flat.copy0+15552{73728,288,96,32,1} relu1+1728{0,32,24576,8192,1}
.write
  w54   store        dram+0x2ff340 f32[1,1,3,3,32]{294912,1152,384,128,4} <- oram+0x48000 f32[1,1,3,3,32]{294912,1152,384,128,4}   @c61   ; flatten1 = flatten1.flat.copy0+15552{73728,288,96,32,1} flatten1.flat.copy0+15552{73728,288,96,32,1}

.part 56/256 core 0
.compute
  c62   copy         oram+0x48480 f32[1,1,3,3,32]{294912,1152,384,128,4} <- oram+0x1b80 f32[1,1,3,3,32]{0,128,98304,32768,4}   @w46   ; flatten1 = flatten1.flat.copy0+15840{73728,288,96,32,1} relu1+1760{0,32,24576,8192,1}
.write
  w55   store        dram+0x2ff7c0 f32[1,1,3,3,32]{294912,1152,384,128,4} <- oram+0x48480 f32[1,1,3,3,32]{294912,1152,384,128,4}   @c62   ; flatten1 = flatten1.flat.copy0+15840{73728,288,96,32,1} flatten1.flat.copy0+15840{73728,288,96,32,1}

.part 57/256 core 0
.compute
  c63   copy         oram+0x48900 f32[1,1,3,3,32]{294912,1152,384,128,4} <- oram+0x1c00 f32[1,1,3,3,32]{0,128,98304,32768,4}   @w47   ; flatten1 = flatten1.flat.copy0+16128{73728,288,96,32,1} relu1+1792{0,32,24576,8192,1}
.write
  w56   store        dram+0x2ffc40 f32[1,1,3,3,32]{294912,1152,384,128,4} <- oram+0x48900 f32[1,1,3,3,32]{294912,1152,384,128,4}   @c63   ; flatten1 = flatten1.flat.copy0+16128{73728,288,96,32,1} flatten1.flat.copy0+16128{73728,288,96,32,1}

.part 58/256 core 0
.compute
  c64   copy         oram+0x48d80 f32[1,1,3,3,32]{294912,1152,384,128,4} <- oram+0x1c80 f32[1,1,3,3,32]{0,128,98304,32768,4}   @w48   ; flatten1 = flatten1.flat.copy0+16416{73728,288,96,32,1} relu1+1824{0,32,24576,8192,1}
.write
  w57   store        dram+0x3000c0 f32[1,1,3,3,32]{294912,1152,384,128,4} <- oram+0x48d80 f32[1,1,3,3,32]{294912,1152,384,128,4}   @c64   ; flatten1 = flatten1.flat.copy0+16416{73728,288,96,32,1} flatten1.flat.copy0+16416{73728,288,96,32,1}

.part 59/256 core 0
.compute
  c65   copy         oram+0x49200 f32[1,1,3,3,32]{294912,1152,384,128,4} <- oram+0x1d00 f32[1,1,3,3,32]{0,128,98304,32768,4}   @w49   ; flatten1 = flatten1.flat.copy0+16704{73728,288,96,32,1} relu1+1856{0,32,24576,8192,1}
.write
  w58   store        dram+0x300540 f32[1,1,3,3,32]{294912,1152,384,128,4} <- oram+0x49200 f32[1,1,3,3,32]{294912,1152,384,128,4}   @c65   ; flatten1 = flatten1.flat.copy0+16704{73728,288,96,32,1} flatten1.flat.copy0+16704{73728,288,96,32,1}

.part 60/256 core 0
.compute
  c66   copy         oram+0x49680 f32[1,1,3,3,32]{294912,1152,384,128,4} <- oram+0x1d80 f32[1,1,3,3,32]{0,128,98304,32768,4}   @w50   ; flatten1 = flatten1.flat.copy0+16992{73728,288,96,32,1} relu1+1888{0,32,24576,8192,1}
.write
  w59   store        dram+0x3009c0 f32[1,1,3,3,32]{294912,1152,384,128,4} <- oram+0x49680 f32[1,1,3,3,32]{294912,1152,384,128,4}   @c66   ; flatten1 = flatten1.flat.copy0+16992{73728,288,96,32,1} flatten1.flat.copy0+16992{73728,288,96,32,1}

.part 61/256 core 0
.compute
  c67   copy         oram+0x49b00 f32[1,1,3,3,32]{294912,1152,384,128,4} <- oram+0x1e00 f32[1,1,3,3,32]{0,128,98304,32768,4}   @w51   ; flatten1 = flatten1.flat.copy0+17280{73728,288,96,32,1} relu1+1920{0,32,24576,8192,1}
.write
  w60   store        dram+0x300e40 f32[1,1,3,3,32]{294912,1152,384,128,4} <- oram+0x49b00 f32[1,1,3,3,32]{294912,1152,384,128,4}   @c67   ; flatten1 = flatten1.flat.copy0+17280{73728,288,96,32,1} flatten1.flat.copy0+17280{73728,288,96,32,1}

.part 62/256 core 0
.compute
  c68   copy         oram+0x49f80 f32[1,1,3,3,32]{294912,1152,384,128,4} <- oram+0x1e80 f32[1,1,3,3,32]{0,128,98304,32768,4}   @w52   ; flatten1 = flatten1.flat.copy0+17568{73728,288,96,32,1} relu1+1952{0,32,24576,8192,1}
.write
  w61   store        dram+0x3012c0 f32[1,1,3,3,32]{294912,1152,384,128,4} <- oram+0x49f80 f32[1,1,3,3,32]{294912,1152,384,128,4}   @c68   ; flatten1 = flatten1.flat.copy0+17568{73728,288,96,32,1} flatten1.flat.copy0+17568{73728,288,96,32,1}

.part 63/256 core 0
.compute
  c69   copy         oram+0x4a400 f32[1,1,3,3,32]{294912,1152,384,128,4} <- oram+0x1f00 f32[1,1,3,3,32]{0,128,98304,32768,4}   @w53   ; flatten1 = flatten1.flat.copy0+17856{73728,288,96,32,1} relu1+1984{0,32,24576,8192,1}
.write
  w62   store        dram+0x301740 f32[1,1,3,3,32]{294912,1152,384,128,4} <- oram+0x4a400 f32[1,1,3,3,32]{294912,1152,384,128,4}   @c69   ; flatten1 = flatten1.flat.copy0+17856{73728,288,96,32,1} flatten1.flat.copy0+17856{73728,288,96,32,1}

.part 64/256 core 0
.compute
  c70   copy         oram+0x48000 f32[1,1,3,3,32]{294912,1152,384,128,4} <- oram+0x1f80 f32[1,1,3,3,32]{0,128,98304,32768,4}   @w54   ; flatten1 = flatten1.flat.copy0+18144{73728,288,96,32,1} relu1+2016{0,32,24576,8192,1}
.write
  w63   store        dram+0x301bc0 f32[1,1,3,3,32]{294912,1152,384,128,4} <- oram+0x48000 f32[1,1,3,3,32]{294912,1152,384,128,4}   @c70   ; flatten1 = flatten1.flat.copy0+18144{73728,288,96,32,1} flatten1.flat.copy0+18144{73728,288,96,32,1}

.part 65/256 core 0
.compute
  c71   copy         oram+0x48480 f32[1,1,3,3,32]{294912,1152,384,128,4} <- oram+0x2000 f32[1,1,3,3,32]{0,128,98304,32768,4}   @w55   ; flatten1 = flatten1.flat.copy0+18432{73728,288,96,32,1} relu1+2048{0,32,24576,8192,1}
.write
  w64   store        dram+0x302040 f32[1,1,3,3,32]{294912,1152,384,128,4} <- oram+0x48480 f32[1,1,3,3,32]{294912,1152,384,128,4}   @c71   ; flatten1 = flatten1.flat.copy0+18432{73728,288,96,32,1} flatten1.flat.copy0+18432{73728,288,96,32,1}

.part 66/256 core 0
.compute
  c72   copy         oram+0x48900 f32[1,1,3,3,32]{294912,1152,384,128,4} <- oram+0x2080 f32[1,1,3,3,32]{0,128,98304,32768,4}   @w56   ; flatten1 = flatten1.flat.copy0+18720{73728,288,96,32,1} relu1+2080{0,32,24576,8192,1}
.write
  w65   store        dram+0x3024c0 f32[1,1,3,3,32]{294912,1152,384,128,4} <- oram+0x48900 f32[1,1,3,3,32]{294912,1152,384,128,4}   @c72   ; flatten1 = flatten1.flat.copy0+18720{73728,288,96,32,1} flatten1.flat.copy0+18720{73728,288,96,32,1}

.part 67/256 core 0
.compute
  c73   copy         oram+0x48d80 f32[1,1,3,3,32]{294912,1152,384,128,4} <- oram+0x2100 f32[1,1,3,3,32]{0,128,98304,32768,4}   @w57   ; flatten1 = flatten1.flat.copy0+19008{73728,288,96,32,1} relu1+2112{0,32,24576,8192,1}
.write
  w66   store        dram+0x302940 f32[1,1,3,3,32]{294912,1152,384,128,4} <- oram+0x48d80 f32[1,1,3,3,32]{294912,1152,384,128,4}   @c73   ; flatten1 = flatten1.flat.copy0+19008{73728,288,96,32,1} flatten1.flat.copy0+19008{73728,288,96,32,1}

.part 68/256 core 0
.compute
  c74   copy         oram+0x49200 f32[1,1,3,3,32]{294912,1152,384,128,4} <- oram+0x2180 f32[1,1,3,3,32]{0,128,98304,32768,4}   @w58   ; flatten1 = flatten1.flat.copy0+19296{73728,288,96,32,1} relu1+2144{0,32,24576,8192,1}
.write
  w67   store        dram+0x302dc0 f32[1,1,3,3,32]{294912,1152,384,128,4} <- oram+0x49200 f32[1,1,3,3,32]{294912,1152,384,128,4}   @c74   ; flatten1 = flatten1.flat.copy0+19296{73728,288,96,32,1} flatten1.flat.copy0+19296{73728,288,96,32,1}

.part 69/256 core 0
.compute
  c75   copy         oram+0x49680 f32[1,1,3,3,32]{294912,1152,384,128,4} <- oram+0x2200 f32[1,1,3,3,32]{0,128,98304,32768,4}   @w59   ; flatten1 = flatten1.flat.copy0+19584{73728,288,96,32,1} relu1+2176{0,32,24576,8192,1}
.write
  w68   store        dram+0x303240 f32[1,1,3,3,32]{294912,1152,384,128,4} <- oram+0x49680 f32[1,1,3,3,32]{294912,1152,384,128,4}   @c75   ; flatten1 = flatten1.flat.copy0+19584{73728,288,96,32,1} flatten1.flat.copy0+19584{73728,288,96,32,1}

.part 70/256 core 0
.compute
  c76   copy         oram+0x49b00 f32[1,1,3,3,32]{294912,1152,384,128,4} <- oram+0x2280 f32[1,1,3,3,32]{0,128,98304,32768,4}   @w60   ; flatten1 = flatten1.flat.copy0+19872{73728,288,96,32,1} relu1+2208{0,32,24576,8192,1}
.write
  w69   store        dram+0x3036c0 f32[1,1,3,3,32]{294912,1152,384,128,4} <- oram+0x49b00 f32[1,1,3,3,32]{294912,1152,384,128,4}   @c76   ; flatten1 = flatten1.flat.copy0+19872{73728,288,96,32,1} flatten1.flat.copy0+19872{73728,288,96,32,1}

.part 71/256 core 0
.compute
  c77   copy         oram+0x49f80 f32[1,1,3,3,32]{294912,1152,384,128,4} <- oram+0x2300 f32[1,1,3,3,32]{0,128,98304,32768,4}   @w61   ; flatten1 = flatten1.flat.copy0+20160{73728,288,96,32,1} relu1+2240{0,32,24576,8192,1}
.write
  w70   store        dram+0x303b40 f32[1,1,3,3,32]{294912,1152,384,128,4} <- oram+0x49f80 f32[1,1,3,3,32]{294912,1152,384,128,4}   @c77   ; flatten1 = flatten1.flat.copy0+20160{73728,288,96,32,1} flatten1.flat.copy0+20160{73728,288,96,32,1}

.part 72/256 core 0
.compute
  c78   copy         oram+0x4a400 f32[1,1,3,3,32]{294912,1152,384,128,4} <- oram+0x2380 f32[1,1,3,3,32]{0,128,98304,32768,4}   @w62   ; flatten1 = flatten1.flat.copy0+20448{73728,288,96,32,1} relu1+2272{0,32,24576,8192,1}
.write
  w71   store        dram+0x303fc0 f32[1,1,3,3,32]{294912,1152,384,128,4} <- oram+0x4a400 f32[1,1,3,3,32]{294912,1152,384,128,4}   @c78   ; flatten1 = flatten1.flat.copy0+20448{73728,288,96,32,1} flatten1.flat.copy0+20448{73728,288,96,32,1}

.part 73/256 core 0
.compute
  c79   copy         oram+0x48000 f32[1,1,3,3,32]{294912,1152,384,128,4} <- oram+0x2400 f32[1,1,3,3,32]{0,128,98304,32768,4}   @w63   ; flatten1 = flatten1.flat.copy0+20736{73728,288,96,32,1} relu1+2304{0,32,24576,8192,1}
.write
  w72   store        dram+0x304440 f32[1,1,3,3,32]{294912,1152,384,128,4} <- oram+0x48000 f32[1,1,3,3,32]{294912,1152,384,128,4}   @c79   ; flatten1 = flatten1.flat.copy0+20736{73728,288,96,32,1} flatten1.flat.copy0+20736{73728,288,96,32,1}

.part 74/256 core 0
.compute
  c80   copy         oram+0x48480 f32[1,1,3,3,32]{294912,1152,384,128,4} <- oram+0x2480 f32[1,1,3,3,32]{0,128,98304,32768,4}   @w64   ; flatten1 = flatten1.flat.copy0+21024{73728,288,96,32,1} relu1+2336{0,32,24576,8192,1}
.write
  w73   store        dram+0x3048c0 f32[1,1,3,3,32]{294912,1152,384,128,4} <- oram+0x48480 f32[1,1,3,3,32]{294912,1152,384,128,4}   @c80   ; flatten1 = flatten1.flat.copy0+21024{73728,288,96,32,1} flatten1.flat.copy0+21024{73728,288,96,32,1}

.part 75/256 core 0
.compute
  c81   copy         oram+0x48900 f32[1,1,3,3,32]{294912,1152,384,128,4} <- oram+0x2500 f32[1,1,3,3,32]{0,128,98304,32768,4}   @w65   ; flatten1 = flatten1.flat.copy0+21312{73728,288,96,32,1} relu1+2368{0,32,24576,8192,1}
.write
  w74   store        dram+0x304d40 f32[1,1,3,3,32]{294912,1152,384,128,4} <- oram+0x48900 f32[1,1,3,3,32]{294912,1152,384,128,4}   @c81   ; flatten1 = flatten1.flat.copy0+21312{73728,288,96,32,1} flatten1.flat.copy0+21312{73728,288,96,32,1}

.part 76/256 core 0
.compute
  c82   copy         oram+0x48d80 f32[1,1,3,3,32]{294912,1152,384,128,4} <- oram+0x2580 f32[1,1,3,3,32]{0,128,98304,32768,4}   @w66   ; flatten1 = flatten1.flat.copy0+21600{73728,288,96,32,1} relu1+2400{0,32,24576,8192,1}
.write
  w75   store        dram+0x3051c0 f32[1,1,3,3,32]{294912,1152,384,128,4} <- oram+0x48d80 f32[1,1,3,3,32]{294912,1152,384,128,4}   @c82   ; flatten1 = flatten1.flat.copy0+21600{73728,288,96,32,1} flatten1.flat.copy0+21600{73728,288,96,32,1}

.part 77/256 core 0
.compute
  c83   copy         oram+0x49200 f32[1,1,3,3,32]{294912,1152,384,128,4} <- oram+0x2600 f32[1,1,3,3,32]{0,128,98304,32768,4}   @w67   ; flatten1 = flatten1.flat.copy0+21888{73728,288,96,32,1} relu1+2432{0,32,24576,8192,1}
.write
  w76   store        dram+0x305640 f32[1,1,3,3,32]{294912,1152,384,128,4} <- oram+0x49200 f32[1,1,3,3,32]{294912,1152,384,128,4}   @c83   ; flatten1 = flatten1.flat.copy0+21888{73728,288,96,32,1} flatten1.flat.copy0+21888{73728,288,96,32,1}

.part 78/256 core 0
.compute
  c84   copy         oram+0x49680 f32[1,1,3,3,32]{294912,1152,384,128,4} <- oram+0x2680 f32[1,1,3,3,32]{0,128,98304,32768,4}   @w68   ; flatten1 = flatten1.flat.copy0+22176{73728,288,96,32,1} relu1+2464{0,32,24576,8192,1}
.write
  w77   store        dram+0x305ac0 f32[1,1,3,3,32]{294912,1152,384,128,4} <- oram+0x49680 f32[1,1,3,3,32]{294912,1152,384,128,4}   @c84   ; flatten1 = flatten1.flat.copy0+22176{73728,288,96,32,1} flatten1.flat.copy0+22176{73728,288,96,32,1}

.part 79/256 core 0
.compute
  c85   copy         oram+0x49b00 f32[1,1,3,3,32]{294912,1152,384,128,4} <- oram+0x2700 f32[1,1,3,3,32]{0,128,98304,32768,4}   @w69   ; flatten1 = flatten1.flat.copy0+22464{73728,288,96,32,1} relu1+2496{0,32,24576,8192,1}
.write
  w78   store        dram+0x305f40 f32[1,1,3,3,32]{294912,1152,384,128,4} <- oram+0x49b00 f32[1,1,3,3,32]{294912,1152,384,128,4}   @c85   ; flatten1 = flatten1.flat.copy0+22464{73728,288,96,32,1} flatten1.flat.copy0+22464{73728,288,96,32,1}

.part 80/256 core 0
.compute
  c86   copy         oram+0x49f80 f32[1,1,3,3,32]{294912,1152,384,128,4} <- oram+0x2780 f32[1,1,3,3,32]{0,128,98304,32768,4}   @w70   ; flatten1 = flatten1.flat.copy0+22752{73728,288,96,32,1} relu1+2528{0,32,24576,8192,1}
.write
  w79   store        dram+0x3063c0 f32[1,1,3,3,32]{294912,1152,384,128,4} <- oram+0x49f80 f32[1,1,3,3,32]{294912,1152,384,128,4}   @c86   ; flatten1 = flatten1.flat.copy0+22752{73728,288,96,32,1} flatten1.flat.copy0+22752{73728,288,96,32,1}

.part 81/256 core 0
.compute
  c87   copy         oram+0x4a400 f32[1,1,3,3,32]{294912,1152,384,128,4} <- oram+0x2800 f32[1,1,3,3,32]{0,128,98304,32768,4}   @w71   ; flatten1 = flatten1.flat.copy0+23040{73728,288,96,32,1} relu1+2560{0,32,24576,8192,1}
.write
  w80   store        dram+0x306840 f32[1,1,3,3,32]{294912,1152,384,128,4} <- oram+0x4a400 f32[1,1,3,3,32]{294912,1152,384,128,4}   @c87   ; flatten1 = flatten1.flat.copy0+23040{73728,288,96,32,1} flatten1.flat.copy0+23040{73728,288,96,32,1}

.part 82/256 core 0
.compute
  c88   copy         oram+0x48000 f32[1,1,3,3,32]{294912,1152,384,128,4} <- oram+0x2880 f32[1,1,3,3,32]{0,128,98304,32768,4}   @w72   ; flatten1 = flatten1.flat.copy0+23328{73728,288,96,32,1} relu1+2592{0,32,24576,8192,1}
.write
  w81   store        dram+0x306cc0 f32[1,1,3,3,32]{294912,1152,384,128,4} <- oram+0x48000 f32[1,1,3,3,32]{294912,1152,384,128,4}   @c88   ; flatten1 = flatten1.flat.copy0+23328{73728,288,96,32,1} flatten1.flat.copy0+23328{73728,288,96,32,1}

.part 83/256 core 0
.compute
  c89   copy         oram+0x48480 f32[1,1,3,3,32]{294912,1152,384,128,4} <- oram+0x2900 f32[1,1,3,3,32]{0,128,98304,32768,4}   @w73   ; flatten1 = flatten1.flat.copy0+23616{73728,288,96,32,1} relu1+2624{0,32,24576,8192,1}
.write
  w82   store        dram+0x307140 f32[1,1,3,3,32]{294912,1152,384,128,4} <- oram+0x48480 f32[1,1,3,3,32]{294912,1152,384,128,4}   @c89   ; flatten1 = flatten1.flat.copy0+23616{73728,288,96,32,1} flatten1.flat.copy0+23616{73728,288,96,32,1}

.part 84/256 core 0
.compute
  c90   copy         oram+0x48900 f32[1,1,3,3,32]{294912,1152,384,128,4} <- oram+0x2980 f32[1,1,3,3,32]{0,128,98304,32768,4}   @w74   ; flatten1 = flatten1.flat.copy0+23904{73728,288,96,32,1} relu1+2656{0,32,24576,8192,1}
.write
  w83   store        dram+0x3075c0 f32[1,1,3,3,32]{294912,1152,384,128,4} <- oram+0x48900 f32[1,1,3,3,32]{294912,1152,384,128,4}   @c90   ; flatten1 = flatten1.flat.copy0+23904{73728,288,96,32,1} flatten1.flat.copy0+23904{73728,288,96,32,1}

.part 85/256 core 0
.compute
  c91   copy         oram+0x48d80 f32[1,1,3,3,32]{294912,1152,384,128,4} <- oram+0x2a00 f32[1,1,3,3,32]{0,128,98304,32768,4}   @w75   ; flatten1 = flatten1.flat.copy0+24192{73728,288,96,32,1} relu1+2688{0,32,24576,8192,1}
.write
  w84   store        dram+0x307a40 f32[1,1,3,3,32]{294912,1152,384,128,4} <- oram+0x48d80 f32[1,1,3,3,32]{294912,1152,384,128,4}   @c91   ; flatten1 = flatten1.flat.copy0+24192{73728,288,96,32,1} flatten1.flat.copy0+24192{73728,288,96,32,1}

.part 86/256 core 0
.compute
  c92   copy         oram+0x49200 f32[1,1,3,3,32]{294912,1152,384,128,4} <- oram+0x2a80 f32[1,1,3,3,32]{0,128,98304,32768,4}   @w76   ; flatten1 = flatten1.flat.copy0+24480{73728,288,96,32,1} relu1+2720{0,32,24576,8192,1}
.write
  w85   store        dram+0x307ec0 f32[1,1,3,3,32]{294912,1152,384,128,4} <- oram+0x49200 f32[1,1,3,3,32]{294912,1152,384,128,4}   @c92   ; flatten1 = flatten1.flat.copy0+24480{73728,288,96,32,1} flatten1.flat.copy0+24480{73728,288,96,32,1}

.part 87/256 core 0
.compute
  c93   copy         oram+0x49680 f32[1,1,3,3,32]{294912,1152,384,128,4} <- oram+0x2b00 f32[1,1,3,3,32]{0,128,98304,32768,4}   @w77   ; flatten1 = flatten1.flat.copy0+24768{73728,288,96,32,1} relu1+2752{0,32,24576,8192,1}
.write
  w86   store        dram+0x308340 f32[1,1,3,3,32]{294912,1152,384,128,4} <- oram+0x49680 f32[1,1,3,3,32]{294912,1152,384,128,4}   @c93   ; flatten1 = flatten1.flat.copy0+24768{73728,288,96,32,1} flatten1.flat.copy0+24768{73728,288,96,32,1}

.part 88/256 core 0
.compute
  c94   copy         oram+0x49b00 f32[1,1,3,3,32]{294912,1152,384,128,4} <- oram+0x2b80 f32[1,1,3,3,32]{0,128,98304,32768,4}   @w78   ; flatten1 = flatten1.flat.copy0+25056{73728,288,96,32,1} relu1+2784{0,32,24576,8192,1}
.write
  w87   store        dram+0x3087c0 f32[1,1,3,3,32]{294912,1152,384,128,4} <- oram+0x49b00 f32[1,1,3,3,32]{294912,1152,384,128,4}   @c94   ; flatten1 = flatten1.flat.copy0+25056{73728,288,96,32,1} flatten1.flat.copy0+25056{73728,288,96,32,1}

.part 89/256 core 0
.compute
  c95   copy         oram+0x49f80 f32[1,1,3,3,32]{294912,1152,384,128,4} <- oram+0x2c00 f32[1,1,3,3,32]{0,128,98304,32768,4}   @w79   ; flatten1 = flatten1.flat.copy0+25344{73728,288,96,32,1} relu1+2816{0,32,24576,8192,1}
.write
  w88   store        dram+0x308c40 f32[1,1,3,3,32]{294912,1152,384,128,4} <- oram+0x49f80 f32[1,1,3,3,32]{294912,1152,384,128,4}   @c95   ; flatten1 = flatten1.flat.copy0+25344{73728,288,96,32,1} flatten1.flat.copy0+25344{73728,288,96,32,1}

.part 90/256 core 0
.compute
  c96   copy         oram+0x4a400 f32[1,1,3,3,32]{294912,1152,384,128,4} <- oram+0x2c80 f32[1,1,3,3,32]{0,128,98304,32768,4}   @w80   ; flatten1 = flatten1.flat.copy0+25632{73728,288,96,32,1} relu1+2848{0,32,24576,8192,1}
.write
  w89   store        dram+0x3090c0 f32[1,1,3,3,32]{294912,1152,384,128,4} <- oram+0x4a400 f32[1,1,3,3,32]{294912,1152,384,128,4}   @c96   ; flatten1 = flatten1.flat.copy0+25632{73728,288,96,32,1} flatten1.flat.copy0+25632{73728,288,96,32,1}

.part 91/256 core 0
.compute
  c97   copy         oram+0x48000 f32[1,1,3,3,32]{294912,1152,384,128,4} <- oram+0x2d00 f32[1,1,3,3,32]{0,128,98304,32768,4}   @w81   ; flatten1 = flatten1.flat.copy0+25920{73728,288,96,32,1} relu1+2880{0,32,24576,8192,1}
.write
  w90   store        dram+0x309540 f32[1,1,3,3,32]{294912,1152,384,128,4} <- oram+0x48000 f32[1,1,3,3,32]{294912,1152,384,128,4}   @c97   ; flatten1 = flatten1.flat.copy0+25920{73728,288,96,32,1} flatten1.flat.copy0+25920{73728,288,96,32,1}

.part 92/256 core 0
.compute
  c98   copy         oram+0x48480 f32[1,1,3,3,32]{294912,1152,384,128,4} <- oram+0x2d80 f32[1,1,3,3,32]{0,128,98304,32768,4}   @w82   ; flatten1 = flatten1.flat.copy0+26208{73728,288,96,32,1} relu1+2912{0,32,24576,8192,1}
.write
  w91   store        dram+0x3099c0 f32[1,1,3,3,32]{294912,1152,384,128,4} <- oram+0x48480 f32[1,1,3,3,32]{294912,1152,384,128,4}   @c98   ; flatten1 = flatten1.flat.copy0+26208{73728,288,96,32,1} flatten1.flat.copy0+26208{73728,288,96,32,1}

.part 93/256 core 0
.compute
  c99   copy         oram+0x48900 f32[1,1,3,3,32]{294912,1152,384,128,4} <- oram+0x2e00 f32[1,1,3,3,32]{0,128,98304,32768,4}   @w83   ; flatten1 = flatten1.flat.copy0+26496{73728,288,96,32,1} relu1+2944{0,32,24576,8192,1}
.write
  w92   store        dram+0x309e40 f32[1,1,3,3,32]{294912,1152,384,128,4} <- oram+0x48900 f32[1,1,3,3,32]{294912,1152,384,128,4}   @c99   ; flatten1 = flatten1.flat.copy0+26496{73728,288,96,32,1} flatten1.flat.copy0+26496{73728,288,96,32,1}

.part 94/256 core 0
.compute
  c100  copy         oram+0x48d80 f32[1,1,3,3,32]{294912,1152,384,128,4} <- oram+0x2e80 f32[1,1,3,3,32]{0,128,98304,32768,4}   @w84   ; flatten1 = flatten1.flat.copy0+26784{73728,288,96,32,1} relu1+2976{0,32,24576,8192,1}
.write
  w93   store        dram+0x30a2c0 f32[1,1,3,3,32]{294912,1152,384,128,4} <- oram+0x48d80 f32[1,1,3,3,32]{294912,1152,384,128,4}   @c100   ; flatten1 = flatten1.flat.copy0+26784{73728,288,96,32,1} flatten1.flat.copy0+26784{73728,288,96,32,1}

.part 95/256 core 0
.compute
  c101  copy         oram+0x49200 f32[1,1,3,3,32]{294912,1152,384,128,4} <- oram+0x2f00 f32[1,1,3,3,32]{0,128,98304,32768,4}   @w85   ; flatten1 = flatten1.flat.copy0+27072{73728,288,96,32,1} relu1+3008{0,32,24576,8192,1}
.write
  w94   store        dram+0x30a740 f32[1,1,3,3,32]{294912,1152,384,128,4} <- oram+0x49200 f32[1,1,3,3,32]{294912,1152,384,128,4}   @c101   ; flatten1 = flatten1.flat.copy0+27072{73728,288,96,32,1} flatten1.flat.copy0+27072{73728,288,96,32,1}

.part 96/256 core 0
.compute
  c102  copy         oram+0x49680 f32[1,1,3,3,32]{294912,1152,384,128,4} <- oram+0x2f80 f32[1,1,3,3,32]{0,128,98304,32768,4}   @w86   ; flatten1 = flatten1.flat.copy0+27360{73728,288,96,32,1} relu1+3040{0,32,24576,8192,1}
.write
  w95   store        dram+0x30abc0 f32[1,1,3,3,32]{294912,1152,384,128,4} <- oram+0x49680 f32[1,1,3,3,32]{294912,1152,384,128,4}   @c102   ; flatten1 = flatten1.flat.copy0+27360{73728,288,96,32,1} flatten1.flat.copy0+27360{73728,288,96,32,1}

.part 97/256 core 0
.compute
  c103  copy         oram+0x49b00 f32[1,1,3,3,32]{294912,1152,384,128,4} <- oram+0x3000 f32[1,1,3,3,32]{0,128,98304,32768,4}   @w87   ; flatten1 = flatten1.flat.copy0+27648{73728,288,96,32,1} relu1+3072{0,32,24576,8192,1}
.write
  w96   store        dram+0x30b040 f32[1,1,3,3,32]{294912,1152,384,128,4} <- oram+0x49b00 f32[1,1,3,3,32]{294912,1152,384,128,4}   @c103   ; flatten1 = flatten1.flat.copy0+27648{73728,288,96,32,1} flatten1.flat.copy0+27648{73728,288,96,32,1}

.part 98/256 core 0
.compute
  c104  copy         oram+0x49f80 f32[1,1,3,3,32]{294912,1152,384,128,4} <- oram+0x3080 f32[1,1,3,3,32]{0,128,98304,32768,4}   @w88   ; flatten1 = flatten1.flat.copy0+27936{73728,288,96,32,1} relu1+3104{0,32,24576,8192,1}
.write
  w97   store        dram+0x30b4c0 f32[1,1,3,3,32]{294912,1152,384,128,4} <- oram+0x49f80 f32[1,1,3,3,32]{294912,1152,384,128,4}   @c104   ; flatten1 = flatten1.flat.copy0+27936{73728,288,96,32,1} flatten1.flat.copy0+27936{73728,288,96,32,1}

.part 99/256 core 0
.compute
  c105  copy         oram+0x4a400 f32[1,1,3,3,32]{294912,1152,384,128,4} <- oram+0x3100 f32[1,1,3,3,32]{0,128,98304,32768,4}   @w89   ; flatten1 = flatten1.flat.copy0+28224{73728,288,96,32,1} relu1+3136{0,32,24576,8192,1}
.write
  w98   store        dram+0x30b940 f32[1,1,3,3,32]{294912,1152,384,128,4} <- oram+0x4a400 f32[1,1,3,3,32]{294912,1152,384,128,4}   @c105   ; flatten1 = flatten1.flat.copy0+28224{73728,288,96,32,1} flatten1.flat.copy0+28224{73728,288,96,32,1}

.part 100/256 core 0
.compute
  c106  copy         oram+0x48000 f32[1,1,3,3,32]{294912,1152,384,128,4} <- oram+0x3180 f32[1,1,3,3,32]{0,128,98304,32768,4}   @w90   ; flatten1 = flatten1.flat.copy0+28512{73728,288,96,32,1} relu1+3168{0,32,24576,8192,1}
.write
  w99   store        dram+0x30bdc0 f32[1,1,3,3,32]{294912,1152,384,128,4} <- oram+0x48000 f32[1,1,3,3,32]{294912,1152,384,128,4}   @c106   ; flatten1 = flatten1.flat.copy0+28512{73728,288,96,32,1} flatten1.flat.copy0+28512{73728,288,96,32,1}

.part 101/256 core 0
.compute
  c107  copy         oram+0x48480 f32[1,1,3,3,32]{294912,1152,384,128,4} <- oram+0x3200 f32[1,1,3,3,32]{0,128,98304,32768,4}   @w91   ; flatten1 = flatten1.flat.copy0+28800{73728,288,96,32,1} relu1+3200{0,32,24576,8192,1}
.write
  w100  store        dram+0x30c240 f32[1,1,3,3,32]{294912,1152,384,128,4} <- oram+0x48480 f32[1,1,3,3,32]{294912,1152,384,128,4}   @c107   ; flatten1 = flatten1.flat.copy0+28800{73728,288,96,32,1} flatten1.flat.copy0+28800{73728,288,96,32,1}

.part 102/256 core 0
.compute
  c108  copy         oram+0x48900 f32[1,1,3,3,32]{294912,1152,384,128,4} <- oram+0x3280 f32[1,1,3,3,32]{0,128,98304,32768,4}   @w92   ; flatten1 = flatten1.flat.copy0+29088{73728,288,96,32,1} relu1+3232{0,32,24576,8192,1}
.write
  w101  store        dram+0x30c6c0 f32[1,1,3,3,32]{294912,1152,384,128,4} <- oram+0x48900 f32[1,1,3,3,32]{294912,1152,384,128,4}   @c108   ; flatten1 = flatten1.flat.copy0+29088{73728,288,96,32,1} flatten1.flat.copy0+29088{73728,288,96,32,1}

.part 103/256 core 0
.compute
  c109  copy         oram+0x48d80 f32[1,1,3,3,32]{294912,1152,384,128,4} <- oram+0x3300 f32[1,1,3,3,32]{0,128,98304,32768,4}   @w93   ; flatten1 = flatten1.flat.copy0+29376{73728,288,96,32,1} relu1+3264{0,32,24576,8192,1}
.write
  w102  store        dram+0x30cb40 f32[1,1,3,3,32]{294912,1152,384,128,4} <- oram+0x48d80 f32[1,1,3,3,32]{294912,1152,384,128,4}   @c109   ; flatten1 = flatten1.flat.copy0+29376{73728,288,96,32,1} flatten1.flat.copy0+29376{73728,288,96,32,1}

.part 104/256 core 0
.compute
  c110  copy         oram+0x49200 f32[1,1,3,3,32]{294912,1152,384,128,4} <- oram+0x3380 f32[1,1,3,3,32]{0,128,98304,32768,4}   @w94   ; flatten1 = flatten1.flat.copy0+29664{73728,288,96,32,1} relu1+3296{0,32,24576,8192,1}
.write
  w103  store        dram+0x30cfc0 f32[1,1,3,3,32]{294912,1152,384,128,4} <- oram+0x49200 f32[1,1,3,3,32]{294912,1152,384,128,4}   @c110   ; flatten1 = flatten1.flat.copy0+29664{73728,288,96,32,1} flatten1.flat.copy0+29664{73728,288,96,32,1}

.part 105/256 core 0
.compute
  c111  copy         oram+0x49680 f32[1,1,3,3,32]{294912,1152,384,128,4} <- oram+0x3400 f32[1,1,3,3,32]{0,128,98304,32768,4}   @w95   ; flatten1 = flatten1.flat.copy0+29952{73728,288,96,32,1} relu1+3328{0,32,24576,8192,1}
.write
  w104  store        dram+0x30d440 f32[1,1,3,3,32]{294912,1152,384,128,4} <- oram+0x49680 f32[1,1,3,3,32]{294912,1152,384,128,4}   @c111   ; flatten1 = flatten1.flat.copy0+29952{73728,288,96,32,1} flatten1.flat.copy0+29952{73728,288,96,32,1}

.part 106/256 core 0
.compute
  c112  copy         oram+0x49b00 f32[1,1,3,3,32]{294912,1152,384,128,4} <- oram+0x3480 f32[1,1,3,3,32]{0,128,98304,32768,4}   @w96   ; flatten1 = flatten1.flat.copy0+30240{73728,288,96,32,1} relu1+3360{0,32,24576,8192,1}
.write
  w105  store        dram+0x30d8c0 f32[1,1,3,3,32]{294912,1152,384,128,4} <- oram+0x49b00 f32[1,1,3,3,32]{294912,1152,384,128,4}   @c112   ; flatten1 = flatten1.flat.copy0+30240{73728,288,96,32,1} flatten1.flat.copy0+30240{73728,288,96,32,1}

.part 107/256 core 0
.compute
  c113  copy         oram+0x49f80 f32[1,1,3,3,32]{294912,1152,384,128,4} <- oram+0x3500 f32[1,1,3,3,32]{0,128,98304,32768,4}   @w97   ; flatten1 = flatten1.flat.copy0+30528{73728,288,96,32,1} relu1+3392{0,32,24576,8192,1}
.write
  w106  store        dram+0x30dd40 f32[1,1,3,3,32]{294912,1152,384,128,4} <- oram+0x49f80 f32[1,1,3,3,32]{294912,1152,384,128,4}   @c113   ; flatten1 = flatten1.flat.copy0+30528{73728,288,96,32,1} flatten1.flat.copy0+30528{73728,288,96,32,1}

.part 108/256 core 0
.compute
  c114  copy         oram+0x4a400 f32[1,1,3,3,32]{294912,1152,384,128,4} <- oram+0x3580 f32[1,1,3,3,32]{0,128,98304,32768,4}   @w98   ; flatten1 = flatten1.flat.copy0+30816{73728,288,96,32,1} relu1+3424{0,32,24576,8192,1}
.write
  w107  store        dram+0x30e1c0 f32[1,1,3,3,32]{294912,1152,384,128,4} <- oram+0x4a400 f32[1,1,3,3,32]{294912,1152,384,128,4}   @c114   ; flatten1 = flatten1.flat.copy0+30816{73728,288,96,32,1} flatten1.flat.copy0+30816{73728,288,96,32,1}

.part 109/256 core 0
.compute
  c115  copy         oram+0x48000 f32[1,1,3,3,32]{294912,1152,384,128,4} <- oram+0x3600 f32[1,1,3,3,32]{0,128,98304,32768,4}   @w99   ; flatten1 = flatten1.flat.copy0+31104{73728,288,96,32,1} relu1+3456{0,32,24576,8192,1}
.write
  w108  store        dram+0x30e640 f32[1,1,3,3,32]{294912,1152,384,128,4} <- oram+0x48000 f32[1,1,3,3,32]{294912,1152,384,128,4}   @c115   ; flatten1 = flatten1.flat.copy0+31104{73728,288,96,32,1} flatten1.flat.copy0+31104{73728,288,96,32,1}

.part 110/256 core 0
.compute
  c116  copy         oram+0x48480 f32[1,1,3,3,32]{294912,1152,384,128,4} <- oram+0x3680 f32[1,1,3,3,32]{0,128,98304,32768,4}   @w100   ; flatten1 = flatten1.flat.copy0+31392{73728,288,96,32,1} relu1+3488{0,32,24576,8192,1}
.write
  w109  store        dram+0x30eac0 f32[1,1,3,3,32]{294912,1152,384,128,4} <- oram+0x48480 f32[1,1,3,3,32]{294912,1152,384,128,4}   @c116   ; flatten1 = flatten1.flat.copy0+31392{73728,288,96,32,1} flatten1.flat.copy0+31392{73728,288,96,32,1}

.part 111/256 core 0
.compute
  c117  copy         oram+0x48900 f32[1,1,3,3,32]{294912,1152,384,128,4} <- oram+0x3700 f32[1,1,3,3,32]{0,128,98304,32768,4}   @w101   ; flatten1 = flatten1.flat.copy0+31680{73728,288,96,32,1} relu1+3520{0,32,24576,8192,1}
.write
  w110  store        dram+0x30ef40 f32[1,1,3,3,32]{294912,1152,384,128,4} <- oram+0x48900 f32[1,1,3,3,32]{294912,1152,384,128,4}   @c117   ; flatten1 = flatten1.flat.copy0+31680{73728,288,96,32,1} flatten1.flat.copy0+31680{73728,288,96,32,1}

.part 112/256 core 0
.compute
  c118  copy         oram+0x48d80 f32[1,1,3,3,32]{294912,1152,384,128,4} <- oram+0x3780 f32[1,1,3,3,32]{0,128,98304,32768,4}   @w102   ; flatten1 = flatten1.flat.copy0+31968{73728,288,96,32,1} relu1+3552{0,32,24576,8192,1}
.write
  w111  store        dram+0x30f3c0 f32[1,1,3,3,32]{294912,1152,384,128,4} <- oram+0x48d80 f32[1,1,3,3,32]{294912,1152,384,128,4}   @c118   ; flatten1 = flatten1.flat.copy0+31968{73728,288,96,32,1} flatten1.flat.copy0+31968{73728,288,96,32,1}

.part 113/256 core 0
.compute
  c119  copy         oram+0x49200 f32[1,1,3,3,32]{294912,1152,384,128,4} <- oram+0x3800 f32[1,1,3,3,32]{0,128,98304,32768,4}   @w103   ; flatten1 = flatten1.flat.copy0+32256{73728,288,96,32,1} relu1+3584{0,32,24576,8192,1}
.write
  w112  store        dram+0x30f840 f32[1,1,3,3,32]{294912,1152,384,128,4} <- oram+0x49200 f32[1,1,3,3,32]{294912,1152,384,128,4}   @c119   ; flatten1 = flatten1.flat.copy0+32256{73728,288,96,32,1} flatten1.flat.copy0+32256{73728,288,96,32,1}

.part 114/256 core 0
.compute
  c120  copy         oram+0x49680 f32[1,1,3,3,32]{294912,1152,384,128,4} <- oram+0x3880 f32[1,1,3,3,32]{0,128,98304,32768,4}   @w104   ; flatten1 = flatten1.flat.copy0+32544{73728,288,96,32,1} relu1+3616{0,32,24576,8192,1}
.write
  w113  store        dram+0x30fcc0 f32[1,1,3,3,32]{294912,1152,384,128,4} <- oram+0x49680 f32[1,1,3,3,32]{294912,1152,384,128,4}   @c120   ; flatten1 = flatten1.flat.copy0+32544{73728,288,96,32,1} flatten1.flat.copy0+32544{73728,288,96,32,1}

.part 115/256 core 0
.compute
  c121  copy         oram+0x49b00 f32[1,1,3,3,32]{294912,1152,384,128,4} <- oram+0x3900 f32[1,1,3,3,32]{0,128,98304,32768,4}   @w105   ; flatten1 = flatten1.flat.copy0+32832{73728,288,96,32,1} relu1+3648{0,32,24576,8192,1}
.write
  w114  store        dram+0x310140 f32[1,1,3,3,32]{294912,1152,384,128,4} <- oram+0x49b00 f32[1,1,3,3,32]{294912,1152,384,128,4}   @c121   ; flatten1 = flatten1.flat.copy0+32832{73728,288,96,32,1} flatten1.flat.copy0+32832{73728,288,96,32,1}

.part 116/256 core 0
.compute
  c122  copy         oram+0x49f80 f32[1,1,3,3,32]{294912,1152,384,128,4} <- oram+0x3980 f32[1,1,3,3,32]{0,128,98304,32768,4}   @w106   ; flatten1 = flatten1.flat.copy0+33120{73728,288,96,32,1} relu1+3680{0,32,24576,8192,1}
.write
  w115  store        dram+0x3105c0 f32[1,1,3,3,32]{294912,1152,384,128,4} <- oram+0x49f80 f32[1,1,3,3,32]{294912,1152,384,128,4}   @c122   ; flatten1 = flatten1.flat.copy0+33120{73728,288,96,32,1} flatten1.flat.copy0+33120{73728,288,96,32,1}

.part 117/256 core 0
.compute
  c123  copy         oram+0x4a400 f32[1,1,3,3,32]{294912,1152,384,128,4} <- oram+0x3a00 f32[1,1,3,3,32]{0,128,98304,32768,4}   @w107   ; flatten1 = flatten1.flat.copy0+33408{73728,288,96,32,1} relu1+3712{0,32,24576,8192,1}
.write
  w116  store        dram+0x310a40 f32[1,1,3,3,32]{294912,1152,384,128,4} <- oram+0x4a400 f32[1,1,3,3,32]{294912,1152,384,128,4}   @c123   ; flatten1 = flatten1.flat.copy0+33408{73728,288,96,32,1} flatten1.flat.copy0+33408{73728,288,96,32,1}

.part 118/256 core 0
.compute
  c124  copy         oram+0x48000 f32[1,1,3,3,32]{294912,1152,384,128,4} <- oram+0x3a80 f32[1,1,3,3,32]{0,128,98304,32768,4}   @w108   ; flatten1 = flatten1.flat.copy0+33696{73728,288,96,32,1} relu1+3744{0,32,24576,8192,1}
.write
  w117  store        dram+0x310ec0 f32[1,1,3,3,32]{294912,1152,384,128,4} <- oram+0x48000 f32[1,1,3,3,32]{294912,1152,384,128,4}   @c124   ; flatten1 = flatten1.flat.copy0+33696{73728,288,96,32,1} flatten1.flat.copy0+33696{73728,288,96,32,1}

.part 119/256 core 0
.compute
  c125  copy         oram+0x48480 f32[1,1,3,3,32]{294912,1152,384,128,4} <- oram+0x3b00 f32[1,1,3,3,32]{0,128,98304,32768,4}   @w109   ; flatten1 = flatten1.flat.copy0+33984{73728,288,96,32,1} relu1+3776{0,32,24576,8192,1}
.write
  w118  store        dram+0x311340 f32[1,1,3,3,32]{294912,1152,384,128,4} <- oram+0x48480 f32[1,1,3,3,32]{294912,1152,384,128,4}   @c125   ; flatten1 = flatten1.flat.copy0+33984{73728,288,96,32,1} flatten1.flat.copy0+33984{73728,288,96,32,1}

.part 120/256 core 0
.compute
  c126  copy         oram+0x48900 f32[1,1,3,3,32]{294912,1152,384,128,4} <- oram+0x3b80 f32[1,1,3,3,32]{0,128,98304,32768,4}   @w110   ; flatten1 = flatten1.flat.copy0+34272{73728,288,96,32,1} relu1+3808{0,32,24576,8192,1}
.write
  w119  store        dram+0x3117c0 f32[1,1,3,3,32]{294912,1152,384,128,4} <- oram+0x48900 f32[1,1,3,3,32]{294912,1152,384,128,4}   @c126   ; flatten1 = flatten1.flat.copy0+34272{73728,288,96,32,1} flatten1.flat.copy0+34272{73728,288,96,32,1}

.part 121/256 core 0
.compute
  c127  copy         oram+0x48d80 f32[1,1,3,3,32]{294912,1152,384,128,4} <- oram+0x3c00 f32[1,1,3,3,32]{0,128,98304,32768,4}   @w111   ; flatten1 = flatten1.flat.copy0+34560{73728,288,96,32,1} relu1+3840{0,32,24576,8192,1}
.write
  w120  store        dram+0x311c40 f32[1,1,3,3,32]{294912,1152,384,128,4} <- oram+0x48d80 f32[1,1,3,3,32]{294912,1152,384,128,4}   @c127   ; flatten1 = flatten1.flat.copy0+34560{73728,288,96,32,1} flatten1.flat.copy0+34560{73728,288,96,32,1}

.part 122/256 core 0
.compute
  c128  copy         oram+0x49200 f32[1,1,3,3,32]{294912,1152,384,128,4} <- oram+0x3c80 f32[1,1,3,3,32]{0,128,98304,32768,4}   @w112   ; flatten1 = flatten1.flat.copy0+34848{73728,288,96,32,1} relu1+3872{0,32,24576,8192,1}
.write
  w121  store        dram+0x3120c0 f32[1,1,3,3,32]{294912,1152,384,128,4} <- oram+0x49200 f32[1,1,3,3,32]{294912,1152,384,128,4}   @c128   ; flatten1 = flatten1.flat.copy0+34848{73728,288,96,32,1} flatten1.flat.copy0+34848{73728,288,96,32,1}

.part 123/256 core 0
.compute
  c129  copy         oram+0x49680 f32[1,1,3,3,32]{294912,1152,384,128,4} <- oram+0x3d00 f32[1,1,3,3,32]{0,128,98304,32768,4}   @w113   ; flatten1 = flatten1.flat.copy0+35136{73728,288,96,32,1} relu1+3904{0,32,24576,8192,1}
.write
  w122  store        dram+0x312540 f32[1,1,3,3,32]{294912,1152,384,128,4} <- oram+0x49680 f32[1,1,3,3,32]{294912,1152,384,128,4}   @c129   ; flatten1 = flatten1.flat.copy0+35136{73728,288,96,32,1} flatten1.flat.copy0+35136{73728,288,96,32,1}

.part 124/256 core 0
.compute
  c130  copy         oram+0x49b00 f32[1,1,3,3,32]{294912,1152,384,128,4} <- oram+0x3d80 f32[1,1,3,3,32]{0,128,98304,32768,4}   @w114   ; flatten1 = flatten1.flat.copy0+35424{73728,288,96,32,1} relu1+3936{0,32,24576,8192,1}
.write
  w123  store        dram+0x3129c0 f32[1,1,3,3,32]{294912,1152,384,128,4} <- oram+0x49b00 f32[1,1,3,3,32]{294912,1152,384,128,4}   @c130   ; flatten1 = flatten1.flat.copy0+35424{73728,288,96,32,1} flatten1.flat.copy0+35424{73728,288,96,32,1}

.part 125/256 core 0
.compute
  c131  copy         oram+0x49f80 f32[1,1,3,3,32]{294912,1152,384,128,4} <- oram+0x3e00 f32[1,1,3,3,32]{0,128,98304,32768,4}   @w115   ; flatten1 = flatten1.flat.copy0+35712{73728,288,96,32,1} relu1+3968{0,32,24576,8192,1}
.write
  w124  store        dram+0x312e40 f32[1,1,3,3,32]{294912,1152,384,128,4} <- oram+0x49f80 f32[1,1,3,3,32]{294912,1152,384,128,4}   @c131   ; flatten1 = flatten1.flat.copy0+35712{73728,288,96,32,1} flatten1.flat.copy0+35712{73728,288,96,32,1}

.part 126/256 core 0
.compute
  c132  copy         oram+0x4a400 f32[1,1,3,3,32]{294912,1152,384,128,4} <- oram+0x3e80 f32[1,1,3,3,32]{0,128,98304,32768,4}   @w116   ; flatten1 = flatten1.flat.copy0+36000{73728,288,96,32,1} relu1+4000{0,32,24576,8192,1}
.write
  w125  store        dram+0x3132c0 f32[1,1,3,3,32]{294912,1152,384,128,4} <- oram+0x4a400 f32[1,1,3,3,32]{294912,1152,384,128,4}   @c132   ; flatten1 = flatten1.flat.copy0+36000{73728,288,96,32,1} flatten1.flat.copy0+36000{73728,288,96,32,1}

.part 127/256 core 0
.compute
  c133  copy         oram+0x48000 f32[1,1,3,3,32]{294912,1152,384,128,4} <- oram+0x3f00 f32[1,1,3,3,32]{0,128,98304,32768,4}   @w117   ; flatten1 = flatten1.flat.copy0+36288{73728,288,96,32,1} relu1+4032{0,32,24576,8192,1}
.write
  w126  store        dram+0x313740 f32[1,1,3,3,32]{294912,1152,384,128,4} <- oram+0x48000 f32[1,1,3,3,32]{294912,1152,384,128,4}   @c133   ; flatten1 = flatten1.flat.copy0+36288{73728,288,96,32,1} flatten1.flat.copy0+36288{73728,288,96,32,1}

.part 128/256 core 0
.compute
  c134  copy         oram+0x48480 f32[1,1,3,3,32]{294912,1152,384,128,4} <- oram+0x3f80 f32[1,1,3,3,32]{0,128,98304,32768,4}   @w118   ; flatten1 = flatten1.flat.copy0+36576{73728,288,96,32,1} relu1+4064{0,32,24576,8192,1}
.write
  w127  store        dram+0x313bc0 f32[1,1,3,3,32]{294912,1152,384,128,4} <- oram+0x48480 f32[1,1,3,3,32]{294912,1152,384,128,4}   @c134   ; flatten1 = flatten1.flat.copy0+36576{73728,288,96,32,1} flatten1.flat.copy0+36576{73728,288,96,32,1}

.part 129/256 core 0
.compute
  c135  copy         oram+0x48900 f32[1,1,3,3,32]{294912,1152,384,128,4} <- oram+0x4000 f32[1,1,3,3,32]{0,128,98304,32768,4}   @w119   ; flatten1 = flatten1.flat.copy0+36864{73728,288,96,32,1} relu1+4096{0,32,24576,8192,1}
.write
  w128  store        dram+0x314040 f32[1,1,3,3,32]{294912,1152,384,128,4} <- oram+0x48900 f32[1,1,3,3,32]{294912,1152,384,128,4}   @c135   ; flatten1 = flatten1.flat.copy0+36864{73728,288,96,32,1} flatten1.flat.copy0+36864{73728,288,96,32,1}

.part 130/256 core 0
.compute
  c136  copy         oram+0x48d80 f32[1,1,3,3,32]{294912,1152,384,128,4} <- oram+0x4080 f32[1,1,3,3,32]{0,128,98304,32768,4}   @w120   ; flatten1 = flatten1.flat.copy0+37152{73728,288,96,32,1} relu1+4128{0,32,24576,8192,1}
.write
  w129  store        dram+0x3144c0 f32[1,1,3,3,32]{294912,1152,384,128,4} <- oram+0x48d80 f32[1,1,3,3,32]{294912,1152,384,128,4}   @c136   ; flatten1 = flatten1.flat.copy0+37152{73728,288,96,32,1} flatten1.flat.copy0+37152{73728,288,96,32,1}

.part 131/256 core 0
.compute
  c137  copy         oram+0x49200 f32[1,1,3,3,32]{294912,1152,384,128,4} <- oram+0x4100 f32[1,1,3,3,32]{0,128,98304,32768,4}   @w121   ; flatten1 = flatten1.flat.copy0+37440{73728,288,96,32,1} relu1+4160{0,32,24576,8192,1}
.write
  w130  store        dram+0x314940 f32[1,1,3,3,32]{294912,1152,384,128,4} <- oram+0x49200 f32[1,1,3,3,32]{294912,1152,384,128,4}   @c137   ; flatten1 = flatten1.flat.copy0+37440{73728,288,96,32,1} flatten1.flat.copy0+37440{73728,288,96,32,1}

.part 132/256 core 0
.compute
  c138  copy         oram+0x49680 f32[1,1,3,3,32]{294912,1152,384,128,4} <- oram+0x4180 f32[1,1,3,3,32]{0,128,98304,32768,4}   @w122   ; flatten1 = flatten1.flat.copy0+37728{73728,288,96,32,1} relu1+4192{0,32,24576,8192,1}
.write
  w131  store        dram+0x314dc0 f32[1,1,3,3,32]{294912,1152,384,128,4} <- oram+0x49680 f32[1,1,3,3,32]{294912,1152,384,128,4}   @c138   ; flatten1 = flatten1.flat.copy0+37728{73728,288,96,32,1} flatten1.flat.copy0+37728{73728,288,96,32,1}

.part 133/256 core 0
.compute
  c139  copy         oram+0x49b00 f32[1,1,3,3,32]{294912,1152,384,128,4} <- oram+0x4200 f32[1,1,3,3,32]{0,128,98304,32768,4}   @w123   ; flatten1 = flatten1.flat.copy0+38016{73728,288,96,32,1} relu1+4224{0,32,24576,8192,1}
.write
  w132  store        dram+0x315240 f32[1,1,3,3,32]{294912,1152,384,128,4} <- oram+0x49b00 f32[1,1,3,3,32]{294912,1152,384,128,4}   @c139   ; flatten1 = flatten1.flat.copy0+38016{73728,288,96,32,1} flatten1.flat.copy0+38016{73728,288,96,32,1}

.part 134/256 core 0
.compute
  c140  copy         oram+0x49f80 f32[1,1,3,3,32]{294912,1152,384,128,4} <- oram+0x4280 f32[1,1,3,3,32]{0,128,98304,32768,4}   @w124   ; flatten1 = flatten1.flat.copy0+38304{73728,288,96,32,1} relu1+4256{0,32,24576,8192,1}
.write
  w133  store        dram+0x3156c0 f32[1,1,3,3,32]{294912,1152,384,128,4} <- oram+0x49f80 f32[1,1,3,3,32]{294912,1152,384,128,4}   @c140   ; flatten1 = flatten1.flat.copy0+38304{73728,288,96,32,1} flatten1.flat.copy0+38304{73728,288,96,32,1}

.part 135/256 core 0
.compute
  c141  copy         oram+0x4a400 f32[1,1,3,3,32]{294912,1152,384,128,4} <- oram+0x4300 f32[1,1,3,3,32]{0,128,98304,32768,4}   @w125   ; flatten1 = flatten1.flat.copy0+38592{73728,288,96,32,1} relu1+4288{0,32,24576,8192,1}
.write
  w134  store        dram+0x315b40 f32[1,1,3,3,32]{294912,1152,384,128,4} <- oram+0x4a400 f32[1,1,3,3,32]{294912,1152,384,128,4}   @c141   ; flatten1 = flatten1.flat.copy0+38592{73728,288,96,32,1} flatten1.flat.copy0+38592{73728,288,96,32,1}

.part 136/256 core 0
.compute
  c142  copy         oram+0x48000 f32[1,1,3,3,32]{294912,1152,384,128,4} <- oram+0x4380 f32[1,1,3,3,32]{0,128,98304,32768,4}   @w126   ; flatten1 = flatten1.flat.copy0+38880{73728,288,96,32,1} relu1+4320{0,32,24576,8192,1}
.write
  w135  store        dram+0x315fc0 f32[1,1,3,3,32]{294912,1152,384,128,4} <- oram+0x48000 f32[1,1,3,3,32]{294912,1152,384,128,4}   @c142   ; flatten1 = flatten1.flat.copy0+38880{73728,288,96,32,1} flatten1.flat.copy0+38880{73728,288,96,32,1}

.part 137/256 core 0
.compute
  c143  copy         oram+0x48480 f32[1,1,3,3,32]{294912,1152,384,128,4} <- oram+0x4400 f32[1,1,3,3,32]{0,128,98304,32768,4}   @w127   ; flatten1 = flatten1.flat.copy0+39168{73728,288,96,32,1} relu1+4352{0,32,24576,8192,1}
.write
  w136  store        dram+0x316440 f32[1,1,3,3,32]{294912,1152,384,128,4} <- oram+0x48480 f32[1,1,3,3,32]{294912,1152,384,128,4}   @c143   ; flatten1 = flatten1.flat.copy0+39168{73728,288,96,32,1} flatten1.flat.copy0+39168{73728,288,96,32,1}

.part 138/256 core 0
.compute
  c144  copy         oram+0x48900 f32[1,1,3,3,32]{294912,1152,384,128,4} <- oram+0x4480 f32[1,1,3,3,32]{0,128,98304,32768,4}   @w128   ; flatten1 = flatten1.flat.copy0+39456{73728,288,96,32,1} relu1+4384{0,32,24576,8192,1}
.write
  w137  store        dram+0x3168c0 f32[1,1,3,3,32]{294912,1152,384,128,4} <- oram+0x48900 f32[1,1,3,3,32]{294912,1152,384,128,4}   @c144   ; flatten1 = flatten1.flat.copy0+39456{73728,288,96,32,1} flatten1.flat.copy0+39456{73728,288,96,32,1}

.part 139/256 core 0
.compute
  c145  copy         oram+0x48d80 f32[1,1,3,3,32]{294912,1152,384,128,4} <- oram+0x4500 f32[1,1,3,3,32]{0,128,98304,32768,4}   @w129   ; flatten1 = flatten1.flat.copy0+39744{73728,288,96,32,1} relu1+4416{0,32,24576,8192,1}
.write
  w138  store        dram+0x316d40 f32[1,1,3,3,32]{294912,1152,384,128,4} <- oram+0x48d80 f32[1,1,3,3,32]{294912,1152,384,128,4}   @c145   ; flatten1 = flatten1.flat.copy0+39744{73728,288,96,32,1} flatten1.flat.copy0+39744{73728,288,96,32,1}

.part 140/256 core 0
.compute
  c146  copy         oram+0x49200 f32[1,1,3,3,32]{294912,1152,384,128,4} <- oram+0x4580 f32[1,1,3,3,32]{0,128,98304,32768,4}   @w130   ; flatten1 = flatten1.flat.copy0+40032{73728,288,96,32,1} relu1+4448{0,32,24576,8192,1}
.write
  w139  store        dram+0x3171c0 f32[1,1,3,3,32]{294912,1152,384,128,4} <- oram+0x49200 f32[1,1,3,3,32]{294912,1152,384,128,4}   @c146   ; flatten1 = flatten1.flat.copy0+40032{73728,288,96,32,1} flatten1.flat.copy0+40032{73728,288,96,32,1}

.part 141/256 core 0
.compute
  c147  copy         oram+0x49680 f32[1,1,3,3,32]{294912,1152,384,128,4} <- oram+0x4600 f32[1,1,3,3,32]{0,128,98304,32768,4}   @w131   ; flatten1 = flatten1.flat.copy0+40320{73728,288,96,32,1} relu1+4480{0,32,24576,8192,1}
.write
  w140  store        dram+0x317640 f32[1,1,3,3,32]{294912,1152,384,128,4} <- oram+0x49680 f32[1,1,3,3,32]{294912,1152,384,128,4}   @c147   ; flatten1 = flatten1.flat.copy0+40320{73728,288,96,32,1} flatten1.flat.copy0+40320{73728,288,96,32,1}

.part 142/256 core 0
.compute
  c148  copy         oram+0x49b00 f32[1,1,3,3,32]{294912,1152,384,128,4} <- oram+0x4680 f32[1,1,3,3,32]{0,128,98304,32768,4}   @w132   ; flatten1 = flatten1.flat.copy0+40608{73728,288,96,32,1} relu1+4512{0,32,24576,8192,1}
.write
  w141  store        dram+0x317ac0 f32[1,1,3,3,32]{294912,1152,384,128,4} <- oram+0x49b00 f32[1,1,3,3,32]{294912,1152,384,128,4}   @c148   ; flatten1 = flatten1.flat.copy0+40608{73728,288,96,32,1} flatten1.flat.copy0+40608{73728,288,96,32,1}

.part 143/256 core 0
.compute
  c149  copy         oram+0x49f80 f32[1,1,3,3,32]{294912,1152,384,128,4} <- oram+0x4700 f32[1,1,3,3,32]{0,128,98304,32768,4}   @w133   ; flatten1 = flatten1.flat.copy0+40896{73728,288,96,32,1} relu1+4544{0,32,24576,8192,1}
.write
  w142  store        dram+0x317f40 f32[1,1,3,3,32]{294912,1152,384,128,4} <- oram+0x49f80 f32[1,1,3,3,32]{294912,1152,384,128,4}   @c149   ; flatten1 = flatten1.flat.copy0+40896{73728,288,96,32,1} flatten1.flat.copy0+40896{73728,288,96,32,1}

.part 144/256 core 0
.compute
  c150  copy         oram+0x4a400 f32[1,1,3,3,32]{294912,1152,384,128,4} <- oram+0x4780 f32[1,1,3,3,32]{0,128,98304,32768,4}   @w134   ; flatten1 = flatten1.flat.copy0+41184{73728,288,96,32,1} relu1+4576{0,32,24576,8192,1}
.write
  w143  store        dram+0x3183c0 f32[1,1,3,3,32]{294912,1152,384,128,4} <- oram+0x4a400 f32[1,1,3,3,32]{294912,1152,384,128,4}   @c150   ; flatten1 = flatten1.flat.copy0+41184{73728,288,96,32,1} flatten1.flat.copy0+41184{73728,288,96,32,1}

.part 145/256 core 0
.compute
  c151  copy         oram+0x48000 f32[1,1,3,3,32]{294912,1152,384,128,4} <- oram+0x4800 f32[1,1,3,3,32]{0,128,98304,32768,4}   @w135   ; flatten1 = flatten1.flat.copy0+41472{73728,288,96,32,1} relu1+4608{0,32,24576,8192,1}
.write
  w144  store        dram+0x318840 f32[1,1,3,3,32]{294912,1152,384,128,4} <- oram+0x48000 f32[1,1,3,3,32]{294912,1152,384,128,4}   @c151   ; flatten1 = flatten1.flat.copy0+41472{73728,288,96,32,1} flatten1.flat.copy0+41472{73728,288,96,32,1}

.part 146/256 core 0
.compute
  c152  copy         oram+0x48480 f32[1,1,3,3,32]{294912,1152,384,128,4} <- oram+0x4880 f32[1,1,3,3,32]{0,128,98304,32768,4}   @w136   ; flatten1 = flatten1.flat.copy0+41760{73728,288,96,32,1} relu1+4640{0,32,24576,8192,1}
.write
  w145  store        dram+0x318cc0 f32[1,1,3,3,32]{294912,1152,384,128,4} <- oram+0x48480 f32[1,1,3,3,32]{294912,1152,384,128,4}   @c152   ; flatten1 = flatten1.flat.copy0+41760{73728,288,96,32,1} flatten1.flat.copy0+41760{73728,288,96,32,1}

.part 147/256 core 0
.compute
  c153  copy         oram+0x48900 f32[1,1,3,3,32]{294912,1152,384,128,4} <- oram+0x4900 f32[1,1,3,3,32]{0,128,98304,32768,4}   @w137   ; flatten1 = flatten1.flat.copy0+42048{73728,288,96,32,1} relu1+4672{0,32,24576,8192,1}
.write
  w146  store        dram+0x319140 f32[1,1,3,3,32]{294912,1152,384,128,4} <- oram+0x48900 f32[1,1,3,3,32]{294912,1152,384,128,4}   @c153   ; flatten1 = flatten1.flat.copy0+42048{73728,288,96,32,1} flatten1.flat.copy0+42048{73728,288,96,32,1}

.part 148/256 core 0
.compute
  c154  copy         oram+0x48d80 f32[1,1,3,3,32]{294912,1152,384,128,4} <- oram+0x4980 f32[1,1,3,3,32]{0,128,98304,32768,4}   @w138   ; flatten1 = flatten1.flat.copy0+42336{73728,288,96,32,1} relu1+4704{0,32,24576,8192,1}
.write
  w147  store        dram+0x3195c0 f32[1,1,3,3,32]{294912,1152,384,128,4} <- oram+0x48d80 f32[1,1,3,3,32]{294912,1152,384,128,4}   @c154   ; flatten1 = flatten1.flat.copy0+42336{73728,288,96,32,1} flatten1.flat.copy0+42336{73728,288,96,32,1}

.part 149/256 core 0
.compute
  c155  copy         oram+0x49200 f32[1,1,3,3,32]{294912,1152,384,128,4} <- oram+0x4a00 f32[1,1,3,3,32]{0,128,98304,32768,4}   @w139   ; flatten1 = flatten1.flat.copy0+42624{73728,288,96,32,1} relu1+4736{0,32,24576,8192,1}
.write
  w148  store        dram+0x319a40 f32[1,1,3,3,32]{294912,1152,384,128,4} <- oram+0x49200 f32[1,1,3,3,32]{294912,1152,384,128,4}   @c155   ; flatten1 = flatten1.flat.copy0+42624{73728,288,96,32,1} flatten1.flat.copy0+42624{73728,288,96,32,1}

.part 150/256 core 0
.compute
  c156  copy         oram+0x49680 f32[1,1,3,3,32]{294912,1152,384,128,4} <- oram+0x4a80 f32[1,1,3,3,32]{0,128,98304,32768,4}   @w140   ; flatten1 = flatten1.flat.copy0+42912{73728,288,96,32,1} relu1+4768{0,32,24576,8192,1}
.write
  w149  store        dram+0x319ec0 f32[1,1,3,3,32]{294912,1152,384,128,4} <- oram+0x49680 f32[1,1,3,3,32]{294912,1152,384,128,4}   @c156   ; flatten1 = flatten1.flat.copy0+42912{73728,288,96,32,1} flatten1.flat.copy0+42912{73728,288,96,32,1}

.part 151/256 core 0
.compute
  c157  copy         oram+0x49b00 f32[1,1,3,3,32]{294912,1152,384,128,4} <- oram+0x4b00 f32[1,1,3,3,32]{0,128,98304,32768,4}   @w141   ; flatten1 = flatten1.flat.copy0+43200{73728,288,96,32,1} relu1+4800{0,32,24576,8192,1}
.write
  w150  store        dram+0x31a340 f32[1,1,3,3,32]{294912,1152,384,128,4} <- oram+0x49b00 f32[1,1,3,3,32]{294912,1152,384,128,4}   @c157   ; flatten1 = flatten1.flat.copy0+43200{73728,288,96,32,1} flatten1.flat.copy0+43200{73728,288,96,32,1}

.part 152/256 core 0
.compute
  c158  copy         oram+0x49f80 f32[1,1,3,3,32]{294912,1152,384,128,4} <- oram+0x4b80 f32[1,1,3,3,32]{0,128,98304,32768,4}   @w142   ; flatten1 = flatten1.flat.copy0+43488{73728,288,96,32,1} relu1+4832{0,32,24576,8192,1}
.write
  w151  store        dram+0x31a7c0 f32[1,1,3,3,32]{294912,1152,384,128,4} <- oram+0x49f80 f32[1,1,3,3,32]{294912,1152,384,128,4}   @c158   ; flatten1 = flatten1.flat.copy0+43488{73728,288,96,32,1} flatten1.flat.copy0+43488{73728,288,96,32,1}

.part 153/256 core 0
.compute
  c159  copy         oram+0x4a400 f32[1,1,3,3,32]{294912,1152,384,128,4} <- oram+0x4c00 f32[1,1,3,3,32]{0,128,98304,32768,4}   @w143   ; flatten1 = flatten1.flat.copy0+43776{73728,288,96,32,1} relu1+4864{0,32,24576,8192,1}
.write
  w152  store        dram+0x31ac40 f32[1,1,3,3,32]{294912,1152,384,128,4} <- oram+0x4a400 f32[1,1,3,3,32]{294912,1152,384,128,4}   @c159   ; flatten1 = flatten1.flat.copy0+43776{73728,288,96,32,1} flatten1.flat.copy0+43776{73728,288,96,32,1}

.part 154/256 core 0
.compute
  c160  copy         oram+0x48000 f32[1,1,3,3,32]{294912,1152,384,128,4} <- oram+0x4c80 f32[1,1,3,3,32]{0,128,98304,32768,4}   @w144   ; flatten1 = flatten1.flat.copy0+44064{73728,288,96,32,1} relu1+4896{0,32,24576,8192,1}
.write
  w153  store        dram+0x31b0c0 f32[1,1,3,3,32]{294912,1152,384,128,4} <- oram+0x48000 f32[1,1,3,3,32]{294912,1152,384,128,4}   @c160   ; flatten1 = flatten1.flat.copy0+44064{73728,288,96,32,1} flatten1.flat.copy0+44064{73728,288,96,32,1}

.part 155/256 core 0
.compute
  c161  copy         oram+0x48480 f32[1,1,3,3,32]{294912,1152,384,128,4} <- oram+0x4d00 f32[1,1,3,3,32]{0,128,98304,32768,4}   @w145   ; flatten1 = flatten1.flat.copy0+44352{73728,288,96,32,1} relu1+4928{0,32,24576,8192,1}
.write
  w154  store        dram+0x31b540 f32[1,1,3,3,32]{294912,1152,384,128,4} <- oram+0x48480 f32[1,1,3,3,32]{294912,1152,384,128,4}   @c161   ; flatten1 = flatten1.flat.copy0+44352{73728,288,96,32,1} flatten1.flat.copy0+44352{73728,288,96,32,1}

.part 156/256 core 0
.compute
  c162  copy         oram+0x48900 f32[1,1,3,3,32]{294912,1152,384,128,4} <- oram+0x4d80 f32[1,1,3,3,32]{0,128,98304,32768,4}   @w146   ; flatten1 = flatten1.flat.copy0+44640{73728,288,96,32,1} relu1+4960{0,32,24576,8192,1}
.write
  w155  store        dram+0x31b9c0 f32[1,1,3,3,32]{294912,1152,384,128,4} <- oram+0x48900 f32[1,1,3,3,32]{294912,1152,384,128,4}   @c162   ; flatten1 = flatten1.flat.copy0+44640{73728,288,96,32,1} flatten1.flat.copy0+44640{73728,288,96,32,1}

.part 157/256 core 0
.compute
  c163  copy         oram+0x48d80 f32[1,1,3,3,32]{294912,1152,384,128,4} <- oram+0x4e00 f32[1,1,3,3,32]{0,128,98304,32768,4}   @w147   ; flatten1 = flatten1.flat.copy0+44928{73728,288,96,32,1} relu1+4992{0,32,24576,8192,1}
.write
  w156  store        dram+0x31be40 f32[1,1,3,3,32]{294912,1152,384,128,4} <- oram+0x48d80 f32[1,1,3,3,32]{294912,1152,384,128,4}   @c163   ; flatten1 = flatten1.flat.copy0+44928{73728,288,96,32,1} flatten1.flat.copy0+44928{73728,288,96,32,1}

.part 158/256 core 0
.compute
  c164  copy         oram+0x49200 f32[1,1,3,3,32]{294912,1152,384,128,4} <- oram+0x4e80 f32[1,1,3,3,32]{0,128,98304,32768,4}   @w148   ; flatten1 = flatten1.flat.copy0+45216{73728,288,96,32,1} relu1+5024{0,32,24576,8192,1}
.write
  w157  store        dram+0x31c2c0 f32[1,1,3,3,32]{294912,1152,384,128,4} <- oram+0x49200 f32[1,1,3,3,32]{294912,1152,384,128,4}   @c164   ; flatten1 = flatten1.flat.copy0+45216{73728,288,96,32,1} flatten1.flat.copy0+45216{73728,288,96,32,1}

.part 159/256 core 0
.compute
  c165  copy         oram+0x49680 f32[1,1,3,3,32]{294912,1152,384,128,4} <- oram+0x4f00 f32[1,1,3,3,32]{0,128,98304,32768,4}   @w149   ; flatten1 = flatten1.flat.copy0+45504{73728,288,96,32,1} relu1+5056{0,32,24576,8192,1}
.write
  w158  store        dram+0x31c740 f32[1,1,3,3,32]{294912,1152,384,128,4} <- oram+0x49680 f32[1,1,3,3,32]{294912,1152,384,128,4}   @c165   ; flatten1 = flatten1.flat.copy0+45504{73728,288,96,32,1} flatten1.flat.copy0+45504{73728,288,96,32,1}

.part 160/256 core 0
.compute
  c166  copy         oram+0x49b00 f32[1,1,3,3,32]{294912,1152,384,128,4} <- oram+0x4f80 f32[1,1,3,3,32]{0,128,98304,32768,4}   @w150   ; flatten1 = flatten1.flat.copy0+45792{73728,288,96,32,1} relu1+5088{0,32,24576,8192,1}
.write
  w159  store        dram+0x31cbc0 f32[1,1,3,3,32]{294912,1152,384,128,4} <- oram+0x49b00 f32[1,1,3,3,32]{294912,1152,384,128,4}   @c166   ; flatten1 = flatten1.flat.copy0+45792{73728,288,96,32,1} flatten1.flat.copy0+45792{73728,288,96,32,1}

.part 161/256 core 0
.compute
  c167  copy         oram+0x49f80 f32[1,1,3,3,32]{294912,1152,384,128,4} <- oram+0x5000 f32[1,1,3,3,32]{0,128,98304,32768,4}   @w151   ; flatten1 = flatten1.flat.copy0+46080{73728,288,96,32,1} relu1+5120{0,32,24576,8192,1}
.write
  w160  store        dram+0x31d040 f32[1,1,3,3,32]{294912,1152,384,128,4} <- oram+0x49f80 f32[1,1,3,3,32]{294912,1152,384,128,4}   @c167   ; flatten1 = flatten1.flat.copy0+46080{73728,288,96,32,1} flatten1.flat.copy0+46080{73728,288,96,32,1}

.part 162/256 core 0
.compute
  c168  copy         oram+0x4a400 f32[1,1,3,3,32]{294912,1152,384,128,4} <- oram+0x5080 f32[1,1,3,3,32]{0,128,98304,32768,4}   @w152   ; flatten1 = flatten1.flat.copy0+46368{73728,288,96,32,1} relu1+5152{0,32,24576,8192,1}
.write
  w161  store        dram+0x31d4c0 f32[1,1,3,3,32]{294912,1152,384,128,4} <- oram+0x4a400 f32[1,1,3,3,32]{294912,1152,384,128,4}   @c168   ; flatten1 = flatten1.flat.copy0+46368{73728,288,96,32,1} flatten1.flat.copy0+46368{73728,288,96,32,1}

.part 163/256 core 0
.compute
  c169  copy         oram+0x48000 f32[1,1,3,3,32]{294912,1152,384,128,4} <- oram+0x5100 f32[1,1,3,3,32]{0,128,98304,32768,4}   @w153   ; flatten1 = flatten1.flat.copy0+46656{73728,288,96,32,1} relu1+5184{0,32,24576,8192,1}
.write
  w162  store        dram+0x31d940 f32[1,1,3,3,32]{294912,1152,384,128,4} <- oram+0x48000 f32[1,1,3,3,32]{294912,1152,384,128,4}   @c169   ; flatten1 = flatten1.flat.copy0+46656{73728,288,96,32,1} flatten1.flat.copy0+46656{73728,288,96,32,1}

.part 164/256 core 0
.compute
  c170  copy         oram+0x48480 f32[1,1,3,3,32]{294912,1152,384,128,4} <- oram+0x5180 f32[1,1,3,3,32]{0,128,98304,32768,4}   @w154   ; flatten1 = flatten1.flat.copy0+46944{73728,288,96,32,1} relu1+5216{0,32,24576,8192,1}
.write
  w163  store        dram+0x31ddc0 f32[1,1,3,3,32]{294912,1152,384,128,4} <- oram+0x48480 f32[1,1,3,3,32]{294912,1152,384,128,4}   @c170   ; flatten1 = flatten1.flat.copy0+46944{73728,288,96,32,1} flatten1.flat.copy0+46944{73728,288,96,32,1}

.part 165/256 core 0
.compute
  c171  copy         oram+0x48900 f32[1,1,3,3,32]{294912,1152,384,128,4} <- oram+0x5200 f32[1,1,3,3,32]{0,128,98304,32768,4}   @w155   ; flatten1 = flatten1.flat.copy0+47232{73728,288,96,32,1} relu1+5248{0,32,24576,8192,1}
.write
  w164  store        dram+0x31e240 f32[1,1,3,3,32]{294912,1152,384,128,4} <- oram+0x48900 f32[1,1,3,3,32]{294912,1152,384,128,4}   @c171   ; flatten1 = flatten1.flat.copy0+47232{73728,288,96,32,1} flatten1.flat.copy0+47232{73728,288,96,32,1}

.part 166/256 core 0
.compute
  c172  copy         oram+0x48d80 f32[1,1,3,3,32]{294912,1152,384,128,4} <- oram+0x5280 f32[1,1,3,3,32]{0,128,98304,32768,4}   @w156   ; flatten1 = flatten1.flat.copy0+47520{73728,288,96,32,1} relu1+5280{0,32,24576,8192,1}
.write
  w165  store        dram+0x31e6c0 f32[1,1,3,3,32]{294912,1152,384,128,4} <- oram+0x48d80 f32[1,1,3,3,32]{294912,1152,384,128,4}   @c172   ; flatten1 = flatten1.flat.copy0+47520{73728,288,96,32,1} flatten1.flat.copy0+47520{73728,288,96,32,1}

.part 167/256 core 0
.compute
  c173  copy         oram+0x49200 f32[1,1,3,3,32]{294912,1152,384,128,4} <- oram+0x5300 f32[1,1,3,3,32]{0,128,98304,32768,4}   @w157   ; flatten1 = flatten1.flat.copy0+47808{73728,288,96,32,1} relu1+5312{0,32,24576,8192,1}
.write
  w166  store        dram+0x31eb40 f32[1,1,3,3,32]{294912,1152,384,128,4} <- oram+0x49200 f32[1,1,3,3,32]{294912,1152,384,128,4}   @c173   ; flatten1 = flatten1.flat.copy0+47808{73728,288,96,32,1} flatten1.flat.copy0+47808{73728,288,96,32,1}

.part 168/256 core 0
.compute
  c174  copy         oram+0x49680 f32[1,1,3,3,32]{294912,1152,384,128,4} <- oram+0x5380 f32[1,1,3,3,32]{0,128,98304,32768,4}   @w158   ; flatten1 = flatten1.flat.copy0+48096{73728,288,96,32,1} relu1+5344{0,32,24576,8192,1}
.write
  w167  store        dram+0x31efc0 f32[1,1,3,3,32]{294912,1152,384,128,4} <- oram+0x49680 f32[1,1,3,3,32]{294912,1152,384,128,4}   @c174   ; flatten1 = flatten1.flat.copy0+48096{73728,288,96,32,1} flatten1.flat.copy0+48096{73728,288,96,32,1}

.part 169/256 core 0
.compute
  c175  copy         oram+0x49b00 f32[1,1,3,3,32]{294912,1152,384,128,4} <- oram+0x5400 f32[1,1,3,3,32]{0,128,98304,32768,4}   @w159   ; flatten1 = flatten1.flat.copy0+48384{73728,288,96,32,1} relu1+5376{0,32,24576,8192,1}
.write
  w168  store        dram+0x31f440 f32[1,1,3,3,32]{294912,1152,384,128,4} <- oram+0x49b00 f32[1,1,3,3,32]{294912,1152,384,128,4}   @c175   ; flatten1 = flatten1.flat.copy0+48384{73728,288,96,32,1} flatten1.flat.copy0+48384{73728,288,96,32,1}

.part 170/256 core 0
.compute
  c176  copy         oram+0x49f80 f32[1,1,3,3,32]{294912,1152,384,128,4} <- oram+0x5480 f32[1,1,3,3,32]{0,128,98304,32768,4}   @w160   ; flatten1 = flatten1.flat.copy0+48672{73728,288,96,32,1} relu1+5408{0,32,24576,8192,1}
.write
  w169  store        dram+0x31f8c0 f32[1,1,3,3,32]{294912,1152,384,128,4} <- oram+0x49f80 f32[1,1,3,3,32]{294912,1152,384,128,4}   @c176   ; flatten1 = flatten1.flat.copy0+48672{73728,288,96,32,1} flatten1.flat.copy0+48672{73728,288,96,32,1}

.part 171/256 core 0
.compute
  c177  copy         oram+0x4a400 f32[1,1,3,3,32]{294912,1152,384,128,4} <- oram+0x5500 f32[1,1,3,3,32]{0,128,98304,32768,4}   @w161   ; flatten1 = flatten1.flat.copy0+48960{73728,288,96,32,1} relu1+5440{0,32,24576,8192,1}
.write
  w170  store        dram+0x31fd40 f32[1,1,3,3,32]{294912,1152,384,128,4} <- oram+0x4a400 f32[1,1,3,3,32]{294912,1152,384,128,4}   @c177   ; flatten1 = flatten1.flat.copy0+48960{73728,288,96,32,1} flatten1.flat.copy0+48960{73728,288,96,32,1}

.part 172/256 core 0
.compute
  c178  copy         oram+0x48000 f32[1,1,3,3,32]{294912,1152,384,128,4} <- oram+0x5580 f32[1,1,3,3,32]{0,128,98304,32768,4}   @w162   ; flatten1 = flatten1.flat.copy0+49248{73728,288,96,32,1} relu1+5472{0,32,24576,8192,1}
.write
  w171  store        dram+0x3201c0 f32[1,1,3,3,32]{294912,1152,384,128,4} <- oram+0x48000 f32[1,1,3,3,32]{294912,1152,384,128,4}   @c178   ; flatten1 = flatten1.flat.copy0+49248{73728,288,96,32,1} flatten1.flat.copy0+49248{73728,288,96,32,1}

.part 173/256 core 0
.compute
  c179  copy         oram+0x48480 f32[1,1,3,3,32]{294912,1152,384,128,4} <- oram+0x5600 f32[1,1,3,3,32]{0,128,98304,32768,4}   @w163   ; flatten1 = flatten1.flat.copy0+49536{73728,288,96,32,1} relu1+5504{0,32,24576,8192,1}
.write
  w172  store        dram+0x320640 f32[1,1,3,3,32]{294912,1152,384,128,4} <- oram+0x48480 f32[1,1,3,3,32]{294912,1152,384,128,4}   @c179   ; flatten1 = flatten1.flat.copy0+49536{73728,288,96,32,1} flatten1.flat.copy0+49536{73728,288,96,32,1}

.part 174/256 core 0
.compute
  c180  copy         oram+0x48900 f32[1,1,3,3,32]{294912,1152,384,128,4} <- oram+0x5680 f32[1,1,3,3,32]{0,128,98304,32768,4}   @w164   ; flatten1 = flatten1.flat.copy0+49824{73728,288,96,32,1} relu1+5536{0,32,24576,8192,1}
.write
  w173  store        dram+0x320ac0 f32[1,1,3,3,32]{294912,1152,384,128,4} <- oram+0x48900 f32[1,1,3,3,32]{294912,1152,384,128,4}   @c180   ; flatten1 = flatten1.flat.copy0+49824{73728,288,96,32,1} flatten1.flat.copy0+49824{73728,288,96,32,1}

.part 175/256 core 0
.compute
  c181  copy         oram+0x48d80 f32[1,1,3,3,32]{294912,1152,384,128,4} <- oram+0x5700 f32[1,1,3,3,32]{0,128,98304,32768,4}   @w165   ; flatten1 = flatten1.flat.copy0+50112{73728,288,96,32,1} relu1+5568{0,32,24576,8192,1}
.write
  w174  store        dram+0x320f40 f32[1,1,3,3,32]{294912,1152,384,128,4} <- oram+0x48d80 f32[1,1,3,3,32]{294912,1152,384,128,4}   @c181   ; flatten1 = flatten1.flat.copy0+50112{73728,288,96,32,1} flatten1.flat.copy0+50112{73728,288,96,32,1}

.part 176/256 core 0
.compute
  c182  copy         oram+0x49200 f32[1,1,3,3,32]{294912,1152,384,128,4} <- oram+0x5780 f32[1,1,3,3,32]{0,128,98304,32768,4}   @w166   ; flatten1 = flatten1.flat.copy0+50400{73728,288,96,32,1} relu1+5600{0,32,24576,8192,1}
.write
  w175  store        dram+0x3213c0 f32[1,1,3,3,32]{294912,1152,384,128,4} <- oram+0x49200 f32[1,1,3,3,32]{294912,1152,384,128,4}   @c182   ; flatten1 = flatten1.flat.copy0+50400{73728,288,96,32,1} flatten1.flat.copy0+50400{73728,288,96,32,1}

.part 177/256 core 0
.compute
  c183  copy         oram+0x49680 f32[1,1,3,3,32]{294912,1152,384,128,4} <- oram+0x5800 f32[1,1,3,3,32]{0,128,98304,32768,4}   @w167   ; flatten1 = flatten1.flat.copy0+50688{73728,288,96,32,1} relu1+5632{0,32,24576,8192,1}
.write
  w176  store        dram+0x321840 f32[1,1,3,3,32]{294912,1152,384,128,4} <- oram+0x49680 f32[1,1,3,3,32]{294912,1152,384,128,4}   @c183   ; flatten1 = flatten1.flat.copy0+50688{73728,288,96,32,1} flatten1.flat.copy0+50688{73728,288,96,32,1}

.part 178/256 core 0
.compute
  c184  copy         oram+0x49b00 f32[1,1,3,3,32]{294912,1152,384,128,4} <- oram+0x5880 f32[1,1,3,3,32]{0,128,98304,32768,4}   @w168   ; flatten1 = flatten1.flat.copy0+50976{73728,288,96,32,1} relu1+5664{0,32,24576,8192,1}
.write
  w177  store        dram+0x321cc0 f32[1,1,3,3,32]{294912,1152,384,128,4} <- oram+0x49b00 f32[1,1,3,3,32]{294912,1152,384,128,4}   @c184   ; flatten1 = flatten1.flat.copy0+50976{73728,288,96,32,1} flatten1.flat.copy0+50976{73728,288,96,32,1}

.part 179/256 core 0
.compute
  c185  copy         oram+0x49f80 f32[1,1,3,3,32]{294912,1152,384,128,4} <- oram+0x5900 f32[1,1,3,3,32]{0,128,98304,32768,4}   @w169   ; flatten1 = flatten1.flat.copy0+51264{73728,288,96,32,1} relu1+5696{0,32,24576,8192,1}
.write
  w178  store        dram+0x322140 f32[1,1,3,3,32]{294912,1152,384,128,4} <- oram+0x49f80 f32[1,1,3,3,32]{294912,1152,384,128,4}   @c185   ; flatten1 = flatten1.flat.copy0+51264{73728,288,96,32,1} flatten1.flat.copy0+51264{73728,288,96,32,1}

.part 180/256 core 0
.compute
  c186  copy         oram+0x4a400 f32[1,1,3,3,32]{294912,1152,384,128,4} <- oram+0x5980 f32[1,1,3,3,32]{0,128,98304,32768,4}   @w170   ; flatten1 = flatten1.flat.copy0+51552{73728,288,96,32,1} relu1+5728{0,32,24576,8192,1}
.write
  w179  store        dram+0x3225c0 f32[1,1,3,3,32]{294912,1152,384,128,4} <- oram+0x4a400 f32[1,1,3,3,32]{294912,1152,384,128,4}   @c186   ; flatten1 = flatten1.flat.copy0+51552{73728,288,96,32,1} flatten1.flat.copy0+51552{73728,288,96,32,1}

.part 181/256 core 0
.compute
  c187  copy         oram+0x48000 f32[1,1,3,3,32]{294912,1152,384,128,4} <- oram+0x5a00 f32[1,1,3,3,32]{0,128,98304,32768,4}   @w171   ; flatten1 = flatten1.flat.copy0+51840{73728,288,96,32,1} relu1+5760{0,32,24576,8192,1}
.write
  w180  store        dram+0x322a40 f32[1,1,3,3,32]{294912,1152,384,128,4} <- oram+0x48000 f32[1,1,3,3,32]{294912,1152,384,128,4}   @c187   ; flatten1 = flatten1.flat.copy0+51840{73728,288,96,32,1} flatten1.flat.copy0+51840{73728,288,96,32,1}

.part 182/256 core 0
.compute
  c188  copy         oram+0x48480 f32[1,1,3,3,32]{294912,1152,384,128,4} <- oram+0x5a80 f32[1,1,3,3,32]{0,128,98304,32768,4}   @w172   ; flatten1 = flatten1.flat.copy0+52128{73728,288,96,32,1} relu1+5792{0,32,24576,8192,1}
.write
  w181  store        dram+0x322ec0 f32[1,1,3,3,32]{294912,1152,384,128,4} <- oram+0x48480 f32[1,1,3,3,32]{294912,1152,384,128,4}   @c188   ; flatten1 = flatten1.flat.copy0+52128{73728,288,96,32,1} flatten1.flat.copy0+52128{73728,288,96,32,1}

.part 183/256 core 0
.compute
  c189  copy         oram+0x48900 f32[1,1,3,3,32]{294912,1152,384,128,4} <- oram+0x5b00 f32[1,1,3,3,32]{0,128,98304,32768,4}   @w173   ; flatten1 = flatten1.flat.copy0+52416{73728,288,96,32,1} relu1+5824{0,32,24576,8192,1}
.write
  w182  store        dram+0x323340 f32[1,1,3,3,32]{294912,1152,384,128,4} <- oram+0x48900 f32[1,1,3,3,32]{294912,1152,384,128,4}   @c189   ; flatten1 = flatten1.flat.copy0+52416{73728,288,96,32,1} flatten1.flat.copy0+52416{73728,288,96,32,1}

.part 184/256 core 0
.compute
  c190  copy         oram+0x48d80 f32[1,1,3,3,32]{294912,1152,384,128,4} <- oram+0x5b80 f32[1,1,3,3,32]{0,128,98304,32768,4}   @w174   ; flatten1 = flatten1.flat.copy0+52704{73728,288,96,32,1} relu1+5856{0,32,24576,8192,1}
.write
  w183  store        dram+0x3237c0 f32[1,1,3,3,32]{294912,1152,384,128,4} <- oram+0x48d80 f32[1,1,3,3,32]{294912,1152,384,128,4}   @c190   ; flatten1 = flatten1.flat.copy0+52704{73728,288,96,32,1} flatten1.flat.copy0+52704{73728,288,96,32,1}

.part 185/256 core 0
.compute
  c191  copy         oram+0x49200 f32[1,1,3,3,32]{294912,1152,384,128,4} <- oram+0x5c00 f32[1,1,3,3,32]{0,128,98304,32768,4}   @w175   ; flatten1 = flatten1.flat.copy0+52992{73728,288,96,32,1} relu1+5888{0,32,24576,8192,1}
.write
  w184  store        dram+0x323c40 f32[1,1,3,3,32]{294912,1152,384,128,4} <- oram+0x49200 f32[1,1,3,3,32]{294912,1152,384,128,4}   @c191   ; flatten1 = flatten1.flat.copy0+52992{73728,288,96,32,1} flatten1.flat.copy0+52992{73728,288,96,32,1}

.part 186/256 core 0
.compute
  c192  copy         oram+0x49680 f32[1,1,3,3,32]{294912,1152,384,128,4} <- oram+0x5c80 f32[1,1,3,3,32]{0,128,98304,32768,4}   @w176   ; flatten1 = flatten1.flat.copy0+53280{73728,288,96,32,1} relu1+5920{0,32,24576,8192,1}
.write
  w185  store        dram+0x3240c0 f32[1,1,3,3,32]{294912,1152,384,128,4} <- oram+0x49680 f32[1,1,3,3,32]{294912,1152,384,128,4}   @c192   ; flatten1 = flatten1.flat.copy0+53280{73728,288,96,32,1} flatten1.flat.copy0+53280{73728,288,96,32,1}

.part 187/256 core 0
.compute
  c193  copy         oram+0x49b00 f32[1,1,3,3,32]{294912,1152,384,128,4} <- oram+0x5d00 f32[1,1,3,3,32]{0,128,98304,32768,4}   @w177   ; flatten1 = flatten1.flat.copy0+53568{73728,288,96,32,1} relu1+5952{0,32,24576,8192,1}
.write
  w186  store        dram+0x324540 f32[1,1,3,3,32]{294912,1152,384,128,4} <- oram+0x49b00 f32[1,1,3,3,32]{294912,1152,384,128,4}   @c193   ; flatten1 = flatten1.flat.copy0+53568{73728,288,96,32,1} flatten1.flat.copy0+53568{73728,288,96,32,1}

.part 188/256 core 0
.compute
  c194  copy         oram+0x49f80 f32[1,1,3,3,32]{294912,1152,384,128,4} <- oram+0x5d80 f32[1,1,3,3,32]{0,128,98304,32768,4}   @w178   ; flatten1 = flatten1.flat.copy0+53856{73728,288,96,32,1} relu1+5984{0,32,24576,8192,1}
.write
  w187  store        dram+0x3249c0 f32[1,1,3,3,32]{294912,1152,384,128,4} <- oram+0x49f80 f32[1,1,3,3,32]{294912,1152,384,128,4}   @c194   ; flatten1 = flatten1.flat.copy0+53856{73728,288,96,32,1} flatten1.flat.copy0+53856{73728,288,96,32,1}

.part 189/256 core 0
.compute
  c195  copy         oram+0x4a400 f32[1,1,3,3,32]{294912,1152,384,128,4} <- oram+0x5e00 f32[1,1,3,3,32]{0,128,98304,32768,4}   @w179   ; flatten1 = flatten1.flat.copy0+54144{73728,288,96,32,1} relu1+6016{0,32,24576,8192,1}
.write
  w188  store        dram+0x324e40 f32[1,1,3,3,32]{294912,1152,384,128,4} <- oram+0x4a400 f32[1,1,3,3,32]{294912,1152,384,128,4}   @c195   ; flatten1 = flatten1.flat.copy0+54144{73728,288,96,32,1} flatten1.flat.copy0+54144{73728,288,96,32,1}

.part 190/256 core 0
.compute
  c196  copy         oram+0x48000 f32[1,1,3,3,32]{294912,1152,384,128,4} <- oram+0x5e80 f32[1,1,3,3,32]{0,128,98304,32768,4}   @w180   ; flatten1 = flatten1.flat.copy0+54432{73728,288,96,32,1} relu1+6048{0,32,24576,8192,1}
.write
  w189  store        dram+0x3252c0 f32[1,1,3,3,32]{294912,1152,384,128,4} <- oram+0x48000 f32[1,1,3,3,32]{294912,1152,384,128,4}   @c196   ; flatten1 = flatten1.flat.copy0+54432{73728,288,96,32,1} flatten1.flat.copy0+54432{73728,288,96,32,1}

.part 191/256 core 0
.compute
  c197  copy         oram+0x48480 f32[1,1,3,3,32]{294912,1152,384,128,4} <- oram+0x5f00 f32[1,1,3,3,32]{0,128,98304,32768,4}   @w181   ; flatten1 = flatten1.flat.copy0+54720{73728,288,96,32,1} relu1+6080{0,32,24576,8192,1}
.write
  w190  store        dram+0x325740 f32[1,1,3,3,32]{294912,1152,384,128,4} <- oram+0x48480 f32[1,1,3,3,32]{294912,1152,384,128,4}   @c197   ; flatten1 = flatten1.flat.copy0+54720{73728,288,96,32,1} flatten1.flat.copy0+54720{73728,288,96,32,1}

.part 192/256 core 0
.compute
  c198  copy         oram+0x48900 f32[1,1,3,3,32]{294912,1152,384,128,4} <- oram+0x5f80 f32[1,1,3,3,32]{0,128,98304,32768,4}   @w182   ; flatten1 = flatten1.flat.copy0+55008{73728,288,96,32,1} relu1+6112{0,32,24576,8192,1}
.write
  w191  store        dram+0x325bc0 f32[1,1,3,3,32]{294912,1152,384,128,4} <- oram+0x48900 f32[1,1,3,3,32]{294912,1152,384,128,4}   @c198   ; flatten1 = flatten1.flat.copy0+55008{73728,288,96,32,1} flatten1.flat.copy0+55008{73728,288,96,32,1}

.part 193/256 core 0
.compute
  c199  copy         oram+0x48d80 f32[1,1,3,3,32]{294912,1152,384,128,4} <- oram+0x6000 f32[1,1,3,3,32]{0,128,98304,32768,4}   @w183   ; flatten1 = flatten1.flat.copy0+55296{73728,288,96,32,1} relu1+6144{0,32,24576,8192,1}
.write
  w192  store        dram+0x326040 f32[1,1,3,3,32]{294912,1152,384,128,4} <- oram+0x48d80 f32[1,1,3,3,32]{294912,1152,384,128,4}   @c199   ; flatten1 = flatten1.flat.copy0+55296{73728,288,96,32,1} flatten1.flat.copy0+55296{73728,288,96,32,1}

.part 194/256 core 0
.compute
  c200  copy         oram+0x49200 f32[1,1,3,3,32]{294912,1152,384,128,4} <- oram+0x6080 f32[1,1,3,3,32]{0,128,98304,32768,4}   @w184   ; flatten1 = flatten1.flat.copy0+55584{73728,288,96,32,1} relu1+6176{0,32,24576,8192,1}
.write
  w193  store        dram+0x3264c0 f32[1,1,3,3,32]{294912,1152,384,128,4} <- oram+0x49200 f32[1,1,3,3,32]{294912,1152,384,128,4}   @c200   ; flatten1 = flatten1.flat.copy0+55584{73728,288,96,32,1} flatten1.flat.copy0+55584{73728,288,96,32,1}

.part 195/256 core 0
.compute
  c201  copy         oram+0x49680 f32[1,1,3,3,32]{294912,1152,384,128,4} <- oram+0x6100 f32[1,1,3,3,32]{0,128,98304,32768,4}   @w185   ; flatten1 = flatten1.flat.copy0+55872{73728,288,96,32,1} relu1+6208{0,32,24576,8192,1}
.write
  w194  store        dram+0x326940 f32[1,1,3,3,32]{294912,1152,384,128,4} <- oram+0x49680 f32[1,1,3,3,32]{294912,1152,384,128,4}   @c201   ; flatten1 = flatten1.flat.copy0+55872{73728,288,96,32,1} flatten1.flat.copy0+55872{73728,288,96,32,1}

.part 196/256 core 0
.compute
  c202  copy         oram+0x49b00 f32[1,1,3,3,32]{294912,1152,384,128,4} <- oram+0x6180 f32[1,1,3,3,32]{0,128,98304,32768,4}   @w186   ; flatten1 = flatten1.flat.copy0+56160{73728,288,96,32,1} relu1+6240{0,32,24576,8192,1}
.write
  w195  store        dram+0x326dc0 f32[1,1,3,3,32]{294912,1152,384,128,4} <- oram+0x49b00 f32[1,1,3,3,32]{294912,1152,384,128,4}   @c202   ; flatten1 = flatten1.flat.copy0+56160{73728,288,96,32,1} flatten1.flat.copy0+56160{73728,288,96,32,1}

.part 197/256 core 0
.compute
  c203  copy         oram+0x49f80 f32[1,1,3,3,32]{294912,1152,384,128,4} <- oram+0x6200 f32[1,1,3,3,32]{0,128,98304,32768,4}   @w187   ; flatten1 = flatten1.flat.copy0+56448{73728,288,96,32,1} relu1+6272{0,32,24576,8192,1}
.write
  w196  store        dram+0x327240 f32[1,1,3,3,32]{294912,1152,384,128,4} <- oram+0x49f80 f32[1,1,3,3,32]{294912,1152,384,128,4}   @c203   ; flatten1 = flatten1.flat.copy0+56448{73728,288,96,32,1} flatten1.flat.copy0+56448{73728,288,96,32,1}

.part 198/256 core 0
.compute
  c204  copy         oram+0x4a400 f32[1,1,3,3,32]{294912,1152,384,128,4} <- oram+0x6280 f32[1,1,3,3,32]{0,128,98304,32768,4}   @w188   ; flatten1 = flatten1.flat.copy0+56736{73728,288,96,32,1} relu1+6304{0,32,24576,8192,1}
.write
  w197  store        dram+0x3276c0 f32[1,1,3,3,32]{294912,1152,384,128,4} <- oram+0x4a400 f32[1,1,3,3,32]{294912,1152,384,128,4}   @c204   ; flatten1 = flatten1.flat.copy0+56736{73728,288,96,32,1} flatten1.flat.copy0+56736{73728,288,96,32,1}

.part 199/256 core 0
.compute
  c205  copy         oram+0x48000 f32[1,1,3,3,32]{294912,1152,384,128,4} <- oram+0x6300 f32[1,1,3,3,32]{0,128,98304,32768,4}   @w189   ; flatten1 = flatten1.flat.copy0+57024{73728,288,96,32,1} relu1+6336{0,32,24576,8192,1}
.write
  w198  store        dram+0x327b40 f32[1,1,3,3,32]{294912,1152,384,128,4} <- oram+0x48000 f32[1,1,3,3,32]{294912,1152,384,128,4}   @c205   ; flatten1 = flatten1.flat.copy0+57024{73728,288,96,32,1} flatten1.flat.copy0+57024{73728,288,96,32,1}

.part 200/256 core 0
.compute
  c206  copy         oram+0x48480 f32[1,1,3,3,32]{294912,1152,384,128,4} <- oram+0x6380 f32[1,1,3,3,32]{0,128,98304,32768,4}   @w190   ; flatten1 = flatten1.flat.copy0+57312{73728,288,96,32,1} relu1+6368{0,32,24576,8192,1}
.write
  w199  store        dram+0x327fc0 f32[1,1,3,3,32]{294912,1152,384,128,4} <- oram+0x48480 f32[1,1,3,3,32]{294912,1152,384,128,4}   @c206   ; flatten1 = flatten1.flat.copy0+57312{73728,288,96,32,1} flatten1.flat.copy0+57312{73728,288,96,32,1}

.part 201/256 core 0
.compute
  c207  copy         oram+0x48900 f32[1,1,3,3,32]{294912,1152,384,128,4} <- oram+0x6400 f32[1,1,3,3,32]{0,128,98304,32768,4}   @w191   ; flatten1 = flatten1.flat.copy0+57600{73728,288,96,32,1} relu1+6400{0,32,24576,8192,1}
.write
  w200  store        dram+0x328440 f32[1,1,3,3,32]{294912,1152,384,128,4} <- oram+0x48900 f32[1,1,3,3,32]{294912,1152,384,128,4}   @c207   ; flatten1 = flatten1.flat.copy0+57600{73728,288,96,32,1} flatten1.flat.copy0+57600{73728,288,96,32,1}

.part 202/256 core 0
.compute
  c208  copy         oram+0x48d80 f32[1,1,3,3,32]{294912,1152,384,128,4} <- oram+0x6480 f32[1,1,3,3,32]{0,128,98304,32768,4}   @w192   ; flatten1 = flatten1.flat.copy0+57888{73728,288,96,32,1} relu1+6432{0,32,24576,8192,1}
.write
  w201  store        dram+0x3288c0 f32[1,1,3,3,32]{294912,1152,384,128,4} <- oram+0x48d80 f32[1,1,3,3,32]{294912,1152,384,128,4}   @c208   ; flatten1 = flatten1.flat.copy0+57888{73728,288,96,32,1} flatten1.flat.copy0+57888{73728,288,96,32,1}

.part 203/256 core 0
.compute
  c209  copy         oram+0x49200 f32[1,1,3,3,32]{294912,1152,384,128,4} <- oram+0x6500 f32[1,1,3,3,32]{0,128,98304,32768,4}   @w193   ; flatten1 = flatten1.flat.copy0+58176{73728,288,96,32,1} relu1+6464{0,32,24576,8192,1}
.write
  w202  store        dram+0x328d40 f32[1,1,3,3,32]{294912,1152,384,128,4} <- oram+0x49200 f32[1,1,3,3,32]{294912,1152,384,128,4}   @c209   ; flatten1 = flatten1.flat.copy0+58176{73728,288,96,32,1} flatten1.flat.copy0+58176{73728,288,96,32,1}

.part 204/256 core 0
.compute
  c210  copy         oram+0x49680 f32[1,1,3,3,32]{294912,1152,384,128,4} <- oram+0x6580 f32[1,1,3,3,32]{0,128,98304,32768,4}   @w194   ; flatten1 = flatten1.flat.copy0+58464{73728,288,96,32,1} relu1+6496{0,32,24576,8192,1}
.write
  w203  store        dram+0x3291c0 f32[1,1,3,3,32]{294912,1152,384,128,4} <- oram+0x49680 f32[1,1,3,3,32]{294912,1152,384,128,4}   @c210   ; flatten1 = flatten1.flat.copy0+58464{73728,288,96,32,1} flatten1.flat.copy0+58464{73728,288,96,32,1}

.part 205/256 core 0
.compute
  c211  copy         oram+0x49b00 f32[1,1,3,3,32]{294912,1152,384,128,4} <- oram+0x6600 f32[1,1,3,3,32]{0,128,98304,32768,4}   @w195   ; flatten1 = flatten1.flat.copy0+58752{73728,288,96,32,1} relu1+6528{0,32,24576,8192,1}
.write
  w204  store        dram+0x329640 f32[1,1,3,3,32]{294912,1152,384,128,4} <- oram+0x49b00 f32[1,1,3,3,32]{294912,1152,384,128,4}   @c211   ; flatten1 = flatten1.flat.copy0+58752{73728,288,96,32,1} flatten1.flat.copy0+58752{73728,288,96,32,1}

.part 206/256 core 0
.compute
  c212  copy         oram+0x49f80 f32[1,1,3,3,32]{294912,1152,384,128,4} <- oram+0x6680 f32[1,1,3,3,32]{0,128,98304,32768,4}   @w196   ; flatten1 = flatten1.flat.copy0+59040{73728,288,96,32,1} relu1+6560{0,32,24576,8192,1}
.write
  w205  store        dram+0x329ac0 f32[1,1,3,3,32]{294912,1152,384,128,4} <- oram+0x49f80 f32[1,1,3,3,32]{294912,1152,384,128,4}   @c212   ; flatten1 = flatten1.flat.copy0+59040{73728,288,96,32,1} flatten1.flat.copy0+59040{73728,288,96,32,1}

.part 207/256 core 0
.compute
  c213  copy         oram+0x4a400 f32[1,1,3,3,32]{294912,1152,384,128,4} <- oram+0x6700 f32[1,1,3,3,32]{0,128,98304,32768,4}   @w197   ; flatten1 = flatten1.flat.copy0+59328{73728,288,96,32,1} relu1+6592{0,32,24576,8192,1}
.write
  w206  store        dram+0x329f40 f32[1,1,3,3,32]{294912,1152,384,128,4} <- oram+0x4a400 f32[1,1,3,3,32]{294912,1152,384,128,4}   @c213   ; flatten1 = flatten1.flat.copy0+59328{73728,288,96,32,1} flatten1.flat.copy0+59328{73728,288,96,32,1}

.part 208/256 core 0
.compute
  c214  copy         oram+0x48000 f32[1,1,3,3,32]{294912,1152,384,128,4} <- oram+0x6780 f32[1,1,3,3,32]{0,128,98304,32768,4}   @w198   ; flatten1 = flatten1.flat.copy0+59616{73728,288,96,32,1} relu1+6624{0,32,24576,8192,1}
.write
  w207  store        dram+0x32a3c0 f32[1,1,3,3,32]{294912,1152,384,128,4} <- oram+0x48000 f32[1,1,3,3,32]{294912,1152,384,128,4}   @c214   ; flatten1 = flatten1.flat.copy0+59616{73728,288,96,32,1} flatten1.flat.copy0+59616{73728,288,96,32,1}

.part 209/256 core 0
.compute
  c215  copy         oram+0x48480 f32[1,1,3,3,32]{294912,1152,384,128,4} <- oram+0x6800 f32[1,1,3,3,32]{0,128,98304,32768,4}   @w199   ; flatten1 = flatten1.flat.copy0+59904{73728,288,96,32,1} relu1+6656{0,32,24576,8192,1}
.write
  w208  store        dram+0x32a840 f32[1,1,3,3,32]{294912,1152,384,128,4} <- oram+0x48480 f32[1,1,3,3,32]{294912,1152,384,128,4}   @c215   ; flatten1 = flatten1.flat.copy0+59904{73728,288,96,32,1} flatten1.flat.copy0+59904{73728,288,96,32,1}

.part 210/256 core 0
.compute
  c216  copy         oram+0x48900 f32[1,1,3,3,32]{294912,1152,384,128,4} <- oram+0x6880 f32[1,1,3,3,32]{0,128,98304,32768,4}   @w200   ; flatten1 = flatten1.flat.copy0+60192{73728,288,96,32,1} relu1+6688{0,32,24576,8192,1}
.write
  w209  store        dram+0x32acc0 f32[1,1,3,3,32]{294912,1152,384,128,4} <- oram+0x48900 f32[1,1,3,3,32]{294912,1152,384,128,4}   @c216   ; flatten1 = flatten1.flat.copy0+60192{73728,288,96,32,1} flatten1.flat.copy0+60192{73728,288,96,32,1}

.part 211/256 core 0
.compute
  c217  copy         oram+0x48d80 f32[1,1,3,3,32]{294912,1152,384,128,4} <- oram+0x6900 f32[1,1,3,3,32]{0,128,98304,32768,4}   @w201   ; flatten1 = flatten1.flat.copy0+60480{73728,288,96,32,1} relu1+6720{0,32,24576,8192,1}
.write
  w210  store        dram+0x32b140 f32[1,1,3,3,32]{294912,1152,384,128,4} <- oram+0x48d80 f32[1,1,3,3,32]{294912,1152,384,128,4}   @c217   ; flatten1 = flatten1.flat.copy0+60480{73728,288,96,32,1} flatten1.flat.copy0+60480{73728,288,96,32,1}

.part 212/256 core 0
.compute
  c218  copy         oram+0x49200 f32[1,1,3,3,32]{294912,1152,384,128,4} <- oram+0x6980 f32[1,1,3,3,32]{0,128,98304,32768,4}   @w202   ; flatten1 = flatten1.flat.copy0+60768{73728,288,96,32,1} relu1+6752{0,32,24576,8192,1}
.write
  w211  store        dram+0x32b5c0 f32[1,1,3,3,32]{294912,1152,384,128,4} <- oram+0x49200 f32[1,1,3,3,32]{294912,1152,384,128,4}   @c218   ; flatten1 = flatten1.flat.copy0+60768{73728,288,96,32,1} flatten1.flat.copy0+60768{73728,288,96,32,1}

.part 213/256 core 0
.compute
  c219  copy         oram+0x49680 f32[1,1,3,3,32]{294912,1152,384,128,4} <- oram+0x6a00 f32[1,1,3,3,32]{0,128,98304,32768,4}   @w203   ; flatten1 = flatten1.flat.copy0+61056{73728,288,96,32,1} relu1+6784{0,32,24576,8192,1}
.write
  w212  store        dram+0x32ba40 f32[1,1,3,3,32]{294912,1152,384,128,4} <- oram+0x49680 f32[1,1,3,3,32]{294912,1152,384,128,4}   @c219   ; flatten1 = flatten1.flat.copy0+61056{73728,288,96,32,1} flatten1.flat.copy0+61056{73728,288,96,32,1}

.part 214/256 core 0
.compute
  c220  copy         oram+0x49b00 f32[1,1,3,3,32]{294912,1152,384,128,4} <- oram+0x6a80 f32[1,1,3,3,32]{0,128,98304,32768,4}   @w204   ; flatten1 = flatten1.flat.copy0+61344{73728,288,96,32,1} relu1+6816{0,32,24576,8192,1}
.write
  w213  store        dram+0x32bec0 f32[1,1,3,3,32]{294912,1152,384,128,4} <- oram+0x49b00 f32[1,1,3,3,32]{294912,1152,384,128,4}   @c220   ; flatten1 = flatten1.flat.copy0+61344{73728,288,96,32,1} flatten1.flat.copy0+61344{73728,288,96,32,1}

.part 215/256 core 0
.compute
  c221  copy         oram+0x49f80 f32[1,1,3,3,32]{294912,1152,384,128,4} <- oram+0x6b00 f32[1,1,3,3,32]{0,128,98304,32768,4}   @w205   ; flatten1 = flatten1.flat.copy0+61632{73728,288,96,32,1} relu1+6848{0,32,24576,8192,1}
.write
  w214  store        dram+0x32c340 f32[1,1,3,3,32]{294912,1152,384,128,4} <- oram+0x49f80 f32[1,1,3,3,32]{294912,1152,384,128,4}   @c221   ; flatten1 = flatten1.flat.copy0+61632{73728,288,96,32,1} flatten1.flat.copy0+61632{73728,288,96,32,1}

.part 216/256 core 0
.compute
  c222  copy         oram+0x4a400 f32[1,1,3,3,32]{294912,1152,384,128,4} <- oram+0x6b80 f32[1,1,3,3,32]{0,128,98304,32768,4}   @w206   ; flatten1 = flatten1.flat.copy0+61920{73728,288,96,32,1} relu1+6880{0,32,24576,8192,1}
.write
  w215  store        dram+0x32c7c0 f32[1,1,3,3,32]{294912,1152,384,128,4} <- oram+0x4a400 f32[1,1,3,3,32]{294912,1152,384,128,4}   @c222   ; flatten1 = flatten1.flat.copy0+61920{73728,288,96,32,1} flatten1.flat.copy0+61920{73728,288,96,32,1}

.part 217/256 core 0
.compute
  c223  copy         oram+0x48000 f32[1,1,3,3,32]{294912,1152,384,128,4} <- oram+0x6c00 f32[1,1,3,3,32]{0,128,98304,32768,4}   @w207   ; flatten1 = flatten1.flat.copy0+62208{73728,288,96,32,1} relu1+6912{0,32,24576,8192,1}
.write
  w216  store        dram+0x32cc40 f32[1,1,3,3,32]{294912,1152,384,128,4} <- oram+0x48000 f32[1,1,3,3,32]{294912,1152,384,128,4}   @c223   ; flatten1 = flatten1.flat.copy0+62208{73728,288,96,32,1} flatten1.flat.copy0+62208{73728,288,96,32,1}

.part 218/256 core 0
.compute
  c224  copy         oram+0x48480 f32[1,1,3,3,32]{294912,1152,384,128,4} <- oram+0x6c80 f32[1,1,3,3,32]{0,128,98304,32768,4}   @w208   ; flatten1 = flatten1.flat.copy0+62496{73728,288,96,32,1} relu1+6944{0,32,24576,8192,1}
.write
  w217  store        dram+0x32d0c0 f32[1,1,3,3,32]{294912,1152,384,128,4} <- oram+0x48480 f32[1,1,3,3,32]{294912,1152,384,128,4}   @c224   ; flatten1 = flatten1.flat.copy0+62496{73728,288,96,32,1} flatten1.flat.copy0+62496{73728,288,96,32,1}

.part 219/256 core 0
.compute
  c225  copy         oram+0x48900 f32[1,1,3,3,32]{294912,1152,384,128,4} <- oram+0x6d00 f32[1,1,3,3,32]{0,128,98304,32768,4}   @w209   ; flatten1 = flatten1.flat.copy0+62784{73728,288,96,32,1} relu1+6976{0,32,24576,8192,1}
.write
  w218  store        dram+0x32d540 f32[1,1,3,3,32]{294912,1152,384,128,4} <- oram+0x48900 f32[1,1,3,3,32]{294912,1152,384,128,4}   @c225   ; flatten1 = flatten1.flat.copy0+62784{73728,288,96,32,1} flatten1.flat.copy0+62784{73728,288,96,32,1}

.part 220/256 core 0
.compute
  c226  copy         oram+0x48d80 f32[1,1,3,3,32]{294912,1152,384,128,4} <- oram+0x6d80 f32[1,1,3,3,32]{0,128,98304,32768,4}   @w210   ; flatten1 = flatten1.flat.copy0+63072{73728,288,96,32,1} relu1+7008{0,32,24576,8192,1}
.write
  w219  store        dram+0x32d9c0 f32[1,1,3,3,32]{294912,1152,384,128,4} <- oram+0x48d80 f32[1,1,3,3,32]{294912,1152,384,128,4}   @c226   ; flatten1 = flatten1.flat.copy0+63072{73728,288,96,32,1} flatten1.flat.copy0+63072{73728,288,96,32,1}

.part 221/256 core 0
.compute
  c227  copy         oram+0x49200 f32[1,1,3,3,32]{294912,1152,384,128,4} <- oram+0x6e00 f32[1,1,3,3,32]{0,128,98304,32768,4}   @w211   ; flatten1 = flatten1.flat.copy0+63360{73728,288,96,32,1} relu1+7040{0,32,24576,8192,1}
.write
  w220  store        dram+0x32de40 f32[1,1,3,3,32]{294912,1152,384,128,4} <- oram+0x49200 f32[1,1,3,3,32]{294912,1152,384,128,4}   @c227   ; flatten1 = flatten1.flat.copy0+63360{73728,288,96,32,1} flatten1.flat.copy0+63360{73728,288,96,32,1}

.part 222/256 core 0
.compute
  c228  copy         oram+0x49680 f32[1,1,3,3,32]{294912,1152,384,128,4} <- oram+0x6e80 f32[1,1,3,3,32]{0,128,98304,32768,4}   @w212   ; flatten1 = flatten1.flat.copy0+63648{73728,288,96,32,1} relu1+7072{0,32,24576,8192,1}
.write
  w221  store        dram+0x32e2c0 f32[1,1,3,3,32]{294912,1152,384,128,4} <- oram+0x49680 f32[1,1,3,3,32]{294912,1152,384,128,4}   @c228   ; flatten1 = flatten1.flat.copy0+63648{73728,288,96,32,1} flatten1.flat.copy0+63648{73728,288,96,32,1}

.part 223/256 core 0
.compute
  c229  copy         oram+0x49b00 f32[1,1,3,3,32]{294912,1152,384,128,4} <- oram+0x6f00 f32[1,1,3,3,32]{0,128,98304,32768,4}   @w213   ; flatten1 = flatten1.flat.copy0+63936{73728,288,96,32,1} relu1+7104{0,32,24576,8192,1}
.write
  w222  store        dram+0x32e740 f32[1,1,3,3,32]{294912,1152,384,128,4} <- oram+0x49b00 f32[1,1,3,3,32]{294912,1152,384,128,4}   @c229   ; flatten1 = flatten1.flat.copy0+63936{73728,288,96,32,1} flatten1.flat.copy0+63936{73728,288,96,32,1}

.part 224/256 core 0
.compute
  c230  copy         oram+0x49f80 f32[1,1,3,3,32]{294912,1152,384,128,4} <- oram+0x6f80 f32[1,1,3,3,32]{0,128,98304,32768,4}   @w214   ; flatten1 = flatten1.flat.copy0+64224{73728,288,96,32,1} relu1+7136{0,32,24576,8192,1}
.write
  w223  store        dram+0x32ebc0 f32[1,1,3,3,32]{294912,1152,384,128,4} <- oram+0x49f80 f32[1,1,3,3,32]{294912,1152,384,128,4}   @c230   ; flatten1 = flatten1.flat.copy0+64224{73728,288,96,32,1} flatten1.flat.copy0+64224{73728,288,96,32,1}

.part 225/256 core 0
.compute
  c231  copy         oram+0x4a400 f32[1,1,3,3,32]{294912,1152,384,128,4} <- oram+0x7000 f32[1,1,3,3,32]{0,128,98304,32768,4}   @w215   ; flatten1 = flatten1.flat.copy0+64512{73728,288,96,32,1} relu1+7168{0,32,24576,8192,1}
.write
  w224  store        dram+0x32f040 f32[1,1,3,3,32]{294912,1152,384,128,4} <- oram+0x4a400 f32[1,1,3,3,32]{294912,1152,384,128,4}   @c231   ; flatten1 = flatten1.flat.copy0+64512{73728,288,96,32,1} flatten1.flat.copy0+64512{73728,288,96,32,1}

.part 226/256 core 0
.compute
  c232  copy         oram+0x48000 f32[1,1,3,3,32]{294912,1152,384,128,4} <- oram+0x7080 f32[1,1,3,3,32]{0,128,98304,32768,4}   @w216   ; flatten1 = flatten1.flat.copy0+64800{73728,288,96,32,1} relu1+7200{0,32,24576,8192,1}
.write
  w225  store        dram+0x32f4c0 f32[1,1,3,3,32]{294912,1152,384,128,4} <- oram+0x48000 f32[1,1,3,3,32]{294912,1152,384,128,4}   @c232   ; flatten1 = flatten1.flat.copy0+64800{73728,288,96,32,1} flatten1.flat.copy0+64800{73728,288,96,32,1}

.part 227/256 core 0
.compute
  c233  copy         oram+0x48480 f32[1,1,3,3,32]{294912,1152,384,128,4} <- oram+0x7100 f32[1,1,3,3,32]{0,128,98304,32768,4}   @w217   ; flatten1 = flatten1.flat.copy0+65088{73728,288,96,32,1} relu1+7232{0,32,24576,8192,1}
.write
  w226  store        dram+0x32f940 f32[1,1,3,3,32]{294912,1152,384,128,4} <- oram+0x48480 f32[1,1,3,3,32]{294912,1152,384,128,4}   @c233   ; flatten1 = flatten1.flat.copy0+65088{73728,288,96,32,1} flatten1.flat.copy0+65088{73728,288,96,32,1}

.part 228/256 core 0
.compute
  c234  copy         oram+0x48900 f32[1,1,3,3,32]{294912,1152,384,128,4} <- oram+0x7180 f32[1,1,3,3,32]{0,128,98304,32768,4}   @w218   ; flatten1 = flatten1.flat.copy0+65376{73728,288,96,32,1} relu1+7264{0,32,24576,8192,1}
.write
  w227  store        dram+0x32fdc0 f32[1,1,3,3,32]{294912,1152,384,128,4} <- oram+0x48900 f32[1,1,3,3,32]{294912,1152,384,128,4}   @c234   ; flatten1 = flatten1.flat.copy0+65376{73728,288,96,32,1} flatten1.flat.copy0+65376{73728,288,96,32,1}

.part 229/256 core 0
.compute
  c235  copy         oram+0x48d80 f32[1,1,3,3,32]{294912,1152,384,128,4} <- oram+0x7200 f32[1,1,3,3,32]{0,128,98304,32768,4}   @w219   ; flatten1 = flatten1.flat.copy0+65664{73728,288,96,32,1} relu1+7296{0,32,24576,8192,1}
.write
  w228  store        dram+0x330240 f32[1,1,3,3,32]{294912,1152,384,128,4} <- oram+0x48d80 f32[1,1,3,3,32]{294912,1152,384,128,4}   @c235   ; flatten1 = flatten1.flat.copy0+65664{73728,288,96,32,1} flatten1.flat.copy0+65664{73728,288,96,32,1}

.part 230/256 core 0
.compute
  c236  copy         oram+0x49200 f32[1,1,3,3,32]{294912,1152,384,128,4} <- oram+0x7280 f32[1,1,3,3,32]{0,128,98304,32768,4}   @w220   ; flatten1 = flatten1.flat.copy0+65952{73728,288,96,32,1} relu1+7328{0,32,24576,8192,1}
.write
  w229  store        dram+0x3306c0 f32[1,1,3,3,32]{294912,1152,384,128,4} <- oram+0x49200 f32[1,1,3,3,32]{294912,1152,384,128,4}   @c236   ; flatten1 = flatten1.flat.copy0+65952{73728,288,96,32,1} flatten1.flat.copy0+65952{73728,288,96,32,1}

.part 231/256 core 0
.compute
  c237  copy         oram+0x49680 f32[1,1,3,3,32]{294912,1152,384,128,4} <- oram+0x7300 f32[1,1,3,3,32]{0,128,98304,32768,4}   @w221   ; flatten1 = flatten1.flat.copy0+66240{73728,288,96,32,1} relu1+7360{0,32,24576,8192,1}
.write
  w230  store        dram+0x330b40 f32[1,1,3,3,32]{294912,1152,384,128,4} <- oram+0x49680 f32[1,1,3,3,32]{294912,1152,384,128,4}   @c237   ; flatten1 = flatten1.flat.copy0+66240{73728,288,96,32,1} flatten1.flat.copy0+66240{73728,288,96,32,1}

.part 232/256 core 0
.compute
  c238  copy         oram+0x49b00 f32[1,1,3,3,32]{294912,1152,384,128,4} <- oram+0x7380 f32[1,1,3,3,32]{0,128,98304,32768,4}   @w222   ; flatten1 = flatten1.flat.copy0+66528{73728,288,96,32,1} relu1+7392{0,32,24576,8192,1}
.write
  w231  store        dram+0x330fc0 f32[1,1,3,3,32]{294912,1152,384,128,4} <- oram+0x49b00 f32[1,1,3,3,32]{294912,1152,384,128,4}   @c238   ; flatten1 = flatten1.flat.copy0+66528{73728,288,96,32,1} flatten1.flat.copy0+66528{73728,288,96,32,1}

.part 233/256 core 0
.compute
  c239  copy         oram+0x49f80 f32[1,1,3,3,32]{294912,1152,384,128,4} <- oram+0x7400 f32[1,1,3,3,32]{0,128,98304,32768,4}   @w223   ; flatten1 = flatten1.flat.copy0+66816{73728,288,96,32,1} relu1+7424{0,32,24576,8192,1}
.write
  w232  store        dram+0x331440 f32[1,1,3,3,32]{294912,1152,384,128,4} <- oram+0x49f80 f32[1,1,3,3,32]{294912,1152,384,128,4}   @c239   ; flatten1 = flatten1.flat.copy0+66816{73728,288,96,32,1} flatten1.flat.copy0+66816{73728,288,96,32,1}

.part 234/256 core 0
.compute
  c240  copy         oram+0x4a400 f32[1,1,3,3,32]{294912,1152,384,128,4} <- oram+0x7480 f32[1,1,3,3,32]{0,128,98304,32768,4}   @w224   ; flatten1 = flatten1.flat.copy0+67104{73728,288,96,32,1} relu1+7456{0,32,24576,8192,1}
.write
  w233  store        dram+0x3318c0 f32[1,1,3,3,32]{294912,1152,384,128,4} <- oram+0x4a400 f32[1,1,3,3,32]{294912,1152,384,128,4}   @c240   ; flatten1 = flatten1.flat.copy0+67104{73728,288,96,32,1} flatten1.flat.copy0+67104{73728,288,96,32,1}

.part 235/256 core 0
.compute
  c241  copy         oram+0x48000 f32[1,1,3,3,32]{294912,1152,384,128,4} <- oram+0x7500 f32[1,1,3,3,32]{0,128,98304,32768,4}   @w225   ; flatten1 = flatten1.flat.copy0+67392{73728,288,96,32,1} relu1+7488{0,32,24576,8192,1}
.write
  w234  store        dram+0x331d40 f32[1,1,3,3,32]{294912,1152,384,128,4} <- oram+0x48000 f32[1,1,3,3,32]{294912,1152,384,128,4}   @c241   ; flatten1 = flatten1.flat.copy0+67392{73728,288,96,32,1} flatten1.flat.copy0+67392{73728,288,96,32,1}

.part 236/256 core 0
.compute
  c242  copy         oram+0x48480 f32[1,1,3,3,32]{294912,1152,384,128,4} <- oram+0x7580 f32[1,1,3,3,32]{0,128,98304,32768,4}   @w226   ; flatten1 = flatten1.flat.copy0+67680{73728,288,96,32,1} relu1+7520{0,32,24576,8192,1}
.write
  w235  store        dram+0x3321c0 f32[1,1,3,3,32]{294912,1152,384,128,4} <- oram+0x48480 f32[1,1,3,3,32]{294912,1152,384,128,4}   @c242   ; flatten1 = flatten1.flat.copy0+67680{73728,288,96,32,1} flatten1.flat.copy0+67680{73728,288,96,32,1}

.part 237/256 core 0
.compute
  c243  copy         oram+0x48900 f32[1,1,3,3,32]{294912,1152,384,128,4} <- oram+0x7600 f32[1,1,3,3,32]{0,128,98304,32768,4}   @w227   ; flatten1 = flatten1.flat.copy0+67968{73728,288,96,32,1} relu1+7552{0,32,24576,8192,1}
.write
  w236  store        dram+0x332640 f32[1,1,3,3,32]{294912,1152,384,128,4} <- oram+0x48900 f32[1,1,3,3,32]{294912,1152,384,128,4}   @c243   ; flatten1 = flatten1.flat.copy0+67968{73728,288,96,32,1} flatten1.flat.copy0+67968{73728,288,96,32,1}

.part 238/256 core 0
.compute
  c244  copy         oram+0x48d80 f32[1,1,3,3,32]{294912,1152,384,128,4} <- oram+0x7680 f32[1,1,3,3,32]{0,128,98304,32768,4}   @w228   ; flatten1 = flatten1.flat.copy0+68256{73728,288,96,32,1} relu1+7584{0,32,24576,8192,1}
.write
  w237  store        dram+0x332ac0 f32[1,1,3,3,32]{294912,1152,384,128,4} <- oram+0x48d80 f32[1,1,3,3,32]{294912,1152,384,128,4}   @c244   ; flatten1 = flatten1.flat.copy0+68256{73728,288,96,32,1} flatten1.flat.copy0+68256{73728,288,96,32,1}

.part 239/256 core 0
.compute
  c245  copy         oram+0x49200 f32[1,1,3,3,32]{294912,1152,384,128,4} <- oram+0x7700 f32[1,1,3,3,32]{0,128,98304,32768,4}   @w229   ; flatten1 = flatten1.flat.copy0+68544{73728,288,96,32,1} relu1+7616{0,32,24576,8192,1}
.write
  w238  store        dram+0x332f40 f32[1,1,3,3,32]{294912,1152,384,128,4} <- oram+0x49200 f32[1,1,3,3,32]{294912,1152,384,128,4}   @c245   ; flatten1 = flatten1.flat.copy0+68544{73728,288,96,32,1} flatten1.flat.copy0+68544{73728,288,96,32,1}

.part 240/256 core 0
.compute
  c246  copy         oram+0x49680 f32[1,1,3,3,32]{294912,1152,384,128,4} <- oram+0x7780 f32[1,1,3,3,32]{0,128,98304,32768,4}   @w230   ; flatten1 = flatten1.flat.copy0+68832{73728,288,96,32,1} relu1+7648{0,32,24576,8192,1}
.write
  w239  store        dram+0x3333c0 f32[1,1,3,3,32]{294912,1152,384,128,4} <- oram+0x49680 f32[1,1,3,3,32]{294912,1152,384,128,4}   @c246   ; flatten1 = flatten1.flat.copy0+68832{73728,288,96,32,1} flatten1.flat.copy0+68832{73728,288,96,32,1}

.part 241/256 core 0
.compute
  c247  copy         oram+0x49b00 f32[1,1,3,3,32]{294912,1152,384,128,4} <- oram+0x7800 f32[1,1,3,3,32]{0,128,98304,32768,4}   @w231   ; flatten1 = flatten1.flat.copy0+69120{73728,288,96,32,1} relu1+7680{0,32,24576,8192,1}
.write
  w240  store        dram+0x333840 f32[1,1,3,3,32]{294912,1152,384,128,4} <- oram+0x49b00 f32[1,1,3,3,32]{294912,1152,384,128,4}   @c247   ; flatten1 = flatten1.flat.copy0+69120{73728,288,96,32,1} flatten1.flat.copy0+69120{73728,288,96,32,1}

.part 242/256 core 0
.compute
  c248  copy         oram+0x49f80 f32[1,1,3,3,32]{294912,1152,384,128,4} <- oram+0x7880 f32[1,1,3,3,32]{0,128,98304,32768,4}   @w232   ; flatten1 = flatten1.flat.copy0+69408{73728,288,96,32,1} relu1+7712{0,32,24576,8192,1}
.write
  w241  store        dram+0x333cc0 f32[1,1,3,3,32]{294912,1152,384,128,4} <- oram+0x49f80 f32[1,1,3,3,32]{294912,1152,384,128,4}   @c248   ; flatten1 = flatten1.flat.copy0+69408{73728,288,96,32,1} flatten1.flat.copy0+69408{73728,288,96,32,1}

.part 243/256 core 0
.compute
  c249  copy         oram+0x4a400 f32[1,1,3,3,32]{294912,1152,384,128,4} <- oram+0x7900 f32[1,1,3,3,32]{0,128,98304,32768,4}   @w233   ; flatten1 = flatten1.flat.copy0+69696{73728,288,96,32,1} relu1+7744{0,32,24576,8192,1}
.write
  w242  store        dram+0x334140 f32[1,1,3,3,32]{294912,1152,384,128,4} <- oram+0x4a400 f32[1,1,3,3,32]{294912,1152,384,128,4}   @c249   ; flatten1 = flatten1.flat.copy0+69696{73728,288,96,32,1} flatten1.flat.copy0+69696{73728,288,96,32,1}

.part 244/256 core 0
.compute
  c250  copy         oram+0x48000 f32[1,1,3,3,32]{294912,1152,384,128,4} <- oram+0x7980 f32[1,1,3,3,32]{0,128,98304,32768,4}   @w234   ; flatten1 = flatten1.flat.copy0+69984{73728,288,96,32,1} relu1+7776{0,32,24576,8192,1}
.write
  w243  store        dram+0x3345c0 f32[1,1,3,3,32]{294912,1152,384,128,4} <- oram+0x48000 f32[1,1,3,3,32]{294912,1152,384,128,4}   @c250   ; flatten1 = flatten1.flat.copy0+69984{73728,288,96,32,1} flatten1.flat.copy0+69984{73728,288,96,32,1}

.part 245/256 core 0
.compute
  c251  copy         oram+0x48480 f32[1,1,3,3,32]{294912,1152,384,128,4} <- oram+0x7a00 f32[1,1,3,3,32]{0,128,98304,32768,4}   @w235   ; flatten1 = flatten1.flat.copy0+70272{73728,288,96,32,1} relu1+7808{0,32,24576,8192,1}
.write
  w244  store        dram+0x334a40 f32[1,1,3,3,32]{294912,1152,384,128,4} <- oram+0x48480 f32[1,1,3,3,32]{294912,1152,384,128,4}   @c251   ; flatten1 = flatten1.flat.copy0+70272{73728,288,96,32,1} flatten1.flat.copy0+70272{73728,288,96,32,1}

.part 246/256 core 0
.compute
  c252  copy         oram+0x48900 f32[1,1,3,3,32]{294912,1152,384,128,4} <- oram+0x7a80 f32[1,1,3,3,32]{0,128,98304,32768,4}   @w236   ; flatten1 = flatten1.flat.copy0+70560{73728,288,96,32,1} relu1+7840{0,32,24576,8192,1}
.write
  w245  store        dram+0x334ec0 f32[1,1,3,3,32]{294912,1152,384,128,4} <- oram+0x48900 f32[1,1,3,3,32]{294912,1152,384,128,4}   @c252   ; flatten1 = flatten1.flat.copy0+70560{73728,288,96,32,1} flatten1.flat.copy0+70560{73728,288,96,32,1}

.part 247/256 core 0
.compute
  c253  copy         oram+0x48d80 f32[1,1,3,3,32]{294912,1152,384,128,4} <- oram+0x7b00 f32[1,1,3,3,32]{0,128,98304,32768,4}   @w237   ; flatten1 = flatten1.flat.copy0+70848{73728,288,96,32,1} relu1+7872{0,32,24576,8192,1}
.write
  w246  store        dram+0x335340 f32[1,1,3,3,32]{294912,1152,384,128,4} <- oram+0x48d80 f32[1,1,3,3,32]{294912,1152,384,128,4}   @c253   ; flatten1 = flatten1.flat.copy0+70848{73728,288,96,32,1} flatten1.flat.copy0+70848{73728,288,96,32,1}

.part 248/256 core 0
.compute
  c254  copy         oram+0x49200 f32[1,1,3,3,32]{294912,1152,384,128,4} <- oram+0x7b80 f32[1,1,3,3,32]{0,128,98304,32768,4}   @w238   ; flatten1 = flatten1.flat.copy0+71136{73728,288,96,32,1} relu1+7904{0,32,24576,8192,1}
.write
  w247  store        dram+0x3357c0 f32[1,1,3,3,32]{294912,1152,384,128,4} <- oram+0x49200 f32[1,1,3,3,32]{294912,1152,384,128,4}   @c254   ; flatten1 = flatten1.flat.copy0+71136{73728,288,96,32,1} flatten1.flat.copy0+71136{73728,288,96,32,1}

.part 249/256 core 0
.compute
  c255  copy         oram+0x49680 f32[1,1,3,3,32]{294912,1152,384,128,4} <- oram+0x7c00 f32[1,1,3,3,32]{0,128,98304,32768,4}   @w239   ; flatten1 = flatten1.flat.copy0+71424{73728,288,96,32,1} relu1+7936{0,32,24576,8192,1}
.write
  w248  store        dram+0x335c40 f32[1,1,3,3,32]{294912,1152,384,128,4} <- oram+0x49680 f32[1,1,3,3,32]{294912,1152,384,128,4}   @c255   ; flatten1 = flatten1.flat.copy0+71424{73728,288,96,32,1} flatten1.flat.copy0+71424{73728,288,96,32,1}

.part 250/256 core 0
.compute
  c256  copy         oram+0x49b00 f32[1,1,3,3,32]{294912,1152,384,128,4} <- oram+0x7c80 f32[1,1,3,3,32]{0,128,98304,32768,4}   @w240   ; flatten1 = flatten1.flat.copy0+71712{73728,288,96,32,1} relu1+7968{0,32,24576,8192,1}
.write
  w249  store        dram+0x3360c0 f32[1,1,3,3,32]{294912,1152,384,128,4} <- oram+0x49b00 f32[1,1,3,3,32]{294912,1152,384,128,4}   @c256   ; flatten1 = flatten1.flat.copy0+71712{73728,288,96,32,1} flatten1.flat.copy0+71712{73728,288,96,32,1}

.part 251/256 core 0
.compute
  c257  copy         oram+0x49f80 f32[1,1,3,3,32]{294912,1152,384,128,4} <- oram+0x7d00 f32[1,1,3,3,32]{0,128,98304,32768,4}   @w241   ; flatten1 = flatten1.flat.copy0+72000{73728,288,96,32,1} relu1+8000{0,32,24576,8192,1}
.write
  w250  store        dram+0x336540 f32[1,1,3,3,32]{294912,1152,384,128,4} <- oram+0x49f80 f32[1,1,3,3,32]{294912,1152,384,128,4}   @c257   ; flatten1 = flatten1.flat.copy0+72000{73728,288,96,32,1} flatten1.flat.copy0+72000{73728,288,96,32,1}

.part 252/256 core 0
.compute
  c258  copy         oram+0x4a400 f32[1,1,3,3,32]{294912,1152,384,128,4} <- oram+0x7d80 f32[1,1,3,3,32]{0,128,98304,32768,4}   @w242   ; flatten1 = flatten1.flat.copy0+72288{73728,288,96,32,1} relu1+8032{0,32,24576,8192,1}
.write
  w251  store        dram+0x3369c0 f32[1,1,3,3,32]{294912,1152,384,128,4} <- oram+0x4a400 f32[1,1,3,3,32]{294912,1152,384,128,4}   @c258   ; flatten1 = flatten1.flat.copy0+72288{73728,288,96,32,1} flatten1.flat.copy0+72288{73728,288,96,32,1}

.part 253/256 core 0
.compute
  c259  copy         oram+0x48000 f32[1,1,3,3,32]{294912,1152,384,128,4} <- oram+0x7e00 f32[1,1,3,3,32]{0,128,98304,32768,4}   @w243   ; flatten1 = flatten1.flat.copy0+72576{73728,288,96,32,1} relu1+8064{0,32,24576,8192,1}
.write
  w252  store        dram+0x336e40 f32[1,1,3,3,32]{294912,1152,384,128,4} <- oram+0x48000 f32[1,1,3,3,32]{294912,1152,384,128,4}   @c259   ; flatten1 = flatten1.flat.copy0+72576{73728,288,96,32,1} flatten1.flat.copy0+72576{73728,288,96,32,1}

.part 254/256 core 0
.compute
  c260  copy         oram+0x48480 f32[1,1,3,3,32]{294912,1152,384,128,4} <- oram+0x7e80 f32[1,1,3,3,32]{0,128,98304,32768,4}   @w244   ; flatten1 = flatten1.flat.copy0+72864{73728,288,96,32,1} relu1+8096{0,32,24576,8192,1}
.write
  w253  store        dram+0x3372c0 f32[1,1,3,3,32]{294912,1152,384,128,4} <- oram+0x48480 f32[1,1,3,3,32]{294912,1152,384,128,4}   @c260   ; flatten1 = flatten1.flat.copy0+72864{73728,288,96,32,1} flatten1.flat.copy0+72864{73728,288,96,32,1}

.part 255/256 core 0
.compute
  c261  copy         oram+0x48900 f32[1,1,3,3,32]{294912,1152,384,128,4} <- oram+0x7f00 f32[1,1,3,3,32]{0,128,98304,32768,4}   @w245   ; flatten1 = flatten1.flat.copy0+73152{73728,288,96,32,1} relu1+8128{0,32,24576,8192,1}
.write
  w254  store        dram+0x337740 f32[1,1,3,3,32]{294912,1152,384,128,4} <- oram+0x48900 f32[1,1,3,3,32]{294912,1152,384,128,4}   @c261   ; flatten1 = flatten1.flat.copy0+73152{73728,288,96,32,1} flatten1.flat.copy0+73152{73728,288,96,32,1}

.part 256/256 core 0
.compute
  c262  copy         oram+0x48d80 f32[1,1,3,3,32]{294912,1152,384,128,4} <- oram+0x7f80 f32[1,1,3,3,32]{0,128,98304,32768,4}   @w246   ; flatten1 = flatten1.flat.copy0+73440{73728,288,96,32,1} relu1+8160{0,32,24576,8192,1}
.write
  w255  store        dram+0x337bc0 f32[1,1,3,3,32]{294912,1152,384,128,4} <- oram+0x48d80 f32[1,1,3,3,32]{294912,1152,384,128,4}   @c262   ; flatten1 = flatten1.flat.copy0+73440{73728,288,96,32,1} flatten1.flat.copy0+73440{73728,288,96,32,1}

.group 2 single layers=gemm1 parts=1 reason="fc 2304 pixels of 128 B = [1,256,3,3,32], 26 groups of 90, the last of 54, 25 x 11520 + 6912 B; about 3244160 B and 207940 cycles"
.part 1/1 core 0
.read
  r5    load         oram+0x4a880 f32[2880,10] <- dram+0x20000 f32[2880,10]   @c5   ; gemm1 = output.b.pixels+0{10,1} output.b.pixels+0{10,1}
  r6    load         oram+0x1c200 f32[1,2880] <- dram+0x2f0040 f32[1,2880]{0,4}   @c228   ; gemm1 = flatten1.flat.copy0+0{0,1} flatten1.flat.copy0+0{0,1}
  r7    load         oram+0x0 f32[2880,10] <- dram+0x3c200 f32[2880,10]   @c262   ; gemm1 = output.b.pixels+28800{10,1} output.b.pixels+28800{10,1}
  r8    load         oram+0x1ef80 f32[1,2880] <- dram+0x2f2d40 f32[1,2880]{0,4}   ; gemm1 = flatten1.flat.copy0+2880{0,1} flatten1.flat.copy0+2880{0,1}
  r9    load         oram+0x21cc0 f32[2880,10] <- dram+0x58400 f32[2880,10]   ; gemm1 = output.b.pixels+57600{10,1} output.b.pixels+57600{10,1}
  r10   load         oram+0x3dec0 f32[1,2880] <- dram+0x2f5a40 f32[1,2880]{0,4}   ; gemm1 = flatten1.flat.copy0+5760{0,1} flatten1.flat.copy0+5760{0,1}
  r11   load         oram+0x66a80 f32[2880,10] <- dram+0x74600 f32[2880,10]   ; gemm1 = output.b.pixels+86400{10,1} output.b.pixels+86400{10,1}
  r12   load         oram+0x82c80 f32[1,2880] <- dram+0x2f8740 f32[1,2880]{0,4}   ; gemm1 = flatten1.flat.copy0+8640{0,1} flatten1.flat.copy0+8640{0,1}
  r13   load         oram+0x40c00 f32[2880,10] <- dram+0x90800 f32[2880,10]   @c263 @w255   ; gemm1 = output.b.pixels+115200{10,1} output.b.pixels+115200{10,1}
  r14   load         oram+0x5ce00 f32[1,2880] <- dram+0x2fb440 f32[1,2880]{0,4}   ; gemm1 = flatten1.flat.copy0+11520{0,1} flatten1.flat.copy0+11520{0,1}
  r15   load         oram+0x0 f32[2880,10] <- dram+0xaca00 f32[2880,10]   @c266   ; gemm1 = output.b.pixels+144000{10,1} output.b.pixels+144000{10,1}
  r16   load         oram+0x1c200 f32[1,2880] <- dram+0x2fe140 f32[1,2880]{0,4}   ; gemm1 = flatten1.flat.copy0+14400{0,1} flatten1.flat.copy0+14400{0,1}
  r17   load         oram+0x1ef80 f32[2880,10] <- dram+0xc8c00 f32[2880,10]   @c269   ; gemm1 = output.b.pixels+172800{10,1} output.b.pixels+172800{10,1}
  r18   load         oram+0x3b180 f32[1,2880] <- dram+0x300e40 f32[1,2880]{0,4}   ; gemm1 = flatten1.flat.copy0+17280{0,1} flatten1.flat.copy0+17280{0,1}
  r19   load         oram+0x5fb40 f32[2880,10] <- dram+0xe4e00 f32[2880,10]   @c272   ; gemm1 = output.b.pixels+201600{10,1} output.b.pixels+201600{10,1}
  r20   load         oram+0x3dec0 f32[1,2880] <- dram+0x303b40 f32[1,2880]{0,4}   ; gemm1 = flatten1.flat.copy0+20160{0,1} flatten1.flat.copy0+20160{0,1}
  r21   load         oram+0x7bd40 f32[2880,10] <- dram+0x101000 f32[2880,10]   @c273   ; gemm1 = output.b.pixels+230400{10,1} output.b.pixels+230400{10,1}
  r22   load         oram+0x97f40 f32[1,2880] <- dram+0x306840 f32[1,2880]{0,4}   ; gemm1 = flatten1.flat.copy0+23040{0,1} flatten1.flat.copy0+23040{0,1}
  r23   load         oram+0x40c00 f32[2880,10] <- dram+0x11d200 f32[2880,10]   @c275   ; gemm1 = output.b.pixels+259200{10,1} output.b.pixels+259200{10,1}
  r24   load         oram+0x9ac80 f32[1,2880] <- dram+0x309540 f32[1,2880]{0,4}   ; gemm1 = flatten1.flat.copy0+25920{0,1} flatten1.flat.copy0+25920{0,1}
  r25   load         oram+0x0 f32[2880,10] <- dram+0x139400 f32[2880,10]   @c278   ; gemm1 = output.b.pixels+288000{10,1} output.b.pixels+288000{10,1}
  r26   load         oram+0x5ce00 f32[1,2880] <- dram+0x30c240 f32[1,2880]{0,4}   ; gemm1 = flatten1.flat.copy0+28800{0,1} flatten1.flat.copy0+28800{0,1}
  r27   load         oram+0x1ef80 f32[2880,10] <- dram+0x155600 f32[2880,10]   @c281   ; gemm1 = output.b.pixels+316800{10,1} output.b.pixels+316800{10,1}
  r28   load         oram+0x1c200 f32[1,2880] <- dram+0x30ef40 f32[1,2880]{0,4}   ; gemm1 = flatten1.flat.copy0+31680{0,1} flatten1.flat.copy0+31680{0,1}
  r29   load         oram+0x5fb40 f32[2880,10] <- dram+0x171800 f32[2880,10]   @c284   ; gemm1 = output.b.pixels+345600{10,1} output.b.pixels+345600{10,1}
  r30   load         oram+0x3b180 f32[1,2880] <- dram+0x311c40 f32[1,2880]{0,4}   ; gemm1 = flatten1.flat.copy0+34560{0,1} flatten1.flat.copy0+34560{0,1}
  r31   load         oram+0x7bd40 f32[2880,10] <- dram+0x18da00 f32[2880,10]   @c287   ; gemm1 = output.b.pixels+374400{10,1} output.b.pixels+374400{10,1}
  r32   load         oram+0x3dec0 f32[1,2880] <- dram+0x314940 f32[1,2880]{0,4}   ; gemm1 = flatten1.flat.copy0+37440{0,1} flatten1.flat.copy0+37440{0,1}
  r33   load         oram+0x40c00 f32[2880,10] <- dram+0x1a9c00 f32[2880,10]   @c290   ; gemm1 = output.b.pixels+403200{10,1} output.b.pixels+403200{10,1}
  r34   load         oram+0x97f40 f32[1,2880] <- dram+0x317640 f32[1,2880]{0,4}   ; gemm1 = flatten1.flat.copy0+40320{0,1} flatten1.flat.copy0+40320{0,1}
  r35   load         oram+0x0 f32[2880,10] <- dram+0x1c5e00 f32[2880,10]   @c293   ; gemm1 = output.b.pixels+432000{10,1} output.b.pixels+432000{10,1}
  r36   load         oram+0x9ac80 f32[1,2880] <- dram+0x31a340 f32[1,2880]{0,4}   ; gemm1 = flatten1.flat.copy0+43200{0,1} flatten1.flat.copy0+43200{0,1}
  r37   load         oram+0x1ef80 f32[2880,10] <- dram+0x1e2000 f32[2880,10]   @c296   ; gemm1 = output.b.pixels+460800{10,1} output.b.pixels+460800{10,1}
  r38   load         oram+0x5ce00 f32[1,2880] <- dram+0x31d040 f32[1,2880]{0,4}   ; gemm1 = flatten1.flat.copy0+46080{0,1} flatten1.flat.copy0+46080{0,1}
  r39   load         oram+0x5fb40 f32[2880,10] <- dram+0x1fe200 f32[2880,10]   @c299   ; gemm1 = output.b.pixels+489600{10,1} output.b.pixels+489600{10,1}
  r40   load         oram+0x1c200 f32[1,2880] <- dram+0x31fd40 f32[1,2880]{0,4}   ; gemm1 = flatten1.flat.copy0+48960{0,1} flatten1.flat.copy0+48960{0,1}
  r41   load         oram+0x7bd40 f32[2880,10] <- dram+0x21a400 f32[2880,10]   @c302   ; gemm1 = output.b.pixels+518400{10,1} output.b.pixels+518400{10,1}
  r42   load         oram+0x3b180 f32[1,2880] <- dram+0x322a40 f32[1,2880]{0,4}   ; gemm1 = flatten1.flat.copy0+51840{0,1} flatten1.flat.copy0+51840{0,1}
  r43   load         oram+0x3dec0 f32[2880,10] <- dram+0x236600 f32[2880,10]   @c305   ; gemm1 = output.b.pixels+547200{10,1} output.b.pixels+547200{10,1}
  r44   load         oram+0x5a0c0 f32[1,2880] <- dram+0x325740 f32[1,2880]{0,4}   ; gemm1 = flatten1.flat.copy0+54720{0,1} flatten1.flat.copy0+54720{0,1}
  r45   load         oram+0x0 f32[2880,10] <- dram+0x252800 f32[2880,10]   @c308   ; gemm1 = output.b.pixels+576000{10,1} output.b.pixels+576000{10,1}
  r46   load         oram+0x97f40 f32[1,2880] <- dram+0x328440 f32[1,2880]{0,4}   ; gemm1 = flatten1.flat.copy0+57600{0,1} flatten1.flat.copy0+57600{0,1}
  r47   load         oram+0x1ef80 f32[2880,10] <- dram+0x26ea00 f32[2880,10]   @c311   ; gemm1 = output.b.pixels+604800{10,1} output.b.pixels+604800{10,1}
  r48   load         oram+0x9ac80 f32[1,2880] <- dram+0x32b140 f32[1,2880]{0,4}   ; gemm1 = flatten1.flat.copy0+60480{0,1} flatten1.flat.copy0+60480{0,1}
  r49   load         oram+0x5ce00 f32[2880,10] <- dram+0x28ac00 f32[2880,10]   @c314   ; gemm1 = output.b.pixels+633600{10,1} output.b.pixels+633600{10,1}
  r50   load         oram+0x79000 f32[1,2880] <- dram+0x32de40 f32[1,2880]{0,4}   ; gemm1 = flatten1.flat.copy0+63360{0,1} flatten1.flat.copy0+63360{0,1}
  r51   load         oram+0x7bd40 f32[2880,10] <- dram+0x2a6e00 f32[2880,10]   @c317   ; gemm1 = output.b.pixels+662400{10,1} output.b.pixels+662400{10,1}
  r52   load         oram+0x1c200 f32[1,2880] <- dram+0x330b40 f32[1,2880]{0,4}   ; gemm1 = flatten1.flat.copy0+66240{0,1} flatten1.flat.copy0+66240{0,1}
  r53   load         oram+0x3b180 f32[2880,10] <- dram+0x2c3000 f32[2880,10]   @c320   ; gemm1 = output.b.pixels+691200{10,1} output.b.pixels+691200{10,1}
  r54   load         oram+0x57380 f32[1,2880] <- dram+0x333840 f32[1,2880]{0,4}   ; gemm1 = flatten1.flat.copy0+69120{0,1} flatten1.flat.copy0+69120{0,1}
  r55   load         oram+0x0 f32[1728,10] <- dram+0x2df200 f32[1728,10]   @c323   ; gemm1 = output.b.pixels+720000{10,1} output.b.pixels+720000{10,1}
  r56   load         oram+0x9d9c0 f32[16] <- dram+0x2f0000 f32[16]   ; gemm1 = gemm1.bias+0[10]{1} gemm1.bias+0[10]{1}
  r57   load         oram+0x5a0c0 f32[1,1728] <- dram+0x336540 f32[1,1728]{0,4}   ; gemm1 = flatten1.flat.copy0+72000{0,1} flatten1.flat.copy0+72000{0,1}
.compute
  c263  copy         wram+0x0 f32[2880,10] <- oram+0x4a880 f32[2880,10]   @r5   ; gemm1 = output.b.pixels+0{10,1} output.b.pixels+0{10,1}
  c264  copy         fram+0x0 f32[1,2880] <- oram+0x1c200 f32[1,2880]   @r6   ; gemm1 = flatten1.flat.copy0+0{0,1} flatten1.flat.copy0+0{0,1}
  c265  gemm         <- fram+0x0 f32[1,2880], weight=wram+0x0 f32[2880,10], accumulator=oram+0x1ef40 f32[1,10], phase=start   ; gemm1 = flatten1.flat.copy0+0{0,1} output.b.pixels+0{10,1} "output (sums)"+0{10,1}
  c266  copy         wram+0x0 f32[2880,10] <- oram+0x0 f32[2880,10]   @r7   ; gemm1 = output.b.pixels+28800{10,1} output.b.pixels+28800{10,1}
  c267  copy         fram+0x0 f32[1,2880] <- oram+0x1ef80 f32[1,2880]   @r8   ; gemm1 = flatten1.flat.copy0+2880{0,1} flatten1.flat.copy0+2880{0,1}
  c268  gemm         <- fram+0x0 f32[1,2880], weight=wram+0x0 f32[2880,10], accumulator=oram+0x1ef40 f32[1,10], phase=add   ; gemm1 = flatten1.flat.copy0+2880{0,1} output.b.pixels+28800{10,1} "output (sums)"+0{10,1}
  c269  copy         wram+0x0 f32[2880,10] <- oram+0x21cc0 f32[2880,10]   @r9   ; gemm1 = output.b.pixels+57600{10,1} output.b.pixels+57600{10,1}
  c270  copy         fram+0x0 f32[1,2880] <- oram+0x3dec0 f32[1,2880]   @r10   ; gemm1 = flatten1.flat.copy0+5760{0,1} flatten1.flat.copy0+5760{0,1}
  c271  gemm         <- fram+0x0 f32[1,2880], weight=wram+0x0 f32[2880,10], accumulator=oram+0x1ef40 f32[1,10], phase=add   ; gemm1 = flatten1.flat.copy0+5760{0,1} output.b.pixels+57600{10,1} "output (sums)"+0{10,1}
  c272  copy         wram+0x0 f32[2880,10] <- oram+0x66a80 f32[2880,10]   @r11   ; gemm1 = output.b.pixels+86400{10,1} output.b.pixels+86400{10,1}
  c273  copy         fram+0x0 f32[1,2880] <- oram+0x82c80 f32[1,2880]   @r12   ; gemm1 = flatten1.flat.copy0+8640{0,1} flatten1.flat.copy0+8640{0,1}
  c274  gemm         <- fram+0x0 f32[1,2880], weight=wram+0x0 f32[2880,10], accumulator=oram+0x1ef40 f32[1,10], phase=add   ; gemm1 = flatten1.flat.copy0+8640{0,1} output.b.pixels+86400{10,1} "output (sums)"+0{10,1}
  c275  copy         wram+0x0 f32[2880,10] <- oram+0x40c00 f32[2880,10]   @r13   ; gemm1 = output.b.pixels+115200{10,1} output.b.pixels+115200{10,1}
  c276  copy         fram+0x0 f32[1,2880] <- oram+0x5ce00 f32[1,2880]   @r14   ; gemm1 = flatten1.flat.copy0+11520{0,1} flatten1.flat.copy0+11520{0,1}
  c277  gemm         <- fram+0x0 f32[1,2880], weight=wram+0x0 f32[2880,10], accumulator=oram+0x1ef40 f32[1,10], phase=add   ; gemm1 = flatten1.flat.copy0+11520{0,1} output.b.pixels+115200{10,1} "output (sums)"+0{10,1}
  c278  copy         wram+0x0 f32[2880,10] <- oram+0x0 f32[2880,10]   @r15   ; gemm1 = output.b.pixels+144000{10,1} output.b.pixels+144000{10,1}
  c279  copy         fram+0x0 f32[1,2880] <- oram+0x1c200 f32[1,2880]   @r16   ; gemm1 = flatten1.flat.copy0+14400{0,1} flatten1.flat.copy0+14400{0,1}
  c280  gemm         <- fram+0x0 f32[1,2880], weight=wram+0x0 f32[2880,10], accumulator=oram+0x1ef40 f32[1,10], phase=add   ; gemm1 = flatten1.flat.copy0+14400{0,1} output.b.pixels+144000{10,1} "output (sums)"+0{10,1}
  c281  copy         wram+0x0 f32[2880,10] <- oram+0x1ef80 f32[2880,10]   @r17   ; gemm1 = output.b.pixels+172800{10,1} output.b.pixels+172800{10,1}
  c282  copy         fram+0x0 f32[1,2880] <- oram+0x3b180 f32[1,2880]   @r18   ; gemm1 = flatten1.flat.copy0+17280{0,1} flatten1.flat.copy0+17280{0,1}
  c283  gemm         <- fram+0x0 f32[1,2880], weight=wram+0x0 f32[2880,10], accumulator=oram+0x1ef40 f32[1,10], phase=add   ; gemm1 = flatten1.flat.copy0+17280{0,1} output.b.pixels+172800{10,1} "output (sums)"+0{10,1}
  c284  copy         wram+0x0 f32[2880,10] <- oram+0x5fb40 f32[2880,10]   @r19   ; gemm1 = output.b.pixels+201600{10,1} output.b.pixels+201600{10,1}
  c285  copy         fram+0x0 f32[1,2880] <- oram+0x3dec0 f32[1,2880]   @r20   ; gemm1 = flatten1.flat.copy0+20160{0,1} flatten1.flat.copy0+20160{0,1}
  c286  gemm         <- fram+0x0 f32[1,2880], weight=wram+0x0 f32[2880,10], accumulator=oram+0x1ef40 f32[1,10], phase=add   ; gemm1 = flatten1.flat.copy0+20160{0,1} output.b.pixels+201600{10,1} "output (sums)"+0{10,1}
  c287  copy         wram+0x0 f32[2880,10] <- oram+0x7bd40 f32[2880,10]   @r21   ; gemm1 = output.b.pixels+230400{10,1} output.b.pixels+230400{10,1}
  c288  copy         fram+0x0 f32[1,2880] <- oram+0x97f40 f32[1,2880]   @r22   ; gemm1 = flatten1.flat.copy0+23040{0,1} flatten1.flat.copy0+23040{0,1}
  c289  gemm         <- fram+0x0 f32[1,2880], weight=wram+0x0 f32[2880,10], accumulator=oram+0x1ef40 f32[1,10], phase=add   ; gemm1 = flatten1.flat.copy0+23040{0,1} output.b.pixels+230400{10,1} "output (sums)"+0{10,1}
  c290  copy         wram+0x0 f32[2880,10] <- oram+0x40c00 f32[2880,10]   @r23   ; gemm1 = output.b.pixels+259200{10,1} output.b.pixels+259200{10,1}
  c291  copy         fram+0x0 f32[1,2880] <- oram+0x9ac80 f32[1,2880]   @r24   ; gemm1 = flatten1.flat.copy0+25920{0,1} flatten1.flat.copy0+25920{0,1}
  c292  gemm         <- fram+0x0 f32[1,2880], weight=wram+0x0 f32[2880,10], accumulator=oram+0x1ef40 f32[1,10], phase=add   ; gemm1 = flatten1.flat.copy0+25920{0,1} output.b.pixels+259200{10,1} "output (sums)"+0{10,1}
  c293  copy         wram+0x0 f32[2880,10] <- oram+0x0 f32[2880,10]   @r25   ; gemm1 = output.b.pixels+288000{10,1} output.b.pixels+288000{10,1}
  c294  copy         fram+0x0 f32[1,2880] <- oram+0x5ce00 f32[1,2880]   @r26   ; gemm1 = flatten1.flat.copy0+28800{0,1} flatten1.flat.copy0+28800{0,1}
  c295  gemm         <- fram+0x0 f32[1,2880], weight=wram+0x0 f32[2880,10], accumulator=oram+0x1ef40 f32[1,10], phase=add   ; gemm1 = flatten1.flat.copy0+28800{0,1} output.b.pixels+288000{10,1} "output (sums)"+0{10,1}
  c296  copy         wram+0x0 f32[2880,10] <- oram+0x1ef80 f32[2880,10]   @r27   ; gemm1 = output.b.pixels+316800{10,1} output.b.pixels+316800{10,1}
  c297  copy         fram+0x0 f32[1,2880] <- oram+0x1c200 f32[1,2880]   @r28   ; gemm1 = flatten1.flat.copy0+31680{0,1} flatten1.flat.copy0+31680{0,1}
  c298  gemm         <- fram+0x0 f32[1,2880], weight=wram+0x0 f32[2880,10], accumulator=oram+0x1ef40 f32[1,10], phase=add   ; gemm1 = flatten1.flat.copy0+31680{0,1} output.b.pixels+316800{10,1} "output (sums)"+0{10,1}
  c299  copy         wram+0x0 f32[2880,10] <- oram+0x5fb40 f32[2880,10]   @r29   ; gemm1 = output.b.pixels+345600{10,1} output.b.pixels+345600{10,1}
  c300  copy         fram+0x0 f32[1,2880] <- oram+0x3b180 f32[1,2880]   @r30   ; gemm1 = flatten1.flat.copy0+34560{0,1} flatten1.flat.copy0+34560{0,1}
  c301  gemm         <- fram+0x0 f32[1,2880], weight=wram+0x0 f32[2880,10], accumulator=oram+0x1ef40 f32[1,10], phase=add   ; gemm1 = flatten1.flat.copy0+34560{0,1} output.b.pixels+345600{10,1} "output (sums)"+0{10,1}
  c302  copy         wram+0x0 f32[2880,10] <- oram+0x7bd40 f32[2880,10]   @r31   ; gemm1 = output.b.pixels+374400{10,1} output.b.pixels+374400{10,1}
  c303  copy         fram+0x0 f32[1,2880] <- oram+0x3dec0 f32[1,2880]   @r32   ; gemm1 = flatten1.flat.copy0+37440{0,1} flatten1.flat.copy0+37440{0,1}
  c304  gemm         <- fram+0x0 f32[1,2880], weight=wram+0x0 f32[2880,10], accumulator=oram+0x1ef40 f32[1,10], phase=add   ; gemm1 = flatten1.flat.copy0+37440{0,1} output.b.pixels+374400{10,1} "output (sums)"+0{10,1}
  c305  copy         wram+0x0 f32[2880,10] <- oram+0x40c00 f32[2880,10]   @r33   ; gemm1 = output.b.pixels+403200{10,1} output.b.pixels+403200{10,1}
  c306  copy         fram+0x0 f32[1,2880] <- oram+0x97f40 f32[1,2880]   @r34   ; gemm1 = flatten1.flat.copy0+40320{0,1} flatten1.flat.copy0+40320{0,1}
  c307  gemm         <- fram+0x0 f32[1,2880], weight=wram+0x0 f32[2880,10], accumulator=oram+0x1ef40 f32[1,10], phase=add   ; gemm1 = flatten1.flat.copy0+40320{0,1} output.b.pixels+403200{10,1} "output (sums)"+0{10,1}
  c308  copy         wram+0x0 f32[2880,10] <- oram+0x0 f32[2880,10]   @r35   ; gemm1 = output.b.pixels+432000{10,1} output.b.pixels+432000{10,1}
  c309  copy         fram+0x0 f32[1,2880] <- oram+0x9ac80 f32[1,2880]   @r36   ; gemm1 = flatten1.flat.copy0+43200{0,1} flatten1.flat.copy0+43200{0,1}
  c310  gemm         <- fram+0x0 f32[1,2880], weight=wram+0x0 f32[2880,10], accumulator=oram+0x1ef40 f32[1,10], phase=add   ; gemm1 = flatten1.flat.copy0+43200{0,1} output.b.pixels+432000{10,1} "output (sums)"+0{10,1}
  c311  copy         wram+0x0 f32[2880,10] <- oram+0x1ef80 f32[2880,10]   @r37   ; gemm1 = output.b.pixels+460800{10,1} output.b.pixels+460800{10,1}
  c312  copy         fram+0x0 f32[1,2880] <- oram+0x5ce00 f32[1,2880]   @r38   ; gemm1 = flatten1.flat.copy0+46080{0,1} flatten1.flat.copy0+46080{0,1}
  c313  gemm         <- fram+0x0 f32[1,2880], weight=wram+0x0 f32[2880,10], accumulator=oram+0x1ef40 f32[1,10], phase=add   ; gemm1 = flatten1.flat.copy0+46080{0,1} output.b.pixels+460800{10,1} "output (sums)"+0{10,1}
  c314  copy         wram+0x0 f32[2880,10] <- oram+0x5fb40 f32[2880,10]   @r39   ; gemm1 = output.b.pixels+489600{10,1} output.b.pixels+489600{10,1}
  c315  copy         fram+0x0 f32[1,2880] <- oram+0x1c200 f32[1,2880]   @r40   ; gemm1 = flatten1.flat.copy0+48960{0,1} flatten1.flat.copy0+48960{0,1}
  c316  gemm         <- fram+0x0 f32[1,2880], weight=wram+0x0 f32[2880,10], accumulator=oram+0x1ef40 f32[1,10], phase=add   ; gemm1 = flatten1.flat.copy0+48960{0,1} output.b.pixels+489600{10,1} "output (sums)"+0{10,1}
  c317  copy         wram+0x0 f32[2880,10] <- oram+0x7bd40 f32[2880,10]   @r41   ; gemm1 = output.b.pixels+518400{10,1} output.b.pixels+518400{10,1}
  c318  copy         fram+0x0 f32[1,2880] <- oram+0x3b180 f32[1,2880]   @r42   ; gemm1 = flatten1.flat.copy0+51840{0,1} flatten1.flat.copy0+51840{0,1}
  c319  gemm         <- fram+0x0 f32[1,2880], weight=wram+0x0 f32[2880,10], accumulator=oram+0x1ef40 f32[1,10], phase=add   ; gemm1 = flatten1.flat.copy0+51840{0,1} output.b.pixels+518400{10,1} "output (sums)"+0{10,1}
  c320  copy         wram+0x0 f32[2880,10] <- oram+0x3dec0 f32[2880,10]   @r43   ; gemm1 = output.b.pixels+547200{10,1} output.b.pixels+547200{10,1}
  c321  copy         fram+0x0 f32[1,2880] <- oram+0x5a0c0 f32[1,2880]   @r44   ; gemm1 = flatten1.flat.copy0+54720{0,1} flatten1.flat.copy0+54720{0,1}
  c322  gemm         <- fram+0x0 f32[1,2880], weight=wram+0x0 f32[2880,10], accumulator=oram+0x1ef40 f32[1,10], phase=add   ; gemm1 = flatten1.flat.copy0+54720{0,1} output.b.pixels+547200{10,1} "output (sums)"+0{10,1}
  c323  copy         wram+0x0 f32[2880,10] <- oram+0x0 f32[2880,10]   @r45   ; gemm1 = output.b.pixels+576000{10,1} output.b.pixels+576000{10,1}
  c324  copy         fram+0x0 f32[1,2880] <- oram+0x97f40 f32[1,2880]   @r46   ; gemm1 = flatten1.flat.copy0+57600{0,1} flatten1.flat.copy0+57600{0,1}
  c325  gemm         <- fram+0x0 f32[1,2880], weight=wram+0x0 f32[2880,10], accumulator=oram+0x1ef40 f32[1,10], phase=add   ; gemm1 = flatten1.flat.copy0+57600{0,1} output.b.pixels+576000{10,1} "output (sums)"+0{10,1}
  c326  copy         wram+0x0 f32[2880,10] <- oram+0x1ef80 f32[2880,10]   @r47   ; gemm1 = output.b.pixels+604800{10,1} output.b.pixels+604800{10,1}
  c327  copy         fram+0x0 f32[1,2880] <- oram+0x9ac80 f32[1,2880]   @r48   ; gemm1 = flatten1.flat.copy0+60480{0,1} flatten1.flat.copy0+60480{0,1}
  c328  gemm         <- fram+0x0 f32[1,2880], weight=wram+0x0 f32[2880,10], accumulator=oram+0x1ef40 f32[1,10], phase=add   ; gemm1 = flatten1.flat.copy0+60480{0,1} output.b.pixels+604800{10,1} "output (sums)"+0{10,1}
  c329  copy         wram+0x0 f32[2880,10] <- oram+0x5ce00 f32[2880,10]   @r49   ; gemm1 = output.b.pixels+633600{10,1} output.b.pixels+633600{10,1}
  c330  copy         fram+0x0 f32[1,2880] <- oram+0x79000 f32[1,2880]   @r50   ; gemm1 = flatten1.flat.copy0+63360{0,1} flatten1.flat.copy0+63360{0,1}
  c331  gemm         <- fram+0x0 f32[1,2880], weight=wram+0x0 f32[2880,10], accumulator=oram+0x1ef40 f32[1,10], phase=add   ; gemm1 = flatten1.flat.copy0+63360{0,1} output.b.pixels+633600{10,1} "output (sums)"+0{10,1}
  c332  copy         wram+0x0 f32[2880,10] <- oram+0x7bd40 f32[2880,10]   @r51   ; gemm1 = output.b.pixels+662400{10,1} output.b.pixels+662400{10,1}
  c333  copy         fram+0x0 f32[1,2880] <- oram+0x1c200 f32[1,2880]   @r52   ; gemm1 = flatten1.flat.copy0+66240{0,1} flatten1.flat.copy0+66240{0,1}
  c334  gemm         <- fram+0x0 f32[1,2880], weight=wram+0x0 f32[2880,10], accumulator=oram+0x1ef40 f32[1,10], phase=add   ; gemm1 = flatten1.flat.copy0+66240{0,1} output.b.pixels+662400{10,1} "output (sums)"+0{10,1}
  c335  copy         wram+0x0 f32[2880,10] <- oram+0x3b180 f32[2880,10]   @r53   ; gemm1 = output.b.pixels+691200{10,1} output.b.pixels+691200{10,1}
  c336  copy         fram+0x0 f32[1,2880] <- oram+0x57380 f32[1,2880]   @r54   ; gemm1 = flatten1.flat.copy0+69120{0,1} flatten1.flat.copy0+69120{0,1}
  c337  gemm         <- fram+0x0 f32[1,2880], weight=wram+0x0 f32[2880,10], accumulator=oram+0x1ef40 f32[1,10], phase=add   ; gemm1 = flatten1.flat.copy0+69120{0,1} output.b.pixels+691200{10,1} "output (sums)"+0{10,1}
  c338  copy         wram+0x0 f32[1728,10] <- oram+0x0 f32[1728,10]   @r55   ; gemm1 = output.b.pixels+720000{10,1} output.b.pixels+720000{10,1}
  c339  copy         wram+0x1c200 f32[10] <- oram+0x9d9c0 f32[10]   @r56   ; gemm1 = gemm1.bias+0{1} gemm1.bias+0{1}
  c340  copy         fram+0x0 f32[1,1728] <- oram+0x5a0c0 f32[1,1728]   @r57   ; gemm1 = flatten1.flat.copy0+72000{0,1} flatten1.flat.copy0+72000{0,1}
  c341  gemm         oram+0x0 f32[1,10]{64,4} <- fram+0x0 f32[1,1728], weight=wram+0x0 f32[1728,10], bias=wram+0x1c200 f32[10], accumulator=oram+0x1ef40 f32[1,10], phase=finish   ; gemm1 = flatten1.flat.copy0+72000{0,1} output.b.pixels+720000{10,1} output+0{10,1} gemm1.bias+0{1} "output (sums)"+0{10,1}
.write
  w256  store        dram+0x338100 f32[16] <- oram+0x0 f32[16]   @c341   ; gemm1 = output+0{1} output+0{1}
