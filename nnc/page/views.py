"""The drawings of the page, as bokeh figures without marks; page.js fills their sources, and links them.

A source of the name ``X-marks`` holds the marks of view X.  Figures are transparent: the page's style gives
the background, and page.js the colours of axes.
"""

from __future__ import annotations

import json
from typing import Any

from bokeh.models import (
    ColumnDataSource,
    CustomJSHover,
    CustomJSTickFormatter,
    FixedTicker,
    HoverTool,
    LogScale,
    Range1d,
    TapTool,
)
from bokeh.models.renderers import DataRenderer, GlyphRenderer
from bokeh.plotting import figure

from nnc.isa.instruction import ENGINES
from nnc.page.memory_bands import Band
from nnc.report.schema import Report

_FADED = 0.15
"""Opacity of what is not chosen, while something is."""
_UNITS = """
const size = Math.abs(tick);
const [unit, name] = size >= 1e9 ? [1e9, "G"] : size >= 1e6 ? [1e6, "M"] : size >= 1e3 ? [1e3, "k"] : [1, ""];
return Number((tick / unit).toPrecision(7)) + name;
"""
"""A number on an axis: 2.5M."""
_CLICKED = "clicked"
"""Name of what draws marks that a click chooses."""
_RECTANGLE = ("left", "right", "bottom", "top", "color")


def make_figures(report: Report, bands: list[Band], limits: dict[str, tuple[float, float]]) -> list[figure]:
    """All figures, each with the name of its view.

    Args:
        bands: where each memory lies in the map of the memories.
        limits: ends of axes by name: graph-x, graph-y, dram-x, dram-y, roof-x, roof-y.
    """
    cycles = Range1d(start=0, end=max(report.network.cycles, 1), name="cycles")
    figures = [
        _graph(limits),
        _timeline(report, cycles),
        _memory(bands, cycles),
        _dram(limits),
        _roofline(limits),
    ]
    for plot in figures:
        clicked: list[DataRenderer] = [
            it for it in plot.renderers if isinstance(it, GlyphRenderer) and it.name == _CLICKED
        ]
        plot.add_tools(TapTool(renderers=clicked, mode="replace"))
    return figures


def lanes(report: Report) -> list[tuple[int, str]]:
    """Core and engine of every lane of the timeline, top down."""
    cores = sorted({engine.core for engine in report.engines})
    return [(core, engine.value) for core in cores for engine in ENGINES]


def _timeline(report: Report, cycles: Range1d) -> figure:
    """Lanes of engines: instructions as bars, what they waited for as thin lines below."""
    names = lanes(report)
    plot = _figure(
        "timeline", min(24 * len(names) + 70, 800), cycles, _range(-len(names) + 0.3, 0.7), "cycles"
    )
    _rectangles(plot, "timeline")
    _rectangles(plot, "waits")
    single = len({core for core, _ in names}) == 1
    texts = {-i: engine if single else f"{core} {engine}" for i, (core, engine) in enumerate(names)}
    _label_rows(plot, texts)
    return plot


def _memory(bands: list[Band], cycles: Range1d) -> figure:
    """Address over time: the memories one above the other."""
    total = max((band.base + band.size for band in bands), default=1)
    plot = _figure("blocks", min(180 + 40 * len(bands), 800), cycles, _range(0, total), "cycles")
    _rectangles(plot, "blocks")
    texts = {band.base: band.label for band in bands}
    texts |= {band.base + band.size: "" for band in bands}
    _label_rows(plot, texts)
    plot.ygrid.grid_line_alpha = 0.6
    return plot


def _graph(limits: dict[str, tuple[float, float]]) -> figure:
    """Layers as boxes inside those of their groups, with a curve for each link."""
    low, high = limits["graph-y"]
    height = int(min(max(34 * (high - low), 160), 900))
    plot = _figure("graph", height, _range(*limits["graph-x"]), _range(low, high), "")
    plot.axis.visible = False
    plot.grid.visible = False
    boxes = ColumnDataSource({name: [] for name in _RECTANGLE}, name="graph-groups-marks")
    plot.quad(
        left="left", right="right", bottom="bottom", top="top", source=boxes, fill_color="color",
        fill_alpha=0.16, line_color="color", line_width=1.5,
        nonselection_fill_alpha=0.05, nonselection_line_alpha=0.4, name=_CLICKED,
    )  # fmt: skip
    curves = ColumnDataSource(
        {name: [] for name in ("x0", "y0", "x1", "y1", "cx0", "cx1")}, name="links-marks"
    )
    plot.bezier(
        x0="x0", y0="y0", x1="x1", y1="y1", cx0="cx0", cy0="y0", cx1="cx1", cy1="y1", source=curves,
        line_color="#8a939c", line_alpha=0.5, nonselection_line_alpha=0.15,
        selection_line_color="#e07b00", selection_line_alpha=1,
    )  # fmt: skip
    source = _rectangles(plot, "graph", line="#8a939c")
    plot.text(
        x="left", y="bottom", text="text", source=source, text_font_size="10px", x_offset=3, y_offset=-3,
        text_color="#111111", nonselection_text_alpha=0.5, name="graph-text",
    )  # fmt: skip
    return plot


