"""Bytes of line buffers against a model that allocates, moves and frees blocks part by part."""

from __future__ import annotations

from dataclasses import dataclass, field
from itertools import chain

import pytest
from fusion_networks import fused_order, network_of, random_graph
from pass_harness import graph_of

import nnc
from nnc.compiler.ir.required import required
from nnc.compiler.pipeline import canonicalise
from nnc.compiler.plan.fusion.buffer_rows import BufferBytes, BufferRows, Bytes, is_sliding_window
from nnc.compiler.plan.fusion.capacity import Capacity
from nnc.compiler.plan.fusion.cut import Cut, shared_cuts
from nnc.compiler.plan.fusion.fused_order import FusedOrder
from nnc.compiler.plan.fusion.group_cost import Interval
from nnc.compiler.plan.fusion.interval_sweep import Intervals
from nnc.compiler.plan.fusion.row_ranges import RowRanges
from nnc.compiler.plan.infeasible import Infeasible
from nnc.compiler.plan.network.plan_network import PlanNetwork
from nnc.compiler.plan.network.residents import NOTHING, Resident, Residents
from nnc.compiler.tuning import TUNING
from nnc.isa.chip.load import load_chip

CUTS = [Cut(1), Cut(2), Cut(3), Cut(6), Cut(3, recompute=True)]


@dataclass
class Memory:
    """Blocks that are on chip, and the most bytes at each step of each part.

    Attributes:
        moved: bytes of kept rows that a step moves into its tile, and of those that it moves out of tiles.
    """

    blocks: dict[tuple[str, str], int] = field(default_factory=dict)
    peaks: dict[tuple[int, int], int] = field(default_factory=dict)
    moved: dict[tuple[int, int], tuple[int, int]] = field(default_factory=dict)

    def allocate(self, buffer: str, what: str, nbytes: int, moment: tuple[int, int]) -> None:
        self.blocks[buffer, what] = nbytes
        self.look(moment)

    def look(self, moment: tuple[int, int]) -> None:
        self.peaks[moment] = max(self.peaks.get(moment, 0), sum(self.blocks.values()))


def simulated(network: PlanNetwork, ranges: RowRanges, start: int, end: int, cut: Cut) -> Memory:
    """A group that runs: every part, layer by layer, with a tile per buffer that the group computes.

    Kept rows wait in a block of their own, or, where most are kept, in the one block that all tiles share.
    """
    memory = Memory()
    producers = {network.buffer_of(network.defines[p]): p for p in range(end, start - 1, -1)}
    last_use = {buffer: min(network.last_use[buffer], end) for buffer in producers}
    nbytes = {b: network.buffers[b].row_bytes for b in producers}
    held, kept = ({b: f(ranges.rows[b], nbytes[b]) for b in producers} for f in (held_bytes, kept_bytes))
    window = {b: is_sliding_window(kept[b], held[b]) for b in producers}
    for part in range(cut.parts):
        for position in range(start, end + 1):
            moment = (position, part)
            moved_in = 0
            for buffer in (b for b, first in producers.items() if first == position):
                what = "window" if window[buffer] else "tile"
                memory.allocate(
                    buffer, what, int(held[buffer].max() if window[buffer] else held[buffer][part]), moment
                )
                moved_in += memory.blocks.pop((buffer, "kept"), 0)  # to the head of the tile
            memory.look(moment)
            ending = [b for b, last in last_use.items() if last == position]
            tiled = [b for b in ending if not window[b]]
            for buffer in tiled:
                memory.allocate(buffer, "kept", int(kept[buffer][part]), moment)
            for buffer in tiled:
                del memory.blocks[buffer, "tile"]
            for buffer in ending:
                if window[buffer] and part + 1 == cut.parts:
                    del memory.blocks[buffer, "window"]
            memory.moved[moment] = moved_in, sum(int(kept[buffer][part]) for buffer in tiled)
    return memory


def held_bytes(rows: BufferRows, row_bytes: int) -> Bytes:
    """Bytes of the rows of each part."""
    return (rows.high - rows.low).clip(0) * row_bytes


