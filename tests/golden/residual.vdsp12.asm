.nnc 1
.chip name "vdsp12"
.chip description "twelve vector DSP cores with scalar memory SM and vector memory AM (M2, M3)"
.chip cores 12
.chip clock_mhz 1000
.chip dram {"bytes_per_cycle": 24, "latency": 100, "burst": 64, "align": 1, "bytes": 4294967296}
.chip dma {"broadcast": true, "in_flight": 4, "move_bytes_per_cycle": 64}
.chip memory {"sm": {"bytes": 2048, "align": 64}, "am": {"bytes": 8192, "align": 64}}
.chip operands {"default": {"feature": {"memories": ["am"]}, "weight": {"memories": ["am"]}, "result": {"memories": ["am"]}, "accumulator": {"memories": ["am"]}}, "conv": {"feature": {"memories": ["sm"]}}, "gemm": {"feature": {"memories": ["sm"]}}}
.chip compute {"issue": 16, "map": "channels", "arrays": {"i8": ["128x3"], "f16": ["64x3"], "f32": ["32x3"]}, "depthwise": {"i8": 384, "f16": 192, "f32": 96}, "elementwise": {"i8": 128, "f16": 64, "f32": 32}}
.dram 26112
.constants file="residual.vdsp12.constants" bytes=14592 crc=0x3d6d950b
.tensor x input dram+0x3900 f32[1,8,12,12]{4608,4,384,32}
.tensor y output dram+0x4b00 f32[1,16,6,6]{2304,4,384,64}
.tensor r1 boundary dram+0x5400 f32[1,16,6,6]{2304,4,384,64}
.tensor n3 boundary dram+0x5d00 f32[1,16,6,6]{2304,4,384,64}
.tensor w1.folded constant dram+0x0 f32[3,3,8,16]
.tensor c1.bias.folded constant dram+0x1200 f32[16]
.tensor "w3.folded[0,0,0,0]" constant dram+0x1240 f32[1,1,4,16]
.tensor "w3.folded[0,4,0,0]" constant dram+0x1340 f32[1,1,4,16]
.tensor c3.bias.folded constant dram+0x1440 f32[16]
.tensor "w2.folded[0,0,0,0]" constant dram+0x1480 f32[3,3,16,8]
.tensor "c2.bias.folded[0]" constant dram+0x2680 f32[8]
.tensor "w2.folded[8,0,0,0]" constant dram+0x26c0 f32[3,3,16,8]
.tensor "c2.bias.folded[8]" constant dram+0x38c0 f32[8]
.fact floor_bytes 21440
.fact macs 129024
.fact peak_floor_cycles 112
.fact compute_floor_cycles 224
.fact dram_floor_cycles 894
.fact predicted_cycles 7972
.fact predicted_dram_bytes 55424

.group 0 single layers=c1 parts=3 reason="tiled alone, about 12352 B and 1627 cycles"
.part 1/3 core 0
.read
  r0    load         sm+0x0 f32[1,4,12,8] <- dram+0x3900 f32[1,4,12,8]{4608,384,32,4}   ; c1
  r1    load         am+0x0 f32[3,3,8,16] <- dram+0x0 f32[3,3,8,16]   ; c1
  r2    load         am+0x1500 f32[16] <- dram+0x1200 f32[16]   ; c1
.compute
  c0    conv         am+0x1200 f32[1,2,6,16] <- sm+0x0 f32[1,4,12,8], weight=am+0x0 f32[3,3,8,16], bias=am+0x1500 f32[16], act=relu stride=2,2 dilation=1,1 pad_begin=1,1   @r2   ; c1
.write
  w0    store        dram+0x5400 f32[1,2,6,16]{2304,384,64,4} <- am+0x1200 f32[1,2,6,16]   @c0   ; c1

.part 2/3 core 0
.read
  r3    load         sm+0x0 f32[1,5,12,8] <- dram+0x3d80 f32[1,5,12,8]{4608,384,32,4}   @c0   ; c1
.compute
  c1    conv         am+0x1200 f32[1,2,6,16] <- sm+0x0 f32[1,5,12,8], weight=am+0x0 f32[3,3,8,16], bias=am+0x1500 f32[16], act=relu stride=2,2 dilation=1,1 pad_begin=0,1   @r3 @w0   ; c1
.write
  w1    store        dram+0x5700 f32[1,2,6,16]{2304,384,64,4} <- am+0x1200 f32[1,2,6,16]   @c1   ; c1

.part 3/3 core 0
.read
  r4    load         sm+0x0 f32[1,5,12,8] <- dram+0x4380 f32[1,5,12,8]{4608,384,32,4}   @c1   ; c1
.compute
  c2    conv         am+0x1200 f32[1,2,6,16] <- sm+0x0 f32[1,5,12,8], weight=am+0x0 f32[3,3,8,16], bias=am+0x1500 f32[16], act=relu stride=2,2 dilation=1,1 pad_begin=0,1   @r4 @w1   ; c1
.write
  w2    store        dram+0x5a00 f32[1,2,6,16]{2304,384,64,4} <- am+0x1200 f32[1,2,6,16]   @c2   ; c1

