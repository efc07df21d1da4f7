.nnc 4
.chip name "npu-banked"
.chip description "one core, one SRAM bank for activations and one for weights (M1 to the letter)"
.chip cores 1
.chip split_bytes 0
.chip clock_mhz 1000
.chip dram {"bytes_per_cycle": 16, "latency": 100, "burst": 64, "align": 1, "bytes": 4294967296}
.chip dma {"broadcast": false, "in_flight": 4, "move_bytes_per_cycle": 64, "align": 1}
.chip memory {"bank1": {"bytes": 20480, "align": 64, "word": 16}, "bank2": {"bytes": 262144, "align": 64, "word": 16}}
.chip operands {"default": {"feature": {"memories": ["bank1"]}, "weight": {"memories": ["bank2"]}, "result": {"memories": ["bank1"]}, "accumulator": {"memories": ["bank1"]}}, "copy": {"feature": {"memories": ["bank1"]}, "result": {"memories": ["bank1", "bank2"]}}}
.chip compute {"issue": 32, "result_bytes_per_cycle": 64, "map": "channels", "arrays": {"i8": ["16x64", "32x32", "64x16", "128x8"], "f16": ["16x32", "32x16", "64x8"], "f32": ["8x32", "16x16", "32x8", "64x4"]}, "depthwise": {"i8": 256, "f16": 128, "f32": 64}, "elementwise": {"i8": 128, "f16": 64, "f32": 32}}
.dram 55296
.constants file="m1.chain-of-convs.npu-banked.constants" bytes=18432 crc=0xd20f9b9d
.tensor x input dram+0x4800 f32[1,8,24,24]{18432,4,768,32}
.tensor y output dram+0x9000 f32[1,8,24,24]{18432,4,768,32}
.tensor w1 constant dram+0x0 f32[3,3,8,16]
.tensor w2 constant dram+0x1200 f32[3,3,16,16]
.tensor w3 constant dram+0x3600 f32[3,3,16,8]
.fact floor_bytes 55296
.fact macs 2508800
.fact peak_floor_cycles 9800
.fact compute_floor_cycles 10016
.fact dram_floor_cycles 3456
.fact predicted_cycles 23964
.fact predicted_dram_bytes 96000
.fact estimated_cycles 22312
.fact estimated_dram_bytes 96000
.fact group_0_estimated_dram_bytes 96000
.fact group_0_estimated_cycles 22312

.group 0 serial layers=a,c,y parts=10 reason="96000 B of DRAM traffic for 20400 cycles of work; weights resident"
.part 1/10 core 0
.read
  r0    load         bank2+0x2400 f32[3,3,8,16] <- dram+0x0 f32[3,3,8,16]   ; a = w1+0{3,1,9,72} w1+0{3,1,9,72}
  r1    load         bank2+0x0 f32[3,3,16,16] <- dram+0x1200 f32[3,3,16,16]   ; c = w2+0{3,1,9,144} w2+0{3,1,9,144}
  r2    load         bank2+0x3600 f32[3,3,16,8] <- dram+0x3600 f32[3,3,16,8]   ; y = w3+0{3,1,9,144} w3+0{3,1,9,144}
  r3    load         bank1+0x1800 f32[1,5,24,8]{18432,768,32,4} <- dram+0x4800 f32[1,5,24,8]{18432,768,32,4}   ; a = x+0 x+0
.compute
  c0    conv         bank1+0x0 f32[1,4,24,16]{36864,1536,64,4} <- bank1+0x1800 f32[1,5,24,8]{18432,768,32,4}, weight=bank2+0x2400 f32[3,3,8,16], stride=1,1 dilation=1,1 pad_begin=1,1   @r3   ; a = x+0 w1+0{3,1,9,72} a+0
  c1    conv         bank1+0x1800 f32[1,3,24,16]{36864,1536,64,4} <- bank1+0x0 f32[1,4,24,16]{36864,1536,64,4}, weight=bank2+0x0 f32[3,3,16,16], stride=1,1 dilation=1,1 pad_begin=1,1   ; c = a+0 w2+0{3,1,9,144} c+0
  c2    conv         bank1+0x3c00 f32[1,2,24,8]{18432,768,32,4} <- bank1+0x1800 f32[1,3,24,16]{36864,1536,64,4}, weight=bank2+0x3600 f32[3,3,16,8], stride=1,1 dilation=1,1 pad_begin=1,1   ; y = c+0 w3+0{3,1,9,144} y+0
.write
  w0    store        dram+0x9000 f32[1,2,24,8]{18432,768,32,4} <- bank1+0x3c00 f32[1,2,24,8]{18432,768,32,4}   @c2   ; y = y+0 y+0

