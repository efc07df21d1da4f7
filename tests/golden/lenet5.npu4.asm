.nnc 3
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
.dram 20608
.constants file="lenet5.npu4.constants" bytes=18816 crc=0x110714ec
.tensor input input dram+0x4980 f32[1,1,16,16]{1024,4,64,4}
.tensor output output dram+0x5040 f32[1,10]
.tensor averagepool1 boundary dram+0x4d80 f32[1,4,6,6]{576,4,96,16}
.tensor tanh2 boundary dram+0x4fc0 f32[1,8,2,2]{128,4,64,32}
.tensor averagepool2 boundary dram+0x4e80 f32[1,8,1,1]{32,4,32,32}
.tensor tanh3 boundary dram+0x4d80 f32[1,60]
.tensor tanh4 boundary dram+0x4e80 f32[1,42]
.tensor gemm3 boundary dram+0x4d80 f32[1,10]
.tensor conv1.weight constant dram+0x0 f32[1,5,5,4]
.tensor conv1.bias constant dram+0x1c0 f32[4]
.tensor "conv2.weight[0,0,0,0]" constant dram+0x200 f32[5,5,4,4]
.tensor "conv2.bias[0]" constant dram+0x840 f32[4]
.tensor "conv2.weight[4,0,0,0]" constant dram+0x880 f32[5,5,4,4]
.tensor "conv2.bias[4]" constant dram+0xec0 f32[4]
.tensor gemm1.b.reordered constant dram+0xf00 f32[8,60]
.tensor gemm1.bias constant dram+0x1680 f32[60]
.tensor "gemm2.b[0,0]" constant dram+0x1780 f32[60,4]
.tensor "gemm2.b[0,16]" constant dram+0x1b40 f32[60,4]
.tensor "gemm2.b[0,32]" constant dram+0x1f00 f32[60,3]
.tensor "gemm2.bias[0]" constant dram+0x2200 f32[4]
.tensor "gemm2.bias[16]" constant dram+0x2240 f32[4]
.tensor "gemm2.bias[32]" constant dram+0x2280 f32[3]
.tensor "gemm2.b[0,4]" constant dram+0x22c0 f32[60,4]
.tensor "gemm2.b[0,20]" constant dram+0x2680 f32[60,4]
.tensor "gemm2.b[0,35]" constant dram+0x2a40 f32[60,3]
.tensor "gemm2.bias[4]" constant dram+0x2d40 f32[4]
.tensor "gemm2.bias[20]" constant dram+0x2d80 f32[4]
.tensor "gemm2.bias[35]" constant dram+0x2dc0 f32[3]
.tensor "gemm2.b[0,8]" constant dram+0x2e00 f32[60,4]
.tensor "gemm2.b[0,24]" constant dram+0x31c0 f32[60,4]
.tensor "gemm2.b[0,38]" constant dram+0x3580 f32[60,2]
.tensor "gemm2.bias[8]" constant dram+0x3780 f32[4]
.tensor "gemm2.bias[24]" constant dram+0x37c0 f32[4]
.tensor "gemm2.bias[38]" constant dram+0x3800 f32[2]
.tensor "gemm2.b[0,12]" constant dram+0x3840 f32[60,4]
.tensor "gemm2.b[0,28]" constant dram+0x3c00 f32[60,4]
.tensor "gemm2.b[0,40]" constant dram+0x3fc0 f32[60,2]
.tensor "gemm2.bias[12]" constant dram+0x41c0 f32[4]
.tensor "gemm2.bias[28]" constant dram+0x4200 f32[4]
.tensor "gemm2.bias[40]" constant dram+0x4240 f32[2]
.tensor gemm3.b constant dram+0x4280 f32[42,10]
.tensor gemm3.bias constant dram+0x4940 f32[10]
.fact floor_bytes 18840
.fact macs 21020
.fact peak_floor_cycles 21
.fact compute_floor_cycles 89
.fact dram_floor_cycles 589
.fact predicted_cycles 2927
.fact predicted_dram_bytes 24320
.fact estimated_cycles 2088
.fact estimated_dram_bytes 23760
.fact group_0_estimated_dram_bytes 3008
.fact group_0_estimated_cycles 414
.fact group_1_estimated_dram_bytes 3936
.fact group_1_estimated_cycles 562
.fact group_2_estimated_dram_bytes 160
.fact group_2_estimated_cycles 63
.fact group_3_estimated_dram_bytes 2464
.fact group_3_estimated_cycles 167
.fact group_4_estimated_dram_bytes 12136
.fact group_4_estimated_cycles 634
.fact group_5_estimated_dram_bytes 1952
.fact group_5_estimated_cycles 185
.fact group_6_estimated_dram_bytes 104
.fact group_6_estimated_cycles 63

