"""The shape of the sources: files, lines, who imports whom, circles, tuned numbers, names, what is longest.

    python bench/house.py

tests/unit/test_layout_rules.py, which holds who may import whom, reads the sources with the functions here.
"""

from __future__ import annotations

import ast
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import cache
from itertools import zip_longest
from pathlib import Path

import networkx as nx
from plan_house import plan_figures

ROOT = Path(__file__).parents[1]
PACKAGES = {
    "nnc": "nnc",
    "compiler": "nnc.compiler",
    "isa": "nnc.isa",
    "models": "nnc.models",
    "runtime": "nnc.runtime",
}
"""Folder → package."""
FLOORS = (
    ("isa", "models", "compiler.tuning"),
    ("runtime", "compiler.ir", "compiler.errors"),
    ("compiler.target",),
    ("compiler.frontend", "compiler.export", "compiler.passes"),
    ("compiler.plan.effort",),
    ("compiler.plan.infeasible", "compiler.plan.options", "compiler.plan.step"),
    ("compiler.plan.steps.template",),
    ("compiler.plan.plan", "compiler.plan.prices"),
    ("compiler.plan.network",),
    ("compiler.plan.fusion", "compiler.plan.alone"),
    ("compiler.plan.choice", "compiler.plan.place"),
    ("compiler.plan.steps",),
    ("compiler.plan.search",),
    ("compiler.plan.scheduled",),
    ("compiler.plan.planner", "compiler.materialise", "compiler.backend"),
    ("compiler",),
    ("nnc",),
)
"""Rooms (folders, or modules by themselves) from the lowest floor up; nothing imports what lies higher."""

FACTS = {
    "compiler.passes.common_factors._LARGEST": "keeps sums inside the range of f32",
    "compiler.passes.flatten_in_pixels.IN_PIXELS": "an order of axes",
    "compiler.passes.merge_axes._FEWEST_AXES": "axes of tensors with rows, columns and features",
    "compiler.passes.merge_axes._WEIGHT": "a slot",
    "compiler.passes.merge_functions._NEAR": "what half precision rounds",
    "compiler.passes.merge_views.MOST_AXES": "of an operand",
    "compiler.passes.pool_early._BIAS": "a slot",
    "compiler.passes.qdq.products._BIAS_TOLERANCE": "what f32 rounds",
    "compiler.passes.for_memory.split_folds._MOST_EXACT": "integers that are exact in f32",
    "compiler.passes.for_memory.split_folds._MOST_OF_A_BYTE": "the largest byte",
    "compiler.passes.stitch.stitched_layers._NO_BORDER": "nothing on any side",
    "compiler.passes.unsigned_products.OFFSET": "from a signed byte to an unsigned one",
    "compiler.plan.fusion.chunks._EPILOGUE": "a slot",
    "compiler.plan.search.dram_times._LOADS_AND_STORES": "kinds of transfers that share the DRAM",
    "compiler.plan.search.dram_times._NEVER": "before all times",
    "compiler.plan.network.layer_cycles._MOST_SIZES": "halves of any number of channels",
    "compiler.plan.network.plan_network._NO_LIMIT": "above all numbers of layers",
    "compiler.plan.options.BALANCED": "what a user asks for",
    "compiler.plan.options.FASTEST": "what a user asks for",
    "compiler.plan.options.LARGEST_SIZE": "of a memory",
    "compiler.plan.options.LEAST_TRAFFIC": "what a user asks for",
    "compiler.plan.options._CONSIDERED": "what a user asks for",
    "compiler.plan.options._COST_OF_A_GROUP": "breaks ties",
    "compiler.plan.alone.tiled_layer._MOST_SLABS": "positions that are checked: fewer would miss some",
    "compiler.plan.alone.m3_steps._PER_CHANNEL": "an order of axes",
    "compiler.plan.alone.two_buffers.RESULTS": "one result is computed, two are stored",
}
"""Numbers of the compiler that cannot have another value, and what they are; all others are tuned."""
TUNED = (
    "compiler.materialise",
    "compiler.passes",
    "compiler.picture_by_picture",
    "compiler.pipeline",
    "compiler.plan",
    "compiler.stitching",
)
"""Rooms whose tuned numbers stand in compiler/tuning."""
PLACEHOLDERS = {"found", "mine", "at", "one", "known", "theirs", "ours"}
"""Names that say nothing of a value; a function of more than LONG lines has nouns instead."""
LONG = 15


