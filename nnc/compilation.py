"""Compiling from Python: a model and a chip in, a program and the report about it out."""

from __future__ import annotations

import gc
import time
from collections.abc import Collection, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import product
from typing import Unpack

import numpy as np

from nnc.compiler.frontend.importer import import_model
from nnc.compiler.frontend.model.load import ModelSource
from nnc.compiler.frontend.states import Pairs
from nnc.compiler.ir.graph import Graph
from nnc.compiler.ir.layer_cost import LayerCost
from nnc.compiler.pipeline import (
    STAGES,
    Compilation,
    pass_names,
    planned_levels,
    run_pipeline,
    stage_graph,
)
from nnc.compiler.plan.options import PlanOptions
from nnc.compiler.plan.planner import no_progress
from nnc.compiler.plan.scheduled import Progress
from nnc.isa.argument_types import typed
from nnc.isa.chip.description import Chip
from nnc.isa.chip.load import load_chip
from nnc.isa.errors import OptionError
from nnc.isa.nearest import did_you_mean
from nnc.isa.program import Program
from nnc.option_words import OptionWords, plan_options
from nnc.report.build import make_report
from nnc.report.identity import source_of
from nnc.report.known import Known
from nnc.report.measured import Measured
from nnc.report.schema import Report, Source
from nnc.runtime.demand import check_simulation
from nnc.runtime.entry_session import BUCKET

Shapes = Mapping[str, Sequence[int]]


@dataclass(frozen=True, repr=False)
class Result:
    """A program and how it came about.

    Attributes:
        compilation: the plan, the floors and the graphs of the compiler.
        compile_seconds: wall time from the model to the program.
        source: the model: name, file and hash.
        overrides: those of the chip.
    """

    compilation: Compilation
    compile_seconds: float
    source: Source
    overrides: tuple[str, ...] = ()

    def __repr__(self) -> str:
        return repr(self.report).replace("<Report", "<Result", 1)

    def _repr_html_(self) -> str:
        return self.report._repr_html_()

    @property
    def program(self) -> Program:
        """The program, ready for `Session` or `nnc.save_program`."""
        return self.compilation.program

    @property
    def graphs(self) -> dict[str, Graph]:
        """The network as imported, canonical and placed, by stage; `graph_at` gives the stages between."""
        compilation = self.compilation
        return {
            "import": compilation.imported,
            "canonical": compilation.canonical,
            "place": compilation.placed,
        }

    @cached_property
    def report(self) -> Report:
        """The network, its groups and layers: costs beside floors (see `nnc.report.schema`)."""
        return self.make_report()

    @cached_property
    def _measured(self) -> Measured:
        return Measured.of(self.program)

    @cached_property
    def _knowledge(self) -> Known:
        return Known.of(self.compilation)

    def make_report(self, *, program_file: str | None = None, details: bool = False) -> Report:
        """The report, with the file that the program was written to.

        Args:
            program_file: its path.
            details: with parts, instructions and blocks of memory, which pictures are made of.
        """
        return make_report(
            self._measured,
            self._knowledge,
            model=self.source,
            overrides=self.overrides,
            program_file=program_file,
            compile_seconds=self.compile_seconds,
            details=details,
        )


class Arguments(OptionWords, total=False):
    """Keyword arguments of all functions here; `compile_model` explains them."""

    overrides: Collection[str]
    shapes: Shapes | None
    states: Pairs | str | None
    dims: Mapping[str, int] | None
    options: PlanOptions | None
    progress: Progress


@typed
def compile(model: ModelSource, chip: str | Chip = "npu", **arguments: Unpack[Arguments]) -> Program:
    """Compile an ONNX model for a chip; `nnc.compile_model` does the same, and also tells about the result.

    >>> program = nnc.compile("model.onnx", "npu", overrides=["memory.sram.bytes=256KiB"])
    >>> program = nnc.compile("model.onnx", "npu", objective="traffic", effort=1)

    Args:
        model: path of an ONNX file, its bytes, or an onnx.ModelProto (which is not changed).
        chip: a preset, the path of a TOML file, or a chip from `nnc.load_chip`.
        arguments: all of them by name, and none is needed.  Those of the planner mean what the options of the
            same names of ``nnc compile`` do:

            - objective: ``"traffic"``, ``"balanced"`` (if nothing is said), ``"cycles"``, ``"energy"`` or
              ``"edp"``.
            - effort: how long to search, from 0 (layer by layer) to 3; 2 if nothing is said.
            - overlap: ``"keep"`` or ``"recompute"`` (method M1).
            - split: ``"auto"`` or ``"even"`` (method M2).
            - conv_buffers: ``"auto"``, ``"rows"`` or ``"m3"`` (method M3).
            - stitch: ``"auto"``, ``"off"`` or a number of pictures (method M4).
            - fc_oram: bytes of features of a group of pixels, such as ``"64KiB"`` (method M5).
            - softmax: ``"f32"``, ``"f16"`` or ``"i8"``, for softmax and normalisations between integers.
            - options: all of these in one object, `nnc.PlanOptions`, in their place.
            - overrides: values of the chip such as ``"memory.sram.bytes=256KiB"``.
            - shapes: dimensions of inputs whose shape is symbolic, by name.
            - dims: sizes of symbolic dimensions by their names, wherever they stand.
            - states: inputs that keep, from run to run, what outputs add to them, by name, or ``"auto"``.
            - progress: called as progress(what, done, total).

    Raises:
        NncError: the model, the chip or an option cannot be used; the subclass and its code say which.
    """
    return compile_model(model, chip, **arguments).program