def kept_bytes(rows: BufferRows, row_bytes: int) -> Bytes:
    """Bytes of the rows that stay for the next part."""
    later = held_bytes(rows, row_bytes) * 0
    if rows.keeps:
        later[:-1] = (rows.high[:-1] - rows.low[1:]).clip(0) * row_bytes
    return later


@pytest.mark.parametrize("seed", range(30))
@pytest.mark.parametrize("cut", CUTS, ids=str)
def test_bytes_inside_a_group_are_those_of_a_run(seed: int, cut: Cut) -> None:
    """Exact, but for steps that move kept rows in and others out: counted as if that were at once."""
    network = network_of(random_graph(seed, 6))
    end = len(network.layers) - 1
    additions = [p for p in range(end + 1) if network.in_place_source(p) is not None]
    start = min(end, additions[-1] + 1) if additions else 0
    order = fused_order(network, nnc.load_chip("npu"))
    interval = Intervals(order, order.chain(end), cut, end + 1).at(start)
    assert isinstance(interval, Interval)
    ranges = RowRanges(network, end, cut)
    for position in range(end, start - 1, -1):
        ranges.extend(position)
    memory = simulated(network, ranges, start, end, cut)
    inside = interval.memory.live - sum(interval.memory.inputs.values())
    for moment, nbytes in memory.peaks.items():
        counted = int(inside[moment[0] - start, moment[1]])
        assert counted == nbytes + min(memory.moved[moment])


@pytest.mark.parametrize("seed", range(10))
def test_a_sliding_window_takes_its_largest_part_all_the_time(seed: int) -> None:
    network = network_of(random_graph(seed, 6))
    end = len(network.layers) - 1
    ranges = RowRanges(network, end, Cut(6))
    for position in range(end, -1, -1):
        ranges.extend(position)
    for buffer, rows in ranges.rows.items():
        row_bytes = network.buffers[buffer].row_bytes
        sizes = BufferBytes.of(rows, row_bytes, may_slide=True)
        if is_sliding_window(rows.kept(row_bytes), rows.held(row_bytes)):
            assert set(sizes.held.tolist()) == {int(held_bytes(rows, row_bytes).max())}
            assert (sizes.before[0], sizes.after[-1], int(sizes.moving.max())) == (0, 0, 0)
            assert (
                set(sizes.before[1:].tolist()) == set(sizes.after[:-1].tolist()) == set(sizes.held.tolist())
            )
        else:
            assert sizes.held.tolist() == held_bytes(rows, row_bytes).tolist()
            assert sizes.after.tolist() == kept_bytes(rows, row_bytes).tolist()
            assert sizes.before[1:].tolist() == sizes.after[:-1].tolist()


def residual_block() -> tuple[PlanNetwork, FusedOrder, int]:
    """A picture, two convolutions, and the position of the sum of both."""
    convolutions = ("h = Conv<kernel_shape=[1,1]>(a, w)", "b = Conv<kernel_shape=[1,1]>(h, w)")
    lines = ("a = Relu(x)", *convolutions, "s = Add(b, a)", "y = Conv<kernel_shape=[1,1]>(s, w)")
    text = f"(float[1,4,16,16] x) => (float[1,4,16,16] y) {{ {' '.join(lines)} }}"
    network = network_of(canonicalise(graph_of(text, {"w": (4, 4, 1, 1)})))
    order = fused_order(network, nnc.load_chip("npu"))
    end = next(p for p in range(len(network.layers)) if network.in_place_source(p) is not None)
    return network, order, end


def test_a_sum_that_stays_needs_no_tiles_beside_its_resident_operand() -> None:
    """Two parts of a residual block: the sum lies where the operand lies, half of the branch beside it."""
    network, order, end = residual_block()
    operand, result = required(network.in_place_source(end)), network.buffer_of(network.defines[end])
    chain, nbytes = order.chain(end), network.buffers[result].nbytes
    interval = Intervals(order, chain, Cut(2), end + 1).at(end)
    assert isinstance(interval, Interval)
    found, left = (chain.resident_key(end, Residents([Resident(buffer)])) for buffer in (operand, result))
    assert interval.memory.peaks(found, left).max() == nbytes + nbytes // 2