@dataclass(frozen=True)
class Module:
    """A source file."""

    name: str
    path: Path

    @property
    def tree(self) -> ast.Module:
        """Its syntax tree."""
        return ast.parse(self.path.read_text(encoding="utf-8"))

    @property
    def lines(self) -> int:
        """Lines of the file."""
        return len(self.path.read_text(encoding="utf-8").splitlines())


def files(folder: str) -> list[Path]:
    """The sources below a folder of the repository; links to other folders are not followed."""
    paths = sorted((ROOT / folder).rglob("*.py"))
    assert paths, folder
    return [path for path in paths if path.resolve() == path.absolute()]


@cache
def modules() -> dict[str, Module]:
    """All modules of the package by name."""
    by_name = {}
    for folder, package in PACKAGES.items():
        for path in files(folder):
            parts = path.relative_to(ROOT / folder).with_suffix("").parts
            name = ".".join((package, *parts)).removesuffix(".__init__")
            by_name[name] = Module(name, path)
    return by_name


def imported_names(path: Path) -> Iterator[str]:
    """Full names of all that a module imports, wherever in it: ``nnc.compiler.ir.layers.Layer``."""
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            assert node.level == 0 and node.module, f"{path}: a relative import"
            yield from (f"{node.module}.{alias.name}" for alias in node.names)


def inside(name: str, packages: tuple[str, ...]) -> bool:
    """Whether a name is one of the packages, or of something in one."""
    return any(name == package or name.startswith(f"{package}.") for package in packages)


@cache
def imports() -> nx.DiGraph[str]:
    """Who imports whom: modules, with all imports, also those inside functions and for types only."""
    graph: nx.DiGraph[str] = nx.DiGraph()
    graph.add_nodes_from(modules())
    for name, module in modules().items():
        for imported in imported_names(module.path):
            target = imported if imported in modules() else imported.rpartition(".")[0]
            if target in modules() and target != name:
                graph.add_edge(name, target)
    return graph


def circles() -> list[list[str]]:
    """Sets of modules that import each other, directly or through others."""
    return [sorted(circle) for circle in nx.strongly_connected_components(imports()) if len(circle) > 1]


def room_of(name: str) -> tuple[str, int]:
    """The room that a module lies in, and its floor; a longer name of a room goes before a shorter one."""
    short = name.removeprefix("nnc.") if inside(name, tuple(f"nnc.{p}" for p in PACKAGES)) else "nnc"
    fitting = [(len(r), r, level) for level, floor in enumerate(FLOORS) for r in floor if inside(short, (r,))]
    assert fitting, f"{name} lies in no room"
    _, room, floor = max(fitting)
    return room, floor


def imports_up() -> list[str]:
    """Imports of what lies on a higher floor, or in another room of the same one."""
    wrong_imports = []
    for name, target in sorted(imports().edges):
        (room, floor), (target_room, target_floor) = room_of(name), room_of(target)
        if room != target_room and target_floor >= floor:
            wrong_imports.append(f"{name} -> {target}")
    return wrong_imports


def arrows() -> Counter[tuple[str, str]]:
    """How many imports go from one room to another."""
    pairs = ((room_of(a)[0], room_of(b)[0]) for a, b in imports().edges)
    return Counter((a, b) for a, b in pairs if a != b)


def functions() -> Iterator[tuple[int, str]]:
    """Lines and name of every function."""
    for module in modules().values():
        for node in ast.walk(module.tree):
            if isinstance(node, ast.FunctionDef):
                yield (node.end_lineno or 0) - node.lineno + 1, f"{module.name}.{node.name}"


def bound_names(function: ast.FunctionDef) -> set[str]:
    """Names that a function binds, also inside of others in it: parameters, targets, parts of patterns."""
    names = set()
    for node in ast.walk(function):
        match node:
            case ast.Name(id=name, ctx=ast.Store()) | ast.arg(arg=name):
                names.add(name)
            case ast.MatchAs(name=str(name)) | ast.MatchStar(name=str(name)):
                names.add(name)
    return names


def placeholders(folders: Iterable[str] = (*PACKAGES, "bench")) -> list[str]:
    """Long functions that bind placeholders, and which: ``bench/cores.py: main: found, one``."""
    listed = []
    for path in (path for folder in folders for path in files(folder)):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.FunctionDef) and (node.end_lineno or 0) - node.lineno + 1 > LONG:
                names = bound_names(node) & PLACEHOLDERS
                parameters = {arg.arg for arg in ast.walk(node.args) if isinstance(arg, ast.arg)}
                if {"found", "expected"} <= parameters:  # what makes an error takes these fields of it
                    names.discard("found")
                if names:
                    listed.append(f"{path.relative_to(ROOT)}: {node.name}: {', '.join(sorted(names))}")
    return listed