.part 2/10 core 0
.read
  r4    load         bank1+0x0 f32[1,7,24,8]{18432,768,32,4} <- dram+0x4800 f32[1,7,24,8]{18432,768,32,4}   @c1   ; a = x+0 x+0
.compute
  c3    conv         bank1+0x1800 f32[1,6,24,16]{36864,1536,64,4} <- bank1+0x0 f32[1,7,24,8]{18432,768,32,4}, weight=bank2+0x2400 f32[3,3,8,16], stride=1,1 dilation=1,1 pad_begin=1,1   @r4   ; a = x+0 w1+0{3,1,9,72} a+0
  c4    conv         bank1+0x0 f32[1,4,24,16]{36864,1536,64,4} <- bank1+0x1800 f32[1,6,24,16]{36864,1536,64,4}, weight=bank2+0x0 f32[3,3,16,16], stride=1,1 dilation=1,1 pad_begin=0,1   ; c = a+0 w2+0{3,1,9,144} c+384
  c5    conv         bank1+0x4500 f32[1,2,24,8]{18432,768,32,4} <- bank1+0x0 f32[1,4,24,16]{36864,1536,64,4}, weight=bank2+0x3600 f32[3,3,16,8], stride=1,1 dilation=1,1 pad_begin=0,1   ; y = c+384 w3+0{3,1,9,144} y+384
.write
  w1    store        dram+0x9600 f32[1,2,24,8]{18432,768,32,4} <- bank1+0x4500 f32[1,2,24,8]{18432,768,32,4}   @c5   ; y = y+384 y+384

.part 3/10 core 0
.read
  r5    load         bank1+0x2a00 f32[1,9,24,8]{18432,768,32,4} <- dram+0x4b00 f32[1,9,24,8]{18432,768,32,4}   @c4 @w0   ; a = x+192 x+192
.compute
  c6    conv         bank1+0x0 f32[1,7,24,16]{36864,1536,64,4} <- bank1+0x2a00 f32[1,9,24,8]{18432,768,32,4}, weight=bank2+0x2400 f32[3,3,8,16], stride=1,1 dilation=1,1 pad_begin=0,1   @r5   ; a = x+192 w1+0{3,1,9,72} a+768
  c7    conv         bank1+0x2a00 f32[1,5,24,16]{36864,1536,64,4} <- bank1+0x0 f32[1,7,24,16]{36864,1536,64,4}, weight=bank2+0x0 f32[3,3,16,16], stride=1,1 dilation=1,1 pad_begin=0,1   @w1   ; c = a+768 w2+0{3,1,9,144} c+1152
  c8    conv         bank1+0x0 f32[1,3,24,8]{18432,768,32,4} <- bank1+0x2a00 f32[1,5,24,16]{36864,1536,64,4}, weight=bank2+0x3600 f32[3,3,16,8], stride=1,1 dilation=1,1 pad_begin=0,1   ; y = c+1152 w3+0{3,1,9,144} y+768
.write
  w2    store        dram+0x9c00 f32[1,3,24,8]{18432,768,32,4} <- bank1+0x0 f32[1,3,24,8]{18432,768,32,4}   @c8   ; y = y+768 y+768

.part 4/10 core 0
.read
  r6    load         bank1+0x900 f32[1,8,24,8]{18432,768,32,4} <- dram+0x5400 f32[1,8,24,8]{18432,768,32,4}   @c7   ; a = x+768 x+768
.compute
  c9    conv         bank1+0x2100 f32[1,6,24,16]{36864,1536,64,4} <- bank1+0x900 f32[1,8,24,8]{18432,768,32,4}, weight=bank2+0x2400 f32[3,3,8,16], stride=1,1 dilation=1,1 pad_begin=0,1   @r6   ; a = x+768 w1+0{3,1,9,72} a+1920
  c10   conv         bank1+0x0 f32[1,4,24,16]{36864,1536,64,4} <- bank1+0x2100 f32[1,6,24,16]{36864,1536,64,4}, weight=bank2+0x0 f32[3,3,16,16], stride=1,1 dilation=1,1 pad_begin=0,1   @w2   ; c = a+1920 w2+0{3,1,9,144} c+2304
  c11   conv         bank1+0x4500 f32[1,2,24,8]{18432,768,32,4} <- bank1+0x0 f32[1,4,24,16]{36864,1536,64,4}, weight=bank2+0x3600 f32[3,3,16,8], stride=1,1 dilation=1,1 pad_begin=0,1   ; y = c+2304 w3+0{3,1,9,144} y+1344
.write
  w3    store        dram+0xa500 f32[1,2,24,8]{18432,768,32,4} <- bank1+0x4500 f32[1,2,24,8]{18432,768,32,4}   @c11   ; y = y+1344 y+1344

