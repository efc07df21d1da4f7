.nnc 1
.chip name "npu"
.chip description "one core, unified 512 KiB SRAM"
.chip cores 1
.chip clock_mhz 1000
.chip dram {"bytes_per_cycle": 16, "latency": 100, "burst": 64, "align": 1, "bytes": 4294967296}
.chip dma {"broadcast": false, "in_flight": 4, "move_bytes_per_cycle": 64}
.chip memory {"sram": {"bytes": 6144, "align": 64}}
.chip operands {"default": {"feature": {"memories": ["sram"]}, "weight": {"memories": ["sram"]}, "result": {"memories": ["sram"]}, "accumulator": {"memories": ["sram"]}}}
.chip compute {"issue": 32, "map": "channels", "arrays": {"i8": ["16x64", "32x32", "64x16", "128x8"], "f16": ["16x32", "32x16", "64x8"], "f32": ["8x32", "16x16", "32x8", "64x4"]}, "depthwise": {"i8": 256, "f16": 128, "f32": 64}, "elementwise": {"i8": 128, "f16": 64, "f32": 32}}
.dram 22208
.constants file="lenet5.npu.constants" bytes=18240 crc=0x84aec447
.tensor input input dram+0x4740 f32[1,1,16,16]{1024,4,64,4}
.tensor output output dram+0x4b40 f32[1,10]
.tensor tanh1 boundary dram+0x4b80 f32[1,4,12,12]{2304,4,192,16}
.tensor averagepool1 boundary dram+0x5480 f32[1,4,6,6]{576,4,96,16}
.tensor tanh2 boundary dram+0x4b80 f32[1,8,2,2]{128,4,64,32}
.tensor averagepool2 boundary dram+0x4c00 f32[1,8,1,1]{32,4,32,32}
.tensor tanh3 boundary dram+0x4c40 f32[1,60]
.tensor tanh4 boundary dram+0x4b80 f32[1,42]
.tensor gemm3 boundary dram+0x4c40 f32[1,10]
.tensor conv1.weight constant dram+0x0 f32[1,5,5,4]
.tensor conv1.bias constant dram+0x1c0 f32[4]
.tensor conv2.weight constant dram+0x200 f32[5,5,4,8]
.tensor conv2.bias constant dram+0xe80 f32[8]
.tensor gemm1.b.reordered constant dram+0xec0 f32[8,60]
.tensor gemm1.bias constant dram+0x1640 f32[60]
.tensor "gemm2.b[0,0]" constant dram+0x1740 f32[60,11]
.tensor "gemm2.bias[0]" constant dram+0x21c0 f32[11]
.tensor "gemm2.b[0,11]" constant dram+0x2200 f32[60,11]
.tensor "gemm2.bias[11]" constant dram+0x2c80 f32[11]
.tensor "gemm2.b[0,22]" constant dram+0x2cc0 f32[60,11]
.tensor "gemm2.bias[22]" constant dram+0x3740 f32[11]
.tensor "gemm2.b[0,33]" constant dram+0x3780 f32[60,9]
.tensor "gemm2.bias[33]" constant dram+0x4000 f32[9]
.tensor gemm3.b constant dram+0x4040 f32[42,10]
.tensor gemm3.bias constant dram+0x4700 f32[10]
.fact floor_bytes 18840
.fact macs 21020
.fact peak_floor_cycles 84
.fact compute_floor_cycles 355
.fact dram_floor_cycles 1178
.fact predicted_cycles 3852
.fact predicted_dram_bytes 26944

.group 0 single layers=conv1 parts=2 reason="DRAM-bound, double-buffered, about 432 cycles for 4000 B"
.part 1/2 core 0
.read
  r0    load         sram+0x480 f32[1,1,10,16] <- dram+0x4740 f32[1,1,10,16]{1024,4,64,4}   ; conv1
  r1    load         sram+0xb80 f32[1,5,5,4] <- dram+0x0 f32[1,5,5,4]   ; conv1
  r2    load         sram+0xd40 f32[4] <- dram+0x1c0 f32[4]   ; conv1
.compute
  c0    conv         sram+0x0 f32[1,6,12,4] <- sram+0x480 f32[1,10,16,1]{640,64,4,640}, weight=sram+0xb80 f32[5,5,1,4]{80,16,400,4}, bias=sram+0xd40 f32[4], act=tanh stride=1,1 dilation=1,1 pad_begin=0,0   @r2   ; conv1
