"""Orders of the layers of forked networks, and the prefixes that they share."""

from __future__ import annotations

import pytest
from detector_heads import detector_heads
from fusion_networks import random_graph
from pass_harness import graph_of

from nnc.compiler.frontend.importer import import_model
from nnc.compiler.ir.graph import Graph
from nnc.compiler.passes.canonical_passes import CANONICAL_PASSES
from nnc.compiler.pipeline import canonicalise
from nnc.compiler.plan.network.buffers import CutAxes
from nnc.compiler.plan.network.frontier import Prefixes
from nnc.compiler.plan.network.orders import (
    contractions_first,
    freeing_early,
    newest_first,
    orders_of,
    with_little_alive,
)
from nnc.compiler.target.target import Target


@pytest.mark.parametrize("seed", range(10))
def test_operands_come_first_in_every_order(seed: int) -> None:
    graph = random_graph(seed, 8)
    orders = orders_of(graph)
    assert len({tuple(layer.name for layer in order) for order in orders}) == len(orders)
    for order in orders:
        known = {*graph.inputs, *graph.constants}
        for layer in order:
            assert {t for t in graph.inputs_of(layer.name) if t is not None} <= known
            known |= set(graph.outputs_of(layer.name))


def test_orders_meet_where_they_have_computed_the_same_layers() -> None:
    prefixes = Prefixes(["abcd", "acbd"])
    first, second = prefixes.of
    assert [a == b for a, b in zip(first, second, strict=True)] == [True, True, False, True, True]
    assert prefixes.count == 6
    assert prefixes.places(first[3]) == [(0, 3), (1, 3)]


def test_only_intervals_of_no_earlier_order_are_new() -> None:
    prefixes = Prefixes(["abcd", "acbd"])
    assert [prefixes.new_starts(0, end) for end in range(4)] == [range(n) for n in (1, 2, 3, 4)]
    assert not prefixes.new_starts(1, 0), "just a: the same group"
    assert prefixes.new_starts(1, 1) == range(2), "ends with c: no earlier order has computed these"
    assert prefixes.new_starts(1, 2) == range(3), "begins after a, c"
    assert prefixes.new_starts(1, 3) == range(3), "d alone is known"


def test_intervals_of_the_same_layers_may_be_one() -> None:
    prefixes = Prefixes(["abcde", "acbde"], as_sets=True)
    assert [prefixes.new_starts(0, end) for end in range(5)] == [range(n) for n in (1, 2, 3, 4, 5)]
    assert prefixes.new_starts(1, 1) == range(2), "ends with c: no earlier order has computed these"
    for end in (2, 3, 4):
        assert prefixes.new_starts(1, end) == [2], "from b on; a, b, c are known in another order"


def test_the_same_layers_cut_along_other_axes_are_other_groups() -> None:
    prefixes = Prefixes(["abcd", "abcd"], [CutAxes.OUTERMOST, CutAxes.PICTURES])
    assert prefixes.of[0] == prefixes.of[1]
    assert [prefixes.new_starts(1, end) for end in range(4)] == [range(n) for n in (1, 2, 3, 4)]


def _block(stride: int) -> Graph:
    """A block whose skip is a convolution of the input, which a branch reads, too."""
    size, strides = 8 // stride, f"strides=[{stride},{stride}]"
    weights = {"wa": (8, 16, 1, 1), "wb": (8, 8, 3, 3), "wc": (32, 8, 1, 1), "wd": (32, 16, 1, 1)}
    layers = (
        f"a = Conv(x, wa) b = Conv<{strides}, pads=[1,1,1,1]>(a, wb) d = Conv<{strides}>(x, wd) "
        "c = Conv(b, wc) y = Add(c, d)"
    )
    text = f"(float[1,16,8,8] x) => (float[1,32,{size},{size}] y) {{ {layers} }}"
    return canonicalise(graph_of(text, weights))


@pytest.mark.parametrize(("stride", "is_early"), [(2, True), (1, False)])
def test_a_layer_comes_early_that_frees_more_than_it_makes(stride: int, is_early: bool) -> None:
    graph = _block(stride)
    names = [layer.name for layer in graph.layers() if not layer.is_view]
    early = freeing_early(graph, names)
    assert sorted(early) == sorted(names)
    skip = next(n for n in names if graph.inputs_of(n)[0] == "x" and n != names[0])
    assert early.index(skip) == (0 if is_early else names.index(skip))


