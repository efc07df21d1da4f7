"""Sets of buffers that may stay on chip together."""

from __future__ import annotations

from decoder_model import decoder_model
from fusion_networks import network_of
from pass_harness import graph_of

from nnc.compiler.frontend.importer import import_model
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


def test_of_inputs_and_outputs_only_copies_stay() -> None:
    """DRAM has them: no group makes an input, and what is made of an output is stored whoever reads it."""
    lines = ("a = Sin(x)", "b = Max(a, z)", "c = Max(b, a)", "y = Max(c, z)")
    text = f"(float[1,64] x, float[1,64] z) => (float[1,64] y, float[1,64] b) {{ {' '.join(lines)} }}"
    network = network_of(canonicalise(graph_of(text)))
    position = network.defines.index("c")
    assert set(network.crossings[position]) == {"z", "a", "b"}
    sets = resident_sets(network, position, 1024, set())
    assert {frozenset(residents.undelivered) for residents in sets} == {frozenset(), frozenset("a")}
    assert {frozenset(residents.copies) for residents in sets} == {frozenset(), frozenset("z")}
    without = resident_sets(network, position, 1024, {"z"})
    assert {frozenset(residents.copies) for residents in without} == {frozenset(), frozenset("a")}


def test_sets_at_a_layer_do_not_grow_with_the_number_of_blocks() -> None:
    """Keys and values of a decoder's blocks cross all layers of all others, on their way in or out."""
    counts = []
    for layers in (2, 6):
        network = network_of(canonicalise(import_model(decoder_model(1, 32, 4, layers))))
        positions = range(len(network.layers))
        counts.append(max(len(resident_sets(network, at, 1 << 14, set())) for at in positions))
    assert counts[0] == counts[1] < 8