@typed
@np.errstate(all="ignore")  # passes check what their arithmetic gives
def compile_model(
    model: ModelSource,
    chip: str | Chip = "npu",
    *,
    overrides: Collection[str] = (),
    shapes: Shapes | None = None,
    states: Pairs | str | None = None,
    dims: Mapping[str, int] | None = None,
    options: PlanOptions | None = None,
    verify_each: bool = False,
    progress: Progress = no_progress,
    **words: Unpack[OptionWords],
) -> Result:
    """Compile an ONNX model for a chip.

    Args:
        model: path of an ONNX file, its bytes, or an onnx.ModelProto (which is not changed).
        chip: a preset, the path of a TOML file, or a chip from `load_chip`.
        overrides: values of the chip such as ``"memory.sram.bytes=256KiB"``.
        shapes: dimensions of inputs whose shape is symbolic, by name.
        states: inputs that keep, from run to run, what outputs add to them, such as keys of a decoder:
            names of inputs with those of the outputs, or ``"auto"``, by the names that exporters write.
        dims: sizes of symbolic dimensions by their names, wherever they stand.
        options: what is asked of the planner, in one object.
        words: the same by name, in its place: objective, effort, overlap, split, stitch, conv_buffers,
            fc_oram and softmax, as ``nnc compile`` has them (see `nnc.compile`).
        verify_each: check the network after every pass.  Without it, it is checked once, when all is placed,
            that the program computes the network: a bug of nnc gives an error, no wrong program.
        progress: called as progress(what, done, total).

    Raises:
        NncError: the model, the chip or an option cannot be used; the subclass and its code say which.
    """
    asked, target = plan_options(options, words), _chip(chip, overrides)
    start = time.perf_counter()
    progress("importing", 0, 0)
    with _no_garbage_collection():
        imported = import_model(model, shapes=shapes, states=states, dims=dims)
        compilation = compile_graph(
            imported, target, options=asked, progress=progress, verify_each=verify_each
        )
    seconds = time.perf_counter() - start
    return Result(compilation, seconds, source_of(imported.name, model), tuple(overrides))


def importing(
    model: ModelSource,
    *,
    shapes: Shapes | None = None,
    states: Pairs | str | None = None,
    dims: Mapping[str, int] | None = None,
) -> Graph:
    """The imported graph of a model, for `compile_graph`; arguments and errors as of `compile_model`."""
    with _no_garbage_collection():
        return import_model(model, shapes=shapes, states=states, dims=dims)


@np.errstate(all="ignore")
def compile_graph(
    imported: Graph,
    chip: Chip,
    *,
    options: PlanOptions,
    verify_each: bool = False,
    progress: Progress = no_progress,
) -> Compilation:
    """Compile an imported graph, which is left as it is: it serves for any number of chips and options.

    Raises:
        NncError: as `compile_model`.
    """
    with _no_garbage_collection():
        compilation = run_pipeline(
            imported, chip, options=options, progress=progress, verify_each=verify_each
        )
    check_simulation(compilation.program, imported.name)
    return compilation


@typed
def compile_entries(
    model: ModelSource,
    entries: Mapping[str, Mapping[str, int]],
    chip: str | Chip = "npu",
    *,
    buckets: Mapping[str, Sequence[int]] | None = None,
    verify_each: bool = False,
    **arguments: Unpack[Arguments],
) -> dict[str, Result]:
    """Compile a model for several sizes of its inputs, each an entry of one image of the DRAM.

    >>> results = nnc.compile_entries("decoder.onnx", {"step": {"tokens": 1}, "prefill": {"tokens": 128}})
    >>> nnc.save_entries(nnc.link({name: result.program for name, result in results.items()}), "decoder.bin")

    Args:
        model: as of `compile_model`.
        entries: sizes of symbolic dimensions by the names of the entries.
        buckets: sizes of symbolic dimensions, by symbol: an entry, such as ``tokens16-batch1``, for each of
            their combinations; of entries that are all buckets, a session takes the smallest that has room,
            and fills it up.
        chip, verify_each: as of `compile_model`.
        arguments: as of `compile`; `dims` are those that all entries have.

    Returns:
        What `compile_model` gives, by entry; the programs are not linked yet.

    Raises:
        OptionError: there is no entry.
        NncError: as `compile_model`.
    """
    filled = bucket_entries(buckets or {})
    if not entries and not filled:
        raise OptionError("there is no entry", remedy="name at least one, with the sizes of its dimensions")
    if twice := entries.keys() & filled.keys():
        raise OptionError(
            "an entry has the name of a bucket", found=min(twice), remedy="give the entry another name"
        )
    results = {}
    for name, sizes in {**entries, **filled}.items():
        words = arguments.copy()
        words["dims"] = {**(arguments.get("dims") or {}), **sizes}
        result = compile_model(model, chip, verify_each=verify_each, **words)
        results[name] = _as_bucket(result) if name in filled else result
    return results


