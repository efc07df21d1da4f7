.nnc 5
.chip name "nna"
.chip description "one core, ORAM for the DMA, from there copies to FRAM (features) and WRAM (weights) (M5)"
.chip cores 1
.chip split_bytes 0
.chip clock_mhz 1000
.chip dram {"bytes_per_cycle": 16, "latency": 100, "burst": 64, "align": 64, "bytes": 4294967296}
.chip dma {"broadcast": false, "in_flight": 4, "move_bytes_per_cycle": 64, "align": 64}
.chip memory {"oram": {"bytes": 8192, "align": 64, "word": 16}, "fram": {"bytes": 2048, "align": 64, "word": 16}, "wram": {"bytes": 4096, "align": 64, "word": 16}}
.chip operands {"default": {"feature": {"memories": ["oram"]}, "weight": {"memories": ["oram"]}, "result": {"memories": ["oram"]}, "accumulator": {"memories": ["oram"]}}, "dma": {"feature": {"memories": ["oram"]}, "result": {"memories": ["oram"]}}, "copy": {"feature": {"memories": ["oram"]}, "result": {"memories": ["oram", "fram", "wram"]}}, "conv": {"feature": {"memories": ["fram"], "dtypes": ["u8", "f32"]}, "weight": {"memories": ["wram"], "dtypes": ["u8", "f32"]}}, "gemm": {"feature": {"memories": ["fram"], "dtypes": ["u8", "f32"]}, "weight": {"memories": ["wram"], "dtypes": ["u8", "f32"]}}}
.chip compute {"issue": 32, "result_bytes_per_cycle": 64, "map": "channels", "arrays": {"i8": ["32x32"], "f32": ["16x1"]}, "depthwise": {"i8": 256, "f32": 16}, "elementwise": {"i8": 64, "f16": 32, "f32": 16}}
.chip energy {"mac": {"i8": 0.3, "f16": 2.0, "f32": 4.6}, "operation": {"i8": 0.03, "f16": 0.4, "f32": 0.9}, "memory": {"oram": {"read": 10.0, "write": 10.0}, "fram": {"read": 3.5, "write": 3.5}, "wram": {"read": 6.5, "write": 6.5}}, "dram": 100.0, "broadcast": 5.0, "static": 1000.0}
.chip area {"unit": {"i8": 0.0004, "f16": 0.006, "f32": 0.012}, "kib": 0.005, "core": 0.5, "shared": 2.0}
.dram 19584
.constants file="lenet5.nna.constants" bytes=18048 crc=0xf5a179c3
.tensor input input dram+0x4680 f32[1,1,16,16]{1024,4,64,4}
.tensor output output dram+0x4c40 f32[1,10] reserved=64
.tensor averagepool2 boundary dram+0x4b80 f32[1,8,1,1]{32,4,32,32} reserved=64
.tensor tanh3 boundary dram+0x4a80 f32[1,60] reserved=256
.tensor tanh4 boundary dram+0x4b80 f32[1,42] reserved=192
.tensor gemm3 boundary dram+0x4a80 f32[1,10] reserved=64
.tensor conv1.weight constant dram+0x0 f32[1,5,5,4] reserved=448
.tensor conv1.bias constant dram+0x1c0 f32[4] reserved=64
.tensor conv2.weight constant dram+0x200 f32[5,5,4,8]
.tensor conv2.bias constant dram+0xe80 f32[8] reserved=64
.tensor gemm1.b.reordered constant dram+0xec0 f32[8,60]
.tensor gemm1.bias constant dram+0x1640 f32[60] reserved=256
.tensor "gemm2.b[0,0]" constant dram+0x1740 f32[60,16]
.tensor "gemm2.bias[0]" constant dram+0x2640 f32[16]
.tensor "gemm2.b[0,16]" constant dram+0x2680 f32[60,16]
.tensor "gemm2.bias[16]" constant dram+0x3580 f32[16]
.tensor "gemm2.b[0,32]" constant dram+0x35c0 f32[60,10] reserved=2432
.tensor "gemm2.bias[32]" constant dram+0x3f40 f32[10] reserved=64
.tensor gemm3.b constant dram+0x3f80 f32[42,10] reserved=1728
.tensor gemm3.bias constant dram+0x4640 f32[10] reserved=64
.fact floor_bytes 18840
.fact macs 21020
.fact peak_floor_cycles 1315
.fact compute_floor_cycles 4294
.fact dram_floor_cycles 1178
.fact predicted_cycles 6590
.fact predicted_dram_bytes 20288
.fact estimated_cycles 6471
.fact estimated_dram_bytes 20288
.fact group_0_estimated_dram_bytes 4864
.fact group_0_estimated_cycles 4710
.fact group_1_estimated_dram_bytes 2496
.fact group_1_estimated_cycles 317
.fact group_2_estimated_dram_bytes 10752
.fact group_2_estimated_cycles 876
.fact group_3_estimated_dram_bytes 2048
.fact group_3_estimated_cycles 325
.fact group_4_estimated_dram_bytes 128
.fact group_4_estimated_cycles 243
.fact group_0_digest 5140306222189687536
.fact group_1_digest 7672036476223970587
.fact group_2_digest 8633659021296291646
.fact group_3_digest 6494763646055354258
.fact group_4_digest 1353481691391714126
.fact digest_of_ports 3963179201

