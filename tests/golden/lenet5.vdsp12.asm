.nnc 5
.chip name "vdsp12"
.chip description "twelve vector DSP cores with scalar memory SM and vector memory AM (M2, M3)"
.chip cores 12
.chip split_bytes 8192
.chip clock_mhz 1000
.chip dram {"bytes_per_cycle": 24, "latency": 100, "burst": 64, "align": 1, "bytes": 4294967296}
.chip dma {"broadcast": true, "in_flight": 4, "move_bytes_per_cycle": 64, "align": 1}
.chip memory {"sm": {"bytes": 2048, "align": 64, "word": 16}, "am": {"bytes": 8192, "align": 64, "word": 16}}
.chip operands {"default": {"feature": {"memories": ["am"]}, "weight": {"memories": ["am"]}, "result": {"memories": ["am"]}, "accumulator": {"memories": ["am"]}}, "conv": {"feature": {"memories": ["sm"]}}, "depthwise": {"feature": {"memories": ["am"]}}, "gemm": {"feature": {"memories": ["sm"]}}, "copy": {"feature": {"memories": ["am", "sm"]}, "result": {"memories": ["am", "sm"]}}}
.chip compute {"issue": 16, "result_bytes_per_cycle": 64, "map": "channels", "arrays": {"i8": ["128x3"], "f16": ["64x3"], "f32": ["32x3"]}, "depthwise": {"i8": 384, "f16": 192, "f32": 96}, "elementwise": {"i8": 128, "f16": 64, "f32": 32}}
.chip energy {"mac": {"i8": 0.3, "f16": 2.0, "f32": 4.6}, "operation": {"i8": 0.03, "f16": 0.4, "f32": 0.9}, "memory": {"sm": {"read": 3.5, "write": 3.5}, "am": {"read": 11.0, "write": 11.0}}, "dram": 100.0, "broadcast": 5.0, "static": 700.0}
.chip area {"unit": {"i8": 0.0004, "f16": 0.006, "f32": 0.012}, "kib": 0.005, "core": 0.5, "shared": 2.0}
.dram 19904
.constants file="lenet5.vdsp12.constants" bytes=18240 crc=0x97a27ef7
.tensor input input dram+0x4740 f32[1,1,16,16]{1024,4,64,4}
.tensor output output dram+0x4d80 f32[1,10]
.tensor averagepool1 boundary dram+0x4b40 f32[1,4,6,6]{576,4,96,16}
.tensor conv1.weight constant dram+0x0 f32[1,5,5,4]
.tensor conv1.bias constant dram+0x1c0 f32[4]
.tensor conv2.weight constant dram+0x200 f32[5,5,4,8]
.tensor conv2.bias constant dram+0xe80 f32[8]
.tensor gemm1.b.reordered constant dram+0xec0 f32[8,60]
.tensor gemm1.bias constant dram+0x1640 f32[60]
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
.fact peak_floor_cycles 19
.fact compute_floor_cycles 134
.fact dram_floor_cycles 785
.fact predicted_cycles 1855
.fact predicted_dram_bytes 24640
.fact estimated_cycles 1851
.fact estimated_dram_bytes 24640
.fact group_0_estimated_dram_bytes 6272
.fact group_0_estimated_cycles 595
.fact group_1_estimated_dram_bytes 18368
.fact group_1_estimated_cycles 1256
.fact group_0_digest 7324196818522106305
.fact group_1_digest 3681535175068109912
.fact digest_of_ports 2201803377

.group 0 serial layers=conv1,averagepool1 parts=12 reason="6272 B of DRAM traffic for 154 cycles of work; activations stay, weights stream once; 6 x 2 cores by rows x columns: weights go to all, what two cores need both compute"
.part 1/12 core 0
.read
  r0    load         am+0x1c0 f32[1,1,6,10]{1024,4,40,4} <- dram+0x4740 f32[1,1,6,10]{1024,4,64,4}   ; conv1 = input+0{256,1,16,1} input+0{256,1,16,1}
  r1    broadcast    am+0x0 f32[1,5,5,4]{16,80,16,4} <- dram+0x0 f32[1,5,5,4], cores=4095   ; conv1 = conv1.weight+0{25,5,1,25} conv1.weight+0{25,5,1,25}
  r2    broadcast    am+0x2c0 f32[4] <- dram+0x1c0 f32[4], cores=4095   ; conv1 = conv1.bias+0{1} conv1.bias+0{1}
