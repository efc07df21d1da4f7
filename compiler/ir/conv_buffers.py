"""The figures of a convolution that is computed with two fixed buffers of input rows (M3)."""

from __future__ import annotations

from dataclasses import dataclass

from nnc.isa.integers import ceil_div


@dataclass(frozen=True, slots=True)
class ConvBuffers:
    """How the two buffers of a convolution are cut.

    Attributes:
        t: columns of the result; t1, t2: those computed from buffer 1 and from buffer 2 (0: there is none).
        w1, w2: columns of the input, padding included, in each buffer.
        step: columns of the network's tensor from one column of a buffer to the next.  Above 1, the input is
            a view without the columns that a stride passes over: of the tensor, a buffer spans
            ``(w1 - 1) * step + 1`` columns, which is M3's w1.
        r: input rows in a buffer; blocks: of so many rows.
        nbytes: of both buffers.
        channels: input channels in a buffer; chunks: of so many channels.
        outputs: output channels per core whose weights are on chip at a time; passes: over the input.
    """

    t: int
    t1: int
    t2: int
    w1: int
    w2: int
    r: int
    blocks: int
    nbytes: int
    channels: int
    chunks: int
    outputs: int
    passes: int
    step: int = 1

    def __str__(self) -> str:
        said = [f"t {self.t} = {self.t1} + {self.t2}", f"w1 {self.w1}", f"w2 {self.w2}{self._spans()}"]
        said += [f"r {self.r}", f"{self.blocks} block{'s' if self.blocks > 1 else ''}"]
        if self.chunks > 1:
            said.append(f"{self.chunks} chunks of {self.channels} channels")
        if self.passes > 1:
            said.append(f"{self.passes} passes for {self.outputs} output channels each")
        return f"buffers m3: {', '.join(said)}"

    def _spans(self) -> str:
        """The columns of the network's tensor that the buffers span, in words."""
        if self.step <= 1:
            return ""
        spans = [(width - 1) * self.step + 1 for width in (self.w1, self.w2) if width]
        return f" (one column in {self.step} of {' and '.join(map(str, spans))})"


@dataclass(frozen=True, slots=True)
class Window:
    """A window along one axis: taps `size`, at `dilation`, every `stride` elements; padding on both sides."""

    size: int
    stride: int
    dilation: int
    begin: int
    end: int

    @property
    def reach(self) -> int:
        """Elements from the first to the last tap, both included (k_eff)."""
        return (self.size - 1) * self.dilation + 1

    def outputs(self, extent: int) -> int:
        """Positions of the window along so many elements."""
        return (extent + self.begin + self.end - self.reach) // self.stride + 1

    def inside(self, position: int, extent: int) -> tuple[int, int]:
        """The taps of a position that lie inside: the first, and the one behind the last (none: equal)."""
        start = position * self.stride - self.begin
        first = max(0, ceil_div(-start, self.dilation))
        last = min(self.size, (extent - 1 - start) // self.dilation + 1)
        return first, max(first, last)
