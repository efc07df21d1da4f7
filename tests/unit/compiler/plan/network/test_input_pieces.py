"""Inputs of a network that are read in pieces."""

from __future__ import annotations

import pytest
from pass_harness import after, graph_of

from nnc.compiler.ir.graph import Graph
from nnc.compiler.ir.layers import Slice
from nnc.compiler.passes.free_views import FREE_VIEWS
from nnc.compiler.plan.network.buffers import CutAxes, input_pieces
from nnc.compiler.plan.network.plan_network import PlanNetwork


def sliced(text: str) -> Graph:
    """A network of four pictures, with the storage of all its tensors."""
    return after(FREE_VIEWS, graph_of(f"(float[4,3,8,5] x) => {text}"))


def network_of(graph: Graph, axes: CutAxes = CutAxes.OUTERMOST) -> PlanNetwork:
    return PlanNetwork(graph, [layer for layer in graph.layers() if not layer.is_view], axes)


def test_each_piece_has_rows_of_its_own() -> None:
    """Two readers of a picture share its piece; its rows are channels (nested outermost), not pictures."""
    graph = sliced("(y, z) { a, b, c, d = Split <axis=0, num_outputs=4> (x)  y = Relu (d)  z = Tanh (d) }")
    first, second = (graph.inputs_of(name)[0] for name in ("y", "z"))
    assert input_pieces(graph) == {first: first, second: first}
    network = network_of(graph)
    assert first is not None and network.buffers[first].rows == 3
    assert network.buffers[first].nbytes == 480 and network.view(first).origin == (0, 0, 0, 0)
    assert network.network_inputs == {"x", first}


@pytest.mark.parametrize("axes", list(CutAxes))
def test_transposed_pieces_count_from_their_start(axes: CutAxes) -> None:
    """A turned picture lies in its own lines, not in those of pictures before it."""
    graph = sliced(
        "(y, z) { a, b = Split <axis=0, num_outputs=2> (x)  c = Transpose <perm=[0,3,1,2]> (b)"
        " y = Softmax (a)  z = Softmax (c) }"
    )
    network = network_of(graph, axes)
    tensor = graph.inputs_of("z")[0]
    assert tensor is not None and network.buffer_of(tensor) != "x"
    found = network.row_table(1, 0, tensor)
    assert found.low.min() == 0 and found.high.max() == network.buffers[network.buffer_of(tensor)].rows


@pytest.mark.parametrize(
    "text",
    [
        "(y, z) { a, b, c = Split <axis=1, num_outputs=3> (x)  y = Relu (a)  z = Relu (b) }",
        "(y, z) { a, b = Split <axis=0, num_outputs=2> (x)  y = Relu (a)  z = Relu (x) }",
    ],
    ids=["channels", "read whole, too"],
)
def test_other_slices_are_no_pieces(text: str) -> None:
    """A piece is one run of bytes, and nobody reads beyond it."""
    assert not input_pieces(sliced(text))


def test_slices_that_meet_are_no_pieces() -> None:
    """Two pictures and the second of them."""
    graph = sliced("(y, z) { a, b = Split <axis=0, num_outputs=2> (x)  y = Relu (a)  z = Tanh (b) }")
    view = next(layer for layer in graph.layers() if isinstance(layer, Slice) and layer.start[0])
    assert input_pieces(graph)
    moved = Slice(name=view.name, loc=view.loc, start=(1, 0, 0, 0), step=view.step, shape=view.shape)
    graph.replace(moved)
    assert not input_pieces(graph)
