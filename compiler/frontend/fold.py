"""Constant folding of single nodes by onnx's reference evaluator.

The importer walks the nodes in order and knows every static shape, so chains of Shape, Gather, Concat … fold
node by node as it meets them; no separate folding pass over the protobuf is needed.

Only what `fold_list` trusts is evaluated: the evaluator is wrong for a good many forms of other operators.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from math import isfinite, prod
from typing import Any

import numpy as np
from numpy.typing import NDArray
from onnx import ModelProto, NodeProto, TypeProto, defs, helper, numpy_helper, shape_inference

from nnc.compiler.frontend.errors import UnsupportedError
from nnc.compiler.frontend.fold_list import CONVERSIONS, listed, moves
from nnc.compiler.frontend.model.check import InferredTypes
from nnc.compiler.frontend.model.element_types import onnx_numpy, static_type, type_code
from nnc.compiler.frontend.model.large_values import SMALL
from nnc.compiler.frontend.model.sizes import check_folded
from nnc.isa.types import DType

Array = NDArray[Any]

_GROWING = frozenset({"EyeLike", "OneHot", "Pad", "Resize", "Tile", "Upsample"})
"""Operators whose result may be far larger than their inputs."""

_WITHOUT_BYTES = frozenset({"ConstantOfShape", "Expand"})
"""Operators whose results of constants are constants, of repeated elements."""

_INEXACT = frozenset({"Pow", "ReduceL1", "ReduceL2", "ReduceMean", "ReduceProd", "ReduceSum"})
"""Operators whose integers, where they overflow, are not those of onnxruntime; all others wrap in both."""

_UNBOUNDED_INPUT = 1 << 16
"""Elements of input up to which a node is evaluated whose result's shape is not known beforehand."""


class EvaluationFailure(Exception):
    """onnx's evaluator cannot run a node: it knows fewer forms of some operators than the standard."""


def sizes_to_fold(
    nodes: Sequence[NodeProto], constants: Iterable[str], inferred: InferredTypes
) -> Iterator[tuple[NodeProto, int]]:
    """Nodes whose inputs are all constant, and bytes of their results, as far as onnx infers their shapes.

    Without those whose results may be their operand's bytes, or are no more than those.
    """
    constant_names, spread = set(constants), set[str]()
    for node in nodes:
        folds = listed(node)
        if not (folds or node.op_type in _WITHOUT_BYTES) or not constant_names.issuperset(
            filter(None, node.input)
        ):
            continue
        constant_names.update(node.output)
        if not folds:
            spread.update(node.output)
            continue
        modest = moves(node) or len(node.input) == 1 or node.op_type in CONVERSIONS
        if modest and not spread.intersection(node.input):
            continue
        for code, dims in (inferred.get(name, (None, None)) for name in node.output):
            dtype = None if code is None else onnx_numpy(code)
            if dtype is not None and dims is not None and None not in dims:
                yield node, prod(n for n in dims if n is not None) * dtype.itemsize


def evaluate(node: NodeProto, arrays: dict[str, Array], opset: int) -> list[Array]:
    """The outputs of a node from the values of its inputs.

    Raises:
        ModelTooLargeError: the result would be too large.
        UnsupportedError: nobody knows how large it would be.
        EvaluationFailure: onnx cannot evaluate the node.
    """
    from onnx.reference import ReferenceEvaluator  # few models need it, and it takes long to import

    _check_size(node, arrays, opset)

    def run(operands: dict[str, Array]) -> list[Array]:
        values = ReferenceEvaluator(_alone(node, operands, opset)).run(None, operands)
        return [np.asarray(value) for value in values]

    try:
        with np.errstate(all="ignore"):
            results = run(arrays)
            if node.op_type in _INEXACT and results[0].dtype.kind in "iu":
                source = node.input[0]
                wide = run({**arrays, source: arrays[source].astype(np.float64)})
                _check_overflow(node, results[0], wide[0])
    except UnsupportedError:
        raise
    except Exception as error:  # the evaluator raises whatever its operators raise
        reason = str(error).splitlines()[0] if str(error) else type(error).__name__
        raise EvaluationFailure(f"its inputs are constant, but onnx cannot evaluate it: {reason}") from error
    return results


def _check_overflow(node: NodeProto, result: Array, wide: Array) -> None:
    """Refuse integers that are far from the same in double precision.

    Raises:
        UnsupportedError: they overflow, and implementations differ on what becomes of them.
        EvaluationFailure: the same of a power, which the chip computes as onnxruntime.
    """
    if np.allclose(result.astype(np.float64), wide, rtol=2.0**-40, atol=1):
        return
    message = f"its constant result overflows {result.dtype.name}"
    raise EvaluationFailure(message) if node.op_type == "Pow" else UnsupportedError(message)


def is_spread(value: Array) -> bool:
    """Whether an array repeats elements, so that it takes less memory than its bytes until it is used."""
    return any(step == 0 and extent > 1 for step, extent in zip(value.strides, value.shape, strict=True))


def _alone(node: NodeProto, arrays: dict[str, Array], opset: int) -> ModelProto:
    """A model of that one node (the evaluator heeds the opset only of models)."""
    inputs = [helper.make_value_info(name, TypeProto()) for name in arrays]
    outputs = [helper.make_value_info(name, TypeProto()) for name in node.output if name]
    graph = helper.make_graph([node], "constant", inputs, outputs)
    return helper.make_model(graph, opset_imports=[helper.make_opsetid("", opset)])


def _check_size(node: NodeProto, arrays: dict[str, Array], opset: int) -> None:
    """Refuse a result of more than 1 GiB before it is computed, and operands that take as much when used."""
    check_folded(sum(value.nbytes for value in arrays.values() if is_spread(value)))
    if node.op_type == "Range":
        _check_range(*(arrays[name] for name in node.input))
        return
    types, data = {}, {}
    for name, value in arrays.items():
        try:
            types[name] = helper.make_tensor_type_proto(type_code(DType.from_numpy(value.dtype)), value.shape)
        except ValueError:
            continue  # a type that the compiler has no name for: then nothing is inferred from it
        if value.size <= SMALL:
            data[name] = numpy_helper.from_array(value.copy(), name)
    schema = defs.get_schema(node.op_type, opset, "")
    try:
        outputs = shape_inference.infer_node_outputs(
            schema, node, types, data, opset_imports=[helper.make_opsetid("", opset)]
        )
    except (KeyError, shape_inference.InferenceError, RuntimeError):
        outputs = {}
    result_types = [static_type(proto) for proto in outputs.values()]
    check_folded(sum(type_.nbytes for type_ in result_types if type_ is not None))
    if not result_types or None in result_types:
        elements = sum(value.size for value in arrays.values())
        if elements > _UNBOUNDED_INPUT or node.op_type in _GROWING:
            raise UnsupportedError("its constant result has a shape that is not known before it is computed")


def _check_range(start: Array, limit: Array, delta: Array) -> None:
    """The same of a range, whose number of elements onnx and numpy take modulo 2^64."""
    first, end, step = (value.reshape(-1)[0].item() for value in (start, limit, delta))
    if step and isfinite(first) and isfinite(end) and isfinite(step):
        check_folded(int(max(0, (end - first) // step)) * start.itemsize)
