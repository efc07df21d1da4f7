"""Matrix product of a tile."""

from __future__ import annotations

from math import prod

from nnc.isa.instructions import Gemm
from nnc.runtime.kernels.binding import Binder, Kernel, invalid, kernel, sequence
from nnc.runtime.kernels.mac import MacOutput, exact_slices, product, rows, staged


@kernel(Gemm)
def bind_gemm(i: Gemm, binder: Binder) -> Kernel:
    """src …,M,K times weight …,K,N; batch axes broadcast, and one matrix for a whole batch is one product."""
    slices = exact_slices(i, i.weight.shape[-2], binder.constant(i.weight))
    output = MacOutput(i, binder, exact=len(slices) == 1)
    a, steps = staged(binder.view(i.src), i.src_zero, binder)
    b, stage = staged(binder.view(i.weight), i.weight_zero, binder)
    steps = output.stage + steps + stage
    if a.shape[-1] != b.shape[-2] or output.shape[-2:] != (a.shape[-2], b.shape[-1]):
        raise invalid(
            i,
            "the matrices do not fit",
            found=f"{a.shape} times {b.shape} to {output.shape}",
            expected="…,M,K times …,K,N to …,M,N",
        )
    leading = len(output.shape) - 1
    sums = output.target(())
    out = sums
    if prod(b.shape[:-2]) == 1 and a.shape[:-1] == output.shape[:-1]:
        one_a, one_out = rows(a, leading), rows(sums, leading)
        if one_a is not None and one_out is not None:
            a, b, out = one_a, b.reshape(b.shape[-2:]), one_out
    return sequence(steps + product(a, b, out, slices, binder) + output.finish(sums, ()))
