"""Matrix products of a tile."""

from __future__ import annotations

from math import prod

import numpy as np

from nnc.isa.instructions import BlockGemm, Gemm
from nnc.isa.types import DType
from nnc.runtime.kernels.binding import Binder, Kernel, kernel, sequence
from nnc.runtime.kernels.mac import MacOutput, rows
from nnc.runtime.kernels.products import Products, RealProducts, byte_products, exact_slices
from nnc.runtime.memory import Array


@kernel(Gemm)
def bind_gemm(i: Gemm, binder: Binder) -> Kernel:
    """src …,M,K times weight …,K,N; batch axes broadcast, and one matrix for a whole batch is one product."""
    depth, lanes = i.weight.shape[-2:]
    products: Products | None = byte_products(i, prod(i.src.shape[-2:]) * lanes, binder)
    if products is None:
        slices = exact_slices(i, depth, binder.constant(i.weight))
        products = RealProducts(i, slices, binder, exact=len(slices) == 1)
    b, stage = products.stage_weights(binder.view(i.weight))
    return _product(i, binder, products, b, stage)


@kernel(BlockGemm)
def bind_block_gemm(i: BlockGemm, binder: Binder) -> Kernel:
    """Weights that are known are made real numbers once, others whenever the kernel runs."""
    depth = i.src.shape[-1]
    products = RealProducts(i, [slice(0, depth)], binder, exact=True)
    known = binder.constant(i.weight)
    if known is not None:
        return _product(i, binder, products, _real(i, known), [])
    data, weights = binder.view(i.weight), binder.scratch((depth, i.weight.shape[1]), np.float32)
    return _product(i, binder, products, weights, [lambda: np.copyto(weights, _real(i, data))])


def _real(i: BlockGemm, data: Array) -> Array:
    """The weights of the type of src, as f32."""
    weights = i.format.real(data, i.src.shape[-1], i.weight_zero)
    return weights if i.src.dtype is DType.F32 else weights.astype(np.float16).astype(np.float32)


def _product(
    i: Gemm | BlockGemm, binder: Binder, products: Products, b: Array, stage: list[Kernel]
) -> Kernel:
    """The product of the features and staged weights, with its epilogue."""
    output = MacOutput(i, binder, products.sums)
    a, steps = products.stage_features(binder.view(i.src))
    steps = output.stage + steps + stage
    leading = len(output.shape) - 1
    sums = output.target(())
    out = sums
    if prod(b.shape[:-2]) == 1 and a.shape[:-1] == output.shape[:-1]:
        one_a, one_out = rows(a, leading), rows(sums, leading)
        if one_a is not None and one_out is not None:
            a, b, out = one_a, b.reshape(b.shape[-2:]), one_out
    return sequence(steps + products.steps(a, b, out) + output.finish(sums, ()))
