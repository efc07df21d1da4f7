.nnc 5
.chip name "npu4"
.chip description "four cores with 256 KiB unified SRAM each, broadcast DMA"
.chip cores 4
.chip split_bytes 0
.chip clock_mhz 1000
.chip dram {"bytes_per_cycle": 32, "latency": 100, "burst": 64, "align": 1, "bytes": 4294967296}
.chip dma {"broadcast": true, "in_flight": 4, "move_bytes_per_cycle": 64, "align": 1}
.chip memory {"sram": {"bytes": 3072, "align": 64, "word": 16}}
.chip operands {"default": {"feature": {"memories": ["sram"]}, "weight": {"memories": ["sram"]}, "result": {"memories": ["sram"]}, "accumulator": {"memories": ["sram"]}}}
.chip compute {"issue": 32, "result_bytes_per_cycle": 64, "map": "channels", "arrays": {"i8": ["16x64", "32x32", "64x16", "128x8"], "f16": ["16x32", "32x16", "64x8"], "f32": ["8x32", "16x16", "32x8", "64x4"]}, "depthwise": {"i8": 256, "f16": 128, "f32": 64}, "elementwise": {"i8": 128, "f16": 64, "f32": 32}}
.chip energy {"mac": {"i8": 0.3, "f16": 2.0, "f32": 4.6}, "operation": {"i8": 0.03, "f16": 0.4, "f32": 0.9}, "memory": {"sram": {"read": 6.5, "write": 6.5}}, "dram": 100.0, "broadcast": 5.0, "static": 500.0}
.chip area {"unit": {"i8": 0.0004, "f16": 0.006, "f32": 0.012}, "kib": 0.005, "core": 0.5, "shared": 2.0}
.dram 20032
.constants file="lenet5.npu4.constants" bytes=18240 crc=0xdd99938f
.tensor input input dram+0x4740 f32[1,1,16,16]{1024,4,64,4}
.tensor output output dram+0x4e00 f32[1,10]
.tensor averagepool1 boundary dram+0x4b40 f32[1,4,6,6]{576,4,96,16}
.tensor tanh2 boundary dram+0x4d80 f32[1,8,2,2]{128,4,64,32}
.tensor tanh3 boundary dram+0x4b40 f32[1,60]
.tensor tanh4 boundary dram+0x4c40 f32[1,42]
.tensor conv1.weight constant dram+0x0 f32[1,5,5,4]
.tensor conv1.bias constant dram+0x1c0 f32[4]
.tensor "conv2.weight[0,0,0,0]" constant dram+0x200 f32[5,5,4,4]
.tensor "conv2.bias[0]" constant dram+0x840 f32[4]
.tensor "conv2.weight[4,0,0,0]" constant dram+0x880 f32[5,5,4,4]
.tensor "conv2.bias[4]" constant dram+0xec0 f32[4]
.tensor "gemm1.b.reordered[0,0]" constant dram+0xf00 f32[8,16]
.tensor "gemm1.bias[0]" constant dram+0x1100 f32[16]
.tensor "gemm1.b.reordered[0,16]" constant dram+0x1140 f32[8,16]
.tensor "gemm1.bias[16]" constant dram+0x1340 f32[16]
.tensor "gemm1.b.reordered[0,32]" constant dram+0x1380 f32[8,16]
.tensor "gemm1.bias[32]" constant dram+0x1580 f32[16]
.tensor "gemm1.b.reordered[0,48]" constant dram+0x15c0 f32[8,12]
.tensor "gemm1.bias[48]" constant dram+0x1740 f32[12]
.tensor "gemm2.b[0,0]" constant dram+0x1780 f32[20,16]
.tensor "gemm2.b[0,16]" constant dram+0x1c80 f32[20,16]
.tensor "gemm2.b[0,32]" constant dram+0x2180 f32[20,10]
.tensor "gemm2.b[20,0]" constant dram+0x24c0 f32[20,16]
.tensor "gemm2.b[20,16]" constant dram+0x29c0 f32[20,16]
.tensor "gemm2.b[20,32]" constant dram+0x2ec0 f32[20,10]
.tensor "gemm2.b[40,0]" constant dram+0x3200 f32[20,16]
.tensor "gemm2.b[40,16]" constant dram+0x3700 f32[20,16]
.tensor "gemm2.b[40,32]" constant dram+0x3c00 f32[20,10]
.tensor "gemm2.bias[0]" constant dram+0x3f40 f32[16]
.tensor "gemm2.bias[16]" constant dram+0x3f80 f32[16]
.tensor "gemm2.bias[32]" constant dram+0x3fc0 f32[10]
.tensor "gemm3.b[0,0]" constant dram+0x4000 f32[42,8]
.tensor "gemm3.bias[0]" constant dram+0x4540 f32[8]
.tensor "gemm3.b[0,8]" constant dram+0x4580 f32[42,2]
.tensor "gemm3.bias[8]" constant dram+0x4700 f32[2]
.fact floor_bytes 18840
.fact macs 21020
.fact peak_floor_cycles 21
.fact compute_floor_cycles 89
.fact dram_floor_cycles 589
.fact predicted_cycles 2559
.fact predicted_dram_bytes 23040
.fact estimated_cycles 2517
.fact estimated_dram_bytes 23040
.fact group_0_estimated_dram_bytes 3008
.fact group_0_estimated_cycles 400
.fact group_1_estimated_dram_bytes 4416
.fact group_1_estimated_cycles 642
.fact group_2_estimated_dram_bytes 2560
.fact group_2_estimated_cycles 405
.fact group_3_estimated_dram_bytes 10944
.fact group_3_estimated_cycles 636
.fact group_4_estimated_dram_bytes 2112
.fact group_4_estimated_cycles 434
.fact group_0_digest 2286783222319770168
.fact group_1_digest 8861509629911482546
.fact group_2_digest 8291845157181634913
.fact group_3_digest 3976322706712573423
.fact group_4_digest 9094857867818338472
.fact digest_of_ports 1962697689

