.nnc 5
.chip name "vdsp12"
.chip description "twelve vector DSP cores with scalar memory SM and vector memory AM (M2, M3)"
.chip cores 1
.chip split_bytes 8192
.chip clock_mhz 1000
.chip dram {"bytes_per_cycle": 24, "latency": 100, "burst": 64, "align": 1, "bytes": 4294967296}
.chip dma {"broadcast": true, "in_flight": 4, "move_bytes_per_cycle": 64, "align": 1}
.chip memory {"sm": {"bytes": 4096, "align": 64, "word": 16}, "am": {"bytes": 786432, "align": 64, "word": 16}}
.chip operands {"default": {"feature": {"memories": ["am"]}, "weight": {"memories": ["am"]}, "result": {"memories": ["am"]}, "accumulator": {"memories": ["am"]}}, "conv": {"feature": {"memories": ["sm"]}}, "depthwise": {"feature": {"memories": ["am"]}}, "gemm": {"feature": {"memories": ["sm"]}}, "copy": {"feature": {"memories": ["am", "sm"]}, "result": {"memories": ["am", "sm"]}}}
.chip compute {"issue": 16, "result_bytes_per_cycle": 64, "map": "channels", "arrays": {"i8": ["128x3"], "f16": ["64x3"], "f32": ["32x3"]}, "depthwise": {"i8": 384, "f16": 192, "f32": 96}, "elementwise": {"i8": 128, "f16": 64, "f32": 32}}
.chip energy {"mac": {"i8": 0.3, "f16": 2.0, "f32": 4.6}, "operation": {"i8": 0.03, "f16": 0.4, "f32": 0.9}, "memory": {"sm": {"read": 3.5, "write": 3.5}, "am": {"read": 11.0, "write": 11.0}}, "dram": 100.0, "broadcast": 5.0, "static": 700.0}
.chip area {"unit": {"i8": 0.0004, "f16": 0.006, "f32": 0.012}, "kib": 0.005, "core": 0.5, "shared": 2.0}
.dram 28800
.constants file="m3.conv-224x224x64.vdsp12.constants" bytes=18432 crc=0xe8c2716e
.tensor input input dram+0x4800 f32[1,64,6,6]{9216,4,1536,256}
.tensor output output dram+0x6c00 f32[1,8,6,6]{1152,4,192,32}
.tensor conv1.weight constant dram+0x0 f32[64,3,3,8]
.fact floor_bytes 28800
.fact macs 131072
.fact peak_floor_cycles 1366
.fact compute_floor_cycles 5632
.fact dram_floor_cycles 1200
.fact predicted_cycles 7673
.fact predicted_dram_bytes 32256
.fact estimated_cycles 7672
.fact estimated_dram_bytes 32256
.fact group_0_estimated_dram_bytes 32256
.fact group_0_estimated_cycles 7672
.fact group_0_digest 729644433315450802
.fact digest_of_ports 2030992009

.group 0 single layers=conv1 parts=12 reason="buffers m3: t 6 = 3 + 3, w1 5, w2 5, r 1, 6 blocks; about 32256 B and 7672 cycles"
.part 1/12 core 0
.read
  r0    load         am+0x0 f32[64,3,3,8] <- dram+0x0 f32[64,3,3,8]   ; conv1 = conv1.weight+0{9,3,1,576} conv1.weight+0{9,3,1,576}
  r1    load         sm+0x4 f32[1,1,4,64]{1280,20,4,20} <- dram+0x4800 f32[1,1,4,64]{9216,1536,256,4}   ; conv1 = input+0{2304,384,64,1} input+0{2304,384,64,1}
.compute
  c0    conv         <- sm+0x4 f32[1,1,4,64]{1280,20,4,20}, weight=am+0x60 f32[1,3,64,8]{96,32,288,4}, accumulator=am+0x4800 f32[1,1,3,8], phase=start stride=1,1 dilation=1,1 pad_begin=0,1   @r1   ; conv1 = input+0{2304,384,64,1} conv1.weight+3{3,1,9,576} "output (sums)"+0{288,48,8,1}
  c1    conv         <- sm+0x4 f32[1,1,4,64]{1280,20,4,20}, weight=am+0x0 f32[1,3,64,8]{96,32,288,4}, accumulator=am+0x4880 f32[1,1,3,8], phase=start stride=1,1 dilation=1,1 pad_begin=0,1   ; conv1 = input+0{2304,384,64,1} conv1.weight+0{3,1,9,576} "output (sums)"+48{288,48,8,1}

