"""MatMulNBits in the place of MatMul and Gemm.

before:  y = Gemm(x, W, b)
after:   y = MatMulNBits(x, blocks of W, their scales, their zero points, -, b)

A bias that is no vector is added by an Add.  Nothing else changes: other nodes, inputs, outputs, names.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np
from onnx import GraphProto, ModelProto, NodeProto, helper, numpy_helper

from nnc.compiler.frontend.domains import MICROSOFT
from nnc.compiler.frontend.model.messages import messages
from nnc.quantize.block_rounding import BlockOptions, in_blocks
from nnc.quantize.constant_products import Product, Products, Weight, name_of

_INITIALISERS_APART = 4
"""The first format of ONNX in which initialisers need not be inputs."""


@dataclass(frozen=True)
class QuantizedProduct:
    """A product with weights in blocks.

    Attributes:
        name: of its node; weight: of the constant that it multiplied by.
        depth, channels: of the weight [K,N].
        error: root mean square of the weight's errors, as a share of that of its elements.
        nbytes_before, nbytes: of the weight, as floats and in blocks.
    """

    name: str
    weight: str
    depth: int
    channels: int
    error: float
    nbytes_before: int
    nbytes: int

    def to_json(self) -> dict[str, Any]:
        """As plain data."""
        return {
            "name": self.name,
            "weight": self.weight,
            "k": self.depth,
            "n": self.channels,
            "rel_error": self.error,
            "bytes_before": self.nbytes_before,
            "bytes": self.nbytes,
        }


@dataclass(frozen=True)
class _WeightInBlocks:
    """The names of a weight's tensors in the model, its error (see `QuantizedProduct`), and their bytes."""

    names: list[str]
    error: float
    nbytes: int


class BlockProducts:
    """A model whose products get weights in blocks, one after the other; every weight is quantised once."""

    def __init__(self, model: ModelProto, products: Products, options: BlockOptions) -> None:
        """Take a model, which is changed in place, and its products."""
        self._model = model
        self._products = products
        self._options = options
        self._names = _names_in(model)
        self._made: dict[Weight, _WeightInBlocks] = {}
        self._replaced: dict[str, None] = {}

    @property
    def nbytes(self) -> int:
        """Bytes of all weights in blocks."""
        return sum(made.nbytes for made in self._made.values())

    def quantise(self, product: Product) -> QuantizedProduct:
        """Put MatMulNBits in the place of a product."""
        weight, node = product.weight, product.node
        if weight not in self._made:
            self._made[weight] = self._quantised(weight)
        made = self._made[weight]
        done = QuantizedProduct(
            name_of(node), weight.name, weight.depth, weight.channels, made.error, weight.nbytes, made.nbytes
        )
        self._replaced[node.input[1]] = None
        inputs, result = [node.input[0], *made.names], node.output[0]
        if product.vector:
            inputs += [""] * (5 - len(inputs)) + [product.bias]
        elif product.bias:
            result = self._new_name(f"{result}.product")
            self._add_behind(node, result, product.bias)
        fields: dict[str, Any] = {
            "K": weight.depth,
            "N": weight.channels,
            "bits": self._options.bits,
            "block_size": self._options.block,
        }
        new = helper.make_node("MatMulNBits", inputs, [result], node.name, domain=MICROSOFT, **fields)
        node.CopyFrom(new)
        return done

    def finish(self) -> tuple[str, ...]:
        """Name the domain of MatMulNBits, and take out what nobody reads any more.

        Returns:
            The names of weights in blocks that stay as floats, too, as other nodes read them.
        """
        if all(entry.domain != MICROSOFT for entry in self._model.opset_import):
            self._model.opset_import.append(helper.make_opsetid(MICROSOFT, 1))
        self._model.ir_version = max(self._model.ir_version, _INITIALISERS_APART)
        graph, unread, reads = self._model.graph, list(self._replaced), Counter(_reads(self._model))
        lists: tuple[Any, ...] = (graph.initializer, graph.input, graph.value_info)
        gone = set[str]()
        while unread:
            name = unread.pop()
            if reads[name]:
                continue
            gone.add(name)
            for node in [node for node in graph.node if name in node.output]:
                reads.subtract(node.input)
                unread.extend(node.input)
                graph.node.remove(node)
            for items in lists:
                for item in [item for item in items if item.name == name]:
                    items.remove(item)
        return tuple(dict.fromkeys(weight.name for weight in self._made if weight.name not in gone))

    def _add_behind(self, node: NodeProto, product: str, bias: str) -> None:
        """Add a bias to a product, which gives what the node gave."""
        nodes = self._model.graph.node
        place = next(i for i, other in enumerate(nodes) if other.output == node.output)
        nodes.insert(
            place + 1, helper.make_node("Add", [product, bias], node.output, f"{name_of(node)}.bias")
        )

    def _quantised(self, weight: Weight) -> _WeightInBlocks:
        """Put the tensors of a weight into the model."""
        matrix = self._products.array(weight)
        blocks = in_blocks(matrix, self._options)
        size = np.linalg.norm(matrix.astype(np.float64))
        off = np.linalg.norm(blocks.real(weight.depth).astype(np.float64) - matrix)
        arrays = {f"int{blocks.bits}": blocks.packed(), "scales": blocks.scales.astype(matrix.dtype)}
        zeros = blocks.packed_zeros()
        if zeros is not None:
            arrays["zeros"] = zeros
        names = [self._new_name(f"{weight.name}.{kind}") for kind in arrays]
        self._model.graph.initializer.extend(map(numpy_helper.from_array, arrays.values(), names))
        nbytes = sum(array.nbytes for array in arrays.values())
        return _WeightInBlocks(names, float(off / size) if size else 0.0, nbytes)

    def _new_name(self, wanted: str) -> str:
        """This name, or one like it that no tensor has."""
        name, number = wanted, 1
        while name in self._names:
            number += 1
            name = f"{wanted}.{number}"
        self._names.add(name)
        return name


def _names_in(model: ModelProto) -> set[str]:
    """The names of all tensors, those inside of branches and functions included."""
    names = set[str]()
    for message in messages(model):
        if isinstance(message, NodeProto):
            names.update(message.input, message.output)
        elif isinstance(message, GraphProto):
            names.update(item.name for item in (*message.initializer, *message.input, *message.output))
    return names


def _reads(model: ModelProto) -> Iterator[str]:
    """The names of what nodes read, and of outputs, as often as they are read."""
    for message in messages(model):
        if isinstance(message, NodeProto):
            yield from message.input
        elif isinstance(message, GraphProto):
            yield from (info.name for info in message.output)
