"""Trains the demo network on scikit-learn's handwritten digits and writes the data of this folder.

Run by hand, never at install or run time. It needs what nnc does not: torch >= 2.9, scikit-learn, pillow;
onnxruntime measures the accuracy.

    python models/digits/train.py
"""

from __future__ import annotations

import math
from collections import OrderedDict
from pathlib import Path
from typing import Any

import numpy as np
import onnx
import onnx_ir
import onnx_ir.passes.common as common
import onnxruntime
import onnxscript.optimizer
import torch  # pyright: ignore[reportMissingImports]
from PIL import Image
from torch import Tensor, nn  # pyright: ignore[reportMissingImports]
from torch.nn import functional  # pyright: ignore[reportMissingImports]

from nnc.models.digits.dataset import Images, Labels, split_digits

HERE = Path(__file__).parent
SIZE = 16  # pixels, height and width
SCALE = 1 / 256  # as in __init__.py
EPOCHS = 60
BATCH = 64
SEED = 0


class Residual(nn.Module):  # type: ignore[misc]  # torch is not there when types are checked
    """Two 3×3 convolutions and a shortcut, projected by a 1×1 convolution where the shape changes."""

    def __init__(self, before: int, after: int, stride: int) -> None:
        super().__init__()
        self.branch = nn.Sequential(
            nn.Conv2d(before, after, 3, stride, 1, bias=False),
            nn.BatchNorm2d(after),
            nn.ReLU(),
            nn.Conv2d(after, after, 3, 1, 1, bias=False),
            nn.BatchNorm2d(after),
        )
        self.shortcut: nn.Module = nn.Identity()
        if stride != 1 or before != after:
            self.shortcut = nn.Sequential(
                nn.Conv2d(before, after, 1, stride, bias=False), nn.BatchNorm2d(after)
            )

    def forward(self, x: Tensor) -> Tensor:
        return functional.relu(self.branch(x) + self.shortcut(x))


def make_network() -> nn.Module:
    """Image (N, 1, 16, 16) in [0, 1) to the logits of the ten digits (N, 10)."""
    layers: dict[str, nn.Module] = {
        "conv": nn.Conv2d(1, 16, 3, 1, 1, bias=False),
        "norm": nn.BatchNorm2d(16),
        "relu": nn.ReLU(),
        "block1": Residual(16, 16, 1),
        "pool": nn.MaxPool2d(2),
        "block2": Residual(16, 32, 1),
        "block3": Residual(32, 48, 2),
        "mean": nn.AdaptiveAvgPool2d(1),
        "flatten": nn.Flatten(),
        "dense": nn.Linear(48, 10),
    }
    return nn.Sequential(OrderedDict(layers))


def augment(x: Tensor) -> Tensor:
    """Small random rotations, scalings and shifts, each image its own."""
    n = len(x)
    angle = (torch.rand(n) - 0.5) * 0.4
    zoom = 1 + (torch.rand(n) - 0.5) * 0.2
    shift = (torch.rand(n, 2) - 0.5) * 0.25
    cos, sin = zoom * angle.cos(), zoom * angle.sin()
    rows = [torch.stack([cos, -sin, shift[:, 0]], 1), torch.stack([sin, cos, shift[:, 1]], 1)]
    grid = functional.affine_grid(torch.stack(rows, 1), list(x.shape), align_corners=False)
    return functional.grid_sample(x, grid, align_corners=False)


def train(images: Images, labels: Labels) -> nn.Module:
    """A fixed number of epochs; the last state is the result."""
    torch.manual_seed(SEED)
    network = make_network()
    x = torch.from_numpy(images).float()[:, None] * SCALE
    y = torch.from_numpy(labels)
    optimizer = torch.optim.AdamW(network.parameters(), weight_decay=1e-2)
    steps = EPOCHS * math.ceil(len(x) / BATCH)
    schedule = torch.optim.lr_scheduler.OneCycleLR(optimizer, max_lr=1e-2, total_steps=steps)
    for epoch in range(EPOCHS):
        total = 0.0
        for index in torch.randperm(len(x)).split(BATCH):
            loss = functional.cross_entropy(network(augment(x[index])), y[index])
            optimizer.zero_grad()
            loss.backward()
            optimizer.step()
            schedule.step()
            total += loss.item() * len(index)
        print(f"epoch {epoch + 1:3d}  loss {total / len(x):.4f}", flush=True)
    return network.eval()


def export(network: nn.Module, path: Path) -> None:
    """Write the network with a Softmax at its end.

    torch's own optimisation would fold batch normalisation away; here only constants are folded, so that the
    file holds the network as it was trained.
    """
    whole = nn.Sequential(OrderedDict(digits=network, softmax=nn.Softmax(1))).eval()
    example = torch.zeros(1, 1, SIZE, SIZE)
    program = torch.onnx.export(
        whole, (example,), input_names=["image"], output_names=["probabilities"],
        opset_version=20, dynamo=True, optimize=False, verbose=False,
    )  # fmt: skip
    if program is None:
        raise RuntimeError("torch.onnx.export gave no program")
    onnxscript.optimizer.fold_constants(program.model)
    clean_up = onnx_ir.passes.Sequential(
        common.RemoveUnusedNodesPass(),
        common.LiftConstantsToInitializersPass(lift_all_constants=True, size_limit=0),
        common.ClearMetadataAndDocStringPass(),  # stack traces and paths of the machine that ran the export
    )
    model = onnx_ir.to_proto(clean_up(program.model).model)
    model.graph.name = "digits_cnn"
    onnx.checker.check_model(model, full_check=True)
    onnx.save(model, path)


def write_samples(images: Images, labels: Labels) -> None:
    """The first held-out image of each digit, whatever the network makes of it."""
    for digit in range(10):
        Image.fromarray(images[int(np.argmax(labels == digit))]).save(HERE / f"digit-{digit}.png")


def accuracy(path: Path, images: Images, labels: Labels) -> float:
    """Share of images that onnxruntime, running the file, classifies as labelled."""
    session = onnxruntime.InferenceSession(path, providers=["CPUExecutionProvider"])
    x = images[:, None].astype(np.float32) * np.float32(SCALE)
    scores: list[Any] = [session.run(None, {"image": image[None]})[0] for image in x]
    guesses = [int(np.argmax(score)) for score in scores]
    return float(np.mean(np.array(guesses) == labels))


def main() -> None:
    (train_images, train_labels), (heldout_images, heldout_labels) = split_digits()
    export(train(train_images, train_labels), HERE / "digits_cnn.onnx")
    np.savez_compressed(HERE / "heldout.npz", images=heldout_images, labels=heldout_labels)
    write_samples(heldout_images, heldout_labels)
    share = accuracy(HERE / "digits_cnn.onnx", heldout_images, heldout_labels)
    print(f"accuracy on {len(heldout_labels)} held-out digits: {100 * share:.2f} %")


if __name__ == "__main__":
    main()
