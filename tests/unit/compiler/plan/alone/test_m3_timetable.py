"""The timetable of a convolution with two buffers: its rows, and that all that is read off it agrees."""

from __future__ import annotations

from collections import Counter
from math import prod

from conv_models import Convolution, convolutions, float_conv, integer_conv
from harness import chip_of, random_networks_settings
from hypothesis import given
from hypothesis import strategies as st

from nnc.compiler.frontend.importer import import_model
from nnc.compiler.ir import layers as ir
from nnc.compiler.ir.conv_buffers import Window
from nnc.compiler.ir.graph import Graph
from nnc.compiler.pipeline import canonicalise
from nnc.compiler.plan.alone.in_two_buffers import candidates, why_not
from nnc.compiler.plan.alone.m3_steps import BufferedSteps
from nnc.compiler.plan.alone.tiled_layer import TiledLayer
from nnc.compiler.plan.alone.two_buffers import BufferedConv, ConvShape, Timetable
from nnc.compiler.plan.place.live_ranges import Touches
from nnc.compiler.plan.place.lockstep import merged, of_all_cores
from nnc.compiler.plan.place.placement import allocate_blocks
from nnc.compiler.plan.step import Load, Store
from nnc.isa.chip.description import Chip
from nnc.isa.instruction import Phase
from nnc.isa.operand import DRAM, Operand, burst_bytes


def graph_of(conv: Convolution, chip: Chip, *, integers: bool = False) -> tuple[Graph, ir.Conv]:
    model = integer_conv(conv)[0] if integers else float_conv(conv)
    graph = canonicalise(import_model(model), chip=chip)
    return graph, next(layer for layer in graph.layers() if isinstance(layer, ir.Conv))


def table_of(conv: Convolution, r: int, pieces: int = 1) -> Timetable:
    graph, layer = graph_of(conv, chip_of("vdsp12"))
    return Timetable(ConvShape(graph, layer), r, conv.channels, pieces, conv.result[2])


def test_one_row_at_a_time() -> None:
    """3 x 3 with padding: a load for each row and half; rows of the result sum over three of them."""
    table = table_of(Convolution(4, 6, pads=(1, 1, 1, 1)), r=1)
    assert [turn.load for turn in table.turns] == [*range(8)]
    assert [turn.source[0][2] for turn in table.turns] == [0, 0, 1, 1, 2, 2, 3, 3]
    phases = [[phase for _, phase in turn.visits] for turn in table.turns[::2]]
    assert phases[0] == [Phase.START, Phase.START]
    assert phases[1] == [Phase.FINISH, Phase.ADD, Phase.START]
    assert table.sum_rows == 3


def test_pieces_of_weights_share_a_load_in_the_first_block_and_the_last() -> None:
    table = table_of(Convolution(6, 6, channels=8), r=2, pieces=4)
    ends = [turn for turn in table.turns if turn.piece is not None]
    assert Counter(turn.load for turn in ends) == {0: 4, 1: 4, 4: 4, 5: 4}
    assert [turn.channels for turn in ends[:8:2]] == [(0, 2), (2, 4), (4, 6), (6, 8)]
    assert {turn.channels for turn in table.turns if turn.piece is None} == {(0, 8)}


def test_rows_of_an_instruction_are_cut() -> None:
    table = table_of(Convolution(12, 6), r=12)
    assert table.tallest == 10
    assert table.cut(10) is table
    assert table.cut(4).tallest == 4
    few, many = (table.vector_bytes(8, 16, rows) for rows in (1, 10))
    assert few < many == table.vector_bytes(8, 16)
    assert table.most_rows_in(many - 1, 8, 16) == 9
    assert table.most_rows_in(few - 1, 8, 16) == 0


@random_networks_settings(60)
@given(conv=convolutions(), r=st.integers(1, 4))
def test_sums_live_as_long_as_a_kernel_reaches(conv: Convolution, r: int) -> None:
    window = Window(conv.kernel[0], conv.stride[0], conv.dilation[0], conv.pads[0], conv.pads[2])
    if min(conv.result) < 1 or any(
        window.inside(y, conv.rows)[0] >= window.inside(y, conv.rows)[1] for y in range(conv.result[2])
    ):
        return
    table = table_of(conv, min(r, conv.rows))
    starts: Counter[int] = Counter()
    for turn in table.turns:
        for visit, phase in turn.visits:
            starts[turn.half.low] += {Phase.START: 1, Phase.FINISH: -1}.get(phase, 0) * (
                visit.high - visit.low
            )
            assert 0 <= starts[turn.half.low] <= table.sum_rows
    assert not any(starts.values())
    if r == 1 and window.dilation == 1:
        assert table.sum_rows <= (window.reach + window.stride - 1) // window.stride + 1


SIZES = {"sm": ("256", "1KiB", "64KiB"), "am": ("8KiB", "16KiB", "64KiB")}


@random_networks_settings(60)
@given(
    conv=convolutions(),
    cores=st.integers(1, 3),
    sizes=st.tuples(*map(st.sampled_from, SIZES.values())),
    integers=st.booleans(),
)
def test_price_and_steps_agree(conv: Convolution, cores: int, sizes: tuple[str, ...], integers: bool) -> None:
    """Bytes are those of the steps, loads as many; every element of a half comes once per pass."""
    if min(conv.result) < 1:
        return
    chip = chip_of("vdsp12", f"cores={cores}", **dict(zip(SIZES, sizes, strict=True)))
    graph, layer = graph_of(conv, chip, integers=integers)
    if why_not(graph, layer, chip):
        return
    for candidate in candidates(graph, layer, chip):
        way = candidate.cut
        assert isinstance(way, BufferedConv)
        tiled = TiledLayer(graph, layer, chip)
        merged_steps = merged([BufferedSteps(tiled, way, core).all() for core in range(way.cores)])
        assert merged_steps is not None
        steps = [*of_all_cores(merged_steps)]
        moved = sum(dram_bytes(graph, chip, s) for s in steps if isinstance(s, Load | Store))
        assert moved == candidate.dram_bytes
        loads = [s for s in steps if isinstance(s, Load) and s.tile.tensor == graph.inputs_of(layer.name)[0]]
        passes, halves = len(way.passes(0)), way.table.shape.halves
        assert len(loads) == candidate.steps
        source = way.table.shape.source.shape
        columns = sum(half.last - half.first for half in halves)
        assert sum(prod(s.tile.type.shape) for s in loads) == passes * prod(source[:3]) * columns
        assert len({s.tile.block.name for s in loads}) == len(halves)
        for memory, allocation in allocate_blocks(Touches(merged_steps), chip).items():
            assert allocation.peak <= candidate.demand[memory], memory


def dram_bytes(graph: Graph, chip: Chip, step: Load | Store) -> int:
    tile = step.tile
    size = tile.type.dtype.itemsize
    if graph.is_constant(tile.tensor):
        return -(-tile.type.nbytes // chip.dram.burst) * chip.dram.burst
    box = graph.storage[tile.tensor].box(tile.low, tile.type.shape)
    strides = tuple(size * stride for stride in box.strides)
    return burst_bytes(
        Operand(DRAM, size * box.offset, tile.type.dtype, tile.type.shape, strides), chip.dram.burst
    )
