"""Runs one compute instruction on a poisoned machine, and one ONNX node in onnxruntime."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from typing import Any

import numpy as np
import onnx
import onnxruntime
from onnx import helper

from nnc.isa.chip.description import Chip
from nnc.isa.chip.load import load_chip
from nnc.isa.instruction import Instruction
from nnc.isa.operand import Operand
from nnc.isa.program import Issued, Program
from nnc.isa.types import DType
from nnc.runtime.machine import Machine

Array = np.ndarray[Any, Any]
Operands = dict[str, Operand]


@cache
def roomy_chip() -> Chip:
    """The `npu` preset with enough memory for any test."""
    return load_chip("npu", ["memory.sram.bytes=8MiB"])


def spaced(memory: str, address: int, dtype: DType, shape: tuple[int, ...], gap: int) -> tuple[Operand, int]:
    """A block whose last axis is followed by `gap` unused elements, and the bytes that it spans."""
    if not shape:
        return Operand.dense(memory, address, dtype, ()), dtype.itemsize
    wide = Operand.dense(memory, address, dtype, (*shape[:-1], shape[-1] + gap))
    return Operand(memory, address, dtype, shape, wide.strides), wide.nbytes


def execute(
    build: Callable[[Operands], Instruction],
    inputs: dict[str, Array],
    outputs: dict[str, tuple[tuple[int, ...], Any]],
    *,
    gap: int = 0,
    blas_only: bool = False,
) -> dict[str, Array]:
    """Run the instruction that `build` makes of the operands of that name; give the outputs.

    All operands lie in one memory, `gap` elements apart in every row.  The instruction runs twice, since a
    bound kernel must not depend on what its first run left in scratch; inputs are written before each run.
    """
    operands: Operands = {}
    address = 0
    kinds = {name: (array.shape, array.dtype) for name, array in inputs.items()}
    for name, (shape, dtype) in {**kinds, **{n: k for n, k in outputs.items() if n not in kinds}}.items():
        operands[name], size = spaced("sram", address, DType.from_numpy(np.dtype(dtype)), tuple(shape), gap)
        address += -(-size // 64) * 64
    program = Program(roomy_chip(), (), np.zeros(0, np.uint8), (Issued(0, build(operands)),), 0)
    machine = Machine(program, poison=True, race_free=True, blas_only=blas_only)
    results: list[dict[str, Array]] = []
    for _ in range(2):
        for name, array in inputs.items():
            machine.view(operands[name])[...] = array
        machine.run()
        results.append({name: machine.view(operands[name]).copy() for name in outputs})
    for name in outputs:
        np.testing.assert_array_equal(results[0][name], results[1][name])
    return results[0]


def onnx_node(
    op: str, inputs: list[Array | None], *, opset: int = 21, result: int = 0, **attributes: Any
) -> Array:
    """The first output of one ONNX node in onnxruntime, or another; None leaves an optional input out."""
    names = [f"i{k}" if array is not None else "" for k, array in enumerate(inputs)]
    node = helper.make_node(op, names, [*[""] * result, "y"], **attributes)
    infos = [
        helper.make_tensor_value_info(name, helper.np_dtype_to_tensor_dtype(array.dtype), array.shape)
        for name, array in zip(names, inputs, strict=True)
        if array is not None
    ]
    graph = helper.make_graph([node], "g", infos, [onnx.ValueInfoProto(name="y")])
    model = helper.make_model(graph, opset_imports=[helper.make_opsetid("", opset)], ir_version=10)
    options = onnxruntime.SessionOptions()
    options.intra_op_num_threads = 1
    options.log_severity_level = 3
    session = onnxruntime.InferenceSession(model.SerializeToString(), options)
    feed = {name: array for name, array in zip(names, inputs, strict=True) if array is not None}
    return np.asarray(session.run(None, feed)[0])


def values(*shape: int, seed: int = 0, dtype: Any = np.float32) -> Array:
    """Random values of unit variance."""
    return np.random.default_rng(seed).standard_normal(shape).astype(dtype)


def channels_last(array: Array) -> Array:
    """N, C, spatial… as N, spatial…, C."""
    return np.ascontiguousarray(np.moveaxis(array, 1, -1))


def channels_first(array: Array) -> Array:
    """N, spatial…, C as N, C, spatial…"""
    return np.ascontiguousarray(np.moveaxis(array, -1, 1))