.group 0 serial layers=conv1,averagepool1 parts=4 reason="3008 B of DRAM traffic for 120 cycles of work; activations stay, weights stream once; 4 cores by rows: weights go to all, what two cores need both compute"
.part 1/4 core 0
.read
  r0    load         sram+0x300 f32[1,1,6,16]{1024,4,64,4} <- dram+0x4740 f32[1,1,6,16]{1024,4,64,4}   ; conv1 = input+0{256,1,16,1} input+0{256,1,16,1}
  r1    broadcast    sram+0x500 f32[1,5,5,4]{16,80,16,4} <- dram+0x0 f32[1,5,5,4], cores=15   ; conv1 = conv1.weight+0{25,5,1,25} conv1.weight+0{25,5,1,25}
  r2    broadcast    sram+0x6c0 f32[4] <- dram+0x1c0 f32[4], cores=15   ; conv1 = conv1.bias+0{1} conv1.bias+0{1}
.compute
  c0    conv         sram+0x0 f32[1,2,12,4]{2304,192,16,4} <- sram+0x300 f32[1,6,16,1]{1024,64,4,4}, weight=sram+0x500 f32[5,5,1,4], bias=sram+0x6c0 f32[4], act=tanh stride=1,1 dilation=1,1 pad_begin=0,0   @r2   ; conv1 = input+0{256,16,1,1} conv1.weight+0{5,1,25,25} tanh1+0{576,48,4,1} conv1.bias+0{1}
  c1    pool         sram+0x300 f32[1,1,6,4]{576,96,16,4} <- sram+0x0 f32[1,2,12,4]{2304,192,16,4}, function=average kernel=2,2 stride=2,2 dilation=1,1 pad_begin=0,0 pad_end=0,0   ; averagepool1 = averagepool1+0{144,24,4,1} tanh1+0{576,48,4,1}
.write
  w0    store        dram+0x4b40 f32[1,1,6,4]{576,96,16,4} <- sram+0x300 f32[1,1,6,4]{576,96,16,4}   @c1   ; averagepool1 = averagepool1+0{144,24,4,1} averagepool1+0{144,24,4,1}

