"""The vector unit: elements that go to other places, or between them."""

from __future__ import annotations

from nnc.isa.functions import Coordinates, Nearest, PadMode, ResizeMode
from nnc.isa.instruction import Access, Engine, Instruction, Role, attribute, instruction, operand
from nnc.isa.operand import Operand


@instruction(
    54,
    "resize",
    Engine.COMPUTE,
    "resize",
    example="resize sram+0x4000 f32[1,8,16,8] <- sram+0x0 f32[1,5,8,8], mode=linear "
    "coordinates=half_pixel nearest=floor scales=1.0,2.0,2.0,1.0 origin=0,0,0,0 extent=1,16,16,8 "
    "src_origin=0,0,0,0 src_extent=1,8,8,8",
)
class Resize(Instruction):
    """Interpolate a tile of a larger picture: all axes of dst, positions counted in the whole tensors.

    `origin` and `src_origin` are the positions of the two tiles, `extent` and `src_extent` the whole sizes.
    """

    dst: Operand = operand(Access.WRITE, Role.RESULT, "tile of the result")
    src: Operand = operand(Access.READ, Role.FEATURE, "tile of the source")
    mode: ResizeMode = attribute("interpolation")
    coordinates: Coordinates = attribute("mapping of coordinates")
    nearest: Nearest = attribute("rounding in nearest mode")
    scales: tuple[float, ...] = attribute("output size over input size, per axis")
    origin: tuple[int, ...] = attribute("position of dst in the whole result")
    extent: tuple[int, ...] = attribute("shape of the whole result")
    src_origin: tuple[int, ...] = attribute("position of src in the whole source")
    src_extent: tuple[int, ...] = attribute("shape of the whole source")


@instruction(
    55,
    "pad",
    Engine.COMPUTE,
    "copy",
    example="pad sram+0x4000 f32[1,10,10,8] <- sram+0x0 f32[1,8,8,8], mode=constant value=0.0 "
    "begin=0,1,1,0 origin=0,0,0,0 src_origin=0,0,0,0 src_extent=1,8,8,8",
)
class Pad(Instruction):
    """Copy a tile and pad it; positions are counted in the whole tensors as in `resize`.

    Element p of the result is element p − begin of the source where that exists, else `value` (constant
    mode) or the source element that the mode names.
    """

    dst: Operand = operand(Access.WRITE, Role.RESULT, "tile of the result")
    src: Operand = operand(Access.READ, Role.FEATURE, "tile of the source")
    mode: PadMode = attribute("what stands outside the source")
    value: float = attribute("the constant of constant mode")
    begin: tuple[int, ...] = attribute("elements added before the source, per axis; may be negative")
    origin: tuple[int, ...] = attribute("position of dst in the whole result")
    src_origin: tuple[int, ...] = attribute("position of src in the whole source")
    src_extent: tuple[int, ...] = attribute("shape of the whole source")


@instruction(
    56, "copy", Engine.COMPUTE, "copy", example="copy sram+0x4000 f32[64,32] <- sram+0x0 f32[64,32]{4,256}"
)
class Copy(Instruction):
    """Copy a block between the memories of this core (move, transpose, layout change by strides).

    The blocks may overlap; dst then gets what src held before.
    """

    dst: Operand = operand(Access.WRITE, Role.RESULT, "result")
    src: Operand = operand(Access.READ, Role.FEATURE, "source, same shape and type as dst")


@instruction(
    57,
    "gather",
    Engine.COMPUTE,
    "gather",
    example="gather sram+0x4000 f32[4,64] <- sram+0x0 f32[16,64], index=sram+0x2000 i64[4], axis=0 extent=16",
)
class Gather(Instruction):
    """dst[…, i…, …] = src[…, index[i…], …] along one axis; negative indices count from the end.

    Indices count in the whole source of `extent` elements, of which src is the part from `src_origin` on.
    """

    dst: Operand = operand(Access.WRITE, Role.RESULT, "result")
    src: Operand = operand(Access.READ, Role.FEATURE, "source")
    index: Operand = operand(Access.READ, Role.FEATURE, "integer indices of any shape")
    axis: int = attribute("the axis of src that the indices replace")
    extent: int = attribute("extent of the whole source along the axis")
    src_origin: int = attribute("position of src along the axis", default=0)


@instruction(
    60,
    "gather_elements",
    Engine.COMPUTE,
    "gather",
    example="gather_elements sram+0x4000 f32[4,9] <- sram+0x0 f32[16,9], index=sram+0x2000 i64[4,9], axis=0",
)
class GatherElements(Instruction):
    """dst[…, i, …] = src[…, index[…, i, …], …] along one axis; negative indices count from the end.

    The whole axis is in src; its other extents are those of dst or greater.
    """

    dst: Operand = operand(Access.WRITE, Role.RESULT, "result")
    src: Operand = operand(Access.READ, Role.FEATURE, "source, of the same rank as dst")
    index: Operand = operand(Access.READ, Role.FEATURE, "integer indices, shaped as dst")
    axis: int = attribute("the axis of src that the indices count along")
