"""The networks without skips: multi-layer perceptron, LeNet-5, AlexNet, VGG."""

from __future__ import annotations

from collections.abc import Sequence

from nnc.models.builder import NetBuilder, Tensor
from nnc.models.random_weights import AFTER_LINEAR, AFTER_RELU

# A VGG configuration: figures are the channels of 3×3 convolutions, POOL is a 2×2 max pool of stride 2.
POOL = 0
VGG16 = (64, 64, POOL, 128, 128, POOL, 256, 256, 256, POOL, 512, 512, 512, POOL, 512, 512, 512, POOL)
VGG_FIRST5 = (64, 64, POOL, 128, 128, POOL, 256)


def mlp(net: NetBuilder, classes: int) -> Tensor:
    """784-1152-10 perceptron on a 28×28 image: the worked example of method M2 (one layer over many cores).

    The weights lie as inputs × outputs, so that a core's share of the columns is the method's.
    """
    x = net.flatten(net.input)
    x = net.unary("Sigmoid", net.dense(x, net.scaled(1152), gain=AFTER_LINEAR, transposed=False))
    return net.softmax(net.dense(x, classes, gain=AFTER_LINEAR, transposed=False))


def fc_3x3x8192(net: NetBuilder, classes: int) -> Tensor:
    """A fully connected layer on 8192 channels of 3×3: the worked example of method M5 (groups of pixels).

    Larger pictures are averaged to about 3×3 first, and three channels made 8192.
    """
    size = min(net.input.spatial) // 3
    x = net.pool(net.input, size, size, kind="AveragePool") if size > 1 else net.input
    x = net.relu(net.conv(x, net.scaled(8192), 1, gain=AFTER_LINEAR))
    return net.dense(net.flatten(x), classes)


def conv_8x8x8(net: NetBuilder, classes: int) -> Tensor:
    """A padded convolution on 8 channels of 8×8: the worked example of method M4 (stitched pictures)."""
    return net.conv(net.input, net.scaled(8), 3, pad=1, gain=AFTER_LINEAR)


def conv_224x224x64(net: NetBuilder, classes: int) -> Tensor:
    """A padded convolution on 64 channels of 224×224: the worked example of method M3 (two buffers)."""
    return net.conv(net.input, net.scaled(64), 3, pad=1, bias=False, gain=AFTER_LINEAR)


def lenet5(net: NetBuilder, classes: int) -> Tensor:
    """LeNet-5: LeCun et al., "Gradient-based learning applied to document recognition", 1998.

    Softmax in place of the paper's radial basis functions; C3 sees all maps of S2.
    """
    x = net.input
    for channels in (6, 16):
        x = net.unary("Tanh", net.conv(x, net.scaled(channels), 5, gain=AFTER_LINEAR))
        x = net.pool(x, 2, 2, kind="AveragePool")
    x = net.flatten(x)
    for features in (120, 84):
        x = net.unary("Tanh", net.dense(x, net.scaled(features), gain=AFTER_LINEAR))
    return net.softmax(net.dense(x, classes, gain=AFTER_LINEAR))


def alexnet(net: NetBuilder, classes: int) -> Tensor:
    """AlexNet: Krizhevsky et al., "ImageNet classification with deep convolutional neural networks", 2012.

    With the paper's two groups and its local response normalisation after the first two layers.
    """
    x = net.relu(net.conv(net.input, net.scaled(96), 11, stride=4, pad=2, gain=AFTER_LINEAR))
    x = net.pool(net.lrn(x), 3, 2)
    x = net.relu(net.conv(x, net.scaled(256), 5, pad=2, groups=2))
    x = net.pool(net.lrn(x), 3, 2)
    for channels, groups in ((384, 1), (384, 2), (256, 2)):
        x = net.relu(net.conv(x, net.scaled(channels), 3, pad=1, groups=groups))
    return _dense_head(net, net.pool(x, 3, 2), classes)


def _vgg_features(net: NetBuilder, configuration: Sequence[int]) -> Tensor:
    x = net.input
    for channels in configuration:
        if channels == POOL:
            x = net.pool(x, 2, 2)
        else:
            gain = AFTER_LINEAR if x is net.input else AFTER_RELU
            x = net.relu(net.conv(x, net.scaled(channels), 3, pad=1, gain=gain))
    return x


def _dense_head(net: NetBuilder, x: Tensor, classes: int) -> Tensor:
    """The head of AlexNet and VGG: two hidden layers of 4096, Softmax. Dropout does nothing at inference."""
    x = net.flatten(x)
    for _ in range(2):
        x = net.relu(net.dense(x, net.scaled(4096)))
    return net.softmax(net.dense(x, classes))


def vgg16(net: NetBuilder, classes: int) -> Tensor:
    """VGG-16: Simonyan, Zisserman, "Very deep convolutional networks for large-scale image recognition"."""
    return _dense_head(net, _vgg_features(net, VGG16), classes)


def vgg16_conv(net: NetBuilder, _classes: int) -> Tensor:
    """The convolutions and pools of VGG-16 (Simonyan, Zisserman 2015) without its dense head."""
    return _vgg_features(net, VGG16)


def vgg_first5(net: NetBuilder, _classes: int) -> Tensor:
    """The first five convolutions of VGG-16 (Simonyan, Zisserman 2015): the usual case for layer fusion."""
    return _vgg_features(net, VGG_FIRST5)
