"""nnc run: a program on the simulated chip."""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass, fields
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from nnc.cli.options import (
    FiniteRange,
    chip_options,
    entry_option,
    json_option,
    pixel_options,
    report_option,
    verbose_option,
)
from nnc.cli.output import emit_report, say, write_report
from nnc.cli.paths import ReadPath, WrittenFolder, WrittenPath, input_files, model_files, note_written
from nnc.cli.progress import ShownProgress
from nnc.cli.run_hosted import Request, run_hosted

if TYPE_CHECKING:
    from nnc.check.outputs import CheckResult
    from nnc.isa.hosted import HostedProgram
    from nnc.isa.program import Program
    from nnc.report.schema import Report
    from nnc.runtime.session import Session
    from nnc.runtime.states import SavedState

    Judge = Callable[[Session, SavedState, Mapping[str, Any], Mapping[str, Any]], CheckResult]


@click.command("run", short_help="Run a program on the simulated chip.")
@click.argument("program", type=ReadPath(), metavar="PROGRAM.bin")
@entry_option
@click.option(
    "--input",
    "inputs",
    multiple=True,
    type=ReadPath(input_files, str),
    metavar="[NAME=]FILE",
    help="An input: .npy, .npz (arrays by input name) or a picture (.png, .jpg); if none is given, all are"
    " random.",
)
@click.option("--seed", type=click.IntRange(min=0), default=0, show_default=True, help="For random inputs.")
@pixel_options
@click.option(
    "--output-dir",
    type=WrittenFolder(),
    metavar="DIR",
    help="Write every output here as NAME.npy.",
)
@click.option(
    "--check",
    type=ReadPath(model_files),
    metavar="MODEL.onnx",
    help="Compare the outputs with onnxruntime's (or onnx's reference evaluator's); exit 1 on a mismatch."
    " Outputs of quantised models are compared step by step with the model as it is written.",
)
@click.option(
    "--check-layers",
    is_flag=True,
    help="Of --check: judge every layer of a quantised model by itself, even where no output differs.",
)
@click.option(
    "--tolerance",
    type=FiniteRange(min=0),
    help="Of --check: largest error allowed in floating-point outputs, as a share of the largest magnitude of"
    " the output; by default 1e-4, for models of half precision 2^-10.",
)
@click.option(
    "--state",
    type=ReadPath(),
    metavar="FILE.npz",
    help="States to go on from, as --save-state wrote them; else they are zero and hold no rows.",
)
@click.option(
    "--save-state",
    type=WrittenPath(),
    metavar="FILE.npz",
    help="Write the states after the run, from which another run goes on.",
)
@click.option(
    "--trace",
    type=WrittenPath(),
    metavar="FILE.json",
    help="Write a timeline for https://ui.perfetto.dev or chrome://tracing: a track per engine and core,"
    " counters of bytes read, written and in use, an arrow for every wait.",
)
@report_option
@click.option(
    "--verify/--no-verify",
    default=True,
    show_default=True,
    help="Insist first that the program breaks no rule.",
)
@click.option(
    "--jitter",
    type=click.IntRange(min=0),
    metavar="SEED",
    help="Random timing of transfers and computation instead of the chip's: a sound program gives the same"
    " outputs with any; cycles are those of this run.",
)
@chip_options(default=None)
@json_option
@verbose_option
def command(
    program: Path,
    entry: str,
    inputs: tuple[str, ...],
    seed: int,
    mean: tuple[float, ...],
    scale: tuple[float, ...],
    output_dir: Path | None,
    check: Path | None,
    check_layers: bool,
    tolerance: float | None,
    state: Path | None,
    save_state: Path | None,
    trace: Path | None,
    report: Path | None,
    verify: bool,
    jitter: int | None,
    chip: str | None,
    overrides: tuple[str, ...],
    as_json: bool,
    verbose: bool,
) -> None:
    """Run a program on the simulated chip: outputs, cycles, DRAM bytes by cause.

    Products of floats are made by one thread of BLAS, so that outputs are the same to the last bit whatever
    else the machine does. Another processor, or another BLAS, may add in another order.

    Pictures must be 8-bit PNGs or JPEGs of the input's size; they are converted to its channels (grey or
    RGB, in NCHW order), and every pixel p becomes (p - mean) * scale.  ImageNet networks usually want
    --mean 123.675,116.28,103.53 --scale 0.01712475,0.017507,0.01742919.

    \b
    Examples:
      nnc run model.bin --input picture.png --scale 0.00390625
      nnc run model.bin --input image=image.npy --output-dir results
      nnc run model.bin --seed 1 --check model.onnx --json
      nnc run model.bin --trace trace.json
      nnc run model.bin --check model.onnx --jitter 7
      nnc run model8.bin --check model8.onnx --check-layers
      nnc run step.bin --input second.npz --state first.state.npz --save-state second.state.npz
    """
    from nnc.isa.hosted import HostedProgram

    if overrides and chip is None:
        raise click.UsageError("--set belongs to --chip, which is not given.")
    chosen = _chosen(program, entry, inputs, (mean, scale), seed)
    request = Request(
        program, chosen.feed, chosen.seed, output_dir, check, tolerance, verify, jitter, as_json, verbose
    )
    files = _Files(state, save_state, trace, report)
    if isinstance(chosen.program, HostedProgram):
        _insist_on_none({**files.options(), "--chip": chip, "--check-layers": check_layers or None})
        run_hosted(chosen.program, request)
        return
    if chip is not None:
        _insist_on_chip(chosen.program, program, chip, overrides)
    _run_on_chip(chosen.program, request, files, chosen, by_layers=check_layers)