.compute
  c0    copy         sm+0x0 f32[1,1,6,10] <- am+0x1c0 f32[1,1,6,10]{1024,4,40,4}   @r0   ; input = input+0{256,1,16,1} input+0{256,1,16,1}
  c1    conv         am+0x1c0 f32[1,2,6,4]{2304,96,16,4} <- sm+0x0 f32[1,6,10,1]{240,40,4,240}, weight=am+0x0 f32[5,5,1,4], bias=am+0x2c0 f32[4], act=tanh stride=1,1 dilation=1,1 pad_begin=0,0   @r2   ; conv1 = input+0{256,16,1,1} conv1.weight+0{5,1,25,25} tanh1+0{576,48,4,1} conv1.bias+0{1}
  c2    pool         am+0x0 f32[1,1,3,4]{576,48,16,4} <- am+0x1c0 f32[1,2,6,4]{2304,96,16,4}, function=average kernel=2,2 stride=2,2 dilation=1,1 pad_begin=0,0 pad_end=0,0   ; averagepool1 = averagepool1+0{144,24,4,1} tanh1+0{576,48,4,1}
.write
  w0    store        dram+0x4b40 f32[1,1,3,4]{576,96,16,4} <- am+0x0 f32[1,1,3,4]{576,48,16,4}   @c2   ; averagepool1 = averagepool1+0{144,24,4,1} averagepool1+0{144,24,4,1}

.part 2/12 core 1
.read
  r0    load         am+0x1c0 f32[1,1,6,10]{1024,4,40,4} <- dram+0x4758 f32[1,1,6,10]{1024,4,64,4}   ; conv1 = input+6{256,1,16,1} input+6{256,1,16,1}
.compute
  c0    copy         sm+0x0 f32[1,1,6,10] <- am+0x1c0 f32[1,1,6,10]{1024,4,40,4}   @r0   ; input = input+6{256,1,16,1} input+6{256,1,16,1}
  c1    conv         am+0x1c0 f32[1,2,6,4]{2304,96,16,4} <- sm+0x0 f32[1,6,10,1]{240,40,4,240}, weight=am+0x0 f32[5,5,1,4], bias=am+0x2c0 f32[4], act=tanh stride=1,1 dilation=1,1 pad_begin=0,0   @k0.r2   ; conv1 = input+6{256,16,1,1} conv1.weight+0{5,1,25,25} tanh1+24{576,48,4,1} conv1.bias+0{1}
  c2    pool         am+0x0 f32[1,1,3,4]{576,48,16,4} <- am+0x1c0 f32[1,2,6,4]{2304,96,16,4}, function=average kernel=2,2 stride=2,2 dilation=1,1 pad_begin=0,0 pad_end=0,0   ; averagepool1 = averagepool1+12{144,24,4,1} tanh1+24{576,48,4,1}
.write
  w0    store        dram+0x4b70 f32[1,1,3,4]{576,96,16,4} <- am+0x0 f32[1,1,3,4]{576,48,16,4}   @c2   ; averagepool1 = averagepool1+12{144,24,4,1} averagepool1+12{144,24,4,1}

.part 3/12 core 2
.read
  r0    load         am+0x1c0 f32[1,1,6,10]{1024,4,40,4} <- dram+0x47c0 f32[1,1,6,10]{1024,4,64,4}   ; conv1 = input+32{256,1,16,1} input+32{256,1,16,1}
