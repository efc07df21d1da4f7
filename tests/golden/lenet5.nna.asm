.nnc 3
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
.dram 19328
.constants file="lenet5.nna.constants" bytes=18240 crc=0x97a27ef7
.tensor input input dram+0x4740 f32[1,1,16,16]{1024,4,64,4}
.tensor output output dram+0x4b40 f32[1,10] reserved=64
.tensor conv1.weight constant dram+0x0 f32[1,5,5,4] reserved=448
.tensor conv1.bias constant dram+0x1c0 f32[4] reserved=64
.tensor conv2.weight constant dram+0x200 f32[5,5,4,8]
.tensor conv2.bias constant dram+0xe80 f32[8] reserved=64
.tensor gemm1.b.reordered constant dram+0xec0 f32[8,60]
.tensor gemm1.bias constant dram+0x1640 f32[60] reserved=256
.tensor "gemm2.b[0,0]" constant dram+0x1740 f32[60,8]
.tensor "gemm2.bias[0]" constant dram+0x1ec0 f32[8] reserved=64
.tensor "gemm2.b[0,8]" constant dram+0x1f00 f32[60,8]
.tensor "gemm2.bias[8]" constant dram+0x2680 f32[8] reserved=64
.tensor "gemm2.b[0,16]" constant dram+0x26c0 f32[60,8]
.tensor "gemm2.bias[16]" constant dram+0x2e40 f32[8] reserved=64
.tensor "gemm2.b[0,24]" constant dram+0x2e80 f32[60,8]
.tensor "gemm2.bias[24]" constant dram+0x3600 f32[8] reserved=64
.tensor "gemm2.b[0,32]" constant dram+0x3640 f32[60,8]
.tensor "gemm2.bias[32]" constant dram+0x3dc0 f32[8] reserved=64
.tensor "gemm2.b[0,40]" constant dram+0x3e00 f32[60,2] reserved=512
.tensor "gemm2.bias[40]" constant dram+0x4000 f32[2] reserved=64
.tensor gemm3.b constant dram+0x4040 f32[42,10] reserved=1728
.tensor gemm3.bias constant dram+0x4700 f32[10] reserved=64
.fact floor_bytes 18840
.fact macs 21020
.fact peak_floor_cycles 1315
.fact compute_floor_cycles 4294
.fact dram_floor_cycles 1178
.fact predicted_cycles 6277
.fact predicted_dram_bytes 19328
.fact estimated_cycles 6543
.fact estimated_dram_bytes 19584
.fact group_0_estimated_dram_bytes 4800
.fact group_0_estimated_cycles 4638
.fact group_1_estimated_dram_bytes 14784
.fact group_1_estimated_cycles 1905

.group 0 serial layers=conv1,averagepool1,conv2,averagepool2 parts=1 reason="4800 B of DRAM traffic for 4442 cycles of work; activations stay, weights stream once; leaves averagepool2 on chip"
.part 1/1 core 0
.read
  r0    load         oram+0x0 f32[1,1,16,16]{1024,4,64,4} <- dram+0x4740 f32[1,1,16,16]{1024,4,64,4}   ; conv1 = input+0 input+0
  r1    load         oram+0x400 f32[112] <- dram+0x0 f32[112]   ; conv1 = ? ?
  r2    load         oram+0x5c0 f32[16] <- dram+0x1c0 f32[16]   ; conv1 = ? ?
  r3    load         oram+0xfc0 f32[5,5,4,8] <- dram+0x200 f32[5,5,4,8]   ; conv2 = conv2.weight+0{5,1,25,100} conv2.weight+0{5,1,25,100}
  r4    load         oram+0xf80 f32[16] <- dram+0xe80 f32[16]   ; conv2 = ? ?
.compute
  c0    copy         fram+0x0 f32[1,1,16,16] <- oram+0x0 f32[1,1,16,16]{1024,4,64,4}   @r0   ; input = input+0 input+0
  c1    copy         wram+0x0 f32[1,5,5,4] <- oram+0x400 f32[1,5,5,4]{16,80,16,4}   @r1   ; conv1.weight = conv1.weight+0{25,5,1,25} conv1.weight+0{25,5,1,25}
  c2    copy         wram+0x1c0 f32[4] <- oram+0x5c0 f32[4]   @r2   ; conv1.bias = conv1.bias+0 conv1.bias+0
  c3    conv         oram+0x0 f32[1,12,12,4] <- fram+0x0 f32[1,16,16,1]{1024,64,4,1024}, weight=wram+0x0 f32[5,5,1,4]{80,16,400,4}, bias=wram+0x1c0 f32[4], act=tanh stride=1,1 dilation=1,1 pad_begin=0,0   ; conv1 = input+0 conv1.weight+0{5,1,25,25} tanh1+0 conv1.bias+0
  c4    pool         oram+0xc80 f32[1,6,6,4]{768,128,16,4} <- oram+0x0 f32[1,12,12,4], function=average kernel=2,2 stride=2,2 dilation=1,1 pad_begin=0,0 pad_end=0,0   ; averagepool1 = averagepool1+0 tanh1+0
  c5    copy         fram+0x0 f32[1,6,6,4] <- oram+0xc80 f32[1,6,6,4]{768,128,16,4}   ; averagepool1 = averagepool1+0{192,32,4,1} averagepool1+0
  c6    copy         wram+0x0 f32[5,5,4,8] <- oram+0xfc0 f32[5,5,4,8]   @r3   ; conv2.weight = conv2.weight+0{5,1,25,100} conv2.weight+0{5,1,25,100}
  c7    copy         wram+0xc80 f32[8] <- oram+0xf80 f32[8]   @r4   ; conv2.bias = conv2.bias+0 conv2.bias+0
  c8    conv         oram+0x0 f32[1,2,2,8] <- fram+0x0 f32[1,6,6,4], weight=wram+0x0 f32[5,5,4,8], bias=wram+0xc80 f32[8], act=tanh stride=1,1 dilation=1,1 pad_begin=0,0   ; conv2 = averagepool1+0{192,32,4,1} conv2.weight+0{5,1,25,100} tanh2+0 conv2.bias+0
  c9    pool         oram+0x880 f32[1,1,1,8] <- oram+0x0 f32[1,2,2,8], function=average kernel=2,2 stride=2,2 dilation=1,1 pad_begin=0,0 pad_end=0,0   ; averagepool2 = averagepool2+0 tanh2+0