@dataclass(frozen=True)
class _Chosen:
    """What runs: a program, its inputs, and where they come from.

    Attributes:
        seed: that inputs were drawn by; None: they were given, or there are none.
        filled: the entry whose inputs were filled up, if one was; missing: with so many places.
    """

    program: Program | HostedProgram
    feed: dict[str, Any]
    seed: int | None
    filled: str = ""
    missing: int = 0


@dataclass(frozen=True)
class _Files:
    """Files that only the run of a program of the chip reads or writes."""

    state: Path | None
    save_state: Path | None
    trace: Path | None
    report: Path | None

    def options(self) -> dict[str, Path | None]:
        """By the options that name them."""
        return {f"--{field.name.replace('_', '-')}": getattr(self, field.name) for field in fields(self)}


def _chosen(
    file: Path,
    entry: str,
    inputs: tuple[str, ...],
    scaling: tuple[tuple[float, ...], tuple[float, ...]],
    seed: int,
) -> _Chosen:
    """The program of a file that runs, and its inputs: from files, or random if none is given."""
    from nnc.io.inputs import random_inputs, read_inputs
    from nnc.io.pictures import PixelScaling
    from nnc.isa.program_file.binary import load_any, load_program

    whole = load_any(file, entry=entry)
    if isinstance(whole, dict):
        if (bucket := _bucket(whole, inputs)) is not None:
            return bucket
        whole = load_program(file)  # the only one, or it says that there are several
    if inputs:
        return _Chosen(whole, read_inputs(whole, inputs, PixelScaling(*scaling)), None)
    feed = random_inputs(whole, seed)
    return _Chosen(whole, feed, seed if feed else None)