.part 2/12 core 0
.read
  r2    load         sm+0x500 f32[1,1,4,64]{1280,20,4,20} <- dram+0x4a00 f32[1,1,4,64]{9216,1536,256,4}   ; conv1 = input+128{2304,384,64,1} input+128{2304,384,64,1}
.compute
  c2    conv         <- sm+0x500 f32[1,1,4,64]{1280,20,4,20}, weight=am+0x60 f32[1,3,64,8]{96,32,288,4}, accumulator=am+0x4900 f32[1,1,3,8], phase=start stride=1,1 dilation=1,1 pad_begin=0,0   @r2   ; conv1 = input+128{2304,384,64,1} conv1.weight+3{3,1,9,576} "output (sums)"+24{288,48,8,1}
  c3    conv         <- sm+0x500 f32[1,1,4,64]{1280,20,4,20}, weight=am+0x0 f32[1,3,64,8]{96,32,288,4}, accumulator=am+0x4980 f32[1,1,3,8], phase=start stride=1,1 dilation=1,1 pad_begin=0,0   ; conv1 = input+128{2304,384,64,1} conv1.weight+0{3,1,9,576} "output (sums)"+72{288,48,8,1}

.part 3/12 core 0
.read
  r3    load         sm+0x4 f32[1,1,4,64]{1280,20,4,20} <- dram+0x4e00 f32[1,1,4,64]{9216,1536,256,4}   @c1   ; conv1 = input+384{2304,384,64,1} input+384{2304,384,64,1}
.compute
  c4    conv         am+0x4a00 f32[1,1,3,8] <- sm+0x4 f32[1,1,4,64]{1280,20,4,20}, weight=am+0xc0 f32[1,3,64,8]{96,32,288,4}, accumulator=am+0x4800 f32[1,1,3,8], phase=finish stride=1,1 dilation=1,1 pad_begin=0,1   @r3   ; conv1 = input+384{2304,384,64,1} conv1.weight+6{3,1,9,576} output+0{288,48,8,1} "output (sums)"+0{288,48,8,1}
  c5    conv         <- sm+0x4 f32[1,1,4,64]{1280,20,4,20}, weight=am+0x60 f32[1,3,64,8]{96,32,288,4}, accumulator=am+0x4880 f32[1,1,3,8], phase=add stride=1,1 dilation=1,1 pad_begin=0,1   ; conv1 = input+384{2304,384,64,1} conv1.weight+3{3,1,9,576} "output (sums)"+48{288,48,8,1}
  c6    conv         <- sm+0x4 f32[1,1,4,64]{1280,20,4,20}, weight=am+0x0 f32[1,3,64,8]{96,32,288,4}, accumulator=am+0x4800 f32[1,1,3,8], phase=start stride=1,1 dilation=1,1 pad_begin=0,1   ; conv1 = input+384{2304,384,64,1} conv1.weight+0{3,1,9,576} "output (sums)"+96{288,48,8,1}
.write
  w0    store        dram+0x6c00 f32[1,1,3,8]{1152,192,32,4} <- am+0x4a00 f32[1,1,3,8]   @c4   ; conv1 = output+0{288,48,8,1} output+0{288,48,8,1}

.part 4/12 core 0
.read
  r4    load         sm+0x500 f32[1,1,4,64]{1280,20,4,20} <- dram+0x5000 f32[1,1,4,64]{9216,1536,256,4}   @c3   ; conv1 = input+512{2304,384,64,1} input+512{2304,384,64,1}
