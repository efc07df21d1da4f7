"""Line buffers of two fused convolutions x -> a -> y against a model that steps through the parts.

The model knows only the sizes of the windows: a part stores the next rows of y; for them it needs rows of a,
of which it computes those that no part before had; for these it needs rows of x, of which it loads the new
ones.  What a part holds and the next part needs again is kept, everything else is freed.
"""

from __future__ import annotations

from dataclasses import dataclass

import pytest
from pass_harness import graph_of

from nnc.compiler.ir.layers import Copy
from nnc.compiler.pipeline import canonicalise
from nnc.compiler.plan.options import PlanOptions
from nnc.compiler.plan.plan import GroupPlan
from nnc.compiler.plan.planner import make_plan
from nnc.compiler.plan.step import Compute, Load, Step, Store, Tile, tiles_of
from nnc.isa.chip.load import load_chip

Rows = tuple[int, int]
"""From the first row to the one behind the last."""
ROW_BYTES = 4 * 8 * 4
"""Channels, columns, bytes of an element: rows of x, a and y are equally large."""


@dataclass(frozen=True)
class PartModel:
    """What a part does: rows that it holds of x and a, new rows, rows that it keeps for the next part."""

    held_x: Rows
    loaded_x: Rows
    held_a: Rows
    computed_a: Rows
    computed_y: Rows
    kept_x: Rows
    kept_a: Rows


