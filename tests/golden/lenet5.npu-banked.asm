.nnc 5
.chip name "npu-banked"
.chip description "one core, one SRAM bank for activations and one for weights (M1 to the letter)"
.chip cores 1
.chip split_bytes 0
.chip clock_mhz 1000
.chip dram {"bytes_per_cycle": 16, "latency": 100, "burst": 64, "align": 1, "bytes": 4294967296}
.chip dma {"broadcast": false, "in_flight": 4, "move_bytes_per_cycle": 64, "align": 1}
.chip memory {"bank1": {"bytes": 8192, "align": 64, "word": 16}, "bank2": {"bytes": 6144, "align": 64, "word": 16}}
.chip operands {"default": {"feature": {"memories": ["bank1"]}, "weight": {"memories": ["bank2"]}, "result": {"memories": ["bank1"]}, "accumulator": {"memories": ["bank1"]}}, "copy": {"feature": {"memories": ["bank1"]}, "result": {"memories": ["bank1", "bank2"]}}}
.chip compute {"issue": 32, "result_bytes_per_cycle": 64, "map": "channels", "arrays": {"i8": ["16x64", "32x32", "64x16", "128x8"], "f16": ["16x32", "32x16", "64x8"], "f32": ["8x32", "16x16", "32x8", "64x4"]}, "depthwise": {"i8": 256, "f16": 128, "f32": 64}, "elementwise": {"i8": 128, "f16": 64, "f32": 32}}
.chip energy {"mac": {"i8": 0.3, "f16": 2.0, "f32": 4.6}, "operation": {"i8": 0.03, "f16": 0.4, "f32": 0.9}, "memory": {"bank1": {"read": 6.5, "write": 6.5}, "bank2": {"read": 6.5, "write": 6.5}}, "dram": 100.0, "broadcast": 5.0, "static": 700.0}
.chip area {"unit": {"i8": 0.0004, "f16": 0.006, "f32": 0.012}, "kib": 0.005, "core": 0.5, "shared": 2.0}
.dram 19328
.constants file="lenet5.npu-banked.constants" bytes=18240 crc=0x48dffbdd
.tensor input input dram+0x4740 f32[1,1,16,16]{1024,4,64,4}
.tensor output output dram+0x4b40 f32[1,10]
.tensor conv1.weight constant dram+0x0 f32[1,5,5,4]
.tensor conv1.bias constant dram+0x1c0 f32[4]
.tensor conv2.weight constant dram+0x200 f32[5,5,4,8]
.tensor conv2.bias constant dram+0xe80 f32[8]
.tensor "gemm1.b.reordered[0,0]" constant dram+0xec0 f32[8,32]
.tensor "gemm1.bias[0]" constant dram+0x12c0 f32[32]
.tensor "gemm1.b.reordered[0,32]" constant dram+0x1340 f32[8,28]
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
.fact peak_floor_cycles 84
.fact compute_floor_cycles 355
.fact dram_floor_cycles 1178
.fact predicted_cycles 1675
.fact predicted_dram_bytes 19328
.fact estimated_cycles 1651
.fact estimated_dram_bytes 19328
.fact group_0_estimated_dram_bytes 4800
.fact group_0_estimated_cycles 535
.fact group_1_estimated_dram_bytes 14528
.fact group_1_estimated_cycles 1116
.fact group_0_digest 3840295770016098701
.fact group_1_digest 5762478619455964638
.fact digest_of_ports 55788636

.group 0 serial layers=conv1,averagepool1,conv2 parts=1 reason="4800 B of DRAM traffic for 339 cycles of work; activations stay, weights stream once; leaves tanh2 on chip"
.part 1/1 core 0
.read
  r0    load         bank1+0x900 f32[1,1,16,16]{1024,4,64,4} <- dram+0x4740 f32[1,1,16,16]{1024,4,64,4}   ; conv1 = input+0{256,1,16,1} input+0{256,1,16,1}
  r1    load         bank2+0xc80 f32[1,5,5,4]{16,80,16,4} <- dram+0x0 f32[1,5,5,4]   ; conv1 = conv1.weight+0{25,5,1,25} conv1.weight+0{25,5,1,25}
  r2    load         bank2+0xe40 f32[4] <- dram+0x1c0 f32[4]   ; conv1 = conv1.bias+0{1} conv1.bias+0{1}
  r3    load         bank2+0x0 f32[5,5,4,8] <- dram+0x200 f32[5,5,4,8]   ; conv2 = conv2.weight+0{5,1,25,100} conv2.weight+0{5,1,25,100}
  r4    load         bank2+0xe80 f32[8] <- dram+0xe80 f32[8]   ; conv2 = conv2.bias+0{1} conv2.bias+0{1}
