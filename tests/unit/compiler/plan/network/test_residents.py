"""What stays on chip between groups, as a value."""

from __future__ import annotations

from fusion_networks import network_of, random_graph

from nnc.compiler.plan.network.residents import NOTHING, Resident, Residents


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
        assert network.stays(residents) == {"t0": nbytes}
        assert sum(network.stays(residents).values()) == nbytes
    assert sum(network.stays(NOTHING).values()) == 0


def test_what_is_undelivered_stays_whole_and_has_no_copy() -> None:
    residents = Residents([Resident("a"), Resident("b", 12), Resident("c", is_copy=True)])
    assert residents.undelivered == {"a"}