.compute
  c0    copy         sm+0x0 f32[1,1,6,10] <- am+0x1c0 f32[1,1,6,10]{1024,4,40,4}   @r0   ; input = input+32{256,1,16,1} input+32{256,1,16,1}
  c1    conv         am+0x1c0 f32[1,2,6,4]{2304,96,16,4} <- sm+0x0 f32[1,6,10,1]{240,40,4,240}, weight=am+0x0 f32[5,5,1,4], bias=am+0x2c0 f32[4], act=tanh stride=1,1 dilation=1,1 pad_begin=0,0   @k0.r2   ; conv1 = input+32{256,16,1,1} conv1.weight+0{5,1,25,25} tanh1+96{576,48,4,1} conv1.bias+0{1}
  c2    pool         am+0x0 f32[1,1,3,4]{576,48,16,4} <- am+0x1c0 f32[1,2,6,4]{2304,96,16,4}, function=average kernel=2,2 stride=2,2 dilation=1,1 pad_begin=0,0 pad_end=0,0   ; averagepool1 = averagepool1+24{144,24,4,1} tanh1+96{576,48,4,1}
.write
  w0    store        dram+0x4ba0 f32[1,1,3,4]{576,96,16,4} <- am+0x0 f32[1,1,3,4]{576,48,16,4}   @c2   ; averagepool1 = averagepool1+24{144,24,4,1} averagepool1+24{144,24,4,1}

.part 4/12 core 3
.read
  r0    load         am+0x1c0 f32[1,1,6,10]{1024,4,40,4} <- dram+0x47d8 f32[1,1,6,10]{1024,4,64,4}   ; conv1 = input+38{256,1,16,1} input+38{256,1,16,1}
.compute
  c0    copy         sm+0x0 f32[1,1,6,10] <- am+0x1c0 f32[1,1,6,10]{1024,4,40,4}   @r0   ; input = input+38{256,1,16,1} input+38{256,1,16,1}
  c1    conv         am+0x1c0 f32[1,2,6,4]{2304,96,16,4} <- sm+0x0 f32[1,6,10,1]{240,40,4,240}, weight=am+0x0 f32[5,5,1,4], bias=am+0x2c0 f32[4], act=tanh stride=1,1 dilation=1,1 pad_begin=0,0   @k0.r2   ; conv1 = input+38{256,16,1,1} conv1.weight+0{5,1,25,25} tanh1+120{576,48,4,1} conv1.bias+0{1}
  c2    pool         am+0x0 f32[1,1,3,4]{576,48,16,4} <- am+0x1c0 f32[1,2,6,4]{2304,96,16,4}, function=average kernel=2,2 stride=2,2 dilation=1,1 pad_begin=0,0 pad_end=0,0   ; averagepool1 = averagepool1+36{144,24,4,1} tanh1+120{576,48,4,1}
.write
  w0    store        dram+0x4bd0 f32[1,1,3,4]{576,96,16,4} <- am+0x0 f32[1,1,3,4]{576,48,16,4}   @c2   ; averagepool1 = averagepool1+36{144,24,4,1} averagepool1+36{144,24,4,1}

.part 5/12 core 4
.read
  r0    load         am+0x1c0 f32[1,1,6,10]{1024,4,40,4} <- dram+0x4840 f32[1,1,6,10]{1024,4,64,4}   ; conv1 = input+64{256,1,16,1} input+64{256,1,16,1}
.compute
  c0    copy         sm+0x0 f32[1,1,6,10] <- am+0x1c0 f32[1,1,6,10]{1024,4,40,4}   @r0   ; input = input+64{256,1,16,1} input+64{256,1,16,1}
  c1    conv         am+0x1c0 f32[1,2,6,4]{2304,96,16,4} <- sm+0x0 f32[1,6,10,1]{240,40,4,240}, weight=am+0x0 f32[5,5,1,4], bias=am+0x2c0 f32[4], act=tanh stride=1,1 dilation=1,1 pad_begin=0,0   @k0.r2   ; conv1 = input+64{256,16,1,1} conv1.weight+0{5,1,25,25} tanh1+192{576,48,4,1} conv1.bias+0{1}
  c2    pool         am+0x0 f32[1,1,3,4]{576,48,16,4} <- am+0x1c0 f32[1,2,6,4]{2304,96,16,4}, function=average kernel=2,2 stride=2,2 dilation=1,1 pad_begin=0,0 pad_end=0,0   ; averagepool1 = averagepool1+48{144,24,4,1} tanh1+192{576,48,4,1}
