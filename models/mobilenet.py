"""MobileNets: depthwise convolutions, without and with inverted residuals."""

from __future__ import annotations

import math

from nnc.models.builder import NetBuilder, Tensor
from nnc.models.random_weights import AFTER_LINEAR, AFTER_RELU

BRANCH_SCALE = 0.5  # of the batch-norm that ends a residual branch

# (channels, stride) of the pointwise and depthwise halves of each block
V1_BLOCKS = (
    (64, 1), (128, 2), (128, 1), (256, 2), (256, 1), (512, 2),
    *[(512, 1)] * 5,
    (1024, 2), (1024, 1),
)  # fmt: skip
# (expansion, channels, repeats, stride of the first): table 2 of the paper
V2_STAGES = (
    (1, 16, 1, 1), (6, 24, 2, 2), (6, 32, 3, 2), (6, 64, 4, 2), (6, 96, 3, 1), (6, 160, 3, 2), (6, 320, 1, 1),
)  # fmt: skip


def _same_pads(x: Tensor, kernel: int, stride: int) -> list[int]:
    """TensorFlow's SAME padding (top, left, bottom, right): the odd row or column goes below and right."""
    totals = [max((math.ceil(n / stride) - 1) * stride + kernel - n, 0) for n in x.spatial]
    return [total // 2 for total in totals] + [total - total // 2 for total in totals]


def mobilenet_v1(net: NetBuilder, classes: int) -> Tensor:
    """MobileNet: Howard et al., "MobileNets: efficient CNNs for mobile vision applications", 2017.

    With the padding of the original TensorFlow code, which is uneven where the stride is 2.
    """

    def layer(x: Tensor, channels: int, kernel: int, stride: int, groups: int, gain: float) -> Tensor:
        pads = _same_pads(x, kernel, stride)
        y = net.conv(x, channels, kernel, stride=stride, pad=pads, groups=groups, bias=False, gain=gain)
        return net.relu6(net.batch_norm(y))

    x = layer(net.input, net.scaled(32), 3, 2, 1, AFTER_LINEAR)
    for index, (channels, stride) in enumerate(V1_BLOCKS):
        with net.scope(f"block{index + 1}"):
            x = layer(x, x.channels, 3, stride, x.channels, AFTER_RELU)
            x = layer(x, net.scaled(channels), 1, 1, 1, AFTER_RELU)
    x = net.flatten(net.global_average_pool(x))
    return net.softmax(net.dense(x, classes, gain=AFTER_LINEAR))


def _inverted_residual(net: NetBuilder, x: Tensor, expansion: int, channels: int, stride: int) -> Tensor:
    hidden = x.channels * expansion
    adds = stride == 1 and x.channels == channels
    y = x
    if expansion > 1:  # x comes from a linear bottleneck
        y = net.relu6(net.batch_norm(net.conv(y, hidden, 1, bias=False, gain=AFTER_LINEAR)))
    y = net.conv(y, hidden, 3, stride=stride, pad=1, groups=hidden, bias=False)
    y = net.relu6(net.batch_norm(y))
    y = net.batch_norm(net.conv(y, channels, 1, bias=False), scale=BRANCH_SCALE if adds else 1.0)
    return net.add(x, y) if adds else y


def mobilenet_v2(net: NetBuilder, classes: int) -> Tensor:
    """Sandler et al., "MobileNetV2: inverted residuals and linear bottlenecks", 2018; logits out."""
    x = net.conv(net.input, net.scaled(32), 3, stride=2, pad=1, bias=False, gain=AFTER_LINEAR)
    x = net.relu6(net.batch_norm(x))
    for stage, (expansion, channels, repeats, first_stride) in enumerate(V2_STAGES):
        for index in range(repeats):
            with net.scope(f"stage{stage + 1}.{index}"):
                stride = 1 if index else first_stride
                x = _inverted_residual(net, x, expansion, net.scaled(channels), stride)
    x = net.relu6(net.batch_norm(net.conv(x, net.scaled(1280), 1, bias=False, gain=AFTER_LINEAR)))
    return net.dense(net.mean_over_space(x), classes, gain=AFTER_LINEAR)
