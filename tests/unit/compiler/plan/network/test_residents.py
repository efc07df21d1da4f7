"""What stays on chip between groups, as a value."""

from __future__ import annotations

from random import Random

import pytest
from fusion_networks import network_of, random_graph

from nnc.compiler.plan.network.residents import NOTHING, Resident, Residents, crossing_bits


def test_equal_residents_are_one_state() -> None:
    assert Residents([Resident("a"), Resident("b", 3)]) == Residents([Resident("b", 3), Resident("a")])
    assert len({Residents([Resident("a")]), Residents([Resident("a", 1)]), Residents([Resident("a")])}) == 2
    assert Residents() == NOTHING


def test_look_ups_by_buffer() -> None:
    mine = Residents([Resident("b", 3), Resident("a"), Resident("c")])
    assert mine.whole == {"a", "c"}
    assert mine.last_rows == {"b": 3}


def test_a_copy_is_another_state_than_what_dram_does_not_have() -> None:
    copy, original = Resident("b", is_copy=True), Resident("b")
    mine = Residents([copy, Resident("a"), Resident("c", 3)])
    assert (mine.whole, mine.copies) == ({"a", "b"}, {"b"})
    assert Residents([copy]) != Residents([original])
    assert (copy.original, Resident("c", 3).original) == (original, Resident("c", 3))
    assert str(mine) == "a, a copy of b, the last 3 rows of c"


def test_the_order_is_that_of_names_in_every_process() -> None:
    mine = Residents([Resident("b", 12), Resident("c"), Resident("a")])
    assert mine.ordered == (Resident("a"), Resident("b", 12), Resident("c"))
    assert str(mine) == "a, the last 12 rows of b, c"


def test_bytes_are_those_of_whole_buffers_and_of_last_rows() -> None:
    network = network_of(random_graph(0, 6))
    info = network.buffers["t0"]
    for rows, nbytes in ((None, info.nbytes), (5, 5 * info.row_bytes)):
        residents = Residents([Resident("t0", rows, is_copy=rows is None)])
        assert network.residents.stays(residents) == {"t0": nbytes}
        assert network.residents.nbytes_of(residents) == nbytes
    assert network.residents.nbytes_of(NOTHING) == 0


@pytest.mark.parametrize("seed", range(20))
def test_buffers_that_hold_data_at_the_same_time_have_bits_of_their_own(seed: int) -> None:
    random = Random(seed)
    first = {f"b{number}": random.randrange(-1, 12) for number in range(15)}
    last = {name: random.choice([-1, begun, random.randrange(begun, 14)]) for name, begun in first.items()}
    bits = crossing_bits(first, last)
    assert bits.keys() == {name for name in first if last[name] > first[name]}
    for position in range(14):
        alive = [bits[name] for name in first if first[name] < position <= last[name]]
        assert len(set(alive)) == len(alive)
        assert all(bit.bit_count() == 1 for bit in alive)
    assert len(set(bits.values())) == max(
        (sum(first[name] < position <= last[name] for name in first) for position in range(14)), default=0
    )


def test_sets_of_whole_buffers_are_sums_of_bits() -> None:
    network = network_of(random_graph(0, 6))
    for crossing in network.crossings:
        residents = Residents(map(Resident, crossing))
        assert network.residents.mask(residents) == sum(network.residents.bits[name] for name in crossing)
        copies = Residents(Resident(name, is_copy=True) for name in crossing)
        assert network.residents.mask(copies) == 0