.group 0 serial layers=conv1,averagepool1,conv2,averagepool2 parts=1 reason="4864 B of DRAM traffic for 4442 cycles of work; activations stay, weights stream once"
.part 1/1 core 0
.read
  r0    load         oram+0x0 f32[1,1,16,16]{1024,4,64,4} <- dram+0x4680 f32[1,1,16,16]{1024,4,64,4}   ; conv1 = input+0{256,1,16,1} input+0{256,1,16,1}
  r1    load         oram+0x400 f32[112] <- dram+0x0 f32[112]   ; conv1 = conv1.weight+0[1,5,5,4]{25,5,1,25} conv1.weight+0[1,5,5,4]{25,5,1,25}
  r2    load         oram+0x5c0 f32[16] <- dram+0x1c0 f32[16]   ; conv1 = conv1.bias+0[4]{1} conv1.bias+0[4]{1}
  r3    load         oram+0x0 f32[5,5,4,8] <- dram+0x200 f32[5,5,4,8]   @c2   ; conv2 = conv2.weight+0{5,1,25,100} conv2.weight+0{5,1,25,100}
  r4    load         oram+0x1880 f32[16] <- dram+0xe80 f32[16]   ; conv2 = conv2.bias+0[8]{1} conv2.bias+0[8]{1}
.compute
  c0    copy         fram+0x0 f32[1,1,16,16] <- oram+0x0 f32[1,1,16,16]{1024,4,64,4}   @r0   ; input = input+0{256,1,16,1} input+0{256,1,16,1}
  c1    copy         wram+0x0 f32[1,5,5,4] <- oram+0x400 f32[1,5,5,4]{16,80,16,4}   @r1   ; conv1.weight = conv1.weight+0{25,5,1,25} conv1.weight+0{25,5,1,25}
  c2    copy         wram+0x1c0 f32[4] <- oram+0x5c0 f32[4]   @r2   ; conv1.bias = conv1.bias+0{1} conv1.bias+0{1}
  c3    conv         oram+0xc80 f32[1,12,12,4] <- fram+0x0 f32[1,16,16,1]{1024,64,4,1024}, weight=wram+0x0 f32[5,5,1,4]{80,16,400,4}, bias=wram+0x1c0 f32[4], act=tanh stride=1,1 dilation=1,1 pad_begin=0,0   ; conv1 = input+0{256,16,1,1} conv1.weight+0{5,1,25,25} tanh1+0{576,48,4,1} conv1.bias+0{1}
  c4    pool         oram+0x1580 f32[1,6,6,4]{768,128,16,4} <- oram+0xc80 f32[1,12,12,4], function=average kernel=2,2 stride=2,2 dilation=1,1 pad_begin=0,0 pad_end=0,0   ; averagepool1 = averagepool1+0{192,32,4,1} tanh1+0{576,48,4,1}
  c5    copy         fram+0x0 f32[1,6,6,4] <- oram+0x1580 f32[1,6,6,4]{768,128,16,4}   ; averagepool1 = averagepool1+0{192,32,4,1} averagepool1+0{192,32,4,1}
  c6    copy         wram+0x0 f32[5,5,4,8] <- oram+0x0 f32[5,5,4,8]   @r3   ; conv2.weight = conv2.weight+0{5,1,25,100} conv2.weight+0{5,1,25,100}
  c7    copy         wram+0xc80 f32[8] <- oram+0x1880 f32[8]   @r4   ; conv2.bias = conv2.bias+0{1} conv2.bias+0{1}
  c8    conv         oram+0x0 f32[1,2,2,8] <- fram+0x0 f32[1,6,6,4], weight=wram+0x0 f32[5,5,4,8], bias=wram+0xc80 f32[8], act=tanh stride=1,1 dilation=1,1 pad_begin=0,0   ; conv2 = averagepool1+0{192,32,4,1} conv2.weight+0{5,1,25,100} tanh2+0{32,16,8,1} conv2.bias+0{1}
  c9    pool         oram+0x80 f32[1,1,1,8] <- oram+0x0 f32[1,2,2,8], function=average kernel=2,2 stride=2,2 dilation=1,1 pad_begin=0,0 pad_end=0,0   ; averagepool2 = averagepool2+0{8,8,8,1} tanh2+0{32,16,8,1}