.compute
  c7    conv         am+0x4a80 f32[1,1,3,8] <- sm+0x500 f32[1,1,4,64]{1280,20,4,20}, weight=am+0xc0 f32[1,3,64,8]{96,32,288,4}, accumulator=am+0x4900 f32[1,1,3,8], phase=finish stride=1,1 dilation=1,1 pad_begin=0,0   @r4   ; conv1 = input+512{2304,384,64,1} conv1.weight+6{3,1,9,576} output+24{288,48,8,1} "output (sums)"+24{288,48,8,1}
  c8    conv         <- sm+0x500 f32[1,1,4,64]{1280,20,4,20}, weight=am+0x60 f32[1,3,64,8]{96,32,288,4}, accumulator=am+0x4980 f32[1,1,3,8], phase=add stride=1,1 dilation=1,1 pad_begin=0,0   ; conv1 = input+512{2304,384,64,1} conv1.weight+3{3,1,9,576} "output (sums)"+72{288,48,8,1}
  c9    conv         <- sm+0x500 f32[1,1,4,64]{1280,20,4,20}, weight=am+0x0 f32[1,3,64,8]{96,32,288,4}, accumulator=am+0x4900 f32[1,1,3,8], phase=start stride=1,1 dilation=1,1 pad_begin=0,0   ; conv1 = input+512{2304,384,64,1} conv1.weight+0{3,1,9,576} "output (sums)"+120{288,48,8,1}
.write
  w1    store        dram+0x6c60 f32[1,1,3,8]{1152,192,32,4} <- am+0x4a80 f32[1,1,3,8]   @c7   ; conv1 = output+24{288,48,8,1} output+24{288,48,8,1}

.part 5/12 core 0
.read
  r5    load         sm+0x4 f32[1,1,4,64]{1280,20,4,20} <- dram+0x5400 f32[1,1,4,64]{9216,1536,256,4}   @c6   ; conv1 = input+768{2304,384,64,1} input+768{2304,384,64,1}
.compute
  c10   conv         am+0x4b00 f32[1,1,3,8] <- sm+0x4 f32[1,1,4,64]{1280,20,4,20}, weight=am+0xc0 f32[1,3,64,8]{96,32,288,4}, accumulator=am+0x4880 f32[1,1,3,8], phase=finish stride=1,1 dilation=1,1 pad_begin=0,1   @r5   ; conv1 = input+768{2304,384,64,1} conv1.weight+6{3,1,9,576} output+48{288,48,8,1} "output (sums)"+48{288,48,8,1}
  c11   conv         <- sm+0x4 f32[1,1,4,64]{1280,20,4,20}, weight=am+0x60 f32[1,3,64,8]{96,32,288,4}, accumulator=am+0x4800 f32[1,1,3,8], phase=add stride=1,1 dilation=1,1 pad_begin=0,1   ; conv1 = input+768{2304,384,64,1} conv1.weight+3{3,1,9,576} "output (sums)"+96{288,48,8,1}
  c12   conv         <- sm+0x4 f32[1,1,4,64]{1280,20,4,20}, weight=am+0x0 f32[1,3,64,8]{96,32,288,4}, accumulator=am+0x4880 f32[1,1,3,8], phase=start stride=1,1 dilation=1,1 pad_begin=0,1   ; conv1 = input+768{2304,384,64,1} conv1.weight+0{3,1,9,576} "output (sums)"+144{288,48,8,1}
.write
  w2    store        dram+0x6cc0 f32[1,1,3,8]{1152,192,32,4} <- am+0x4b00 f32[1,1,3,8]   @c10   ; conv1 = output+48{288,48,8,1} output+48{288,48,8,1}

.part 6/12 core 0
.read
  r6    load         sm+0x500 f32[1,1,4,64]{1280,20,4,20} <- dram+0x5600 f32[1,1,4,64]{9216,1536,256,4}   @c9   ; conv1 = input+896{2304,384,64,1} input+896{2304,384,64,1}
.compute
  c13   conv         am+0x4b80 f32[1,1,3,8] <- sm+0x500 f32[1,1,4,64]{1280,20,4,20}, weight=am+0xc0 f32[1,3,64,8]{96,32,288,4}, accumulator=am+0x4980 f32[1,1,3,8], phase=finish stride=1,1 dilation=1,1 pad_begin=0,0   @r6   ; conv1 = input+896{2304,384,64,1} conv1.weight+6{3,1,9,576} output+72{288,48,8,1} "output (sums)"+72{288,48,8,1}
  c14   conv         <- sm+0x500 f32[1,1,4,64]{1280,20,4,20}, weight=am+0x60 f32[1,3,64,8]{96,32,288,4}, accumulator=am+0x4900 f32[1,1,3,8], phase=add stride=1,1 dilation=1,1 pad_begin=0,0   ; conv1 = input+896{2304,384,64,1} conv1.weight+3{3,1,9,576} "output (sums)"+120{288,48,8,1}
  c15   conv         <- sm+0x500 f32[1,1,4,64]{1280,20,4,20}, weight=am+0x0 f32[1,3,64,8]{96,32,288,4}, accumulator=am+0x4980 f32[1,1,3,8], phase=start stride=1,1 dilation=1,1 pad_begin=0,0   ; conv1 = input+896{2304,384,64,1} conv1.weight+0{3,1,9,576} "output (sums)"+168{288,48,8,1}
