"""onnxruntime's quantiser on one network: prepared and calibrated once, quantised as often as asked.

Which layers stay in float is asked layer by layer.  A layer is a node of the prepared network (batch
normalisation is folded into its convolution by then) and the Relu or Clip behind it, which the range of its
integers does.
"""

from __future__ import annotations

import tempfile
from collections.abc import Callable, Collection, Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property
from math import prod
from pathlib import Path
from typing import Any

import numpy.typing as npt
from onnx import ModelProto, load_model_from_string, version_converter

from nnc.compiler.frontend.model.element_types import known_dims
from nnc.isa.errors import OptionError
from nnc.isa.nearest import did_you_mean
from nnc.quantize.calibration import Samples

Array = npt.NDArray[Any]
Progress = Callable[[str, int, int], None]
METHODS = {"minmax": "MinMax", "entropy": "Entropy", "percentile": "Percentile"}
"""Names of calibration methods: ours and onnxruntime's."""
ACTIVATIONS = {"s8": "QInt8", "u8": "QUInt8"}
_OLDEST_OPSET = 13
"""QuantizeLinear and DequantizeLinear have an axis since."""
_OLDEST_IR = 4
"""Constants need not be inputs since."""
_FOLDABLE = ("Relu", "Clip")


@dataclass(frozen=True)
class Options:
    """How to quantise.

    Attributes:
        method: of `METHODS`: how the range of an activation follows from the samples.
        activations: of `ACTIVATIONS`: their element type; weights are always signed.
        per_channel: a scale per output channel of weights, or one per tensor.
        reduce_range: 7 bits for weights, for processors whose products of u8 × s8 saturate.
        integer_io: inputs and outputs are integers themselves.
        floats: layers that stay in float, by the names of their nodes or results.
    """

    method: str = "minmax"
    activations: str = "s8"
    per_channel: bool = True
    reduce_range: bool = False
    integer_io: bool = False
    floats: tuple[str, ...] = ()


@dataclass(frozen=True)
class Layer:
    """What is quantised or not.

    Attributes:
        name: of its first node.
        op: operator of that node.
        nodes: of the prepared network, by name.
        results: its tensors.
        elements: of its weights and its last result: each takes three bytes more in float.
    """

    name: str
    op: str
    nodes: tuple[str, ...]
    results: tuple[str, ...]
    elements: int


class Quantiser:
    """A float network with the ranges of its tensors."""

    def __init__(self, model: ModelProto, samples: Samples, options: Options, progress: Progress) -> None:
        """Prepare a network, and run it on all samples.

        Raises:
            InputError: a sample cannot be read.
            OptionError: a layer that is to stay in float is unknown.
            Exception: of many kinds, by onnxruntime.
        """
        self._options = options
        progress("preparing the model", 0, 0)
        self._prepared = _prepared(model)
        self.floats = self.named(options.floats)
        self._ranges = self._calibrate(samples, progress)

    @cached_property
    def layers(self) -> dict[str, Layer]:
        """The layers that can be quantised, by name, in the order of the nodes."""
        return {layer.name: layer for layer in _layers(self._prepared, _operators())}

    def named(self, names: Collection[str]) -> frozenset[str]:
        """The layers that these names mean: of nodes, or of results.

        Raises:
            OptionError: there is no such layer.
        """
        homes = {name: layer.name for layer in self.layers.values() for name in layer.results}
        homes |= {name: layer.name for layer in self.layers.values() for name in layer.nodes}
        for name in names:
            if name not in homes:
                raise OptionError(
                    "there is no such layer",
                    where="--float",
                    found=name,
                    expected=", ".join(list(self.layers)[:20]) + (" …" if len(self.layers) > 20 else ""),
                    remedy=did_you_mean(
                        name, homes, "name a layer by its node or its result, as nnc accuracy shows them"
                    ),
                )
        return frozenset(homes[name] for name in names)

    def quantised(self, *, floats: Collection[str] = (), only: Collection[str] = ()) -> bytes:
        """The network with QuantizeLinear and DequantizeLinear around its operators.

        Args:
            floats: layers that stay in float.
            only: layers that are quantised; none: all.
        """
        from onnxruntime import quantization

        options = self._options
        quantiser = quantization.QDQQuantizer(
            _copy(self._prepared),
            options.per_channel,
            options.reduce_range,
            quantization.QuantType.QInt8,
            quantization.QuantType[ACTIVATIONS[options.activations]],
            self._ranges,
            [node for name in only for node in self.layers[name].nodes],
            [node for name in floats for node in self.layers[name].nodes],
            _operators(),
            {},
        )
        quantiser.quantize_model()
        quantiser.model.topological_sort()
        data: bytes = quantiser.model.model.SerializeToString(deterministic=True)
        return data

    def _calibrate(self, samples: Samples, progress: Progress) -> Any:
        """The range of each activation on the samples."""
        from onnxruntime import quantization

        with tempfile.TemporaryDirectory(prefix="nnc-quantize-") as folder:
            model, augmented = Path(folder) / "model.onnx", Path(folder) / "augmented.onnx"
            model.write_bytes(self._prepared.SerializeToString())
            calibrator = quantization.create_calibrator(
                model,
                _operators(),
                augmented_model_path=str(augmented),
                calibrate_method=quantization.CalibrationMethod[METHODS[self._options.method]],
            )
            reader: Any = _Reader(samples, progress)  # its base class is not there where onnxruntime is not
            for index in range(samples.count):  # a sample at a time: all activations of one must fit
                reader.set_range(index, index + 1)
                calibrator.collect_data(reader)
            return calibrator.compute_data()


