.nnc 5
.chip name "vdsp12"
.chip description "twelve vector DSP cores with scalar memory SM and vector memory AM (M2, M3)"
.chip cores 12
.chip split_bytes 8192
.chip clock_mhz 1000
.chip dram {"bytes_per_cycle": 24, "latency": 100, "burst": 64, "align": 1, "bytes": 4294967296}
.chip dma {"broadcast": true, "in_flight": 4, "move_bytes_per_cycle": 64, "align": 1}
.chip memory {"sm": {"bytes": 65536, "align": 64, "word": 16}, "am": {"bytes": 786432, "align": 64, "word": 16}}
.chip operands {"default": {"feature": {"memories": ["am"]}, "weight": {"memories": ["am"]}, "result": {"memories": ["am"]}, "accumulator": {"memories": ["am"]}}, "conv": {"feature": {"memories": ["sm"]}}, "depthwise": {"feature": {"memories": ["am"]}}, "gemm": {"feature": {"memories": ["sm"]}}, "copy": {"feature": {"memories": ["am", "sm"]}, "result": {"memories": ["am", "sm"]}}}
.chip compute {"issue": 16, "result_bytes_per_cycle": 64, "map": "channels", "arrays": {"i8": ["128x3"], "f16": ["64x3"], "f32": ["32x3"]}, "depthwise": {"i8": 384, "f16": 192, "f32": 96}, "elementwise": {"i8": 128, "f16": 64, "f32": 32}}
.chip energy {"mac": {"i8": 0.3, "f16": 2.0, "f32": 4.6}, "operation": {"i8": 0.03, "f16": 0.4, "f32": 0.9}, "memory": {"sm": {"read": 3.5, "write": 3.5}, "am": {"read": 11.0, "write": 11.0}}, "dram": 100.0, "broadcast": 5.0, "static": 700.0}
.chip area {"unit": {"i8": 0.0004, "f16": 0.006, "f32": 0.012}, "kib": 0.005, "core": 0.5, "shared": 2.0}
.dram 3671296
.constants file="m2.mlp-784-1152-10.vdsp12.constants" bytes=3663424 crc=0xd639c1a6
.tensor input input dram+0x37f840 f32[1,1,28,28]
.tensor output output dram+0x380480 f32[1,10]
.tensor sigmoid1 boundary dram+0x37e640 f32[1,1152]
.tensor gemm2 boundary dram+0x3804c0 f32[1,10]
.tensor "gemm1.weight[0,0]" constant dram+0x0 f32[784,96]
.tensor "gemm1.weight[0,96]" constant dram+0x49800 f32[784,96]
.tensor "gemm1.weight[0,192]" constant dram+0x93000 f32[784,96]
.tensor "gemm1.weight[0,288]" constant dram+0xdc800 f32[784,96]
.tensor "gemm1.weight[0,384]" constant dram+0x126000 f32[784,96]
.tensor "gemm1.weight[0,480]" constant dram+0x16f800 f32[784,96]
.tensor "gemm1.weight[0,576]" constant dram+0x1b9000 f32[784,96]
.tensor "gemm1.weight[0,672]" constant dram+0x202800 f32[784,96]
.tensor "gemm1.weight[0,768]" constant dram+0x24c000 f32[784,96]
.tensor "gemm1.weight[0,864]" constant dram+0x295800 f32[784,96]
.tensor "gemm1.weight[0,960]" constant dram+0x2df000 f32[784,96]
.tensor "gemm1.weight[0,1056]" constant dram+0x328800 f32[784,96]
.tensor "gemm1.bias[0]" constant dram+0x372000 f32[96]
.tensor "gemm1.bias[96]" constant dram+0x372180 f32[96]
.tensor "gemm1.bias[192]" constant dram+0x372300 f32[96]
.tensor "gemm1.bias[288]" constant dram+0x372480 f32[96]
.tensor "gemm1.bias[384]" constant dram+0x372600 f32[96]
.tensor "gemm1.bias[480]" constant dram+0x372780 f32[96]
.tensor "gemm1.bias[576]" constant dram+0x372900 f32[96]
.tensor "gemm1.bias[672]" constant dram+0x372a80 f32[96]
.tensor "gemm1.bias[768]" constant dram+0x372c00 f32[96]
.tensor "gemm1.bias[864]" constant dram+0x372d80 f32[96]
.tensor "gemm1.bias[960]" constant dram+0x372f00 f32[96]
.tensor "gemm1.bias[1056]" constant dram+0x373080 f32[96]
.tensor gemm2.weight constant dram+0x373200 f32[1152,10]
.tensor gemm2.bias constant dram+0x37e600 f32[10]
.fact floor_bytes 3666576
.fact macs 914688
.fact peak_floor_cycles 794
.fact compute_floor_cycles 2449
.fact dram_floor_cycles 152774
.fact predicted_cycles 155268
.fact predicted_dram_bytes 3675968
.fact estimated_cycles 155397
.fact estimated_dram_bytes 3675968
.fact group_0_estimated_dram_bytes 3625024
.fact group_0_estimated_cycles 153611
.fact group_1_estimated_dram_bytes 50816
.fact group_1_estimated_cycles 1563
.fact group_2_estimated_dram_bytes 128
.fact group_2_estimated_cycles 223
.fact group_0_digest 8620898431120482345
.fact group_1_digest 128677592593896
.fact group_2_digest 6642954300748425432
.fact digest_of_ports 1523378943