def test_last_rows_take_no_bytes_beside_the_tile_of_a_group_in_one_part() -> None:
    """Until the tile is opened they are there alone; in two parts, they are there beside it all the time."""
    network, order, end = residual_block()
    operand, result = required(network.in_place_source(end)), network.buffer_of(network.defines[end])
    chain, info = order.chain(end), network.buffers[result]
    found, left = (chain.resident_key(end, Residents([Resident(buffer, 5)])) for buffer in (operand, result))
    taken = {}
    for parts in (1, 2):
        interval = Intervals(order, chain, Cut(parts), end + 1).at(end)
        assert isinstance(interval, Interval)
        taken[parts] = int(interval.memory.peaks(found, left).max())
    assert taken[1] == 2 * info.nbytes  # the tile that the sum overwrites, and what the product reads
    assert taken[2] == info.nbytes + 10 * info.row_bytes


def test_one_memory_is_shared_by_activations_and_weights() -> None:
    network = network_of(random_graph(0, 4))
    shared = Capacity.of(nnc.load_chip("npu", ["memory.sram.bytes=64KiB"]), network)
    assert isinstance(shared, Capacity)
    assert (shared.activations, shared.weights, shared.weights_beside(1000)) == (65536, None, 64536)
    apart = Capacity.of(nnc.load_chip("npu-banked"), network)
    assert isinstance(apart, Capacity)
    assert apart.weights is not None
    assert apart.weights_beside(1000) == apart.weights


def test_residents_that_fit_are_offered_once() -> None:
    network = network_of(random_graph(0, 6))
    order = fused_order(network, nnc.load_chip("npu", ["memory.sram.bytes=16KiB"]))
    for position, options in enumerate(order.resident_options):
        assert NOTHING in options
        assert len(set(options)) == len(options)
        for option in options:
            assert sum(network.stays(option).values()) <= 16384
            assert {mine.buffer for mine in option} <= set(network.crossings[position])


@pytest.mark.parametrize(("elements", "kib"), [(8, 512), (96, 16)])
def test_of_a_thousand_tensors_that_are_there_together_few_sets_are_tried(elements: int, kib: int) -> None:
    """Small ones and large ones: what is tried at a boundary does not grow with their number."""
    ends = f"float[1,{elements}] x", f"float[1,{elements}] y"
    names = [f"t{number}" for number in range(1000)]
    lines = [f"{name} = LeakyRelu <alpha={number / 1000}>(x)" for number, name in enumerate(names)]
    lines += [f"m{k} = Max({', '.join(names[k::125])})" for k in range(125)]  # eight each: stays one layer
    lines.append(f"y = Max({', '.join(f'm{k}' for k in range(125))})")
    network = network_of(canonicalise(graph_of(f"({ends[0]}) => ({ends[1]}) {{ {' '.join(lines)} }}")))
    options = fused_order(network, nnc.load_chip("npu", [f"memory.sram.bytes={kib}KiB"])).resident_options
    most = max(len(mine) for found in options for mine in found)
    tuning = TUNING.residents
    few = range(tuning.max_large, tuning.max_large + tuning.small_together_share)
    assert most == tuning.max_small if elements == 8 else most in few
    assert max(map(len, options)) <= 4 * tuning.max_large


@pytest.mark.parametrize("nbytes", [2048, 4096, 6144])
@pytest.mark.parametrize("seed", range(8))
def test_groups_that_cores_share_grow_out_of_the_memory(seed: int, nbytes: int) -> None:
    """They find nothing on chip: where a few do not fit, no longer one does."""
    network, chip = network_of(random_graph(seed, 9)), load_chip("npu4", [f"memory.sram.bytes={nbytes}"])
    order = fused_order(network, chip)
    for end in range(len(network.layers)):
        before = order.chain(end)
        for cut in chain(*shared_cuts(network, end, 4)):
            intervals, failed = Intervals(order, before, cut, end + 1), 0
            for start in range(end, -1, -1):
                if isinstance(interval := intervals.at(start), Infeasible):
                    break
                key = before.resident_key(start, NOTHING)
                fits = not isinstance(interval.weigh((key, key)), Infeasible)
                assert not fits or failed < TUNING.groups.max_overflows, (start, end, cut)
                failed += not fits