.part 2/4 core 1
.read
  r0    load         sram+0x300 f32[1,1,8,16]{1024,4,64,4} <- dram+0x47c0 f32[1,1,8,16]{1024,4,64,4}   ; conv1 = input+32{256,1,16,1} input+32{256,1,16,1}
.compute
  c0    conv         sram+0x0 f32[1,4,12,4]{2304,192,16,4} <- sram+0x300 f32[1,8,16,1]{1024,64,4,4}, weight=sram+0x500 f32[5,5,1,4], bias=sram+0x6c0 f32[4], act=tanh stride=1,1 dilation=1,1 pad_begin=0,0   @k0.r2 @r0   ; conv1 = input+32{256,16,1,1} conv1.weight+0{5,1,25,25} tanh1+96{576,48,4,1} conv1.bias+0{1}
  c1    pool         sram+0x300 f32[1,2,6,4]{576,96,16,4} <- sram+0x0 f32[1,4,12,4]{2304,192,16,4}, function=average kernel=2,2 stride=2,2 dilation=1,1 pad_begin=0,0 pad_end=0,0   ; averagepool1 = averagepool1+24{144,24,4,1} tanh1+96{576,48,4,1}
.write
  w0    store        dram+0x4ba0 f32[1,2,6,4]{576,96,16,4} <- sram+0x300 f32[1,2,6,4]{576,96,16,4}   @c1   ; averagepool1 = averagepool1+24{144,24,4,1} averagepool1+24{144,24,4,1}

.part 3/4 core 2
.read
  r0    load         sram+0x300 f32[1,1,6,16]{1024,4,64,4} <- dram+0x48c0 f32[1,1,6,16]{1024,4,64,4}   ; conv1 = input+96{256,1,16,1} input+96{256,1,16,1}
.compute
  c0    conv         sram+0x0 f32[1,2,12,4]{2304,192,16,4} <- sram+0x300 f32[1,6,16,1]{1024,64,4,4}, weight=sram+0x500 f32[5,5,1,4], bias=sram+0x6c0 f32[4], act=tanh stride=1,1 dilation=1,1 pad_begin=0,0   @k0.r2 @r0   ; conv1 = input+96{256,16,1,1} conv1.weight+0{5,1,25,25} tanh1+288{576,48,4,1} conv1.bias+0{1}
  c1    pool         sram+0x300 f32[1,1,6,4]{576,96,16,4} <- sram+0x0 f32[1,2,12,4]{2304,192,16,4}, function=average kernel=2,2 stride=2,2 dilation=1,1 pad_begin=0,0 pad_end=0,0   ; averagepool1 = averagepool1+72{144,24,4,1} tanh1+288{576,48,4,1}
.write
  w0    store        dram+0x4c60 f32[1,1,6,4]{576,96,16,4} <- sram+0x300 f32[1,1,6,4]{576,96,16,4}   @c1   ; averagepool1 = averagepool1+72{144,24,4,1} averagepool1+72{144,24,4,1}

.part 4/4 core 3
.read
  r0    load         sram+0x300 f32[1,1,8,16]{1024,4,64,4} <- dram+0x4940 f32[1,1,8,16]{1024,4,64,4}   ; conv1 = input+128{256,1,16,1} input+128{256,1,16,1}
.compute
  c0    conv         sram+0x0 f32[1,4,12,4]{2304,192,16,4} <- sram+0x300 f32[1,8,16,1]{1024,64,4,4}, weight=sram+0x500 f32[5,5,1,4], bias=sram+0x6c0 f32[4], act=tanh stride=1,1 dilation=1,1 pad_begin=0,0   @k0.r2 @r0   ; conv1 = input+128{256,16,1,1} conv1.weight+0{5,1,25,25} tanh1+384{576,48,4,1} conv1.bias+0{1}
  c1    pool         sram+0x300 f32[1,2,6,4]{576,96,16,4} <- sram+0x0 f32[1,4,12,4]{2304,192,16,4}, function=average kernel=2,2 stride=2,2 dilation=1,1 pad_begin=0,0 pad_end=0,0   ; averagepool1 = averagepool1+96{144,24,4,1} tanh1+384{576,48,4,1}