.write
  w0    store        dram+0x4c00 f32[1,1,3,4]{576,96,16,4} <- am+0x0 f32[1,1,3,4]{576,48,16,4}   @c2   ; averagepool1 = averagepool1+48{144,24,4,1} averagepool1+48{144,24,4,1}

.part 6/12 core 5
.read
  r0    load         am+0x1c0 f32[1,1,6,10]{1024,4,40,4} <- dram+0x4858 f32[1,1,6,10]{1024,4,64,4}   ; conv1 = input+70{256,1,16,1} input+70{256,1,16,1}
.compute
  c0    copy         sm+0x0 f32[1,1,6,10] <- am+0x1c0 f32[1,1,6,10]{1024,4,40,4}   @r0   ; input = input+70{256,1,16,1} input+70{256,1,16,1}
  c1    conv         am+0x1c0 f32[1,2,6,4]{2304,96,16,4} <- sm+0x0 f32[1,6,10,1]{240,40,4,240}, weight=am+0x0 f32[5,5,1,4], bias=am+0x2c0 f32[4], act=tanh stride=1,1 dilation=1,1 pad_begin=0,0   @k0.r2   ; conv1 = input+70{256,16,1,1} conv1.weight+0{5,1,25,25} tanh1+216{576,48,4,1} conv1.bias+0{1}
  c2    pool         am+0x0 f32[1,1,3,4]{576,48,16,4} <- am+0x1c0 f32[1,2,6,4]{2304,96,16,4}, function=average kernel=2,2 stride=2,2 dilation=1,1 pad_begin=0,0 pad_end=0,0   ; averagepool1 = averagepool1+60{144,24,4,1} tanh1+216{576,48,4,1}
.write
  w0    store        dram+0x4c30 f32[1,1,3,4]{576,96,16,4} <- am+0x0 f32[1,1,3,4]{576,48,16,4}   @c2   ; averagepool1 = averagepool1+60{144,24,4,1} averagepool1+60{144,24,4,1}

.part 7/12 core 6
.read
  r0    load         am+0x1c0 f32[1,1,6,10]{1024,4,40,4} <- dram+0x48c0 f32[1,1,6,10]{1024,4,64,4}   ; conv1 = input+96{256,1,16,1} input+96{256,1,16,1}
.compute
  c0    copy         sm+0x0 f32[1,1,6,10] <- am+0x1c0 f32[1,1,6,10]{1024,4,40,4}   @r0   ; input = input+96{256,1,16,1} input+96{256,1,16,1}
  c1    conv         am+0x1c0 f32[1,2,6,4]{2304,96,16,4} <- sm+0x0 f32[1,6,10,1]{240,40,4,240}, weight=am+0x0 f32[5,5,1,4], bias=am+0x2c0 f32[4], act=tanh stride=1,1 dilation=1,1 pad_begin=0,0   @k0.r2   ; conv1 = input+96{256,16,1,1} conv1.weight+0{5,1,25,25} tanh1+288{576,48,4,1} conv1.bias+0{1}
  c2    pool         am+0x0 f32[1,1,3,4]{576,48,16,4} <- am+0x1c0 f32[1,2,6,4]{2304,96,16,4}, function=average kernel=2,2 stride=2,2 dilation=1,1 pad_begin=0,0 pad_end=0,0   ; averagepool1 = averagepool1+72{144,24,4,1} tanh1+288{576,48,4,1}
.write
  w0    store        dram+0x4c60 f32[1,1,3,4]{576,96,16,4} <- am+0x0 f32[1,1,3,4]{576,48,16,4}   @c2   ; averagepool1 = averagepool1+72{144,24,4,1} averagepool1+72{144,24,4,1}

.part 8/12 core 7
.read
  r0    load         am+0x1c0 f32[1,1,6,10]{1024,4,40,4} <- dram+0x48d8 f32[1,1,6,10]{1024,4,64,4}   ; conv1 = input+102{256,1,16,1} input+102{256,1,16,1}
