"""Options that several commands share."""

from __future__ import annotations

import math
import re
from collections.abc import Callable
from dataclasses import dataclass, fields
from functools import wraps
from typing import TYPE_CHECKING, Any, TypeVar

import click

from nnc.cli.failures import JSON_KEY
from nnc.cli.names import ChipName, Override
from nnc.cli.paths import WrittenPath
from nnc.cli.plan_options import (
    conv_buffers_option,
    effort_option,
    fc_oram_option,
    objective_option,
    overlap_option,
    softmax_option,
    split_option,
    stitch_option,
)

if TYPE_CHECKING:
    from nnc.compilation import Arguments
    from nnc.compiler.plan.scheduled import Progress
    from nnc.option_words import OptionWords

CommandT = TypeVar("CommandT", bound=Callable[..., Any])
_LARGEST_NUMBER = 1e30


Shapes = tuple[tuple[str, tuple[int, ...]], ...]
States = dict[str, str] | str


def _parse_shapes(_: click.Context, __: click.Parameter, texts: tuple[str, ...]) -> Shapes:
    """Split NAME=d,d,… at the last equals sign: names may contain others."""
    shapes = []
    for text in texts:
        name, _sign, dims = text.rpartition("=")
        if not name or not re.fullmatch(r"-?[0-9]{1,18}(,-?[0-9]{1,18})*", dims):
            raise click.BadParameter(f"{text!r} is not such as input=1,3,224,224")
        shapes.append((name, tuple(int(d) for d in dims.split(","))))
    return tuple(shapes)


def _parse_states(_: click.Context, __: click.Parameter, texts: tuple[str, ...]) -> States:
    """Split INPUT=OUTPUT at an equals sign; `auto` alone stands for itself."""
    if "auto" in texts:
        if len(texts) > 1:
            raise click.BadParameter("auto finds all states: give it alone, or all pairs")
        return "auto"
    pairs = [text.partition("=") for text in texts]
    for before, _sign, after in pairs:
        if not before or not after:
            raise click.BadParameter(
                f"{before!r} is not such as past_key_values.0.key=present.0.key, nor auto"
            )
    return {before: after for before, _sign, after in pairs}


state_option = click.option(
    "--state",
    "states",
    multiple=True,
    metavar="INPUT=OUTPUT|auto",
    callback=_parse_states,
    help="An input that keeps from run to run what the output adds to it, such as keys and values of a"
    " decoder: rows are appended where they lie. auto: all pairs that are named as exporters do.",
)


@dataclass(frozen=True)
class Target:
    """What a network is compiled for and how: the options that compile and dump-ir share."""

    chip: str
    overrides: tuple[str, ...]
    shapes: Shapes
    dims: dict[str, int]
    states: States
    objective: str
    overlap: str
    split: str
    fc_oram: int | None
    stitch: str
    conv_buffers: str
    effort: str
    softmax: str

    def words(self) -> OptionWords:
        """What is asked of the planner, as keyword arguments."""
        words: OptionWords = {
            "objective": self.objective,
            "effort": self.effort,
            "overlap": self.overlap,
            "split": self.split,
            "stitch": self.stitch,
            "conv_buffers": self.conv_buffers,
            "softmax": self.softmax,
        }
        return words if self.fc_oram is None else {**words, "fc_oram": self.fc_oram}

    def arguments(self, progress: Progress) -> Arguments:
        """As keyword arguments of the functions of `nnc.compilation` (but for the chip)."""
        from nnc.option_words import plan_options

        return {
            "overrides": self.overrides,
            "shapes": dict(self.shapes),
            "dims": self.dims,
            "states": self.states,
            "options": plan_options(None, self.words()),
            "progress": progress,
        }


def target_options(command: Callable[..., None]) -> Callable[..., None]:
    """What a network is compiled for and how, given to the command as its `target`."""
    names = [field.name for field in fields(Target)]

    @wraps(command)
    def with_target(**values: Any) -> None:
        target = Target(**{name: values.pop(name) for name in names})
        command(target=target, **values)

    methods = (fc_oram_option, stitch_option, conv_buffers_option, split_option, overlap_option)
    for option in (
        *methods,
        softmax_option,
        effort_option,
        objective_option,
        state_option,
        dim_option,
        shape_option,
        chip_options(),
    ):
        with_target = option(with_target)
    return with_target


class FiniteRange(click.FloatRange):
    """A float within bounds, which NaN and infinity are not: every comparison with NaN is false."""

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> float:
        """The number.

        Raises:
            click.BadParameter: it is none, not finite, or out of bounds.
        """
        number = float(super().convert(value, param, ctx))
        if not math.isfinite(number):
            self.fail(f"{value!r} is not a finite number.", param, ctx)
        return number