.group 0 serial layers=conv1,averagepool1 parts=4 reason="3008 B of DRAM traffic for 120 cycles of work; activations stay, weights stream once; 4 cores by rows: weights go to all, what two cores need both compute"
.part 1/4 core 0
.read
  r0    load         sram+0x300 f32[1,1,6,16]{1024,4,64,4} <- dram+0x4980 f32[1,1,6,16]{1024,4,64,4}   ; conv1 = input+0 input+0
  r1    broadcast    sram+0x500 f32[1,5,5,4]{16,80,16,4} <- dram+0x0 f32[1,5,5,4], cores=15   ; conv1 = conv1.weight+0{25,5,1,25} conv1.weight+0{25,5,1,25}
  r2    broadcast    sram+0x6c0 f32[4] <- dram+0x1c0 f32[4], cores=15   ; conv1 = conv1.bias+0 conv1.bias+0
.compute
  c0    conv         sram+0x0 f32[1,2,12,4]{2304,192,16,4} <- sram+0x300 f32[1,6,16,1]{1024,64,4,4}, weight=sram+0x500 f32[5,5,1,4], bias=sram+0x6c0 f32[4], act=tanh stride=1,1 dilation=1,1 pad_begin=0,0   @r2   ; conv1 = input+0 conv1.weight+0{5,1,25,25} tanh1+0 conv1.bias+0
  c1    pool         sram+0x300 f32[1,1,6,4]{576,96,16,4} <- sram+0x0 f32[1,2,12,4]{2304,192,16,4}, function=average kernel=2,2 stride=2,2 dilation=1,1 pad_begin=0,0 pad_end=0,0   ; averagepool1 = averagepool1+0 tanh1+0
.write
  w0    store        dram+0x4d80 f32[1,1,6,4]{576,96,16,4} <- sram+0x300 f32[1,1,6,4]{576,96,16,4}   @c1   ; averagepool1 = averagepool1+0 averagepool1+0

.part 2/4 core 1
.read
  r0    load         sram+0x300 f32[1,1,8,16]{1024,4,64,4} <- dram+0x4a00 f32[1,1,8,16]{1024,4,64,4}   ; conv1 = input+32 input+32
.compute
  c0    conv         sram+0x0 f32[1,4,12,4]{2304,192,16,4} <- sram+0x300 f32[1,8,16,1]{1024,64,4,4}, weight=sram+0x500 f32[5,5,1,4], bias=sram+0x6c0 f32[4], act=tanh stride=1,1 dilation=1,1 pad_begin=0,0   @k0.r2 @r0   ; conv1 = input+32 conv1.weight+0{5,1,25,25} tanh1+96 conv1.bias+0
  c1    pool         sram+0x300 f32[1,2,6,4]{576,96,16,4} <- sram+0x0 f32[1,4,12,4]{2304,192,16,4}, function=average kernel=2,2 stride=2,2 dilation=1,1 pad_begin=0,0 pad_end=0,0   ; averagepool1 = averagepool1+24 tanh1+96
.write
  w0    store        dram+0x4de0 f32[1,2,6,4]{576,96,16,4} <- sram+0x300 f32[1,2,6,4]{576,96,16,4}   @c1   ; averagepool1 = averagepool1+24 averagepool1+24

.part 3/4 core 2
.read
  r0    load         sram+0x300 f32[1,1,6,16]{1024,4,64,4} <- dram+0x4b00 f32[1,1,6,16]{1024,4,64,4}   ; conv1 = input+96 input+96
