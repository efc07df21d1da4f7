"""Options that say what is asked of the planner."""

from __future__ import annotations

import re
from collections.abc import Iterable

import click

from nnc.cli.classes import HeadedOption
from nnc.cli.names import Name

_LARGEST_SIZE = 2**40
_METHODS = "Options of published methods (the defaults take what costs least)"


def _objectives() -> Iterable[str]:
    from nnc.compiler.plan.options import BY_ENERGY, OBJECTIVES

    return (*OBJECTIVES, *BY_ENERGY)


objective_option = click.option(
    "--objective",
    type=Name(_objectives),
    metavar="traffic|balanced|cycles|energy|edp",
    default="balanced",
    show_default=True,
    help="What the plan minimises. traffic: DRAM bytes, however long it takes. cycles: time, however"
    " many bytes it takes. balanced: both; a cycle more has to save two fifths of the bytes that the DRAM"
    " moves in one, and the estimate may be 10 % above the fastest at most. energy: what the DRAM's bytes and"
    " the cores' cycles take by the chip's own figures. edp: the product of that and the time.",
)


def _efforts() -> Iterable[str]:
    from nnc.compiler.plan.effort import EFFORTS

    return [name.removeprefix("O") for name in EFFORTS]


effort_option = click.option(
    "-O",
    "effort",
    type=Name(_efforts, lambda text: text.removeprefix("O")),
    metavar="0|1|2|3",
    default="2",
    show_default=True,
    help="How long to search, by counts of what is tried, never by the clock. -O0: layer by layer, to see"
    " whether a network runs. -O1: short fused groups, few cuts. -O2: the default. -O3: longer groups, more"
    " orders, plans for less memory, several times as long; never worse than -O2 by prediction.",
)


def _softmax_types() -> Iterable[str]:
    from nnc.compiler.plan.options import SOFTMAX_TYPES

    return SOFTMAX_TYPES


softmax_option = click.option(
    "--softmax",
    type=Name(_softmax_types),
    metavar="f32|f16|i8",
    default="f32",
    show_default=True,
    help="In what a quantised network computes softmax and normalisations between its integers. f32: as the"
    " model says. f16, i8: of bytes in memory, in half precision or in integers, exponentials from a table;"
    " results may be a step off, and chips need a rate for these.",
)

split_option = click.option(
    "--split",
    cls=HeadedOption,
    heading=_METHODS,
    type=Name(lambda: ("auto", "even")),
    metavar="auto|even",
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
    cls=HeadedOption,
    heading=_METHODS,
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
    cls=HeadedOption,
    heading=_METHODS,
    metavar="auto|off|N",
    default="auto",
    show_default=True,
    callback=_pictures_to_stitch,
    help="On chips with lanes along pixels: at most N pictures of a batch side by side in one wide picture"
    " (method M4), none, or as many as take the fewest cycles.",
)

conv_buffers_option = click.option(
    "--conv-buffers",
    cls=HeadedOption,
    heading=_METHODS,
    type=Name(lambda: ("auto", "rows", "m3")),
    metavar="auto|rows|m3",
    default="auto",
    show_default=True,
    help="Convolutions whose features lie in a memory of their own. m3: two fixed buffers of input rows"
    " (method M3 to the letter) wherever that can be; rows: nowhere; auto: where it costs less.",
)

overlap_option = click.option(
    "--overlap",
    cls=HeadedOption,
    heading=_METHODS,
    type=Name(lambda: ("keep", "recompute")),
    metavar="keep|recompute",
    default="keep",
    show_default=True,
    help="Rows that two parts of a layer group need: keep them on chip, or compute them again (method M1 to"
    " the letter).",
)
