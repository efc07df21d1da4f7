"""Options that several commands share."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass, fields
from functools import wraps
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

import click

from nnc.cli.failures import JSON_KEY

if TYPE_CHECKING:
    from nnc.compilation import Arguments
    from nnc.compiler.plan.planner import Progress

CommandT = TypeVar("CommandT", bound=Callable[..., Any])
_LARGEST_NUMBER = 1e30
_LARGEST_SIZE = 2**40


Shapes = tuple[tuple[str, tuple[int, ...]], ...]


def _parse_shapes(_: click.Context, __: click.Parameter, texts: tuple[str, ...]) -> Shapes:
    """Split NAME=d,d,… at the last equals sign: names may contain others."""
    shapes = []
    for text in texts:
        name, _sign, dims = text.rpartition("=")
        if not name or not re.fullmatch(r"-?[0-9]{1,18}(,-?[0-9]{1,18})*", dims):
            raise click.BadParameter(f"{text!r} is not such as input=1,3,224,224")
        shapes.append((name, tuple(int(d) for d in dims.split(","))))
    return tuple(shapes)


@dataclass(frozen=True)
class Target:
    """What a network is compiled for and how: the options that compile and dump-ir share."""

    chip: str
    overrides: tuple[str, ...]
    shapes: Shapes
    objective: str
    overlap: str
    split: str
    fc_oram: int | None
    stitch: str
    conv_buffers: str

    def arguments(self, progress: Progress) -> Arguments:
        """As keyword arguments of the functions of `nnc.compilation` (but for the chip)."""
        from nnc.compiler.plan.options import PlanOptions

        options = PlanOptions(
            self.objective,
            self.overlap,
            self.split,
            self.stitch,
            conv_buffers=self.conv_buffers,
            fc_oram=self.fc_oram,
        )
        return {
            "overrides": self.overrides,
            "shapes": dict(self.shapes),
            "options": options,
            "progress": progress,
        }


def target_options(command: Callable[..., None]) -> Callable[..., None]:
    """What a network is compiled for and how, given to the command as its `target`."""
    names = [field.name for field in fields(Target)]

    @wraps(command)
    def with_target(**values: Any) -> None:
        target = Target(**{name: values.pop(name) for name in names})
        command(target=target, **values)

    plan_options = (split_option, overlap_option, objective_option)
    choices = (fc_oram_option, conv_buffers_option, stitch_option, *plan_options)
    for option in (*choices, shape_option, chip_options()):
        with_target = option(with_target)
    return with_target


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


json_option = click.option(
    "--json",
    "as_json",
    is_flag=True,
    is_eager=True,
    callback=_note_json,
    help="Print JSON and nothing else on stdout; errors are JSON on stderr.",
)
verbose_option = click.option("-v", "--verbose", is_flag=True, help="Show all detail.")
log_option = click.option(
    "-v",
    "--verbose",
    "verbosity",
    count=True,
    help="Show all detail; -vv also logs on stderr what the planner considers and why it drops it.",
)
output_option = click.option(
    "-o", "--output", type=click.Path(path_type=Path), metavar="FILE", help="Where to write it."
)


def chip_options(default: str | None = "npu") -> Callable[[CommandT], CommandT]:
    """--chip and --set; without a default the chip may stay unsaid."""

    def decorate(function: CommandT) -> CommandT:
        function = click.option(
            "--set",
            "overrides",
            multiple=True,
            metavar="KEY=VALUE",
            help="Override a value of the chip, e.g. memory.sram.bytes=256KiB (any number of times).",
        )(function)
        text = "A preset (see nnc chips) or a TOML file."
        if default is None:
            text = "Insist that the program was compiled for this preset or TOML file."
        return click.option(
            "--chip", metavar="NAME|FILE", default=default, show_default=default is not None, help=text
        )(function)

    return decorate


def _known_objective(_: click.Context, __: click.Parameter, objective: str) -> str:
    """Insist on an objective of the planner, which is slow to import: hence no list in the option."""
    from nnc.compiler.plan.options import OBJECTIVES

    if objective not in OBJECTIVES:
        raise click.BadParameter(f"{objective!r} is not one of {', '.join(OBJECTIVES)}")
    return objective


objective_option = click.option(
    "--objective",
    metavar="traffic|balanced|cycles",
    default="balanced",
    show_default=True,
    callback=_known_objective,
    help="What the plan minimises. traffic: DRAM bytes (energy), however long it takes. cycles: time, however"
    " many bytes it takes. balanced: the least traffic of the plans estimated within 2 % of the fastest.",
)


split_option = click.option(
    "--split",
    type=click.Choice(("auto", "even")),
    default="auto",
    show_default=True,
    help="Fully connected layers on several cores: even columns or one core (method M2 to the letter), or the"
    " way that costs least. All other layers take the way that costs least.",
)


def _parse_bytes(_: click.Context, __: click.Parameter, text: str | None) -> int | None:
    """Callback of an option that takes a size such as 2880 or 64KiB."""
    from nnc.isa.chip.description import parse_size

    if text is None:
        return None
    try:
        size = int(text) if text.isdecimal() else parse_size(text)
    except ValueError:
        size = None
    if not isinstance(size, int) or not 0 < size <= _LARGEST_SIZE:
        raise click.BadParameter(f"{text!r} is not a number of bytes such as 2880 or 64KiB")
    return size


fc_oram_option = click.option(
    "--fc-oram",
    metavar="BYTES",
    callback=_parse_bytes,
    help="Bytes that the features of a picture may take in a group of pixels of a fully connected layer"
    " (method M5; chips such as nna). Default: the most that fit.",
)


def _pictures_to_stitch(_: click.Context, __: click.Parameter, text: str) -> str:
    """Insist on auto, off or a number of pictures."""
    if text not in ("auto", "off") and not re.fullmatch(r"[1-9][0-9]{0,8}", text):
        raise click.BadParameter(f"{text!r} is not auto, off, or a number of pictures")
    return text


stitch_option = click.option(
    "--stitch",
    metavar="auto|off|N",
    default="auto",
    show_default=True,
    callback=_pictures_to_stitch,
    help="On chips with lanes along pixels: at most N pictures of a batch side by side in one wide picture"
    " (method M4), none, or as many as take the fewest cycles.",
)

conv_buffers_option = click.option(
    "--conv-buffers",
    type=click.Choice(("auto", "rows", "m3")),
    default="auto",
    show_default=True,
    help="Convolutions whose features lie in a memory of their own. m3: two fixed buffers of input rows"
    " (method M3 to the letter) wherever that can be; rows: nowhere; auto: where it costs less.",
)

overlap_option = click.option(
    "--overlap",
    type=click.Choice(("auto", "keep", "recompute")),
    default="auto",
    show_default=True,
    help="Rows that two parts of a layer group need: keep them on chip, compute them again, or whichever is"
    " cheaper for a group.",
)


shape_option = click.option(
    "--shape",
    "shapes",
    multiple=True,
    metavar="NAME=d,d,…",
    callback=_parse_shapes,
    help="Static shape of an input whose dimensions are symbolic, e.g. input=1,3,224,224.",
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


def different_files(output: Path | None, *sources: str | Path) -> None:
    """Refuse to overwrite what a command reads.

    Raises:
        OptionError: the output is one of the sources.
    """
    if output is None or not output.exists():
        return
    for source in sources:
        if Path(source).exists() and output.samefile(source):
            from nnc.isa.errors import OptionError

            raise OptionError(
                "the output would overwrite the input",
                where=str(output),
                remedy="name another file for the output",
            )