.group 0 single layers=gemm1 parts=12 reason="tiled alone, about 3625024 B and 153611 cycles; 12 cores by columns: 96 of 1152 columns each"
.part 1/12 core 0
.read
  r0    broadcast    sm+0x0 f32[1,784] <- dram+0x37f840 f32[1,784]{0,4}, cores=4095   ; gemm1 = input+0{0,1} input+0{0,1}
  r1    load         am+0x0 f32[784,96] <- dram+0x0 f32[784,96]   ; gemm1 = gemm1.weight+0{1152,1} gemm1.weight+0{1152,1}
  r2    load         am+0x49800 f32[96] <- dram+0x372000 f32[96]   ; gemm1 = gemm1.bias+0{1} gemm1.bias+0{1}
.compute
  c0    gemm         am+0x49980 f32[1,96] <- sm+0x0 f32[1,784], weight=am+0x0 f32[784,96], bias=am+0x49800 f32[96], act=sigmoid   @r2   ; gemm1 = input+0{0,1} gemm1.weight+0{1152,1} sigmoid1+0{1152,1} gemm1.bias+0{1}
.write
  w0    store        dram+0x37e640 f32[1,96]{4608,4} <- am+0x49980 f32[1,96]   @c0   ; gemm1 = sigmoid1+0{1152,1} sigmoid1+0{1152,1}

.part 2/12 core 1
.read
  r0    load         am+0x0 f32[784,96] <- dram+0x49800 f32[784,96]   ; gemm1 = gemm1.weight+96{1152,1} gemm1.weight+96{1152,1}
  r1    load         am+0x49800 f32[96] <- dram+0x372180 f32[96]   ; gemm1 = gemm1.bias+96{1} gemm1.bias+96{1}
.compute
  c0    gemm         am+0x49980 f32[1,96] <- sm+0x0 f32[1,784], weight=am+0x0 f32[784,96], bias=am+0x49800 f32[96], act=sigmoid   @k0.r0 @r1   ; gemm1 = input+0{0,1} gemm1.weight+96{1152,1} sigmoid1+96{1152,1} gemm1.bias+96{1}
.write
  w0    store        dram+0x37e7c0 f32[1,96]{4608,4} <- am+0x49980 f32[1,96]   @c0   ; gemm1 = sigmoid1+96{1152,1} sigmoid1+96{1152,1}

.part 3/12 core 2
.read
  r0    load         am+0x0 f32[784,96] <- dram+0x93000 f32[784,96]   ; gemm1 = gemm1.weight+192{1152,1} gemm1.weight+192{1152,1}
  r1    load         am+0x49800 f32[96] <- dram+0x372300 f32[96]   ; gemm1 = gemm1.bias+192{1} gemm1.bias+192{1}