def is_number(node: ast.expr) -> bool:
    """Whether an expression is made of numbers alone: 2**20, (1, 2, 4), Share(3, 4)."""
    match node:
        case ast.Constant(value=value):
            return isinstance(value, int | float) and not isinstance(value, bool)
        case ast.UnaryOp(operand=operand):
            return is_number(operand)
        case ast.BinOp(left=left, right=right):
            return is_number(left) and is_number(right)
        case ast.Call(func=ast.Name(id="range")):  # a count of names: X, WEIGHT, BIAS = range(3)
            return False
        case ast.Tuple(elts=parts) | ast.Call(func=ast.Name(), args=parts):
            return bool(parts) and all(map(is_number, parts))
    return False


def numbers_outside() -> list[str]:
    """Names of numbers of modules that are neither in compiler/tuning nor facts."""
    numbers = []
    for name, module in modules().items():
        short = name.removeprefix("nnc.")
        for node in module.tree.body if inside(short, TUNED) else ():
            if isinstance(node, ast.Assign | ast.AnnAssign) and node.value and is_number(node.value):
                targets = node.targets if isinstance(node, ast.Assign) else [node.target]
                names = (leaf.id for t in targets for leaf in ast.walk(t) if isinstance(leaf, ast.Name))
                numbers += [f"{short}.{number}" for number in names]
    return [name for name in numbers if name not in FACTS]


def tuned_numbers() -> Iterator[tuple[str, str]]:
    """Theme.field and docstring of every number in compiler/tuning; the docstring may be ""."""
    for name, module in modules().items():
        themes = [node for node in module.tree.body if isinstance(node, ast.ClassDef)]
        for theme in themes if inside(name, ("nnc.compiler.tuning",)) else ():
            for node, behind in zip_longest(theme.body, theme.body[1:]):
                if isinstance(node, ast.AnnAssign) and node.value and is_number(node.value):
                    is_text = isinstance(behind, ast.Expr) and isinstance(behind.value, ast.Constant)
                    yield f"{theme.name}.{ast.unparse(node.target)}", ast.unparse(behind) if is_text else ""


def main() -> None:
    """Print the figures."""
    lines = {name: module.lines for name, module in modules().items()}
    print(f"files                {len(lines)}")
    print(f"lines                {sum(lines.values())}")
    print(f"imports              {imports().number_of_edges()}")
    print(f"arrows between rooms {len(arrows())}, {sum(arrows().values())} imports")
    print(f"imports up           {len(imports_up())}", *imports_up(), sep="\n  ")
    print(f"circles              {len(circles())}", *map(" ".join, circles()), sep="\n  ")
    print(f"tuned numbers        {len([*tuned_numbers()])}, and outside of compiler/tuning", end=" ")
    print(len(numbers_outside()), *numbers_outside(), sep="\n  ")
    print(f"placeholder names    {len(placeholders())}", *placeholders(), sep="\n  ")
    print("longest file         {1} ({0} lines)".format(*max((n, name) for name, n in lines.items())))
    print("longest function     {1} ({0} lines)".format(*max(functions())))
    print("the plan (bench/plan_house.py):")
    for name, figure in plan_figures(modules(), imports(), ROOT / "tests").items():
        print(f"  {name:32}", figure if isinstance(figure, int) else f"{len(figure)} {' '.join(figure)}")
    sizes: defaultdict[str, int] = defaultdict(int)
    for name, module in modules().items():
        if module.path.name != "__init__.py" and inside(name, ("nnc.compiler.plan",)):
            sizes[name.rpartition(".")[0]] += 1
    print(
        "files of the plan    "
        + ", ".join(f"{p.removeprefix('nnc.compiler.')} {n}" for p, n in sorted(sizes.items()))
    )
    print("floors, each with what it imports:")
    below: defaultdict[str, list[str]] = defaultdict(list)
    for (room, target), count in sorted(arrows().items()):
        below[room].append(f"{target} {count}")
    for floor in FLOORS:
        for room in floor:
            print(f"  {room:24} {', '.join(below[room]) or '-'}")


if __name__ == "__main__":
    main()