.write
  w3    store        dram+0x6d20 f32[1,1,3,8]{1152,192,32,4} <- am+0x4b80 f32[1,1,3,8]   @c13   ; conv1 = output+72{288,48,8,1} output+72{288,48,8,1}

.part 7/12 core 0
.read
  r7    load         sm+0x4 f32[1,1,4,64]{1280,20,4,20} <- dram+0x5a00 f32[1,1,4,64]{9216,1536,256,4}   @c12   ; conv1 = input+1152{2304,384,64,1} input+1152{2304,384,64,1}
.compute
  c16   conv         am+0x4c00 f32[1,1,3,8] <- sm+0x4 f32[1,1,4,64]{1280,20,4,20}, weight=am+0xc0 f32[1,3,64,8]{96,32,288,4}, accumulator=am+0x4800 f32[1,1,3,8], phase=finish stride=1,1 dilation=1,1 pad_begin=0,1   @r7   ; conv1 = input+1152{2304,384,64,1} conv1.weight+6{3,1,9,576} output+96{288,48,8,1} "output (sums)"+96{288,48,8,1}
  c17   conv         <- sm+0x4 f32[1,1,4,64]{1280,20,4,20}, weight=am+0x60 f32[1,3,64,8]{96,32,288,4}, accumulator=am+0x4880 f32[1,1,3,8], phase=add stride=1,1 dilation=1,1 pad_begin=0,1   ; conv1 = input+1152{2304,384,64,1} conv1.weight+3{3,1,9,576} "output (sums)"+144{288,48,8,1}
  c18   conv         <- sm+0x4 f32[1,1,4,64]{1280,20,4,20}, weight=am+0x0 f32[1,3,64,8]{96,32,288,4}, accumulator=am+0x4800 f32[1,1,3,8], phase=start stride=1,1 dilation=1,1 pad_begin=0,1   ; conv1 = input+1152{2304,384,64,1} conv1.weight+0{3,1,9,576} "output (sums)"+192{288,48,8,1}
.write
  w4    store        dram+0x6d80 f32[1,1,3,8]{1152,192,32,4} <- am+0x4c00 f32[1,1,3,8]   @c16   ; conv1 = output+96{288,48,8,1} output+96{288,48,8,1}

.part 8/12 core 0
.read
  r8    load         sm+0x500 f32[1,1,4,64]{1280,20,4,20} <- dram+0x5c00 f32[1,1,4,64]{9216,1536,256,4}   @c15   ; conv1 = input+1280{2304,384,64,1} input+1280{2304,384,64,1}
.compute
  c19   conv         am+0x4a00 f32[1,1,3,8] <- sm+0x500 f32[1,1,4,64]{1280,20,4,20}, weight=am+0xc0 f32[1,3,64,8]{96,32,288,4}, accumulator=am+0x4900 f32[1,1,3,8], phase=finish stride=1,1 dilation=1,1 pad_begin=0,0   @r8 @w0   ; conv1 = input+1280{2304,384,64,1} conv1.weight+6{3,1,9,576} output+120{288,48,8,1} "output (sums)"+120{288,48,8,1}
  c20   conv         <- sm+0x500 f32[1,1,4,64]{1280,20,4,20}, weight=am+0x60 f32[1,3,64,8]{96,32,288,4}, accumulator=am+0x4980 f32[1,1,3,8], phase=add stride=1,1 dilation=1,1 pad_begin=0,0   ; conv1 = input+1280{2304,384,64,1} conv1.weight+3{3,1,9,576} "output (sums)"+168{288,48,8,1}
  c21   conv         <- sm+0x500 f32[1,1,4,64]{1280,20,4,20}, weight=am+0x0 f32[1,3,64,8]{96,32,288,4}, accumulator=am+0x4900 f32[1,1,3,8], phase=start stride=1,1 dilation=1,1 pad_begin=0,0   ; conv1 = input+1280{2304,384,64,1} conv1.weight+0{3,1,9,576} "output (sums)"+216{288,48,8,1}