.part 5/10 core 0
.read
  r7    load         bank1+0x2a00 f32[1,9,24,8]{18432,768,32,4} <- dram+0x5a00 f32[1,9,24,8]{18432,768,32,4}   @c10   ; a = x+1152 x+1152
.compute
  c12   conv         bank1+0x0 f32[1,7,24,16]{36864,1536,64,4} <- bank1+0x2a00 f32[1,9,24,8]{18432,768,32,4}, weight=bank2+0x2400 f32[3,3,8,16], stride=1,1 dilation=1,1 pad_begin=0,1   @r7   ; a = x+1152 w1+0{3,1,9,72} a+2688
  c13   conv         bank1+0x2a00 f32[1,5,24,16]{36864,1536,64,4} <- bank1+0x0 f32[1,7,24,16]{36864,1536,64,4}, weight=bank2+0x0 f32[3,3,16,16], stride=1,1 dilation=1,1 pad_begin=0,1   @w3   ; c = a+2688 w2+0{3,1,9,144} c+3072
  c14   conv         bank1+0x0 f32[1,3,24,8]{18432,768,32,4} <- bank1+0x2a00 f32[1,5,24,16]{36864,1536,64,4}, weight=bank2+0x3600 f32[3,3,16,8], stride=1,1 dilation=1,1 pad_begin=0,1   ; y = c+3072 w3+0{3,1,9,144} y+1728
.write
  w4    store        dram+0xab00 f32[1,3,24,8]{18432,768,32,4} <- bank1+0x0 f32[1,3,24,8]{18432,768,32,4}   @c14   ; y = y+1728 y+1728

.part 6/10 core 0
.read
  r8    load         bank1+0x900 f32[1,8,24,8]{18432,768,32,4} <- dram+0x6300 f32[1,8,24,8]{18432,768,32,4}   @c13   ; a = x+1728 x+1728
.compute
  c15   conv         bank1+0x2100 f32[1,6,24,16]{36864,1536,64,4} <- bank1+0x900 f32[1,8,24,8]{18432,768,32,4}, weight=bank2+0x2400 f32[3,3,8,16], stride=1,1 dilation=1,1 pad_begin=0,1   @r8   ; a = x+1728 w1+0{3,1,9,72} a+3840
  c16   conv         bank1+0x0 f32[1,4,24,16]{36864,1536,64,4} <- bank1+0x2100 f32[1,6,24,16]{36864,1536,64,4}, weight=bank2+0x0 f32[3,3,16,16], stride=1,1 dilation=1,1 pad_begin=0,1   @w4   ; c = a+3840 w2+0{3,1,9,144} c+4224
  c17   conv         bank1+0x3c00 f32[1,2,24,8]{18432,768,32,4} <- bank1+0x0 f32[1,4,24,16]{36864,1536,64,4}, weight=bank2+0x3600 f32[3,3,16,8], stride=1,1 dilation=1,1 pad_begin=0,1   ; y = c+4224 w3+0{3,1,9,144} y+2304
.write
  w5    store        dram+0xb400 f32[1,2,24,8]{18432,768,32,4} <- bank1+0x3c00 f32[1,2,24,8]{18432,768,32,4}   @c17   ; y = y+2304 y+2304

.part 7/10 core 0
.read
  r9    load         bank1+0x2400 f32[1,8,24,8]{18432,768,32,4} <- dram+0x6900 f32[1,8,24,8]{18432,768,32,4}   @c16   ; a = x+2112 x+2112
.compute
  c18   conv         bank1+0x0 f32[1,6,24,16]{36864,1536,64,4} <- bank1+0x2400 f32[1,8,24,8]{18432,768,32,4}, weight=bank2+0x2400 f32[3,3,8,16], stride=1,1 dilation=1,1 pad_begin=0,1   @r9   ; a = x+2112 w1+0{3,1,9,72} a+4608
  c19   conv         bank1+0x2400 f32[1,4,24,16]{36864,1536,64,4} <- bank1+0x0 f32[1,6,24,16]{36864,1536,64,4}, weight=bank2+0x0 f32[3,3,16,16], stride=1,1 dilation=1,1 pad_begin=0,1   ; c = a+4608 w2+0{3,1,9,144} c+4992
  c20   conv         bank1+0x4800 f32[1,2,24,8]{18432,768,32,4} <- bank1+0x2400 f32[1,4,24,16]{36864,1536,64,4}, weight=bank2+0x3600 f32[3,3,16,8], stride=1,1 dilation=1,1 pad_begin=0,1   ; y = c+4992 w3+0{3,1,9,144} y+2688
.write
  w6    store        dram+0xba00 f32[1,2,24,8]{18432,768,32,4} <- bank1+0x4800 f32[1,2,24,8]{18432,768,32,4}   @c20   ; y = y+2688 y+2688

