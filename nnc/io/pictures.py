"""Pictures as inputs: an 8-bit PNG or JPEG becomes (pixel - mean) * scale in NCHW order."""

from __future__ import annotations

import mmap
import struct
import warnings
import zlib
from dataclasses import dataclass
from pathlib import Path
from typing import Any, BinaryIO

import numpy as np
import numpy.typing as npt
from PIL import Image, UnidentifiedImageError

from nnc.isa.errors import InputError
from nnc.isa.files import open_file
from nnc.isa.limits import JPEG_SCANS
from nnc.isa.program import Tensor
from nnc.isa.types import DType

SUFFIXES = (".png", ".jpg", ".jpeg")
"""Of files that are read as pictures; what one holds decides which of the formats it is."""
_FORMATS = ("PNG", "JPEG")
_START_OF_SCAN = b"\xff\xda"
"""Of a JPEG; in its compressed data, 0 stands behind every byte of 255."""
_MODES = {1: "L", 3: "RGB"}
_DEEP_MODES = ("I", "F")
"""Prefixes of the modes with more than 8 bits per channel."""


@dataclass(frozen=True, slots=True)
class PixelScaling:
    """A pixel of 0 … 255 becomes ``(pixel - mean) * scale``: one number each, or one per channel."""

    mean: tuple[float, ...] = (0.0,)
    scale: tuple[float, ...] = (1.0,)

    @property
    def is_identity(self) -> bool:
        """Whether pixels stay as they are."""
        return set(self.mean) == {0.0} and set(self.scale) == {1.0}


def read_picture(path: Path, tensor: Tensor, scaling: PixelScaling) -> npt.NDArray[Any]:
    """A picture as an input of shape [1,C,H,W], [C,H,W] or [H,W] with one channel (grey) or three (RGB).

    Colours are converted to the channels of the input, transparency is dropped.  Pixels lie as the file has
    them: how a camera was held (EXIF) turns nothing.  Integer inputs take 8-bit pixels as they are, without
    mean and scale.

    Raises:
        InputError: the file is no PNG or JPEG, has another size, or the input cannot take a picture.
        OSError: the file cannot be opened.
    """
    channels, height, width = _picture_shape(tensor, path)
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("error", Image.DecompressionBombWarning)
            with open_file(path) as stream, Image.open(stream, formats=_FORMATS) as picture:
                _check_picture(picture, (width, height), tensor, path)
                _check_scans(stream, path)
                pixels = np.asarray(picture.convert(_MODES[channels]))
    except (
        OSError,
        ValueError,
        SyntaxError,
        EOFError,
        IndexError,
        OverflowError,
        struct.error,
        zlib.error,
        Image.DecompressionBombError,
        Image.DecompressionBombWarning,
    ) as error:
        if isinstance(error, OSError) and error.errno is not None:
            raise
        raise InputError(
            "the file is not a PNG or JPEG picture that can be read",
            where=str(path),
            found="neither" if isinstance(error, UnidentifiedImageError) else str(error),
            remedy="give a whole 8-bit PNG or JPEG picture, or the values as a .npy file",
        ) from error
    planes = pixels.reshape(height, width, channels).transpose(2, 0, 1)
    return _scaled(planes, tensor, scaling, path).reshape(tensor.block.shape)


def _picture_shape(tensor: Tensor, path: Path) -> tuple[int, int, int]:
    """Channels, height and width of the input."""
    shape = tensor.block.shape
    dims = (1,) * (4 - len(shape)) + shape
    if len(shape) in (2, 3, 4) and dims[0] == 1 and dims[1] in _MODES:
        return dims[1], dims[2], dims[3]
    raise InputError(
        f"the input {tensor.name} does not take one picture",
        where=str(path),
        found=f"an input of shape {list(shape)}",
        expected="[1,C,H,W] with 1 or 3 channels",
        remedy="give a .npy or .npz file",
    )


def _check_picture(picture: Image.Image, size: tuple[int, int], tensor: Tensor, path: Path) -> None:
    """Judge the header, before any pixel is decoded."""
    if picture.size != size:
        raise InputError(
            f"the picture does not have the size of the input {tensor.name}",
            where=str(path),
            found=f"{picture.size[0]} x {picture.size[1]} pixels (width x height)",
            expected=f"{size[0]} x {size[1]}",
            remedy="resize the picture, or compile the model with another --shape",
        )
    if picture.mode.startswith(_DEEP_MODES):
        raise InputError(
            "the picture has more than 8 bits per channel",
            where=str(path),
            found=f"mode {picture.mode}",
            expected="8 bits",
            remedy="convert the picture to 8 bits, or give its values as a .npy file",
        )


def _check_scans(stream: BinaryIO, path: Path) -> None:
    """Count the scans of a JPEG, before any pixel is decoded."""
    with mmap.mmap(stream.fileno(), 0, access=mmap.ACCESS_READ) as data:
        if data[:2] != b"\xff\xd8":
            return
        position, scans = data.find(_START_OF_SCAN), 0
        while position >= 0 and scans <= JPEG_SCANS.most:
            scans += 1
            position = data.find(_START_OF_SCAN, position + 2)
    JPEG_SCANS.check(
        scans,
        InputError,
        "the picture has too many scans",
        where=str(path),
        remedy="save the picture again, as a JPEG that is not progressive or as a PNG",
    )


def _scaled(
    planes: npt.NDArray[np.uint8], tensor: Tensor, scaling: PixelScaling, path: Path
) -> npt.NDArray[Any]:
    """Pixels (C,H,W) as values of the input's type."""
    dtype = tensor.block.dtype
    for option, numbers in (("--mean", scaling.mean), ("--scale", scaling.scale)):
        if len(numbers) not in (1, len(planes)):
            raise InputError(
                f"{option} does not fit the channels of input {tensor.name}",
                where=str(path),
                found=f"{len(numbers)} values",
                expected="1 value" if len(planes) == 1 else f"1 or {len(planes)} values",
                remedy=f"give {option} one number, or one per channel, with commas between",
            )
    if dtype.is_float:
        mean, scale = (
            np.asarray(numbers, np.float32).reshape(-1, 1, 1) for numbers in (scaling.mean, scaling.scale)
        )
        return ((planes.astype(np.float32) - mean) * scale).astype(dtype.numpy)
    if not scaling.is_identity or dtype in (DType.I8, DType.BOOL):
        raise InputError(
            f"pixels cannot be scaled to the type of input {tensor.name}",
            where=str(path),
            found=dtype.value,
            expected="a floating-point input, or unsigned bytes without --mean and --scale",
            remedy="give a .npy file",
        )
    return planes.astype(dtype.numpy)