.write
  w0    store        dram+0x4b80 f32[16] <- oram+0x80 f32[16]   @c9   ; averagepool2 = averagepool2+0{1} averagepool2+0{1}

.group 1 single layers=gemm1 parts=1 reason="fc 1 pixel of 128 B = [1,1,1,1,32], 1 group of 1, 128 B; about 2496 B and 551 cycles"
.part 1/1 core 0
.read
  r5    load         oram+0xc80 f32[8,60] <- dram+0xec0 f32[8,60]   @c4   ; gemm1 = gemm1.b.reordered+0{60,1} gemm1.b.reordered+0{60,1}
  r6    load         oram+0x1400 f32[64] <- dram+0x1640 f32[64]   ; gemm1 = gemm1.bias+0[60]{1} gemm1.bias+0[60]{1}
  r7    load         oram+0x880 f32[16] <- dram+0x4b80 f32[16]   @w0   ; gemm1 = averagepool2+0{1} averagepool2+0{1}
.compute
  c10   copy         wram+0x0 f32[8,60] <- oram+0xc80 f32[8,60]   @r5   ; gemm1 = gemm1.b.reordered+0{60,1} gemm1.b.reordered+0{60,1}
  c11   copy         wram+0x780 f32[60] <- oram+0x1400 f32[60]   @r6   ; gemm1 = gemm1.bias+0{1} gemm1.bias+0{1}
  c12   copy         fram+0x0 f32[1,8]{64,4} <- oram+0x880 f32[1,8]{64,4}   @r7   ; gemm1 = averagepool2+0{0,1} averagepool2+0{0,1}
  c13   gemm         oram+0x0 f32[1,60]{256,4} <- fram+0x0 f32[1,8]{64,4}, weight=wram+0x0 f32[8,60], bias=wram+0x780 f32[60], act=tanh   ; gemm1 = averagepool2+0{0,1} gemm1.b.reordered+0{60,1} tanh3+0{60,1} gemm1.bias+0{1}
.write
  w1    store        dram+0x4a80 f32[64] <- oram+0x0 f32[64]   @c13   ; gemm1 = tanh3+0{1} tanh3+0{1}

.group 2 single layers=gemm2 parts=3 reason="tiled alone, about 10752 B and 1760 cycles"
.part 1/3 core 0
.read
  r8    load         oram+0x900 f32[60,16] <- dram+0x1740 f32[60,16]   @c11   ; gemm2 = gemm2.b+0{42,1} gemm2.b+0{42,1}
  r9    load         oram+0x140 f32[16] <- dram+0x2640 f32[16]   ; gemm2 = gemm2.bias+0{1} gemm2.bias+0{1}
  r10   load         oram+0x0 f32[64] <- dram+0x4a80 f32[64]   @w1   ; gemm2 = tanh3+0{1} tanh3+0{1}
.compute
  c14   copy         wram+0x0 f32[60,16] <- oram+0x900 f32[60,16]   @r8   ; gemm2 = gemm2.b+0{42,1} gemm2.b+0{42,1}
  c15   copy         wram+0xf00 f32[16] <- oram+0x140 f32[16]   @r9   ; gemm2 = gemm2.bias+0{1} gemm2.bias+0{1}
  c16   copy         fram+0x0 f32[1,60]{256,4} <- oram+0x0 f32[1,60]{256,4}   @r10   ; gemm2 = tanh3+0{60,1} tanh3+0{60,1}
  c17   gemm         oram+0xf00 f32[1,16] <- fram+0x0 f32[1,60]{256,4}, weight=wram+0x0 f32[60,16], bias=wram+0xf00 f32[16], act=tanh   ; gemm2 = tanh3+0{60,1} gemm2.b+0{42,1} tanh4+0{42,1} gemm2.bias+0{1}
.write
  w2    store        dram+0x4b80 f32[1,16]{168,4} <- oram+0xf00 f32[1,16]   @c17   ; gemm2 = tanh4+0{42,1} tanh4+0{42,1}

.part 2/3 core 0
.read
  r11   load         oram+0xf80 f32[60,16] <- dram+0x2680 f32[60,16]   @c14   ; gemm2 = gemm2.b+16{42,1} gemm2.b+16{42,1}
  r12   load         oram+0x1e80 f32[16] <- dram+0x3580 f32[16]   ; gemm2 = gemm2.bias+16{1} gemm2.bias+16{1}
