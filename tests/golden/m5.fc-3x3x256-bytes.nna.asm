.nnc 5
.chip name "nna"
.chip description "one core, ORAM for the DMA, from there copies to FRAM (features) and WRAM (weights) (M5)"
.chip cores 1
.chip split_bytes 0
.chip clock_mhz 1000
.chip dram {"bytes_per_cycle": 16, "latency": 100, "burst": 64, "align": 64, "bytes": 4294967296}
.chip dma {"broadcast": false, "in_flight": 4, "move_bytes_per_cycle": 64, "align": 64}
.chip memory {"oram": {"bytes": 655360, "align": 64, "word": 16}, "fram": {"bytes": 65536, "align": 64, "word": 16}, "wram": {"bytes": 262144, "align": 64, "word": 16}}
.chip operands {"default": {"feature": {"memories": ["oram"]}, "weight": {"memories": ["oram"]}, "result": {"memories": ["oram"]}, "accumulator": {"memories": ["oram"]}}, "dma": {"feature": {"memories": ["oram"]}, "result": {"memories": ["oram"]}}, "copy": {"feature": {"memories": ["oram"]}, "result": {"memories": ["oram", "fram", "wram"]}}, "conv": {"feature": {"memories": ["fram"], "dtypes": ["u8", "f32"]}, "weight": {"memories": ["wram"], "dtypes": ["u8", "f32"]}}, "gemm": {"feature": {"memories": ["fram"], "dtypes": ["u8", "f32"]}, "weight": {"memories": ["wram"], "dtypes": ["u8", "f32"]}}}
.chip compute {"issue": 32, "result_bytes_per_cycle": 64, "map": "channels", "arrays": {"i8": ["32x32"], "f32": ["16x1"]}, "depthwise": {"i8": 256, "f32": 16}, "elementwise": {"i8": 64, "f16": 32, "f32": 16}}
.chip energy {"mac": {"i8": 0.3, "f16": 2.0, "f32": 4.6}, "operation": {"i8": 0.03, "f16": 0.4, "f32": 0.9}, "memory": {"oram": {"read": 10.0, "write": 10.0}, "fram": {"read": 3.5, "write": 3.5}, "wram": {"read": 6.5, "write": 6.5}}, "dram": 100.0, "broadcast": 5.0, "static": 1000.0}
.chip area {"unit": {"i8": 0.0004, "f16": 0.006, "f32": 0.012}, "kib": 0.005, "core": 0.5, "shared": 2.0}
.dram 41984
.constants file="m5.fc-3x3x256-bytes.nna.constants" bytes=23232 crc=0x56eabc29
.tensor x input dram+0x5ac0 f32[1,256,3,3]{16384,64,12,4} reserved=16384
.tensor y output dram+0xa3c0 u8[1,10] reserved=64
.tensor f.flat.copy0 boundary dram+0x9ac0 u8[1,8,32,3,3]{2304,288,1,96,32}
.tensor s constant dram+0x0 f32[] reserved=64
.tensor z constant dram+0x40 u8[] reserved=64
.tensor w.unsigned.pixels constant dram+0x80 u8[2304,10]
.tensor m.scale constant dram+0x5a80 f32[1] reserved=64
.fact floor_bytes 32275
.fact macs 23040
.fact peak_floor_cycles 23
.fact compute_floor_cycles 2592
.fact dram_floor_cycles 2018
.fact predicted_cycles 5649
.fact predicted_dram_bytes 44288
.fact estimated_cycles 5649
.fact estimated_dram_bytes 44288
.fact group_0_estimated_dram_bytes 18816
.fact group_0_estimated_cycles 2400
.fact group_1_estimated_dram_bytes 25472
.fact group_1_estimated_cycles 3249
.fact group_0_digest 3029483568664127976
.fact group_1_digest 987332040877395320
.fact digest_of_ports 4154455834

.group 0 serial layers=q,f.flat.copy0 parts=1 reason="18816 B of DRAM traffic for 928 cycles of work; activations stay, weights stream once"
.part 1/1 core 0
.read
  r0    load         oram+0x0 f32[256,16] <- dram+0x5ac0 f32[256,16]   ; q = x+0{16,1} x+0{16,1}
  r1    load         oram+0x4900 f32[16] <- dram+0x0 f32[16]   ; q = s+0[]{} s+0[]{}
  r2    load         oram+0x4940 u8[64] <- dram+0x40 u8[64]   ; q = z+0[]{} z+0[]{}
.compute
  c0    elementwise  oram+0x4000 u8[1,256,3,3] <- oram+0x0 f32[1,256,3,3]{16384,64,12,4}, oram+0x4900 f32[1,1,1,1]{0,0,0,0}, oram+0x4940 u8[1,1,1,1]{0,0,0,0}, function=quantize   @r2   ; q = q+0{2304,9,3,1} x+0{4096,16,3,1} s+0{0,0,0,0} z+0{0,0,0,0}
  c1    copy         oram+0x0 u8[1,8,3,3,32] <- oram+0x4000 u8[1,8,3,3,32]{0,288,3,1,9}   ; f = f.flat.copy0+0{2304,288,96,32,1} q+0{0,288,3,1,9}
.write
  w0    store        dram+0x9ac0 u8[1,8,3,3,32] <- oram+0x0 u8[1,8,3,3,32]   @c1   ; f = f.flat.copy0+0{2304,288,96,32,1} f.flat.copy0+0{2304,288,96,32,1}

.group 1 single layers=m parts=1 reason="fc 72 pixels of 32 B = [1,8,3,3,32], 1 group of 72, 2304 B; about 25472 B and 4621 cycles"
.part 1/1 core 0
.read
  r3    load         oram+0x4980 u8[2304,10] <- dram+0x80 u8[2304,10]   ; m = w.unsigned.pixels+0{10,1} w.unsigned.pixels+0{10,1}
  r4    load         oram+0xa380 f32[16] <- dram+0x5a80 f32[16]   ; m = m.scale+0[1]{1} m.scale+0[1]{1}
  r5    load         oram+0x0 u8[1,2304] <- dram+0x9ac0 u8[1,2304]{0,1}   @w0   ; m = f.flat.copy0+0{0,1} f.flat.copy0+0{0,1}
.compute
  c2    copy         wram+0x0 u8[2304,10] <- oram+0x4980 u8[2304,10]   @r3   ; m = w.unsigned.pixels+0{10,1} w.unsigned.pixels+0{10,1}
  c3    copy         wram+0x5a00 f32[1] <- oram+0xa380 f32[1]   @r4   ; m = m.scale+0{1} m.scale+0{1}
  c4    copy         fram+0x0 u8[1,2304] <- oram+0x0 u8[1,2304]   @r5   ; m = f.flat.copy0+0{0,1} f.flat.copy0+0{0,1}
  c5    gemm         oram+0x0 u8[1,10]{64,1} <- fram+0x0 u8[1,2304], weight=wram+0x0 u8[2304,10], scale=wram+0x5a00 f32[1], src_zero=128 weight_zero=128 dst_zero=128   ; m = f.flat.copy0+0{0,1} w.unsigned.pixels+0{10,1} y+0{10,1} m.scale+0{1}
.write
  w1    store        dram+0xa3c0 u8[64] <- oram+0x0 u8[64]   @c5   ; m = y+0{1} y+0{1}
