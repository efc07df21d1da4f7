"""nnc quantize --mixed and --float: their options, the search, and what is printed of it."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass, fields
from functools import wraps
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click
from click.core import ParameterSource

from nnc.cli.classes import HeadedOption
from nnc.cli.names import ChipName, Name, Override
from nnc.cli.paths import ReadPath, sample_files

if TYPE_CHECKING:
    from onnx import ModelProto
    from rich.table import Table

    from nnc.io.pictures import PixelScaling
    from nnc.quantize.calibration import Samples
    from nnc.quantize.float_model import FloatModel
    from nnc.quantize.mixed import Mixed, Mixer
    from nnc.quantize.quantiser import Progress

_HEADING = "Mixed precision"
_WITH_MIXED = frozenset({"max_loss", "data", "labels", "metric", "chip", "overrides"})
MIXED_OPTIONS = frozenset({"floats", "mixed", *_WITH_MIXED})
"""Names of the parameters here."""
_PERCENT = re.compile(r"(?P<number>[0-9]+(\.[0-9]+)?|\.[0-9]+)(?P<percent>%?)")


@dataclass(frozen=True)
class Mixing:
    """What stays in float, or by what that is chosen."""

    floats: tuple[str, ...]
    mixed: bool
    max_loss: float
    data: Path | None
    labels: Path | None
    metric: str | None
    chip: str
    overrides: tuple[str, ...]


def _parse_share(_: click.Context, __: click.Parameter, text: str) -> float:
    """``0.5%`` or ``0.005``."""
    match = _PERCENT.fullmatch(text.strip())
    share = -1.0 if match is None else float(match["number"]) / (100 if match["percent"] else 1)
    if not 0 <= share < 1:
        raise click.BadParameter(f"{text!r} is not a share such as 0.5% or 0.005")
    return share


def _option(*names: str, **attributes: Any) -> Callable[..., Any]:
    return click.option(*names, cls=HeadedOption, heading=_HEADING, **attributes)


_OPTIONS = (
    _option(
        "--float",
        "floats",
        multiple=True,
        metavar="LAYER",
        help="A layer that stays in float32, by the name of its node or result (any number of times); nnc"
        " accuracy shows which do most harm.",
    ),
    _option(
        "--mixed",
        is_flag=True,
        help="Choose the layers that stay in float32: as few bytes as the loss allows.",
    ),
    _option(
        "--max-loss",
        metavar="SHARE",
        default="0.5%",
        show_default=True,
        callback=_parse_share,
        help="Of --mixed: how much the metric may be lower than the float network's.",
    ),
    _option(
        "--data",
        type=ReadPath(sample_files),
        metavar="DIR|FILE.npz",
        help="Of --mixed: the samples on which the loss is measured; by default those of --calibration.",
    ),
    _option("--labels", type=ReadPath(), metavar="FILE", help="Of --mixed: the class of each sample."),
    _option(
        "--metric",
        type=Name(lambda: ("top1", "top5", "agreement", "error")),
        metavar="top1|top5|agreement|error",
        help="Of --mixed: what the loss is of, as for nnc accuracy.",
    ),
    _option(
        "--chip",
        type=ChipName(),
        metavar="NAME|FILE",
        default="npu",
        show_default=True,
        help="Of --mixed: the chip whose DRAM bytes are counted.",
    ),
    _option(
        "--set",
        "overrides",
        type=Override(),
        multiple=True,
        metavar="KEY=VALUE",
        help="Of --mixed: override a value of that chip.",
    ),
)


def mixing_options(command: Callable[..., None]) -> Callable[..., None]:
    """All options of mixed precision, given to the command as its `mixing`."""
    names = [field.name for field in fields(Mixing)]

    @wraps(command)
    def with_mixing(**values: Any) -> None:
        command(mixing=Mixing(**{name: values.pop(name) for name in names}), **values)

    for option in reversed(_OPTIONS):
        with_mixing = option(with_mixing)
    return with_mixing


def insist_on_mixed(mixing: Mixing) -> None:
    """Do nothing if no option of --mixed is given without it.

    Raises:
        OptionError: one is.
    """
    from nnc.isa.errors import OptionError

    context = click.get_current_context()
    wrong = [
        option.opts[0]
        for option in context.command.params
        if option.name in _WITH_MIXED
        and context.get_parameter_source(option.name) is ParameterSource.COMMANDLINE
    ]
    if wrong and not mixing.mixed:
        options = ", ".join(wrong)
        raise OptionError(
            "that is for the choice of layers that stay in float",
            where=options,
            found="no --mixed",
            remedy=f"add --mixed, or leave {options} out",
        )


def mixer(
    before: FloatModel, samples: Samples, mixing: Mixing, scaling: PixelScaling, progress: Progress
) -> Mixer:
    """What chooses the layers.

    Args:
        samples: of the calibration.

    Raises:
        InputError: samples or labels cannot be read.
    """
    from nnc.accuracies.judged import Judged
    from nnc.accuracies.labels import read_labels
    from nnc.compilation import compile_model
    from nnc.quantize.calibration import read_samples
    from nnc.quantize.mixed import Bound, Mixer

    if mixing.data is not None:
        samples = read_samples(mixing.data, before.inputs, scaling)
    labels = None if mixing.labels is None else read_labels(mixing.labels)

    def dram_bytes(model: ModelProto) -> int:
        report = compile_model(model, mixing.chip, overrides=mixing.overrides).report
        return report.network.figures.dram.total_bytes

    bound = Bound(mixing.max_loss, samples, Judged(mixing.metric, None, labels), dram_bytes)
    return Mixer(before.proto, bound, progress)


def mixed_json(mixed: Mixed) -> dict[str, Any]:
    """The search as plain data."""
    return {
        "metric": mixed.metric,
        "output": mixed.output,
        "max_loss": mixed.most,
        "samples": mixed.samples,
        "float_score": mixed.float_score,
        "steps": [
            {
                "layer": step.layer.name,
                "op": step.layer.op,
                "harm": step.harm,
                "loss": step.loss,
                "needed": step.needed,
            }
            for step in mixed.steps
        ],
        "loss": dict(mixed.losses),
        "dram_bytes": dict(mixed.dram_bytes),
    }


def mixed_report(mixed: Mixed, chip: str) -> Iterator[str | Table]:
    """The search for people."""
    from rich.table import Table

    yield (
        f"mixed         {mixed.metric} of {mixed.output} on {mixed.samples:,} samples: float"
        f" {mixed.float_score:.2%}, may lose {mixed.most:.2%}"
    )
    if mixed.steps:
        table = Table(box=None, pad_edge=False, header_style="bold")
        for column, side in (("back to float", "left"), ("operator", "left"), ("harm alone", "right")):
            table.add_column(column, justify=side, overflow="fold")  # type: ignore[arg-type]
        table.add_column("loss then", justify="right")
        table.add_column("")
        for step in mixed.steps:
            remark = "" if step.needed else "not needed in the end"
            harm = f"{step.harm**0.5:.3%}"
            table.add_row(step.layer.name, step.layer.op, harm, f"{step.loss:.3%}", remark)
        yield table
    rows = {"int8": "all 8 bits", "mixed": f"{len(mixed.floats)} in float", "float": "all float"}
    for kind, words in rows.items():
        yield f"{words:13} loses {mixed.losses[kind]:.3%}, {mixed.dram_bytes[kind]:,} DRAM bytes on {chip}"
