.nnc 1
.chip name "npu4"
.chip description "four cores with 256 KiB unified SRAM each, broadcast DMA"
.chip cores 4
.chip split_bytes 0
.chip clock_mhz 1000
.chip dram {"bytes_per_cycle": 32, "latency": 100, "burst": 64, "align": 1, "bytes": 4294967296}
.chip dma {"broadcast": true, "in_flight": 4, "move_bytes_per_cycle": 64}
.chip memory {"sram": {"bytes": 4096, "align": 64}}
.chip operands {"default": {"feature": {"memories": ["sram"]}, "weight": {"memories": ["sram"]}, "result": {"memories": ["sram"]}, "accumulator": {"memories": ["sram"]}}}
.chip compute {"issue": 32, "map": "channels", "arrays": {"i8": ["16x64", "32x32", "64x16", "128x8"], "f16": ["16x32", "32x16", "64x8"], "f32": ["8x32", "16x16", "32x8", "64x4"]}, "depthwise": {"i8": 256, "f16": 128, "f32": 64}, "elementwise": {"i8": 128, "f16": 64, "f32": 32}}
.dram 19392
.constants file="lenet5.npu4.constants" bytes=18304 crc=0xcd734754
.tensor input input dram+0x4780 f32[1,1,16,16]{1024,4,64,4}
.tensor output output dram+0x4b80 f32[1,10]
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
.tensor "gemm3.b[0,0]" constant dram+0x4040 f32[42,8]
.tensor "gemm3.bias[0]" constant dram+0x4580 f32[8]
.tensor "gemm3.b[0,8]" constant dram+0x45c0 f32[42,2]
.tensor "gemm3.bias[8]" constant dram+0x4740 f32[2]
.fact floor_bytes 18840
.fact macs 21020
.fact peak_floor_cycles 24
.fact compute_floor_cycles 89
.fact dram_floor_cycles 589
.fact predicted_cycles 2602
.fact predicted_dram_bytes 19392

.group 0 serial layers=conv1,averagepool1,conv2,averagepool2,gemm1,gemm2,gemm3,softmax1 parts=1 reason="18840 B of DRAM traffic for 611 cycles of work; activations stay, weights stream once; one core: a fused group is not shared"
.part 1/1 core 0
.read
  r0    load         sram+0x900 f32[1,1,16,16]{1024,4,64,4} <- dram+0x4780 f32[1,1,16,16]{1024,4,64,4}   ; conv1
  r1    load         sram+0xd00 f32[1,5,5,4]{16,80,16,4} <- dram+0x0 f32[1,5,5,4]   ; conv1
  r2    load         sram+0xec0 f32[4] <- dram+0x1c0 f32[4]   ; conv1
  r3    load         sram+0x0 f32[5,5,4,8] <- dram+0x200 f32[5,5,4,8]   @c1   ; conv2
  r4    load         sram+0xf40 f32[8] <- dram+0xe80 f32[8]   ; conv2
  r5    load         sram+0x0 f32[8,32] <- dram+0xec0 f32[8,32]   @c2   ; gemm1
  r6    load         sram+0x400 f32[32] <- dram+0x12c0 f32[32]   ; gemm1
  r7    load         sram+0x880 f32[8,28] <- dram+0x1340 f32[8,28]   ; gemm1
  r8    load         sram+0x4c0 f32[28] <- dram+0x16c0 f32[28]   ; gemm1
  r9    load         sram+0x0 f32[60,8] <- dram+0x1740 f32[60,8]   @c5   ; gemm2
  r10   load         sram+0x940 f32[8] <- dram+0x1ec0 f32[8]   ; gemm2
  r11   load         sram+0x0 f32[60,8] <- dram+0x1f00 f32[60,8]   @c6   ; gemm2
  r12   load         sram+0x940 f32[8] <- dram+0x2680 f32[8]   ; gemm2
  r13   load         sram+0x0 f32[60,8] <- dram+0x26c0 f32[60,8]   @c7   ; gemm2
  r14   load         sram+0x940 f32[8] <- dram+0x2e40 f32[8]   ; gemm2
  r15   load         sram+0x0 f32[60,8] <- dram+0x2e80 f32[60,8]   @c8   ; gemm2
  r16   load         sram+0x940 f32[8] <- dram+0x3600 f32[8]   ; gemm2
  r17   load         sram+0x0 f32[60,8] <- dram+0x3640 f32[60,8]   @c9   ; gemm2
  r18   load         sram+0x940 f32[8] <- dram+0x3dc0 f32[8]   ; gemm2
  r19   load         sram+0x980 f32[60,2] <- dram+0x3e00 f32[60,2]   ; gemm2
  r20   load         sram+0xb80 f32[2] <- dram+0x4000 f32[2]   ; gemm2
  r21   load         sram+0x0 f32[42,8] <- dram+0x4040 f32[42,8]   @c10   ; gemm3
  r22   load         sram+0x540 f32[8] <- dram+0x4580 f32[8]   ; gemm3
  r23   load         sram+0x5c0 f32[42,2] <- dram+0x45c0 f32[42,2]   ; gemm3
  r24   load         sram+0x740 f32[2] <- dram+0x4740 f32[2]   ; gemm3