def _operators() -> list[str]:
    """What onnxruntime quantises."""
    from onnxruntime.quantization.registry import QDQRegistry, QLinearOpsRegistry

    return sorted({*QLinearOpsRegistry, *QDQRegistry})


def _prepared(model: ModelProto) -> ModelProto:
    """The network with batch normalisation folded, shapes inferred, and a name for each node."""
    from onnxruntime import quantization
    from onnxruntime.quantization.quant_utils import load_model_with_shape_infer

    with tempfile.TemporaryDirectory(prefix="nnc-quantize-") as folder:
        given, result = Path(folder) / "given.onnx", Path(folder) / "prepared.onnx"
        given.write_bytes(_without_constant_inputs(model).SerializeToString())
        quantization.quant_pre_process(str(given), str(result), skip_symbolic_shape=True)
        proto = _with_recent_opset(load_model_from_string(result.read_bytes()))
        names = {node.name for node in proto.graph.node}
        for node in proto.graph.node:
            if not node.name:
                node.name = node.output[0] if node.output[0] not in names else f"{node.output[0]}/node"
        result.write_bytes(proto.SerializeToString())
        inferred: ModelProto = load_model_with_shape_infer(result)
        return inferred


def _with_recent_opset(proto: ModelProto) -> ModelProto:
    (opset,) = [entry.version for entry in proto.opset_import if entry.domain in ("", "ai.onnx")]
    return proto if opset >= _OLDEST_OPSET else version_converter.convert_version(proto, _OLDEST_OPSET)


def _without_constant_inputs(model: ModelProto) -> ModelProto:
    """The network whose constants are no inputs that a caller may change: only then they can be folded."""
    changed = _copy(model)
    constants = {tensor.name for tensor in changed.graph.initializer}
    inputs = [info for info in model.graph.input if info.name not in constants]
    del changed.graph.input[:]
    changed.graph.input.extend(inputs)
    changed.ir_version = max(changed.ir_version, _OLDEST_IR)
    return changed


def _layers(model: ModelProto, operators: Collection[str]) -> Iterator[Layer]:
    graph = model.graph
    constants = {tensor.name: prod(tensor.dims) for tensor in graph.initializer}
    shapes = {info.name: known_dims(info.type) for info in (*graph.value_info, *graph.input, *graph.output)}
    outputs = {info.name for info in graph.output}
    readers: dict[str, list[Any]] = {}
    for node in graph.node:
        for name in node.input:
            readers.setdefault(name, []).append(node)
    folded: set[str] = set()
    for node in graph.node:
        if node.op_type not in operators or node.name in folded:
            continue
        nodes, result = [node], node.output[0]
        behind = readers.get(result, ())
        if len(behind) == 1 and behind[0].op_type in _FOLDABLE and result not in outputs:
            nodes.append(behind[0])
            folded.add(behind[0].name)
        last = nodes[-1].output[0]
        elements = sum(constants.get(name, 0) for name in node.input) + prod(
            extent or 1 for extent in shapes.get(last) or ()
        )
        names = tuple(item.name for item in nodes)
        results = tuple(name for item in nodes for name in item.output if name)
        yield Layer(node.name, node.op_type, names, results, elements)


def _copy(model: ModelProto) -> ModelProto:
    copy = ModelProto()
    copy.CopyFrom(model)
    return copy


class _Reader:
    """Samples as onnxruntime's calibration asks for them: one after the other within a range."""

    def __init__(self, samples: Samples, progress: Progress) -> None:
        self._samples = samples
        self._progress = progress
        self._next = self._end = 0

    def __len__(self) -> int:
        return self._samples.count

    def set_range(self, start_index: int, end_index: int) -> None:
        """Which samples are wanted now."""
        self._next, self._end = start_index, end_index

    def get_next(self) -> Mapping[str, Array] | None:
        """The next sample; None behind the last of the range."""
        if self._next >= self._end:
            return None
        self._progress("calibrating", self._next, self._samples.count)
        self._next += 1
        return self._samples.feed(self._next - 1)
