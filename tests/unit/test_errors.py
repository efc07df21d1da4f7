"""The family of errors is complete: each has a code of its own, an explanation, a line in docs/errors.md."""

from __future__ import annotations

import ast
import subprocess
import sys
from pathlib import Path

from nnc import errors
from nnc.errors import error_classes, errors_reference
from nnc.isa.limits import LIMITS

ROOT = Path(__file__).parents[2]


def test_all_classes_of_the_sources_are_listed() -> None:
    """Also those that no test ever raises."""
    defined = {
        node.name
        for folder in ("compiler", "isa", "models", "nnc", "runtime")
        for path in (ROOT / folder).rglob("*.py")
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8")))
        if isinstance(node, ast.ClassDef)
        and any(isinstance(base, ast.Name) and base.id.endswith("Error") for base in node.bases)
    }
    assert defined == {cls.__name__ for cls in error_classes()}
    assert set(errors.__all__) - defined == {"NncError", "error_classes", "errors_reference"}


def test_codes_are_unique_and_explained() -> None:
    codes = [error.code for error in error_classes()]
    assert len(set(codes)) == len(codes) >= 18
    assert all(error.__doc__ and issubclass(error, errors.NncError) for error in error_classes())


def test_page_is_up_to_date_and_names_all() -> None:
    text = errors_reference()
    assert (ROOT / "docs" / "errors.md").read_text(encoding="utf-8") == text, "make docs"
    for error in error_classes():
        assert f"| {error.code} | `{error.__name__}` |" in text
    for limit in LIMITS:
        assert f"| {limit.subject} | {limit.amount} | {limit.reason} |" in text
    assert len(LIMITS) > 5


def test_errors_bring_no_heavy_library() -> None:
    """A program that runs, and a message on the way out, need neither onnx nor the compiler proper."""
    code = "import sys, nnc.errors; print({'onnx', 'networkx', 'jinja2', 'rich'} & set(sys.modules))"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "set()"