.compute
  c0    conv         sram+0x0 f32[1,12,12,4] <- sram+0x900 f32[1,16,16,1], weight=sram+0xd00 f32[5,5,1,4], bias=sram+0xec0 f32[4], act=tanh stride=1,1 dilation=1,1 pad_begin=0,0   @r2   ; conv1
  c1    pool         sram+0xc80 f32[1,6,6,4] <- sram+0x0 f32[1,12,12,4], function=average kernel=2,2 stride=2,2 dilation=1,1 pad_begin=0,0 pad_end=0,0   ; averagepool1
  c2    conv         sram+0xec0 f32[1,2,2,8] <- sram+0xc80 f32[1,6,6,4], weight=sram+0x0 f32[5,5,4,8], bias=sram+0xf40 f32[8], act=tanh stride=1,1 dilation=1,1 pad_begin=0,0   @r4   ; conv2
  c3    pool         sram+0x480 f32[1,1,1,8] <- sram+0xec0 f32[1,2,2,8], function=average kernel=2,2 stride=2,2 dilation=1,1 pad_begin=0,0 pad_end=0,0   ; averagepool2
  c4    gemm         sram+0x780 f32[1,32]{240,4} <- sram+0x480 f32[1,8]{0,4}, weight=sram+0x0 f32[8,32], bias=sram+0x400 f32[32], act=tanh   @r6   ; gemm1
  c5    gemm         sram+0x800 f32[1,28]{240,4} <- sram+0x480 f32[1,8]{0,4}, weight=sram+0x880 f32[8,28], bias=sram+0x4c0 f32[28], act=tanh   @r8   ; gemm1
  c6    gemm         sram+0x880 f32[1,8]{168,4} <- sram+0x780 f32[1,60], weight=sram+0x0 f32[60,8], bias=sram+0x940 f32[8], act=tanh   @r10   ; gemm2
  c7    gemm         sram+0x8a0 f32[1,8]{168,4} <- sram+0x780 f32[1,60], weight=sram+0x0 f32[60,8], bias=sram+0x940 f32[8], act=tanh   @r12   ; gemm2
  c8    gemm         sram+0x8c0 f32[1,8]{168,4} <- sram+0x780 f32[1,60], weight=sram+0x0 f32[60,8], bias=sram+0x940 f32[8], act=tanh   @r14   ; gemm2
  c9    gemm         sram+0x8e0 f32[1,8]{168,4} <- sram+0x780 f32[1,60], weight=sram+0x0 f32[60,8], bias=sram+0x940 f32[8], act=tanh   @r16   ; gemm2
  c10   gemm         sram+0x900 f32[1,8]{168,4} <- sram+0x780 f32[1,60], weight=sram+0x0 f32[60,8], bias=sram+0x940 f32[8], act=tanh   @r18   ; gemm2
  c11   gemm         sram+0x920 f32[1,2]{168,4} <- sram+0x780 f32[1,60], weight=sram+0x980 f32[60,2], bias=sram+0xb80 f32[2], act=tanh   @r20   ; gemm2
  c12   gemm         sram+0x580 f32[1,8]{40,4} <- sram+0x880 f32[1,42], weight=sram+0x0 f32[42,8], bias=sram+0x540 f32[8]   @r22   ; gemm3
  c13   gemm         sram+0x5a0 f32[1,2]{40,4} <- sram+0x880 f32[1,42], weight=sram+0x5c0 f32[42,2], bias=sram+0x740 f32[2]   @r24   ; gemm3
  c14   softmax      sram+0x0 f32[1,10] <- sram+0x580 f32[1,10], axis=1   ; softmax1
.write
  w0    store        dram+0x4b80 f32[1,10] <- sram+0x0 f32[1,10]   @c14   ; softmax1
