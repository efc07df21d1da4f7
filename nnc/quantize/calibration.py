"""Calibration data: samples of the inputs of a model, from pictures, from an archive, or random."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from math import prod
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from nnc.io.inputs import describe, open_npz, read_array, read_file
from nnc.io.pictures import SUFFIXES as PICTURES
from nnc.io.pictures import PixelScaling
from nnc.isa.errors import InputError
from nnc.isa.limits import SAMPLES
from nnc.isa.program import Tensor
from nnc.isa.types import DType

Array = npt.NDArray[Any]
Feed = dict[str, Array]
_RANDOM_SEED = 0


@dataclass(frozen=True)
class Samples:
    """Feeds of a model, made when they are asked for.

    Attributes:
        count: how many.
        feed: the inputs of sample 0 … count - 1 by name.
        source: where they come from, in words.
    """

    count: int
    feed: Callable[[int], Feed]
    source: str


def read_samples(path: Path, inputs: Sequence[Tensor], scaling: PixelScaling) -> Samples:
    """Samples from a folder of pictures (PNG, JPEG) and arrays, in the order of their names, or from .npz.

    Args:
        inputs: of the model; a folder of anything but .npz files is for a model with one input.
        scaling: how pixels become values.

    Raises:
        InputError: nothing is there, or it does not fit the inputs.  Files of a folder are judged when they
            are read.
    """
    try:
        if path.is_dir():
            return _folder(path, inputs, scaling)
        if path.suffix.lower() != ".npz":
            raise InputError(
                "calibration data are a folder of pictures or an archive",
                where=str(path),
                found="no such file" if not path.exists() else f"a file {path.suffix or 'without a suffix'}",
                expected="a folder with .png or .jpg files, or a .npz file with an array per input",
                remedy="give a folder of pictures, or write the samples with numpy.savez",
            )
        return _archive(path, {tensor.name: tensor for tensor in inputs})
    except OSError as error:
        raise InputError(
            "the file or folder cannot be read",
            where=str(path),
            found=error.strerror or str(error),
            remedy="give an existing file or folder: --calibration DIR|FILE.npz",
        ) from error


def random_samples(inputs: Sequence[Tensor], count: int) -> Samples:
    """Normal floats, zeros and ones for integers: fit for measuring traffic and speed, not for accuracy."""

    def feed(index: int) -> Feed:
        generator = np.random.default_rng((_RANDOM_SEED, index))
        return {tensor.name: _random(generator, tensor) for tensor in inputs}

    return Samples(count, feed, "random data")


def _random(generator: np.random.Generator, tensor: Tensor) -> Array:
    shape, dtype = tensor.block.shape, tensor.block.dtype
    values = generator.standard_normal(shape) if dtype.is_float else generator.integers(0, 2, shape)
    return np.asarray(values).astype(dtype.numpy)


def samples_of(arrays: Mapping[str, npt.ArrayLike], inputs: Sequence[Tensor]) -> Samples:
    """Samples from arrays by the names of the inputs, whose first axis counts samples.

    Raises:
        InputError: they do not fit the inputs.
    """
    tensors = {tensor.name: tensor for tensor in inputs}
    _insist_on_names(list(arrays), tensors, "data")
    given = {name: np.asarray(array) for name, array in arrays.items()}
    for name, tensor in tensors.items():
        _fitting(tensor, name)(given[name].shape, given[name].dtype)
    return _stacked(given, tensors, "data", "arrays")


def samples_in(folder: Path) -> list[Path]:
    """The samples in a folder, by name: its pictures; if it has none its .npy files, else its .npz files."""
    files = sorted(file for file in folder.iterdir() if file.is_file())
    for kind in (PICTURES, (".npy",), (".npz",)):
        if samples := [file for file in files if file.suffix.lower() in kind]:
            return samples
    return []


def _folder(path: Path, inputs: Sequence[Tensor], scaling: PixelScaling) -> Samples:
    """A sample in each file."""
    all_files, files = list(path.iterdir()), samples_in(path)
    is_archives = bool(files) and files[0].suffix.lower() == ".npz"
    if len(inputs) != 1 and not is_archives:
        raise InputError(
            "a folder of pictures is for a model with one input",
            where=str(path),
            found=" and ".join(map(describe, inputs)) or "no input",
            remedy="give a .npz file with an array per input, the first axis counting samples",
        )
    if not files:
        raise InputError(
            "the folder has no pictures",
            where=str(path),
            found=f"{len(all_files)} other files" if all_files else "an empty folder",
            expected="files *.png or *.jpg of the size of the input, *.npy or *.npz",
            remedy="put PNG or JPEG pictures into the folder, or give a .npz file",
        )
    tensors = {tensor.name: tensor for tensor in inputs}

    def feed(index: int) -> Feed:
        arrays = dict(read_file(files[index], "", tensors, scaling))
        _insist_on_names(list(arrays), tensors, str(files[index]))
        return arrays

    others = len(all_files) - len(files)
    what = "pictures" if files[0].suffix.lower() in PICTURES else "samples"
    left_out = f" ({others} files that are no {what} left out)" if others else ""
    return Samples(len(files), feed, f"{path}{left_out}")


def _archive(path: Path, tensors: dict[str, Tensor]) -> Samples:
    arrays: dict[str, Array] = {}
    with open_npz(path) as (archive, members):
        _insist_on_names(list(members), tensors, str(path))
        for name, tensor in tensors.items():
            with archive.open(members[name]) as stream:
                where = f"{path}: {name}"
                arrays[name] = read_array(stream, where, _fitting(tensor, where))
    return _stacked(arrays, tensors, str(path), str(path))


def _insist_on_names(names: Sequence[str], tensors: Mapping[str, Tensor], where: str) -> None:
    """Raise InputError unless there is an array for each input, and none besides."""
    if set(names) != set(tensors):
        raise InputError(
            "the arrays are not those of the inputs",
            where=where,
            found=", ".join(names[:20]) or "no array",
            expected=", ".join(map(describe, tensors.values())) or "no input at all",
            remedy="name the arrays of a .npz file like the inputs",
        )


def _stacked(arrays: Mapping[str, Array], tensors: Mapping[str, Tensor], where: str, source: str) -> Samples:
    """Samples from arrays that fit; there must be as many of each.

    Args:
        where: what errors call them.
        source: what reports call them.
    """
    counts = {name: len(array) for name, array in arrays.items()}
    if len(set(counts.values())) != 1 or not min(counts.values(), default=0):
        raise InputError(
            "the inputs have no sample" if not any(counts.values()) else "the inputs have unequal samples",
            where=where,
            found=", ".join(f"{name} {count}" for name, count in counts.items()) or "no array",
            expected="the same number of samples, along the first axis of every array",
            remedy="stack as many samples of each input",
        )

    def feed(index: int) -> Feed:
        return {name: array[index].reshape(tensors[name].block.shape) for name, array in arrays.items()}

    return Samples(next(iter(counts.values())), feed, source)


def _fitting(tensor: Tensor, where: str) -> Callable[[tuple[int, ...], np.dtype[Any]], None]:
    """Insists on samples of a tensor: its shape behind an axis of samples; a batch of 1 may be left out."""
    shape, dtype = tensor.block.shape, tensor.block.dtype

    def fits(extents: tuple[int, ...], element_type: np.dtype[Any]) -> None:
        shapes = [shape, shape[1:]] if shape[:1] == (1,) else [shape]
        samples = " or ".join(str(["samples", *s]).replace("'", "") for s in shapes)
        right = bool(extents) and extents[1:] in shapes and _type_of(element_type) is dtype
        if not right:
            raise InputError(
                f"the array is not samples of input {tensor.name}",
                where=where,
                found=f"{element_type} {list(extents)}",
                expected=f"{dtype.numpy} {samples}",
                remedy="stack samples of the input along a first axis, in its element type: numpy.stack",
            )
        SAMPLES.check(
            prod(extents) * element_type.itemsize,
            InputError,
            "the samples are too large",
            where=where,
            remedy="give fewer samples: a few hundred are enough",
        )

    return fits


def _type_of(dtype: np.dtype[Any]) -> DType | None:
    try:
        return DType.from_numpy(dtype)
    except ValueError:
        return None
