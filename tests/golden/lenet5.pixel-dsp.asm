.nnc 5
.chip name "pixel-dsp"
.chip description "one core, unified 256 KiB SRAM, lanes along the pixels of pictures (M4)"
.chip cores 1
.chip split_bytes 0
.chip clock_mhz 1000
.chip dram {"bytes_per_cycle": 16, "latency": 100, "burst": 64, "align": 1, "bytes": 4294967296}
.chip dma {"broadcast": false, "in_flight": 4, "move_bytes_per_cycle": 64, "align": 1}
.chip memory {"sram": {"bytes": 6144, "align": 64, "word": 16}}
.chip operands {"default": {"feature": {"memories": ["sram"]}, "weight": {"memories": ["sram"]}, "result": {"memories": ["sram"]}, "accumulator": {"memories": ["sram"]}}}
.chip compute {"issue": 16, "result_bytes_per_cycle": 64, "map": "pixels", "arrays": {"i8": ["64x1"], "f16": ["32x1"], "f32": ["16x1"]}, "depthwise": {"i8": 64, "f16": 32, "f32": 16}, "elementwise": {"i8": 64, "f16": 32, "f32": 16}}
.chip energy {"mac": {"i8": 0.3, "f16": 2.0, "f32": 4.6}, "operation": {"i8": 0.03, "f16": 0.4, "f32": 0.9}, "memory": {"sram": {"read": 6.5, "write": 6.5}}, "dram": 100.0, "broadcast": 5.0, "static": 200.0}
.chip area {"unit": {"i8": 0.0004, "f16": 0.006, "f32": 0.012}, "kib": 0.005, "core": 0.5, "shared": 2.0}
.dram 19328
.constants file="lenet5.pixel-dsp.constants" bytes=18240 crc=0x48dffbdd
.tensor input input dram+0x4740 f32[1,1,16,16]
.tensor output output dram+0x4b40 f32[1,10]
.tensor conv1.weight constant dram+0x0 f32[1,5,5,4]
.tensor conv1.bias constant dram+0x1c0 f32[4]
.tensor conv2.weight constant dram+0x200 f32[5,5,4,8]
.tensor conv2.bias constant dram+0xe80 f32[8]
.tensor "gemm1.b[0,0]" constant dram+0xec0 f32[8,32]
.tensor "gemm1.bias[0]" constant dram+0x12c0 f32[32]
.tensor "gemm1.b[0,32]" constant dram+0x1340 f32[8,28]
.tensor "gemm1.bias[32]" constant dram+0x16c0 f32[28]
.tensor "gemm2.b[0,0]" constant dram+0x1740 f32[60,8]
.tensor "gemm2.bias[0]" constant dram+0x1ec0 f32[8]
.tensor "gemm2.b[0,8]" constant dram+0x1f00 f32[60,8]
.tensor "gemm2.bias[8]" constant dram+0x2680 f32[8]
.tensor "gemm2.b[0,16]" constant dram+0x26c0 f32[60,8]
.tensor "gemm2.bias[16]" constant dram+0x2e40 f32[8]
.tensor "gemm2.b[0,24]" constant dram+0x2e80 f32[60,8]
.tensor "gemm2.bias[24]" constant dram+0x3600 f32[8]
.tensor "gemm2.b[0,32]" constant dram+0x3640 f32[60,8]
.tensor "gemm2.bias[32]" constant dram+0x3dc0 f32[8]
.tensor "gemm2.b[0,40]" constant dram+0x3e00 f32[60,2]
.tensor "gemm2.bias[40]" constant dram+0x4000 f32[2]
.tensor gemm3.b constant dram+0x4040 f32[42,10]
.tensor gemm3.bias constant dram+0x4700 f32[10]
.fact floor_bytes 18840
.fact macs 21020
.fact peak_floor_cycles 1315
.fact compute_floor_cycles 5160
.fact dram_floor_cycles 1178
.fact predicted_cycles 6427
.fact predicted_dram_bytes 19328
.fact estimated_cycles 6427
.fact estimated_dram_bytes 19328
.fact group_0_estimated_dram_bytes 6976
.fact group_0_estimated_cycles 3252
.fact group_1_estimated_dram_bytes 12352
.fact group_1_estimated_cycles 3175
.fact group_0_digest 5909628422958337482
.fact group_1_digest 8260023796077545132
.fact digest_of_ports 3158241879

