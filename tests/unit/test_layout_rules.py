"""Who may import whom, read from the sources: imports go downhill, and libraries stay where they belong.

The floors of the house, and how imports are read, are those of bench/house.py (`make house`).
"""

from __future__ import annotations

import ast
from collections import Counter
from pathlib import Path

import house
import pytest
from house import PACKAGES, ROOT, files, imported_names, inside

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
    "passes": ("passes", "target", "ir"),
    "materialise": ("materialise", "ir", "plan.plan", "plan.step"),
    "backend": ("backend", "target", "ir"),
    "export": ("export", "ir"),
    "tuning": (),
}
"""What a part of the compiler may import of the compiler; only its modules at the top join the parts.
The errors and the tuned numbers are everybody's."""
ONNX = ("onnx", "onnxscript", "onnx_ir")


def where(path: Path, name: str) -> str:
    return f"{path.relative_to(ROOT)} imports {name}"


def test_imports_are_found(tmp_path: Path) -> None:
    path = tmp_path / "module.py"
    path.write_text("import a.b as c\ndef f():\n    from d.e import g, h\n")
    assert list(imported_names(path)) == ["a.b", "d.e.g", "d.e.h"]
    assert inside("nnc.isa", ("nnc.isa",)) and inside("nnc.isa.x", ("nnc.isa",))
    assert not inside("nnc.isabel", ("nnc.isa",))


@pytest.mark.parametrize("folder", ALLOWED)
def test_folders_import_downhill(folder: str) -> None:
    wrong = [
        where(path, name)
        for path in files(folder)
        for name in imported_names(path)
        if inside(name, ("nnc",)) and not inside(name, ALLOWED[folder])
    ]
    assert not wrong


def test_every_part_of_the_compiler_has_a_rule() -> None:
    inside_parts = (path.relative_to(ROOT / "compiler").parts[:-1] for path in files("compiler"))
    assert {part[0] for part in inside_parts if part} == set(PARTS)


@pytest.mark.parametrize("part", PARTS)
def test_parts_of_the_compiler_do_not_know_each_other(part: str) -> None:
    allowed = tuple(f"nnc.compiler.{name}" for name in ("errors", "tuning", *PARTS[part]))
    wrong = [
        where(path, name)
        for path in files(f"compiler/{part}")
        for name in imported_names(path)
        if inside(name, ("nnc.compiler",)) and not inside(name, allowed)
    ]
    assert not wrong


def test_every_module_lies_in_a_room() -> None:
    rooms = {house.room_of(name)[0] for name in house.modules()}
    assert rooms == {room for floor in house.FLOORS for room in floor}


def test_nothing_imports_up() -> None:
    """Neither a higher floor nor another room of the same one; imports inside functions count, too."""
    assert house.imports_up() == []


def test_modules_import_each_other_in_no_circle() -> None:
    assert house.circles() == []


def test_imports_up_and_circles_are_seen(monkeypatch: pytest.MonkeyPatch) -> None:
    graph = house.imports().copy()
    graph.add_edge("nnc.compiler.plan.network.residents", "nnc.compiler.plan.search.group_search")
    graph.add_edge("nnc.compiler.plan.alone.tiling", "nnc.compiler.plan.fusion.cut")
    monkeypatch.setattr(house, "imports", lambda: graph)
    assert house.imports_up() == [
        "nnc.compiler.plan.alone.tiling -> nnc.compiler.plan.fusion.cut",
        "nnc.compiler.plan.network.residents -> nnc.compiler.plan.search.group_search",
    ]
    (circle,) = house.circles()
    assert {"nnc.compiler.plan.network.residents", "nnc.compiler.plan.search.group_search"} <= set(circle)


def test_rooms_of_the_plan_are_small() -> None:
    plan = [m.path for name, m in house.modules().items() if inside(name, ("nnc.compiler.plan",))]
    sizes = Counter(path.parent.name for path in plan if path.name != "__init__.py")
    assert {room: size for room, size in sizes.items() if size > 18} == {}


def test_tuned_numbers_stand_in_tuning() -> None:
    """Thresholds, limits, shares and weights; what cannot be otherwise is listed there with what it is."""
    assert house.numbers_outside() == []