.group 1 single layers=c3 parts=1 reason="tiled alone, about 18368 B and 1044 cycles"
.part 1/1 core 0
.read
  r5    load         sm+0x0 f32[1,11,11,4] <- dram+0x3900 f32[1,11,11,4]{4608,384,32,4}   @c2   ; c3
  r6    load         am+0x900 f32[1,1,4,16] <- dram+0x1240 f32[1,1,4,16]   ; c3
  r7    load         sm+0x0 f32[1,11,11,4] <- dram+0x3910 f32[1,11,11,4]{4608,384,32,4}   @c3   ; c3
  r8    load         am+0x1500 f32[1,1,4,16] <- dram+0x1340 f32[1,1,4,16]   ; c3
  r9    load         am+0x1600 f32[16] <- dram+0x1440 f32[16]   ; c3
.compute
  c3    conv         <- sm+0x0 f32[1,11,11,4], weight=am+0x900 f32[1,1,4,16], accumulator=am+0x0 f32[1,6,6,16], phase=start stride=2,2 dilation=1,1 pad_begin=0,0   @r6   ; c3
  c4    conv         am+0x900 f32[1,6,6,16] <- sm+0x0 f32[1,11,11,4], weight=am+0x1500 f32[1,1,4,16], bias=am+0x1600 f32[16], accumulator=am+0x0 f32[1,6,6,16], phase=finish stride=2,2 dilation=1,1 pad_begin=0,0   @r9   ; c3
.write
  w3    store        dram+0x5d00 f32[1,6,6,16] <- am+0x900 f32[1,6,6,16]   @c4   ; c3

.group 2 single layers=c2 parts=4 reason="tiled alone, about 22336 B and 4851 cycles"
.part 1/4 core 0
.read
  r10   load         sm+0x0 f32[1,4,6,16] <- dram+0x5400 f32[1,4,6,16]{2304,384,64,4}   @c4   ; c2
  r11   load         am+0x0 f32[3,3,16,8] <- dram+0x1480 f32[3,3,16,8]   @w3   ; c2
  r12   load         am+0x1680 f32[8] <- dram+0x2680 f32[8]   ; c2
  r13   load         am+0x1200 f32[1,3,6,8] <- dram+0x5d00 f32[1,3,6,8]{2304,384,64,4}   ; c2
.compute
  c5    conv         am+0x1440 f32[1,3,6,8] <- sm+0x0 f32[1,4,6,16], weight=am+0x0 f32[3,3,16,8], bias=am+0x1680 f32[8], residual=am+0x1200 f32[1,3,6,8], act=relu stride=1,1 dilation=1,1 pad_begin=1,1   @r13   ; c2
.write
  w4    store        dram+0x4b00 f32[1,3,6,8]{2304,384,64,4} <- am+0x1440 f32[1,3,6,8]   @c5   ; c2

.part 2/4 core 0
.read
  r14   load         sm+0x0 f32[1,4,6,16] <- dram+0x5700 f32[1,4,6,16]{2304,384,64,4}   @c5   ; c2
  r15   load         am+0x1200 f32[1,3,6,8] <- dram+0x6180 f32[1,3,6,8]{2304,384,64,4}   ; c2
.compute
  c6    conv         am+0x1440 f32[1,3,6,8] <- sm+0x0 f32[1,4,6,16], weight=am+0x0 f32[3,3,16,8], bias=am+0x1680 f32[8], residual=am+0x1200 f32[1,3,6,8], act=relu stride=1,1 dilation=1,1 pad_begin=0,1   @r15 @w4   ; c2
.write
  w5    store        dram+0x4f80 f32[1,3,6,8]{2304,384,64,4} <- am+0x1440 f32[1,3,6,8]   @c6   ; c2

.part 3/4 core 0
.read
  r16   load         sm+0x0 f32[1,4,6,16] <- dram+0x5400 f32[1,4,6,16]{2304,384,64,4}   @c6   ; c2
  r17   load         am+0x0 f32[3,3,16,8] <- dram+0x26c0 f32[3,3,16,8]   ; c2
  r18   load         am+0x1680 f32[8] <- dram+0x38c0 f32[8]   ; c2
  r19   load         am+0x1200 f32[1,3,6,8] <- dram+0x5d20 f32[1,3,6,8]{2304,384,64,4}   ; c2
.compute
  c7    conv         am+0x1440 f32[1,3,6,8] <- sm+0x0 f32[1,4,6,16], weight=am+0x0 f32[3,3,16,8], bias=am+0x1680 f32[8], residual=am+0x1200 f32[1,3,6,8], act=relu stride=1,1 dilation=1,1 pad_begin=1,1   @r19 @w5   ; c2
.write
  w6    store        dram+0x4b20 f32[1,3,6,8]{2304,384,64,4} <- am+0x1440 f32[1,3,6,8]   @c7   ; c2

.part 4/4 core 0
.read
  r20   load         sm+0x0 f32[1,4,6,16] <- dram+0x5700 f32[1,4,6,16]{2304,384,64,4}   @c7   ; c2
  r21   load         am+0x1200 f32[1,3,6,8] <- dram+0x61a0 f32[1,3,6,8]{2304,384,64,4}   ; c2
.compute
  c8    conv         am+0x1440 f32[1,3,6,8] <- sm+0x0 f32[1,4,6,16], weight=am+0x0 f32[3,3,16,8], bias=am+0x1680 f32[8], residual=am+0x1200 f32[1,3,6,8], act=relu stride=1,1 dilation=1,1 pad_begin=0,1   @r21 @w6   ; c2
.write
  w7    store        dram+0x4fa0 f32[1,3,6,8]{2304,384,64,4} <- am+0x1440 f32[1,3,6,8]   @c8   ; c2
