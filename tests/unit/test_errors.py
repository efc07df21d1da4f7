"""The family of errors is complete: each has a code of its own, an explanation, a line in docs/errors.md."""

from __future__ import annotations

import ast
import copy
import pickle
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

from house import files

from nnc import errors
from nnc.errors import error_classes, errors_reference
from nnc.isa.errors import NncError, UsualRemedyError
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
    assert defined - {"UsualRemedyError"} == {cls.__name__ for cls in error_classes()}
    assert set(errors.__all__) - defined == {"NncError", "error_classes", "errors_reference", "explained"}


def raised() -> Iterator[tuple[str, type[NncError], ast.Call]]:
    """Every place of the sources where an error of the family is made, by the name of its class."""
    classes = {cls.__name__: cls for cls in error_classes()}
    for folder in ("compiler", "isa", "models", "nnc", "runtime"):
        for path in files(folder):
            for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
                if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id in classes:
                    yield f"{path.relative_to(ROOT)}:{node.lineno}", classes[node.func.id], node


def has_remedy(kind: type[NncError], call: ast.Call) -> bool:
    """Whether the call names a remedy, or the class has a usual one; an empty text is none."""
    remedies = [keyword.value for keyword in call.keywords if keyword.arg == "remedy"]
    if not remedies:
        return issubclass(kind, UsualRemedyError) and bool(kind.usual_remedy)
    return not any(isinstance(remedy, ast.Constant) and not remedy.value for remedy in remedies)


def test_every_error_has_a_remedy() -> None:
    places = list(raised())
    assert len(places) > 150
    assert [place for place, kind, call in places if not has_remedy(kind, call)] == []


def test_missing_and_empty_remedies_are_seen() -> None:
    def judged(text: str, kind: type[NncError]) -> bool:
        (call,) = (node for node in ast.walk(ast.parse(text)) if isinstance(node, ast.Call))
        return has_remedy(kind, call)

    assert judged("InputError('x', remedy='y')", errors.InputError)
    assert not judged("InputError('x')", errors.InputError)
    assert not judged("InputError('x', remedy='')", errors.InputError)
    assert judged("AssemblyError('x')", errors.AssemblyError)
    assert not judged("AssemblyError('x', remedy='')", errors.AssemblyError)


def test_copies_keep_all_details() -> None:
    error = errors.InputError("a", where="b", found="c", expected="d", remedy="e")
    for other in (copy.copy(error), pickle.loads(pickle.dumps(error))):
        assert type(other) is errors.InputError
        assert other.to_json() == error.to_json() and str(other) == str(error)


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
