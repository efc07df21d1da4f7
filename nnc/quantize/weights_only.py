"""A model whose products have weights of 4 or 8 bits in blocks: from a file to the bytes of another."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path

from onnx import ModelProto

from nnc.compiler.frontend.domains import adopt_own_operators
from nnc.compiler.frontend.model.check import OLDEST_OPSET, check_model, default_opset
from nnc.compiler.frontend.model.load import load_model
from nnc.compiler.frontend.model.weights import separate
from nnc.errors import QuantizationError
from nnc.isa.limits import MODEL_FILE
from nnc.quantize.block_products import BlockProducts, QuantizedProduct
from nnc.quantize.block_rounding import BlockOptions
from nnc.quantize.constant_products import Kept, Product, Products

Progress = Callable[[str, int, int], None]


@dataclass(frozen=True)
class QuantizedWeights:
    """A model with weights in blocks as the bytes of its file, and what became of its products.

    Attributes:
        products: those with weights in blocks, in order; kept: the others.
        nbytes_before, nbytes: of the weights of `products`, each counted once.
        floats: weights that stay as floats, too, because other nodes read them; counted in `nbytes`.
    """

    data: bytes
    products: tuple[QuantizedProduct, ...]
    kept: tuple[Kept, ...]
    nbytes_before: int
    nbytes: int
    floats: tuple[str, ...]

    @property
    def mean_error(self) -> float:
        """Of the errors of the products."""
        return math.fsum(product.error for product in self.products) / len(self.products)

    @property
    def largest_error(self) -> float:
        """Of the errors of the products."""
        return max(product.error for product in self.products)


def quantize_weights(source: Path, options: BlockOptions, progress: Progress) -> QuantizedWeights:
    """Read a model and quantise the weights of its products.

    Args:
        progress: is told what is done, how much of it, and of how much.

    Raises:
        ModelFileError, ExternalDataError, ModelInvalidError: the model cannot be read.
        QuantizationError: no product can have weights in blocks, or the result is too large for a file.
    """
    model = load_model(source).proto
    skeleton = separate(model)
    adopt_own_operators(skeleton.model, default_opset(model))
    check_model(skeleton.model)
    _insist_on_recent_opset(model, source)
    products = Products(model, skeleton)
    everything = list(products.find(options))
    chosen = [product for product in everything if isinstance(product, Product)]
    kept = tuple(product for product in everything if isinstance(product, Kept))
    if not chosen:
        raise _nothing_to_quantise(source, kept)
    blocks = BlockProducts(model, products, options)
    done = list[QuantizedProduct]()
    for number, product in enumerate(chosen):
        progress("quantising weights", number, len(chosen))
        done.append(blocks.quantise(product))
    floats = blocks.finish()
    before = {product.weight.name: product.weight.nbytes for product in chosen}
    nbytes = blocks.nbytes + sum(before[name] for name in floats)
    data = _serialised(model, source)
    return QuantizedWeights(data, tuple(done), kept, sum(before.values()), nbytes, floats)


def _insist_on_recent_opset(model: ModelProto, source: Path) -> None:
    """Before opset 7 operators say themselves how they broadcast, which an added Add would not know."""
    opset = default_opset(model)
    if opset < OLDEST_OPSET:
        raise QuantizationError(
            "the model is of an old opset",
            where=str(source),
            found=f"opset {opset}",
            expected=f"opset {OLDEST_OPSET} or later",
            remedy="convert it with onnx.version_converter, or export it again",
        )


def _serialised(model: ModelProto, source: Path) -> bytes:
    MODEL_FILE.check(
        model.ByteSize(),
        QuantizationError,
        "the quantised model is too large for a file",
        where=str(source),
        remedy="take fewer bits or larger blocks, or quantise a smaller model",
    )
    data: bytes = model.SerializeToString(deterministic=True)
    return data


def _nothing_to_quantise(source: Path, kept: Sequence[Kept]) -> QuantizationError:
    shown = [f"{item.name}: {item.reason}" for item in kept[:5]]
    more = [f"and {len(kept) - len(shown)} others"] if len(kept) > len(shown) else []
    return QuantizationError(
        "the model has no product whose weights could be quantised in blocks",
        where=str(source),
        found="; ".join(shown + more) or "neither MatMul nor Gemm",
        expected="MatMul or Gemm by a constant matrix, float32 or float16, with at least a block along K",
        remedy="take smaller blocks (--block 16), or quantise all of the network: --calibration or --random",
    )