.compute
  c0    copy         sm+0x0 f32[1,1,6,10] <- am+0x1c0 f32[1,1,6,10]{1024,4,40,4}   @r0   ; input = input+102{256,1,16,1} input+102{256,1,16,1}
  c1    conv         am+0x1c0 f32[1,2,6,4]{2304,96,16,4} <- sm+0x0 f32[1,6,10,1]{240,40,4,240}, weight=am+0x0 f32[5,5,1,4], bias=am+0x2c0 f32[4], act=tanh stride=1,1 dilation=1,1 pad_begin=0,0   @k0.r2   ; conv1 = input+102{256,16,1,1} conv1.weight+0{5,1,25,25} tanh1+312{576,48,4,1} conv1.bias+0{1}
  c2    pool         am+0x0 f32[1,1,3,4]{576,48,16,4} <- am+0x1c0 f32[1,2,6,4]{2304,96,16,4}, function=average kernel=2,2 stride=2,2 dilation=1,1 pad_begin=0,0 pad_end=0,0   ; averagepool1 = averagepool1+84{144,24,4,1} tanh1+312{576,48,4,1}
.write
  w0    store        dram+0x4c90 f32[1,1,3,4]{576,96,16,4} <- am+0x0 f32[1,1,3,4]{576,48,16,4}   @c2   ; averagepool1 = averagepool1+84{144,24,4,1} averagepool1+84{144,24,4,1}

.part 9/12 core 8
.read
  r0    load         am+0x1c0 f32[1,1,6,10]{1024,4,40,4} <- dram+0x4940 f32[1,1,6,10]{1024,4,64,4}   ; conv1 = input+128{256,1,16,1} input+128{256,1,16,1}
.compute
  c0    copy         sm+0x0 f32[1,1,6,10] <- am+0x1c0 f32[1,1,6,10]{1024,4,40,4}   @r0   ; input = input+128{256,1,16,1} input+128{256,1,16,1}
  c1    conv         am+0x1c0 f32[1,2,6,4]{2304,96,16,4} <- sm+0x0 f32[1,6,10,1]{240,40,4,240}, weight=am+0x0 f32[5,5,1,4], bias=am+0x2c0 f32[4], act=tanh stride=1,1 dilation=1,1 pad_begin=0,0   @k0.r2   ; conv1 = input+128{256,16,1,1} conv1.weight+0{5,1,25,25} tanh1+384{576,48,4,1} conv1.bias+0{1}
  c2    pool         am+0x0 f32[1,1,3,4]{576,48,16,4} <- am+0x1c0 f32[1,2,6,4]{2304,96,16,4}, function=average kernel=2,2 stride=2,2 dilation=1,1 pad_begin=0,0 pad_end=0,0   ; averagepool1 = averagepool1+96{144,24,4,1} tanh1+384{576,48,4,1}
.write
  w0    store        dram+0x4cc0 f32[1,1,3,4]{576,96,16,4} <- am+0x0 f32[1,1,3,4]{576,48,16,4}   @c2   ; averagepool1 = averagepool1+96{144,24,4,1} averagepool1+96{144,24,4,1}

.part 10/12 core 9
.read
  r0    load         am+0x1c0 f32[1,1,6,10]{1024,4,40,4} <- dram+0x4958 f32[1,1,6,10]{1024,4,64,4}   ; conv1 = input+134{256,1,16,1} input+134{256,1,16,1}
.compute
  c0    copy         sm+0x0 f32[1,1,6,10] <- am+0x1c0 f32[1,1,6,10]{1024,4,40,4}   @r0   ; input = input+134{256,1,16,1} input+134{256,1,16,1}
  c1    conv         am+0x1c0 f32[1,2,6,4]{2304,96,16,4} <- sm+0x0 f32[1,6,10,1]{240,40,4,240}, weight=am+0x0 f32[5,5,1,4], bias=am+0x2c0 f32[4], act=tanh stride=1,1 dilation=1,1 pad_begin=0,0   @k0.r2   ; conv1 = input+134{256,16,1,1} conv1.weight+0{5,1,25,25} tanh1+408{576,48,4,1} conv1.bias+0{1}
  c2    pool         am+0x0 f32[1,1,3,4]{576,48,16,4} <- am+0x1c0 f32[1,2,6,4]{2304,96,16,4}, function=average kernel=2,2 stride=2,2 dilation=1,1 pad_begin=0,0 pad_end=0,0   ; averagepool1 = averagepool1+108{144,24,4,1} tanh1+408{576,48,4,1}