.compute
  c0    gemm         am+0x49980 f32[1,96] <- sm+0x0 f32[1,784], weight=am+0x0 f32[784,96], bias=am+0x49800 f32[96], act=sigmoid   @k0.r0 @r1   ; gemm1 = input+0{0,1} gemm1.weight+192{1152,1} sigmoid1+192{1152,1} gemm1.bias+192{1}
.write
  w0    store        dram+0x37e940 f32[1,96]{4608,4} <- am+0x49980 f32[1,96]   @c0   ; gemm1 = sigmoid1+192{1152,1} sigmoid1+192{1152,1}

.part 4/12 core 3
.read
  r0    load         am+0x0 f32[784,96] <- dram+0xdc800 f32[784,96]   ; gemm1 = gemm1.weight+288{1152,1} gemm1.weight+288{1152,1}
  r1    load         am+0x49800 f32[96] <- dram+0x372480 f32[96]   ; gemm1 = gemm1.bias+288{1} gemm1.bias+288{1}
.compute
  c0    gemm         am+0x49980 f32[1,96] <- sm+0x0 f32[1,784], weight=am+0x0 f32[784,96], bias=am+0x49800 f32[96], act=sigmoid   @k0.r0 @r1   ; gemm1 = input+0{0,1} gemm1.weight+288{1152,1} sigmoid1+288{1152,1} gemm1.bias+288{1}
.write
  w0    store        dram+0x37eac0 f32[1,96]{4608,4} <- am+0x49980 f32[1,96]   @c0   ; gemm1 = sigmoid1+288{1152,1} sigmoid1+288{1152,1}

.part 5/12 core 4
.read
  r0    load         am+0x0 f32[784,96] <- dram+0x126000 f32[784,96]   ; gemm1 = gemm1.weight+384{1152,1} gemm1.weight+384{1152,1}
  r1    load         am+0x49800 f32[96] <- dram+0x372600 f32[96]   ; gemm1 = gemm1.bias+384{1} gemm1.bias+384{1}
.compute
  c0    gemm         am+0x49980 f32[1,96] <- sm+0x0 f32[1,784], weight=am+0x0 f32[784,96], bias=am+0x49800 f32[96], act=sigmoid   @k0.r0 @r1   ; gemm1 = input+0{0,1} gemm1.weight+384{1152,1} sigmoid1+384{1152,1} gemm1.bias+384{1}
.write
  w0    store        dram+0x37ec40 f32[1,96]{4608,4} <- am+0x49980 f32[1,96]   @c0   ; gemm1 = sigmoid1+384{1152,1} sigmoid1+384{1152,1}

.part 6/12 core 5
.read
  r0    load         am+0x0 f32[784,96] <- dram+0x16f800 f32[784,96]   ; gemm1 = gemm1.weight+480{1152,1} gemm1.weight+480{1152,1}
  r1    load         am+0x49800 f32[96] <- dram+0x372780 f32[96]   ; gemm1 = gemm1.bias+480{1} gemm1.bias+480{1}
.compute
  c0    gemm         am+0x49980 f32[1,96] <- sm+0x0 f32[1,784], weight=am+0x0 f32[784,96], bias=am+0x49800 f32[96], act=sigmoid   @k0.r0 @r1   ; gemm1 = input+0{0,1} gemm1.weight+480{1152,1} sigmoid1+480{1152,1} gemm1.bias+480{1}
.write
  w0    store        dram+0x37edc0 f32[1,96]{4608,4} <- am+0x49980 f32[1,96]   @c0   ; gemm1 = sigmoid1+480{1152,1} sigmoid1+480{1152,1}

.part 7/12 core 6
.read
  r0    load         am+0x0 f32[784,96] <- dram+0x1b9000 f32[784,96]   ; gemm1 = gemm1.weight+576{1152,1} gemm1.weight+576{1152,1}
  r1    load         am+0x49800 f32[96] <- dram+0x372900 f32[96]   ; gemm1 = gemm1.bias+576{1} gemm1.bias+576{1}
