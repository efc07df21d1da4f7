"""nnc accuracy: a quantised network beside its float network, layer by layer."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

import click

from nnc.cli.classes import HeadedCommand
from nnc.cli.names import Name
from nnc.cli.options import Target, json_option, log_option, pixel_options, target_options
from nnc.cli.output import emit_json, plural, say, say_or_show
from nnc.cli.paths import ReadPath, WrittenPath, model_files, sample_files
from nnc.cli.progress import ShownProgress

if TYPE_CHECKING:
    from rich.table import Table

    from nnc.accuracies.schema import AccuracyReport, Agreement, Distance, TensorAccuracy

_SHOWN = 12
"""Layers that are shown without -v."""
_SMALLEST_SHARE = 1e-4
"""Shares below it are shown as that."""
_SORTS = ("own", "cumulative")


@click.command("accuracy", cls=HeadedCommand, short_help="Compare a quantised network with the float one.")
@click.argument("float_model", type=ReadPath(model_files), metavar="FLOAT.onnx")
@click.argument("quantised_model", type=ReadPath(model_files), metavar="QUANTISED.onnx")
@click.option(
    "--data",
    type=ReadPath(sample_files),
    metavar="DIR|FILE.npz",
    required=True,
    help="Samples that neither network has seen: a folder of pictures (.png, .jpg), .npy or .npz files, or an"
    " archive with an array per input whose first axis counts samples.",
)
@click.option(
    "--labels",
    type=ReadPath(),
    metavar="FILE",
    help="The class of each sample, counted from 0: .npy, .npz (the array labels) or text, in the order of"
    " the samples (files by their names).",
)
@click.option(
    "--metric",
    type=Name(lambda: ("top1", "top5", "agreement", "error")),
    metavar="top1|top5|agreement|error",
    help="What the output is worth: share of right answers, of answers as the float network's, or 1 - its"
    " relative error. By default top1 with labels, else agreement, or error where there are no classes.",
)
@click.option("--scored", metavar="NAME", help="The output that the metric is of; by default the first.")
@click.option(
    "--chip-samples",
    type=click.IntRange(min=0),
    metavar="N",
    help="So many of the samples run on the chip, too; by default all. 0: only onnxruntime runs.",
)
@click.option(
    "--sort",
    type=Name(lambda: _SORTS),
    metavar="own|cumulative",
    default="own",
    show_default=True,
    help="Which harm comes first: that of the layer alone, or with that of the layers before it.",
)
@click.option(
    "--report",
    type=WrittenPath(),
    metavar="FILE.json",
    help="Write all figures (nnc schema accuracy); nnc report --accuracy FILE.json shows them on the graph.",
)
@pixel_options
@target_options
@json_option
@log_option
def command(
    float_model: Path,
    quantised_model: Path,
    data: Path,
    labels: Path | None,
    metric: str | None,
    scored: str | None,
    chip_samples: int | None,
    sort: str,
    report: Path | None,
    mean: tuple[float, ...],
    scale: tuple[float, ...],
    target: Target,
    as_json: bool,
    verbosity: int,
) -> None:
    """Tell how far a quantised network is from its float network, layer by layer.

    Both run on the samples, and every tensor that both have is compared; quantisers keep their names.  "own"
    is the error of the layer alone quantised, given the float network's tensors; "cumulative" is what it has
    in the quantised network, behind all layers before it.  Both as signal to noise, in dB: 6 dB more are half
    the error.  "saturated" is the share of the float network's elements that the integers cannot hold.

    The quantised network runs in onnxruntime, and compiled for --chip on the simulated chip.  "chip" says how
    many elements differ from onnxruntime's, given the tensors that the chip computed before: none, or few by
    one step, where two steps are equally near.

    \b
    Examples:
      nnc accuracy model.onnx model.int8.onnx --data pictures/ --scale 0.00390625
      nnc accuracy model.onnx model.int8.onnx --data samples.npz --labels labels.txt --metric top5
      nnc accuracy model.onnx model.int8.onnx --data samples.npz --chip npu4 --chip-samples 4 -v
      nnc accuracy model.onnx model.int8.onnx --data samples.npz --report a.json
      nnc report model.int8.onnx --accuracy a.json -o page.html
    """
    with ShownProgress("importing") as progress:
        from nnc.accuracies.measure import accuracy
        from nnc.isa.files import write_whole

        measured = accuracy(
            float_model,
            quantised_model,
            data,
            chip=None if chip_samples == 0 else target.chip,
            labels=labels,
            metric=metric,
            scored=scored,
            chip_samples=chip_samples,
            mean=mean,
            scale=scale,
            **target.arguments(progress),
        )
        if report is not None:
            write_whole(report, [measured.model_dump_json(by_alias=True).encode()])
    if as_json:
        emit_json(measured.model_dump(mode="json", by_alias=True))
    else:
        _say(measured, sort, report, verbose=verbosity > 0)


def _say(measured: AccuracyReport, sort: str, report: Path | None, *, verbose: bool) -> None:
    for item in _text(measured, sort, verbose=verbose):
        say_or_show(item)
    if report is not None:
        say(f"report        {report}")


def _text(measured: AccuracyReport, sort: str, *, verbose: bool) -> Iterator[str | Table]:
    names = (Path(model).name for model in (measured.quantised_model, measured.float_model))
    yield f"{' beside '.join(names)} on {_samples(measured)}"
    rows = [row for row in measured.tensors if verbose or _does_harm(row)]
    rows.sort(key=lambda row: (row.own if sort == "own" else row.cumulative).rank)
    shown = rows if verbose else rows[:_SHOWN]
    yield _table(shown, has_chip=measured.chip is not None)
    if len(shown) < len(measured.tensors):
        others = len(measured.tensors) - len(shown)
        yield f"              and {others:,} others, with less or none of their own (-v)"
    yield from _agreement(measured)
    for score in measured.scores:
        chip = "" if score.chip_score is None else f", chip {score.chip_score:.2%}"
        if measured.chip_samples != measured.samples and chip:
            chip += f" of {measured.chip_samples} samples"
        yield (
            f"{score.metric:13} {score.output}: float {score.float_score:.2%}, quantised"
            f" {score.quantised_score:.2%}{chip}; loss {score.loss:.2%}"
        )
    yield from (f"remark        {remark}" for remark in measured.remarks)


def _samples(measured: AccuracyReport) -> str:
    return f"{plural(measured.samples, 'sample')}: {measured.source}"


def _table(rows: list[TensorAccuracy], *, has_chip: bool) -> Table:
    from rich.table import Table

    table = Table(box=None, pad_edge=False, header_style="bold")
    columns = ["tensor", "operator", "type", "own dB", "cumulative dB", "max error", "cosine", "saturated"]
    if has_chip:
        columns += ["chip dB", "chip"]
    for column in columns:
        left = column in ("tensor", "operator", "type", "chip")
        table.add_column(column, justify="left" if left else "right", overflow="fold")
    for row in rows:
        cells = [
            row.tensor,
            row.quantised_op or "input",
            row.dtype,
            _decibels(row.own),
            _decibels(row.cumulative),
        ]
        cells += [f"{row.cumulative.max_abs_error:.3g}", _cosine(row.cumulative), _share(row.saturated)]
        if has_chip:
            cells += ["-", "-"] if row.chip is None else [_decibels(row.chip), _differing(row.agreement)]
        table.add_row(*cells)
    return table


def _does_harm(row: TensorAccuracy) -> bool:
    """Whether something is rounded anew."""
    return row.repeats is None and row.own.snr_db is not None


def _decibels(distance: Distance) -> str:
    return "equal" if distance.snr_db is None else f"{distance.snr_db:.1f}"


def _cosine(distance: Distance) -> str:
    return "-" if distance.cosine is None else f"{distance.cosine:.5f}"


def _share(share: float | None) -> str:
    if not share:
        return "-" if share is None else "0"
    return f"{share:.2%}" if share >= _SMALLEST_SHARE else f"< {_SMALLEST_SHARE:.2%}"


def _differing(agreement: Agreement | None) -> str:
    """``equal``, or ``3 by 1 step``."""
    if agreement is None:
        return "-"
    if not agreement.differing:
        return "equal"
    if agreement.largest_steps is None:
        return f"within {agreement.max_abs_difference:.1g}"
    return f"{agreement.differing:,} by {plural(agreement.largest_steps, 'step')}"


def _agreement(measured: AccuracyReport) -> Iterator[str]:
    """How the chip and onnxruntime agree on all tensors of integers."""
    known = [row.agreement for row in measured.tensors if row.agreement is not None]
    whole = [agreement for agreement in known if agreement.largest_steps is not None]
    if not whole:
        return
    off, elements = sum(a.differing for a in whole), sum(a.elements for a in whole)
    most = max(a.largest_steps or 0 for a in whole)
    by = f", by at most {plural(most, 'step')}" if off else ""
    on = "" if measured.chip_samples == measured.samples else f" on {plural(measured.chip_samples, 'sample')}"
    yield (
        f"chip          {measured.chip}{on}: {off:,} of {elements:,} integers in {len(whole)} tensors differ"
        f" from {measured.reference}{by}"
    )
