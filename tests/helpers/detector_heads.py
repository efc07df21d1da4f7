"""Random trunks with heads, which stand behind the whole trunk as detectors are exported."""

from __future__ import annotations

import numpy as np
import onnx
from onnx import numpy_helper
from pass_harness import model_of


def detector_heads(seed: int) -> onnx.ModelProto:
    """Convolutions, then heads of some of them in any order, then products of what the heads make."""
    rng = np.random.default_rng(seed)
    channels, length, count = int(rng.choice([8, 16])), int(rng.integers(14, 20)), int(rng.integers(4, 8))
    weights: dict[str, tuple[int, ...]] = {f"w{n}": (channels, channels, 3, 3) for n in range(length)}
    trunk = [f"t{n + 1} = Conv<pads=[1,1,1,1]>(t{n}, w{n})" for n in range(length)]
    heads = list[str]()
    for head in range(count):
        source, depth = int(rng.integers(1, length + 1)), int(rng.integers(1, 4))
        for layer in range(depth):
            name, operand = f"h{head}_{layer}", f"h{head}_{layer - 1}" if layer else f"t{source}"
            weights[f"w_{name}"] = (1 if layer == depth - 1 else channels, channels, 1, 1)
            heads.append(f"{name} = Conv({operand}, w_{name})")
        heads.append(f"o{head} = Sigmoid(h{head}_{depth - 1})")
    products = [f"s{n} = Mul({f's{n - 1}' if n > 1 else 'o0'}, o{n})" for n in range(1, count)]
    outputs = f"float[1,1,12,12] s{count - 1}, float[1,{channels},12,12] t{length}"
    layers = " ".join([*trunk, *heads, *products])
    model = model_of(f"(float[1,{channels},12,12] t0) => ({outputs}) {{ {layers} }}", weights)
    for tensor in model.graph.initializer:  # of both signs, so large that results stay as large as operands
        values = numpy_helper.to_array(tensor) - 1
        values *= np.sqrt(12 / values[0].size, dtype=np.float32)
        tensor.CopyFrom(numpy_helper.from_array(values, tensor.name))
    return model
