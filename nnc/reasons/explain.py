"""Explaining a model on a chip: compile it, ask, and look for what would flip the answers."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import partial
from typing import TypedDict, Unpack

from nnc.compilation import Arguments, compile_model
from nnc.compiler.frontend.model.load import ModelSource
from nnc.compiler.plan.options import PlanOptions
from nnc.compiler.plan.planner import no_progress
from nnc.isa.argument_types import typed
from nnc.isa.chip.load import load_chip
from nnc.isa.errors import NncError, OptionError
from nnc.option_words import plan_options
from nnc.reasons.costliest import costliest
from nnc.reasons.decisions import Decision, about_layer, about_pair, layer_named
from nnc.reasons.flips import FlipSearch
from nnc.reasons.levers import Lever
from nnc.reasons.refusals import refusal
from nnc.reasons.schema import Explanation
from nnc.report.schema import Report

COMPILATIONS = 40
"""That are made at the most to find what flips one decision, if nothing else is said."""


class Changed(TypedDict):
    """What a compilation gets with one thing changed.

    Attributes:
        more: overrides of the chip, behind those that are asked for.
        options: of the planner.
    """

    more: Sequence[str]
    options: PlanOptions


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

    def compiled(more: Sequence[str], options: PlanOptions) -> Report:
        every = (*overrides, *more)
        result = compile_model(
            model, chip, overrides=every, options=options, shapes=shapes, dims=dims, states=states
        )
        return result.report

    progress("compiling", 0, 0)
    try:
        report = compiled((), options)
    except NncError as error:
        fails = partial(_error_of, compiled, options)
        answer = refusal(error, model, load_chip(chip, overrides), fails, shapes=shapes, dims=dims)
        return Explanation(title=answer.message, answers=(), refusal=answer)
    search = FlipSearch(
        report,
        lambda lever, value: compiled(**changed(lever, value, options)),
        compilations,
        lambda count: progress("looking for what flips it", count, 0),
    )
    decisions = _decisions(report, layers)
    answers = tuple(search.answer(decision, prove=prove) for decision in decisions)
    return Explanation(title=report.title, answers=answers)


def _decisions(report: Report, names: Sequence[str]) -> list[Decision]:
    layers = [layer_named(report, name) for name in names]
    if len(layers) == 2:
        return [about_pair(report, *layers)]
    return [*about_layer(report, layers[0])] if layers else costliest(report)


def changed(lever: Lever, value: int | str, options: PlanOptions | None = None) -> Changed:
    """Overrides of the chip and options with one thing changed, as arguments of a compilation."""
    options = PlanOptions() if options is None else options
    if lever.key == "objective":
        return {"more": (), "options": replace(options, objective=str(value))}
    if lever.key == "effort":
        return {"more": (), "options": replace(options, effort=f"O{value}")}
    return {"more": (f"{lever.key}={value}",), "options": options}


def _error_of(
    compiled: Callable[[Sequence[str], PlanOptions], Report], options: PlanOptions, key: str, value: int
) -> NncError | None:
    """Why a model cannot be compiled with a key of the chip changed; None if it can."""
    try:
        compiled((f"{key}={value}",), options)
    except NncError as error:
        return error
    return None