.compute
  c0    conv         sram+0x0 f32[1,2,12,4]{2304,192,16,4} <- sram+0x300 f32[1,6,16,1]{1024,64,4,4}, weight=sram+0x500 f32[5,5,1,4], bias=sram+0x6c0 f32[4], act=tanh stride=1,1 dilation=1,1 pad_begin=0,0   @k0.r2 @r0   ; conv1 = input+96 conv1.weight+0{5,1,25,25} tanh1+288 conv1.bias+0
  c1    pool         sram+0x300 f32[1,1,6,4]{576,96,16,4} <- sram+0x0 f32[1,2,12,4]{2304,192,16,4}, function=average kernel=2,2 stride=2,2 dilation=1,1 pad_begin=0,0 pad_end=0,0   ; averagepool1 = averagepool1+72 tanh1+288
.write
  w0    store        dram+0x4ea0 f32[1,1,6,4]{576,96,16,4} <- sram+0x300 f32[1,1,6,4]{576,96,16,4}   @c1   ; averagepool1 = averagepool1+72 averagepool1+72

.part 4/4 core 3
.read
  r0    load         sram+0x300 f32[1,1,8,16]{1024,4,64,4} <- dram+0x4b80 f32[1,1,8,16]{1024,4,64,4}   ; conv1 = input+128 input+128
.compute
  c0    conv         sram+0x0 f32[1,4,12,4]{2304,192,16,4} <- sram+0x300 f32[1,8,16,1]{1024,64,4,4}, weight=sram+0x500 f32[5,5,1,4], bias=sram+0x6c0 f32[4], act=tanh stride=1,1 dilation=1,1 pad_begin=0,0   @k0.r2 @r0   ; conv1 = input+128 conv1.weight+0{5,1,25,25} tanh1+384 conv1.bias+0
  c1    pool         sram+0x300 f32[1,2,6,4]{576,96,16,4} <- sram+0x0 f32[1,4,12,4]{2304,192,16,4}, function=average kernel=2,2 stride=2,2 dilation=1,1 pad_begin=0,0 pad_end=0,0   ; averagepool1 = averagepool1+96 tanh1+384
.write
  w0    store        dram+0x4f00 f32[1,2,6,4]{576,96,16,4} <- sram+0x300 f32[1,2,6,4]{576,96,16,4}   @c1   ; averagepool1 = averagepool1+96 averagepool1+96

.group 1 single layers=conv2 parts=2 reason="tiled alone, about 4416 B and 702 cycles; one core; estimated cycles: one core 702, 2 cores by rows 716, 2 cores by columns 732, 2 x 2 cores by rows x columns 764"
.part 1/2 core 0
.read
  r3    load         sram+0x0 f32[5,5,4,4] <- dram+0x200 f32[5,5,4,4]   @w0   ; conv2 = conv2.weight+0{5,1,25,100} conv2.weight+0{5,1,25,100}
  r4    load         sram+0x880 f32[4] <- dram+0x840 f32[4]   ; conv2 = conv2.bias+0 conv2.bias+0
  r5    load         sram+0x640 f32[1,6,6,4] <- dram+0x4d80 f32[1,6,6,4]   @k1.w0 @k2.w0 @k3.w0   ; conv2 = averagepool1+0 averagepool1+0
.compute
  c2    conv         sram+0x8c0 f32[1,2,2,4] <- sram+0x640 f32[1,6,6,4], weight=sram+0x0 f32[5,5,4,4], bias=sram+0x880 f32[4], act=tanh stride=1,1 dilation=1,1 pad_begin=0,0   @r5   ; conv2 = averagepool1+0 conv2.weight+0{5,1,25,100} tanh2+0{32,16,8,1} conv2.bias+0
.write
  w1    store        dram+0x4fc0 f32[1,2,2,4]{128,64,32,4} <- sram+0x8c0 f32[1,2,2,4]   @c2   ; conv2 = tanh2+0 tanh2+0{32,16,8,1}

