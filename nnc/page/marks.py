"""What each drawing has marks for: columns with an entry per mark, made of a report.

Marks of timeline and memory map are the columns of the report's details, an entry each; those of the other
drawings are few, and are made here.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

from nnc.page.folding import folded_blocks
from nnc.page.layout import Box, draw_layers
from nnc.page.memory_bands import Band
from nnc.page.packing import deltas
from nnc.report.schema import GroupReport, Report

Columns = dict[str, Any]
CAUSE_COLOURS = {
    "input": "#4c78a8", "weight": "#f58518", "output": "#54a24b", "spill": "#e45756", "overlap": "#b279a2",
    "reload": "#ff9da6", "align": "#9d755d", "state": "#72b7b2", "host": "#bab0ac",
}  # fmt: skip
"""Of DRAM bytes by cause; the page has a legend."""
ACCURACY_COLOURS = {
    "below 20 dB": "#d73027", "20 … 30 dB": "#fc8d59", "30 … 40 dB": "#fee08b", "40 … 50 dB": "#a6d96a",
    "50 dB or equal": "#1a9850", "not measured": "#c8ccd0",
}  # fmt: skip
"""Of layers by their own harm, if it was measured: a band for each ten decibels of signal to noise."""
_MARGIN = 1.25
"""Of logarithmic axes around what they show."""


@dataclass(frozen=True)
class Marks:
    """The marks of all drawings, and the ends of the axes of those that are no timelines."""

    columns: dict[str, Columns]
    limits: dict[str, tuple[float, float]]


def make_marks(report: Report, bands: list[Band]) -> Marks:
    """Make the marks of a report with details.

    Args:
        bands: where each memory lies in the map of the memories.
    """
    graph, extent = _graph(report)
    dram, most = _dram(report)
    roofline, roof_limits = _roofline(report)
    right = max(len(report.groups) - 0.4, 0.6)
    return Marks(
        columns={
            "timeline": _timeline(report),
            "blocks": _blocks(report, bands),
            **graph,
            **dram,
            **roofline,
        },
        limits={**extent, "dram-x": (-0.6, right), "dram-y": (0, max(most, 1) * 1.05), **roof_limits},
    )


def _timeline(report: Report) -> Columns:
    assert report.details is not None
    timeline = report.details.timeline
    columns = {
        name: deltas(values) if values and isinstance(values[0], int) else values
        for name, values in timeline.model_dump().items()
    }
    cores = sorted({engine.core for engine in report.engines} | set(timeline.core))
    lanes = [
        3 * cores.index(core) + engine for core, engine in zip(timeline.core, timeline.engine, strict=True)
    ]
    return {**columns, "lane": deltas(lanes)}


def _blocks(report: Report, bands: list[Band]) -> Columns:
    assert report.details is not None
    blocks = report.details.blocks
    columns, counts = folded_blocks(blocks)
    bases = {(band.core, band.memory): band.base for band in bands}
    homes = zip(columns["core"].tolist(), columns["memory"].tolist(), strict=True)
    return {
        **{name: deltas(values) for name, values in columns.items()},
        "count": deltas(counts),
        "base": deltas([bases[home] for home in homes]),
        "memories": blocks.memories,
        "tensors": blocks.tensors,
    }


def _graph(report: Report) -> tuple[dict[str, Columns], dict[str, tuple[float, float]]]:
    """Boxes of layers and groups, and links between layers."""
    members: dict[int, list[int]] = {group.id: [] for group in report.groups}
    for layer in report.layers:
        members.setdefault(layer.group, []).append(layer.id)
    links = report.links
    drawing = draw_layers(members, links)
    boxes = [drawing.layers[layer.id] for layer in report.layers]
    around = list(drawing.groups.values())
    drawn = [(a, b) for a, b in links if a in drawing.layers and b in drawing.layers]
    ends = [(drawing.layers[a], drawing.layers[b]) for a, b in drawn]
    bends = [max((b.left - a.right) / 2, 0.3) for a, b in ends]
    columns = {
        "graph": {
            **_rectangles(boxes),
            "layer": [layer.id for layer in report.layers],
            "group": [layer.group for layer in report.layers],
            **_accuracy_colours(report),
        },
        "graph-groups": {**_rectangles(around), "group": list(drawing.groups)},
        "links": {
            "x0": [a.right for a, _ in ends],
            "y0": [a.middle for a, _ in ends],
            "x1": [b.left for _, b in ends],
            "y1": [b.middle for _, b in ends],
            "cx0": [a.right + bend for (a, _), bend in zip(ends, bends, strict=True)],
            "cx1": [b.left - bend for (_, b), bend in zip(ends, bends, strict=True)],
            "source": [a for a, _ in drawn],
            "target": [b for _, b in drawn],
        },
    }
    right = max((box.right for box in around), default=1.0)
    bottom = min((box.bottom for box in around), default=-1.0)
    return columns, {"graph-x": (-0.2, right + 0.2), "graph-y": (bottom - 0.2, 0.2)}


def is_measured(report: Report) -> bool:
    """Whether any layer has figures of accuracy."""
    return any(layer.accuracy is not None for layer in report.layers)


def _accuracy_colours(report: Report) -> Columns:
    """A colour for each layer by its own harm; nothing if none was measured."""
    *bands, best, unknown = ACCURACY_COLOURS.values()
    if not is_measured(report):
        return {}
    colours = []
    for layer in report.layers:
        ratio = None if layer.accuracy is None else layer.accuracy.own_snr_db
        if layer.accuracy is None:
            colours.append(unknown)
        else:
            place = len(bands) if ratio is None else max(int(ratio // 10) - 1, 0)
            colours.append([*bands, best][min(place, len(bands))])
    return {"color": colours}


def _rectangles(boxes: Iterable[Box]) -> Columns:
    rectangles = list(boxes)
    return {
        "left": [round(box.left, 3) for box in rectangles],
        "right": [round(box.right, 3) for box in rectangles],
        "bottom": [round(box.bottom, 3) for box in rectangles],
        "top": [round(box.top, 3) for box in rectangles],
    }


def _dram(report: Report) -> tuple[dict[str, Columns], int]:
    """A column per group, bytes by cause above each other, and its floor; the largest column's bytes."""
    rows, floors, most = [], [], 0
    for place, group in enumerate(report.groups):
        height = 0
        for cause, count in group.figures.dram.by_cause.items():
            if count:
                rows.append((place - 0.4, place + 0.4, height, height + count, group.id, cause))
                height += count
        most = max(most, height)
        if group.floor.dram_bytes is not None:
            floors.append((place - 0.45, place + 0.45, group.floor.dram_bytes))
    names = ("left", "right", "bottom", "top", "group", "cause")
    columns: Columns = {name: [row[i] for row in rows] for i, name in enumerate(names)}
    columns["color"] = [CAUSE_COLOURS.get(cause, "#777777") for cause in columns["cause"]]
    lines = {name: [line[i] for line in floors] for i, name in enumerate(("left", "right", "y"))}
    return {"dram": columns, "floors": lines}, most