.write
  w0    store        dram+0x4cc0 f32[1,2,6,4]{576,96,16,4} <- sram+0x300 f32[1,2,6,4]{576,96,16,4}   @c1   ; averagepool1 = averagepool1+96{144,24,4,1} averagepool1+96{144,24,4,1}

.group 1 single layers=conv2 parts=2 reason="tiled alone, about 4416 B and 702 cycles; one core; estimated cycles: 2 cores by rows 716, 2 cores by columns 732, 2 x 2 cores by rows x columns 764, one core 702"
.part 1/2 core 0
.read
  r3    load         sram+0x0 f32[5,5,4,4] <- dram+0x200 f32[5,5,4,4]   @w0   ; conv2 = conv2.weight+0{5,1,25,100} conv2.weight+0{5,1,25,100}
  r4    load         sram+0x640 f32[1,6,6,4] <- dram+0x4b40 f32[1,6,6,4]   @k1.w0 @k2.w0 @k3.w0   ; conv2 = averagepool1+0{144,24,4,1} averagepool1+0{144,24,4,1}
  r5    load         sram+0x880 f32[4] <- dram+0x840 f32[4]   ; conv2 = conv2.bias+0{1} conv2.bias+0{1}
.compute
  c2    conv         sram+0x900 f32[1,2,2,4] <- sram+0x640 f32[1,6,6,4], weight=sram+0x0 f32[5,5,4,4], bias=sram+0x880 f32[4], act=tanh stride=1,1 dilation=1,1 pad_begin=0,0   @r5   ; conv2 = averagepool1+0{144,24,4,1} conv2.weight+0{5,1,25,100} tanh2+0{32,16,8,1} conv2.bias+0{1}
.write
  w1    store        dram+0x4d80 f32[1,2,2,4]{128,64,32,4} <- sram+0x900 f32[1,2,2,4]   @c2   ; conv2 = tanh2+0{32,16,8,1} tanh2+0{32,16,8,1}

.part 2/2 core 0
.read
  r6    load         sram+0x0 f32[5,5,4,4] <- dram+0x880 f32[5,5,4,4]   @c2   ; conv2 = conv2.weight+400{5,1,25,100} conv2.weight+400{5,1,25,100}
  r7    load         sram+0x8c0 f32[4] <- dram+0xec0 f32[4]   ; conv2 = conv2.bias+4{1} conv2.bias+4{1}
.compute
  c3    conv         sram+0x880 f32[1,2,2,4] <- sram+0x640 f32[1,6,6,4], weight=sram+0x0 f32[5,5,4,4], bias=sram+0x8c0 f32[4], act=tanh stride=1,1 dilation=1,1 pad_begin=0,0   @r7   ; conv2 = averagepool1+0{144,24,4,1} conv2.weight+400{5,1,25,100} tanh2+4{32,16,8,1} conv2.bias+4{1}
.write
  w2    store        dram+0x4d90 f32[1,2,2,4]{128,64,32,4} <- sram+0x880 f32[1,2,2,4]   @c3   ; conv2 = tanh2+4{32,16,8,1} tanh2+4{32,16,8,1}

.group 2 serial layers=averagepool2,gemm1 parts=1 reason="2560 B of DRAM traffic for 73 cycles of work; activations stay, weights stream once; one core: a fused group is not shared"
.part 1/1 core 0
.read
  r8    load         sram+0x400 f32[1,2,2,8] <- dram+0x4d80 f32[1,2,2,8]   @w2   ; averagepool2 = tanh2+0{32,16,8,1} tanh2+0{32,16,8,1}
  r9    load         sram+0x0 f32[8,16] <- dram+0xf00 f32[8,16]   ; gemm1 = gemm1.b.reordered+0{60,1} gemm1.b.reordered+0{60,1}
  r10   load         sram+0x700 f32[16] <- dram+0x1100 f32[16]   ; gemm1 = gemm1.bias+0{1} gemm1.bias+0{1}
  r11   load         sram+0x200 f32[8,16] <- dram+0x1140 f32[8,16]   ; gemm1 = gemm1.b.reordered+16{60,1} gemm1.b.reordered+16{60,1}
  r12   load         sram+0x740 f32[16] <- dram+0x1340 f32[16]   ; gemm1 = gemm1.bias+16{1} gemm1.bias+16{1}
  r13   load         sram+0x800 f32[8,16] <- dram+0x1380 f32[8,16]   ; gemm1 = gemm1.b.reordered+32{60,1} gemm1.b.reordered+32{60,1}
  r14   load         sram+0x7c0 f32[16] <- dram+0x1580 f32[16]   ; gemm1 = gemm1.bias+32{1} gemm1.bias+32{1}
  r15   load         sram+0x480 f32[8,12] <- dram+0x15c0 f32[8,12]   ; gemm1 = gemm1.b.reordered+48{60,1} gemm1.b.reordered+48{60,1}
  r16   load         sram+0xa00 f32[12] <- dram+0x1740 f32[12]   ; gemm1 = gemm1.bias+48{1} gemm1.bias+48{1}
