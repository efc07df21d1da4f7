"""What parts of fused groups are made of: boxes of buffers, blocks of weights, last rows; random networks."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import pairwise
from math import prod

import pytest
from fusion_networks import random_graph

from nnc.compiler.ir.regions.boxes import Box
from nnc.compiler.pipeline import no_progress
from nnc.compiler.plan.fusion.fused_choice import FusedChoice
from nnc.compiler.plan.fusion.fused_order import FusedOrder
from nnc.compiler.plan.network.layer_cycles import channels_of
from nnc.compiler.plan.network.residents import NOTHING, Resident, Residents
from nnc.compiler.plan.options import PlanOptions
from nnc.compiler.plan.prices import AskedPrice
from nnc.compiler.plan.search.group_search import find_candidates
from nnc.compiler.plan.step import Block, Load
from nnc.compiler.plan.steps.chunked_runs import hull
from nnc.compiler.plan.steps.last_rows import LastRows
from nnc.compiler.plan.steps.line_buffers import LineBuffers
from nnc.compiler.plan.steps.part_boxes import PartBoxes
from nnc.compiler.plan.steps.step_writer import NOTHING_ON_CHIP, Part, StepWriter, shared
from nnc.compiler.plan.steps.weight_blocks import plan_weights
from nnc.isa.chip.load import load_chip


def fused_groups(seed: int, sram: int) -> Iterator[tuple[FusedOrder, FusedChoice]]:
    """The fused groups of the plans that a search proposes for a random network."""
    chip = load_chip("npu", [f"memory.sram.bytes={sram}"])
    candidates = find_candidates(random_graph(seed, 6), chip, PlanOptions(), no_progress)
    for choices in candidates.sequences_for(AskedPrice.of("traffic", chip)):
        for choice in choices:
            if isinstance(choice, FusedChoice):
                yield candidates.expansions.orders[choice.order], choice


EVERY = pytest.mark.parametrize(("seed", "sram"), [(1, 4096), (2, 8192), (3, 6144), (4, 3072)])


@EVERY
def test_blocks_of_weights_are_all_channels_and_no_more_stay_than_was_counted(seed: int, sram: int) -> None:
    count = 0
    for order, choice in fused_groups(seed, sram):
        plan, stays = plan_weights(order, choice), 0
        for position in range(choice.start, choice.end + 1):
            blocks, pinned = plan.blocks(position), plan.pinned[position]
            assert blocks[0][0] == 0 and blocks[-1][1] == channels_of(order.network, position)
            assert all(end == first for (_, end), (first, _) in pairwise(blocks)) and pinned <= len(blocks)
            stays += order.network.weight_bytes(position) * pinned // len(blocks)
            count += 1
        assert stays <= choice.cost.pinned
    assert count


@EVERY
def test_parts_compute_every_row_of_a_result_that_is_stored_and_hold_what_they_compute(
    seed: int, sram: int
) -> None:
    for order, choice in fused_groups(seed, sram):
        network = order.network
        writer = StepWriter(network, choice, 0)
        boxes, made = PartBoxes(writer), list[Box]()
        for number in range(choice.parts):
            writer.part = Part(number, *divmod(number, choice.cut.parts))
            if (new := boxes.new(choice.end)) is None:
                continue
            box, _ = new
            made.append(box)
            buffer = network.buffer_of(network.defines[choice.end])
            low, high = boxes.held(buffer)
            corner, shape = boxes.row_box(buffer, low, high)
            rows = boxes.rows_in(buffer, Block("block", "sram", 0), low, high)
            assert writer.tile_at(rows, "tile", buffer, (corner, shape)).offset == 0
            axis = network.view(buffer).axis
            assert axis is None or corner[axis] <= box[0][axis] < box[0][axis] + box[1][axis] <= high
        whole = network.graph.types[network.defines[choice.end]].shape
        assert hull(made) == ((0,) * len(whole), whole)


@EVERY
def test_a_box_visits_dram_in_part_and_its_last_rows_stay(seed: int, sram: int) -> None:
    for order, choice in fused_groups(seed, sram):
        network, tensor = order.network, order.network.defines[choice.end]
        axis, shape = network.view(tensor).axis, network.graph.types[tensor].shape
        if axis is None or tensor != network.buffer_of(tensor):
            continue
        last = LastRows(StepWriter(network, choice, 0), {}, "sram", 64)
        box: Box = (0,) * len(shape), shape
        for rows in range(1, shape[axis] + 1):
            away, here = last.split(tensor, box, Residents({Resident(tensor, rows)}))
            assert here is not None and here[1][axis] == rows and hull([here, away or here]) == box
        assert last.split(tensor, box, NOTHING) == (box, None)


@EVERY
def test_line_buffers_hold_all_rows_that_a_part_reads_and_load_each_once(seed: int, sram: int) -> None:
    count = 0
    for order, choice in fused_groups(seed, sram):
        if choice.residents_in or choice.cut.recompute or choice.cut.strips > 1:
            continue
        writer = StepWriter(order.network, choice, 0)
        weights = plan_weights(order, choice)
        buffers = LineBuffers(writer, order.capacity.staging, weights.runs, NOTHING_ON_CHIP)
        made = {
            order.network.buffer_of(order.network.defines[p]) for p in range(choice.start, choice.end + 1)
        }
        for number in range(choice.parts):
            writer.part = Part(number, 0, number)
            for buffer in buffers.boxes.walk.pending.keys() - made:
                low, high = buffers.boxes.held(buffer)
                if low < high:
                    box = buffers.boxes.row_box(buffer, low, high)
                    parts = shared(buffers.present(buffer).pieces, box)
                    assert sum(prod(extent) for _, (_, extent) in parts) == prod(box[1])
                    count += 1
            for position in range(choice.start, choice.end + 1):
                buffers.finish(position)
        loads = [step.tile for _, step in writer.steps if isinstance(step, Load)]
        for tensor in {tile.tensor for tile in loads}:
            nbytes = sum(tile.type.nbytes for tile in loads if tile.tensor == tensor)
            assert nbytes <= order.network.graph.types[tensor].nbytes
    assert count