.write
  w0    store        dram+0x4b80 f32[1,6,12,4]{2304,192,16,4} <- sram+0x0 f32[1,6,12,4]   @c0   ; conv1

.part 2/2 core 0
.read
  r3    load         sram+0x900 f32[1,1,10,16] <- dram+0x48c0 f32[1,1,10,16]{1024,4,64,4}   ; conv1
.compute
  c1    conv         sram+0x480 f32[1,6,12,4] <- sram+0x900 f32[1,10,16,1]{640,64,4,640}, weight=sram+0xb80 f32[5,5,1,4]{80,16,400,4}, bias=sram+0xd40 f32[4], act=tanh stride=1,1 dilation=1,1 pad_begin=0,0   @r3   ; conv1
.write
  w1    store        dram+0x5000 f32[1,6,12,4]{2304,192,16,4} <- sram+0x480 f32[1,6,12,4]   @c1   ; conv1

.group 1 single layers=averagepool1 parts=1 reason="DRAM-bound, double-buffered, about 255 cycles for 2880 B"
.part 1/1 core 0
.read
  r4    load         sram+0xf00 f32[1,12,12,4] <- dram+0x4b80 f32[1,12,12,4]   @w1   ; averagepool1
.compute
  c2    pool         sram+0xcc0 f32[1,6,6,4] <- sram+0xf00 f32[1,12,12,4], function=average kernel=2,2 stride=2,2 dilation=1,1 pad_begin=0,0 pad_end=0,0   @r4   ; averagepool1
.write
  w2    store        dram+0x5480 f32[1,6,6,4] <- sram+0xcc0 f32[1,6,6,4]   @c2   ; averagepool1

.group 2 single layers=conv2 parts=1 reason="DRAM-bound, double-buffered, about 428 cycles for 3936 B"
.part 1/1 core 0
.read
  r5    load         sram+0x0 f32[1,6,6,4] <- dram+0x5480 f32[1,6,6,4]   @w2   ; conv2
  r6    load         sram+0x240 f32[5,5,4,8] <- dram+0x200 f32[5,5,4,8]   ; conv2
  r7    load         sram+0xec0 f32[8] <- dram+0xe80 f32[8]   ; conv2
.compute
  c3    conv         sram+0xf00 f32[1,2,2,8] <- sram+0x0 f32[1,6,6,4], weight=sram+0x240 f32[5,5,4,8], bias=sram+0xec0 f32[8], act=tanh stride=1,1 dilation=1,1 pad_begin=0,0   @r7   ; conv2
.write
  w3    store        dram+0x4b80 f32[1,2,2,8] <- sram+0xf00 f32[1,2,2,8]   @c3   ; conv2

.group 3 single layers=averagepool2 parts=1 reason="compute-bound, double-buffered, about 68 cycles for 160 B"
.part 1/1 core 0
.read
  r8    load         sram+0x1780 f32[1,2,2,8] <- dram+0x4b80 f32[1,2,2,8]   @w3   ; averagepool2
.compute
  c4    pool         sram+0x1740 f32[1,1,1,8] <- sram+0x1780 f32[1,2,2,8], function=average kernel=2,2 stride=2,2 dilation=1,1 pad_begin=0,0 pad_end=0,0   @r8   ; averagepool2
.write
  w4    store        dram+0x4c00 f32[1,1,1,8] <- sram+0x1740 f32[1,1,1,8]   @c4   ; averagepool2

.group 4 single layers=gemm1 parts=1 reason="DRAM-bound, double-buffered, about 244 cycles for 2464 B"
.part 1/1 core 0
.read
  r9    load         sram+0x0 f32[1,8] <- dram+0x4c00 f32[1,8]{0,4}   @w4   ; gemm1
  r10   load         sram+0x40 f32[8,60] <- dram+0xec0 f32[8,60]   ; gemm1
  r11   load         sram+0x7c0 f32[60] <- dram+0x1640 f32[60]   ; gemm1
.compute
  c5    gemm         sram+0x8c0 f32[1,60] <- sram+0x0 f32[1,8], weight=sram+0x40 f32[8,60], bias=sram+0x7c0 f32[60], act=tanh   @r11   ; gemm1
.write
  w5    store        dram+0x4c40 f32[1,60] <- sram+0x8c0 f32[1,60]   @c5   ; gemm1