.group 0 serial layers=conv1.s0.pad,conv1.s0,averagepool1.s0,conv2.s0,averagepool2.s0,gemm1 parts=1 reason="6976 B of DRAM traffic for 2784 cycles of work; activations stay, weights stream once; leaves tanh3 on chip"
.part 1/1 core 0
.read
  r0    load         sram+0x0 f32[1,1,16,16] <- dram+0x4740 f32[1,1,16,16]   ; conv1 = input+0{256,256,16,1} input+0{256,256,16,1}
  r1    load         sram+0xfc0 f32[1,5,5,4]{16,80,16,4} <- dram+0x0 f32[1,5,5,4]   ; conv1 = conv1.weight+0{25,5,1,25} conv1.weight+0{25,5,1,25}
  r2    load         sram+0x1180 f32[4] <- dram+0x1c0 f32[4]   ; conv1 = conv1.bias+0{1} conv1.bias+0{1}
  r3    load         sram+0x0 f32[5,5,4,8] <- dram+0x200 f32[5,5,4,8]   @c2   ; conv2 = conv2.weight+0{5,1,25,100} conv2.weight+0{5,1,25,100}
  r4    load         sram+0xfc0 f32[8] <- dram+0xe80 f32[8]   ; conv2 = conv2.bias+0{1} conv2.bias+0{1}
  r5    load         sram+0x1000 f32[8,32] <- dram+0xec0 f32[8,32]   ; gemm1 = gemm1.b+0{60,1} gemm1.b+0{60,1}
  r6    load         sram+0x1400 f32[32] <- dram+0x12c0 f32[32]   ; gemm1 = gemm1.bias+0{1} gemm1.bias+0{1}
  r7    load         sram+0x1480 f32[8,28] <- dram+0x1340 f32[8,28]   ; gemm1 = gemm1.b+32{60,1} gemm1.b+32{60,1}
  r8    load         sram+0x380 f32[28] <- dram+0x16c0 f32[28]   @c3   ; gemm1 = gemm1.bias+32{1} gemm1.bias+32{1}
.compute
  c0    pad          sram+0xbc0 f32[1,1,1,16,16]{1024,1024,64,64,4} <- sram+0x0 f32[1,1,1,16,16]{0,0,0,64,4}, mode=constant value=0.0 begin=0,0,0,0,0 origin=0,0,0,0,0 src_origin=0,0,0,0,0 src_extent=1,1,1,16,16   @r0   ; conv1 = conv1.s0.pad+0{256,256,16,16,1} input+0{0,0,0,16,1}
  c1    conv         sram+0x0 f32[1,1,188,4]{3008,752,4,752} <- sram+0xbc0 f32[1,5,192,1]{0,64,4,0}, weight=sram+0xfc0 f32[5,5,1,4], bias=sram+0x1180 f32[4], act=tanh stride=1,1 dilation=1,1 pad_begin=0,0   @r2   ; conv1 = conv1.s0.pad+0{0,16,1,0} conv1.weight+0{5,1,25,25} conv1.s0+0{752,188,1,188} conv1.bias+0{1}
  c2    pool         sram+0xc80 f32[1,6,6,4]{576,24,4,144} <- sram+0x0 f32[1,12,12,4]{0,64,4,752}, function=average kernel=2,2 stride=2,2 dilation=1,1 pad_begin=0,0 pad_end=0,0 count_pad=true   ; averagepool1 = averagepool1.s0+0{144,6,1,36} conv1.s0+0{0,16,1,188}
  c3    conv         sram+0xec0 f32[1,1,8,8]{256,32,4,32} <- sram+0xc80 f32[1,5,12,4]{0,24,4,144}, weight=sram+0x0 f32[5,5,4,8], bias=sram+0xfc0 f32[8], act=tanh stride=1,1 dilation=1,1 pad_begin=0,0   @r4   ; conv2 = averagepool1.s0+0{0,6,1,36} conv2.weight+0{5,1,25,100} conv2.s0+0{64,8,1,8} conv2.bias+0{1}
  c4    pool         sram+0x480 f32[1,1,1,8]{32,4,4,4} <- sram+0xec0 f32[1,2,2,8]{0,24,4,32}, function=average kernel=2,2 stride=2,2 dilation=1,1 pad_begin=0,0 pad_end=0,0 count_pad=true   ; averagepool2 = averagepool2.s0+0{8,1,1,1} conv2.s0+0{0,6,1,8}
  c5    gemm         sram+0x780 f32[1,32]{240,4} <- sram+0x480 f32[1,8]{0,4}, weight=sram+0x1000 f32[8,32], bias=sram+0x1400 f32[32], act=tanh   @r6   ; gemm1 = averagepool2.s0+0{0,1} gemm1.b+0{60,1} tanh3+0{60,1} gemm1.bias+0{1}
  c6    gemm         sram+0x800 f32[1,28]{240,4} <- sram+0x480 f32[1,8]{0,4}, weight=sram+0x1480 f32[8,28], bias=sram+0x380 f32[28], act=tanh   @r8   ; gemm1 = averagepool2.s0+0{0,1} gemm1.b+32{60,1} tanh3+32{60,1} gemm1.bias+32{1}