.write
  w5    store        dram+0x6de0 f32[1,1,3,8]{1152,192,32,4} <- am+0x4a00 f32[1,1,3,8]   @c19   ; conv1 = output+120{288,48,8,1} output+120{288,48,8,1}

.part 9/12 core 0
.read
  r9    load         sm+0x4 f32[1,1,4,64]{1280,20,4,20} <- dram+0x6000 f32[1,1,4,64]{9216,1536,256,4}   @c18   ; conv1 = input+1536{2304,384,64,1} input+1536{2304,384,64,1}
.compute
  c22   conv         am+0x4a80 f32[1,1,3,8] <- sm+0x4 f32[1,1,4,64]{1280,20,4,20}, weight=am+0xc0 f32[1,3,64,8]{96,32,288,4}, accumulator=am+0x4880 f32[1,1,3,8], phase=finish stride=1,1 dilation=1,1 pad_begin=0,1   @r9 @w1   ; conv1 = input+1536{2304,384,64,1} conv1.weight+6{3,1,9,576} output+144{288,48,8,1} "output (sums)"+144{288,48,8,1}
  c23   conv         <- sm+0x4 f32[1,1,4,64]{1280,20,4,20}, weight=am+0x60 f32[1,3,64,8]{96,32,288,4}, accumulator=am+0x4800 f32[1,1,3,8], phase=add stride=1,1 dilation=1,1 pad_begin=0,1   ; conv1 = input+1536{2304,384,64,1} conv1.weight+3{3,1,9,576} "output (sums)"+192{288,48,8,1}
  c24   conv         <- sm+0x4 f32[1,1,4,64]{1280,20,4,20}, weight=am+0x0 f32[1,3,64,8]{96,32,288,4}, accumulator=am+0x4880 f32[1,1,3,8], phase=start stride=1,1 dilation=1,1 pad_begin=0,1   ; conv1 = input+1536{2304,384,64,1} conv1.weight+0{3,1,9,576} "output (sums)"+240{288,48,8,1}
.write
  w6    store        dram+0x6e40 f32[1,1,3,8]{1152,192,32,4} <- am+0x4a80 f32[1,1,3,8]   @c22   ; conv1 = output+144{288,48,8,1} output+144{288,48,8,1}

.part 10/12 core 0
.read
  r10   load         sm+0x500 f32[1,1,4,64]{1280,20,4,20} <- dram+0x6200 f32[1,1,4,64]{9216,1536,256,4}   @c21   ; conv1 = input+1664{2304,384,64,1} input+1664{2304,384,64,1}
.compute
  c25   conv         am+0x4b00 f32[1,1,3,8] <- sm+0x500 f32[1,1,4,64]{1280,20,4,20}, weight=am+0xc0 f32[1,3,64,8]{96,32,288,4}, accumulator=am+0x4980 f32[1,1,3,8], phase=finish stride=1,1 dilation=1,1 pad_begin=0,0   @r10 @w2   ; conv1 = input+1664{2304,384,64,1} conv1.weight+6{3,1,9,576} output+168{288,48,8,1} "output (sums)"+168{288,48,8,1}
  c26   conv         <- sm+0x500 f32[1,1,4,64]{1280,20,4,20}, weight=am+0x60 f32[1,3,64,8]{96,32,288,4}, accumulator=am+0x4900 f32[1,1,3,8], phase=add stride=1,1 dilation=1,1 pad_begin=0,0   ; conv1 = input+1664{2304,384,64,1} conv1.weight+3{3,1,9,576} "output (sums)"+216{288,48,8,1}
  c27   conv         <- sm+0x500 f32[1,1,4,64]{1280,20,4,20}, weight=am+0x0 f32[1,3,64,8]{96,32,288,4}, accumulator=am+0x4980 f32[1,1,3,8], phase=start stride=1,1 dilation=1,1 pad_begin=0,0   ; conv1 = input+1664{2304,384,64,1} conv1.weight+0{3,1,9,576} "output (sums)"+264{288,48,8,1}