def parse_numbers(_: click.Context, __: click.Parameter, text: str) -> tuple[float, ...]:
    """Callback of an option that takes one finite number or several with commas between."""
    try:
        numbers = tuple(float(item) for item in text.split(","))
    except ValueError:
        numbers = ()
    if not numbers or not all(abs(number) <= _LARGEST_NUMBER for number in numbers):
        raise click.BadParameter(f"{text!r} is not a number, or several such as 0.5,0.5,0.5")
    return numbers


def _note_json(ctx: click.Context, _: click.Parameter, value: bool) -> bool:
    if value:
        ctx.meta[JSON_KEY] = True
    return value


PROFILES = ("group", "layer", "op", "core")
"""What a profile may have rows for."""
SORTS = ("cycles", "bytes", "energy")
"""By what the rows of a profile may be sorted."""
report_option = click.option(
    "--report",
    type=WrittenPath(),
    metavar="FILE.json",
    help="Write the whole report, typed (nnc schema report): layers, groups, parts, instructions and what"
    " lies in the memories when.",
)
json_option = click.option(
    "--json",
    "as_json",
    is_flag=True,
    is_eager=True,
    callback=_note_json,
    help="Print JSON and nothing else on stdout; errors are JSON on stderr.",
)
cache_option = click.option(
    "--no-cache",
    "no_cache",
    is_flag=True,
    help="Compile anew, and keep nothing: else what was compiled before, of the same model for the same chip,"
    " comes out of the cache (nnc cache).",
)
verbose_option = click.option("-v", "--verbose", is_flag=True, help="Show all detail.")
log_option = click.option(
    "-v",
    "--verbose",
    "verbosity",
    count=True,
    help="Show all detail; -vv also logs on stderr what the planner considers and why it drops it.",
)


def chip_options(default: str | None = "npu") -> Callable[[CommandT], CommandT]:
    """--chip and --set; without a default the chip may stay unsaid."""

    def decorate(function: CommandT) -> CommandT:
        function = click.option(
            "--set",
            "overrides",
            type=Override(),
            multiple=True,
            metavar="KEY=VALUE",
            help="Override a value of the chip, e.g. memory.sram.bytes=256KiB (any number of times).",
        )(function)
        text = "A preset (see nnc chips) or a TOML file."
        if default is None:
            text = "Insist that the program was compiled for this preset or TOML file."
        return click.option(
            "--chip",
            type=ChipName(),
            metavar="NAME|FILE",
            default=default,
            show_default=default is not None,
            help=text,
        )(function)

    return decorate


shape_option = click.option(
    "--shape",
    "shapes",
    multiple=True,
    metavar="NAME=d,d,…",
    callback=_parse_shapes,
    help="Static shape of an input whose dimensions are symbolic, e.g. input=1,3,224,224.",
)


def parse_sizes(text: str) -> dict[str, int]:
    """Split SYMBOL=N,SYMBOL=N.

    Raises:
        click.BadParameter: that is something else.
    """
    sizes = {}
    for part in text.split(","):
        name, _sign, size = part.rpartition("=")
        if not name or not re.fullmatch(r"[0-9]{1,18}", size) or name in sizes:
            raise click.BadParameter(f"{text!r} is not such as tokens=128, or tokens=128,batch=1")
        sizes[name] = int(size)
    return sizes


def _parse_dims(_: click.Context, __: click.Parameter, texts: tuple[str, ...]) -> dict[str, int]:
    return parse_sizes(",".join(texts)) if texts else {}


dim_option = click.option(
    "--dim",
    "dims",
    multiple=True,
    metavar="SYMBOL=N",
    callback=_parse_dims,
    help="Size of a symbolic dimension, wherever inputs have it, e.g. batch=1.",
)

entry_option = click.option(
    "--entry",
    default="",
    metavar="NAME",
    help="Which program of a file that holds several (nnc link, nnc compile --entry).",
)


def pixel_options(command: CommandT) -> CommandT:
    """--mean and --scale: how pixels become values."""
    scale = click.option(
        "--scale",
        metavar="X[,X…]",
        callback=parse_numbers,
        default="1",
        show_default=True,
        help="See --mean.",
    )
    mean = click.option(
        "--mean",
        metavar="X[,X…]",
        callback=parse_numbers,
        default="0",
        show_default=True,
        help="Of pixels of 0 … 255: a value is (pixel - mean) * scale; one number or one per channel.",
    )
    return mean(scale(command))
