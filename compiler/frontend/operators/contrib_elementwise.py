"""Importers of onnxruntime's own element-wise operators, which its optimizer makes of several of ONNX."""

from __future__ import annotations

from nnc.compiler.frontend.context import OpContext
from nnc.compiler.frontend.domains import MICROSOFT
from nnc.compiler.frontend.expansion import Expansion
from nnc.compiler.frontend.table import importer


@importer("Gelu", "BiasGelu", domain=MICROSOFT)
def biased_gelu(context: OpContext) -> None:
    """Exact Gelu of an input, or of the sum of two."""
    make = Expansion(context)
    make.define(0, make("Gelu", _sum(context, make)))


@importer("FastGelu", domain=MICROSOFT)
def fast_gelu(context: OpContext) -> None:
    """Gelu by a hyperbolic tangent, of the sum of the input and an optional bias."""
    make = Expansion(context)
    make.define(0, make("Gelu", _sum(context, make), approximate="tanh"))


def _sum(context: OpContext, make: Expansion) -> str:
    """The sum of the first input and the second, if it is there."""
    return make("Add", context.tensor(0), context.tensor(1)) if context.has(1) else context.tensor(0)


@importer("QuickGelu", domain=MICROSOFT)
def quick_gelu(context: OpContext) -> None:
    """x · sigmoid(alpha · x)."""
    make, x, alpha = Expansion(context), context.tensor(0), context.attribute("alpha", 1.702)
    scaled = x if alpha == 1 else make("Mul", x, make.constant(alpha, like=0))
    make.define(0, make("Mul", x, make("Sigmoid", scaled)))
