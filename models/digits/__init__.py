"""The trained demo network: a small residual CNN that reads handwritten digits, with its held-out data.

`train.py` made the network and its data, `make digits-int8` its quantised form. Both take `image`
(1, 1, 16, 16) float32 in [0, 1), ink bright on black, and give `probabilities` (1, 10). A pixel p of an 8-bit
grey image becomes `(p - MEAN) * SCALE`.
"""

from __future__ import annotations

from pathlib import Path

import numpy as np
from numpy.typing import NDArray

__all__ = ["INT8_MODEL", "MEAN", "MODEL", "SCALE", "SIZE", "load_heldout", "sample_pngs", "to_input"]

_HERE = Path(__file__).parent

MODEL = _HERE / "digits_cnn.onnx"
INT8_MODEL = _HERE / "digits_cnn.int8.onnx"
SIZE = 16  # pixels, height and width
MEAN = 0.0
SCALE = 1 / 256  # 0.00390625


def load_heldout() -> tuple[NDArray[np.uint8], NDArray[np.int64]]:
    """The complete held-out set: images (360, 16, 16) in 0..255 and labels (360,)."""
    with np.load(_HERE / "heldout.npz") as data:
        return data["images"], data["labels"]


def sample_pngs() -> list[Path]:
    """Ten held-out digits as 8-bit grey PNGs of 16×16, `digit-0.png` to `digit-9.png` by their labels."""
    return sorted(_HERE.glob("digit-*.png"))


def to_input(images: NDArray[np.uint8]) -> NDArray[np.float32]:
    """Grey images (N, 16, 16) or (16, 16) as network input (N, 1, 16, 16)."""
    pixels = images.reshape(-1, 1, SIZE, SIZE).astype(np.float32)
    return (pixels - np.float32(MEAN)) * np.float32(SCALE)