.group 5 single layers=gemm2 parts=4 reason="DRAM-bound, double-buffered, about 921 cycles for 10672 B"
.part 1/4 core 0
.read
  r12   load         sram+0x1700 f32[1,60] <- dram+0x4c40 f32[1,60]   @w5   ; gemm2
  r13   load         sram+0xc80 f32[60,11] <- dram+0x1740 f32[60,11]   ; gemm2
  r14   load         sram+0xc40 f32[11] <- dram+0x21c0 f32[11]   ; gemm2
.compute
  c6    gemm         sram+0x140 f32[1,11] <- sram+0x1700 f32[1,60], weight=sram+0xc80 f32[60,11], bias=sram+0xc40 f32[11], act=tanh   @r14   ; gemm2
.write
  w6    store        dram+0x4b80 f32[1,11]{168,4} <- sram+0x140 f32[1,11]   @c6   ; gemm2

.part 2/4 core 0
.read
  r15   load         sram+0x1c0 f32[60,11] <- dram+0x2200 f32[60,11]   ; gemm2
  r16   load         sram+0x180 f32[11] <- dram+0x2c80 f32[11]   ; gemm2
.compute
  c7    gemm         sram+0x100 f32[1,11] <- sram+0x1700 f32[1,60], weight=sram+0x1c0 f32[60,11], bias=sram+0x180 f32[11], act=tanh   @r16   ; gemm2
.write
  w7    store        dram+0x4bac f32[1,11]{168,4} <- sram+0x100 f32[1,11]   @c7   ; gemm2

.part 3/4 core 0
.read
  r17   load         sram+0xc80 f32[60,11] <- dram+0x2cc0 f32[60,11]   @c6   ; gemm2
  r18   load         sram+0xc40 f32[11] <- dram+0x3740 f32[11]   ; gemm2
.compute
  c8    gemm         sram+0x340 f32[1,11] <- sram+0x1700 f32[1,60], weight=sram+0xc80 f32[60,11], bias=sram+0xc40 f32[11], act=tanh   @r18   ; gemm2
.write
  w8    store        dram+0x4bd8 f32[1,11]{168,4} <- sram+0x340 f32[1,11]   @c8   ; gemm2

.part 4/4 core 0
.read
  r19   load         sram+0x3c0 f32[60,9] <- dram+0x3780 f32[60,9]   @c7   ; gemm2
  r20   load         sram+0x380 f32[9] <- dram+0x4000 f32[9]   ; gemm2
.compute
  c9    gemm         sram+0x16c0 f32[1,9] <- sram+0x1700 f32[1,60], weight=sram+0x3c0 f32[60,9], bias=sram+0x380 f32[9], act=tanh   @r20   ; gemm2
.write
  w9    store        dram+0x4c04 f32[1,9]{168,4} <- sram+0x16c0 f32[1,9]   @c9   ; gemm2

.group 6 single layers=gemm3 parts=1 reason="DRAM-bound, double-buffered, about 246 cycles for 1952 B"
.part 1/1 core 0
.read
  r21   load         sram+0x0 f32[1,42] <- dram+0x4b80 f32[1,42]   @w9   ; gemm3
  r22   load         sram+0xc0 f32[42,10] <- dram+0x4040 f32[42,10]   ; gemm3
  r23   load         sram+0x780 f32[10] <- dram+0x4700 f32[10]   ; gemm3
.compute
  c10   gemm         sram+0x7c0 f32[1,10] <- sram+0x0 f32[1,42], weight=sram+0xc0 f32[42,10], bias=sram+0x780 f32[10]   @r23   ; gemm3
.write
  w10   store        dram+0x4c40 f32[1,10] <- sram+0x7c0 f32[1,10]   @c10   ; gemm3

.group 7 single layers=softmax1 parts=1 reason="compute-bound, double-buffered, about 65 cycles for 104 B"
.part 1/1 core 0
.read
  r24   load         sram+0x17c0 f32[1,10] <- dram+0x4c40 f32[1,10]   @w10   ; softmax1
.compute
  c11   softmax      sram+0x1780 f32[1,10] <- sram+0x17c0 f32[1,10], axis=1   @r24   ; softmax1
.write
  w11   store        dram+0x4b40 f32[1,10] <- sram+0x1780 f32[1,10]   @c11   ; softmax1
