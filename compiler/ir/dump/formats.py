"""Graphs as text, JSON and DOT: what `nnc dump-ir` prints, at every level."""

from __future__ import annotations

from collections.abc import Callable

from nnc.compiler.ir.dump.dot_format import to_dot
from nnc.compiler.ir.dump.json_format import to_json
from nnc.compiler.ir.dump.text_format import to_text
from nnc.compiler.ir.graph import Graph

FORMATS: dict[str, Callable[[Graph], str]] = {"text": to_text, "json": to_json, "dot": to_dot}
"""The writer of every format."""

__all__ = ["FORMATS", "to_dot", "to_json", "to_text"]
