"""Matrix product of a tile."""

from __future__ import annotations

from math import prod

from nnc.isa.instructions import Gemm
from nnc.runtime.kernels.binding import Binder, Kernel, kernel, sequence
from nnc.runtime.kernels.mac import MacOutput, rows
from nnc.runtime.kernels.products import Products, RealProducts, byte_products, exact_slices


@kernel(Gemm)
def bind_gemm(i: Gemm, binder: Binder) -> Kernel:
    """src …,M,K times weight …,K,N; batch axes broadcast, and one matrix for a whole batch is one product."""
    depth, lanes = i.weight.shape[-2:]
    products: Products | None = byte_products(i, prod(i.src.shape[-2:]) * lanes, binder)
    if products is None:
        slices = exact_slices(i, depth, binder.constant(i.weight))
        products = RealProducts(i, slices, binder, exact=len(slices) == 1)
    output = MacOutput(i, binder, products.sums)
    a, steps = products.stage_features(binder.view(i.src))
    b, stage = products.stage_weights(binder.view(i.weight))
    steps = output.stage + steps + stage
    leading = len(output.shape) - 1
    sums = output.target(())
    out = sums
    if prod(b.shape[:-2]) == 1 and a.shape[:-1] == output.shape[:-1]:
        one_a, one_out = rows(a, leading), rows(sums, leading)
        if one_a is not None and one_out is not None:
            a, b, out = one_a, b.reshape(b.shape[-2:]), one_out
    return sequence(steps + products.steps(a, b, out) + output.finish(sums, ()))
