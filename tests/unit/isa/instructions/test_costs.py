"""What instructions cost in figures: words of memory, the result port, groups, lanes along pixels."""

from __future__ import annotations

import pytest

from nnc.isa.assembly.assembler import parse_instruction
from nnc.isa.chip.description import Chip
from nnc.isa.chip.load import load_chip
from nnc.isa.codec.scanner import Scanner
from nnc.isa.timing.cost import cycles, dram_bytes

NPU = load_chip("npu")
PIXELS = load_chip("npu", ["compute.map=pixels", "compute.arrays.i8=['64x1']", "compute.depthwise.i8=64"])


def cost(text: str, chip: Chip = NPU) -> int:
    """Cycles without the issue cost."""
    return cycles(parse_instruction(Scanner(text, "")), chip) - chip.compute.issue


# --- transposed convolutions --------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("rows", "source", "pixels"), [(96, 48, 48), (8, 8, 4), (1, 5, 5 / 9), (3, 6, 14 / 9)]
)
def test_what_would_land_outside_a_tile_of_a_transposed_convolution_is_not_computed(
    rows: int, source: int, pixels: float
) -> None:
    """Of 9 taps in steps of 2, a row takes 5 or 4; a whole result takes every tap of every pixel."""
    text = (
        f"conv_transpose sram+0x8000 f32[1,{rows},96,1] <- sram+0x0 f32[1,{source},48,4], "
        "weight=sram+0x4000 f32[9,9,4,1], stride=2,2 dilation=1,1 pad_begin=4,4"
    )
    assert cost(text) == -(-round(48 * pixels * 81) // 81 // 32) * 81 * 4


# --- weights in blocks --------------------------------------------------------------------------------------


@pytest.mark.parametrize(("bits", "rows", "products"), [(4, 160, 2048), (2, 96, 2048), (8, 288, 256)])
def test_weights_of_few_bits_run_on_array_shapes_of_their_own(bits: int, rows: int, products: int) -> None:
    """If the chip has such; products are those of a cycle."""
    text = (
        "block_gemm sram+0x8000 f32[32,64] <- sram+0x0 f32[32,256], "
        f"weight=sram+0x10000 u8[{rows},64], bits={bits} block=32 scale_bytes=4 weight_zero=2"
    )
    assert cost(text) == 32 * 64 * 256 // 256
    assert cost(text, load_chip("npu", ['compute.arrays.i4=["64x32"]'])) == 32 * 64 * 256 // products


# --- words -------------------------------------------------------------------------------------------------


def test_a_transposing_copy_takes_a_word_for_each_element() -> None:
    assert cost("copy sram+0x4000 f32[64,32] <- sram+0x0 f32[64,32]") == 64 * 32 * 4 // 64
    assert cost("copy sram+0x4000 f32[64,32] <- sram+0x0 f32[64,32]{4,256}") == 64 * 32 * 16 // 64
    assert cost("copy sram+0x4000 f32[64,32]{4,256} <- sram+0x0 f32[64,32]") == 64 * 32 * 16 // 64


def test_a_copy_to_the_same_transposed_layout_does_not() -> None:
    text = "copy sram+0x4000 f32[64,32]{4,256} <- sram+0x0 f32[64,32]{4,256}"
    assert cost(text) == 64 * 32 * 4 // 64


def test_every_run_takes_whole_words() -> None:
    """Lines of 20 bytes in a block of longer ones: two words each."""
    assert cost("copy sram+0x4000 f32[100,5]{64,4} <- sram+0x0 f32[100,5]{64,4}") == 100 * 32 // 64
    fine = load_chip("npu", ["memory.sram.word=4"])
    assert cost("copy sram+0x4000 f32[100,5]{64,4} <- sram+0x0 f32[100,5]{64,4}", fine) == -(-2000 // 64)


def test_a_copy_between_memories_asks_each_for_its_words() -> None:
    chip = load_chip("vdsp12", ["memory.sm.word=4"])
    assert cost("copy sm+0x0 f32[64]{64} <- am+0x0 f32[64]", chip) == 64 * 4 // 64
    assert cost("copy am+0x0 f32[64]{64} <- sm+0x0 f32[64]", chip) == 64 * 16 // 64


def test_a_gather_along_the_innermost_axis_takes_a_word_for_each_element() -> None:
    index = "index=sram+0x8000 i64[8]"
    assert cost(f"gather sram+0x4000 f32[8,64] <- sram+0x0 f32[16,64], {index}, axis=0 extent=16") == 8 * 4
    assert cost(f"gather sram+0x4000 f32[64,8] <- sram+0x0 f32[64,16], {index}, axis=1 extent=16") == 128
    assert cost(f"gather sram+0x4000 f32[64,8] <- sram+0x0 f32[64,16], {index}, axis=-1 extent=16") == 128
    each = "gather_elements sram+0x4000 f32[4,64] <- sram+0x0 f32[16,64], index=sram+0x8000 i32[4,64], axis=0"
    assert cost(each) == 4 * 64 * 16 // 64


def test_positions_are_selected_or_sorted() -> None:
    once = cost("argmax sram+0x1000 i64[16,1] <- sram+0x0 f32[16,64], axis=1")
    assert cost("argmax sram+0x1000 i64[16,3] <- sram+0x0 f32[16,64], axis=1 count=3") == 3 * once
    assert cost("argmax sram+0x1000 i64[16,24] <- sram+0x0 f32[16,64], axis=1 count=24") == 6 * 7 // 2 * once


def test_a_scatter_is_a_copy_and_a_move_of_its_updates() -> None:
    rows = "scatter sram+0x4000 f32[16,64] <- sram+0x0 f32[16,64], index=sram+0x8000 i64[4,1]"
    assert cost(f"{rows} updates=sram+0x9000 f32[4,64], axis=0") == 16 * 4 + 4 * 4
    each = "scatter sram+0x4000 f32[16,64] <- sram+0x0 f32[16,64], index=sram+0x8000 i32[16,4]"
    assert cost(f"{each} updates=sram+0x9000 f32[16,4], axis=1") == 16 * 4 + 16 * 4 * 16 // 64


def test_every_step_of_a_recurrence_waits_for_the_one_before() -> None:
    rows = "recurrence sram+0x9000 f32[16,4,32] <- sram+0x0 f32[16,4,{n}], weight=sram+0x4000 f32[32,{n}], "
    product, functions = 32 * 128 // 64, 9 * 4 * 32 // 32
    assert cost(f"{rows.format(n=128)}cell=lstm") == 16 * (product + functions + 2 * 32)
    gru = f"{rows.format(n=96)}cell=gru"
    assert cost(gru) == 16 * (32 + 32 + functions + 4 * 32)
    rnn = rows.replace("16,4,{n}", "16,4,32").replace("32,{n}", "32,32") + "cell=rnn_tanh"
    assert cost(rnn) == 16 * (32 + 32)  # its function is in the epilogue
    apart = gru.replace("sram", "am")
    assert cost(apart, load_chip("vdsp12")) == 16 * (2 * 64 + 32 * 2 + functions + 2 * 8 + 6 * 16)


def test_fills_and_pads_of_narrow_columns_take_words() -> None:
    assert cost("fill sram+0x0 f32[58,1]{232,4}, value=0.0") == 58 * 16 // 64 + 1
    text = (
        "pad sram+0x4000 f32[32,8]{4,128} <- sram+0x0 f32[30,8], mode=constant value=0.0 begin=1,0 "
        "origin=0,0 src_origin=0,0 src_extent=30,8"
    )
    assert cost(text) == 30 * 8 * 16 // 64


def test_vector_operands_with_short_runs_take_words() -> None:
    """The vector unit takes 8 words of 16 bytes in a cycle: 32 elements in a row, or 8 that lie apart."""
    assert cost("elementwise sram+0x4000 f32[64,32] <- sram+0x0 f32[64,32], function=relu") == 64
    assert cost("elementwise sram+0x4000 f32[64,32] <- sram+0x0 f32[64,32]{4,256}, function=relu") == 256
    assert cost("softmax sram+0x4000 f32[64,32]{4,256} <- sram+0x0 f32[64,32]{4,256}, axis=1") == 3 * 64
    fold = "function=sum axes=1 count=1"
    assert cost(f"reduce sram+0x4000 f32[64,1]{{64,4}} <- sram+0x0 f32[64,2], {fold}") == 64 * 4 // 32
    pool = "function=max kernel=1,1 stride=1,2 dilation=1,1 pad_begin=0,0 pad_end=0,0"
    assert cost(f"pool sram+0x4000 f32[1,32,16,1] <- sram+0x0 f32[1,32,32,1], {pool}") == 32 * 16 * 4 // 32
    assert cost(f"pool sram+0x4000 f32[1,32,16,8] <- sram+0x0 f32[1,32,32,8], {pool}") == 32 * 16 * 8 // 32


def test_an_element_that_repeats_along_the_innermost_axis_is_read_once() -> None:
    text = "elementwise sram+0x4000 f32[64,32] <- sram+0x0 f32[64,32], sram+0x8000 f32[64,1], function=add"
    assert cost(text) == 64
    text = "elementwise sram+0x4000 f32[64,2] <- sram+0x0 f32[64,2], sram+0x8000 f32[2], function=add"
    assert cost(text) == 64 * 4 // 32  # a word of it for each of 64 lines


def test_resizing_the_innermost_axis_is_a_gather() -> None:
    rest = "coordinates=asymmetric nearest=floor origin=0,0 src_origin=0,0"
    rows = f"mode=nearest {rest} scales=2.0,1.0 extent=64,32 src_extent=32,32"
    columns = f"mode=nearest {rest} scales=1.0,2.0 extent=32,64 src_extent=32,32"
    assert cost(f"resize sram+0x4000 f32[64,32] <- sram+0x0 f32[32,32], {rows}") == 64
    assert cost(f"resize sram+0x4000 f32[32,64] <- sram+0x0 f32[32,32], {columns}") == 256


# --- the array ---------------------------------------------------------------------------------------------

ONE = "stride=1,1 dilation=1,1 pad_begin=0,0"


def test_results_leave_the_array_through_a_port() -> None:
    """A 1 × 1 convolution of 8 channels: the products take 32 cycles, the results 64, with a residual 128."""
    base = "conv sram+0x8000 f32[1,8,8,16] <- sram+0x0 f32[1,8,8,8], weight=sram+0x4000 f32[1,1,8,16]"
    assert cost(f"{base}, {ONE}") == 64
    assert cost(f"{base}, residual=sram+0x9000 f32[1,8,8,16], {ONE}") == 128
    assert cost(f"{base}, {ONE}", load_chip("npu", ["compute.result_bytes_per_cycle=1024"])) == 32
    deep = "conv sram+0x8000 f32[1,8,8,16] <- sram+0x0 f32[1,8,8,32], weight=sram+0x4000 f32[1,1,32,16]"
    assert cost(f"{deep}, {ONE}") == 4 * 32  # behind more products they are hidden


def test_partial_sums_pass_the_port_too() -> None:
    base = "sram+0x0 f32[64,4], weight=sram+0x4000 f32[4,16], accumulator=sram+0x6000 f32[64,16]"
    assert cost(f"gemm <- {base}, phase=start") == 64
    assert cost(f"gemm <- {base}, phase=add") == 128
    assert cost(f"gemm sram+0x8000 f32[64,16] <- {base}, phase=finish") == 128


def test_depthwise_takes_the_better_of_two_rates() -> None:
    text = (
        "conv sram+0x8000 f32[1,8,8,32] <- sram+0x0 f32[1,8,8,32], weight=sram+0x4000 f32[3,3,1,32], "
        "stride=1,1 dilation=1,1 pad_begin=1,1 groups=32"
    )
    assert cost(text) == 32 * 64 * 9 // 64
    slow = load_chip("npu", ["compute.depthwise.f32=1"])
    assert cost(text, slow) == 32 * 2 * 9  # one of 8 lanes works


# --- lanes along pixels ------------------------------------------------------------------------------------


def conv(dst: str, src: str, pad: int = 0, kernel: int = 3, stride: int = 1) -> int:
    """Vectors of a convolution of one channel to one, per tap."""
    text = (
        f"conv sram+0x8000 {dst} <- sram+0x0 {src}, weight=sram+0x4000 i8[{kernel},{kernel},1,1], "
        f"stride={stride},{stride} dilation=1,1 pad_begin={pad},{pad}"
    )
    found, rest = divmod(cost(text, PIXELS), kernel * kernel)
    assert not rest
    return found


def test_rows_of_a_padded_picture_do_not_merge() -> None:
    assert conv("i8[1,8,8,1]", "i8[1,8,8,1]", pad=1) == 8


@pytest.mark.parametrize(("size", "vectors"), [(8, 18), (14, 53), (28, 203), (56, 798)])
def test_stitched_pictures_between_lines_of_zeros_are_one_run(size: int, vectors: int) -> None:
    """16 pictures side by side, a column of zeros behind each and a line above and below: no window pads."""
    width = 16 * (size + 1)
    src = f"i8[1,{size + 2},{width + 2},1]{{{width * (size + 3)},{width},1,1}}"
    assert conv(f"i8[1,{size},{width},1]", src) == vectors


def test_rows_merge_where_both_blocks_step_on_evenly() -> None:
    assert conv("i8[1,8,8,1]", "i8[1,8,8,1]", kernel=1) == 1
    assert conv("i8[1,8,8,1]", "i8[1,10,10,1]") == 8  # the source's rows are longer
    assert conv("i8[1,8,8,1]", "i8[1,10,8,1]{160,8,1,1}", kernel=1) == 1
    assert conv("i8[2,8,8,1]", "i8[2,8,8,1]", kernel=1) == 2
    assert conv("i8[2,8,8,1]", "i8[2,8,8,1]{128,8,1,1}", kernel=1) == 2  # pictures that lie apart
    assert conv("i8[1,4,4,1]", "i8[1,8,8,1]", kernel=1, stride=2) == 4
    assert conv("i8[1,4,4,1]", "i8[1,8,4,1]{64,4,2,1}", kernel=1, stride=2) == 4


def test_channels_come_on_top_of_runs() -> None:
    pool = "function=max kernel=2,2 stride=1,1 dilation=1,1 pad_begin=0,0 pad_end=0,0"
    chip = load_chip("npu", ["compute.map=pixels", "compute.elementwise.i8=64"])
    text = f"pool sram+0x8000 i8[1,7,7,5] <- sram+0x0 i8[1,8,8,5], {pool}"
    assert cost(text, chip) == 7 * 5 * 4
    depthwise = (
        "conv sram+0x8000 i8[1,8,8,5] <- sram+0x0 i8[1,8,8,5], weight=sram+0x4000 i8[3,3,1,5], "
        "stride=1,1 dilation=1,1 pad_begin=1,1 groups=5"
    )
    assert cost(depthwise, PIXELS) == 8 * 5 * 9


def test_rows_of_a_product_run_along_the_lanes() -> None:
    gemm = "gemm sram+0x8000 i8[{b},6,4] <- sram+0x0 i8[{b},6,3], weight=sram+0x4000 i8[{w}3,4]"
    assert cost(gemm.format(b=8, w=""), PIXELS) == 4 * 3  # 48 rows of one matrix
    assert cost(gemm.format(b=8, w="8,"), PIXELS) == 8 * 4 * 3


def test_vector_work_fills_lanes_by_runs() -> None:
    chip = load_chip("npu", ["compute.map=pixels"])
    assert cost("elementwise sram+0x4000 f32[4,33] <- sram+0x0 f32[4,33], function=relu", chip) == 5
    text = "elementwise sram+0x4000 f32[4,33]{192,4} <- sram+0x0 f32[4,33]{192,4}, function=relu"
    assert cost(text, chip) == 8
    assert cost(text, NPU) == 5


# --- transfers ---------------------------------------------------------------------------------------------


def test_a_transfer_takes_at_least_its_on_chip_side() -> None:
    """A load of one repeated element filled 512 KiB in the time of one burst."""
    load = parse_instruction(Scanner("load sram+0x0 f32[131072] <- dram+0x0 f32[131072]{0}", ""))
    assert dram_bytes(load, NPU) == 64
    assert cycles(load, NPU) == 512 * 1024 // 64
    rows = "load_rows sram+0x100 f32[16,64] <- dram+0x0 f32[1000,64]{0,4}, index=sram+0x0 i32[16]"
    assert cycles(parse_instruction(Scanner(rows, "")), NPU) == 16 * 64 * 4 // 64