.part 8/10 core 0
.read
  r10   load         bank1+0x0 f32[1,9,24,8]{18432,768,32,4} <- dram+0x6f00 f32[1,9,24,8]{18432,768,32,4}   @c19   ; a = x+2496 x+2496
.compute
  c21   conv         bank1+0x1e00 f32[1,7,24,16]{36864,1536,64,4} <- bank1+0x0 f32[1,9,24,8]{18432,768,32,4}, weight=bank2+0x2400 f32[3,3,8,16], stride=1,1 dilation=1,1 pad_begin=0,1   @r10 @w5   ; a = x+2496 w1+0{3,1,9,72} a+5376
  c22   conv         bank1+0x0 f32[1,5,24,16]{36864,1536,64,4} <- bank1+0x1e00 f32[1,7,24,16]{36864,1536,64,4}, weight=bank2+0x0 f32[3,3,16,16], stride=1,1 dilation=1,1 pad_begin=0,1   ; c = a+5376 w2+0{3,1,9,144} c+5760
  c23   conv         bank1+0x3c00 f32[1,3,24,8]{18432,768,32,4} <- bank1+0x0 f32[1,5,24,16]{36864,1536,64,4}, weight=bank2+0x3600 f32[3,3,16,8], stride=1,1 dilation=1,1 pad_begin=0,1   ; y = c+5760 w3+0{3,1,9,144} y+3072
.write
  w7    store        dram+0xc000 f32[1,3,24,8]{18432,768,32,4} <- bank1+0x3c00 f32[1,3,24,8]{18432,768,32,4}   @c23   ; y = y+3072 y+3072

.part 9/10 core 0
.read
  r11   load         bank1+0x2400 f32[1,8,24,8]{18432,768,32,4} <- dram+0x7800 f32[1,8,24,8]{18432,768,32,4}   @c22   ; a = x+3072 x+3072
.compute
  c24   conv         bank1+0x0 f32[1,6,24,16]{36864,1536,64,4} <- bank1+0x2400 f32[1,8,24,8]{18432,768,32,4}, weight=bank2+0x2400 f32[3,3,8,16], stride=1,1 dilation=1,1 pad_begin=0,1   @r11   ; a = x+3072 w1+0{3,1,9,72} a+6528
  c25   conv         bank1+0x2400 f32[1,4,24,16]{36864,1536,64,4} <- bank1+0x0 f32[1,6,24,16]{36864,1536,64,4}, weight=bank2+0x0 f32[3,3,16,16], stride=1,1 dilation=1,1 pad_begin=0,1   ; c = a+6528 w2+0{3,1,9,144} c+6912
  c26   conv         bank1+0x1e00 f32[1,2,24,8]{18432,768,32,4} <- bank1+0x2400 f32[1,4,24,16]{36864,1536,64,4}, weight=bank2+0x3600 f32[3,3,16,8], stride=1,1 dilation=1,1 pad_begin=0,1   ; y = c+6912 w3+0{3,1,9,144} y+3648
.write
  w8    store        dram+0xc900 f32[1,2,24,8]{18432,768,32,4} <- bank1+0x1e00 f32[1,2,24,8]{18432,768,32,4}   @c26   ; y = y+3648 y+3648

.part 10/10 core 0
.read
  r12   load         bank1+0x2400 f32[1,6,24,8]{18432,768,32,4} <- dram+0x7e00 f32[1,6,24,8]{18432,768,32,4}   @c26   ; a = x+3456 x+3456
.compute
  c27   conv         bank1+0x0 f32[1,5,24,16]{36864,1536,64,4} <- bank1+0x2400 f32[1,6,24,8]{18432,768,32,4}, weight=bank2+0x2400 f32[3,3,8,16], stride=1,1 dilation=1,1 pad_begin=0,1   @r12   ; a = x+3456 w1+0{3,1,9,72} a+7296
  c28   conv         bank1+0x1e00 f32[1,4,24,16]{36864,1536,64,4} <- bank1+0x0 f32[1,5,24,16]{36864,1536,64,4}, weight=bank2+0x0 f32[3,3,16,16], stride=1,1 dilation=1,1 pad_begin=0,1   @w8   ; c = a+7296 w2+0{3,1,9,144} c+7680
  c29   conv         bank1+0x0 f32[1,3,24,8]{18432,768,32,4} <- bank1+0x1e00 f32[1,4,24,16]{36864,1536,64,4}, weight=bank2+0x3600 f32[3,3,16,8], stride=1,1 dilation=1,1 pad_begin=0,1   ; y = c+7680 w3+0{3,1,9,144} y+4032
.write
  w9    store        dram+0xcf00 f32[1,3,24,8]{18432,768,32,4} <- bank1+0x0 f32[1,3,24,8]{18432,768,32,4}   @c29   ; y = y+4032 y+4032
