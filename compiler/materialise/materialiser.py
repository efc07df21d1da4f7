"""What a step is that puts decisions of the plan into the graph."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace

from nnc.compiler.ir.annotations import Level
from nnc.compiler.ir.graph import Graph
from nnc.compiler.plan.plan import Plan


@dataclass(frozen=True, slots=True)
class Materialiser:
    """A step that puts decisions of the plan into the graph; its name is the level that it reaches."""

    reaches: Level
    run: Callable[[Graph, Plan], Graph]

    @property
    def name(self) -> str:
        """As `nnc passes` and `nnc dump-ir` have it."""
        return self.reaches.value

    def apply(self, graph: Graph, plan: Plan) -> Graph:
        """Run it, and note the level that the graph has reached."""
        result = self.run(graph, plan)
        result.annotate(replace(result.notes, level=self.reaches))
        return result