def stepped(rows: int, kernels: tuple[int, int], parts: int) -> list[PartModel]:
    """The model: `rows` rows of every tensor, square windows with as much padding as keeps the size."""

    def window(out: Rows, kernel: int) -> Rows:
        return max(0, out[0] - kernel // 2), min(rows, out[1] + kernel // 2)

    had_x = had_a = 0
    held = []
    for part in range(parts):
        y = (rows * part // parts, rows * (part + 1) // parts)
        a = window(y, kernels[1])
        new_a = (had_a, a[1])
        x = window(new_a, kernels[0])
        held.append((x, (had_x, x[1]), a, new_a, y))
        had_x, had_a = x[1], a[1]
    models = []
    for part, (x, new_x, a, new_a, y) in enumerate(held):
        next_x, next_a = (held[part + 1][0], held[part + 1][2]) if part + 1 < parts else ((rows, rows),) * 2
        models.append(PartModel(x, new_x, a, new_a, y, (next_x[0], x[1]), (next_a[0], a[1])))
    return models


def fused(rows: int, kernels: tuple[int, int], sram: int) -> GroupPlan:
    """The plan of the two convolutions on a memory that is too small for whole tensors."""
    first, second = kernels
    pads = [f"<pads=[{k // 2},{k // 2},{k // 2},{k // 2}]>" for k in kernels]
    text = f"(float[1,4,{rows},8] x) => (y) {{ a = Conv {pads[0]} (x, w)\n y = Conv {pads[1]} (a, v) }}"
    graph = graph_of(text, {"w": (4, 4, first, first), "v": (4, 4, second, second)})
    chip = load_chip("npu", [f"memory.sram.bytes={sram}"])
    (planned,) = make_plan(canonicalise(graph), chip, options=PlanOptions(objective="traffic")).groups
    assert planned.group.layers == ("a", "y") and planned.group.parts > 1, "the case must be a group in parts"
    return planned


def rows_of(tile: Tile) -> Rows:
    return tile.low[2], tile.low[2] + tile.type.shape[2]


def of_part(planned: GroupPlan, part: int) -> list[Step]:
    return [step for step in planned.steps if step.part == part]


CASES = {
    "2 parts": (24, (3, 3), 4992),
    "7 parts": (24, (3, 3), 3072),
    "uneven parts": (33, (3, 3), 3072),
    "wide window first": (24, (5, 3), 6144),
    "no window first": (48, (1, 3), 4096),
    "sliding window": (48, (5, 3), 4096),
}
EVERY = pytest.mark.parametrize("rows, kernels, sram", CASES.values(), ids=CASES.keys())


@EVERY
def test_every_part_loads_and_computes_the_rows_of_the_model(
    rows: int, kernels: tuple[int, int], sram: int
) -> None:
    planned = fused(rows, kernels, sram)
    for part, model in enumerate(stepped(rows, kernels, planned.group.parts)):
        steps = of_part(planned, part)
        loaded = [rows_of(s.tile) for s in steps if isinstance(s, Load) and s.tile.tensor == "x"]
        assert loaded == ([model.loaded_x] if model.loaded_x[0] < model.loaded_x[1] else [])
        computed = [s for s in steps if isinstance(s, Compute) and not isinstance(s.layer, Copy)]
        assert [(s.out.tensor, rows_of(s.out)) for s in computed] == [
            (tensor, new)
            for tensor, new in (("a", model.computed_a), ("y", model.computed_y))
            if new[0] < new[1]
        ]
        read = {s.out.tensor: rows_of(s.ins[0]) for s in computed if s.ins[0] is not None}
        held = {"a": model.held_x, "y": model.held_a}
        assert read == {tensor: held[tensor] for tensor in read}
        stored = [(s.tile.tensor, rows_of(s.tile)) for s in steps if isinstance(s, Store)]
        assert stored == [("y", model.computed_y)]


@EVERY
def test_what_the_next_part_needs_again_is_moved_and_nothing_else(
    rows: int, kernels: tuple[int, int], sram: int
) -> None:
    """Rows go by way of a small tile of their own to the head of the next tile, or stay in the window."""
    planned = fused(rows, kernels, sram)
    kept: dict[str, list[Rows]] = {"x": [], "a": []}
    for model in stepped(rows, kernels, planned.group.parts):
        kept["x"].append(model.kept_x)
        kept["a"].append(model.kept_a)
    for tensor in kept:
        in_window = len(blocks_of(planned, tensor)) == 1
        for part in range(planned.group.parts):
            moved = {
                rows_of(step.out)
                for step in of_part(planned, part)
                if isinstance(step, Compute) and isinstance(step.layer, Copy) and step.out.tensor == tensor
            }
            wanted = {kept[tensor][number] for number in (part - 1, part) if number >= 0}
            wanted = {(first, end) for first, end in wanted if first < end}
            assert moved <= wanted if in_window else moved == wanted


def blocks_of(planned: GroupPlan, tensor: str) -> dict[str, tuple[int, set[int]]]:
    """Blocks that hold rows of a tensor: bytes, and the parts that touch them."""
    found: dict[str, tuple[int, set[int]]] = {}
    for step in planned.steps:
        for tile in tiles_of(step):
            if tile.tensor == tensor:
                found.setdefault(tile.block.name, (tile.block.nbytes, set()))[1].add(step.part)
    return found


@EVERY
def test_blocks_hold_the_rows_of_their_part_and_are_freed(
    rows: int, kernels: tuple[int, int], sram: int
) -> None:
    """A tile of rows lives in one part, kept rows until the next part; a sliding window lives in all."""
    planned = fused(rows, kernels, sram)
    models = stepped(rows, kernels, planned.group.parts)
    for tensor in ("x", "a"):
        held = [model.held_x if tensor == "x" else model.held_a for model in models]
        kept = [model.kept_x if tensor == "x" else model.kept_a for model in models]
        blocks = blocks_of(planned, tensor)
        if len(blocks) == 1:
            ((nbytes, parts),) = blocks.values()
            assert parts == set(range(planned.group.parts))
            assert nbytes >= max(end - first for first, end in held) * ROW_BYTES
            continue
        lifetimes = sorted((min(parts), max(parts), nbytes) for nbytes, parts in blocks.values())
        tiles = [(part, part, (end - first) * ROW_BYTES) for part, (first, end) in enumerate(held)]
        keeps = [(part, part + 1, (end - first) * ROW_BYTES) for part, (first, end) in enumerate(kept)]
        assert lifetimes == sorted(tiles + [keep for keep in keeps if keep[2] > 0])


@EVERY
def test_a_tile_begins_with_its_load(rows: int, kernels: tuple[int, int], sram: int) -> None:
    """Then `plan/place/double_buffers` lets it begin in the part before, not behind a copy of kept rows.

    A sliding window is loaded over the rows that have moved.
    """
    planned = fused(rows, kernels, sram)
    begun: dict[str, Step] = {}
    for step in planned.steps:
        for tile in step.tiles:
            if tile is not None and tile.tensor == "x":
                begun.setdefault(tile.block.name, step)
    tiles = [step for name, step in begun.items() if name.endswith(".tile")]
    assert all(isinstance(step, Load) for step in tiles)
    assert bool(tiles) != (len(begun) == 1), "either tiles or a window"


def test_rows_of_a_window_move_on_before_layers_that_do_not_read_them() -> None:
    """So the load behind them runs beside these layers, not behind them."""
    planned = fused(*CASES["sliding window"])
    assert len(blocks_of(planned, "x")) == 1
    for part in range(planned.group.parts - 1):
        computed = [step for step in of_part(planned, part) if isinstance(step, Compute)]
        (moved,) = (n for n, s in enumerate(computed) if isinstance(s.layer, Copy) and s.out.tensor == "x")
        (last,) = (n for n, s in enumerate(computed) if s.out.tensor == "y")
        assert moved < last
