"""Network builders: well-known networks as ONNX models, at any image size and width, with seeded weights.

>>> from nnc import models
>>> model = models.build("resnet18", image=64, width=0.25)

The trained networks are the demos in `nnc.models.digits` and `nnc.models.sums`.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import onnx

from nnc.models import classic, inception, mobilenet, resnet, unet
from nnc.models.builder import NetBuilder, Tensor

__all__ = ["MODELS", "ModelSpec", "build", "names"]


@dataclass(frozen=True)
class ModelSpec:
    """One network of the registry.

    `define` writes the layers and its docstring names the paper; `image` is the default height and width in
    pixels, `channels` those of the input, `classes` the default number of classes (0: no classifier).
    """

    name: str
    summary: str
    define: Callable[[NetBuilder, int], Tensor]
    image: int = 224
    channels: int = 3
    classes: int = 1000

    def build(
        self,
        *,
        image: int | tuple[int, int] | None = None,
        width: float = 1.0,
        batch: int = 1,
        classes: int | None = None,
        seed: int = 0,
    ) -> onnx.ModelProto:
        """See `nnc.models.build`."""
        image = self.image if image is None else image
        height, columns = image if isinstance(image, tuple) else (image, image)
        classes = self.classes if classes is None else classes
        if not self.classes and classes:
            raise ValueError(f"{self.name} has no classifier: classes cannot be set")
        if min(height, columns, batch, width) <= 0 or classes < bool(self.classes):
            raise ValueError(f"{self.name}: image, width, batch and classes must be positive")
        net = NetBuilder(self.name, (batch, self.channels, height, columns), width=width, seed=seed)
        return net.finish(self.define(net, classes))


_SPECS = (
    ModelSpec("mlp-784-1152-10", "two dense layers on a 28×28 image", classic.mlp, 28, 1, 10),
    ModelSpec("fc-3x3x8192", "a dense layer on 8192 channels of 3×3", classic.fc_3x3x8192, 3, 3, 10),
    ModelSpec("conv-8x8x8", "a convolution on 8 channels of 8×8", classic.conv_8x8x8, 8, 8, 0),
    ModelSpec(
        "conv-224x224x64", "a convolution on 64 channels of 224×224", classic.conv_224x224x64, 224, 64, 0
    ),
    ModelSpec("lenet5", "LeNet-5 (1998), tanh and average pools", classic.lenet5, 32, 1, 10),
    ModelSpec("alexnet", "AlexNet (2012), grouped convolutions and LRN", classic.alexnet),
    ModelSpec("vgg16", "VGG-16 (2015)", classic.vgg16),
    ModelSpec("vgg16_conv", "VGG-16, convolutions and pools only", classic.vgg16_conv, classes=0),
    ModelSpec("vgg_first5", "first five convolutions of VGG-16", classic.vgg_first5, classes=0),
    ModelSpec("googlenet", "GoogLeNet (2015), inception forks and LRN", inception.googlenet),
    ModelSpec("squeezenet", "SqueezeNet 1.1 (2016), forks", inception.squeezenet),
    ModelSpec("squeezenet1_0", "SqueezeNet 1.0 (2016), 7×7 first layer", inception.squeezenet1_0),
    ModelSpec("resnet18", "ResNet-18 (2016), basic residual blocks", resnet.resnet18),
    ModelSpec("resnet50", "ResNet-50 v1.5 (2016), bottlenecks", resnet.resnet50),
    ModelSpec("mobilenet_v1", "MobileNet (2017), depthwise convolutions", mobilenet.mobilenet_v1),
    ModelSpec("mobilenet_v2", "MobileNetV2 (2018), inverted residuals", mobilenet.mobilenet_v2),
    ModelSpec("unet", "U-Net (2015), transposed convolutions", unet.unet, 256, 1, 2),
    ModelSpec("unet_resize", "U-Net (2015), up-sampling by Resize", unet.unet_resize, 256, 1, 2),
)
MODELS: dict[str, ModelSpec] = {spec.name: spec for spec in _SPECS}


def names() -> list[str]:
    """The names that `build` takes, simplest networks first."""
    return list(MODELS)


def build(
    name: str,
    *,
    image: int | tuple[int, int] | None = None,
    width: float = 1.0,
    batch: int = 1,
    classes: int | None = None,
    seed: int = 0,
) -> onnx.ModelProto:
    """A network with random weights as an ONNX model, float32.

    Its input is `input` (batch, channels, height, width), meant for values of about unit variance; its output
    is `output`.

    Args:
        name: one of `names()`.
        image: height and width of the input in pixels (one figure: square); by default the network's own.
            Pools that would not fit a very small image are left out.
        width: multiplier of every hidden layer's channels.
        batch: images per run.
        classes: outputs of the classifier.
        seed: of the weights. The same arguments give the same model, byte for byte.

    Raises:
        ValueError: unknown name, or sizes that the network cannot have.
    """
    if name not in MODELS:
        raise ValueError(f"unknown network {name!r}: choose one of {', '.join(MODELS)}")
    return MODELS[name].build(image=image, width=width, batch=batch, classes=classes, seed=seed)
