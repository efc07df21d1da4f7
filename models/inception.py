"""Networks whose layers fork and meet in a Concat: SqueezeNet and GoogLeNet."""

from __future__ import annotations

from collections.abc import Sequence

from nnc.models.builder import NetBuilder, Tensor
from nnc.models.random_weights import AFTER_LINEAR

POOL = 0  # among the squeeze widths: a 3×3 max pool of stride 2
SQUEEZENET_1_0 = (POOL, 16, 16, 32, POOL, 32, 48, 48, 64, POOL, 64)
SQUEEZENET_1_1 = (POOL, 16, 16, POOL, 32, 32, POOL, 48, 48, 64, 64)

# GoogLeNet's table 1: 1×1, 3×3 reduce, 3×3, 5×5 reduce, 5×5, pool projection
INCEPTIONS = {
    "3a": (64, 96, 128, 16, 32, 32),
    "3b": (128, 128, 192, 32, 96, 64),
    "4a": (192, 96, 208, 16, 48, 64),
    "4b": (160, 112, 224, 24, 64, 64),
    "4c": (128, 128, 256, 24, 64, 64),
    "4d": (112, 144, 288, 32, 64, 64),
    "4e": (256, 160, 320, 32, 128, 128),
    "5a": (256, 160, 320, 32, 128, 128),
    "5b": (384, 192, 384, 48, 128, 128),
}
POOL_BEFORE = ("4a", "5a")


def _conv_relu(net: NetBuilder, x: Tensor, channels: int, kernel: int, *, pad: int = 0) -> Tensor:
    return net.relu(net.conv(x, net.scaled(channels), kernel, pad=pad))


def _squeezenet(net: NetBuilder, x: Tensor, classes: int, layout: Sequence[int]) -> Tensor:
    fire = 1
    for squeeze in layout:
        if squeeze == POOL:
            x = net.pool(x, 3, 2, ceil=True)
            continue
        fire += 1
        with net.scope(f"fire{fire}"):
            y = _conv_relu(net, x, squeeze, 1)
            x = net.concat([_conv_relu(net, y, 4 * squeeze, 1), _conv_relu(net, y, 4 * squeeze, 3, pad=1)])
    x = net.global_average_pool(net.relu(net.conv(x, classes, 1)))
    return net.softmax(net.flatten(x))


def squeezenet(net: NetBuilder, classes: int) -> Tensor:
    """SqueezeNet 1.1: Iandola et al., "SqueezeNet: AlexNet-level accuracy with 50x fewer parameters", 2016.

    The authors' revision with 2.4 times less work: a 3×3 first layer and earlier pools. The network that the
    ONNX model zoo and onnx's own test data call `squeezenet`.
    """
    x = net.relu(net.conv(net.input, net.scaled(64), 3, stride=2, gain=AFTER_LINEAR))
    return _squeezenet(net, x, classes, SQUEEZENET_1_1)


def squeezenet1_0(net: NetBuilder, classes: int) -> Tensor:
    """SqueezeNet 1.0, the paper's (Iandola et al. 2016): a 7×7 first layer of 96 channels."""
    x = net.relu(net.conv(net.input, net.scaled(96), 7, stride=2, gain=AFTER_LINEAR))
    return _squeezenet(net, x, classes, SQUEEZENET_1_0)


def _inception(net: NetBuilder, x: Tensor, widths: Sequence[int]) -> Tensor:
    pointwise, reduce3, three, reduce5, five, projection = widths
    return net.concat(
        [
            _conv_relu(net, x, pointwise, 1),
            _conv_relu(net, _conv_relu(net, x, reduce3, 1), three, 3, pad=1),
            _conv_relu(net, _conv_relu(net, x, reduce5, 1), five, 5, pad=2),
            _conv_relu(net, net.pool(x, 3, 1, pad=1), projection, 1),
        ]
    )


def googlenet(net: NetBuilder, classes: int) -> Tensor:
    """GoogLeNet: Szegedy et al., "Going deeper with convolutions", 2015; without the auxiliary classifiers.

    With its local response normalisation and pools that round up.
    """
    x = net.relu(net.conv(net.input, net.scaled(64), 7, stride=2, pad=3, gain=AFTER_LINEAR))
    x = net.lrn(net.pool(x, 3, 2, ceil=True))
    x = _conv_relu(net, _conv_relu(net, x, 64, 1), 192, 3, pad=1)
    x = net.pool(net.lrn(x), 3, 2, ceil=True)
    for name, widths in INCEPTIONS.items():
        if name in POOL_BEFORE:
            x = net.pool(x, 3, 2, ceil=True)
        with net.scope(f"inception{name}"):
            x = _inception(net, x, widths)
    x = net.flatten(net.global_average_pool(x))
    return net.softmax(net.dense(x, classes, gain=AFTER_LINEAR))
