"""Records: copies with other values of some fields, and what stands at some places of a tuple."""

from dataclasses import replace

import pytest

from nnc.isa.record import changed, changer, picker, record


@record(frozen=True, slots=True)
class Point:
    x: int
    y: int = 2


@record(frozen=True)
class Named(Point):
    names: tuple[str, ...] = ()


@pytest.mark.parametrize("point", [Point(1), Named(1, 3, ("a",))])
def test_records_are_changed_as_dataclasses_replaces_them(point: Point) -> None:
    before = replace(point)
    assert changed(point, y=5) == replace(point, y=5) == changer(type(point), "y")(point, 5)
    assert changer(type(point), "y", "x")(point, 5, 6) == replace(point, x=6, y=5)
    assert changer(type(point))(point) == point == before


def test_what_stands_at_some_places_is_a_tuple_however_many_there_are() -> None:
    known = ("a", "b", None)
    for places in ([], [1], [-1], [2, 0], [0, 0, -1]):
        assert picker(places)(known) == tuple(known[place] for place in places)
