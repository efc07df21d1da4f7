.nnc 4
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
.dram 3375424
.constants file="m5.fc-3x3x8192.nna.constants" bytes=3080256 crc=0x2068bff2
.tensor input input dram+0x338040 f32[1,3,3,3]{192,4,64,12} reserved=192
.tensor output output dram+0x338100 f32[1,10] reserved=64
.tensor flatten1.flat.copy0 boundary dram+0x2f0040 f32[1,256,32,3,3]{294912,1152,4,384,128}
.tensor conv1.weight constant dram+0x0 f32[1,1,3,8192]
.tensor conv1.bias constant dram+0x18000 f32[8192]
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
.fact predicted_cycles 244409
.fact predicted_dram_bytes 3670336
.fact estimated_cycles 241167
.fact estimated_dram_bytes 3670336
.fact group_0_estimated_dram_bytes 426176
.fact group_0_estimated_cycles 42798
.fact group_1_estimated_dram_bytes 3244160
.fact group_1_estimated_cycles 198369
.fact group_0_digest 4460014333530944316
.fact group_1_digest 6416325346707678070
.fact digest_of_ports 1283526524

.group 0 serial layers=conv1,flatten1.flat.copy0 parts=3 reason="426176 B of DRAM traffic for 29986 cycles of work; weights resident"
.part 1/3 core 0
.read
  r0    load         oram+0x20000 f32[3,16] <- dram+0x338040 f32[3,16]   ; conv1 = input+0{16,1} input+0{16,1}
  r1    load         oram+0x0 f32[1,1,3,8192] <- dram+0x0 f32[1,1,3,8192]   ; conv1 = conv1.weight+0{1,1,1,3} conv1.weight+0{1,1,1,3}
  r2    load         oram+0x18000 f32[8192] <- dram+0x18000 f32[8192]   ; conv1 = conv1.bias+0{1} conv1.bias+0{1}
.compute
  c0    copy         fram+0x0 f32[1,3,3,3] <- oram+0x20000 f32[1,3,3,3]{192,64,12,4}   @r0   ; input = input+0{48,16,3,1} input+0{48,16,3,1}
  c1    copy         wram+0x0 f32[1,1,3,8192] <- oram+0x0 f32[1,1,3,8192]   @r1   ; conv1.weight = conv1.weight+0{1,1,1,3} conv1.weight+0{1,1,1,3}
  c2    copy         wram+0x18000 f32[8192] <- oram+0x18000 f32[8192]   @r2   ; conv1.bias = conv1.bias+0{1} conv1.bias+0{1}
  c3    conv         oram+0x0 f32[1,3,3,8192] <- fram+0x0 f32[1,3,3,3], weight=wram+0x0 f32[1,1,3,8192], bias=wram+0x18000 f32[8192], act=relu stride=1,1 dilation=1,1 pad_begin=0,0   ; conv1 = input+0{48,16,3,1} conv1.weight+0{1,1,1,3} relu1+0{73728,24576,8192,1} conv1.bias+0{1}
  c4    copy         oram+0x48000 f32[1,85,3,3,32]{294912,1152,384,128,4} <- oram+0x0 f32[1,85,3,3,32]{0,128,98304,32768,4}   ; flatten1 = flatten1.flat.copy0+0{73728,288,96,32,1} relu1+0{0,32,24576,8192,1}
.write
  w0    store        dram+0x2f0040 f32[1,85,3,3,32]{294912,1152,384,128,4} <- oram+0x48000 f32[1,85,3,3,32]{294912,1152,384,128,4}   @c4   ; flatten1 = flatten1.flat.copy0+0{73728,288,96,32,1} flatten1.flat.copy0+0{73728,288,96,32,1}

.part 2/3 core 0
.compute
  c5    copy         oram+0x48000 f32[1,85,3,3,32]{294912,1152,384,128,4} <- oram+0x2a80 f32[1,85,3,3,32]{0,128,98304,32768,4}   @w0   ; flatten1 = flatten1.flat.copy0+24480{73728,288,96,32,1} relu1+2720{0,32,24576,8192,1}
.write
  w1    store        dram+0x307ec0 f32[1,85,3,3,32]{294912,1152,384,128,4} <- oram+0x48000 f32[1,85,3,3,32]{294912,1152,384,128,4}   @c5   ; flatten1 = flatten1.flat.copy0+24480{73728,288,96,32,1} flatten1.flat.copy0+24480{73728,288,96,32,1}

.part 3/3 core 0
.compute
  c6    copy         oram+0x48000 f32[1,86,3,3,32]{294912,1152,384,128,4} <- oram+0x5500 f32[1,86,3,3,32]{0,128,98304,32768,4}   @w1   ; flatten1 = flatten1.flat.copy0+48960{73728,288,96,32,1} relu1+5440{0,32,24576,8192,1}
