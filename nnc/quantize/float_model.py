"""The model before quantisation: float32, with static shapes, and not quantised already."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from onnx import ModelProto

from nnc.check.model_facts import ModelFacts, is_quantised
from nnc.compiler.frontend.model.load import ModelSource
from nnc.errors import QuantizationError
from nnc.quantize.static_model import StaticModel, load_static_model


class FloatModel(StaticModel):
    """A model that can be quantised."""


def load_float_model(
    source: ModelSource, shapes: Mapping[str, Sequence[int]], dims: Mapping[str, int] | None = None
) -> FloatModel:
    """Read a model.

    Args:
        source: path of an ONNX file, its bytes, or a ModelProto.
        shapes: of inputs with symbolic dimensions, by name.
        dims: sizes of symbolic dimensions.

    Raises:
        ModelFileError, ExternalDataError, ModelInvalidError: the model cannot be read.
        SymbolicShapeError, OptionError: shapes are missing or wrong.
        QuantizationError: the model is quantised already, of half precision, or too large.
    """
    model = load_static_model(source, shapes, dims, judge=_insist_on_float)
    return FloatModel(model.proto, model.inputs, model.nbytes)


def _insist_on_float(proto: ModelProto, where: str) -> None:
    quantised = [node for node in proto.graph.node if is_quantised(node)]
    if quantised:
        raise QuantizationError(
            "the model is quantised already",
            where=where,
            found=f"{len(quantised)} quantised operators, first {quantised[0].op_type} {quantised[0].name}",
            remedy="give the float32 model that it was made from; this one can be compiled as it is",
        )
    if ModelFacts(proto).half:
        raise QuantizationError(
            "the model is of half precision",
            where=where,
            expected="a float32 model",
            remedy="export the model in float32, and quantise that",
        )