.compute
  c0    conv         bank1+0x0 f32[1,12,12,4] <- bank1+0x900 f32[1,16,16,1], weight=bank2+0xc80 f32[5,5,1,4], bias=bank2+0xe40 f32[4], act=tanh stride=1,1 dilation=1,1 pad_begin=0,0   @r2   ; conv1 = input+0{256,16,1,1} conv1.weight+0{5,1,25,25} tanh1+0{576,48,4,1} conv1.bias+0{1}
  c1    pool         bank1+0x900 f32[1,6,6,4] <- bank1+0x0 f32[1,12,12,4], function=average kernel=2,2 stride=2,2 dilation=1,1 pad_begin=0,0 pad_end=0,0   ; averagepool1 = averagepool1+0{144,24,4,1} tanh1+0{576,48,4,1}
  c2    conv         bank1+0x0 f32[1,2,2,8] <- bank1+0x900 f32[1,6,6,4], weight=bank2+0x0 f32[5,5,4,8], bias=bank2+0xe80 f32[8], act=tanh stride=1,1 dilation=1,1 pad_begin=0,0   @r4   ; conv2 = averagepool1+0{144,24,4,1} conv2.weight+0{5,1,25,100} tanh2+0{32,16,8,1} conv2.bias+0{1}

.group 1 serial layers=averagepool2,gemm1,gemm2,gemm3,softmax1 parts=1 reason="14528 B of DRAM traffic for 773 cycles of work; activations stay, weights stream once; finds tanh2 on chip"
.part 1/1 core 0
.read
  r5    load         bank2+0xec0 f32[8,32] <- dram+0xec0 f32[8,32]   ; gemm1 = gemm1.b.reordered+0{60,1} gemm1.b.reordered+0{60,1}
  r6    load         bank2+0x12c0 f32[32] <- dram+0x12c0 f32[32]   ; gemm1 = gemm1.bias+0{1} gemm1.bias+0{1}
  r7    load         bank2+0x1340 f32[8,28] <- dram+0x1340 f32[8,28]   ; gemm1 = gemm1.b.reordered+32{60,1} gemm1.b.reordered+32{60,1}
  r8    load         bank2+0x16c0 f32[28] <- dram+0x16c0 f32[28]   ; gemm1 = gemm1.bias+32{1} gemm1.bias+32{1}
  r9    load         bank2+0x0 f32[60,8] <- dram+0x1740 f32[60,8]   @c2   ; gemm2 = gemm2.b+0{42,1} gemm2.b+0{42,1}
  r10   load         bank2+0x1740 f32[8] <- dram+0x1ec0 f32[8]   ; gemm2 = gemm2.bias+0{1} gemm2.bias+0{1}
  r11   load         bank2+0x780 f32[60,8] <- dram+0x1f00 f32[60,8]   @c4   ; gemm2 = gemm2.b+8{42,1} gemm2.b+8{42,1}
  r12   load         bank2+0x1780 f32[8] <- dram+0x2680 f32[8]   ; gemm2 = gemm2.bias+8{1} gemm2.bias+8{1}
  r13   load         bank2+0xf00 f32[60,8] <- dram+0x26c0 f32[60,8]   @c5   ; gemm2 = gemm2.b+16{42,1} gemm2.b+16{42,1}
  r14   load         bank2+0x1700 f32[8] <- dram+0x2e40 f32[8]   ; gemm2 = gemm2.bias+16{1} gemm2.bias+16{1}
  r15   load         bank2+0x0 f32[60,8] <- dram+0x2e80 f32[60,8]   @c6   ; gemm2 = gemm2.b+24{42,1} gemm2.b+24{42,1}
  r16   load         bank2+0x1680 f32[8] <- dram+0x3600 f32[8]   ; gemm2 = gemm2.bias+24{1} gemm2.bias+24{1}
  r17   load         bank2+0x780 f32[60,8] <- dram+0x3640 f32[60,8]   @c7   ; gemm2 = gemm2.b+32{42,1} gemm2.b+32{42,1}
  r18   load         bank2+0x16c0 f32[8] <- dram+0x3dc0 f32[8]   ; gemm2 = gemm2.bias+32{1} gemm2.bias+32{1}
  r19   load         bank2+0xf00 f32[60,2] <- dram+0x3e00 f32[60,2]   @c8   ; gemm2 = gemm2.b+40{42,1} gemm2.b+40{42,1}
  r20   load         bank2+0x1100 f32[2] <- dram+0x4000 f32[2]   ; gemm2 = gemm2.bias+40{1} gemm2.bias+40{1}
  r21   load         bank2+0x0 f32[42,10] <- dram+0x4040 f32[42,10]   @c9   ; gemm3 = gemm3.b+0{10,1} gemm3.b+0{10,1}
  r22   load         bank2+0x6c0 f32[10] <- dram+0x4700 f32[10]   ; gemm3 = gemm3.bias+0{1} gemm3.bias+0{1}