.compute
  c0    gemm         am+0x49980 f32[1,96] <- sm+0x0 f32[1,784], weight=am+0x0 f32[784,96], bias=am+0x49800 f32[96], act=sigmoid   @k0.r0 @r1   ; gemm1 = input+0{0,1} gemm1.weight+576{1152,1} sigmoid1+576{1152,1} gemm1.bias+576{1}
.write
  w0    store        dram+0x37ef40 f32[1,96]{4608,4} <- am+0x49980 f32[1,96]   @c0   ; gemm1 = sigmoid1+576{1152,1} sigmoid1+576{1152,1}

.part 8/12 core 7
.read
  r0    load         am+0x0 f32[784,96] <- dram+0x202800 f32[784,96]   ; gemm1 = gemm1.weight+672{1152,1} gemm1.weight+672{1152,1}
  r1    load         am+0x49800 f32[96] <- dram+0x372a80 f32[96]   ; gemm1 = gemm1.bias+672{1} gemm1.bias+672{1}
.compute
  c0    gemm         am+0x49980 f32[1,96] <- sm+0x0 f32[1,784], weight=am+0x0 f32[784,96], bias=am+0x49800 f32[96], act=sigmoid   @k0.r0 @r1   ; gemm1 = input+0{0,1} gemm1.weight+672{1152,1} sigmoid1+672{1152,1} gemm1.bias+672{1}
.write
  w0    store        dram+0x37f0c0 f32[1,96]{4608,4} <- am+0x49980 f32[1,96]   @c0   ; gemm1 = sigmoid1+672{1152,1} sigmoid1+672{1152,1}

.part 9/12 core 8
.read
  r0    load         am+0x0 f32[784,96] <- dram+0x24c000 f32[784,96]   ; gemm1 = gemm1.weight+768{1152,1} gemm1.weight+768{1152,1}
  r1    load         am+0x49800 f32[96] <- dram+0x372c00 f32[96]   ; gemm1 = gemm1.bias+768{1} gemm1.bias+768{1}
.compute
  c0    gemm         am+0x49980 f32[1,96] <- sm+0x0 f32[1,784], weight=am+0x0 f32[784,96], bias=am+0x49800 f32[96], act=sigmoid   @k0.r0 @r1   ; gemm1 = input+0{0,1} gemm1.weight+768{1152,1} sigmoid1+768{1152,1} gemm1.bias+768{1}
.write
  w0    store        dram+0x37f240 f32[1,96]{4608,4} <- am+0x49980 f32[1,96]   @c0   ; gemm1 = sigmoid1+768{1152,1} sigmoid1+768{1152,1}

.part 10/12 core 9
.read
  r0    load         am+0x0 f32[784,96] <- dram+0x295800 f32[784,96]   ; gemm1 = gemm1.weight+864{1152,1} gemm1.weight+864{1152,1}
  r1    load         am+0x49800 f32[96] <- dram+0x372d80 f32[96]   ; gemm1 = gemm1.bias+864{1} gemm1.bias+864{1}
.compute
  c0    gemm         am+0x49980 f32[1,96] <- sm+0x0 f32[1,784], weight=am+0x0 f32[784,96], bias=am+0x49800 f32[96], act=sigmoid   @k0.r0 @r1   ; gemm1 = input+0{0,1} gemm1.weight+864{1152,1} sigmoid1+864{1152,1} gemm1.bias+864{1}
.write
  w0    store        dram+0x37f3c0 f32[1,96]{4608,4} <- am+0x49980 f32[1,96]   @c0   ; gemm1 = sigmoid1+864{1152,1} sigmoid1+864{1152,1}

.part 11/12 core 10
.read
  r0    load         am+0x0 f32[784,96] <- dram+0x2df000 f32[784,96]   ; gemm1 = gemm1.weight+960{1152,1} gemm1.weight+960{1152,1}
  r1    load         am+0x49800 f32[96] <- dram+0x372f00 f32[96]   ; gemm1 = gemm1.bias+960{1} gemm1.bias+960{1}