def test_every_fact_is_a_number_that_exists(monkeypatch: pytest.MonkeyPatch) -> None:
    facts = house.FACTS
    monkeypatch.setattr(house, "FACTS", {})
    assert sorted(house.numbers_outside()) == sorted(facts)


def test_every_tuned_number_is_justified_and_read() -> None:
    others = [m for name, m in house.modules().items() if not inside(name, ("nnc.compiler.tuning",))]
    nodes = (node for module in others for node in ast.walk(module.tree))
    read = {node.attr for node in nodes if isinstance(node, ast.Attribute)}
    tuned = dict(house.tuned_numbers())
    assert len(tuned) > 20
    assert [name for name, text in tuned.items() if not text] == []
    assert [name for name in tuned if name.rpartition(".")[2] not in read] == []


def test_long_functions_have_nouns_as_names() -> None:
    assert house.placeholders() == []


def test_placeholders_are_seen(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    body = "    x = 0\n" * house.LONG
    functions = (
        ("target", "", "found = 0"),
        ("loop", "", "for at, theirs in (): pass"),
        ("comprehension", "", "x = [mine for mine in ()]"),
        ("walrus", "", "x = (ours := 0)"),
        ("pattern", "", "match x:\n        case int() as known: pass"),
        ("parameter", "one", "pass"),
        ("error", "found, *, expected", "at = 0"),
        ("lacking", "*, found", "pass"),
        ("good", "found, *, expected", "y = x.one(known=f(at))"),
    )
    text = "".join(f"def {name}({args}):\n    {line}\n{body}" for name, args, line in functions)
    (tmp_path / "package").mkdir()
    (tmp_path / "package" / "module.py").write_text(text + "def short():\n    found = 0\n")
    monkeypatch.setattr(house, "ROOT", tmp_path)
    assert house.placeholders(["package"]) == [
        "package/module.py: target: found",
        "package/module.py: loop: at, theirs",
        "package/module.py: comprehension: mine",
        "package/module.py: walrus: ours",
        "package/module.py: pattern: known",
        "package/module.py: parameter: one",
        "package/module.py: error: at",
        "package/module.py: lacking: found",
    ]


def test_few_modules_know_networkx() -> None:
    """The graph, those that ask networkx about paths and orders in its structure, about a cut, or sets."""
    paths = [path for folder in PACKAGES for path in files(folder)]
    users = {path for path in paths if any(inside(name, ("networkx",)) for name in imported_names(path))}
    names = ("network/orders",)
    planners = {ROOT / f"compiler/plan/{name}.py" for name in names}
    graph = {ROOT / "compiler/ir/graph.py", ROOT / "compiler/ir/links.py"}
    sides = ROOT / "compiler/frontend/segments/sides.py"
    compared = ROOT / "nnc/diff/group_changes.py"
    rest = {ROOT / "compiler/floors.py", ROOT / "nnc/page/layout.py", ROOT / "nnc/explanations/channels.py"}
    assert users == {*graph, sides, *planners, compared, *rest}


def test_only_the_graph_touches_its_inside() -> None:
    """Attributes of the networkx graph, and the tables beside it, are private to the class Graph."""
    private = {"_links"}
    for folder in PACKAGES:
        for path in files(folder):
            nodes = ast.walk(ast.parse(path.read_text(encoding="utf-8")))
            used = {node.attr for node in nodes if isinstance(node, ast.Attribute)} & private
            assert not used or path == ROOT / "compiler/ir/graph.py", f"{path}: {used}"


@pytest.mark.parametrize(
    ("folder", "places"),
    [
        ("isa", ()),
        ("runtime", ("runtime/kernels/integer_products.py",)),
        ("compiler", ("compiler/frontend/", "compiler/export/")),
    ],
)
def test_only_frontend_and_export_touch_onnx(folder: str, places: tuple[str, ...]) -> None:
    """And what multiplies bytes by onnxruntime, which takes its products as a model."""
    users = [
        where(path, name) for path in files(folder) for name in imported_names(path) if inside(name, ONNX)
    ]
    assert all(user.startswith(places) for user in users)
    assert bool(users) == bool(places)