.write
  w2    store        dram+0x31fd40 f32[1,86,3,3,32]{294912,1152,384,128,4} <- oram+0x48000 f32[1,86,3,3,32]{294912,1152,384,128,4}   @c6   ; flatten1 = flatten1.flat.copy0+48960{73728,288,96,32,1} flatten1.flat.copy0+48960{73728,288,96,32,1}

.group 1 single layers=gemm1 parts=1 reason="fc 2304 pixels of 128 B = [1,256,3,3,32], 26 groups of 90, the last of 54, 25 x 11520 + 6912 B; about 3244160 B and 207940 cycles"
.part 1/1 core 0
.read
  r3    load         oram+0x60300 f32[2880,10] <- dram+0x20000 f32[2880,10]   ; gemm1 = output.b.pixels+0{10,1} output.b.pixels+0{10,1}
  r4    load         oram+0x0 f32[1,2880] <- dram+0x2f0040 f32[1,2880]{0,4}   @c5   ; gemm1 = flatten1.flat.copy0+0{0,1} flatten1.flat.copy0+0{0,1}
  r5    load         oram+0x1c240 f32[2880,10] <- dram+0x3c200 f32[2880,10]   @c6   ; gemm1 = output.b.pixels+28800{10,1} output.b.pixels+28800{10,1}
  r6    load         oram+0x2d40 f32[1,2880] <- dram+0x2f2d40 f32[1,2880]{0,4}   ; gemm1 = flatten1.flat.copy0+2880{0,1} flatten1.flat.copy0+2880{0,1}
  r7    load         oram+0x38440 f32[2880,10] <- dram+0x58400 f32[2880,10]   @w2   ; gemm1 = output.b.pixels+57600{10,1} output.b.pixels+57600{10,1}
  r8    load         oram+0x5a80 f32[1,2880] <- dram+0x2f5a40 f32[1,2880]{0,4}   ; gemm1 = flatten1.flat.copy0+5760{0,1} flatten1.flat.copy0+5760{0,1}
  r9    load         oram+0x7c500 f32[2880,10] <- dram+0x74600 f32[2880,10]   ; gemm1 = output.b.pixels+86400{10,1} output.b.pixels+86400{10,1}
  r10   load         oram+0x98700 f32[1,2880] <- dram+0x2f8740 f32[1,2880]{0,4}   ; gemm1 = flatten1.flat.copy0+8640{0,1} flatten1.flat.copy0+8640{0,1}
  r11   load         oram+0x54640 f32[2880,10] <- dram+0x90800 f32[2880,10]   @c7   ; gemm1 = output.b.pixels+115200{10,1} output.b.pixels+115200{10,1}
  r12   load         oram+0x9b440 f32[1,2880] <- dram+0x2fb440 f32[1,2880]{0,4}   ; gemm1 = flatten1.flat.copy0+11520{0,1} flatten1.flat.copy0+11520{0,1}
  r13   load         oram+0x1c240 f32[2880,10] <- dram+0xaca00 f32[2880,10]   @c10   ; gemm1 = output.b.pixels+144000{10,1} output.b.pixels+144000{10,1}
  r14   load         oram+0x0 f32[1,2880] <- dram+0x2fe140 f32[1,2880]{0,4}   ; gemm1 = flatten1.flat.copy0+14400{0,1} flatten1.flat.copy0+14400{0,1}
  r15   load         oram+0x38440 f32[2880,10] <- dram+0xc8c00 f32[2880,10]   @c13   ; gemm1 = output.b.pixels+172800{10,1} output.b.pixels+172800{10,1}
  r16   load         oram+0x2d40 f32[1,2880] <- dram+0x300e40 f32[1,2880]{0,4}   ; gemm1 = flatten1.flat.copy0+17280{0,1} flatten1.flat.copy0+17280{0,1}
  r17   load         oram+0x70840 f32[2880,10] <- dram+0xe4e00 f32[2880,10]   @c16   ; gemm1 = output.b.pixels+201600{10,1} output.b.pixels+201600{10,1}
  r18   load         oram+0x8ca40 f32[1,2880] <- dram+0x303b40 f32[1,2880]{0,4}   ; gemm1 = flatten1.flat.copy0+20160{0,1} flatten1.flat.copy0+20160{0,1}
  r19   load         oram+0x54640 f32[2880,10] <- dram+0x101000 f32[2880,10]   @c19   ; gemm1 = output.b.pixels+230400{10,1} output.b.pixels+230400{10,1}
  r20   load         oram+0x8f780 f32[1,2880] <- dram+0x306840 f32[1,2880]{0,4}   ; gemm1 = flatten1.flat.copy0+23040{0,1} flatten1.flat.copy0+23040{0,1}
  r21   load         oram+0x1c240 f32[2880,10] <- dram+0x11d200 f32[2880,10]   @c22   ; gemm1 = output.b.pixels+259200{10,1} output.b.pixels+259200{10,1}
  r22   load         oram+0x924c0 f32[1,2880] <- dram+0x309540 f32[1,2880]{0,4}   ; gemm1 = flatten1.flat.copy0+25920{0,1} flatten1.flat.copy0+25920{0,1}
  r23   load         oram+0x38440 f32[2880,10] <- dram+0x139400 f32[2880,10]   @c25   ; gemm1 = output.b.pixels+288000{10,1} output.b.pixels+288000{10,1}
  r24   load         oram+0x0 f32[1,2880] <- dram+0x30c240 f32[1,2880]{0,4}   ; gemm1 = flatten1.flat.copy0+28800{0,1} flatten1.flat.copy0+28800{0,1}
  r25   load         oram+0x70840 f32[2880,10] <- dram+0x155600 f32[2880,10]   @c28   ; gemm1 = output.b.pixels+316800{10,1} output.b.pixels+316800{10,1}
  r26   load         oram+0x95200 f32[1,2880] <- dram+0x30ef40 f32[1,2880]{0,4}   ; gemm1 = flatten1.flat.copy0+31680{0,1} flatten1.flat.copy0+31680{0,1}
  r27   load         oram+0x54640 f32[2880,10] <- dram+0x171800 f32[2880,10]   @c31   ; gemm1 = output.b.pixels+345600{10,1} output.b.pixels+345600{10,1}
  r28   load         oram+0x97f40 f32[1,2880] <- dram+0x311c40 f32[1,2880]{0,4}   ; gemm1 = flatten1.flat.copy0+34560{0,1} flatten1.flat.copy0+34560{0,1}
  r29   load         oram+0x1c240 f32[2880,10] <- dram+0x18da00 f32[2880,10]   @c34   ; gemm1 = output.b.pixels+374400{10,1} output.b.pixels+374400{10,1}
  r30   load         oram+0x9ac80 f32[1,2880] <- dram+0x314940 f32[1,2880]{0,4}   ; gemm1 = flatten1.flat.copy0+37440{0,1} flatten1.flat.copy0+37440{0,1}
  r31   load         oram+0x38440 f32[2880,10] <- dram+0x1a9c00 f32[2880,10]   @c37   ; gemm1 = output.b.pixels+403200{10,1} output.b.pixels+403200{10,1}
  r32   load         oram+0x8ca40 f32[1,2880] <- dram+0x317640 f32[1,2880]{0,4}   ; gemm1 = flatten1.flat.copy0+40320{0,1} flatten1.flat.copy0+40320{0,1}
  r33   load         oram+0x0 f32[2880,10] <- dram+0x1c5e00 f32[2880,10]   @c38   ; gemm1 = output.b.pixels+432000{10,1} output.b.pixels+432000{10,1}
  r34   load         oram+0x8f780 f32[1,2880] <- dram+0x31a340 f32[1,2880]{0,4}   ; gemm1 = flatten1.flat.copy0+43200{0,1} flatten1.flat.copy0+43200{0,1}
  r35   load         oram+0x70840 f32[2880,10] <- dram+0x1e2000 f32[2880,10]   @c40   ; gemm1 = output.b.pixels+460800{10,1} output.b.pixels+460800{10,1}
  r36   load         oram+0x924c0 f32[1,2880] <- dram+0x31d040 f32[1,2880]{0,4}   ; gemm1 = flatten1.flat.copy0+46080{0,1} flatten1.flat.copy0+46080{0,1}
  r37   load         oram+0x54640 f32[2880,10] <- dram+0x1fe200 f32[2880,10]   @c43   ; gemm1 = output.b.pixels+489600{10,1} output.b.pixels+489600{10,1}
  r38   load         oram+0x95200 f32[1,2880] <- dram+0x31fd40 f32[1,2880]{0,4}   ; gemm1 = flatten1.flat.copy0+48960{0,1} flatten1.flat.copy0+48960{0,1}
  r39   load         oram+0x1c240 f32[2880,10] <- dram+0x21a400 f32[2880,10]   @c46   ; gemm1 = output.b.pixels+518400{10,1} output.b.pixels+518400{10,1}
  r40   load         oram+0x97f40 f32[1,2880] <- dram+0x322a40 f32[1,2880]{0,4}   ; gemm1 = flatten1.flat.copy0+51840{0,1} flatten1.flat.copy0+51840{0,1}
  r41   load         oram+0x38440 f32[2880,10] <- dram+0x236600 f32[2880,10]   @c49   ; gemm1 = output.b.pixels+547200{10,1} output.b.pixels+547200{10,1}
  r42   load         oram+0x9ac80 f32[1,2880] <- dram+0x325740 f32[1,2880]{0,4}   ; gemm1 = flatten1.flat.copy0+54720{0,1} flatten1.flat.copy0+54720{0,1}
  r43   load         oram+0x0 f32[2880,10] <- dram+0x252800 f32[2880,10]   @c52   ; gemm1 = output.b.pixels+576000{10,1} output.b.pixels+576000{10,1}
  r44   load         oram+0x8ca40 f32[1,2880] <- dram+0x328440 f32[1,2880]{0,4}   ; gemm1 = flatten1.flat.copy0+57600{0,1} flatten1.flat.copy0+57600{0,1}
  r45   load         oram+0x70840 f32[2880,10] <- dram+0x26ea00 f32[2880,10]   @c55   ; gemm1 = output.b.pixels+604800{10,1} output.b.pixels+604800{10,1}
  r46   load         oram+0x8f780 f32[1,2880] <- dram+0x32b140 f32[1,2880]{0,4}   ; gemm1 = flatten1.flat.copy0+60480{0,1} flatten1.flat.copy0+60480{0,1}
  r47   load         oram+0x54640 f32[2880,10] <- dram+0x28ac00 f32[2880,10]   @c58   ; gemm1 = output.b.pixels+633600{10,1} output.b.pixels+633600{10,1}
  r48   load         oram+0x924c0 f32[1,2880] <- dram+0x32de40 f32[1,2880]{0,4}   ; gemm1 = flatten1.flat.copy0+63360{0,1} flatten1.flat.copy0+63360{0,1}
  r49   load         oram+0x1c240 f32[2880,10] <- dram+0x2a6e00 f32[2880,10]   @c61   ; gemm1 = output.b.pixels+662400{10,1} output.b.pixels+662400{10,1}
  r50   load         oram+0x95200 f32[1,2880] <- dram+0x330b40 f32[1,2880]{0,4}   ; gemm1 = flatten1.flat.copy0+66240{0,1} flatten1.flat.copy0+66240{0,1}
  r51   load         oram+0x38440 f32[2880,10] <- dram+0x2c3000 f32[2880,10]   @c64   ; gemm1 = output.b.pixels+691200{10,1} output.b.pixels+691200{10,1}
  r52   load         oram+0x97f40 f32[1,2880] <- dram+0x333840 f32[1,2880]{0,4}   ; gemm1 = flatten1.flat.copy0+69120{0,1} flatten1.flat.copy0+69120{0,1}
  r53   load         oram+0x0 f32[1728,10] <- dram+0x2df200 f32[1728,10]   @c67   ; gemm1 = output.b.pixels+720000{10,1} output.b.pixels+720000{10,1}
  r54   load         oram+0x9ac80 f32[16] <- dram+0x2f0000 f32[16]   ; gemm1 = gemm1.bias+0[10]{1} gemm1.bias+0[10]{1}
  r55   load         oram+0x9acc0 f32[1,1728] <- dram+0x336540 f32[1,1728]{0,4}   ; gemm1 = flatten1.flat.copy0+72000{0,1} flatten1.flat.copy0+72000{0,1}