.group 1 serial layers=gemm1,gemm2,gemm3,softmax1 parts=1 reason="14784 B of DRAM traffic for 1567 cycles of work; activations stay, weights stream once; finds averagepool2 on chip"
.part 1/1 core 0
.read
  r5    load         oram+0xfc0 f32[8,60] <- dram+0xec0 f32[8,60]   @c6   ; gemm1 = gemm1.b.reordered+0 gemm1.b.reordered+0
  r6    load         oram+0x780 f32[64] <- dram+0x1640 f32[64]   ; gemm1 = ? ?
  r7    load         oram+0x1740 f32[60,8] <- dram+0x1740 f32[60,8]   ; gemm2 = gemm2.b+0{42,1} gemm2.b+0{42,1}
  r8    load         oram+0x1ec0 f32[16] <- dram+0x1ec0 f32[16]   ; gemm2 = ? ?
  r9    load         oram+0x0 f32[60,8] <- dram+0x1f00 f32[60,8]   @c9   ; gemm2 = gemm2.b+8{42,1} gemm2.b+8{42,1}
  r10   load         oram+0x1f00 f32[16] <- dram+0x2680 f32[16]   ; gemm2 = ? ?
  r11   load         oram+0x880 f32[60,8] <- dram+0x26c0 f32[60,8]   @c11   ; gemm2 = gemm2.b+16{42,1} gemm2.b+16{42,1}
  r12   load         oram+0x1f40 f32[16] <- dram+0x2e40 f32[16]   ; gemm2 = ? ?
  r13   load         oram+0x1000 f32[60,8] <- dram+0x2e80 f32[60,8]   @c15   ; gemm2 = gemm2.b+24{42,1} gemm2.b+24{42,1}
  r14   load         oram+0x840 f32[16] <- dram+0x3600 f32[16]   ; gemm2 = ? ?
  r15   load         oram+0x1780 f32[60,8] <- dram+0x3640 f32[60,8]   @c16   ; gemm2 = gemm2.b+32{42,1} gemm2.b+32{42,1}
  r16   load         oram+0x1f80 f32[16] <- dram+0x3dc0 f32[16]   ; gemm2 = ? ?
  r17   load         oram+0x0 f32[128] <- dram+0x3e00 f32[128]   @c18   ; gemm2 = ? ?
  r18   load         oram+0x200 f32[16] <- dram+0x4000 f32[16]   ; gemm2 = ? ?
  r19   load         oram+0x880 f32[432] <- dram+0x4040 f32[432]   @c21   ; gemm3 = ? ?
  r20   load         oram+0x6c0 f32[16] <- dram+0x4700 f32[16]   ; gemm3 = ? ?
