"""Element types of tensors and operands."""

from __future__ import annotations

from functools import cached_property

import ml_dtypes
import numpy as np
import numpy.typing as npt

from nnc.isa.record import QuickEnum


class DType(QuickEnum):
    """An element type; the value is its name in program text and IR dumps.

    From `BF16` on they are types of storage: inputs and outputs may be of them, but what computes is of
    their type `computed`.  An element takes a whole byte in those of 2 and 4 bits, too, as in numpy's
    arrays of `ml_dtypes`.
    """

    F16 = "f16"
    F32 = "f32"
    F64 = "f64"
    I8 = "i8"
    U8 = "u8"
    I16 = "i16"
    U16 = "u16"
    I32 = "i32"
    U32 = "u32"
    I64 = "i64"
    U64 = "u64"
    BOOL = "bool"
    BF16 = "bf16"
    E4M3 = "e4m3"
    E5M2 = "e5m2"
    I4 = "i4"
    U4 = "u4"
    E4M3FNUZ = "e4m3fnuz"
    E5M2FNUZ = "e5m2fnuz"
    E8M0 = "e8m0"
    E2M1 = "e2m1"
    I2 = "i2"
    U2 = "u2"

    @cached_property
    def numpy(self) -> np.dtype[np.generic]:
        """The numpy dtype (little endian, as everything on the chip)."""
        return np.dtype(_NUMPY[self.value])

    @cached_property
    def itemsize(self) -> int:
        """Bytes per element."""
        return int(self.numpy.itemsize)

    @property
    def is_float(self) -> bool:
        """Whether this is a floating-point type."""
        return self.value.startswith("f") or self.computed is DType.F32

    @property
    def computed(self) -> DType:
        """The type in which its numbers are computed, which has all of them: itself, unless stored."""
        return _COMPUTED.get(self, self)

    @property
    def is_stored(self) -> bool:
        """Whether this is a type of storage: copied, and converted to its type `computed` and back."""
        return self in _COMPUTED

    @property
    def product_sum(self) -> DType:
        """Type of partial sums of products: f32 for f16, i32 for 8-bit integers, else the type itself."""
        return {DType.F16: DType.F32, DType.I8: DType.I32, DType.U8: DType.I32}.get(self, self)

    @property
    def partial_fold(self) -> DType:
        """Type of partial results of reductions: a float of 32 bits or more, or an integer of 64 bits."""
        if self.is_float:
            return self.product_sum
        return self if self is DType.U64 else DType.I64

    @classmethod
    def from_numpy(cls, dtype: np.dtype[np.generic] | type[np.generic]) -> DType:
        """The element type of a numpy dtype.

        Raises:
            ValueError: the chip has no such type.
        """
        name = np.dtype(dtype).newbyteorder("<")
        for member in cls:
            if member.numpy == name:
                return member
        raise ValueError(f"no element type for numpy dtype {dtype}")


_COMPUTED = {
    DType.BF16: DType.F32,
    DType.E4M3: DType.F32,
    DType.E5M2: DType.F32,
    DType.I4: DType.I8,
    DType.U4: DType.U8,
    DType.E4M3FNUZ: DType.F32,
    DType.E5M2FNUZ: DType.F32,
    DType.E8M0: DType.F32,
    DType.E2M1: DType.F32,
    DType.I2: DType.I8,
    DType.U2: DType.U8,
}
_NUMPY: dict[str, npt.DTypeLike] = {
    "f16": "<f2",
    "f32": "<f4",
    "f64": "<f8",
    "i8": "i1",
    "u8": "u1",
    "i16": "<i2",
    "u16": "<u2",
    "i32": "<i4",
    "u32": "<u4",
    "i64": "<i8",
    "u64": "<u8",
    "bool": "?",
    "bf16": ml_dtypes.bfloat16,
    "e4m3": ml_dtypes.float8_e4m3fn,
    "e5m2": ml_dtypes.float8_e5m2,
    "i4": ml_dtypes.int4,
    "u4": ml_dtypes.uint4,
    "e4m3fnuz": ml_dtypes.float8_e4m3fnuz,
    "e5m2fnuz": ml_dtypes.float8_e5m2fnuz,
    "e8m0": ml_dtypes.float8_e8m0fnu,
    "e2m1": ml_dtypes.float4_e2m1fn,
    "i2": ml_dtypes.int2,
    "u2": ml_dtypes.uint2,
}