.part 2/2 core 0
.read
  r6    load         sram+0x0 f32[5,5,4,4] <- dram+0x880 f32[5,5,4,4]   @c2   ; conv2 = conv2.weight+400{5,1,25,100} conv2.weight+400{5,1,25,100}
  r7    load         sram+0x880 f32[4] <- dram+0xec0 f32[4]   ; conv2 = conv2.bias+4 conv2.bias+4
.compute
  c3    conv         sram+0x8c0 f32[1,2,2,4] <- sram+0x640 f32[1,6,6,4], weight=sram+0x0 f32[5,5,4,4], bias=sram+0x880 f32[4], act=tanh stride=1,1 dilation=1,1 pad_begin=0,0   @r7 @w1   ; conv2 = averagepool1+0 conv2.weight+400{5,1,25,100} tanh2+4{32,16,8,1} conv2.bias+4
.write
  w2    store        dram+0x4fd0 f32[1,2,2,4]{128,64,32,4} <- sram+0x8c0 f32[1,2,2,4]   @c3   ; conv2 = tanh2+4 tanh2+4{32,16,8,1}

.group 2 single layers=averagepool2 parts=1 reason="tiled alone, about 160 B and 63 cycles; one core; estimated cycles: one core 63, 4 cores by channels 91"
.part 1/1 core 0
.read
  r8    load         sram+0x0 f32[1,2,2,8] <- dram+0x4fc0 f32[1,2,2,8]   @w2   ; averagepool2 = tanh2+0 tanh2+0
.compute
  c4    pool         sram+0x80 f32[1,1,1,8] <- sram+0x0 f32[1,2,2,8], function=average kernel=2,2 stride=2,2 dilation=1,1 pad_begin=0,0 pad_end=0,0   @r8   ; averagepool2 = averagepool2+0 tanh2+0
.write
  w3    store        dram+0x4e80 f32[1,1,1,8] <- sram+0x80 f32[1,1,1,8]   @c4   ; averagepool2 = averagepool2+0 averagepool2+0

.group 3 single layers=gemm1 parts=1 reason="tiled alone, about 2464 B and 167 cycles; one core; estimated cycles: one core 167, 4 cores by channels 172, 2 cores by channels 172"
.part 1/1 core 0
.read
  r9    load         sram+0x0 f32[8,60] <- dram+0xf00 f32[8,60]   @w3   ; gemm1 = gemm1.b.reordered+0 gemm1.b.reordered+0
  r10   load         sram+0x780 f32[60] <- dram+0x1680 f32[60]   ; gemm1 = gemm1.bias+0 gemm1.bias+0
  r11   load         sram+0x980 f32[1,8] <- dram+0x4e80 f32[1,8]{0,4}   ; gemm1 = averagepool2+0 averagepool2+0
.compute
  c5    gemm         sram+0x880 f32[1,60] <- sram+0x980 f32[1,8], weight=sram+0x0 f32[8,60], bias=sram+0x780 f32[60], act=tanh   @r11   ; gemm1 = averagepool2+0 gemm1.b.reordered+0 tanh3+0 gemm1.bias+0
.write
  w4    store        dram+0x4d80 f32[1,60] <- sram+0x880 f32[1,60]   @c5   ; gemm1 = tanh3+0 tanh3+0

.group 4 single layers=gemm2 parts=12 reason="tiled alone, about 12136 B and 634 cycles; 3 cores by channels; estimated cycles: one core 1027, 3 cores by channels 634, 4 cores by channels 756, 2 cores by channels 906"
.part 1/12 core 0
.read
  r12   load         sram+0x0 f32[60,4] <- dram+0x1780 f32[60,4]   @c5   ; gemm2 = gemm2.b+0{42,1} gemm2.b+0{42,1}
  r13   load         sram+0x4c0 f32[4] <- dram+0x2200 f32[4]   ; gemm2 = gemm2.bias+0 gemm2.bias+0
  r14   broadcast    sram+0x3c0 f32[1,60] <- dram+0x4d80 f32[1,60], cores=7   @w4   ; gemm2 = tanh3+0 tanh3+0