.write
  w0    store        dram+0x4cf0 f32[1,1,3,4]{576,96,16,4} <- am+0x0 f32[1,1,3,4]{576,48,16,4}   @c2   ; averagepool1 = averagepool1+108{144,24,4,1} averagepool1+108{144,24,4,1}

.part 11/12 core 10
.read
  r0    load         am+0x1c0 f32[1,1,6,10]{1024,4,40,4} <- dram+0x49c0 f32[1,1,6,10]{1024,4,64,4}   ; conv1 = input+160{256,1,16,1} input+160{256,1,16,1}
.compute
  c0    copy         sm+0x0 f32[1,1,6,10] <- am+0x1c0 f32[1,1,6,10]{1024,4,40,4}   @r0   ; input = input+160{256,1,16,1} input+160{256,1,16,1}
  c1    conv         am+0x1c0 f32[1,2,6,4]{2304,96,16,4} <- sm+0x0 f32[1,6,10,1]{240,40,4,240}, weight=am+0x0 f32[5,5,1,4], bias=am+0x2c0 f32[4], act=tanh stride=1,1 dilation=1,1 pad_begin=0,0   @k0.r2   ; conv1 = input+160{256,16,1,1} conv1.weight+0{5,1,25,25} tanh1+480{576,48,4,1} conv1.bias+0{1}
  c2    pool         am+0x0 f32[1,1,3,4]{576,48,16,4} <- am+0x1c0 f32[1,2,6,4]{2304,96,16,4}, function=average kernel=2,2 stride=2,2 dilation=1,1 pad_begin=0,0 pad_end=0,0   ; averagepool1 = averagepool1+120{144,24,4,1} tanh1+480{576,48,4,1}
.write
  w0    store        dram+0x4d20 f32[1,1,3,4]{576,96,16,4} <- am+0x0 f32[1,1,3,4]{576,48,16,4}   @c2   ; averagepool1 = averagepool1+120{144,24,4,1} averagepool1+120{144,24,4,1}

.part 12/12 core 11
.read
  r0    load         am+0x1c0 f32[1,1,6,10]{1024,4,40,4} <- dram+0x49d8 f32[1,1,6,10]{1024,4,64,4}   ; conv1 = input+166{256,1,16,1} input+166{256,1,16,1}
.compute
  c0    copy         sm+0x0 f32[1,1,6,10] <- am+0x1c0 f32[1,1,6,10]{1024,4,40,4}   @r0   ; input = input+166{256,1,16,1} input+166{256,1,16,1}
  c1    conv         am+0x1c0 f32[1,2,6,4]{2304,96,16,4} <- sm+0x0 f32[1,6,10,1]{240,40,4,240}, weight=am+0x0 f32[5,5,1,4], bias=am+0x2c0 f32[4], act=tanh stride=1,1 dilation=1,1 pad_begin=0,0   @k0.r2   ; conv1 = input+166{256,16,1,1} conv1.weight+0{5,1,25,25} tanh1+504{576,48,4,1} conv1.bias+0{1}
  c2    pool         am+0x0 f32[1,1,3,4]{576,48,16,4} <- am+0x1c0 f32[1,2,6,4]{2304,96,16,4}, function=average kernel=2,2 stride=2,2 dilation=1,1 pad_begin=0,0 pad_end=0,0   ; averagepool1 = averagepool1+132{144,24,4,1} tanh1+504{576,48,4,1}
.write
  w0    store        dram+0x4d50 f32[1,1,3,4]{576,96,16,4} <- am+0x0 f32[1,1,3,4]{576,48,16,4}   @c2   ; averagepool1 = averagepool1+132{144,24,4,1} averagepool1+132{144,24,4,1}

