.nnc 1
.chip name "npu-banked"
.chip description "one core, one SRAM bank for activations and one for weights (M1 to the letter)"
.chip cores 1
.chip clock_mhz 1000
.chip dram {"bytes_per_cycle": 16, "latency": 100, "burst": 64, "align": 1, "bytes": 4294967296}
.chip dma {"broadcast": false, "in_flight": 4, "move_bytes_per_cycle": 64}
.chip memory {"bank1": {"bytes": 8192, "align": 64}, "bank2": {"bytes": 6144, "align": 64}}
.chip operands {"default": {"feature": {"memories": ["bank1"]}, "weight": {"memories": ["bank2"]}, "result": {"memories": ["bank1"]}, "accumulator": {"memories": ["bank1"]}}}
.chip compute {"issue": 32, "map": "channels", "arrays": {"i8": ["16x64", "32x32", "64x16", "128x8"], "f16": ["16x32", "32x16", "64x8"], "f32": ["8x32", "16x16", "32x8", "64x4"]}, "depthwise": {"i8": 256, "f16": 128, "f32": 64}, "elementwise": {"i8": 128, "f16": 64, "f32": 32}}
.dram 26240
.constants file="residual.npu-banked.constants" bytes=14720 crc=0x3feef3b5
.tensor x input dram+0x3980 f32[1,8,12,12]{4608,4,384,32}
.tensor y output dram+0x4b80 f32[1,16,6,6]{2304,4,384,64}
.tensor r1 boundary dram+0x5480 f32[1,16,6,6]{2304,4,384,64}
.tensor n2 boundary dram+0x5d80 f32[1,16,6,6]{2304,4,384,64}
.tensor w1.folded constant dram+0x0 f32[3,3,8,16]
.tensor c1.bias.folded constant dram+0x1200 f32[16]
.tensor "w2.folded[0,0,0,0]" constant dram+0x1240 f32[3,3,16,4]
.tensor "c2.bias.folded[0]" constant dram+0x1b40 f32[4]
.tensor "w2.folded[4,0,0,0]" constant dram+0x1b80 f32[3,3,16,4]
.tensor "c2.bias.folded[4]" constant dram+0x2480 f32[4]
.tensor "w2.folded[8,0,0,0]" constant dram+0x24c0 f32[3,3,16,4]
.tensor "c2.bias.folded[8]" constant dram+0x2dc0 f32[4]
.tensor "w2.folded[12,0,0,0]" constant dram+0x2e00 f32[3,3,16,4]
.tensor "c2.bias.folded[12]" constant dram+0x3700 f32[4]
.tensor w3.folded constant dram+0x3740 f32[1,1,8,16]
.tensor c3.bias.folded constant dram+0x3940 f32[16]
.fact floor_bytes 21440
.fact macs 129024
.fact peak_floor_cycles 504
.fact compute_floor_cycles 672
.fact dram_floor_cycles 1340
.fact predicted_cycles 3904
.fact predicted_dram_bytes 41984

.group 0 single layers=c1 parts=1 reason="11584 B of DRAM traffic for 248 cycles of work; activations stay, weights stream once"
.part 1/1 core 0
.read
  r0    load         bank1+0x0 f32[1,12,12,8] <- dram+0x3980 f32[1,12,12,8]   ; c1
  r1    load         bank2+0x0 f32[3,3,8,16] <- dram+0x0 f32[3,3,8,16]   ; c1
  r2    load         bank2+0x1200 f32[16] <- dram+0x1200 f32[16]   ; c1
.compute
  c0    conv         bank1+0x1200 f32[1,6,6,16] <- bank1+0x0 f32[1,12,12,8], weight=bank2+0x0 f32[3,3,8,16], bias=bank2+0x1200 f32[16], act=relu stride=2,2 dilation=1,1 pad_begin=1,1   @r2   ; c1
.write
  w0    store        dram+0x5480 f32[1,6,6,16] <- bank1+0x1200 f32[1,6,6,16]   @c0   ; c1

.group 1 single layers=c2 parts=4 reason="tiled alone, about 13888 B and 1537 cycles"
.part 1/4 core 0
.read
  r3    load         bank1+0x0 f32[1,6,6,16] <- dram+0x5480 f32[1,6,6,16]   @w0   ; c2
  r4    load         bank2+0x0 f32[3,3,16,4] <- dram+0x1240 f32[3,3,16,4]   ; c2
  r5    load         bank2+0x900 f32[4] <- dram+0x1b40 f32[4]   ; c2
