"""Residual networks: He, Zhang, Ren, Sun, "Deep residual learning for image recognition", 2016.

ResNet-50 in the usual later form (v1.5): the stride lies in the 3×3 convolution of a bottleneck.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

from nnc.models.builder import NetBuilder, Tensor
from nnc.models.random_weights import AFTER_LINEAR, AFTER_RELU

BRANCH_SCALE = 0.3  # of the last batch-norm of a branch: keeps sums of 16 blocks small

Block = Callable[[NetBuilder, Tensor, int, int], Tensor]


def _conv_bn(
    net: NetBuilder,
    x: Tensor,
    channels: int,
    kernel: int,
    *,
    stride: int = 1,
    gain: float = AFTER_RELU,
    scale: float = 1.0,
) -> Tensor:
    conv = net.conv(x, channels, kernel, stride=stride, pad=kernel // 2, bias=False, gain=gain)
    return net.batch_norm(conv, scale=scale)


def _add_shortcut(net: NetBuilder, x: Tensor, branch: Tensor, stride: int) -> Tensor:
    """Sum of the branch and of x, which a 1×1 convolution projects where the shapes differ."""
    if branch.shape != x.shape:
        x = _conv_bn(net, x, branch.channels, 1, stride=stride, gain=AFTER_RELU)
    return net.relu(net.add(branch, x))


def _basic(net: NetBuilder, x: Tensor, channels: int, stride: int) -> Tensor:
    y = net.relu(_conv_bn(net, x, net.scaled(channels), 3, stride=stride))
    y = _conv_bn(net, y, net.scaled(channels), 3, scale=BRANCH_SCALE)
    return _add_shortcut(net, x, y, stride)


def _bottleneck(net: NetBuilder, x: Tensor, channels: int, stride: int) -> Tensor:
    y = net.relu(_conv_bn(net, x, net.scaled(channels), 1))
    y = net.relu(_conv_bn(net, y, net.scaled(channels), 3, stride=stride))
    y = _conv_bn(net, y, net.scaled(4 * channels), 1, scale=BRANCH_SCALE)
    return _add_shortcut(net, x, y, stride)


def _resnet(net: NetBuilder, classes: int, block: Block, depths: Sequence[int]) -> Tensor:
    x = net.relu(_conv_bn(net, net.input, net.scaled(64), 7, stride=2, gain=AFTER_LINEAR))
    x = net.pool(x, 3, 2, pad=1)
    for stage, depth in enumerate(depths):
        for index in range(depth):
            with net.scope(f"layer{stage + 1}.{index}"):
                x = block(net, x, 64 << stage, 2 if stage and not index else 1)
    return net.dense(net.flatten(net.global_average_pool(x)), classes, gain=AFTER_LINEAR)


def resnet18(net: NetBuilder, classes: int) -> Tensor:
    """ResNet-18 (He et al. 2016): two 3×3 convolutions in each block; logits out."""
    return _resnet(net, classes, _basic, (2, 2, 2, 2))


def resnet50(net: NetBuilder, classes: int) -> Tensor:
    """ResNet-50 (He et al. 2016): bottlenecks of 1×1, 3×3, 1×1; logits out."""
    return _resnet(net, classes, _bottleneck, (3, 4, 6, 3))
