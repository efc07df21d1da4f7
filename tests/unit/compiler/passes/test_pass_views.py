"""Which views cost nothing, and where a copy must be: the passes free-views and reorder-flattened-weights."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from frontend_evaluator import evaluate
from numpy.lib.stride_tricks import as_strided
from pass_harness import after, feeds_of, graph_of, kinds, same_values

from nnc.compiler.ir import layers as ir
from nnc.compiler.ir.graph import Graph, TensorType
from nnc.compiler.passes.drop_dead import DROP_DEAD
from nnc.compiler.passes.fold_shuffles import FOLD_SHUFFLES
from nnc.compiler.passes.free_views import FREE_VIEWS
from nnc.compiler.passes.fuse_residual import FUSE_RESIDUAL
from nnc.compiler.passes.merge_views import MERGE_VIEWS
from nnc.compiler.passes.reorder_flattened_weights import REORDER_FLATTENED_WEIGHTS
from nnc.isa.types import DType


def stored_values(graph: Graph) -> None:
    """Run the graph on its buffers alone: every view shows the right values without moving a byte."""
    feeds = feeds_of(graph)
    everything = graph.copy()
    made = [tensor for layer in graph.layers() for tensor in graph.outputs_of(layer.name)]
    for tensor in (tensor for tensor in made if tensor not in graph.outputs):
        everything.add_output(tensor)
    values = feeds | evaluate(everything, feeds)
    memory = {
        name: np.full(buffer.elements, np.nan, buffer.dtype.numpy) for name, buffer in graph.buffers.items()
    }

    def block(tensor: str) -> Any:
        storage = graph.storage[tensor]
        buffer = memory[storage.buffer]
        strides = [stride * buffer.itemsize for stride in storage.strides]
        return as_strided(buffer[storage.offset :], storage.shape, strides)

    for tensor, value in values.items():
        producer = graph.producer(tensor)
        if producer is None or not producer.is_view:
            block(tensor)[...] = value
    for tensor, value in values.items():
        np.testing.assert_array_equal(block(tensor), value, err_msg=tensor)


VIEWS = {
    "reshape": (
        "(float[1,4,6,6] x) => (y) { h = Abs (x)  r = Reshape (h, s)  y = Abs (r) }",
        {"s": [4, 36]},
        0,
    ),
    "transpose": ("(float[1,4,6,6] x) => (y) { h = Transpose <perm=[0,2,3,1]> (x)  y = Abs (h) }", {}, 0),
    "negative steps": (
        "(float[2,5] x) => (y) { h = Slice (x, a, b, c, d)  y = Abs (h) }",
        {"a": [-1, 4], "b": [-9, 0], "c": [0, 1], "d": [-1, -2]},
        0,
    ),
    "reshape of negative steps": (
        "(float[4,5] x) => (y) { h = Slice (x, a, b, c, d)  r = Reshape (h, s)  y = Abs (r) }",
        {"a": [-1], "b": [-9], "c": [0], "d": [-1], "s": [2, 2, 5]},
        0,
    ),
    "expand": ("(float[3,1] x) => (y) { h = Expand (x, s)  y = Abs (h) }", {"s": [3, 4]}, 0),
    "channel shuffle": (
        """(float[1,6,4,4] x) => (y) {
            c = Conv (x, w)  r = Reshape (c, s)  t = Transpose <perm=[0,2,1,3,4]> (r)
            u = Reshape (t, v)  y = Conv (u, w)
        }""",
        {"s": [1, 2, 3, 4, 4], "v": [1, 6, 4, 4], "w": np.ones((6, 6, 1, 1), np.float32)},
        1,
    ),
    "flatten of channels last": (
        "(float[2,3,4,4] x) => (y) { h = MaxPool <kernel_shape=[2,2]> (x)  f = Flatten (h)  y = Abs (f) }",
        {},
        1,
    ),
    "concat": ("(float[1,2,4] x) => (y) { a = Abs (x)  b = Neg (x)  y = Concat <axis=1> (a, b) }", {}, 0),
    "concat of an input": ("(float[1,2,4] x) => (y) { a = Abs (x)  y = Concat <axis=1> (a, x) }", {}, 1),
    "operand used twice": ("(float[1,2,4] x) => (y) { a = Abs (x)  y = Concat <axis=2> (a, a) }", {}, 1),
    "operand of two concats": (
        """(float[1,2,4] x) => (y, z) {
            a = Abs (x)  b = Neg (x)  c = Exp (x)
            y = Concat <axis=1> (a, b)  z = Concat <axis=1> (a, c)
        }""",
        {},
        1,
    ),
    "concat of concat": (
        """(float[1,2,4] x) => (y) {
            a = Abs (x)  b = Neg (x)  c = Exp (x)
            i = Concat <axis=1> (a, b)  d = Concat <axis=1> (c, c)  y = Concat <axis=2> (i, d)
        }""",
        {},
        1,
    ),
    "concat of a view": (
        "(float[1,2,4] x) => (y) { a = Abs (x)  t = Transpose <perm=[0,2,1]> (a)  b = Abs (t)"
        "  y = Concat <axis=1> (t, b) }",
        {},
        1,
    ),
    "concat of a constant": (
        "(float[1,2,4] x) => (y) { a = Abs (x)  y = Concat <axis=1> (a, k) }",
        {"k": np.ones((1, 3, 4), np.float32)},
        1,
    ),
    "view of an input as output": ("(float[2,6] x) => (y) { y = Reshape (x, s) }", {"s": [3, 4]}, 1),
    "input as output": ("(float[2,6] x) => (y) { y = Identity (x) }", {}, 1),
    "view of a computed tensor as output": (
        "(float[2,6] x) => (y) { h = Abs (x)  y = Reshape (h, s) }",
        {"s": [3, 4]},
        0,
    ),
    "split": ("(float[4,6] x) => (y) { a, b = Split <num_outputs=2, axis=0> (x)  y = Add (a, b) }", {}, 0),
}  # fmt: skip


@pytest.mark.parametrize("case", VIEWS)
def test_views_cost_nothing_where_strides_allow(case: str) -> None:
    text, values, copies = VIEWS[case]
    graph = graph_of(text, **values)
    result = after(FREE_VIEWS, graph)
    assert kinds(result).count("copy") == copies
    assert result.notes.level == "canonical"
    same_values(graph, result)
    stored_values(result)


SHUFFLE = """(float[1,6,5,4] x) => (y) {
    c = Conv (x, w)  r = Reshape (c, s)  t = Transpose <perm=[0,2,1,3,4]> (r)
    u = Reshape (t, v)  OP y = Conv (z, w)
}"""
SHUFFLED = {"s": [1, 2, 3, 5, 4], "v": [1, 6, 5, 4], "w": np.ones((6, 6, 1, 1), np.float32)}


@pytest.mark.parametrize(
    ("operator", "order"),
    [
        ("z = Conv (u, w)", (0, 2, 1, 3)),  # lines of a channel are runs
        ("z = Abs (u)", (0, 2, 3, 1)),  # whose result would be turned
    ],
)
def test_a_shuffle_lies_in_rows_like_what_is_around_it(operator: str, order: tuple[int, ...]) -> None:
    graph = graph_of(SHUFFLE.replace("OP", operator), **SHUFFLED)
    result = after(FREE_VIEWS, graph)
    copy = next(layer for layer in result.layers() if layer.kind == "copy")
    shuffled = next(layer for layer, _ in result.consumers(result.output_of(copy.name)))
    assert result.storage[result.output_of(shuffled.name)].order == order
    assert result.storage[result.output_of(result.layers()[0].name)].order == order
    stored_values(result)


HEADS = """(float[BATCH,6,8] x) => (y) {
    h = MatMul (x, a)  r = Reshape (h, s)  t = Transpose <perm=[0,2,1,3]> (r)
    k = MatMul (t, b)  u = Transpose <perm=[0,2,1,3]> (k)  v = Reshape (u, z)  y = MatMul (v, a)
}"""


@pytest.mark.parametrize(("batch", "copies"), [(3, 0), (1, 1)])
def test_heads_of_a_batch_are_written_beside_each_other(batch: int, copies: int) -> None:
    """Of one picture heads are rows, which layers are computed by; they are not given up for a copy."""
    weights = {"a": np.ones((8, 8), np.float32), "b": np.ones((4, 4), np.float32)}
    shapes = {"s": [batch, 6, 2, 4], "z": [batch, 6, 8]}
    graph = graph_of(HEADS.replace("BATCH", str(batch)), **shapes, **weights)
    result = after(FREE_VIEWS, graph)
    assert kinds(result).count("copy") == copies
    same_values(graph, result)
    stored_values(result)


CHAINS = {
    "what is merged and split again": (
        """(float[1,4,6,8] x) => (y) {
            h = Abs (x)  r = Reshape (h, s)  t = Transpose <perm=[0,2,1,3]> (r)  i = Reshape (t, v)
            j = Transpose <perm=[0,3,2,1]> (i)  k = Reshape (j, z)  y = Abs (k)
        }""",
        {"s": [12, 2, 4, 2], "v": [1, 4, 12, 4], "z": [4, 12, 4]},
        ["elementwise", "reshape", "transpose", "reshape", "elementwise"],
    ),
    "and back": (
        """(float[2,6] x) => (y) {
            r = Reshape (x, s)  t = Transpose <perm=[1,0,2]> (r)  u = Transpose <perm=[1,0,2]> (t)
            v = Reshape (u, z)  y = Abs (v)
        }""",
        {"s": [2, 3, 2], "z": [2, 6]},
        ["elementwise"],
    ),
    "transposes": (
        """(float[2,3,4] x) => (y) {
            t = Transpose <perm=[1,0,2]> (x)  u = Transpose <perm=[0,2,1]> (t)  y = Abs (u)
        }""",
        {},
        ["transpose", "elementwise"],
    ),
    "uneven": (
        """(float[4,9] x) => (y) {
            r = Reshape (x, s)  t = Transpose (r)  u = Reshape (t, z)  v = Transpose (u)  y = Abs (v)
        }""",
        {"s": [6, 6], "z": [4, 9]},
        ["reshape", "transpose", "reshape", "transpose", "elementwise"],
    ),
    "read in between": (
        """(float[4,6] x) => (y, w) {
            r = Reshape (x, s)  t = Transpose <perm=[0,2,1]> (r)  u = Reshape (t, z)  v = Transpose (u)
            y = Abs (v)  w = Neg (u)
        }""",
        {"s": [4, 2, 3], "z": [4, 6]},
        ["reshape", "transpose", "reshape", "elementwise", "transpose", "elementwise"],
    ),
}  # fmt: skip


@pytest.mark.parametrize("case", CHAINS)
def test_chains_of_views_are_merged(case: str) -> None:
    text, values, merged = CHAINS[case]
    graph = graph_of(text, **values)
    result = after(MERGE_VIEWS, graph)
    assert sorted(kinds(result)) == sorted(merged)
    same_values(graph, result)


DEEP = "r = Reshape (h, s)  t = Transpose <perm=[0,2,1,3,4]> (r)  k = Reshape (t, z)"
FOLDED = {
    "above": (f"h = Conv (x, w, b)  {DEEP}  y = Softmax <axis=1> (k)", 0),
    "above, by a depthwise one": (
        f"g = Conv (x, w, b)  f = Relu (g)  h = Conv <group=6> (f, d, b)  {DEEP}  y = Softmax <axis=1> (k)",
        0,
    ),
    "above, read twice": (f"h = Conv (x, w, b)  {DEEP}  i = Add (h, k)  y = Softmax <axis=1> (i)", 3),
    "above, in groups": (f"h = Conv <group=3> (x, e, b)  {DEEP}  y = Softmax <axis=1> (k)", 3),
    "above, added to": (f"g = Conv (x, w, b)  h = Add (g, x)  {DEEP}  y = Softmax <axis=1> (k)", 3),
    "below": (f"h = Softmax <axis=1> (x)  {DEEP}  y = Conv (k, w, b)", 0),
    "below, by a depthwise one": (
        f"""h = Softmax <axis=1> (x)  {DEEP}  p = MaxPool <kernel_shape=[2,2]> (k)
        f = Conv <group=6> (p, d, b)  y = Conv (f, w, b)""",
        0,
    ),
    "below, two readers": (
        f"h = Softmax <axis=1> (x)  {DEEP}  i = Conv (k, w, b)  j = Conv (k, w)  y = Add (i, j)", 0,
    ),
    "below, one that cannot": (
        f"h = Softmax <axis=1> (x)  {DEEP}  i = Conv (k, w, b)  j = Softmax <axis=1> (k)  y = Add (i, j)", 3,
    ),
    "below, added to": (f"h = Softmax <axis=1> (x)  {DEEP}  i = Conv (k, w, b)  y = Add (i, k)", 3),
    "with rows": (
        """h = Conv (x, w, b)  r = Reshape (h, s)  t = Transpose <perm=[0,2,1,4,3]> (r)  k = Reshape (t, z)
        y = Softmax <axis=1> (k)""",
        3,
    ),
}  # fmt: skip


@pytest.mark.parametrize("batch", [1, 2])
@pytest.mark.parametrize("case", FOLDED)
def test_shuffles_are_folded_into_weights(case: str, batch: int) -> None:
    """The number of views that are left, and the same values."""
    text, left = FOLDED[case]
    weights = {"w": (6, 6, 1, 1), "d": (6, 1, 1, 1), "e": (6, 2, 1, 1), "b": (6,)}
    used = {name: shape for name, shape in weights.items() if f" {name})" in text or f" {name}," in text}
    shapes = {"s": [batch, 2, 3, 5, 5], "z": [batch, 6, 5, 5]}
    graph = graph_of(f"(float[{batch},6,5,5] x) => (y) {{ {text} }}", used, **shapes)
    for step in (FUSE_RESIDUAL, FOLD_SHUFFLES, DROP_DEAD):
        graph = after(step, before := graph)
        same_values(before, graph)
    assert len([kind for kind in kinds(graph) if kind in ("reshape", "transpose")]) == left


def test_windows_of_tokens_are_copied_row_by_row() -> None:
    text = """(float[1,3,8,12] x) => (y) {
        c = Conv (x, w)  r = Reshape (c, s)  t = Transpose <perm=[0,2,4,3,5,1]> (r)
        u = Reshape (t, v)  y = MatMul (u, m)
    }"""
    values = {"s": [1, 3, 2, 4, 3, 4], "v": [6, 16, 3]}
    weights = {"w": np.ones((3, 3, 1, 1), np.float32), "m": np.ones((3, 5), np.float32)}
    result = after(FREE_VIEWS, graph_of(text, **values, **weights))
    copy = next(layer for layer in result.layers() if layer.kind == "copy")
    assert result.storage[result.output_of(copy.name)].order == (0, 1, 2, 3, 4, 5)
    stored_values(result)


def test_views_of_constants_are_computed_at_once() -> None:
    graph = graph_of(
        "(float[3,4] x) => (y) { t = Transpose (k)  y = MatMul (x, t) }", k=np.ones((2, 4), np.float32)
    )
    (weight,) = graph.constants
    flipped = ir.Transpose(name="flipped", loc=ir.Loc("flipped", "Transpose"), perm=(1, 0))
    graph.add(flipped, [weight], ["flipped"], [TensorType(DType.F32, (2, 4))])
    graph.add(
        ir.Transpose(name="back", loc=flipped.loc, perm=(1, 0)), ["flipped"], ["back"], [graph.types[weight]]
    )
    graph.rewire(weight, "back")
    graph.set_inputs("flipped", [weight])
    assert kinds(graph) == ["transpose", "transpose", "matmul"]
    result = after(FREE_VIEWS, graph)
    assert kinds(result) == ["matmul"]
    same_values(graph, result)


def test_flattened_weights_follow_the_features() -> None:
    text = """(float[2,3,6,6] x) => (y) {
        h = MaxPool <kernel_shape=[2,2]> (x)  f = Flatten (h)  y = MatMul (f, w)
    }"""
    graph = graph_of(text, {"w": (75, 5)})
    result = after(REORDER_FLATTENED_WEIGHTS, graph)
    same_values(graph, result)
    assert "copy" in kinds(after(FREE_VIEWS, graph))
    assert "copy" not in kinds(after(FREE_VIEWS, result))