def bucket_entries(buckets: Mapping[str, Sequence[int]]) -> dict[str, dict[str, int]]:
    """Entries for all combinations of sizes, smaller ones first.

    Raises:
        OptionError: a symbol has no sizes.
    """
    if empty := [symbol for symbol, sizes in buckets.items() if not sizes]:
        raise OptionError("buckets need sizes", where=empty[0], remedy="give some, such as 16, 64 and 256")
    combinations = product(*(sorted(set(sizes)) for sizes in buckets.values())) if buckets else ()
    entries = [dict(zip(buckets, sizes, strict=True)) for sizes in combinations]
    return {"-".join(f"{symbol}{size}" for symbol, size in sizes.items()): sizes for sizes in entries}


def _as_bucket(result: Result) -> Result:
    """The result with a program that says that its inputs may be filled up."""
    program = result.program
    marked = replace(program, facts={**program.facts, BUCKET: 1})
    return replace(result, compilation=replace(result.compilation, program=marked))


@contextmanager
def _no_garbage_collection() -> Iterator[None]:
    """Plans and graphs live to the end of a compilation; searching them for garbage is a tenth of it.

    What is left counts as old afterwards, so that it is not searched at once.
    """
    was_enabled = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if was_enabled:
            if not gc.get_freeze_count():  # what a caller has frozen stays so
                gc.freeze()
                gc.unfreeze()
            gc.enable()


@typed
@np.errstate(all="ignore")
def graph_at(
    model: ModelSource,
    stage: str,
    chip: str | Chip = "npu",
    *,
    overrides: Collection[str] = (),
    shapes: Shapes | None = None,
    states: Pairs | str | None = None,
    dims: Mapping[str, int] | None = None,
    options: PlanOptions | None = None,
    progress: Progress = no_progress,
    **words: Unpack[OptionWords],
) -> Graph:
    """The network at a level (`STAGES`) or after a pass (`pass_names`).

    All other arguments are those of `compile_model`: chip, and by name overrides, shapes, states, dims,
    progress, and options or its words objective, effort, overlap, split, stitch, conv_buffers, fc_oram and
    softmax.

    Raises:
        OptionError: there is no such stage.
        NncError: as `compile_model`.
    """
    stages = (*STAGES, *pass_names())
    if stage not in stages:
        raise OptionError(
            "there is no such stage",
            found=stage,
            expected=", ".join(stages),
            remedy=did_you_mean(stage, stages, "name one of the stages or passes: nnc passes lists them"),
        )
    asked, target = plan_options(options, words), _chip(chip, overrides)
    progress("importing", 0, 0)
    return stage_graph(
        import_model(model, shapes=shapes, states=states, dims=dims), target, stage, progress, asked
    )


@np.errstate(all="ignore")
def groups_with_costs(
    model: ModelSource, chip: str | Chip = "npu", **arguments: Unpack[Arguments]
) -> tuple[Graph, dict[str, LayerCost]]:
    """The network with its groups, and what each of its layers costs in the program; else as `graph_at`."""
    words = arguments.copy()
    overrides, shapes = words.pop("overrides", ()), words.pop("shapes", None)
    states, dims = words.pop("states", None), words.pop("dims", None)
    options, progress = words.pop("options", None), words.pop("progress", no_progress)
    asked, target = plan_options(options, words), _chip(chip, overrides)
    progress("importing", 0, 0)
    imported = import_model(model, shapes=shapes, states=states, dims=dims)
    compilation = run_pipeline(imported, target, options=asked, progress=progress)
    graph = next(planned_levels(compilation.canonical, compilation.plan, target))[1]
    progress("measuring", 0, 0)
    costs: dict[str, LayerCost] = {}
    for layer in make_report(Measured.of(compilation.program), Known.of(compilation)).layers:
        before = costs.get(layer.name, LayerCost(0, 0))  # in other groups
        costs[layer.name] = LayerCost(
            before.core_cycles + layer.figures.compute.core_cycles,
            before.dram_bytes + layer.figures.dram.total_bytes,
        )
    return graph, costs


def _chip(chip: str | Chip, overrides: Collection[str]) -> Chip:
    """The chip with its overrides; those of a chip object belong into `load_chip`."""
    if not isinstance(chip, Chip):
        return load_chip(chip, overrides)
    if overrides:
        raise OptionError(
            "a chip object takes no overrides",
            found=", ".join(overrides),
            remedy="give them when loading the chip: nnc.load_chip(name, overrides)",
        )
    return chip