.group 1 serial layers=gemm2,gemm3,softmax1 parts=1 reason="12352 B of DRAM traffic for 3071 cycles of work; activations stay, weights stream once; finds tanh3 on chip"
.part 1/1 core 0
.read
  r9    load         sram+0x980 f32[60,8] <- dram+0x1740 f32[60,8]   @c5   ; gemm2 = gemm2.b+0{42,1} gemm2.b+0{42,1}
  r10   load         sram+0x940 f32[8] <- dram+0x1ec0 f32[8]   ; gemm2 = gemm2.bias+0{1} gemm2.bias+0{1}
  r11   load         sram+0x0 f32[60,8] <- dram+0x1f00 f32[60,8]   @c6   ; gemm2 = gemm2.b+8{42,1} gemm2.b+8{42,1}
  r12   load         sram+0x1100 f32[8] <- dram+0x2680 f32[8]   ; gemm2 = gemm2.bias+8{1} gemm2.bias+8{1}
  r13   load         sram+0x980 f32[60,8] <- dram+0x26c0 f32[60,8]   @c7   ; gemm2 = gemm2.b+16{42,1} gemm2.b+16{42,1}
  r14   load         sram+0x940 f32[8] <- dram+0x2e40 f32[8]   ; gemm2 = gemm2.bias+16{1} gemm2.bias+16{1}
  r15   load         sram+0x0 f32[60,8] <- dram+0x2e80 f32[60,8]   @c8   ; gemm2 = gemm2.b+24{42,1} gemm2.b+24{42,1}
  r16   load         sram+0x1100 f32[8] <- dram+0x3600 f32[8]   ; gemm2 = gemm2.bias+24{1} gemm2.bias+24{1}
  r17   load         sram+0x980 f32[60,8] <- dram+0x3640 f32[60,8]   @c9   ; gemm2 = gemm2.b+32{42,1} gemm2.b+32{42,1}
  r18   load         sram+0x940 f32[8] <- dram+0x3dc0 f32[8]   ; gemm2 = gemm2.bias+32{1} gemm2.bias+32{1}
  r19   load         sram+0x1140 f32[60,2] <- dram+0x3e00 f32[60,2]   ; gemm2 = gemm2.b+40{42,1} gemm2.b+40{42,1}
  r20   load         sram+0x1340 f32[2] <- dram+0x4000 f32[2]   ; gemm2 = gemm2.bias+40{1} gemm2.bias+40{1}
  r21   load         sram+0x0 f32[42,10] <- dram+0x4040 f32[42,10]   @c10   ; gemm3 = gemm3.b+0{10,1} gemm3.b+0{10,1}
  r22   load         sram+0x6c0 f32[10] <- dram+0x4700 f32[10]   ; gemm3 = gemm3.bias+0{1} gemm3.bias+0{1}
.compute
  c7    gemm         sram+0x880 f32[1,8]{168,4} <- sram+0x780 f32[1,60], weight=sram+0x980 f32[60,8], bias=sram+0x940 f32[8], act=tanh   @r10   ; gemm2 = tanh3+0{60,1} gemm2.b+0{42,1} tanh4+0{42,1} gemm2.bias+0{1}
  c8    gemm         sram+0x8a0 f32[1,8]{168,4} <- sram+0x780 f32[1,60], weight=sram+0x0 f32[60,8], bias=sram+0x1100 f32[8], act=tanh   @r12   ; gemm2 = tanh3+0{60,1} gemm2.b+8{42,1} tanh4+8{42,1} gemm2.bias+8{1}
  c9    gemm         sram+0x8c0 f32[1,8]{168,4} <- sram+0x780 f32[1,60], weight=sram+0x980 f32[60,8], bias=sram+0x940 f32[8], act=tanh   @r14   ; gemm2 = tanh3+0{60,1} gemm2.b+16{42,1} tanh4+16{42,1} gemm2.bias+16{1}
  c10   gemm         sram+0x8e0 f32[1,8]{168,4} <- sram+0x780 f32[1,60], weight=sram+0x0 f32[60,8], bias=sram+0x1100 f32[8], act=tanh   @r16   ; gemm2 = tanh3+0{60,1} gemm2.b+24{42,1} tanh4+24{42,1} gemm2.bias+24{1}
  c11   gemm         sram+0x900 f32[1,8]{168,4} <- sram+0x780 f32[1,60], weight=sram+0x980 f32[60,8], bias=sram+0x940 f32[8], act=tanh   @r18   ; gemm2 = tanh3+0{60,1} gemm2.b+32{42,1} tanh4+32{42,1} gemm2.bias+32{1}
  c12   gemm         sram+0x920 f32[1,2]{168,4} <- sram+0x780 f32[1,60], weight=sram+0x1140 f32[60,2], bias=sram+0x1340 f32[2], act=tanh   @r20   ; gemm2 = tanh3+0{60,1} gemm2.b+40{42,1} tanh4+40{42,1} gemm2.bias+40{1}
  c13   gemm         sram+0x700 f32[1,10] <- sram+0x880 f32[1,42], weight=sram+0x0 f32[42,10], bias=sram+0x6c0 f32[10]   @r22   ; gemm3 = tanh4+0{42,1} gemm3.b+0{10,1} gemm3+0{10,1} gemm3.bias+0{1}
  c14   softmax      sram+0x0 f32[1,10] <- sram+0x700 f32[1,10], axis=1   ; softmax1 = output+0{10,1} gemm3+0{10,1}
.write
  w0    store        dram+0x4b40 f32[1,10] <- sram+0x0 f32[1,10]   @c14   ; softmax1 = output+0{10,1} output+0{10,1}
