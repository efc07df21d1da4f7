"""What a notebook shows of an object: a small table, made by the objects themselves (``_repr_html_``)."""

from __future__ import annotations

from collections.abc import Iterable
from html import escape

_STYLE = "text-align:left;padding:1px 12px 1px 0"


def html_table(title: str, rows: Iterable[tuple[str, object]]) -> str:
    """A table of names and values as HTML; all texts are escaped."""
    lines = "".join(
        f'<tr><th style="{_STYLE}">{escape(name)}</th><td style="{_STYLE}">{escape(str(value))}</td></tr>'
        for name, value in rows
    )
    return f'<table><caption style="{_STYLE}"><b>{escape(title)}</b></caption>{lines}</table>'
