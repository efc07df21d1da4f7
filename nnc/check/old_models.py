"""Models of opsets that no reference knows, as models of one that they know."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np
import numpy.typing as npt


def in_known_opset(proto: Any, feed: Mapping[str, npt.NDArray[Any]]) -> Any | None:
    """The model in the oldest opset that nnc imports, None if it has that or a later one.

    onnxruntime lacks most operators before opset 7, and onnx's evaluator disregards how operands broadcast
    there.

    Raises:
        NncError: the model cannot be read or converted (see `import_model`).
    """
    from onnx import ModelProto

    from nnc.compiler.frontend.model.check import OLDEST_OPSET, default_opset
    from nnc.compiler.frontend.model.old_opsets import convert_old_opset
    from nnc.compiler.frontend.model.specialise import specialise
    from nnc.compiler.frontend.model.weights import separate

    opset = default_opset(proto)
    if opset >= OLDEST_OPSET:
        return None
    skeleton = separate(proto)
    specialise(skeleton, {name: np.shape(array) for name, array in feed.items()}, {})
    convert_old_opset(skeleton, opset)
    result = ModelProto()
    result.CopyFrom(skeleton.model)
    graph = result.graph
    kept = [info for info in graph.input if info.name in skeleton.inputs]
    for field, content in (("input", kept), ("initializer", skeleton.weights.values())):
        graph.ClearField(field)
        getattr(graph, field).extend(content)
    return result
