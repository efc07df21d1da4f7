.nnc 2
.chip name "npu-banked"
.chip description "one core, one SRAM bank for activations and one for weights (M1 to the letter)"
.chip cores 1
.chip split_bytes 0
.chip clock_mhz 1000
.chip dram {"bytes_per_cycle": 16, "latency": 100, "burst": 64, "align": 1, "bytes": 4294967296}
.chip dma {"broadcast": false, "in_flight": 4, "move_bytes_per_cycle": 64}
.chip memory {"bank1": {"bytes": 8192, "align": 64}, "bank2": {"bytes": 6144, "align": 64}}
.chip operands {"default": {"feature": {"memories": ["bank1"]}, "weight": {"memories": ["bank2"]}, "result": {"memories": ["bank1"]}, "accumulator": {"memories": ["bank1"]}}}
.chip compute {"issue": 32, "map": "channels", "arrays": {"i8": ["16x64", "32x32", "64x16", "128x8"], "f16": ["16x32", "32x16", "64x8"], "f32": ["8x32", "16x16", "32x8", "64x4"]}, "depthwise": {"i8": 256, "f16": 128, "f32": 64}, "elementwise": {"i8": 128, "f16": 64, "f32": 32}}
.dram 21504
.constants file="residual.npu-banked.constants" bytes=14592 crc=0x3d6d950b
.tensor x input dram+0x3900 f32[1,8,12,12]{4608,4,384,32}
.tensor y output dram+0x4b00 f32[1,16,6,6]{2304,4,384,64}
.tensor w1.folded constant dram+0x0 f32[3,3,8,16]
.tensor c1.bias.folded constant dram+0x1200 f32[16]
.tensor w3.folded constant dram+0x1240 f32[1,1,8,16]
.tensor c3.bias.folded constant dram+0x1440 f32[16]
.tensor "w2.folded[0,0,0,0]" constant dram+0x1480 f32[3,3,16,8]
.tensor "c2.bias.folded[0]" constant dram+0x2680 f32[8]
.tensor "w2.folded[8,0,0,0]" constant dram+0x26c0 f32[3,3,16,8]
.tensor "c2.bias.folded[8]" constant dram+0x38c0 f32[8]
.fact floor_bytes 21440
.fact macs 129024
.fact peak_floor_cycles 504
.fact compute_floor_cycles 672
.fact dram_floor_cycles 1340
.fact predicted_cycles 3030
.fact predicted_dram_bytes 21504

.group 0 inverse-y layers=c1,c3 parts=4 reason="9856 B of DRAM traffic for 576 cycles of work; weights resident; leaves n3, r1 on chip"
.part 1/4 core 0
.read
  r0    load         bank1+0x1200 f32[1,2,12,8]{4608,384,32,4} <- dram+0x3900 f32[1,2,12,8]{4608,384,32,4}   ; c1 = x+0 x+0
  r1    load         bank2+0x0 f32[3,3,8,16] <- dram+0x0 f32[3,3,8,16]   ; c1 = w1.folded+0{3,1,9,72} w1.folded+0{3,1,9,72}
  r2    load         bank2+0x1400 f32[16] <- dram+0x1200 f32[16]   ; c1 = c1.bias.folded+0 c1.bias.folded+0
  r3    load         bank2+0x1200 f32[1,1,8,16] <- dram+0x1240 f32[1,1,8,16]   ; c3 = w3.folded+0{1,1,1,8} w3.folded+0{1,1,1,8}
  r4    load         bank2+0x1440 f32[16] <- dram+0x1440 f32[16]   ; c3 = c3.bias.folded+0 c3.bias.folded+0
.compute
  c0    conv         bank1+0x0 f32[1,1,6,16]{2304,384,64,4} <- bank1+0x1200 f32[1,2,12,8]{4608,384,32,4}, weight=bank2+0x0 f32[3,3,8,16], bias=bank2+0x1400 f32[16], act=relu stride=2,2 dilation=1,1 pad_begin=1,1   @r2   ; c1 = x+0 w1.folded+0{3,1,9,72} r1+0 c1.bias.folded+0
  c1    conv         bank1+0x900 f32[1,1,6,16]{2304,384,64,4} <- bank1+0x1200 f32[1,1,11,8]{4608,384,32,4}, weight=bank2+0x1200 f32[1,1,8,16], bias=bank2+0x1440 f32[16], stride=2,2 dilation=1,1 pad_begin=0,0   @r4   ; c3 = x+0 w3.folded+0{1,1,1,8} n3+0 c3.bias.folded+0
  c2    copy         bank1+0x1980 f32[1,1,12,8]{4608,384,32,4} <- bank1+0x1380 f32[1,1,12,8]{4608,384,32,4}   ; x = x+96 x+96

.part 2/4 core 0
.read
  r5    load         bank1+0x1380 f32[1,4,12,8]{4608,384,32,4} <- dram+0x3c00 f32[1,4,12,8]{4608,384,32,4}   @c2   ; c1 = x+192 x+192
.compute
  c3    copy         bank1+0x1200 f32[1,1,12,8]{4608,384,32,4} <- bank1+0x1980 f32[1,1,12,8]{4608,384,32,4}   ; x = x+96 x+96
  c4    conv         bank1+0x180 f32[1,2,6,16]{2304,384,64,4} <- bank1+0x1200 f32[1,5,12,8]{4608,384,32,4}, weight=bank2+0x0 f32[3,3,8,16], bias=bank2+0x1400 f32[16], act=relu stride=2,2 dilation=1,1 pad_begin=0,1   @r5   ; c1 = x+96 w1.folded+0{3,1,9,72} r1+96 c1.bias.folded+0
  c5    conv         bank1+0xa80 f32[1,2,6,16]{2304,384,64,4} <- bank1+0x1380 f32[1,3,11,8]{4608,384,32,4}, weight=bank2+0x1200 f32[1,1,8,16], bias=bank2+0x1440 f32[16], stride=2,2 dilation=1,1 pad_begin=0,0   ; c3 = x+192 w3.folded+0{1,1,1,8} n3+96 c3.bias.folded+0
  c6    copy         bank1+0x1980 f32[1,1,12,8]{4608,384,32,4} <- bank1+0x1800 f32[1,1,12,8]{4608,384,32,4}   ; x = x+480 x+480