def test_a_layer_that_reads_the_others_result_comes_just_behind_it() -> None:
    """The second product frees both its operands, one of which the first one makes."""
    layers = "a = MatMul(x, wa) w = Softmax(z) y = MatMul(x, a)"
    text = f"(float[16,16] x, float[16,16] z) => (float[16,2] y, float[16,16] w) {{ {layers} }}"
    graph = canonicalise(graph_of(text, {"wa": (16, 2)}))
    first, beside, second = (layer.name for layer in graph.layers() if not layer.is_view)
    assert freeing_early(graph, [first, beside, second]) == [first, second, beside]


@pytest.mark.parametrize("seed", range(10))
def test_operands_come_first_where_layers_come_early(seed: int) -> None:
    graph = random_graph(seed, 12)
    known = {*graph.inputs, *graph.constants}
    for layer in orders_of(graph, most_layers=0)[-1]:
        assert {t for t in graph.inputs_of(layer.name) if t is not None} <= known
        known |= set(graph.outputs_of(layer.name))


def test_what_a_sum_over_rows_needs_comes_first() -> None:
    """Queries come behind the sum of keys times values, and behind what is small."""
    products = "q = MatMul(x, wq) k = MatMul(x, wk) v = MatMul(x, wv) t = Transpose<perm=[0,2,1]>(k)"
    text = f"(float[1,64,8] x) => (y) {{ {products} g = MatMul(t, v) s = Relu(g) y = MatMul(q, s) }}"
    graph = graph_of(text, dict.fromkeys(("wq", "wk", "wv"), (8, 8)))
    for step, _ in CANONICAL_PASSES:
        step.apply(graph, Target(memory_bytes=4096))
    names = [layer.name for layer in graph.layers() if not layer.is_view]
    assert names[0] == "q"
    assert contractions_first(graph, names) == [*names[1:-1], "q", names[-1]]
    assert contractions_first(graph, names) in [[layer.name for layer in o] for o in orders_of(graph)]


@pytest.mark.parametrize(("channels", "is_turned"), [(2, True), (16, False)])
def test_branches_that_end_come_in_the_order_of_the_newest_operand(channels: int, is_turned: bool) -> None:
    """Of small heads the last comes first; those that leave as much as they read stay as they came."""
    weights = dict.fromkeys(("wa", "wb", "wc"), (16, 16, 1, 1))
    weights |= dict.fromkeys(("wp", "wq", "wr"), (channels, 16, 1, 1))
    trunk = "a = Conv(x, wa) b = Conv(a, wb) c = Conv(b, wc)"
    heads = "p = Conv(a, wp) q = Conv(b, wq) r = Conv(c, wr)"
    behind = "u = Max(p, q) y = Max(u, r)"
    text = f"(float[1,16,8,8] x) => (float[1,{channels},8,8] y) {{ {trunk} {heads} {behind} }}"
    graph = canonicalise(graph_of(text, weights))
    names = [layer.name for layer in graph.layers() if not layer.is_view]
    *first, p, q, r, u, y = names
    assert newest_first(graph, names) == ([*first, r, q, p, u, y] if is_turned else names)


def test_operands_come_first_where_heads_change_places() -> None:
    changed = 0
    for seed in range(30):
        graph = canonicalise(import_model(detector_heads(seed)))
        names = [layer.name for layer in graph.layers() if not layer.is_view]
        order = newest_first(graph, names)
        assert sorted(order) == sorted(names)
        known = {*graph.inputs, *graph.constants}
        for layer in map(graph.layer, order):
            assert {t for t in graph.inputs_of(layer.name) if t is not None} <= known
            known |= set(graph.outputs_of(layer.name))
        changed += order != names
    assert changed > 5


def _added(count: int) -> Graph:
    """Functions of the input, all of them written before they are added up one by one."""
    made = [f"t{n} = LeakyRelu <alpha={n / count}>(x)" for n in range(count)]
    added = [f"s{n} = Add({f's{n - 1}' if n > 1 else 't0'}, t{n})" for n in range(1, count)]
    text = f"(float[1,4,8,8] x) => (float[1,4,8,8] s{count - 1}) {{ {' '.join([*made, *added])} }}"
    return canonicalise(graph_of(text, {}))


def test_what_can_be_added_is_not_kept() -> None:
    graph = _added(30)
    names = [layer.name for layer in graph.layers() if not layer.is_view]
    early = with_little_alive(graph, names)
    assert sorted(early) == sorted(names)
    assert early != names
    for made, added in zip(early[1::2], early[2::2], strict=True):
        assert graph.output_of(made) in graph.inputs_of(added), "a tensor is added as soon as it is there"


def test_layers_stay_as_they_came_if_that_needs_little_memory() -> None:
    graph = _added(3)
    names = [layer.name for layer in graph.layers() if not layer.is_view]
    assert with_little_alive(graph, names) == names