.write
  w7    store        dram+0x6ea0 f32[1,1,3,8]{1152,192,32,4} <- am+0x4b00 f32[1,1,3,8]   @c25   ; conv1 = output+168{288,48,8,1} output+168{288,48,8,1}

.part 11/12 core 0
.read
  r11   load         sm+0x4 f32[1,1,4,64]{1280,20,4,20} <- dram+0x6600 f32[1,1,4,64]{9216,1536,256,4}   @c24   ; conv1 = input+1920{2304,384,64,1} input+1920{2304,384,64,1}
.compute
  c28   conv         am+0x4b80 f32[1,1,3,8] <- sm+0x4 f32[1,1,4,64]{1280,20,4,20}, weight=am+0xc0 f32[1,3,64,8]{96,32,288,4}, accumulator=am+0x4800 f32[1,1,3,8], phase=finish stride=1,1 dilation=1,1 pad_begin=0,1   @r11 @w3   ; conv1 = input+1920{2304,384,64,1} conv1.weight+6{3,1,9,576} output+192{288,48,8,1} "output (sums)"+192{288,48,8,1}
  c29   conv         am+0x4800 f32[1,1,3,8] <- sm+0x4 f32[1,1,4,64]{1280,20,4,20}, weight=am+0x60 f32[1,3,64,8]{96,32,288,4}, accumulator=am+0x4880 f32[1,1,3,8], phase=finish stride=1,1 dilation=1,1 pad_begin=0,1   ; conv1 = input+1920{2304,384,64,1} conv1.weight+3{3,1,9,576} output+240{288,48,8,1} "output (sums)"+240{288,48,8,1}
.write
  w8    store        dram+0x6f00 f32[1,1,3,8]{1152,192,32,4} <- am+0x4b80 f32[1,1,3,8]   @c28   ; conv1 = output+192{288,48,8,1} output+192{288,48,8,1}
  w9    store        dram+0x6fc0 f32[1,1,3,8]{1152,192,32,4} <- am+0x4800 f32[1,1,3,8]   @c29   ; conv1 = output+240{288,48,8,1} output+240{288,48,8,1}

.part 12/12 core 0
.read
  r12   load         sm+0x500 f32[1,1,4,64]{1280,20,4,20} <- dram+0x6800 f32[1,1,4,64]{9216,1536,256,4}   @c27   ; conv1 = input+2048{2304,384,64,1} input+2048{2304,384,64,1}
.compute
  c30   conv         am+0x4880 f32[1,1,3,8] <- sm+0x500 f32[1,1,4,64]{1280,20,4,20}, weight=am+0xc0 f32[1,3,64,8]{96,32,288,4}, accumulator=am+0x4900 f32[1,1,3,8], phase=finish stride=1,1 dilation=1,1 pad_begin=0,0   @r12   ; conv1 = input+2048{2304,384,64,1} conv1.weight+6{3,1,9,576} output+216{288,48,8,1} "output (sums)"+216{288,48,8,1}
  c31   conv         am+0x4900 f32[1,1,3,8] <- sm+0x500 f32[1,1,4,64]{1280,20,4,20}, weight=am+0x60 f32[1,3,64,8]{96,32,288,4}, accumulator=am+0x4980 f32[1,1,3,8], phase=finish stride=1,1 dilation=1,1 pad_begin=0,0   ; conv1 = input+2048{2304,384,64,1} conv1.weight+3{3,1,9,576} output+264{288,48,8,1} "output (sums)"+264{288,48,8,1}
.write
  w10   store        dram+0x6f60 f32[1,1,3,8]{1152,192,32,4} <- am+0x4880 f32[1,1,3,8]   @c30   ; conv1 = output+216{288,48,8,1} output+216{288,48,8,1}
  w11   store        dram+0x7020 f32[1,1,3,8]{1152,192,32,4} <- am+0x4900 f32[1,1,3,8]   @c31   ; conv1 = output+264{288,48,8,1} output+264{288,48,8,1}