def _run_on_chip(
    program: Program, request: Request, files: _Files, chosen: _Chosen, *, by_layers: bool
) -> None:
    """Run a program once, write what is asked for, judge and report it."""
    from nnc.io.outputs import output_files
    from nnc.runtime.session import Session

    check, folder = request.check, request.folder
    judge = None if check is None else _judge(program, check, request.tolerance, by_layers=by_layers)
    if folder is not None:
        note_written(output_files(folder, program))
    # One run is over before onnxruntime is loaded, and it may be what the outputs are compared with.
    bind = partial(
        Session,
        program,
        verify=request.verify,
        poison=request.poison,
        jitter=request.jitter,
        blas_only=True,
        name=str(request.file),
    )
    done = _execute(request, bind, judge, files.state, missing=chosen.missing)
    _write(done, files)
    if request.as_json:
        _emit(done)
    else:
        if chosen.filled:
            say(f"entry         {chosen.filled}, inputs filled up with {chosen.missing} places")
        _show(done, request.seed, verbose=request.verbose)
    if done.verdict is not None:
        done.verdict.insist(str(check))


def _bucket(programs: Mapping[str, Program], inputs: tuple[str, ...]) -> _Chosen | None:
    """Of programs that are buckets, the smallest that has room for the inputs; these, filled up.

    None: they are no buckets, or nothing is given; then an entry has to be named.

    Raises:
        InputError: no bucket has room.
    """
    from nnc.io.inputs import read_inputs
    from nnc.io.pictures import PixelScaling
    from nnc.runtime.entry_session import are_buckets, entry_for, padded_to

    if not inputs or not are_buckets(programs):
        return None
    largest = max(programs.values(), key=lambda p: sum(t.block.nbytes for t in p.given_inputs))
    arrays = read_inputs(largest, inputs, PixelScaling(), room=True)
    entry = entry_for(programs, arrays, pad=True)
    feed, missing = padded_to(programs[entry], arrays)
    return _Chosen(programs[entry], feed, None, entry, missing)


def _write(done: _Run, files: _Files) -> None:
    """Write the files that are asked for."""
    if files.save_state is not None:
        from nnc.io.states import write_state

        write_state(done.session.state(), files.save_state)
    if files.trace is not None:
        _write_trace(done.session, files.trace)
    if files.report is not None:
        write_report(done.report(details=True), files.report)


def _insist_on_none(options: Mapping[str, object]) -> None:
    """Refuse options that a program with a host does not know."""
    if given := [option for option, value in options.items() if value is not None]:
        raise click.UsageError(f"{given[0]} is for one program of the chip: choose it with --entry.")


def _write_trace(session: Session, path: Path) -> None:
    import json

    from nnc.isa.files import write_whole
    from nnc.runtime.measure.trace import trace_of

    with ShownProgress("writing the trace"):
        write_whole(path, [json.dumps(trace_of(session.program, *session.machine.timing)).encode()])


@dataclass(frozen=True)
class _Run:
    """Outputs and their files by name, the session with its report, the verdict of the check if any."""

    program_file: str
    outputs: dict[str, Any]
    files: dict[str, str | None]
    session: Session
    wall_seconds: float
    verdict: CheckResult | None

    def report(self, *, details: bool = False) -> Report:
        """The report of the program with this run: simulated beside predicted."""
        from nnc.io.outputs import output_figures
        from nnc.report.of_run import report_of_run

        checked = None if self.verdict is None else self.verdict.to_json()
        outputs = {
            name: output_figures(array, self.files[name]).to_json() for name, array in self.outputs.items()
        }
        return report_of_run(
            self.session, outputs, self.wall_seconds, checked, self.program_file, details=details
        )


def _execute(
    request: Request, bind: Callable[[], Session], judge: Judge | None, state: Path | None, *, missing: int
) -> _Run:
    """Run once, write the outputs, judge them; so many rows that a run adds to states are of padded tokens.

    The wall time includes verifying the program and binding it to the chip.  BLAS has one thread: with more,
    it adds in another order, and outputs would depend on how many there are.
    """
    from threadpoolctl import threadpool_limits

    from nnc.io.outputs import write_outputs
    from nnc.io.states import read_state

    with ShownProgress("verifying") as progress:
        start = time.perf_counter()
        with threadpool_limits(1, user_api="blas"):
            session = bind()
            if state is not None:
                session.restore(read_state(session.program, state))
            before = session.state()
            progress("running", 0, 0)
            rows = session.added_rows - missing if missing and session.added_rows else None
            arrays = session.run(None, request.feed, rows=rows)
        wall = time.perf_counter() - start
        outputs = dict(zip([info.name for info in session.get_outputs()], arrays, strict=True))
        files = write_outputs(outputs, request.folder)
        verdict = None
        if judge is not None:
            progress("checking", 0, 0)
            verdict = judge(session, before, request.feed, outputs)
        return _Run(str(request.file), outputs, files, session, wall, verdict)