.part 3/4 core 0
.read
  r6    load         bank1+0x1c80 f32[1,2,12,8]{4608,384,32,4} <- dram+0x4200 f32[1,2,12,8]{4608,384,32,4}   ; c1 = x+576 x+576
.compute
  c7    copy         bank1+0x1b00 f32[1,1,12,8]{4608,384,32,4} <- bank1+0x1980 f32[1,1,12,8]{4608,384,32,4}   ; x = x+480 x+480
  c8    conv         bank1+0x480 f32[1,1,6,16]{2304,384,64,4} <- bank1+0x1b00 f32[1,3,12,8]{4608,384,32,4}, weight=bank2+0x0 f32[3,3,8,16], bias=bank2+0x1400 f32[16], act=relu stride=2,2 dilation=1,1 pad_begin=0,1   @r6   ; c1 = x+480 w1.folded+0{3,1,9,72} r1+288 c1.bias.folded+0
  c9    conv         bank1+0xd80 f32[1,1,6,16]{2304,384,64,4} <- bank1+0x1c80 f32[1,1,11,8]{4608,384,32,4}, weight=bank2+0x1200 f32[1,1,8,16], bias=bank2+0x1440 f32[16], stride=2,2 dilation=1,1 pad_begin=0,0   ; c3 = x+576 w3.folded+0{1,1,1,8} n3+288 c3.bias.folded+0
  c10   copy         bank1+0x1980 f32[1,1,12,8]{4608,384,32,4} <- bank1+0x1e00 f32[1,1,12,8]{4608,384,32,4}   ; x = x+672 x+672

.part 4/4 core 0
.read
  r7    load         bank1+0x1380 f32[1,4,12,8]{4608,384,32,4} <- dram+0x4500 f32[1,4,12,8]{4608,384,32,4}   @c6   ; c1 = x+768 x+768
.compute
  c11   copy         bank1+0x1200 f32[1,1,12,8]{4608,384,32,4} <- bank1+0x1980 f32[1,1,12,8]{4608,384,32,4}   ; x = x+672 x+672
  c12   conv         bank1+0x600 f32[1,2,6,16]{2304,384,64,4} <- bank1+0x1200 f32[1,5,12,8]{4608,384,32,4}, weight=bank2+0x0 f32[3,3,8,16], bias=bank2+0x1400 f32[16], act=relu stride=2,2 dilation=1,1 pad_begin=0,1   @r7   ; c1 = x+672 w1.folded+0{3,1,9,72} r1+384 c1.bias.folded+0
  c13   conv         bank1+0xf00 f32[1,2,6,16]{2304,384,64,4} <- bank1+0x1380 f32[1,3,11,8]{4608,384,32,4}, weight=bank2+0x1200 f32[1,1,8,16], bias=bank2+0x1440 f32[16], stride=2,2 dilation=1,1 pad_begin=0,0   ; c3 = x+768 w3.folded+0{1,1,1,8} n3+384 c3.bias.folded+0

.group 1 single layers=c2 parts=1 reason="11584 B of DRAM traffic for 464 cycles of work; activations stay, weights stream once; finds n3, r1 on chip"
.part 1/1 core 0
.read
  r8    load         bank2+0x0 f32[3,3,16,8] <- dram+0x1480 f32[3,3,16,8]   @c12   ; c2 = w2.folded+0{3,1,9,144} w2.folded+0{3,1,9,144}
  r9    load         bank2+0x1400 f32[8] <- dram+0x2680 f32[8]   ; c2 = c2.bias.folded+0 c2.bias.folded+0
  r10   load         bank2+0x0 f32[3,3,16,8] <- dram+0x26c0 f32[3,3,16,8]   @c14   ; c2 = w2.folded+1152{3,1,9,144} w2.folded+1152{3,1,9,144}
  r11   load         bank2+0x1200 f32[8] <- dram+0x38c0 f32[8]   ; c2 = c2.bias.folded+8 c2.bias.folded+8
.compute
  c14   conv         bank1+0x900 f32[1,6,6,8]{2304,384,64,4} <- bank1+0x0 f32[1,6,6,16], weight=bank2+0x0 f32[3,3,16,8], bias=bank2+0x1400 f32[8], residual=bank1+0x900 f32[1,6,6,8]{2304,384,64,4}, act=relu stride=1,1 dilation=1,1 pad_begin=1,1   @r9   ; c2 = r1+0 w2.folded+0{3,1,9,144} y+0 c2.bias.folded+0 n3+0
  c15   conv         bank1+0x920 f32[1,6,6,8]{2304,384,64,4} <- bank1+0x0 f32[1,6,6,16], weight=bank2+0x0 f32[3,3,16,8], bias=bank2+0x1200 f32[8], residual=bank1+0x920 f32[1,6,6,8]{2304,384,64,4}, act=relu stride=1,1 dilation=1,1 pad_begin=1,1   @r11   ; c2 = r1+0 w2.folded+1152{3,1,9,144} y+8 c2.bias.folded+8 n3+8
.write
  w0    store        dram+0x4b00 f32[1,6,6,16] <- bank1+0x900 f32[1,6,6,16]   @c15   ; c2 = y+0 y+0
