"""Networks on which mechanisms of the compiler may pay: large pictures, batches, late layers, tokens, bytes.

Each is compiled for a chip whose memory is short for it.  Those of the sample take about a second.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import partial

import numpy as np
import onnx
from attention import attention
from mechanisms import BATCH, CONV, CORES, INT8, PIXELS, STAGED, TOKENS, WIDE
from plan_figures import Target
from stitch import quantised

from nnc import models
from nnc.models.builder import NetBuilder, Tensor


@dataclass(frozen=True)
class AblationNetwork:
    """A network for a chip.

    Attributes:
        kinds: what it is, and the chip: mechanisms of one of these kinds are left out here.
        in_sample: whether it is small enough for a quick look.
    """

    name: str
    build: Callable[[], onnx.ModelProto]
    target: Target
    kinds: tuple[str, ...]
    in_sample: bool = True


def super_resolution(height: int, width: int) -> onnx.ModelProto:
    """Sub-pixel super-resolution (Shi et al., 2016): three convolutions and a shuffle to twice the size."""
    net = NetBuilder("super_resolution", (1, 3, height, width), width=1, seed=0)
    x = net.relu(net.conv(net.input, 64, 5, pad=2))
    x = net.conv(net.relu(net.conv(x, 32, 3, pad=1)), 12, 3, pad=1)
    return net.finish(
        net.op("DepthToSpace", [x.name], (1, 3, 2 * height, 2 * width), blocksize=2, mode="CRD")
    )


def dense_block(rows: int, growth: int = 16, layers: int = 6) -> onnx.ModelProto:
    """A block of DenseNet (2017): each layer reads all before it."""
    net = NetBuilder("dense_block", (1, 64, rows, rows), width=1, seed=0)
    made = [net.input]
    for _ in range(layers):
        joined = net.concat(made) if len(made) > 1 else made[0]
        bottleneck = net.relu(net.conv(net.relu(joined), 4 * growth, 1))
        made.append(net.conv(bottleneck, growth, 3, pad=1))
    return net.finish(net.conv(net.concat(made), 64, 1))


def late_layers(batch: int = 1) -> onnx.ModelProto:
    """Inverted residuals of 160 channels, 7 × 7 pixels, with 960 hidden ones, as late in MobileNetV2."""
    net = NetBuilder("late_layers", (batch, 160, 7, 7), width=1, seed=0)
    x = net.input
    for _ in range(3):
        hidden = net.relu6(net.conv(net.relu6(net.conv(x, 960, 1)), 960, 3, pad=1, groups=960))
        x = net.add(net.conv(hidden, 160, 1), x)
    return net.finish(x)


def tokens_mlp(tokens: int, features: int = 192) -> onnx.ModelProto:
    """Two layers of four times the features and back, with skips, over tokens."""
    net, draw = NetBuilder("tokens_mlp", (1, tokens, features), width=1, seed=0), np.random.default_rng(0)

    def product(x: Tensor, name: str, rows: int, columns: int) -> Tensor:
        values = draw.standard_normal((rows, columns)).astype(np.float32) / np.float32(rows**0.5)
        return net.op("MatMul", [x.name, net.constant(name, values)], (1, tokens, columns))

    x = net.input
    for number in range(2):
        hidden = net.relu(product(x, f"expand{number}", features, 4 * features))
        x = net.add(product(hidden, f"project{number}", 4 * features, features), x)
    return net.finish(x)


def _int8(build: Callable[[], onnx.ModelProto]) -> onnx.ModelProto:
    return quantised(build())


def _npu(kib: int) -> Target:
    return Target("npu", (f"memory.sram.bytes={kib}KiB",))


def _small(name: str, image: int, width: float = 1.0, batch: int = 1) -> Callable[[], onnx.ModelProto]:
    return partial(models.build, name, image=image, width=width, batch=batch)


def _network(name: str, build: Callable[[], onnx.ModelProto], target: Target, *kinds: str) -> AblationNetwork:
    return AblationNetwork(name, build, target, kinds)


def _large(name: str, build: Callable[[], onnx.ModelProto], target: Target, *kinds: str) -> AblationNetwork:
    return AblationNetwork(name, build, target, kinds, in_sample=False)


_SQUEEZENET, _MOBILENET = _small("squeezenet", 64), _small("mobilenet_v2", 64)
_RESNET, _BATCH = _small("resnet18", 64, 0.5), _small("resnet18", 64, 0.5, 4)
NETWORKS = (
    _network("squeezenet 32K", _SQUEEZENET, _npu(32), CONV),
    _network("squeezenet int8 16K", partial(_int8, _SQUEEZENET), _npu(16), INT8),
    _network("mobilenet_v2 32K", _MOBILENET, _npu(32), CONV),
    _network("unet 64 32K", _small("unet", 64, 0.25), _npu(32), WIDE),
    _network("super-resolution 68x120 32K", partial(super_resolution, 68, 120), _npu(32), WIDE),
    _network("super-resolution 30x240 32K", partial(super_resolution, 30, 240), _npu(32), WIDE),
    _network("dense block 64K", partial(dense_block, 28), _npu(64), CONV),
    _network("late layers 64K", late_layers, _npu(64), CONV),
    _network("late layers x 4 512K", partial(late_layers, 4), _npu(512), BATCH),
    _network("resnet18 x 2 64K", _small("resnet18", 32, 0.5, 2), _npu(64), BATCH),
    _network("attention-197 128K", partial(attention, 197), _npu(128), TOKENS),
    _network("attention-512 64K", partial(attention, 512), _npu(64), TOKENS),
    _network("MLP of 197 tokens 64K", partial(tokens_mlp, 197), _npu(64), TOKENS),
    _network("resnet18 npu4", _RESNET, Target("npu4", ("memory.sram.bytes=64KiB",)), CORES),
    _network("resnet18 vdsp12", _RESNET, Target("vdsp12"), STAGED),
    _network("resnet18 nna", _RESNET, Target("nna"), STAGED),
    _large("lenet5 x 8 pixel-dsp", _small("lenet5", 32, 1, 8), Target("pixel-dsp"), PIXELS),
    _large("mobilenet_v2 int8 16K", partial(_int8, _MOBILENET), _npu(16), INT8),
    _network("mobilenet_v2 x 4 128K", _small("mobilenet_v2", 64, 1, 4), _npu(128), BATCH),
    _large("resnet18 npu-banked", _RESNET, Target("npu-banked"), STAGED),
    _network("resnet18 x 4 pixel-dsp", _BATCH, Target("pixel-dsp"), PIXELS),
    _large("unet 512 512K", _small("unet", 512), _npu(512), WIDE),
    _large("super-resolution 540x960 128K", partial(super_resolution, 540, 960), _npu(128), WIDE),
    _large("mobilenet_v2 x 8 512K", _small("mobilenet_v2", 224, 1, 8), _npu(512), BATCH),
    _large("resnet18 x 4 512K", _small("resnet18", 224, 1, 4), _npu(512), BATCH),
    _large("mobilenet_v2 x 4 512K", _small("mobilenet_v2", 224, 1, 4), _npu(512), BATCH),
    _large("mobilenet_v2 512K", _small("mobilenet_v2", 224), _npu(512), CONV),
    _large("resnet50 1M", _small("resnet50", 224), _npu(1024), CONV),
    _large("googlenet 1M", _small("googlenet", 224), _npu(1024), CONV),
    _large("resnet18 224 npu-banked", _small("resnet18", 224), Target("npu-banked"), CONV),
    _large("vgg_first5 pixel-dsp", _small("vgg_first5", 32), Target("pixel-dsp"), WIDE),
    _large("resnet50 512K", _small("resnet50", 224), _npu(512), CONV),
    _large("resnet18 int8 128K", partial(_int8, _small("resnet18", 224)), _npu(128), INT8),
    _large("googlenet 256K", _small("googlenet", 224), _npu(256), CONV),
    _large("dense block 56 256K", partial(dense_block, 56, 32, 12), _npu(256), CONV),
    _large("attention-1024 128K", partial(attention, 1024), _npu(128), TOKENS),
    _large("attention-2048 256K", partial(attention, 2048), _npu(256), TOKENS),
    _large("mobilenet_v2 npu4", _small("mobilenet_v2", 224), Target("npu4"), CORES),
    _large("mobilenet_v2 vdsp12", _MOBILENET, Target("vdsp12"), STAGED),
)
