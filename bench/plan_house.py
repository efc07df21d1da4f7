"""How large the planner is, and what of it a small network meets; `python bench/house.py` prints it.

lines, modules, rooms      of compiler/plan
import depth               modules on the longest path of imports within it
memo tables                functions with a cache, and tables of objects that are asked before they are filled
id() as a key              calls of id
named by no test           modules whose name no file in tests/ has
a 3×3 convolution          modules and functions of the plan that are entered; the deepest stack
"""

from __future__ import annotations

import ast
import sys
from collections.abc import Iterator, Mapping
from pathlib import Path
from types import FrameType
from typing import Any, Protocol

import networkx as nx

from nnc.compiler.frontend.importer import import_model
from nnc.compiler.pipeline import canonicalise
from nnc.compiler.plan.planner import make_plan
from nnc.isa.chip.load import load_chip
from nnc.models.builder import NetBuilder

PLAN = "nnc.compiler.plan"


class Source(Protocol):
    """A source file."""

    @property
    def path(self) -> Path:
        """Where it is."""
        ...

    @property
    def tree(self) -> ast.Module:
        """Its syntax tree."""
        ...

    @property
    def lines(self) -> int:
        """Lines of the file."""
        ...


def plan_figures(
    modules: Mapping[str, Source], imports: nx.DiGraph[str], tests: Path
) -> dict[str, int | list[str]]:
    """The figures by name; of what should not be, the names.

    Args:
        modules: of the package, by name; imports: who imports whom; tests: their folder.
    """
    plan = {name: module for name, module in modules.items() if f"{name}.".startswith(f"{PLAN}.")}
    files = {name: module for name, module in plan.items() if module.path.name != "__init__.py"}
    entered, deepest = entered_by_a_convolution()
    return {
        "lines": sum(module.lines for module in plan.values()),
        "modules": len(files),
        "rooms": len({module.path.parent for module in files.values()}) - 1,
        "import depth": len(nx.dag_longest_path(imports.subgraph(plan))),
        "memo tables": sum(len([*memo_tables(module.tree)]) for module in plan.values()),
        "id() as a key": [name for name, module in plan.items() if calls_id(module.tree)],
        "named by no test": unnamed(files, tests),
        "a 3×3 convolution: modules": len({path for path, _ in entered}),
        "a 3×3 convolution: functions": len(entered),
        "a 3×3 convolution: deepest stack": deepest,
    }


def memo_tables(tree: ast.Module) -> Iterator[str]:
    """Names of the functions of a module that have a cache, and of tables that are asked, then filled.

    Such a table is asked whether it has a key, and where it has not, gets it.
    """
    for function in (node for node in ast.walk(tree) if isinstance(node, ast.FunctionDef)):
        names = {ast.unparse(decorator).partition("(")[0] for decorator in function.decorator_list}
        if names & {"cache", "lru_cache", "functools.cache", "functools.lru_cache"}:
            yield function.name
    read_from = dict[str, str]()  # what a name was read from: target = table.get(key)
    for node in ast.walk(tree):
        match node:
            case ast.Assign(targets=[target], value=ast.Call(func=ast.Attribute(value=table, attr="get"))):
                read_from[ast.unparse(target)] = ast.unparse(table)
            case ast.NamedExpr(target=target, value=ast.Call(func=ast.Attribute(value=table, attr="get"))):
                read_from[ast.unparse(target)] = ast.unparse(table)
    tables = set[str]()
    for branch in (node for node in ast.walk(tree) if isinstance(node, ast.If)):
        test = branch.test
        while isinstance(test, ast.BoolOp):
            test = test.values[0]
        if isinstance(test, ast.Compare) and isinstance(test.ops[0], ast.Is | ast.NotIn):
            missing = test.comparators[0] if isinstance(test.ops[0], ast.NotIn) else test.left
            name = ast.unparse(missing.target if isinstance(missing, ast.NamedExpr) else missing)
            filled = (t for node in ast.walk(branch) if isinstance(node, ast.Assign) for t in node.targets)
            written = {ast.unparse(t.value) for t in filled if isinstance(t, ast.Subscript)}
            tables |= written & {name, read_from.get(name, name)}
    yield from sorted(tables)


def calls_id(tree: ast.Module) -> bool:
    """Whether a module calls `id`, by itself or for each of several."""
    return any(isinstance(node, ast.Name) and node.id == "id" for node in ast.walk(tree))


def unnamed(files: Mapping[str, Source], tests: Path) -> list[str]:
    """Modules that no test names."""
    text = "\n".join(path.read_text(encoding="utf-8") for path in tests.rglob("*.py"))
    return [name for name in files if name not in text and name.replace(f"{PLAN}.", "plan.") not in text]


def entered_by_a_convolution() -> tuple[set[tuple[str, str]], int]:
    """Files and functions of the plan that planning one 3×3 convolution enters, and frames on top of it."""
    net = NetBuilder("conv", (1, 8, 8, 8), width=1, seed=0)
    chip = load_chip("npu")
    graph = canonicalise(import_model(net.finish(net.conv(net.input, 8, 3, pad=1))), chip=chip)
    entered, depth, deepest = set[tuple[str, str]](), 0, 0

    def note(frame: FrameType, event: str, _: Any) -> None:
        nonlocal depth, deepest
        if event == "call":
            depth += 1
            deepest = max(deepest, depth)
            if "/compiler/plan/" in frame.f_code.co_filename and not frame.f_code.co_name.startswith("<"):
                entered.add((frame.f_code.co_filename, frame.f_code.co_qualname))
        elif event == "return":
            depth -= 1

    sys.setprofile(note)
    try:
        make_plan(graph, chip)
    finally:
        sys.setprofile(None)
    return entered, deepest
