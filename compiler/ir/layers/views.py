"""Layers that only rename bytes, and the join of tiles, which exists in partitioned graphs only."""

from __future__ import annotations

from nnc.compiler.ir.layers.layer import Layer
from nnc.isa.record import record


@record(frozen=True, kw_only=True)
class Reshape(Layer):
    """Same elements in row-major order of `order`'s axes, new shape (flatten, squeeze, unsqueeze too).

    `order` permutes the axes of x before they are flattened; identity for every ONNX operator.  A pass may
    set another order together with permuted weights of the consumer (M5: weights in the features' order).
    """

    kind = "reshape"
    slots = ("x",)
    is_view = True
    shape: tuple[int, ...]
    order: tuple[int, ...]


@record(frozen=True, kw_only=True)
class Transpose(Layer):
    """Output axis i is input axis perm[i]."""

    kind = "transpose"
    slots = ("x",)
    is_view = True
    perm: tuple[int, ...]


@record(frozen=True, kw_only=True)
class Slice(Layer):
    """Element i of the output is element start + i·step of x, per axis (steps may be negative)."""

    kind = "slice"
    slots = ("x",)
    is_view = True
    start: tuple[int, ...]
    step: tuple[int, ...]
    shape: tuple[int, ...]


@record(frozen=True, kw_only=True)
class Expand(Layer):
    """Repeat axes of extent 1 up to `shape` (ranks equal)."""

    kind = "expand"
    slots = ("x",)
    is_view = True
    shape: tuple[int, ...]


@record(frozen=True, kw_only=True)
class Unfold(Layer):
    """An axis as `count` slices of `size` elements, the next one `step` behind: they may overlap.

    y[…, k, i, …] = x[…, k · step + i, …].  A picture that lies row behind row is so seen as rows of any
    length, a row of pictures as pictures (method M4).
    """

    kind = "unfold"
    slots = ("x",)
    is_view = True
    axis: int
    count: int
    size: int
    step: int


@record(frozen=True, kw_only=True)
class AsStrided(Layer):
    """Elements of x by their places, where element (k, l, …) of x has the place k·steps[0] + l·steps[1] + ….

    Element (i, j, …) of the output is the one at offset + i·strides[0] + j·strides[1] + …: what some rows of
    a buffer are in a view of it.  In partitioned graphs only.
    """

    kind = "as_strided"
    slots = ("x",)
    is_view = True
    steps: tuple[int, ...]
    offset: int
    strides: tuple[int, ...]
    shape: tuple[int, ...]


@record(frozen=True, kw_only=True)
class Concat(Layer):
    """Join along one axis; free where the operands can be written to their places in the result."""

    kind = "concat"
    slots = ("x…",)
    is_view = True
    axis: int


@record(frozen=True, kw_only=True)
class Join(Layer):
    """M1's concat layer in N dimensions: operand p lies at origins[p] of the result.  It costs nothing."""

    kind = "join"
    slots = ("x…",)
    origins: tuple[tuple[int, ...], ...]
