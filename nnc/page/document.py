"""From a report to the page: one HTML file with all that it needs in it, so that no request leaves it."""

from __future__ import annotations

from collections.abc import Sequence
from importlib import resources
from typing import Any

from bokeh.document import Document
from bokeh.embed.util import standalone_docs_json_and_render_items
from bokeh.palettes import Category20_20
from bokeh.plotting import figure
from bokeh.resources import INLINE
from jinja2 import Environment, PackageLoader, StrictUndefined

from nnc.page.marks import ACCURACY_COLOURS, CAUSE_COLOURS, is_measured, make_marks
from nnc.page.memory_bands import memory_bands
from nnc.page.packing import packed
from nnc.page.tables import group_table, layer_table, summary_tables
from nnc.page.views import make_figures
from nnc.report.schema import Report

_SCRIPTS = ("marks.js", "choice.js", "rows.js", "views.js", "start.js")
_SECTIONS: tuple[dict[str, Any], ...] = (
    {"id": "summary", "name": "summary", "title": "Summary and floors"},
    {
        "id": "graph",
        "name": "graph",
        "title": "Layers in groups",
        "about": "Groups run one after another, left to right and line by line; inside, a layer stands behind"
        " those that it reads.",
    },
    {
        "id": "timeline",
        "name": "timeline",
        "title": "Timeline of engines",
        "about": "Colours are groups; thin lines are the time for which an engine had to wait. Drag, or zoom"
        " by the wheel (tool at the right) down to an instruction.",
    },
    {
        "id": "blocks",
        "name": "memory",
        "title": "On-chip memories: address over time",
        "about": "Blocks that hold something still to be read, coloured by tensor; the cycles are those of"
        " the timeline.",
    },
    {
        "id": "dram",
        "name": "DRAM",
        "title": "DRAM bytes by cause",
        "about": "Per group; the red line is its floor.",
        "legend": list(CAUSE_COLOURS.items()),
    },
    {
        "id": "roofline",
        "name": "roofline",
        "title": "Roofline",
        "about": "A point per group, as large as its share of the cycles; those without multiply-accumulates"
        " stand at the lower edge.",
    },
    {"id": "layers", "name": "layers", "title": "Layers"},
    {"id": "groups", "name": "groups", "title": "Groups"},
    {"id": "program", "name": "program", "title": "Program"},
)


_BY_HARM = (
    "Groups run one after another, left to right and line by line. Colours of layers are their own harm:"
    " signal to noise of the layer alone quantised, given the float network's tensors."
)
"""What is said of the graph where accuracy was measured."""


def page_html(report: Report, *, text: Sequence[str] | None = None) -> str:
    """The page of a report.

    Args:
        report: with details.
        text: a line of program text for each row of the report's timeline; None if the program is not known.
    """
    assert report.details is not None
    bands = memory_bands(report)
    marks = make_marks(report, bands)
    figures = make_figures(report, bands, marks.limits)
    data = {
        "report": report.model_dump(mode="json", by_alias=True, exclude={"details"}),
        "marks": marks.columns,
        "palette": list(Category20_20),
        "order": _program_order(report),
        "text": None if text is None else list(text),
        "bokeh": _embedded(figures),
    }
    tables = {"layers": layer_table(report), "groups": group_table(report)}
    extra = (
        {"graph": {"about": _BY_HARM, "legend": list(ACCURACY_COLOURS.items())}}
        if is_measured(report)
        else {}
    )
    environment = Environment(
        loader=PackageLoader("nnc.page", "."), autoescape=True, trim_blocks=True, undefined=StrictUndefined
    )
    return environment.get_template("page.html.j2").render(
        title=report.title,
        style=source_text("style.css"),
        sections=[
            {
                "about": "",
                "legend": (),
                **section,
                **extra.get(section["id"], {}),
                "table": tables.get(section["id"]),
            }
            for section in _SECTIONS
        ],
        summary=summary_tables(report),
        data=packed(data),
        scripts=[*_bokeh_scripts(), *map(source_text, _SCRIPTS)],
    )


def _program_order(report: Report) -> list[int]:
    """Rows of the timeline by their time, as they are read in the text: by group, part, begin and engine."""
    assert report.details is not None
    t = report.details.timeline
    rows = range(len(t.core))
    return sorted(rows, key=lambda i: (t.group[i], t.part[i], t.core[i], t.engine[i], t.first[i]))


def _embedded(figures: Sequence[figure]) -> dict[str, Any]:
    """The figures as bokeh's JavaScript takes them, each in the element of its section."""
    together = Document()
    for plot in figures:
        together.add_root(plot)
    docs, _ = standalone_docs_json_and_render_items(list(figures))
    (document,) = docs
    roots = {plot.id: f"drawing-{plot.name}" for plot in figures}
    return {"docs": docs, "items": [{"docid": document, "roots": roots, "root_ids": list(roots)}]}


def _bokeh_scripts() -> list[str]:
    """The JavaScript that draws: bokeh's core, out of its wheel; no widget, table or formula is used."""
    return INLINE.clone(components=["bokeh"]).js_raw


def source_text(name: str) -> str:
    """A file of this folder."""
    return resources.files("nnc.page").joinpath(name).read_text("utf-8")