def _dram(limits: dict[str, tuple[float, float]]) -> figure:
    """A column of causes per group."""
    plot = _figure("dram", 260, _range(*limits["dram-x"]), _range(*limits["dram-y"]), "group", "bytes")
    _rectangles(plot, "dram")
    floors = ColumnDataSource({"left": [], "right": [], "y": []}, name="floors-marks")
    plot.segment(
        x0="left", x1="right", y0="y", y1="y", source=floors, line_color="#d62728", line_width=2,
        nonselection_line_alpha=1,
    )  # fmt: skip
    return plot


def _roofline(limits: dict[str, tuple[float, float]]) -> figure:
    """MACs per cycle over MACs per DRAM byte: a point per group below the roof of the chip."""
    plot = figure(
        **_common("roofline", 340, "multiply-accumulates per DRAM byte", "per cycle"),
        x_range=_range(*limits["roof-x"]),
        y_range=_range(*limits["roof-y"]),
        x_axis_type="log",
        y_axis_type="log",
        tools="pan,wheel_zoom,box_zoom,reset",
    )
    assert isinstance(plot.x_scale, LogScale)
    roof = ColumnDataSource({"x": [], "y": []}, name="roof-marks")
    plot.line("x", "y", source=roof, line_color="#d62728", line_width=2)
    columns = ("x", "y", "size", "color")
    source = ColumnDataSource({name: [] for name in columns}, name="roofline-marks")
    points = plot.scatter(
        "x", "y", size="size", source=source, fill_color="color", line_color="#8a939c",
        nonselection_fill_alpha=_FADED, name=_CLICKED,
    )  # fmt: skip
    plot.add_tools(_hover(points, "roofline"))
    return plot


def _range(low: float, high: float) -> Range1d:
    return Range1d(start=low, end=high)


def _figure(name: str, height: int, x: Range1d, y: Range1d, x_label: str, y_label: str = "") -> figure:
    plot = figure(
        **_common(name, height, x_label, y_label),
        x_range=x,
        y_range=y,
        tools="pan,xwheel_zoom,box_zoom,reset",
        active_scroll=None,
    )
    plot.axis.formatter = CustomJSTickFormatter(code=_UNITS)
    return plot


def _common(name: str, height: int, x_label: str, y_label: str) -> dict[str, Any]:
    return {
        "name": name,
        "height": height,
        "sizing_mode": "stretch_width",
        "output_backend": "canvas",
        "background_fill_color": None,
        "border_fill_color": None,
        "x_axis_label": x_label or None,
        "y_axis_label": y_label or None,
        "lod_threshold": None,
        "toolbar_location": "right",
        "min_border_left": 75,
    }


def _rectangles(plot: figure, name: str, line: str | None = None) -> ColumnDataSource:
    columns = (*_RECTANGLE, "text") if name == "graph" else _RECTANGLE
    source = ColumnDataSource({column: [] for column in columns}, name=f"{name}-marks")
    renderer = plot.quad(
        left="left", right="right", bottom="bottom", top="top", source=source, fill_color="color",
        line_color=line, nonselection_fill_alpha=_FADED, name=_CLICKED,
    )  # fmt: skip
    plot.add_tools(_hover(renderer, name))
    return source


def _hover(drawn: GlyphRenderer[Any], name: str) -> HoverTool:
    """A tool that tells what is under the mouse; page.js finds the words only then: there are many marks."""
    words = CustomJSHover(code=f"return window.nncPage.view({json.dumps(name)}).hover(special_vars.index)")
    return HoverTool(renderers=[drawn], tooltips="@color{custom}", formatters={"@color": words})


def _label_rows(plot: figure, texts: dict[int, str]) -> None:
    ticker = FixedTicker(ticks=list(texts), minor_ticks=[])
    plot.yaxis.ticker = ticker
    plot.yaxis.major_label_overrides = dict(texts.items())
    plot.ygrid.ticker = ticker