.group 1 serial layers=conv2,averagepool2,gemm1,gemm2,gemm3,softmax1 parts=1 reason="18368 B of DRAM traffic for 878 cycles of work; activations stay, weights stream once; one core: a fused group is not shared"
.part 1/1 core 0
.read
  r3    load         am+0xf00 f32[5,5,4,8] <- dram+0x200 f32[5,5,4,8]   ; conv2 = conv2.weight+0{5,1,25,100} conv2.weight+0{5,1,25,100}
  r4    load         am+0xec0 f32[8] <- dram+0xe80 f32[8]   ; conv2 = conv2.bias+0{1} conv2.bias+0{1}
  r5    load         am+0xc80 f32[1,6,6,4] <- dram+0x4b40 f32[1,6,6,4]   @w0 @k1.w0 @k2.w0 @k3.w0 @k4.w0 @k5.w0 @k6.w0 @k7.w0 @k8.w0 @k9.w0 @k10.w0 @k11.w0   ; conv2 = averagepool1+0{144,24,4,1} averagepool1+0{144,24,4,1}
  r6    load         am+0x0 f32[8,60] <- dram+0xec0 f32[8,60]   ; gemm1 = gemm1.b.reordered+0{60,1} gemm1.b.reordered+0{60,1}
  r7    load         am+0x780 f32[60] <- dram+0x1640 f32[60]   ; gemm1 = gemm1.bias+0{1} gemm1.bias+0{1}
  r8    load         am+0xd00 f32[60,8] <- dram+0x1740 f32[60,8]   @c4   ; gemm2 = gemm2.b+0{42,1} gemm2.b+0{42,1}
  r9    load         am+0x980 f32[8] <- dram+0x1ec0 f32[8]   ; gemm2 = gemm2.bias+0{1} gemm2.bias+0{1}
  r10   load         am+0x1480 f32[60,8] <- dram+0x1f00 f32[60,8]   ; gemm2 = gemm2.b+8{42,1} gemm2.b+8{42,1}
  r11   load         am+0x9c0 f32[8] <- dram+0x2680 f32[8]   ; gemm2 = gemm2.bias+8{1} gemm2.bias+8{1}
  r12   load         am+0x0 f32[60,8] <- dram+0x26c0 f32[60,8]   @c7   ; gemm2 = gemm2.b+16{42,1} gemm2.b+16{42,1}
  r13   load         am+0x840 f32[8] <- dram+0x2e40 f32[8]   ; gemm2 = gemm2.bias+16{1} gemm2.bias+16{1}
  r14   load         am+0xa00 f32[60,8] <- dram+0x2e80 f32[60,8]   @c9   ; gemm2 = gemm2.b+24{42,1} gemm2.b+24{42,1}
  r15   load         am+0x880 f32[8] <- dram+0x3600 f32[8]   ; gemm2 = gemm2.bias+24{1} gemm2.bias+24{1}
  r16   load         am+0x1180 f32[60,8] <- dram+0x3640 f32[60,8]   @c10   ; gemm2 = gemm2.b+32{42,1} gemm2.b+32{42,1}
  r17   load         am+0x8c0 f32[8] <- dram+0x3dc0 f32[8]   ; gemm2 = gemm2.bias+32{1} gemm2.bias+32{1}
  r18   load         am+0x1900 f32[60,2] <- dram+0x3e00 f32[60,2]   ; gemm2 = gemm2.b+40{42,1} gemm2.b+40{42,1}
  r19   load         am+0x900 f32[2] <- dram+0x4000 f32[2]   ; gemm2 = gemm2.bias+40{1} gemm2.bias+40{1}
  r20   load         am+0x0 f32[42,10] <- dram+0x4040 f32[42,10]   @c11   ; gemm3 = gemm3.b+0{10,1} gemm3.b+0{10,1}
  r21   load         am+0x6c0 f32[10] <- dram+0x4700 f32[10]   ; gemm3 = gemm3.bias+0{1} gemm3.bias+0{1}