.compute
  c1    conv         bank1+0x1080 f32[1,6,6,4] <- bank1+0x0 f32[1,6,6,16], weight=bank2+0x0 f32[3,3,16,4], bias=bank2+0x900 f32[4], stride=1,1 dilation=1,1 pad_begin=1,1   @r5   ; c2
.write
  w1    store        dram+0x5d80 f32[1,6,6,4]{2304,384,64,4} <- bank1+0x1080 f32[1,6,6,4]   @c1   ; c2

.part 2/4 core 0
.read
  r6    load         bank2+0x940 f32[3,3,16,4] <- dram+0x1b80 f32[3,3,16,4]   ; c2
  r7    load         bank2+0x1240 f32[4] <- dram+0x2480 f32[4]   ; c2
.compute
  c2    conv         bank1+0x12c0 f32[1,6,6,4] <- bank1+0x0 f32[1,6,6,16], weight=bank2+0x940 f32[3,3,16,4], bias=bank2+0x1240 f32[4], stride=1,1 dilation=1,1 pad_begin=1,1   @r7   ; c2
.write
  w2    store        dram+0x5d90 f32[1,6,6,4]{2304,384,64,4} <- bank1+0x12c0 f32[1,6,6,4]   @c2   ; c2

.part 3/4 core 0
.read
  r8    load         bank2+0x0 f32[3,3,16,4] <- dram+0x24c0 f32[3,3,16,4]   @c1   ; c2
  r9    load         bank2+0x900 f32[4] <- dram+0x2dc0 f32[4]   ; c2
.compute
  c3    conv         bank1+0x1500 f32[1,6,6,4] <- bank1+0x0 f32[1,6,6,16], weight=bank2+0x0 f32[3,3,16,4], bias=bank2+0x900 f32[4], stride=1,1 dilation=1,1 pad_begin=1,1   @r9   ; c2
.write
  w3    store        dram+0x5da0 f32[1,6,6,4]{2304,384,64,4} <- bank1+0x1500 f32[1,6,6,4]   @c3   ; c2

.part 4/4 core 0
.read
  r10   load         bank2+0x940 f32[3,3,16,4] <- dram+0x2e00 f32[3,3,16,4]   @c2   ; c2
  r11   load         bank2+0x1240 f32[4] <- dram+0x3700 f32[4]   ; c2
.compute
  c4    conv         bank1+0x1740 f32[1,6,6,4] <- bank1+0x0 f32[1,6,6,16], weight=bank2+0x940 f32[3,3,16,4], bias=bank2+0x1240 f32[4], stride=1,1 dilation=1,1 pad_begin=1,1   @r11   ; c2
.write
  w4    store        dram+0x5db0 f32[1,6,6,4]{2304,384,64,4} <- bank1+0x1740 f32[1,6,6,4]   @c4   ; c2

.group 2 single layers=c3 parts=1 reason="9408 B of DRAM traffic for 56 cycles of work; activations stay, weights stream once"
.part 1/1 core 0
.read
  r12   load         bank1+0x0 f32[1,11,12,8]{4608,384,32,4} <- dram+0x3980 f32[1,11,12,8]{4608,384,32,4}   @c4   ; c1
  r13   load         bank1+0x1080 f32[1,6,6,16] <- dram+0x5d80 f32[1,6,6,16]   @w4   ; c3
  r14   load         bank2+0x0 f32[1,1,8,16] <- dram+0x3740 f32[1,1,8,16]   ; c3
  r15   load         bank2+0x200 f32[16] <- dram+0x3940 f32[16]   ; c3
.compute
  c5    conv         bank1+0x1080 f32[1,6,6,16] <- bank1+0x0 f32[1,11,11,8]{4608,384,32,4}, weight=bank2+0x0 f32[1,1,8,16], bias=bank2+0x200 f32[16], residual=bank1+0x1080 f32[1,6,6,16], act=relu stride=2,2 dilation=1,1 pad_begin=0,0   @r15   ; c3
.write
  w5    store        dram+0x4b80 f32[1,6,6,16] <- bank1+0x1080 f32[1,6,6,16]   @c5   ; c3