.compute
  c4    pool         sram+0x780 f32[1,1,1,8] <- sram+0x400 f32[1,2,2,8], function=average kernel=2,2 stride=2,2 dilation=1,1 pad_begin=0,0 pad_end=0,0   @r8   ; averagepool2 = averagepool2+0{8,8,8,1} tanh2+0{32,16,8,1}
  c5    gemm         sram+0x600 f32[1,16]{240,4} <- sram+0x780 f32[1,8]{0,4}, weight=sram+0x0 f32[8,16], bias=sram+0x700 f32[16], act=tanh   @r10   ; gemm1 = averagepool2+0{0,1} gemm1.b.reordered+0{60,1} tanh3+0{60,1} gemm1.bias+0{1}
  c6    gemm         sram+0x640 f32[1,16]{240,4} <- sram+0x780 f32[1,8]{0,4}, weight=sram+0x200 f32[8,16], bias=sram+0x740 f32[16], act=tanh   @r12   ; gemm1 = averagepool2+0{0,1} gemm1.b.reordered+16{60,1} tanh3+16{60,1} gemm1.bias+16{1}
  c7    gemm         sram+0x680 f32[1,16]{240,4} <- sram+0x780 f32[1,8]{0,4}, weight=sram+0x800 f32[8,16], bias=sram+0x7c0 f32[16], act=tanh   @r14   ; gemm1 = averagepool2+0{0,1} gemm1.b.reordered+32{60,1} tanh3+32{60,1} gemm1.bias+32{1}
  c8    gemm         sram+0x6c0 f32[1,12]{240,4} <- sram+0x780 f32[1,8]{0,4}, weight=sram+0x480 f32[8,12], bias=sram+0xa00 f32[12], act=tanh   @r16   ; gemm1 = averagepool2+0{0,1} gemm1.b.reordered+48{60,1} tanh3+48{60,1} gemm1.bias+48{1}
.write
  w3    store        dram+0x4b40 f32[1,60] <- sram+0x600 f32[1,60]   @c8   ; gemm1 = tanh3+0{60,1} tanh3+0{60,1}

.group 3 single layers=gemm2 parts=3 reason="tiled alone, about 10944 B and 636 cycles; 3 cores by channels; estimated cycles: 3 cores by channels 636, 2 cores by channels 803, 4 cores by channels 640, one core 1007"
.part 1/3 core 0
.read
  r17   load         sram+0x0 f32[20,16] <- dram+0x1780 f32[20,16]   @c8   ; gemm2 = gemm2.b+0{42,1} gemm2.b+0{42,1}
  r18   broadcast    sram+0xa00 f32[1,20] <- dram+0x4b40 f32[1,20]{240,4}, cores=7   @w3   ; gemm2 = tanh3+0{60,1} tanh3+0{60,1}
  r19   broadcast    sram+0xa80 f32[1,20] <- dram+0x4b90 f32[1,20]{240,4}, cores=7   ; gemm2 = tanh3+20{60,1} tanh3+20{60,1}
  r20   broadcast    sram+0xb00 f32[1,20] <- dram+0x4be0 f32[1,20]{240,4}, cores=7   ; gemm2 = tanh3+40{60,1} tanh3+40{60,1}
  r21   load         sram+0x500 f32[20,16] <- dram+0x24c0 f32[20,16]   ; gemm2 = gemm2.b+840{42,1} gemm2.b+840{42,1}
  r22   load         sram+0x0 f32[20,16] <- dram+0x3200 f32[20,16]   @c9   ; gemm2 = gemm2.b+1680{42,1} gemm2.b+1680{42,1}
  r23   load         sram+0xb80 f32[16] <- dram+0x3f40 f32[16]   ; gemm2 = gemm2.bias+0{1} gemm2.bias+0{1}