.compute
  c3    copy         sm+0x0 f32[1,6,6,4] <- am+0xc80 f32[1,6,6,4]   @r5   ; averagepool1 = averagepool1+0{144,24,4,1} averagepool1+0{144,24,4,1}
  c4    conv         am+0xc80 f32[1,2,2,8] <- sm+0x0 f32[1,6,6,4], weight=am+0xf00 f32[5,5,4,8], bias=am+0xec0 f32[8], act=tanh stride=1,1 dilation=1,1 pad_begin=0,0   ; conv2 = averagepool1+0{144,24,4,1} conv2.weight+0{5,1,25,100} tanh2+0{32,16,8,1} conv2.bias+0{1}
  c5    pool         am+0x880 f32[1,1,1,8] <- am+0xc80 f32[1,2,2,8], function=average kernel=2,2 stride=2,2 dilation=1,1 pad_begin=0,0 pad_end=0,0   ; averagepool2 = averagepool2+0{8,8,8,1} tanh2+0{32,16,8,1}
  c6    copy         sm+0x0 f32[1,8] <- am+0x880 f32[1,8]{0,4}   ; flatten1 = averagepool2+0{0,1} averagepool2+0{0,1}
  c7    gemm         am+0x880 f32[1,60] <- sm+0x0 f32[1,8], weight=am+0x0 f32[8,60], bias=am+0x780 f32[60], act=tanh   @r7   ; gemm1 = averagepool2+0{0,1} gemm1.b.reordered+0{60,1} tanh3+0{60,1} gemm1.bias+0{1}
  c8    copy         sm+0x0 f32[1,60] <- am+0x880 f32[1,60]   ; gemm1 = tanh3+0{60,1} tanh3+0{60,1}
  c9    gemm         am+0x780 f32[1,8]{168,4} <- sm+0x0 f32[1,60], weight=am+0xd00 f32[60,8], bias=am+0x980 f32[8], act=tanh   @r9   ; gemm2 = tanh3+0{60,1} gemm2.b+0{42,1} tanh4+0{42,1} gemm2.bias+0{1}
  c10   gemm         am+0x7a0 f32[1,8]{168,4} <- sm+0x0 f32[1,60], weight=am+0x1480 f32[60,8], bias=am+0x9c0 f32[8], act=tanh   @r11   ; gemm2 = tanh3+0{60,1} gemm2.b+8{42,1} tanh4+8{42,1} gemm2.bias+8{1}
  c11   gemm         am+0x7c0 f32[1,8]{168,4} <- sm+0x0 f32[1,60], weight=am+0x0 f32[60,8], bias=am+0x840 f32[8], act=tanh   @r13   ; gemm2 = tanh3+0{60,1} gemm2.b+16{42,1} tanh4+16{42,1} gemm2.bias+16{1}
  c12   gemm         am+0x7e0 f32[1,8]{168,4} <- sm+0x0 f32[1,60], weight=am+0xa00 f32[60,8], bias=am+0x880 f32[8], act=tanh   @r15   ; gemm2 = tanh3+0{60,1} gemm2.b+24{42,1} tanh4+24{42,1} gemm2.bias+24{1}
  c13   gemm         am+0x800 f32[1,8]{168,4} <- sm+0x0 f32[1,60], weight=am+0x1180 f32[60,8], bias=am+0x8c0 f32[8], act=tanh   @r17   ; gemm2 = tanh3+0{60,1} gemm2.b+32{42,1} tanh4+32{42,1} gemm2.bias+32{1}
  c14   gemm         am+0x820 f32[1,2]{168,4} <- sm+0x0 f32[1,60], weight=am+0x1900 f32[60,2], bias=am+0x900 f32[2], act=tanh   @r19   ; gemm2 = tanh3+0{60,1} gemm2.b+40{42,1} tanh4+40{42,1} gemm2.bias+40{1}
  c15   copy         sm+0x0 f32[1,42] <- am+0x780 f32[1,42]   ; gemm2 = tanh4+0{42,1} tanh4+0{42,1}
  c16   gemm         am+0x700 f32[1,10] <- sm+0x0 f32[1,42], weight=am+0x0 f32[42,10], bias=am+0x6c0 f32[10]   @r21   ; gemm3 = tanh4+0{42,1} gemm3.b+0{10,1} gemm3+0{10,1} gemm3.bias+0{1}
  c17   softmax      am+0x0 f32[1,10] <- am+0x700 f32[1,10], axis=1   ; softmax1 = output+0{10,1} gemm3+0{10,1}
.write
  w1    store        dram+0x4d80 f32[1,10] <- am+0x0 f32[1,10]   @c17   ; softmax1 = output+0{10,1} output+0{10,1}