.compute
  c6    gemm         sram+0x500 f32[1,4] <- sram+0x3c0 f32[1,60], weight=sram+0x0 f32[60,4], bias=sram+0x4c0 f32[4], act=tanh   @r14   ; gemm2 = tanh3+0 gemm2.b+0{42,1} tanh4+0 gemm2.bias+0
.write
  w5    store        dram+0x4e80 f32[1,4]{168,4} <- sram+0x500 f32[1,4]   @c6   ; gemm2 = tanh4+0 tanh4+0

.part 2/12 core 1
.read
  r1    load         sram+0x0 f32[60,4] <- dram+0x1b40 f32[60,4]   @w0   ; gemm2 = gemm2.b+16{42,1} gemm2.b+16{42,1}
  r2    load         sram+0x4c0 f32[4] <- dram+0x2240 f32[4]   ; gemm2 = gemm2.bias+16 gemm2.bias+16
.compute
  c2    gemm         sram+0x500 f32[1,4] <- sram+0x3c0 f32[1,60], weight=sram+0x0 f32[60,4], bias=sram+0x4c0 f32[4], act=tanh   @k0.r14 @r2   ; gemm2 = tanh3+0 gemm2.b+16{42,1} tanh4+16 gemm2.bias+16
.write
  w1    store        dram+0x4ec0 f32[1,4]{168,4} <- sram+0x500 f32[1,4]   @c2   ; gemm2 = tanh4+16 tanh4+16

.part 3/12 core 2
.read
  r1    load         sram+0x0 f32[60,3] <- dram+0x1f00 f32[60,3]   @c1   ; gemm2 = gemm2.b+32{42,1} gemm2.b+32{42,1}
  r2    load         sram+0x4c0 f32[3] <- dram+0x2280 f32[3]   ; gemm2 = gemm2.bias+32 gemm2.bias+32
.compute
  c2    gemm         sram+0x500 f32[1,3] <- sram+0x3c0 f32[1,60], weight=sram+0x0 f32[60,3], bias=sram+0x4c0 f32[3], act=tanh   @k0.r14 @r2   ; gemm2 = tanh3+0 gemm2.b+32{42,1} tanh4+32 gemm2.bias+32
.write
  w1    store        dram+0x4f00 f32[1,3]{168,4} <- sram+0x500 f32[1,3]   @c2   ; gemm2 = tanh4+32 tanh4+32

.part 4/12 core 0
.read
  r15   load         sram+0x580 f32[60,4] <- dram+0x22c0 f32[60,4]   ; gemm2 = gemm2.b+4{42,1} gemm2.b+4{42,1}
  r16   load         sram+0x940 f32[4] <- dram+0x2d40 f32[4]   ; gemm2 = gemm2.bias+4 gemm2.bias+4
.compute
  c7    gemm         sram+0x540 f32[1,4] <- sram+0x3c0 f32[1,60], weight=sram+0x580 f32[60,4], bias=sram+0x940 f32[4], act=tanh   @r16   ; gemm2 = tanh3+0 gemm2.b+4{42,1} tanh4+4 gemm2.bias+4
.write
  w6    store        dram+0x4e90 f32[1,4]{168,4} <- sram+0x540 f32[1,4]   @c7   ; gemm2 = tanh4+4 tanh4+4

.part 5/12 core 1
.read
  r3    load         sram+0x580 f32[60,4] <- dram+0x2680 f32[60,4]   ; gemm2 = gemm2.b+20{42,1} gemm2.b+20{42,1}
  r4    load         sram+0x940 f32[4] <- dram+0x2d80 f32[4]   ; gemm2 = gemm2.bias+20 gemm2.bias+20
.compute
  c3    gemm         sram+0x540 f32[1,4] <- sram+0x3c0 f32[1,60], weight=sram+0x580 f32[60,4], bias=sram+0x940 f32[4], act=tanh   @r4   ; gemm2 = tanh3+0 gemm2.b+20{42,1} tanh4+20 gemm2.bias+20
.write
  w2    store        dram+0x4ed0 f32[1,4]{168,4} <- sram+0x540 f32[1,4]   @c3   ; gemm2 = tanh4+20 tanh4+20