def _judged(
    model: Path,
    tolerance: float | None,
    session: Session,
    before: SavedState,
    feed: Mapping[str, Any],
    outputs: Mapping[str, Any],
    *,
    by_layers: bool,
) -> CheckResult:
    """The outputs beside those of the model, states among them."""
    from nnc.check.outputs import check_outputs
    from nnc.compiler.facts import SOFTMAX
    from nnc.compiler.plan.options import SOFTMAX_TYPES

    program, after = session.program, session.state().tensors
    feed = {**feed, **before.tensors}
    outputs = {**outputs, **{state.output: after[state.input] for state in program.states}}
    softmax = dict(enumerate(SOFTMAX_TYPES)).get(program.facts.get(SOFTMAX, 0), SOFTMAX_TYPES[0])
    return check_outputs(model, feed, outputs, tolerance, program.chip, by_layers=by_layers, softmax=softmax)


def _judge(program: Program, model: Path, tolerance: float | None, *, by_layers: bool) -> Judge:
    """What compares a run with the model.

    Raises:
        InputError: the model has no room for what has not come yet, and the program has.
    """
    from nnc.isa.errors import InputError
    from nnc.isa.program import TensorRole

    inputs = {tensor.name for tensor in program.by_role(TensorRole.INPUT)}
    if any(state.position in inputs for state in program.states):
        raise InputError(
            "the states of the program have free places, which the past of the model has not",
            where="--check",
            remedy="compare step by step in Python: nnc.Session beside onnxruntime, which gets the past that"
            " has come so far",
        )
    return partial(_judged, model, tolerance, by_layers=by_layers)


def _emit(done: _Run) -> None:
    """Print the run for programs."""
    emit_report(done.report())


def _show(done: _Run, seed: int | None, *, verbose: bool) -> None:
    """Print the run for people; with the seed of its inputs if these are random."""
    from nnc.cli.report_text import output_text, run_text

    if seed is not None:
        say(f"inputs        random, seed {seed}")
    for name, array in done.outputs.items():
        file = done.files[name]
        say(output_text(name, array) + (f"\n  written to {file}" if file else ""))
    for line in run_text(done.report(), verbose=verbose):
        say(line)
    if done.verdict is not None and done.verdict.ok:
        from nnc.cli.check_text import check_text

        for line in check_text(done.verdict):
            say(line)


def _insist_on_chip(program: Program, path: Path, chip: str, overrides: tuple[str, ...]) -> None:
    """Raise ProgramInvalidError unless the program was compiled for exactly this chip.

    What its work takes of energy changes nothing in a program: it may be said later.
    """
    from nnc.isa.chip.load import load_chip
    from nnc.isa.errors import ProgramInvalidError
    from nnc.report.identity import flat_keys

    beside = {"description", "energy"}
    built = flat_keys(program.chip.model_dump(mode="json", exclude=beside))
    asked = flat_keys(load_chip(chip, overrides).model_dump(mode="json", exclude=beside))
    keys = [key for key in {**built, **asked} if built.get(key) != asked.get(key)]
    if keys:
        raise ProgramInvalidError(
            "the program is for another chip",
            where=str(path),
            found=", ".join(f"{key} = {built.get(key)}" for key in keys[:8]),
            expected=", ".join(f"{key} = {asked.get(key)}" for key in keys[:8]),
            remedy=f"compile the model again with --chip {chip}",
        )
