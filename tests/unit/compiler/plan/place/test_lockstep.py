"""Cores in step: what is merged is what every core's own list says, in its order."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from hypothesis import given
from hypothesis import strategies as st

from nnc.compiler.ir.graph import TensorType
from nnc.compiler.ir.layers import Loc
from nnc.compiler.plan.place.lockstep import (
    Keyed,
    flattened,
    in_step,
    merged,
    offsets_of_all,
    united,
    with_own_blocks,
)
from nnc.compiler.plan.step import Load, Step, Store, Tile, tiles_of
from nnc.isa.types import DType

LOC = Loc("n", "Test")


def tile(name: str, tensor: str, elements: int) -> Tile:
    """A row of elements in a block of its own."""
    return Tile.dense(name, tensor, (0,), TensorType(DType.F32, (elements,)), (0,), "sram")


def load(core: int, name: str, tensor: str = "x", elements: int = 4) -> Load:
    return Load(part=core, core=core, loc=LOC, tile=tile(name, tensor, elements))


def store(core: int, name: str, elements: int = 4) -> Store:
    return Store(part=core, core=core, loc=LOC, tile=tile(name, "y", elements))


@st.composite
def cores(draw: st.DrawFn) -> list[Keyed]:
    """Steps of two to four cores: each does some of a common list, in order, to tiles of its own sizes."""
    kinds = draw(st.lists(st.sampled_from([load, store]), min_size=1, max_size=8))
    found: list[Keyed] = []
    for core in range(draw(st.integers(2, 4))):
        mine: Keyed = []
        for number, kind in enumerate(kinds):
            if core == 0 or draw(st.booleans()):
                name = f"t{number}.k{core}"
                mine.append((number, kind(core, name, elements=draw(st.integers(1, 9)))))
        found.append(mine)
    return found


def own(steps: tuple[Step, ...], core: int) -> list[tuple[type[Step], str, int]]:
    """What a core does after merging, without the sizes of blocks, which are made equal."""
    mine = [step for step in flattened(steps) if step.core == core]
    return [(type(step), tiles_of(step)[0].name, tiles_of(step)[0].type.elements) for step in mine]


def said(steps: Keyed) -> list[tuple[type[Step], str, int]]:
    return [(type(step), tiles_of(step)[0].name, tiles_of(step)[0].type.elements) for _, step in steps]


@given(cores())
def test_merged_steps_are_those_of_every_core_in_order(lists: list[Keyed]) -> None:
    """The leader has every step; the steps of the others hang on it."""
    steps = merged(lists)
    assert steps is not None and [step.core for step in steps] == [0] * len(lists[0])
    for core, mine in enumerate(lists):
        assert own(steps, core) == said(mine)


@given(cores())
def test_the_leaders_blocks_are_as_large_as_any_core_needs(lists: list[Keyed]) -> None:
    steps = merged(lists)
    assert steps is not None
    for step in steps:
        (mine,) = tiles_of(step)
        assert mine.block.nbytes == max(tiles_of(one)[0].type.nbytes for one in (step, *step.others))
    offsets = {tiles_of(step)[0].block.name: 16 * at for at, step in enumerate(steps)}
    everywhere = offsets_of_all(steps, flattened(steps), offsets)
    for step in steps:
        for twin in step.others:
            assert everywhere[tiles_of(twin)[0].block.name] == offsets[tiles_of(step)[0].block.name]


@given(cores(), st.data())
def test_united_steps_are_those_of_every_core_in_order(lists: list[Keyed], data: st.DataObject) -> None:
    """Here no core has to do everything: steps of the leader are left out, too."""
    lists[0] = [item for item in lists[0] if data.draw(st.booleans())]
    steps = united(lists, constants=())
    assert steps is not None
    for core, mine in enumerate(lists):
        assert own(steps, core) == said(mine)


def test_a_core_with_a_step_that_the_leader_has_not_cannot_be_merged() -> None:
    assert merged([[(0, load(0, "a"))], [(0, load(1, "b")), (1, load(1, "c"))]]) is None


def test_common_steps_in_different_orders_cannot_be_united() -> None:
    first, second = (0, load(0, "a")), (1, load(0, "b"))
    assert united([[first, second], [(1, load(1, "b")), (0, load(1, "a"))]], constants=()) is None


def test_cores_in_different_orders_are_told_by_their_first_parts() -> None:
    """Of four parts, those behind the first two are not looked for; in step, all are."""
    first, second, third = (0, load(0, "a")), (1, load(0, "b")), (2, load(0, "c"))
    taken: list[int] = []

    def part_by_part(steps: Keyed) -> Iterator[Keyed]:
        for number in range(1, 5):
            taken.append(number)
            yield steps[:number]

    leader: Keyed = [first, second, third]
    assert not in_step([part_by_part(leader), part_by_part([second, first, third])])
    assert taken == [1, 1, 2, 2]
    taken.clear()
    assert in_step([part_by_part(leader), part_by_part([first, third]), part_by_part([second, third])])
    assert taken == [1, 1, 1, 2, 2, 2, 3, 3, 3, 4, 4, 4]


@given(cores(), st.data())
def test_what_is_in_step_can_be_united(lists: list[Keyed], data: st.DataObject) -> None:
    mixed = [data.draw(st.permutations(steps)) if data.draw(st.booleans()) else steps for steps in lists]
    assert in_step([iter([steps]) for steps in mixed]) == (united(mixed, constants=()) is not None)


def test_a_constant_is_loaded_once_and_sent_to_all() -> None:
    steps = united([[("w", load(core, "w.0", "w"))] for core in range(3)], constants={"w"})
    assert steps is not None
    (only,) = steps
    assert isinstance(only, Load) and only.receivers == (0, 1, 2) and only.others == ()


def test_every_core_loads_its_own_piece_of_a_constant_that_is_not_the_same_for_all() -> None:
    """It stores what it loaded, under the name that the piece has got."""
    lists: list[Keyed] = []
    for core in range(3):
        piece = load(core, "w.0", "w", elements=4 + core)
        lists.append([("w", piece), ("y", Store(part=core, core=core, loc=LOC, tile=piece.tile))])
    steps = united(lists, constants={"w"})
    assert steps is not None
    assert not any(step.receivers for step in flattened(steps) if isinstance(step, Load))
    for core, name in enumerate(("w.0", "w.0.k1", "w.0.k2")):
        assert own(steps, core) == [(Load, name, 4 + core), (Store, name, 4 + core)]
        assert {t.block.name for step in flattened(steps) for t in tiles_of(step)} == {"w.0"}


def test_broadcasts_are_told_apart_by_their_receivers() -> None:
    """Cores 0 and 1 share one piece, 2 and 3 another: two broadcasts, each by the first that needs it."""
    pairs = ((0, 1), (0, 1), (2, 3), (2, 3))
    lists: list[Keyed] = []
    for core, receivers in enumerate(pairs):
        lists.append([(0, replace(load(core, f"w.k{receivers[0]}", "w"), receivers=receivers))])
    steps = merged(lists)
    assert steps is not None
    loads = [step for step in flattened(steps) if isinstance(step, Load)]
    assert [(step.core, step.receivers) for step in loads] == [(0, (0, 1)), (2, (2, 3))]


def test_blocks_in_common_get_a_name_on_every_core_but_broadcasts_keep_theirs() -> None:
    sent = replace(load(0, "w", "w"), receivers=(0, 1))
    steps = with_own_blocks([sent, load(0, "a"), load(1, "a"), store(0, "b")])
    assert [tiles_of(step)[0].block.name for step in steps] == ["w", "a", "a.k1", "b"]