.compute
  c0    gemm         am+0x49980 f32[1,96] <- sm+0x0 f32[1,784], weight=am+0x0 f32[784,96], bias=am+0x49800 f32[96], act=sigmoid   @k0.r0 @r1   ; gemm1 = input+0{0,1} gemm1.weight+960{1152,1} sigmoid1+960{1152,1} gemm1.bias+960{1}
.write
  w0    store        dram+0x37f540 f32[1,96]{4608,4} <- am+0x49980 f32[1,96]   @c0   ; gemm1 = sigmoid1+960{1152,1} sigmoid1+960{1152,1}

.part 12/12 core 11
.read
  r0    load         am+0x0 f32[784,96] <- dram+0x328800 f32[784,96]   ; gemm1 = gemm1.weight+1056{1152,1} gemm1.weight+1056{1152,1}
  r1    load         am+0x49800 f32[96] <- dram+0x373080 f32[96]   ; gemm1 = gemm1.bias+1056{1} gemm1.bias+1056{1}
.compute
  c0    gemm         am+0x49980 f32[1,96] <- sm+0x0 f32[1,784], weight=am+0x0 f32[784,96], bias=am+0x49800 f32[96], act=sigmoid   @k0.r0 @r1   ; gemm1 = input+0{0,1} gemm1.weight+1056{1152,1} sigmoid1+1056{1152,1} gemm1.bias+1056{1}
.write
  w0    store        dram+0x37f6c0 f32[1,96]{4608,4} <- am+0x49980 f32[1,96]   @c0   ; gemm1 = sigmoid1+1056{1152,1} sigmoid1+1056{1152,1}

.group 1 single layers=gemm2 parts=1 reason="tiled alone, about 50816 B and 3486 cycles; core 0: 10 columns do not divide by 12 cores"
.part 1/1 core 0
.read
  r3    load         am+0x49b00 f32[1152,10] <- dram+0x373200 f32[1152,10]   ; gemm2 = gemm2.weight+0{10,1} gemm2.weight+0{10,1}
  r4    load         am+0x54f00 f32[10] <- dram+0x37e600 f32[10]   ; gemm2 = gemm2.bias+0{1} gemm2.bias+0{1}
  r5    broadcast    sm+0x0 f32[1,1152] <- dram+0x37e640 f32[1,1152], cores=4095   @w0 @k1.w0 @k2.w0 @k3.w0 @k4.w0 @k5.w0 @k6.w0 @k7.w0 @k8.w0 @k9.w0 @k10.w0 @k11.w0   ; gemm2 = sigmoid1+0{1152,1} sigmoid1+0{1152,1}
.compute
  c1    gemm         am+0xb440 f32[1,10] <- sm+0x0 f32[1,1152], weight=am+0x49b00 f32[1152,10], bias=am+0x54f00 f32[10]   @r5   ; gemm2 = sigmoid1+0{1152,1} gemm2.weight+0{10,1} gemm2+0{10,1} gemm2.bias+0{1}
.write
  w1    store        dram+0x3804c0 f32[1,10] <- am+0xb440 f32[1,10]   @c1   ; gemm2 = gemm2+0{10,1} gemm2+0{10,1}

.group 2 single layers=softmax1 parts=1 reason="128 B of DRAM traffic for 18 cycles of work; activations stay, weights stream once; one core: a fused group is not shared"
.part 1/1 core 0
.read
  r6    load         am+0x0 f32[1,10] <- dram+0x3804c0 f32[1,10]   @w1   ; softmax1 = gemm2+0{10,1} gemm2+0{10,1}
.compute
  c2    softmax      am+0x40 f32[1,10] <- am+0x0 f32[1,10], axis=1   @r6   ; softmax1 = output+0{10,1} gemm2+0{10,1}
.write
  w2    store        dram+0x380480 f32[1,10] <- am+0x40 f32[1,10]   @c2   ; softmax1 = output+0{10,1} output+0{10,1}