.compute
  c9    gemm         <- sram+0xa00 f32[1,20], weight=sram+0x0 f32[20,16], accumulator=sram+0xbc0 f32[1,16], phase=start   @r18   ; gemm2 = tanh3+0{60,1} gemm2.b+0{42,1} "tanh4 (sums)"+0{42,1}
  c10   gemm         <- sram+0xa80 f32[1,20], weight=sram+0x500 f32[20,16], accumulator=sram+0xbc0 f32[1,16], phase=add   @r21   ; gemm2 = tanh3+20{60,1} gemm2.b+840{42,1} "tanh4 (sums)"+0{42,1}
  c11   gemm         sram+0xbc0 f32[1,16] <- sram+0xb00 f32[1,20], weight=sram+0x0 f32[20,16], bias=sram+0xb80 f32[16], accumulator=sram+0xbc0 f32[1,16], phase=finish act=tanh   @r23   ; gemm2 = tanh3+40{60,1} gemm2.b+1680{42,1} tanh4+0{42,1} gemm2.bias+0{1} "tanh4 (sums)"+0{42,1}
.write
  w4    store        dram+0x4c40 f32[1,16]{168,4} <- sram+0xbc0 f32[1,16]   @c11   ; gemm2 = tanh4+0{42,1} tanh4+0{42,1}

.part 2/3 core 1
.read
  r1    load         sram+0x0 f32[20,16] <- dram+0x1c80 f32[20,16]   @w0   ; gemm2 = gemm2.b+16{42,1} gemm2.b+16{42,1}
  r2    load         sram+0x500 f32[20,16] <- dram+0x29c0 f32[20,16]   ; gemm2 = gemm2.b+856{42,1} gemm2.b+856{42,1}
  r3    load         sram+0x0 f32[20,16] <- dram+0x3700 f32[20,16]   @c2   ; gemm2 = gemm2.b+1696{42,1} gemm2.b+1696{42,1}
  r4    load         sram+0xb80 f32[16] <- dram+0x3f80 f32[16]   ; gemm2 = gemm2.bias+16{1} gemm2.bias+16{1}
.compute
  c2    gemm         <- sram+0xa00 f32[1,20], weight=sram+0x0 f32[20,16], accumulator=sram+0xbc0 f32[1,16], phase=start   @k0.r18 @r1   ; gemm2 = tanh3+0{60,1} gemm2.b+16{42,1} "tanh4 (sums)"+16{42,1}
  c3    gemm         <- sram+0xa80 f32[1,20], weight=sram+0x500 f32[20,16], accumulator=sram+0xbc0 f32[1,16], phase=add   @k0.r19 @r2   ; gemm2 = tanh3+20{60,1} gemm2.b+856{42,1} "tanh4 (sums)"+16{42,1}
  c4    gemm         sram+0xbc0 f32[1,16] <- sram+0xb00 f32[1,20], weight=sram+0x0 f32[20,16], bias=sram+0xb80 f32[16], accumulator=sram+0xbc0 f32[1,16], phase=finish act=tanh   @k0.r20 @r4   ; gemm2 = tanh3+40{60,1} gemm2.b+1696{42,1} tanh4+16{42,1} gemm2.bias+16{1} "tanh4 (sums)"+16{42,1}
.write
  w1    store        dram+0x4c80 f32[1,16]{168,4} <- sram+0xbc0 f32[1,16]   @c4   ; gemm2 = tanh4+16{42,1} tanh4+16{42,1}