.compute
  c7    copy         wram+0x0 f32[2880,10] <- oram+0x60300 f32[2880,10]   @r3   ; gemm1 = output.b.pixels+0{10,1} output.b.pixels+0{10,1}
  c8    copy         fram+0x0 f32[1,2880] <- oram+0x0 f32[1,2880]   @r4   ; gemm1 = flatten1.flat.copy0+0{0,1} flatten1.flat.copy0+0{0,1}
  c9    gemm         <- fram+0x0 f32[1,2880], weight=wram+0x0 f32[2880,10], accumulator=oram+0x1c200 f32[1,10], phase=start   ; gemm1 = flatten1.flat.copy0+0{0,1} output.b.pixels+0{10,1} "output (sums)"+0{10,1}
  c10   copy         wram+0x0 f32[2880,10] <- oram+0x1c240 f32[2880,10]   @r5   ; gemm1 = output.b.pixels+28800{10,1} output.b.pixels+28800{10,1}
  c11   copy         fram+0x0 f32[1,2880] <- oram+0x2d40 f32[1,2880]   @r6   ; gemm1 = flatten1.flat.copy0+2880{0,1} flatten1.flat.copy0+2880{0,1}
  c12   gemm         <- fram+0x0 f32[1,2880], weight=wram+0x0 f32[2880,10], accumulator=oram+0x1c200 f32[1,10], phase=add   ; gemm1 = flatten1.flat.copy0+2880{0,1} output.b.pixels+28800{10,1} "output (sums)"+0{10,1}
  c13   copy         wram+0x0 f32[2880,10] <- oram+0x38440 f32[2880,10]   @r7   ; gemm1 = output.b.pixels+57600{10,1} output.b.pixels+57600{10,1}
  c14   copy         fram+0x0 f32[1,2880] <- oram+0x5a80 f32[1,2880]   @r8   ; gemm1 = flatten1.flat.copy0+5760{0,1} flatten1.flat.copy0+5760{0,1}
  c15   gemm         <- fram+0x0 f32[1,2880], weight=wram+0x0 f32[2880,10], accumulator=oram+0x1c200 f32[1,10], phase=add   ; gemm1 = flatten1.flat.copy0+5760{0,1} output.b.pixels+57600{10,1} "output (sums)"+0{10,1}
  c16   copy         wram+0x0 f32[2880,10] <- oram+0x7c500 f32[2880,10]   @r9   ; gemm1 = output.b.pixels+86400{10,1} output.b.pixels+86400{10,1}
  c17   copy         fram+0x0 f32[1,2880] <- oram+0x98700 f32[1,2880]   @r10   ; gemm1 = flatten1.flat.copy0+8640{0,1} flatten1.flat.copy0+8640{0,1}
  c18   gemm         <- fram+0x0 f32[1,2880], weight=wram+0x0 f32[2880,10], accumulator=oram+0x1c200 f32[1,10], phase=add   ; gemm1 = flatten1.flat.copy0+8640{0,1} output.b.pixels+86400{10,1} "output (sums)"+0{10,1}
  c19   copy         wram+0x0 f32[2880,10] <- oram+0x54640 f32[2880,10]   @r11   ; gemm1 = output.b.pixels+115200{10,1} output.b.pixels+115200{10,1}
  c20   copy         fram+0x0 f32[1,2880] <- oram+0x9b440 f32[1,2880]   @r12   ; gemm1 = flatten1.flat.copy0+11520{0,1} flatten1.flat.copy0+11520{0,1}
  c21   gemm         <- fram+0x0 f32[1,2880], weight=wram+0x0 f32[2880,10], accumulator=oram+0x1c200 f32[1,10], phase=add   ; gemm1 = flatten1.flat.copy0+11520{0,1} output.b.pixels+115200{10,1} "output (sums)"+0{10,1}
  c22   copy         wram+0x0 f32[2880,10] <- oram+0x1c240 f32[2880,10]   @r13   ; gemm1 = output.b.pixels+144000{10,1} output.b.pixels+144000{10,1}
  c23   copy         fram+0x0 f32[1,2880] <- oram+0x0 f32[1,2880]   @r14   ; gemm1 = flatten1.flat.copy0+14400{0,1} flatten1.flat.copy0+14400{0,1}
  c24   gemm         <- fram+0x0 f32[1,2880], weight=wram+0x0 f32[2880,10], accumulator=oram+0x1c200 f32[1,10], phase=add   ; gemm1 = flatten1.flat.copy0+14400{0,1} output.b.pixels+144000{10,1} "output (sums)"+0{10,1}
  c25   copy         wram+0x0 f32[2880,10] <- oram+0x38440 f32[2880,10]   @r15   ; gemm1 = output.b.pixels+172800{10,1} output.b.pixels+172800{10,1}
  c26   copy         fram+0x0 f32[1,2880] <- oram+0x2d40 f32[1,2880]   @r16   ; gemm1 = flatten1.flat.copy0+17280{0,1} flatten1.flat.copy0+17280{0,1}
  c27   gemm         <- fram+0x0 f32[1,2880], weight=wram+0x0 f32[2880,10], accumulator=oram+0x1c200 f32[1,10], phase=add   ; gemm1 = flatten1.flat.copy0+17280{0,1} output.b.pixels+172800{10,1} "output (sums)"+0{10,1}
  c28   copy         wram+0x0 f32[2880,10] <- oram+0x70840 f32[2880,10]   @r17   ; gemm1 = output.b.pixels+201600{10,1} output.b.pixels+201600{10,1}
  c29   copy         fram+0x0 f32[1,2880] <- oram+0x8ca40 f32[1,2880]   @r18   ; gemm1 = flatten1.flat.copy0+20160{0,1} flatten1.flat.copy0+20160{0,1}
  c30   gemm         <- fram+0x0 f32[1,2880], weight=wram+0x0 f32[2880,10], accumulator=oram+0x1c200 f32[1,10], phase=add   ; gemm1 = flatten1.flat.copy0+20160{0,1} output.b.pixels+201600{10,1} "output (sums)"+0{10,1}
  c31   copy         wram+0x0 f32[2880,10] <- oram+0x54640 f32[2880,10]   @r19   ; gemm1 = output.b.pixels+230400{10,1} output.b.pixels+230400{10,1}
  c32   copy         fram+0x0 f32[1,2880] <- oram+0x8f780 f32[1,2880]   @r20   ; gemm1 = flatten1.flat.copy0+23040{0,1} flatten1.flat.copy0+23040{0,1}
  c33   gemm         <- fram+0x0 f32[1,2880], weight=wram+0x0 f32[2880,10], accumulator=oram+0x1c200 f32[1,10], phase=add   ; gemm1 = flatten1.flat.copy0+23040{0,1} output.b.pixels+230400{10,1} "output (sums)"+0{10,1}
  c34   copy         wram+0x0 f32[2880,10] <- oram+0x1c240 f32[2880,10]   @r21   ; gemm1 = output.b.pixels+259200{10,1} output.b.pixels+259200{10,1}
  c35   copy         fram+0x0 f32[1,2880] <- oram+0x924c0 f32[1,2880]   @r22   ; gemm1 = flatten1.flat.copy0+25920{0,1} flatten1.flat.copy0+25920{0,1}
  c36   gemm         <- fram+0x0 f32[1,2880], weight=wram+0x0 f32[2880,10], accumulator=oram+0x1c200 f32[1,10], phase=add   ; gemm1 = flatten1.flat.copy0+25920{0,1} output.b.pixels+259200{10,1} "output (sums)"+0{10,1}
  c37   copy         wram+0x0 f32[2880,10] <- oram+0x38440 f32[2880,10]   @r23   ; gemm1 = output.b.pixels+288000{10,1} output.b.pixels+288000{10,1}
  c38   copy         fram+0x0 f32[1,2880] <- oram+0x0 f32[1,2880]   @r24   ; gemm1 = flatten1.flat.copy0+28800{0,1} flatten1.flat.copy0+28800{0,1}
  c39   gemm         <- fram+0x0 f32[1,2880], weight=wram+0x0 f32[2880,10], accumulator=oram+0x1c200 f32[1,10], phase=add   ; gemm1 = flatten1.flat.copy0+28800{0,1} output.b.pixels+288000{10,1} "output (sums)"+0{10,1}
  c40   copy         wram+0x0 f32[2880,10] <- oram+0x70840 f32[2880,10]   @r25   ; gemm1 = output.b.pixels+316800{10,1} output.b.pixels+316800{10,1}
  c41   copy         fram+0x0 f32[1,2880] <- oram+0x95200 f32[1,2880]   @r26   ; gemm1 = flatten1.flat.copy0+31680{0,1} flatten1.flat.copy0+31680{0,1}
  c42   gemm         <- fram+0x0 f32[1,2880], weight=wram+0x0 f32[2880,10], accumulator=oram+0x1c200 f32[1,10], phase=add   ; gemm1 = flatten1.flat.copy0+31680{0,1} output.b.pixels+316800{10,1} "output (sums)"+0{10,1}
  c43   copy         wram+0x0 f32[2880,10] <- oram+0x54640 f32[2880,10]   @r27   ; gemm1 = output.b.pixels+345600{10,1} output.b.pixels+345600{10,1}
  c44   copy         fram+0x0 f32[1,2880] <- oram+0x97f40 f32[1,2880]   @r28   ; gemm1 = flatten1.flat.copy0+34560{0,1} flatten1.flat.copy0+34560{0,1}
  c45   gemm         <- fram+0x0 f32[1,2880], weight=wram+0x0 f32[2880,10], accumulator=oram+0x1c200 f32[1,10], phase=add   ; gemm1 = flatten1.flat.copy0+34560{0,1} output.b.pixels+345600{10,1} "output (sums)"+0{10,1}
  c46   copy         wram+0x0 f32[2880,10] <- oram+0x1c240 f32[2880,10]   @r29   ; gemm1 = output.b.pixels+374400{10,1} output.b.pixels+374400{10,1}
  c47   copy         fram+0x0 f32[1,2880] <- oram+0x9ac80 f32[1,2880]   @r30   ; gemm1 = flatten1.flat.copy0+37440{0,1} flatten1.flat.copy0+37440{0,1}
  c48   gemm         <- fram+0x0 f32[1,2880], weight=wram+0x0 f32[2880,10], accumulator=oram+0x1c200 f32[1,10], phase=add   ; gemm1 = flatten1.flat.copy0+37440{0,1} output.b.pixels+374400{10,1} "output (sums)"+0{10,1}
  c49   copy         wram+0x0 f32[2880,10] <- oram+0x38440 f32[2880,10]   @r31   ; gemm1 = output.b.pixels+403200{10,1} output.b.pixels+403200{10,1}
  c50   copy         fram+0x0 f32[1,2880] <- oram+0x8ca40 f32[1,2880]   @r32   ; gemm1 = flatten1.flat.copy0+40320{0,1} flatten1.flat.copy0+40320{0,1}
  c51   gemm         <- fram+0x0 f32[1,2880], weight=wram+0x0 f32[2880,10], accumulator=oram+0x1c200 f32[1,10], phase=add   ; gemm1 = flatten1.flat.copy0+40320{0,1} output.b.pixels+403200{10,1} "output (sums)"+0{10,1}
  c52   copy         wram+0x0 f32[2880,10] <- oram+0x0 f32[2880,10]   @r33   ; gemm1 = output.b.pixels+432000{10,1} output.b.pixels+432000{10,1}
  c53   copy         fram+0x0 f32[1,2880] <- oram+0x8f780 f32[1,2880]   @r34   ; gemm1 = flatten1.flat.copy0+43200{0,1} flatten1.flat.copy0+43200{0,1}
  c54   gemm         <- fram+0x0 f32[1,2880], weight=wram+0x0 f32[2880,10], accumulator=oram+0x1c200 f32[1,10], phase=add   ; gemm1 = flatten1.flat.copy0+43200{0,1} output.b.pixels+432000{10,1} "output (sums)"+0{10,1}
  c55   copy         wram+0x0 f32[2880,10] <- oram+0x70840 f32[2880,10]   @r35   ; gemm1 = output.b.pixels+460800{10,1} output.b.pixels+460800{10,1}
  c56   copy         fram+0x0 f32[1,2880] <- oram+0x924c0 f32[1,2880]   @r36   ; gemm1 = flatten1.flat.copy0+46080{0,1} flatten1.flat.copy0+46080{0,1}
  c57   gemm         <- fram+0x0 f32[1,2880], weight=wram+0x0 f32[2880,10], accumulator=oram+0x1c200 f32[1,10], phase=add   ; gemm1 = flatten1.flat.copy0+46080{0,1} output.b.pixels+460800{10,1} "output (sums)"+0{10,1}
  c58   copy         wram+0x0 f32[2880,10] <- oram+0x54640 f32[2880,10]   @r37   ; gemm1 = output.b.pixels+489600{10,1} output.b.pixels+489600{10,1}
  c59   copy         fram+0x0 f32[1,2880] <- oram+0x95200 f32[1,2880]   @r38   ; gemm1 = flatten1.flat.copy0+48960{0,1} flatten1.flat.copy0+48960{0,1}
  c60   gemm         <- fram+0x0 f32[1,2880], weight=wram+0x0 f32[2880,10], accumulator=oram+0x1c200 f32[1,10], phase=add   ; gemm1 = flatten1.flat.copy0+48960{0,1} output.b.pixels+489600{10,1} "output (sums)"+0{10,1}
  c61   copy         wram+0x0 f32[2880,10] <- oram+0x1c240 f32[2880,10]   @r39   ; gemm1 = output.b.pixels+518400{10,1} output.b.pixels+518400{10,1}
  c62   copy         fram+0x0 f32[1,2880] <- oram+0x97f40 f32[1,2880]   @r40   ; gemm1 = flatten1.flat.copy0+51840{0,1} flatten1.flat.copy0+51840{0,1}
  c63   gemm         <- fram+0x0 f32[1,2880], weight=wram+0x0 f32[2880,10], accumulator=oram+0x1c200 f32[1,10], phase=add   ; gemm1 = flatten1.flat.copy0+51840{0,1} output.b.pixels+518400{10,1} "output (sums)"+0{10,1}
  c64   copy         wram+0x0 f32[2880,10] <- oram+0x38440 f32[2880,10]   @r41   ; gemm1 = output.b.pixels+547200{10,1} output.b.pixels+547200{10,1}
  c65   copy         fram+0x0 f32[1,2880] <- oram+0x9ac80 f32[1,2880]   @r42   ; gemm1 = flatten1.flat.copy0+54720{0,1} flatten1.flat.copy0+54720{0,1}
  c66   gemm         <- fram+0x0 f32[1,2880], weight=wram+0x0 f32[2880,10], accumulator=oram+0x1c200 f32[1,10], phase=add   ; gemm1 = flatten1.flat.copy0+54720{0,1} output.b.pixels+547200{10,1} "output (sums)"+0{10,1}
  c67   copy         wram+0x0 f32[2880,10] <- oram+0x0 f32[2880,10]   @r43   ; gemm1 = output.b.pixels+576000{10,1} output.b.pixels+576000{10,1}
  c68   copy         fram+0x0 f32[1,2880] <- oram+0x8ca40 f32[1,2880]   @r44   ; gemm1 = flatten1.flat.copy0+57600{0,1} flatten1.flat.copy0+57600{0,1}
  c69   gemm         <- fram+0x0 f32[1,2880], weight=wram+0x0 f32[2880,10], accumulator=oram+0x1c200 f32[1,10], phase=add   ; gemm1 = flatten1.flat.copy0+57600{0,1} output.b.pixels+576000{10,1} "output (sums)"+0{10,1}
  c70   copy         wram+0x0 f32[2880,10] <- oram+0x70840 f32[2880,10]   @r45   ; gemm1 = output.b.pixels+604800{10,1} output.b.pixels+604800{10,1}
  c71   copy         fram+0x0 f32[1,2880] <- oram+0x8f780 f32[1,2880]   @r46   ; gemm1 = flatten1.flat.copy0+60480{0,1} flatten1.flat.copy0+60480{0,1}
  c72   gemm         <- fram+0x0 f32[1,2880], weight=wram+0x0 f32[2880,10], accumulator=oram+0x1c200 f32[1,10], phase=add   ; gemm1 = flatten1.flat.copy0+60480{0,1} output.b.pixels+604800{10,1} "output (sums)"+0{10,1}
  c73   copy         wram+0x0 f32[2880,10] <- oram+0x54640 f32[2880,10]   @r47   ; gemm1 = output.b.pixels+633600{10,1} output.b.pixels+633600{10,1}
  c74   copy         fram+0x0 f32[1,2880] <- oram+0x924c0 f32[1,2880]   @r48   ; gemm1 = flatten1.flat.copy0+63360{0,1} flatten1.flat.copy0+63360{0,1}
  c75   gemm         <- fram+0x0 f32[1,2880], weight=wram+0x0 f32[2880,10], accumulator=oram+0x1c200 f32[1,10], phase=add   ; gemm1 = flatten1.flat.copy0+63360{0,1} output.b.pixels+633600{10,1} "output (sums)"+0{10,1}
  c76   copy         wram+0x0 f32[2880,10] <- oram+0x1c240 f32[2880,10]   @r49   ; gemm1 = output.b.pixels+662400{10,1} output.b.pixels+662400{10,1}
  c77   copy         fram+0x0 f32[1,2880] <- oram+0x95200 f32[1,2880]   @r50   ; gemm1 = flatten1.flat.copy0+66240{0,1} flatten1.flat.copy0+66240{0,1}
  c78   gemm         <- fram+0x0 f32[1,2880], weight=wram+0x0 f32[2880,10], accumulator=oram+0x1c200 f32[1,10], phase=add   ; gemm1 = flatten1.flat.copy0+66240{0,1} output.b.pixels+662400{10,1} "output (sums)"+0{10,1}
  c79   copy         wram+0x0 f32[2880,10] <- oram+0x38440 f32[2880,10]   @r51   ; gemm1 = output.b.pixels+691200{10,1} output.b.pixels+691200{10,1}
  c80   copy         fram+0x0 f32[1,2880] <- oram+0x97f40 f32[1,2880]   @r52   ; gemm1 = flatten1.flat.copy0+69120{0,1} flatten1.flat.copy0+69120{0,1}
  c81   gemm         <- fram+0x0 f32[1,2880], weight=wram+0x0 f32[2880,10], accumulator=oram+0x1c200 f32[1,10], phase=add   ; gemm1 = flatten1.flat.copy0+69120{0,1} output.b.pixels+691200{10,1} "output (sums)"+0{10,1}
  c82   copy         wram+0x0 f32[1728,10] <- oram+0x0 f32[1728,10]   @r53   ; gemm1 = output.b.pixels+720000{10,1} output.b.pixels+720000{10,1}
  c83   copy         wram+0x1c200 f32[10] <- oram+0x9ac80 f32[10]   @r54   ; gemm1 = gemm1.bias+0{1} gemm1.bias+0{1}
  c84   copy         fram+0x0 f32[1,1728] <- oram+0x9acc0 f32[1,1728]   @r55   ; gemm1 = flatten1.flat.copy0+72000{0,1} flatten1.flat.copy0+72000{0,1}
  c85   gemm         oram+0x0 f32[1,10]{64,4} <- fram+0x0 f32[1,1728], weight=wram+0x0 f32[1728,10], bias=wram+0x1c200 f32[10], accumulator=oram+0x1c200 f32[1,10], phase=finish   ; gemm1 = flatten1.flat.copy0+72000{0,1} output.b.pixels+720000{10,1} output+0{10,1} gemm1.bias+0{1} "output (sums)"+0{10,1}
.write
  w3    store        dram+0x338100 f32[16] <- oram+0x0 f32[16]   @c85   ; gemm1 = output+0{1} output+0{1}
