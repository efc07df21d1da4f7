"""Who may import whom, read from the sources: imports go downhill, and libraries stay where they belong.

(That pyproject.toml lists the packages on disk is held by tests/package.)
"""

from __future__ import annotations

import ast
from collections.abc import Iterator
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
PACKAGES = {
    "nnc": "nnc",
    "compiler": "nnc.compiler",
    "isa": "nnc.isa",
    "models": "nnc.models",
    "runtime": "nnc.runtime",
}
"""Folder → package."""
ALLOWED = {
    "isa": ("nnc.isa",),
    "runtime": ("nnc.isa", "nnc.runtime"),
    "compiler": ("nnc.isa", "nnc.compiler"),
    "models": ("nnc.models",),
    "nnc": ("nnc",),
}
"""What a folder may import of ours."""
PARTS = {
    "ir": ("ir",),
    "frontend": ("frontend", "ir"),
    "target": ("target", "ir"),
    "plan": ("plan", "target", "ir"),
    "passes": ("passes", "ir"),
    "materialise": ("materialise", "ir", "plan.plan", "plan.schedule.predict.table_tensor"),
    "backend": ("backend", "ir"),
    "export": ("export", "ir"),
}
"""What a part of the compiler may import of the compiler; only its modules at the top join the parts."""
ONNX = ("onnx", "onnxscript", "onnx_ir")


def sources(folder: str) -> list[Path]:
    found = sorted((ROOT / folder).rglob("*.py"))
    assert found, folder
    return found


def imports(path: Path) -> Iterator[str]:
    """Full names of all that a module imports, wherever in it: ``nnc.compiler.ir.layers.Layer``."""
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            assert node.level == 0 and node.module, f"{path}: a relative import"
            yield from (f"{node.module}.{alias.name}" for alias in node.names)


def inside(name: str, packages: tuple[str, ...]) -> bool:
    return any(name == package or name.startswith(f"{package}.") for package in packages)


def where(path: Path, name: str) -> str:
    return f"{path.relative_to(ROOT)} imports {name}"


def test_imports_are_found(tmp_path: Path) -> None:
    path = tmp_path / "module.py"
    path.write_text("import a.b as c\ndef f():\n    from d.e import g, h\n")
    assert list(imports(path)) == ["a.b", "d.e.g", "d.e.h"]
    assert inside("nnc.isa", ("nnc.isa",)) and inside("nnc.isa.x", ("nnc.isa",))
    assert not inside("nnc.isabel", ("nnc.isa",))


@pytest.mark.parametrize("folder", ALLOWED)
def test_folders_import_downhill(folder: str) -> None:
    wrong = [
        where(path, name)
        for path in sources(folder)
        for name in imports(path)
        if inside(name, ("nnc",)) and not inside(name, ALLOWED[folder])
    ]
    assert not wrong


def test_every_part_of_the_compiler_has_a_rule() -> None:
    inside_parts = (path.relative_to(ROOT / "compiler").parts[:-1] for path in sources("compiler"))
    assert {part[0] for part in inside_parts if part} == set(PARTS)


@pytest.mark.parametrize("part", PARTS)
def test_parts_of_the_compiler_do_not_know_each_other(part: str) -> None:
    allowed = tuple(f"nnc.compiler.{name}" for name in PARTS[part])
    wrong = [
        where(path, name)
        for path in sources(f"compiler/{part}")
        for name in imports(path)
        if inside(name, ("nnc.compiler",)) and not inside(name, allowed)
    ]
    assert not wrong


def test_modules_of_the_ir_do_not_know_the_plan_by_name() -> None:
    """The levels are told apart by what a graph holds, never by importing who made it."""
    assert not [
        where(p, n)
        for p in sources("compiler/ir")
        for n in imports(p)
        if ".plan" in n or ".materialise" in n or ".passes" in n
    ]


def test_few_modules_know_networkx() -> None:
    """The graph, and those that ask networkx about paths and orders in its bare structure, or of steps."""
    paths = [path for folder in PACKAGES for path in sources(folder)]
    users = {path for path in paths if any(inside(name, ("networkx",)) for name in imports(path))}
    names = ("expand/group_kind", "network/topological_orders", "expand/lockstep")
    planners = {ROOT / f"compiler/plan/{name}.py" for name in names}
    assert users == {ROOT / "compiler/ir/graph.py", ROOT / "compiler/floors.py", *planners}


def test_only_the_graph_touches_its_inside() -> None:
    """Attributes of the networkx graph, and the tables beside it, are private to the class Graph."""
    private = {"_net", "_producer", "_consumers"}
    for folder in PACKAGES:
        for path in sources(folder):
            nodes = ast.walk(ast.parse(path.read_text(encoding="utf-8")))
            used = {node.attr for node in nodes if isinstance(node, ast.Attribute)} & private
            assert not used or path == ROOT / "compiler/ir/graph.py", f"{path}: {used}"


@pytest.mark.parametrize("folder", ["isa", "runtime", "compiler"])
def test_only_frontend_and_export_touch_onnx(folder: str) -> None:
    users = [where(path, name) for path in sources(folder) for name in imports(path) if inside(name, ONNX)]
    assert all(user.startswith(("compiler/frontend/", "compiler/export/")) for user in users)
    assert bool(users) == (folder == "compiler")