.part 6/12 core 2
.read
  r3    load         sram+0x580 f32[60,3] <- dram+0x2a40 f32[60,3]   ; gemm2 = gemm2.b+35{42,1} gemm2.b+35{42,1}
  r4    load         sram+0x940 f32[3] <- dram+0x2dc0 f32[3]   ; gemm2 = gemm2.bias+35 gemm2.bias+35
.compute
  c3    gemm         sram+0x540 f32[1,3] <- sram+0x3c0 f32[1,60], weight=sram+0x580 f32[60,3], bias=sram+0x940 f32[3], act=tanh   @r4   ; gemm2 = tanh3+0 gemm2.b+35{42,1} tanh4+35 gemm2.bias+35
.write
  w2    store        dram+0x4f0c f32[1,3]{168,4} <- sram+0x540 f32[1,3]   @c3   ; gemm2 = tanh4+35 tanh4+35

.part 7/12 core 0
.read
  r17   load         sram+0x0 f32[60,4] <- dram+0x2e00 f32[60,4]   @c6   ; gemm2 = gemm2.b+8{42,1} gemm2.b+8{42,1}
  r18   load         sram+0x4c0 f32[4] <- dram+0x3780 f32[4]   ; gemm2 = gemm2.bias+8 gemm2.bias+8
.compute
  c8    gemm         sram+0x500 f32[1,4] <- sram+0x3c0 f32[1,60], weight=sram+0x0 f32[60,4], bias=sram+0x4c0 f32[4], act=tanh   @r18 @w5   ; gemm2 = tanh3+0 gemm2.b+8{42,1} tanh4+8 gemm2.bias+8
.write
  w7    store        dram+0x4ea0 f32[1,4]{168,4} <- sram+0x500 f32[1,4]   @c8   ; gemm2 = tanh4+8 tanh4+8

.part 8/12 core 1
.read
  r5    load         sram+0x0 f32[60,4] <- dram+0x31c0 f32[60,4]   @c2   ; gemm2 = gemm2.b+24{42,1} gemm2.b+24{42,1}
  r6    load         sram+0x4c0 f32[4] <- dram+0x37c0 f32[4]   ; gemm2 = gemm2.bias+24 gemm2.bias+24
.compute
  c4    gemm         sram+0x500 f32[1,4] <- sram+0x3c0 f32[1,60], weight=sram+0x0 f32[60,4], bias=sram+0x4c0 f32[4], act=tanh   @r6 @w1   ; gemm2 = tanh3+0 gemm2.b+24{42,1} tanh4+24 gemm2.bias+24
.write
  w3    store        dram+0x4ee0 f32[1,4]{168,4} <- sram+0x500 f32[1,4]   @c4   ; gemm2 = tanh4+24 tanh4+24

.part 9/12 core 2
.read
  r5    load         sram+0x0 f32[60,2] <- dram+0x3580 f32[60,2]   @c2   ; gemm2 = gemm2.b+38{42,1} gemm2.b+38{42,1}
  r6    load         sram+0x4c0 f32[2] <- dram+0x3800 f32[2]   ; gemm2 = gemm2.bias+38 gemm2.bias+38
.compute
  c4    gemm         sram+0x500 f32[1,2] <- sram+0x3c0 f32[1,60], weight=sram+0x0 f32[60,2], bias=sram+0x4c0 f32[2], act=tanh   @r6 @w1   ; gemm2 = tanh3+0 gemm2.b+38{42,1} tanh4+38 gemm2.bias+38
.write
  w3    store        dram+0x4f18 f32[1,2]{168,4} <- sram+0x500 f32[1,2]   @c4   ; gemm2 = tanh4+38 tanh4+38

.part 10/12 core 0
.read
  r19   load         sram+0x580 f32[60,4] <- dram+0x3840 f32[60,4]   @c7   ; gemm2 = gemm2.b+12{42,1} gemm2.b+12{42,1}
  r20   load         sram+0x940 f32[4] <- dram+0x41c0 f32[4]   ; gemm2 = gemm2.bias+12 gemm2.bias+12
