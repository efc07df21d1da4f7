"""Sets of buffers that may stay on chip together."""

from __future__ import annotations

from fusion_networks import network_of
from pass_harness import graph_of

from nnc.compiler.pipeline import canonicalise
from nnc.compiler.plan.fusion.resident_sets import resident_sets


def test_what_is_read_next_may_stay_without_what_is_older() -> None:
    lines = ("a = Sin(x)", "b = Cos(x)", "c = Exp(x)", "d = Tanh(x)", "e = Max(c, d)", "f = Max(e, b)")
    text = f"(float[1,64] x) => (float[1,64] y) {{ {' '.join(lines)} y = Max(f, a) }}"
    network = network_of(canonicalise(graph_of(text)))
    position = network.defines.index("e")
    assert set(network.crossings[position]) == {"a", "b", "c", "d"}
    found = {frozenset(mine.whole) for mine in resident_sets(network, position, 1024, set())}
    assert {frozenset("cd"), frozenset("bcd"), frozenset("abcd")} <= found


def test_a_buffer_of_a_24th_of_the_memory_may_go_alone() -> None:
    """A GPT-2 block in 8 MiB kept its input until the residual: scores had no room beside keys and values."""
    lines = ("a = Sin(x)", "b = Cos(x)", "c = Exp(x)", "d = Max(b, c)")
    text = f"(float[1,64] x) => (float[1,64] y) {{ {' '.join(lines)} y = Max(d, a) }}"
    network = network_of(canonicalise(graph_of(text)))
    position = network.defines.index("d")
    assert set(network.crossings[position]) == {"a", "b", "c"}
    sets = resident_sets(network, position, 24 * 256, set())
    assert {frozenset("bc"), frozenset("abc")} <= {frozenset(residents.whole) for residents in sets}
