"""Geometry of sliding windows: strides, dilations and padding of Conv and the pools, auto_pad resolved."""

from __future__ import annotations

from dataclasses import dataclass, replace

from nnc.compiler.frontend.context import OpContext
from nnc.compiler.frontend.errors import ModelTooLargeError
from nnc.compiler.ir.windows import window_reach
from nnc.isa.integers import ceil_div
from nnc.isa.limits import WINDOW

AUTO_PADS = ("auto_pad SAME_UPPER and SAME_LOWER do not cut off two elements or more.",)
"""The constraint of operators with `window_of`."""


@dataclass(frozen=True, slots=True)
class Window:
    """One entry per spatial axis."""

    kernel: tuple[int, ...]
    stride: tuple[int, ...]
    dilation: tuple[int, ...]
    pad_begin: tuple[int, ...]
    pad_end: tuple[int, ...]

    @property
    def reach(self) -> tuple[int, ...]:
        """Extent of the dilated window."""
        return window_reach(self.kernel, self.dilation)


def window_of(context: OpContext, kernel: tuple[int, ...], extents: tuple[int, ...]) -> Window:
    """The window of a convolution or pool over spatial `extents`.

    Raises:
        ModelInvalidError: attributes have the wrong length or impossible values.
        ModelTooLargeError: the kernel or its padding is too large.
        UnsupportedError: automatic padding would be negative.
    """
    rank = len(extents)
    stride = spatial(context, "strides", rank)
    dilation = spatial(context, "dilations", rank)
    begin, end = explicit_pads(context, rank)
    WINDOW.check(
        max((*kernel, *begin, *end), default=0),
        ModelTooLargeError,
        "a window or its padding is too large",
        remedy="of a window over a whole axis, make a global pool or a reduction",
    )
    window = Window(kernel, stride, dilation, begin, end)
    mode = context.attribute("auto_pad", "NOTSET")
    if mode == "VALID":
        return Window(kernel, stride, dilation, (0,) * rank, (0,) * rank)
    if mode in ("SAME_UPPER", "SAME_LOWER"):
        totals = [
            (ceil_div(extent, s) - 1) * s + reach - extent
            for extent, s, reach in zip(extents, stride, window.reach, strict=True)
        ]
        if min(totals) < -1:  # onnxruntime cuts off elements at the begin, of other operators fewer or none
            raise context.unsupported(
                f"{mode} with strides {list(stride)} would pad by {min(totals)} elements"
            )
        begin, end = split_padding([max(total, 0) for total in totals], upper=mode == "SAME_UPPER")
        return Window(kernel, stride, dilation, begin, end)
    if mode != "NOTSET":
        raise context.invalid("unknown auto_pad", found=mode)
    return window


def channels_last_orders(context: OpContext) -> tuple[tuple[int, ...], tuple[int, ...]]:
    """The permutations of axes that bring the channels of input 0 behind its batches, and back to the end.

    Raises:
        ModelInvalidError: it has no spatial axes.
    """
    rank = len(context.shape())
    if rank < 3:
        raise context.invalid("spatial axes are needed", found=str(context.type()))
    return (0, rank - 1, *range(1, rank - 1)), (0, *range(2, rank), 1)


def split_padding(totals: list[int], *, upper: bool) -> tuple[tuple[int, ...], tuple[int, ...]]:
    """Divide paddings into begin and end; the odd element is put at the end if `upper` or if negative."""
    less = [max(total, 0) // 2 for total in totals]
    begin = tuple(half if upper or t < 0 else t - half for t, half in zip(totals, less, strict=True))
    return begin, tuple(t - b for t, b in zip(totals, begin, strict=True))


def spatial(context: OpContext, name: str, rank: int, minimum: int = 1, default: int = 1) -> tuple[int, ...]:
    """An attribute with one integer per spatial axis."""
    value = context.ints(name) or (default,) * rank
    if len(value) != rank:
        raise context.invalid(
            f"{name} has the wrong length", found=str(list(value)), expected=f"{rank} numbers"
        )
    if min(value, default=minimum) < minimum:
        raise context.invalid(f"{name} must be at least {minimum}", found=str(list(value)))
    return value


def explicit_pads(context: OpContext, rank: int) -> tuple[tuple[int, ...], tuple[int, ...]]:
    """The attribute pads as (begin, end)."""
    pads = context.ints("pads") or (0,) * (2 * rank)
    if len(pads) != 2 * rank:
        raise context.invalid(
            "pads has the wrong length", found=str(list(pads)), expected=f"{2 * rank} numbers"
        )
    return pads[:rank], pads[rank:]


def within(window: Window, extents: tuple[int, ...]) -> Window:
    """The window without strides and dilations beyond the padded input: there is one position, or one tap."""
    parts = zip(extents, window.pad_begin, window.pad_end, strict=True)
    padded = [extent + begin + end for extent, begin, end in parts]
    return replace(
        window,
        stride=tuple(map(min, window.stride, padded)),
        dilation=tuple(map(min, window.dilation, padded)),
    )


def output_extents(
    context: OpContext, window: Window, extents: tuple[int, ...], *, ceil: bool = False
) -> tuple[int, ...]:
    """Positions of the window per spatial axis; with `ceil` a last partial one counts if it starts inside."""
    result = []
    parts = zip(extents, window.reach, window.stride, window.pad_begin, window.pad_end, strict=True)
    for extent, reach, stride, begin, end in parts:
        room = extent + begin + end - reach
        count = (ceil_div(room, stride) if ceil else room // stride) + 1
        if ceil and (count - 1) * stride >= extent + begin:
            count -= 1
        if room < 0 or count < 1:
            raise context.invalid(
                "the window is larger than the padded input",
                found=f"window {reach}",
                expected=f"at most {room + reach}",
            )
        result.append(count)
    return tuple(result)