.compute
  c18   copy         wram+0x0 f32[60,16] <- oram+0xf80 f32[60,16]   @r11   ; gemm2 = gemm2.b+16{42,1} gemm2.b+16{42,1}
  c19   copy         wram+0xf00 f32[16] <- oram+0x1e80 f32[16]   @r12   ; gemm2 = gemm2.bias+16{1} gemm2.bias+16{1}
  c20   gemm         oram+0xf80 f32[1,16] <- fram+0x0 f32[1,60]{256,4}, weight=wram+0x0 f32[60,16], bias=wram+0xf00 f32[16], act=tanh   ; gemm2 = tanh3+0{60,1} gemm2.b+16{42,1} tanh4+16{42,1} gemm2.bias+16{1}
.write
  w3    store        dram+0x4bc0 f32[1,16]{168,4} <- oram+0xf80 f32[1,16]   @c20   ; gemm2 = tanh4+16{42,1} tanh4+16{42,1}

.part 3/3 core 0
.read
  r13   load         oram+0x0 f32[608] <- dram+0x35c0 f32[608]   @c16   ; gemm2 = gemm2.b+32[60,10]{42,1} gemm2.b+32[60,10]{42,1}
  r14   load         oram+0x1ec0 f32[16] <- dram+0x3f40 f32[16]   ; gemm2 = gemm2.bias+32[10]{1} gemm2.bias+32[10]{1}
.compute
  c21   copy         wram+0x0 f32[60,10] <- oram+0x0 f32[60,10]   @r13   ; gemm2 = gemm2.b+32{42,1} gemm2.b+32{42,1}
  c22   copy         wram+0xf00 f32[10] <- oram+0x1ec0 f32[10]   @r14   ; gemm2 = gemm2.bias+32{1} gemm2.bias+32{1}
  c23   gemm         oram+0x0 f32[1,10]{64,4} <- fram+0x0 f32[1,60]{256,4}, weight=wram+0x0 f32[60,10], bias=wram+0xf00 f32[10], act=tanh   ; gemm2 = tanh3+0{60,1} gemm2.b+32{42,1} tanh4+32{42,1} gemm2.bias+32{1}
.write
  w4    store        dram+0x4c00 f32[16] <- oram+0x0 f32[16]   @c23   ; gemm2 = tanh4+32{1} tanh4+32{1}

.group 3 single layers=gemm3 parts=1 reason="fc 2 pixels of 128 B = [1,2,1,1,32], 1 group of 2, 256 B; about 2048 B and 529 cycles"
.part 1/1 core 0
.read
  r15   load         oram+0x1000 f32[432] <- dram+0x3f80 f32[432]   @c18   ; gemm3 = gemm3.b+0[42,10]{10,1} gemm3.b+0[42,10]{10,1}
  r16   load         oram+0xf00 f32[16] <- dram+0x4640 f32[16]   @w2   ; gemm3 = gemm3.bias+0[10]{1} gemm3.bias+0[10]{1}
  r17   load         oram+0x6c0 f32[48] <- dram+0x4b80 f32[48]   @w4   ; gemm3 = tanh4+0{1} tanh4+0{1}
.compute
  c24   copy         wram+0x0 f32[42,10] <- oram+0x1000 f32[42,10]   @r15   ; gemm3 = gemm3.b+0{10,1} gemm3.b+0{10,1}
  c25   copy         wram+0x6c0 f32[10] <- oram+0xf00 f32[10]   @r16   ; gemm3 = gemm3.bias+0{1} gemm3.bias+0{1}
  c26   copy         fram+0x0 f32[1,42]{192,4} <- oram+0x6c0 f32[1,42]{192,4}   @r17   ; gemm3 = tanh4+0{42,1} tanh4+0{42,1}
  c27   gemm         oram+0x0 f32[1,10]{64,4} <- fram+0x0 f32[1,42]{192,4}, weight=wram+0x0 f32[42,10], bias=wram+0x6c0 f32[10]   ; gemm3 = tanh4+0{42,1} gemm3.b+0{10,1} gemm3+0{10,1} gemm3.bias+0{1}
.write
  w5    store        dram+0x4a80 f32[16] <- oram+0x0 f32[16]   @c27   ; gemm3 = gemm3+0{1} gemm3+0{1}

.group 4 single layers=softmax1 parts=1 reason="128 B of DRAM traffic for 35 cycles of work; activations stay, weights stream once"
.part 1/1 core 0
.read
  r18   load         oram+0x0 f32[16] <- dram+0x4a80 f32[16]   @w5   ; softmax1 = gemm3+0{1} gemm3+0{1}
.compute
  c28   softmax      oram+0x40 f32[1,10] <- oram+0x0 f32[1,10], axis=1   @r18   ; softmax1 = output+0{10,1} gemm3+0{10,1}
.write
  w6    store        dram+0x4c40 f32[16] <- oram+0x40 f32[16]   @c28   ; softmax1 = output+0{1} output+0{1}
