"""A model as it is run on samples: read, checked, its inputs of static shapes."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from onnx import ModelProto, ValueInfoProto, shape_inference

from nnc.compiler.frontend.model.check import check_model
from nnc.compiler.frontend.model.element_types import element_type
from nnc.compiler.frontend.model.load import ModelSource, load_model
from nnc.compiler.frontend.model.specialise import specialise
from nnc.compiler.frontend.model.structure import normalise_structure
from nnc.compiler.frontend.model.weights import separate
from nnc.errors import QuantizationError
from nnc.isa.limits import MODEL_FILE
from nnc.isa.operand import DRAM, Operand
from nnc.isa.program import Tensor, TensorRole


@dataclass(frozen=True)
class StaticModel:
    """A model that runs on samples.

    Attributes:
        proto: with static shapes of its inputs, inferred shapes, weights in external files included.
        inputs: its inputs in order, as a program has them.
        nbytes: of the model as a file, weights in external files included.
    """

    proto: ModelProto
    inputs: tuple[Tensor, ...]
    nbytes: int


def load_static_model(
    source: ModelSource,
    shapes: Mapping[str, Sequence[int]],
    dims: Mapping[str, int] | None = None,
    *,
    judge: Callable[[ModelProto, str], None] = lambda proto, where: None,
) -> StaticModel:
    """Read a model.

    Args:
        source: path of an ONNX file, its bytes, or a ModelProto.
        shapes: of inputs with symbolic dimensions, by name.
        dims: sizes of symbolic dimensions.
        judge: refuses a model, given its proto and what messages call it.

    Raises:
        ModelFileError, ExternalDataError, ModelInvalidError: the model cannot be read.
        SymbolicShapeError, OptionError: shapes are missing or wrong.
        QuantizationError: the model is too large, or refused.
    """
    loaded = load_model(source)
    where = str(source) if isinstance(source, str | Path) else loaded.label
    proto = ModelProto()
    proto.CopyFrom(loaded.proto)
    nbytes = proto.ByteSize()
    skeleton = separate(proto)
    check_model(skeleton.model)
    specialise(skeleton, shapes, {}, dims)
    judge(proto, where)
    declared = {info.name: info for info in skeleton.model.graph.input}
    for info in proto.graph.input:
        if info.name in skeleton.inputs:
            info.CopyFrom(declared[info.name])
    normalise_structure(proto)
    MODEL_FILE.check(
        nbytes,
        QuantizationError,
        "the model is too large",
        where=where,
        remedy="take a smaller model: onnxruntime takes it as one message of protobuf",
    )
    inputs = tuple(_tensor(declared[name]) for name in skeleton.inputs)
    return StaticModel(shape_inference.infer_shapes(proto), inputs, nbytes)


def _tensor(info: ValueInfoProto) -> Tensor:
    """An input as programs have it: readers of inputs know what fits."""
    type_ = info.type.tensor_type
    shape = tuple(dim.dim_value for dim in type_.shape.dim)
    block = Operand.dense(DRAM, 0, element_type(type_.elem_type), shape)
    return Tensor(info.name, TensorRole.INPUT, block)
