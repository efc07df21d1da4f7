"""nnc as a backend of ONNX: the interface by which onnx's own tests, and other tools, run models anywhere.

>>> import nnc.backend
>>> rep = nnc.backend.prepare(onnx.load("model.onnx"), chip="npu4")
>>> (scores,) = rep.run([image])

What nnc fixes when it compiles, others learn when they run: symbolic dimensions, and operands that say how
(axes, sizes, indices).  So where a model cannot be compiled as it is, `run` compiles it for the shapes of its
inputs, and if need be with the values of all but the first as constants, once for each of them.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
import numpy.typing as npt
from onnx import ModelProto, NodeProto, helper
from onnx.backend.base import Backend, BackendRep, namedtupledict

from nnc.compiler.frontend.errors import SymbolicShapeError, UnsupportedError
from nnc.compiler.frontend.importer import import_model
from nnc.compiler.pipeline import run_pipeline
from nnc.isa.chip.load import load_chip
from nnc.isa.errors import InputError, NncError
from nnc.runtime.session import Session

Array = npt.NDArray[Any]


class NncBackendRep(BackendRep):
    """A model ready to run on a simulated chip."""

    def __init__(self, model: ModelProto, chip: str) -> None:
        """Compile the model, if that is possible before its inputs are known.

        Raises:
            NncError: it cannot be compiled for any inputs.
        """
        self._model, self._chip = model, load_chip(chip)
        constants = {tensor.name for tensor in model.graph.initializer}
        self.inputs = [info.name for info in model.graph.input if info.name not in constants]
        self.outputs = [info.name for info in model.graph.output]
        self._sessions: dict[tuple[object, ...], Session] = {}
        try:
            self._sessions[()] = self._session({}, {})
        except (SymbolicShapeError, UnsupportedError):
            if not self.inputs:
                raise

    def run(self, inputs: Any, **kwargs: Any) -> tuple[Any, ...]:
        """Run the model.

        Args:
            inputs: arrays in the order of the model's inputs, or by name; of a model with one input, that.
            kwargs: none is known; they are ignored, as the interface asks.

        Returns:
            The outputs in their order, a named tuple.

        Raises:
            InputError: there are too many or too few inputs.
            NncError: as `nnc.compile` and `nnc.Session.run`.
        """
        feeds = self._feeds(inputs)
        session = self._sessions.get(()) or self._specialised(feeds)
        names = {info.name for info in session.get_inputs()}
        arrays = session.run(self.outputs, {name: feeds[name] for name in names & feeds.keys()})
        return namedtupledict("Outputs", self.outputs)(*arrays)

    def _feeds(self, inputs: Any) -> dict[str, Array]:
        if isinstance(inputs, Mapping):
            return {name: np.asarray(value) for name, value in inputs.items()}
        values = [inputs] if isinstance(inputs, np.ndarray) else list(inputs)
        if len(values) > len(self.inputs):
            raise InputError(
                "too many inputs",
                found=str(len(values)),
                expected=", ".join(self.inputs),
                remedy="give one for each input of the model, in their order",
            )
        return {name: np.asarray(value) for name, value in zip(self.inputs, values, strict=False)}

    def _specialised(self, feeds: Mapping[str, Array]) -> Session:
        """A session for the shapes of inputs; if nnc refuses that, for the values of all but the first."""
        key = tuple((name, value.shape, value.dtype.name) for name, value in feeds.items())
        if key in self._sessions:
            return self._sessions[key]
        later = {name: value for name, value in feeds.items() if name != self.inputs[0]}
        valued = (*key, *(value.tobytes() for value in later.values()))
        if valued not in self._sessions:
            shapes = {name: value.shape for name, value in feeds.items()}
            try:
                self._sessions[key] = self._session(shapes, {})
                return self._sessions[key]
            except UnsupportedError as error:
                try:
                    self._sessions[valued] = self._session(shapes, later)
                except NncError:
                    raise error from None
        return self._sessions[valued]

    def _session(self, shapes: Mapping[str, Sequence[int]], values: Mapping[str, Array]) -> Session:
        rest = {name: shape for name, shape in shapes.items() if name not in values}
        graph = import_model(self._model, shapes=rest, values=values)
        return Session(run_pipeline(graph, self._chip).program)


class NncBackend(Backend):
    """Compiles models for a simulated chip and runs them there."""

    @classmethod
    def is_compatible(cls, model: ModelProto, device: str = "CPU", **kwargs: Any) -> bool:
        """Whether nnc can compile a model; one whose inputs have to be known first counts as such."""
        try:
            cls.prepare(model, device, **kwargs)
        except NncError:
            return False
        return True

    @classmethod
    def prepare(cls, model: ModelProto, device: str = "CPU", **kwargs: Any) -> NncBackendRep:
        """Compile a model.

        Args:
            model: stays unchanged.
            device: "CPU", which simulates the chip.
            kwargs: `chip`, a preset or the path of a TOML file; others are ignored, as the interface asks.

        Raises:
            NncError: as `nnc.compile`.
        """
        return NncBackendRep(model, kwargs.get("chip", "npu"))

    @classmethod
    def run_node(
        cls, node: NodeProto, inputs: Any, device: str = "CPU", outputs_info: Any = None, **kwargs: Any
    ) -> tuple[Any, ...]:
        """Run one node.

        Args:
            node: its inputs and outputs have names.
            inputs: an array for each input that is there.
            device: "CPU".
            outputs_info: not needed.
            kwargs: `opset_version`, the newest if it is not given; else as of `prepare`.

        Raises:
            NncError: as `nnc.compile` and `nnc.Session.run`.
        """
        names = [name for name in node.input if name]
        arrays = dict(zip(names, map(np.asarray, inputs), strict=True))
        ports = [
            helper.make_tensor_value_info(name, helper.np_dtype_to_tensor_dtype(value.dtype), value.shape)
            for name, value in arrays.items()
        ]
        outputs = [helper.make_empty_tensor_value_info(name) for name in node.output if name]
        graph = helper.make_graph([node], "node", ports, outputs)
        opsets = [helper.make_opsetid("", kwargs["opset_version"])] if "opset_version" in kwargs else None
        return cls.prepare(helper.make_model(graph, opset_imports=opsets), device, **kwargs).run(arrays)

    @classmethod
    def supports_device(cls, device: str) -> bool:
        """Whether a device is the one that there is."""
        return device.partition(":")[0] == "CPU"


is_compatible = NncBackend.is_compatible
prepare = NncBackend.prepare
run_model = NncBackend.run_model
run_node = NncBackend.run_node
supports_device = NncBackend.supports_device

__all__ = [
    "NncBackend",
    "NncBackendRep",
    "is_compatible",
    "prepare",
    "run_model",
    "run_node",
    "supports_device",
]
