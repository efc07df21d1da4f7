"""The steps of the pipeline for people (`nnc passes`)."""

from __future__ import annotations

import inspect
from collections.abc import Callable
from dataclasses import dataclass

from nnc.compiler.passes.canonical_passes import CANONICAL_PASSES, canonical_names
from nnc.compiler.pipeline import MATERIALISERS
from nnc.compiler.plan.planner import make_plan


@dataclass(frozen=True, slots=True)
class Step:
    """A line of the pipeline, for people.

    Attributes:
        name: kebab-case; a pass that runs again has its count behind it.
        kind: canonical (rewrites the network), plan (decides) or materialise (puts decisions into the graph).
        about: what it does, in a sentence.
        why: the reason for its place.
        level: the level that it reaches, if it does.
    """

    name: str
    kind: str
    about: str
    why: str
    level: str | None


def pipeline_steps() -> list[Step]:
    """All steps between the imported and the placed graph, in order."""
    planning = Step(
        "plan", "plan", _about(make_plan), "after the canonical passes: it decides all about them", None
    )
    return [
        *(
            Step(name, "canonical", _about(step.run), why, step.reaches)
            for name, (step, why) in zip(canonical_names(), CANONICAL_PASSES, strict=True)
        ),
        planning,
        *(Step(s.name, "materialise", _about(s.run), why, s.reaches) for s, why in MATERIALISERS),
    ]


def _about(run: Callable[..., object]) -> str:
    """What the module of a step says about it in its first paragraph."""
    first = (inspect.getmodule(run).__doc__ or "").split("\n\n")[0]
    return " ".join(first.partition(": ")[2].split())