.part 3/3 core 2
.read
  r1    load         sram+0x0 f32[20,10] <- dram+0x2180 f32[20,10]   @w0   ; gemm2 = gemm2.b+32{42,1} gemm2.b+32{42,1}
  r2    load         sram+0x500 f32[20,10] <- dram+0x2ec0 f32[20,10]   ; gemm2 = gemm2.b+872{42,1} gemm2.b+872{42,1}
  r3    load         sram+0x0 f32[20,10] <- dram+0x3c00 f32[20,10]   @c2   ; gemm2 = gemm2.b+1712{42,1} gemm2.b+1712{42,1}
  r4    load         sram+0xb80 f32[10] <- dram+0x3fc0 f32[10]   ; gemm2 = gemm2.bias+32{1} gemm2.bias+32{1}
.compute
  c2    gemm         <- sram+0xa00 f32[1,20], weight=sram+0x0 f32[20,10], accumulator=sram+0xbc0 f32[1,10], phase=start   @k0.r18 @r1   ; gemm2 = tanh3+0{60,1} gemm2.b+32{42,1} "tanh4 (sums)"+32{42,1}
  c3    gemm         <- sram+0xa80 f32[1,20], weight=sram+0x500 f32[20,10], accumulator=sram+0xbc0 f32[1,10], phase=add   @k0.r19 @r2   ; gemm2 = tanh3+20{60,1} gemm2.b+872{42,1} "tanh4 (sums)"+32{42,1}
  c4    gemm         sram+0xbc0 f32[1,10] <- sram+0xb00 f32[1,20], weight=sram+0x0 f32[20,10], bias=sram+0xb80 f32[10], accumulator=sram+0xbc0 f32[1,10], phase=finish act=tanh   @k0.r20 @r4   ; gemm2 = tanh3+40{60,1} gemm2.b+1712{42,1} tanh4+32{42,1} gemm2.bias+32{1} "tanh4 (sums)"+32{42,1}
.write
  w1    store        dram+0x4cc0 f32[1,10]{168,4} <- sram+0xbc0 f32[1,10]   @c4   ; gemm2 = tanh4+32{42,1} tanh4+32{42,1}

.group 4 serial layers=gemm3,softmax1 parts=1 reason="2112 B of DRAM traffic for 108 cycles of work; activations stay, weights stream once; one core: a fused group is not shared"
.part 1/1 core 0
.read
  r24   load         sram+0x0 f32[42,8] <- dram+0x4000 f32[42,8]   @c11   ; gemm3 = gemm3.b+0{10,1} gemm3.b+0{10,1}
  r25   load         sram+0x780 f32[8] <- dram+0x4540 f32[8]   ; gemm3 = gemm3.bias+0{1} gemm3.bias+0{1}
  r26   load         sram+0x6c0 f32[1,42] <- dram+0x4c40 f32[1,42]   @w4 @k1.w1 @k2.w1   ; gemm3 = tanh4+0{42,1} tanh4+0{42,1}
  r27   load         sram+0x540 f32[42,2] <- dram+0x4580 f32[42,2]   ; gemm3 = gemm3.b+8{10,1} gemm3.b+8{10,1}
  r28   load         sram+0x7c0 f32[2] <- dram+0x4700 f32[2]   ; gemm3 = gemm3.bias+8{1} gemm3.bias+8{1}
.compute
  c12   gemm         sram+0x800 f32[1,8]{40,4} <- sram+0x6c0 f32[1,42], weight=sram+0x0 f32[42,8], bias=sram+0x780 f32[8]   @r26   ; gemm3 = tanh4+0{42,1} gemm3.b+0{10,1} gemm3+0{10,1} gemm3.bias+0{1}
  c13   gemm         sram+0x820 f32[1,2]{40,4} <- sram+0x6c0 f32[1,42], weight=sram+0x540 f32[42,2], bias=sram+0x7c0 f32[2]   @r28   ; gemm3 = tanh4+0{42,1} gemm3.b+8{10,1} gemm3+8{10,1} gemm3.bias+8{1}
  c14   softmax      sram+0x0 f32[1,10] <- sram+0x800 f32[1,10], axis=1   ; softmax1 = output+0{10,1} gemm3+0{10,1}
.write
  w5    store        dram+0x4e00 f32[1,10] <- sram+0x0 f32[1,10]   @c14   ; softmax1 = output+0{10,1} output+0{10,1}
