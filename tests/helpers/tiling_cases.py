"""Small layers, all their tilings, and what the steps of a tiling move."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import cache
from itertools import permutations, product
from typing import TypeVar

from hypothesis import HealthCheck, Phase, given, settings
from hypothesis import strategies as st
from pass_harness import graph_of

from nnc.compiler.ir.graph import Graph
from nnc.compiler.ir.layers import Layer
from nnc.compiler.pipeline import canonicalise
from nnc.compiler.plan.alone.core_split import CoreSplit
from nnc.compiler.plan.alone.layer_alone import Candidate, steps_of_cores
from nnc.compiler.plan.alone.tile_search import LayerSearch
from nnc.compiler.plan.alone.tile_table import PricedTiling, TileTable
from nnc.compiler.plan.alone.tiled_layer import TiledLayer
from nnc.compiler.plan.alone.tiling import Tiling
from nnc.compiler.plan.effort import EFFORTS
from nnc.compiler.plan.options import PlanOptions
from nnc.compiler.plan.plan import Plan
from nnc.compiler.plan.planner import make_plan
from nnc.compiler.plan.step import Load, Store, Tile
from nnc.compiler.target import layer_traits
from nnc.compiler.tuning import TUNING
from nnc.isa.chip.description import Chip
from nnc.isa.chip.load import load_chip

Shapes = dict[str, tuple[int, ...]]
T = TypeVar("T")

LAYERS: dict[str, tuple[str, Shapes]] = {
    "convolution": (
        "(float[1,3,4,3] x) => (y) { y = Conv <pads=[1,1,1,1]> (x, w, b) }",
        {"w": (3, 3, 3, 3), "b": (3,)},
    ),
    "strided convolution": (
        "(float[1,2,7,6] x) => (y) { y = Conv <strides=[2,2]> (x, w) }",
        {"w": (3, 2, 3, 2)},
    ),
    "grouped convolution": (
        "(float[1,4,4,3] x) => (y) { y = Conv <group=2, pads=[1,0,1,0]> (x, w) }",
        {"w": (4, 2, 3, 1)},
    ),
    "depthwise convolution": (
        "(float[1,4,5,3] x) => (y) { y = Conv <group=4, pads=[1,1,1,1]> (x, w) }",
        {"w": (4, 1, 3, 3)},
    ),
    "transposed convolution": (
        "(float[1,3,2,2] x) => (y) { y = ConvTranspose <strides=[2,1]> (x, w) }",
        {"w": (3, 2, 2, 2)},
    ),
    "matrix product": ("(float[4,5] x) => (y) { y = MatMul (x, w) }", {"w": (5, 4)}),
    "product of two results": ("(float[2,3,3] x, float[2,3,2] z) => (y) { y = MatMul (x, z) }", {}),
    "maximum": (
        "(float[1,3,6,5] x) => (y) { y = MaxPool <kernel_shape=[3,3], strides=[2,1], pads=[1,1,1,1]> (x) }",
        {},
    ),
    "sum of two": ("(float[1,3,4,3] x, float[1,3,4,3] z) => (y) { y = Add (x, z) }", {}),
    "sum with a row": ("(float[1,3,4,3] x, float[3] z) => (y) { y = Add (x, z) }", {}),
    "softmax": ("(float[4,3,5] x) => (y) { y = Softmax <axis=-1> (x) }", {}),
}
"""Text of a network of one layer, and shapes of its weights: so small that all tilings can be expanded."""

LARGER: dict[str, tuple[str, Shapes]] = {
    "convolution": (
        "(float[1,6,6,6] x) => (y) { y = Conv <pads=[1,1,1,1]> (x, w, b) }",
        {"w": (6, 6, 3, 3), "b": (6,)},
    ),
    "pointwise convolution": ("(float[1,8,5,6] x) => (y) { y = Conv (x, w) }", {"w": (8, 8, 1, 1)}),
    "grouped convolution": (
        "(float[1,8,6,6] x) => (y) { y = Conv <group=2, pads=[1,1,1,1]> (x, w) }",
        {"w": (8, 4, 3, 3)},
    ),
    "transposed convolution": (
        "(float[1,4,4,4] x) => (y) { y = ConvTranspose <strides=[2,2]> (x, w) }",
        {"w": (4, 4, 2, 2)},
    ),
    "matrix product": ("(float[12,16] x) => (y) { y = MatMul (x, w) }", {"w": (16, 12)}),
    "products of two results": ("(float[2,6,8] x, float[2,8,6] z) => (y) { y = MatMul (x, z) }", {}),
    "maximum": (
        "(float[1,8,8,8] x) => (y) { y = MaxPool <kernel_shape=[3,3], pads=[1,1,1,1]> (x) }",
        {},
    ),
    "product of few bursts": ("(float[6,32] x) => (y) { y = MatMul (x, w) }", {"w": (32, 7)}),
    "every other row": (
        "(float[1,64,3,1] x) => (y) { y = Conv <strides=[2,2]> (x, w, b) }",
        {"w": (1, 64, 1, 1), "b": (1,)},
    ),
    "every other row in groups": (
        "(float[1,48,4,1] x) => (y) { y = Conv <group=4, strides=[2,2]> (x, w, b) }",
        {"w": (48, 12, 1, 1), "b": (48,)},
    ),
    "sum of two": ("(float[1,4,8,8] x, float[1,4,8,8] z) => (y) { y = Add (x, z) }", {}),
}
"""Layers whose tilings are priced, all of them, without being expanded."""


def case(name: str, cases: dict[str, tuple[str, Shapes]] = LAYERS) -> tuple[Graph, Layer]:
    """The canonical graph of a case, and its layer."""
    text, weights = cases[name]
    return _layer_of(text, tuple(weights.items()))


@cache
def _layer_of(text: str, weights: tuple[tuple[str, tuple[int, ...]], ...]) -> tuple[Graph, Layer]:
    graph = canonicalise(graph_of(text, dict(weights)))
    (layer,) = graph.layers()
    return graph, layer


def small_chip(sram: int, *overrides: str) -> Chip:
    """The chip `npu` with little memory, without alignment of blocks."""
    return load_chip("npu", [f"memory.sram.bytes={sram}", "memory.sram.align=1", *overrides])


def all_tilings(tiles: TiledLayer, abreast: Sequence[int] = (1,)) -> Iterator[Tiling]:
    """Every tiling of a layer: tile extents x orders of the loops x chunks, double buffered or not.

    Args:
        abreast: so many tiles side by side, where there are chunks and a loop over tiles.
    """
    layer, shape = tiles.layer, tiles.shape
    lane = layer_traits.lane_axis(layer, len(shape))
    fixed = layer_traits.uncut_axes(layer, tiles.shapes)
    extents = [[n] if axis in fixed else list(range(1, n + 1)) for axis, n in enumerate(shape)]
    chunks = list(range(1, tiles.depth)) if tiles.chunked else []
    for tile in product(*extents):
        lanes = 1 if lane is None else tile[lane]
        if lane is not None and not layer_traits.lane_step_allowed(layer, shape[lane], lanes):
            continue
        chunkable = lane is None or layer_traits.may_chunk(layer, shape[lane], lanes)
        cut = [axis for axis, count in enumerate(tiles.counts(tile)) if count > 1]
        uncut = [axis for axis in range(len(shape)) if axis not in cut]
        for loops in permutations(cut):
            for chunk in (None, *(chunks if chunkable else [])):
                for double, count in product((False, True), abreast):
                    if count == 1 or (chunk is not None and cut):
                        yield Tiling(tile, (*uncut, *loops), chunk, double, abreast=count)


def tiles_of(
    name: str, chip: Chip, cases: dict[str, tuple[str, Shapes]] = LAYERS, split: CoreSplit | None = None
) -> TiledLayer:
    """A case as the search sees it."""
    return TiledLayer(*case(name, cases), chip).shared(split)


def all_priced(tiles: TiledLayer, abreast: Sequence[int] = (1,)) -> Iterator[PricedTiling]:
    """All tilings of a layer; those of one tile and chunk share a table of one row."""
    tables: dict[object, TileTable] = {}
    for tiling in all_tilings(tiles, abreast):
        key = tiling.tile, tiling.chunk
        if key not in tables:
            tables[key] = TileTable(tiles, [[extent] for extent in tiling.tile], [tiling.chunk])
        yield PricedTiling(tables[key], tiling)


def candidates(graph: Graph, layer: Layer, chip: Chip) -> list[Candidate]:
    """What the search finds for a layer on one core, best first."""
    search = LayerSearch(TiledLayer(graph, layer, chip), EFFORTS["O2"])
    return search.candidates(None, chip, TUNING.tiles.percent_slower)


def tiling_of(candidate: Candidate) -> Tiling:
    """How a candidate of the search for tiles is cut."""
    assert isinstance(candidate.cut, Tiling)
    return candidate.cut


def transfers(graph: Graph, layer: Layer, chip: Chip, tiling: Tiling) -> tuple[list[Tile], list[Tile]]:
    """The tiles that the steps of a tiling load, and those that they store."""
    steps = [step for _, step in steps_of_cores(graph, layer, chip, tiling)[0]]
    loads = [step.tile for step in steps if isinstance(step, Load)]
    return loads, [step.tile for step in steps if isinstance(step, Store)]


@st.composite
def random_layers(draw: st.DrawFn, most_elements: int = 40000) -> Graph:
    """The canonical graph of one layer with random shapes; no tensor has more than so many elements."""
    extents = (1, 2, 3, 4, 5, 6, 7, 8, 12, 14, 16, 24, 28, 32, 48, 56, 64, 96, 100, 200, 512)

    def extent(most: int) -> int:
        return draw(st.sampled_from([n for n in extents if n <= max(1, most)]))

    kind = draw(
        st.sampled_from(
            ["convolution", "grouped", "transposed", "pool", "product", "batch", "sum", "softmax"]
        )
    )
    channels = extent(most_elements)
    rows = extent(most_elements // channels)
    columns = extent(most_elements // channels // rows)
    if kind in ("product", "batch"):
        depth = extent(min(most_elements // columns, most_elements // rows))
        if kind == "product":
            return _layer_of(
                f"(float[{rows},{depth}] x) => (y) {{ y = MatMul (x, w) }}", (("w", (depth, columns)),)
            )[0]
        text = f"(float[2,{rows},{depth}] x, float[2,{depth},{columns}] z) => (y) {{ y = MatMul (x, z) }}"
        return _layer_of(text, ())[0]
    x = f"float[1,{channels},{rows},{columns}]"
    if kind == "sum":
        addend = draw(st.sampled_from([x, f"float[{channels},1,1]", f"float[{columns}]"]))
        return _layer_of(f"({x} x, {addend} z) => (y) {{ y = Add (x, z) }}", ())[0]
    if kind == "softmax":
        return _layer_of(f"({x} x) => (y) {{ y = Softmax <axis=-1> (x) }}", ())[0]
    kernel = draw(st.integers(1, min(3, rows, columns)))
    stride, pad = draw(st.integers(1, 2)), draw(st.integers(0, kernel // 2))
    window = f"strides=[{stride},{stride}], pads=[{pad},{pad},{pad},{pad}]"
    if kind == "pool":
        text = f"({x} x) => (y) {{ y = MaxPool <kernel_shape=[{kernel},{kernel}], {window}> (x) }}"
        return _layer_of(text, ())[0]
    outputs = extent(min(512, most_elements // (rows * columns), most_elements // (channels * kernel**2)))
    if kind == "transposed":
        text = f"({x} x) => (y) {{ y = ConvTranspose <strides=[{stride},{stride}]> (x, w) }}"
        return _layer_of(text, (("w", (channels, outputs, kernel, kernel)),))[0]
    groups = draw(st.sampled_from([n for n in (2, 3, 4, channels) if channels % n == 0] or [1]))
    groups, outputs = (groups, channels) if kind == "grouped" else (1, outputs)
    text = f"({x} x) => (y) {{ y = Conv <group={groups}, {window}> (x, w, b) }}"
    return _layer_of(text, (("w", (outputs, channels // groups, kernel, kernel)), ("b", (outputs,))))[0]


def drawn(strategy: st.SearchStrategy[T], count: int) -> list[T]:
    """The same examples of a strategy in every run."""
    examples: list[T] = []

    @settings(
        max_examples=2 * count,
        derandomize=True,
        database=None,
        deadline=None,
        phases=[Phase.generate],
        suppress_health_check=[*HealthCheck],
    )
    @given(strategy)
    def collect(example: T) -> None:
        examples.append(example)

    collect()
    return examples[-count:]  # the first ones are the simplest


def shrunk_chip(name: str, graph: Graph, part: float, *overrides: str) -> Chip:
    """A chip each of whose memories holds such a part of all that a layer touches, and 2 KiB or more."""
    nbytes = max(2048, int(sum(type_.nbytes for type_ in graph.types.values()) / part))
    return load_chip(
        name, [*(f"memory.{memory}.bytes={nbytes}" for memory in load_chip(name).memory), *overrides]
    )


def planned_alone(graph: Graph, chip: Chip, objective: str) -> Plan:
    """The plan of a layer in tiles."""
    return make_plan(graph, chip, options=PlanOptions(objective=objective, fused=False))
