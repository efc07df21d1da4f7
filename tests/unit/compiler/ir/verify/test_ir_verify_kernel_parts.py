"""Convolutions with some rows of the kernel at a time are held against the network: damage is found."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from functools import cache
from typing import Any

import pytest
from conv_models import Convolution, float_conv
from graph_damage import renoted
from harness import chip_of

from nnc.compiler.frontend.importer import import_model
from nnc.compiler.ir import layers as ir
from nnc.compiler.ir.annotations import TileBox
from nnc.compiler.ir.graph import Graph
from nnc.compiler.ir.verify.levels import verify_graph
from nnc.compiler.pipeline import Compilation, run_pipeline
from nnc.compiler.plan.options import PlanOptions
from nnc.isa.errors import InternalError
from nnc.isa.instruction import Phase

CONV = Convolution(6, 6, channels=4, outputs=8, pads=(1, 1, 1, 1))
M3 = PlanOptions(conv_buffers="m3")


@cache
def compiled() -> Compilation:
    """One row at a time, all channels in a buffer."""
    chip = chip_of("vdsp12", "cores=1", sm="256")
    return run_pipeline(import_model(float_conv(CONV)), chip, options=M3, verify_each=True)


def nodes(phase: Phase) -> list[ir.Conv]:
    found = [node for node in compiled().placed.layers() if isinstance(node, ir.Conv) and node.phase is phase]
    assert found
    return found


def caught(damage: Callable[[Graph], object], message: str) -> None:
    graph = compiled().placed.copy()
    damage(graph)
    with pytest.raises(InternalError, match=message):
        verify_graph(graph, network=compiled().canonical, values_only=True)


def test_it_is_sound() -> None:
    figures = compiled().plan.groups[0].group.buffers
    assert figures is not None
    assert (figures.r, figures.chunks) == (1, 1)
    verify_graph(compiled().placed, network=compiled().canonical, values_only=True)


def boxes_moved(tile: str, axis: int, by: int) -> Callable[[Graph], object]:
    def change(boxes: dict[str, Any]) -> None:
        low = list(boxes[tile].low)
        low[axis] += by
        boxes[tile] = TileBox(boxes[tile].tensor, tuple(low))

    return renoted("boxes", change)


def test_other_rows_of_the_kernel() -> None:
    node = nodes(Phase.ADD)[0]
    weight = compiled().placed.inputs_of(node.name)[1]
    caught(boxes_moved(str(weight), 2, 1), "it (takes|needs)")


def test_input_of_another_row() -> None:
    node = nodes(Phase.ADD)[0]
    source = compiled().placed.inputs_of(node.name)[0]
    caught(boxes_moved(str(source), 2, 1), "it (loads|needs)")


def test_padding_of_another_half() -> None:
    node = nodes(Phase.ADD)[0]
    caught(lambda graph: graph.replace(replace(node, pad_begin=(0, 0), pad_end=(0, 1))), "its padding is")


def test_a_kernel_row_is_missing() -> None:
    """Sums that begin again have lost the row before."""
    node = nodes(Phase.ADD)[0]
    caught(lambda graph: graph.replace(replace(node, phase=Phase.START)), "lacks taps of the kernel")


def test_a_kernel_row_counts_twice() -> None:
    graph, last = compiled().placed, nodes(Phase.FINISH)[-1]
    box = graph.notes.boxes[graph.output_of(last.name)]
    first = next(n for n in nodes(Phase.START) if graph.notes.boxes[graph.output_of(n.name)] == box)

    def damage(graph: Graph) -> None:
        operands = list(graph.inputs_of(last.name))
        operands[:2] = graph.inputs_of(first.name)[:2]
        graph.set_inputs(last.name, operands)

    caught(damage, "are in the sums of .* already")


def test_sums_of_another_half() -> None:
    graph, last = compiled().placed, nodes(Phase.FINISH)[-1]
    other = next(n for n in nodes(Phase.ADD) if graph.output_of(n.name) not in graph.inputs_of(last.name))

    def damage(graph: Graph) -> None:
        graph.set_inputs(last.name, [*graph.inputs_of(last.name)[:-1], graph.output_of(other.name)])

    caught(damage, "are no sums of")


def test_another_kind_of_layer() -> None:
    node = nodes(Phase.START)[0]
    caught(lambda graph: graph.replace(replace(node, stride=(2, 1))), "does not do what layer")
