"""Explaining a model on a chip: compile it, ask, and look for what would flip the answers."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Unpack

from nnc.compilation import Arguments
from nnc.compiler.frontend.model.load import ModelSource
from nnc.compiler.plan.planner import no_progress
from nnc.explanations.costliest import costliest
from nnc.explanations.decisions import Decision, about_layer, about_pair, layer_named
from nnc.explanations.flips import FlipSearch
from nnc.explanations.recompilation import Recompilation
from nnc.explanations.refusals import refusal
from nnc.explanations.schema import Explanation
from nnc.isa.argument_types import typed
from nnc.isa.errors import NncError, OptionError
from nnc.option_words import plan_options
from nnc.report.schema import Report

COMPILATIONS = 40
"""That are made at the most to find what flips one decision, if nothing else is said."""


@typed
def explain(
    model: ModelSource,
    layers: Sequence[str] = (),
    chip: str = "npu",
    *,
    compilations: int = COMPILATIONS,
    prove: bool = False,
    **arguments: Unpack[Arguments],
) -> Explanation:
    """Why the plan of a model is as it is, and what would have to change for it to be another.

    >>> print(nnc.explain("model.onnx", ["conv4", "conv5"]).answers[0].bound)

    Args:
        model: path of an ONNX file, its bytes, or an onnx.ModelProto.
        layers: two, to know why they are (not) in one group; one, to know all about its group; none, to know
            the decisions that cost most.
        chip: a preset, or the path of a TOML file.
        compilations: at most so many are made to find what flips a decision; 0: none is looked for.
        prove: with the difference of the two plans on both sides of a flip.
        arguments: as of `nnc.compile`.

    Raises:
        OptionError: there is no such layer, or there are more than two.
        NncError: the model cannot be read at all; what cannot be compiled for its operators, or for lack of
            memory, is explained.
    """
    if len(layers) > 2 or compilations < 0:
        raise OptionError(
            "a question is about two layers at the most, and takes no negative number of compilations",
            found=f"{len(layers)} layers, {compilations} compilations",
            remedy="ask about two layers, or one after the other",
        )
    words = arguments.copy()
    overrides, shapes = words.pop("overrides", ()), words.pop("shapes", None)
    states, dims = words.pop("states", None), words.pop("dims", None)
    asked, progress = words.pop("options", None), words.pop("progress", no_progress)
    options = plan_options(asked, words)
    subject = Recompilation(model, chip, overrides, options, shapes, dims, states)
    progress("compiling", 0, 0)
    try:
        report = subject.report()
    except NncError as error:
        answer = refusal(error, subject)
        return Explanation(title=answer.message, answers=(), refusal=answer)
    search = FlipSearch(report, subject.changed, subject.channels, compilations, progress)
    answers = tuple(search.answer(decision, prove=prove) for decision in _decisions(report, layers))
    return Explanation(title=report.title, answers=answers)


def _decisions(report: Report, names: Sequence[str]) -> list[Decision]:
    layers = [layer_named(report, name) for name in names]
    if len(layers) == 2:
        return [about_pair(report, *layers)]
    return [*about_layer(report, layers[0])] if layers else costliest(report)