.compute
  c9    gemm         sram+0x540 f32[1,4] <- sram+0x3c0 f32[1,60], weight=sram+0x580 f32[60,4], bias=sram+0x940 f32[4], act=tanh   @r20 @w6   ; gemm2 = tanh3+0 gemm2.b+12{42,1} tanh4+12 gemm2.bias+12
.write
  w8    store        dram+0x4eb0 f32[1,4]{168,4} <- sram+0x540 f32[1,4]   @c9   ; gemm2 = tanh4+12 tanh4+12

.part 11/12 core 1
.read
  r7    load         sram+0x580 f32[60,4] <- dram+0x3c00 f32[60,4]   @c3   ; gemm2 = gemm2.b+28{42,1} gemm2.b+28{42,1}
  r8    load         sram+0x940 f32[4] <- dram+0x4200 f32[4]   ; gemm2 = gemm2.bias+28 gemm2.bias+28
.compute
  c5    gemm         sram+0x540 f32[1,4] <- sram+0x3c0 f32[1,60], weight=sram+0x580 f32[60,4], bias=sram+0x940 f32[4], act=tanh   @r8 @w2   ; gemm2 = tanh3+0 gemm2.b+28{42,1} tanh4+28 gemm2.bias+28
.write
  w4    store        dram+0x4ef0 f32[1,4]{168,4} <- sram+0x540 f32[1,4]   @c5   ; gemm2 = tanh4+28 tanh4+28

.part 12/12 core 2
.read
  r7    load         sram+0x580 f32[60,2] <- dram+0x3fc0 f32[60,2]   @c3   ; gemm2 = gemm2.b+40{42,1} gemm2.b+40{42,1}
  r8    load         sram+0x940 f32[2] <- dram+0x4240 f32[2]   ; gemm2 = gemm2.bias+40 gemm2.bias+40
.compute
  c5    gemm         sram+0x540 f32[1,2] <- sram+0x3c0 f32[1,60], weight=sram+0x580 f32[60,2], bias=sram+0x940 f32[2], act=tanh   @r8 @w2   ; gemm2 = tanh3+0 gemm2.b+40{42,1} tanh4+40 gemm2.bias+40
.write
  w4    store        dram+0x4f20 f32[1,2]{168,4} <- sram+0x540 f32[1,2]   @c5   ; gemm2 = tanh4+40 tanh4+40

.group 5 single layers=gemm3 parts=1 reason="tiled alone, about 1952 B and 185 cycles; one core; estimated cycles: one core 185, 2 cores by channels 218"
.part 1/1 core 0
.read
  r21   load         sram+0x0 f32[42,10] <- dram+0x4280 f32[42,10]   @w8   ; gemm3 = gemm3.b+0 gemm3.b+0
  r22   load         sram+0x780 f32[10] <- dram+0x4940 f32[10]   ; gemm3 = gemm3.bias+0 gemm3.bias+0
  r23   load         sram+0x6c0 f32[1,42] <- dram+0x4e80 f32[1,42]   @k1.w4 @k2.w4   ; gemm3 = tanh4+0 tanh4+0
.compute
  c10   gemm         sram+0x7c0 f32[1,10] <- sram+0x6c0 f32[1,42], weight=sram+0x0 f32[42,10], bias=sram+0x780 f32[10]   @r23   ; gemm3 = tanh4+0 gemm3.b+0 gemm3+0 gemm3.bias+0
.write
  w9    store        dram+0x4d80 f32[1,10] <- sram+0x7c0 f32[1,10]   @c10   ; gemm3 = gemm3+0 gemm3+0

.group 6 single layers=softmax1 parts=1 reason="tiled alone, about 104 B and 63 cycles; one core: there is nothing to share"
.part 1/1 core 0
.read
  r24   load         sram+0x0 f32[1,10] <- dram+0x4d80 f32[1,10]   @w9   ; softmax1 = gemm3+0 gemm3+0
.compute
  c11   softmax      sram+0x40 f32[1,10] <- sram+0x0 f32[1,10], axis=1   @r24   ; softmax1 = output+0 gemm3+0
.write
  w10   store        dram+0x5040 f32[1,10] <- sram+0x40 f32[1,10]   @c11   ; softmax1 = output+0 output+0