.compute
  c10   copy         fram+0x0 f32[1,8] <- oram+0x880 f32[1,8]{0,4}   ; flatten1 = averagepool2+0 averagepool2+0
  c11   copy         wram+0x0 f32[8,60] <- oram+0xfc0 f32[8,60]   @r5   ; gemm1.b.reordered = gemm1.b.reordered+0 gemm1.b.reordered+0
  c12   copy         wram+0x780 f32[60] <- oram+0x780 f32[60]   @r6   ; gemm1.bias = gemm1.bias+0 gemm1.bias+0
  c13   gemm         oram+0x780 f32[1,60] <- fram+0x0 f32[1,8], weight=wram+0x0 f32[8,60], bias=wram+0x780 f32[60], act=tanh   ; gemm1 = averagepool2+0 gemm1.b.reordered+0 tanh3+0 gemm1.bias+0
  c14   copy         fram+0x0 f32[1,60] <- oram+0x780 f32[1,60]   ; gemm1 = tanh3+0 tanh3+0
  c15   copy         wram+0x0 f32[60,8] <- oram+0x1740 f32[60,8]   @r7   ; gemm2.b = gemm2.b+0{42,1} gemm2.b+0{42,1}
  c16   copy         wram+0x780 f32[8] <- oram+0x1ec0 f32[8]   @r8   ; gemm2.bias = gemm2.bias+0 gemm2.bias+0
  c17   gemm         oram+0x780 f32[1,8]{168,4} <- fram+0x0 f32[1,60], weight=wram+0x0 f32[60,8], bias=wram+0x780 f32[8], act=tanh   ; gemm2 = tanh3+0 gemm2.b+0{42,1} tanh4+0 gemm2.bias+0
  c18   copy         wram+0x0 f32[60,8] <- oram+0x0 f32[60,8]   @r9   ; gemm2.b = gemm2.b+8{42,1} gemm2.b+8{42,1}
  c19   copy         wram+0x780 f32[8] <- oram+0x1f00 f32[8]   @r10   ; gemm2.bias = gemm2.bias+8 gemm2.bias+8
  c20   gemm         oram+0x7a0 f32[1,8]{168,4} <- fram+0x0 f32[1,60], weight=wram+0x0 f32[60,8], bias=wram+0x780 f32[8], act=tanh   ; gemm2 = tanh3+0 gemm2.b+8{42,1} tanh4+8 gemm2.bias+8
  c21   copy         wram+0x0 f32[60,8] <- oram+0x880 f32[60,8]   @r11   ; gemm2.b = gemm2.b+16{42,1} gemm2.b+16{42,1}
  c22   copy         wram+0x780 f32[8] <- oram+0x1f40 f32[8]   @r12   ; gemm2.bias = gemm2.bias+16 gemm2.bias+16
  c23   gemm         oram+0x7c0 f32[1,8]{168,4} <- fram+0x0 f32[1,60], weight=wram+0x0 f32[60,8], bias=wram+0x780 f32[8], act=tanh   ; gemm2 = tanh3+0 gemm2.b+16{42,1} tanh4+16 gemm2.bias+16
  c24   copy         wram+0x0 f32[60,8] <- oram+0x1000 f32[60,8]   @r13   ; gemm2.b = gemm2.b+24{42,1} gemm2.b+24{42,1}
  c25   copy         wram+0x780 f32[8] <- oram+0x840 f32[8]   @r14   ; gemm2.bias = gemm2.bias+24 gemm2.bias+24
  c26   gemm         oram+0x7e0 f32[1,8]{168,4} <- fram+0x0 f32[1,60], weight=wram+0x0 f32[60,8], bias=wram+0x780 f32[8], act=tanh   ; gemm2 = tanh3+0 gemm2.b+24{42,1} tanh4+24 gemm2.bias+24
  c27   copy         wram+0x0 f32[60,8] <- oram+0x1780 f32[60,8]   @r15   ; gemm2.b = gemm2.b+32{42,1} gemm2.b+32{42,1}
  c28   copy         wram+0x780 f32[8] <- oram+0x1f80 f32[8]   @r16   ; gemm2.bias = gemm2.bias+32 gemm2.bias+32
  c29   gemm         oram+0x800 f32[1,8]{168,4} <- fram+0x0 f32[1,60], weight=wram+0x0 f32[60,8], bias=wram+0x780 f32[8], act=tanh   ; gemm2 = tanh3+0 gemm2.b+32{42,1} tanh4+32 gemm2.bias+32
  c30   copy         wram+0x0 f32[60,2] <- oram+0x0 f32[60,2]   @r17   ; gemm2.b = gemm2.b+40{42,1} gemm2.b+40{42,1}
  c31   copy         wram+0x200 f32[2] <- oram+0x200 f32[2]   @r18   ; gemm2.bias = gemm2.bias+40 gemm2.bias+40
  c32   gemm         oram+0x820 f32[1,2]{168,4} <- fram+0x0 f32[1,60], weight=wram+0x0 f32[60,2], bias=wram+0x200 f32[2], act=tanh   ; gemm2 = tanh3+0 gemm2.b+40{42,1} tanh4+40 gemm2.bias+40
  c33   copy         fram+0x0 f32[1,42] <- oram+0x780 f32[1,42]   ; gemm2 = tanh4+0 tanh4+0
  c34   copy         wram+0x0 f32[42,10] <- oram+0x880 f32[42,10]   @r19   ; gemm3.b = gemm3.b+0 gemm3.b+0
  c35   copy         wram+0x6c0 f32[10] <- oram+0x6c0 f32[10]   @r20   ; gemm3.bias = gemm3.bias+0 gemm3.bias+0
  c36   gemm         oram+0x0 f32[1,10] <- fram+0x0 f32[1,42], weight=wram+0x0 f32[42,10], bias=wram+0x6c0 f32[10]   ; gemm3 = tanh4+0 gemm3.b+0 gemm3+0 gemm3.bias+0
  c37   softmax      oram+0x40 f32[1,10] <- oram+0x0 f32[1,10], axis=1   ; softmax1 = output+0 gemm3+0
.write
  w0    store        dram+0x4b40 f32[16] <- oram+0x40 f32[16]   @c37   ; softmax1 = output+0 output+0