.compute
  c3    pool         bank1+0x100 f32[1,1,1,8] <- bank1+0x0 f32[1,2,2,8], function=average kernel=2,2 stride=2,2 dilation=1,1 pad_begin=0,0 pad_end=0,0   ; averagepool2 = averagepool2+0{8,8,8,1} tanh2+0{32,16,8,1}
  c4    gemm         bank1+0x0 f32[1,32]{240,4} <- bank1+0x100 f32[1,8]{0,4}, weight=bank2+0xec0 f32[8,32], bias=bank2+0x12c0 f32[32], act=tanh   @r6   ; gemm1 = averagepool2+0{0,1} gemm1.b.reordered+0{60,1} tanh3+0{60,1} gemm1.bias+0{1}
  c5    gemm         bank1+0x80 f32[1,28]{240,4} <- bank1+0x100 f32[1,8]{0,4}, weight=bank2+0x1340 f32[8,28], bias=bank2+0x16c0 f32[28], act=tanh   @r8   ; gemm1 = averagepool2+0{0,1} gemm1.b.reordered+32{60,1} tanh3+32{60,1} gemm1.bias+32{1}
  c6    gemm         bank1+0x100 f32[1,8]{168,4} <- bank1+0x0 f32[1,60], weight=bank2+0x0 f32[60,8], bias=bank2+0x1740 f32[8], act=tanh   @r10   ; gemm2 = tanh3+0{60,1} gemm2.b+0{42,1} tanh4+0{42,1} gemm2.bias+0{1}
  c7    gemm         bank1+0x120 f32[1,8]{168,4} <- bank1+0x0 f32[1,60], weight=bank2+0x780 f32[60,8], bias=bank2+0x1780 f32[8], act=tanh   @r12   ; gemm2 = tanh3+0{60,1} gemm2.b+8{42,1} tanh4+8{42,1} gemm2.bias+8{1}
  c8    gemm         bank1+0x140 f32[1,8]{168,4} <- bank1+0x0 f32[1,60], weight=bank2+0xf00 f32[60,8], bias=bank2+0x1700 f32[8], act=tanh   @r14   ; gemm2 = tanh3+0{60,1} gemm2.b+16{42,1} tanh4+16{42,1} gemm2.bias+16{1}
  c9    gemm         bank1+0x160 f32[1,8]{168,4} <- bank1+0x0 f32[1,60], weight=bank2+0x0 f32[60,8], bias=bank2+0x1680 f32[8], act=tanh   @r16   ; gemm2 = tanh3+0{60,1} gemm2.b+24{42,1} tanh4+24{42,1} gemm2.bias+24{1}
  c10   gemm         bank1+0x180 f32[1,8]{168,4} <- bank1+0x0 f32[1,60], weight=bank2+0x780 f32[60,8], bias=bank2+0x16c0 f32[8], act=tanh   @r18   ; gemm2 = tanh3+0{60,1} gemm2.b+32{42,1} tanh4+32{42,1} gemm2.bias+32{1}
  c11   gemm         bank1+0x1a0 f32[1,2]{168,4} <- bank1+0x0 f32[1,60], weight=bank2+0xf00 f32[60,2], bias=bank2+0x1100 f32[2], act=tanh   @r20   ; gemm2 = tanh3+0{60,1} gemm2.b+40{42,1} tanh4+40{42,1} gemm2.bias+40{1}
  c12   gemm         bank1+0x0 f32[1,10] <- bank1+0x100 f32[1,42], weight=bank2+0x0 f32[42,10], bias=bank2+0x6c0 f32[10]   @r22   ; gemm3 = tanh4+0{42,1} gemm3.b+0{10,1} gemm3+0{10,1} gemm3.bias+0{1}
  c13   softmax      bank1+0x40 f32[1,10] <- bank1+0x0 f32[1,10], axis=1   ; softmax1 = output+0{10,1} gemm3+0{10,1}
.write
  w0    store        dram+0x4b40 f32[1,10] <- bank1+0x40 f32[1,10]   @c13   ; softmax1 = output+0{10,1} output+0{10,1}