def _roofline(report: Report) -> tuple[dict[str, Columns], dict[str, tuple[float, float]]]:
    """A point per group, and the roof: bandwidth times intensity up to what all arrays do per cycle.

    Groups without MACs, or without DRAM bytes, stand at the edges of the drawing.
    """
    bandwidth = float(report.chip.description["dram"]["bytes_per_cycle"])
    groups = report.groups
    rates = [group.figures.macs / max(group.cycles, 1) for group in groups]
    moved = [group.figures.dram.total_bytes for group in groups]
    intensities = [
        g.figures.macs / nbytes if nbytes else 0.0 for g, nbytes in zip(groups, moved, strict=True)
    ]
    peak = max([_most_macs(group) for group in groups] + [1.0])
    knee = peak / bandwidth
    low_x, high_x = _around([knee, *intensities])
    low_y, high_y = _around([peak, *rates])
    total = max(report.network.cycles, 1)
    points = {
        "x": [
            x or (high_x / _MARGIN if group.figures.macs else low_x * _MARGIN)
            for x, group in zip(intensities, groups, strict=True)
        ],
        "y": [y or low_y * _MARGIN for y in rates],
        "size": [round(7 + 30 * (group.cycles / total) ** 0.5, 1) for group in groups],
        "group": [group.id for group in groups],
    }
    roof = {"x": [low_x, knee, high_x], "y": [low_x * bandwidth, peak, peak]}
    return {"roofline": points, "roof": roof}, {"roof-x": (low_x, high_x), "roof-y": (low_y, high_y)}


def _most_macs(group: GroupReport) -> float:
    """MACs per cycle of all cores of a group, had its array always something to do."""
    busy = group.figures.compute.busy_cycles
    if not group.figures.utilisation or not busy:
        return 0.0
    return group.figures.macs / group.figures.utilisation / busy * max(len(group.cores), 1)


def _around(values: Iterable[float]) -> tuple[float, float]:
    """Ends of a logarithmic axis that shows what is positive among values."""
    positive = [value for value in values if value > 0]
    return min(positive) / _MARGIN**3, max(positive) * _MARGIN**2
