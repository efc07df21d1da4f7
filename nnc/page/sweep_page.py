"""The points of a sweep as one HTML file: all in the plane of two figures, those of the front larger."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from bokeh.embed import components
from bokeh.models import ColumnDataSource, HoverTool, NumeralTickFormatter
from bokeh.palettes import Category10_10
from bokeh.plotting import figure
from bokeh.resources import INLINE
from jinja2 import Environment, PackageLoader, StrictUndefined

from nnc.page.document import source_text
from nnc.sweeps.figures import PointFigures
from nnc.sweeps.front import costs_of
from nnc.sweeps.schema import PointReport, SweepReport
from nnc.sweeps.vary import text_of_value

_COLUMNS = (
    "cycles",
    "cycles_ratio",
    "dram_bytes",
    "dram_ratio",
    "energy",
    "area",
    "utilisation",
    "instructions",
)
_UNITS = {"energy": "energy, uJ", "dram_bytes": "DRAM bytes", "area": "area, mm²"}


def sweep_html(report: SweepReport) -> str:
    """The page of a sweep; nothing in it comes from elsewhere."""
    environment = Environment(
        loader=PackageLoader("nnc.page", "."), autoescape=True, trim_blocks=True, undefined=StrictUndefined
    )
    script, drawing = components(_drawing(report), wrap_script=False)
    front = set(report.front)
    heads = ["model", "chip", *report.varied, *_COLUMNS, "error"]
    points = sorted(report.points, key=lambda point: point.point not in front)
    return environment.get_template("sweep.html.j2").render(
        title=f"Sweep of {', '.join(Path(model).name for model in report.models)}",
        about=f"{len(report.points):,} points by {', '.join(report.minimised)}; large ones are those that no"
        " other one of the same network beats in one without losing in another.",
        style=source_text("style.css"),
        drawing=drawing,
        heads=heads,
        rows=[(point.point in front, _cells(report, point)) for point in points],
        scripts=[*INLINE.clone(components=["bokeh"]).js_raw, script],
    )


def _drawing(report: SweepReport) -> figure:
    """The plane of the first two figures, a colour for each model; hovering tells what a point is.

    A front of two figures is a line.
    """
    x, y, *others = report.minimised
    plot = figure(
        x_axis_label=_UNITS.get(x, x),
        y_axis_label=_UNITS.get(y, y),
        sizing_mode="stretch_width",
        height=520,
        tools="pan,wheel_zoom,box_zoom,reset,save",
    )
    plot.xaxis.formatter = plot.yaxis.formatter = NumeralTickFormatter(format="0.[00]a")
    by_number = {point.point: point for point in report.points}
    for number, model in enumerate(report.models):
        colour, name = Category10_10[number % len(Category10_10)], Path(model).name
        shown = [p for p in report.points if p.model == model and costs_of(p, report.minimised) is not None]
        front = [by_number[it] for it in report.front if by_number[it].model == model]
        if front and not others:
            plot.line("x", "y", source=_marks(report, front), color=colour, line_width=1.5)
        marks = _marks(report, shown)
        drawn = plot.scatter("x", "y", source=marks, size="size", color=colour, alpha=0.75, legend_label=name)
        tips = [("point", "@what"), (x, "@x{0,0.[00]}"), (y, "@y{0,0.[00]}")]
        tips += [(name, f"@{name}{{0,0.[00]}}") for name in others]
        plot.add_tools(HoverTool(renderers=[drawn], tooltips=tips))
    if plot.legend:
        plot.legend.visible = len(report.models) > 1
    return plot


def _marks(report: SweepReport, points: list[PointReport]) -> ColumnDataSource:
    front, names = set(report.front), ("x", "y", *report.minimised[2:])
    costs = [costs_of(point, report.minimised) or () for point in points]
    return ColumnDataSource(
        {
            **{name: [values[place] for values in costs] for place, name in enumerate(names)},
            "size": [11 if point.point in front else 6 for point in points],
            "what": [_what(point) for point in points],
        }
    )


def _what(point: PointReport) -> str:
    values = [f"{key} = {text_of_value(value)}" for key, value in point.values.items()]
    return ", ".join([point.chip, *values])


def _cells(report: SweepReport, point: PointReport) -> list[str]:
    figures = [_number(point.figures, name) for name in _COLUMNS]
    values = [text_of_value(point.values[key]) for key in report.varied]
    error = f"{point.error} {point.message or ''}" if point.error else ""
    return [Path(point.model).name, point.chip, *values, *figures, error]


def _number(figures: PointFigures | None, name: str) -> str:
    value: Any = None if figures is None else getattr(figures, name)
    return "" if value is None else f"{value:,}"
