"""Matrix products of bytes summed up in 32 bits by onnxruntime, where it is installed and exact.

It is several times as fast as f32 BLAS on processors with dot products of bytes.  Others saturate pairs
of products of u8 and s8 in 16 bits, without a word: so extremes are multiplied first, and what fails is not
used.
"""

from __future__ import annotations

import os
from collections.abc import Callable
from functools import cache
from itertools import product
from typing import Any

import numpy as np

from nnc.runtime.memory import Array

SIGN_BIT = 0x80
"""Flipped, it turns a signed byte into an unsigned one that is greater by 128, and back."""
_SHAPES = ((1, 4, 8), (1, 70, 33), (16, 64, 16), (37, 131, 65))
"""Rows, depth, columns of the products tried first: vectors and matrices, whole tiles of kernels and not."""


class IntegerProducts:
    """Products of unsigned features and weights of one type of bytes, each less its zero point.

    Attributes:
        weight_type: i8, or u8 where only that is exact.
    """

    def __init__(self, weight_type: np.dtype[Any]) -> None:
        import onnxruntime
        from onnx import TensorProto, helper

        self.weight_type = weight_type
        code = helper.np_dtype_to_tensor_dtype(weight_type)
        inputs = [
            helper.make_tensor_value_info("a", TensorProto.UINT8, ["m", "k"]),
            helper.make_tensor_value_info("b", code, ["k", "n"]),
            helper.make_tensor_value_info("a_zero", TensorProto.UINT8, []),
            helper.make_tensor_value_info("b_zero", code, []),
        ]
        output = helper.make_tensor_value_info("y", TensorProto.INT32, ["m", "n"])
        node = helper.make_node("MatMulInteger", [info.name for info in inputs], ["y"])
        graph = helper.make_graph([node], "product", inputs, [output])
        model = helper.make_model(graph, opset_imports=[helper.make_opsetid("", 13)], ir_version=8)
        options = onnxruntime.SessionOptions()
        options.intra_op_num_threads, options.inter_op_num_threads = _threads(), 1
        options.log_severity_level = 3
        self._session = onnxruntime.InferenceSession(
            model.SerializeToString(), options, providers=["CPUExecutionProvider"]
        )

    def bind(self, a: Array, a_zero: int, b: Array, b_zero: int, out: Array) -> Callable[[], object]:
        """A step for out = (a − a_zero) @ (b − b_zero) mod 2³², dense matrices of u8, bytes and i32."""
        zeros = np.array(a_zero, np.uint8), np.array(b_zero, self.weight_type)
        binding = self._session.io_binding()
        for name, array in zip(("a", "b", "a_zero", "b_zero"), (a, b, *zeros), strict=True):
            assert array.flags.c_contiguous
            binding.bind_input(name, "cpu", 0, array.dtype, array.shape, array.ctypes.data)
        assert out.flags.c_contiguous and out.dtype == np.int32
        binding.bind_output("y", "cpu", 0, out.dtype, out.shape, out.ctypes.data)
        run, bound = self._session.run_with_iobinding, (a, b, *zeros, out)

        def multiply(_: object = bound) -> None:  # the binding knows addresses only: arrays must live as long
            run(binding)

        return multiply

    def is_exact(self) -> bool:
        """Whether products of extremes come out right, as they do not where pairs of them saturate."""
        info = np.iinfo(self.weight_type)
        for (m, k, n), a_zero, weight in product(_SHAPES, (0, 128, 255), (info.min, info.max)):
            a = np.full((m, k), 255, np.uint8)
            a[:, ::5] = 0
            b = np.full((k, n), weight, self.weight_type)
            b[::7, ::3] = info.max
            out = np.empty((m, n), np.int32)
            self.bind(a, a_zero, b, info.min + 3, out)()
            if not np.array_equal(out, (a.astype(np.int64) - a_zero) @ (b.astype(np.int64) - info.min - 3)):
                return False
        return True


def _threads() -> int:
    """As many as BLAS is told to use; 0, one per core, if it is not."""
    for name in ("OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS", "OMP_NUM_THREADS"):
        if (value := os.environ.get(name, "")).isdecimal():
            return int(value)
    return 0


@cache
def integer_products() -> IntegerProducts | None:
    """The fastest products that are exact on this machine; None if BLAS is all there is."""
    try:
        import onnxruntime  # noqa: F401
    except ImportError:
        return None
    candidates = (IntegerProducts(np.dtype(kind)) for kind in (np.int8, np.uint8))
    return next((candidate for candidate in candidates if candidate.is_exact()), None)


def no_products() -> None:
    """What multiplies bytes where BLAS alone is to be used."""
