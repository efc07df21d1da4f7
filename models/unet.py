"""U-Net: Ronneberger et al., "U-Net: convolutional networks for biomedical image segmentation", 2015.

Convolutions are padded and followed by batch normalisation, as later implementations do, so that the output
is as large as the input and skips need no crop.
"""

from __future__ import annotations

from nnc.models.builder import NetBuilder, Tensor
from nnc.models.random_weights import AFTER_LINEAR, AFTER_RELU

ENCODER = (64, 128, 256, 512)
BOTTOM = 1024


def _double_conv(net: NetBuilder, x: Tensor, channels: int) -> Tensor:
    for _ in range(2):
        gain = AFTER_LINEAR if x is net.input else AFTER_RELU
        conv = net.conv(x, net.scaled(channels), 3, pad=1, bias=False, gain=gain)
        x = net.relu(net.batch_norm(conv))
    return x


def _unet(net: NetBuilder, classes: int, *, transposed: bool) -> Tensor:
    step = 1 << len(ENCODER)
    if any(size % step for size in net.input.spatial):
        raise ValueError(f"{net.name}: height and width {net.input.spatial} must be multiples of {step}")
    x, skips = net.input, []
    for level, channels in enumerate(ENCODER):
        with net.scope(f"down{level + 1}"):
            skips.append(_double_conv(net, x, channels))
            x = net.pool(skips[-1], 2, 2)
    with net.scope("bottom"):
        x = _double_conv(net, x, BOTTOM)
    for level, channels in reversed(list(enumerate(ENCODER))):
        with net.scope(f"up{level + 1}"):
            if transposed:
                x = net.conv_transpose(x, net.scaled(channels), 2)
            else:
                x = net.conv(net.resize_nearest(x, 2), net.scaled(channels), 1)
            x = _double_conv(net, net.concat([skips[level], x]), channels)
    return net.conv(x, classes, 1)


def unet(net: NetBuilder, classes: int) -> Tensor:
    """U-Net (Ronneberger et al. 2015), up-sampling by transposed convolution; maps of logits out."""
    return _unet(net, classes, transposed=True)


def unet_resize(net: NetBuilder, classes: int) -> Tensor:
    """U-Net (Ronneberger et al. 2015), up-sampling by nearest neighbour and a 1×1 convolution."""
    return _unet(net, classes, transposed=False)
