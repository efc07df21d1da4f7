"""Sections: what is alike is placed once, and lies where it would if each were placed alone."""

from __future__ import annotations

from itertools import count

import pytest
from estimate import random_network

from nnc.compiler.frontend.importer import import_model
from nnc.compiler.ir.graph import TensorType
from nnc.compiler.ir.layers import Elementwise, Loc
from nnc.compiler.pipeline import canonicalise
from nnc.compiler.plan.place.double_buffers import Section, Sections, allocate_with_transfers
from nnc.compiler.plan.place.live_ranges import Touches
from nnc.compiler.plan.planner import make_plan
from nnc.compiler.plan.step import Compute, Load, Step, Store, Tile
from nnc.isa.chip.load import load_chip
from nnc.isa.types import DType

CHIPS = {"npu": ["memory.sram.bytes=64KiB"], "vdsp12": ["cores=3"]}


def tile(name: str) -> Tile:
    return Tile.dense(name, "x", (0,), TensorType(DType.F32, (4,)), (0,), "sram")


def layer_steps(ins: list[str], out: str) -> list[Step]:
    """A layer that loads what it reads, if it is not on chip, computes, and stores its result."""
    loc, where = Loc("x", "Relu"), {"part": 0, "core": 0}
    loads: list[Step] = [Load(tile=tile(name), loc=loc, **where) for name in ins]
    layer = Elementwise(name=out, loc=loc, function="relu")
    made = Compute(layer=layer, out=tile(out), ins=tuple(map(tile, ins)), **where)
    return [*loads, made, Store(tile=tile(out), loc=loc, **where)]


def sections_of(*groups: list[Step]) -> list[Section]:
    touches = Touches.of_groups(groups)
    return [*Sections(touches).of(touches.lives())]


def test_layers_that_differ_in_names_alone_are_equal_sections() -> None:
    sections = sections_of(*[layer_steps([f"a{group}", f"b{group}"], f"y{group}") for group in range(3)])
    assert [section.names for section in sections] == [[f"a{n}", f"b{n}", f"y{n}"] for n in range(3)]
    assert len({section.key for section in sections}) == 1
    assert sections[1].first.tolist() == [0, 1, 2]
    assert sections[1].stored.tolist() == [-1, -1, 3]


def test_what_stays_on_chip_between_two_groups_makes_them_one_section() -> None:
    groups = [layer_steps(["a"], "y"), layer_steps(["b"], "z"), layer_steps(["c"], "y")[1:]]
    first, second = ["a", "y"], ["b", "z", "c"]
    assert [section.names for section in sections_of(*groups)] == [first + second]


def test_the_order_of_names_is_part_of_what_a_section_is() -> None:
    """It decides which of equal blocks comes first."""
    one, other = sections_of(layer_steps(["a", "b"], "y"), layer_steps(["b'", "a'"], "y'"))
    assert one.key != other.key


@pytest.mark.parametrize("seed", range(4, 12))
@pytest.mark.parametrize("name", CHIPS)
def test_blocks_lie_where_they_would_if_no_section_were_known(
    name: str, seed: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    chip = load_chip(name, CHIPS[name])
    plan = make_plan(canonicalise(import_model(random_network(seed)), chip=chip), chip)
    touches = Touches.of_groups([[s for s in group.steps if not s.core] for group in plan.groups])
    found = allocate_with_transfers(touches, chip)
    numbers = count()
    monkeypatch.setattr(Section, "key", property(lambda _: next(numbers)))
    assert allocate_with_transfers(touches, chip) == found
