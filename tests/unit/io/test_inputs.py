"""Inputs from files: sound ones give exact values, hostile ones one clear error and no large allocation."""

from __future__ import annotations

import io
import os
import struct
import tracemalloc
import zipfile
import zlib
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from PIL import Image

from nnc.io.inputs import random_inputs, read_inputs
from nnc.io.pictures import PixelScaling
from nnc.isa.chip.load import load_chip
from nnc.isa.errors import InputError
from nnc.isa.instructions import LoadRows
from nnc.isa.operand import Operand
from nnc.isa.program import Issued, Program, Tensor, TensorRole
from nnc.isa.types import DType

Array = np.ndarray[Any, Any]
PLAIN = PixelScaling()


def taking(**inputs: tuple[DType, tuple[int, ...]]) -> Program:
    """A program without instructions that takes these inputs."""
    tensors, address = [], 0
    for name, (dtype, shape) in inputs.items():
        block = Operand.dense("dram", address, dtype, shape)
        tensors.append(Tensor(name, TensorRole.INPUT, block))
        address += -(-block.nbytes // 64) * 64
    return Program(load_chip("npu"), tuple(tensors), np.zeros(0, np.uint8), (), address)


def read(program: Program, *arguments: object, scaling: PixelScaling = PLAIN) -> dict[str, Array]:
    return read_inputs(program, [str(argument) for argument in arguments], scaling)


def error_of(program: Program, *arguments: object, scaling: PixelScaling = PLAIN) -> str:
    """The error that reading gives; it must not take much memory."""
    tracemalloc.start()
    try:
        with pytest.raises(InputError) as caught:
            read(program, *arguments, scaling=scaling)
        assert tracemalloc.get_traced_memory()[1] < 10_000_000
    finally:
        tracemalloc.stop()
    return str(caught.value)


def written(path: Path, data: bytes) -> Path:
    path.write_bytes(data)
    return path


ONE = taking(x=(DType.F32, (2, 3)))
TWO = taking(x=(DType.F32, (2, 3)), ids=(DType.I64, (4,)))
X = np.arange(6, dtype=np.float32).reshape(2, 3)
IDS = np.array([3, 1, 2, 0])


@pytest.mark.parametrize("dtype", [DType.BF16, DType.E4M3, DType.I4])
def test_types_that_numpy_lacks(tmp_path: Path, dtype: DType) -> None:
    """numpy saves them as mere bytes."""
    program, array = taking(x=(dtype, (2, 3))), X.astype(dtype.numpy)
    np.save(tmp_path / "x.npy", array)
    found = read(program, tmp_path / "x.npy")["x"]
    assert found.dtype == dtype.numpy
    np.testing.assert_array_equal(found, array)
    np.save(tmp_path / "y.npy", X)
    assert "wrong element type" in error_of(program, tmp_path / "y.npy")


# --- npy and npz --------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "array", [X, np.asfortranarray(X), X.astype(">f4")], ids=["C order", "Fortran order", "big endian"]
)
def test_npy(array: Array, tmp_path: Path) -> None:
    np.save(tmp_path / "x.npy", array)
    for argument in (tmp_path / "x.npy", f"x={tmp_path / 'x.npy'}"):
        found = read(ONE, argument)
        assert found["x"].dtype == np.float32
        np.testing.assert_array_equal(found["x"], X)


def test_npz_by_input_name(tmp_path: Path) -> None:
    for save in (np.savez, np.savez_compressed):
        save(tmp_path / "both.npz", x=X, ids=IDS)
        found = read(TWO, tmp_path / "both.npz")
        np.testing.assert_array_equal(found["x"], X)
        np.testing.assert_array_equal(found["ids"], IDS)


def test_npz_for_one_input(tmp_path: Path) -> None:
    np.savez(tmp_path / "single.npz", whatever=X)
    np.savez(tmp_path / "both.npz", x=X, ids=IDS)
    np.save(tmp_path / "ids.npy", IDS)
    found = read(TWO, f"x={tmp_path / 'single.npz'}", f"ids={tmp_path / 'ids.npy'}")
    np.testing.assert_array_equal(found["x"], X)
    found = read(TWO, f"ids={tmp_path / 'both.npz'}", f"x={tmp_path / 'both.npz'}")
    np.testing.assert_array_equal(found["ids"], IDS)


def test_names_and_files_may_contain_equals_signs(tmp_path: Path) -> None:
    program = taking(**{"a=b": (DType.F32, (2, 3))})
    np.save(tmp_path / "c=d.npy", X)
    np.testing.assert_array_equal(read(program, f"a=b={tmp_path / 'c=d.npy'}")["a=b"], X)
    np.testing.assert_array_equal(read(program, tmp_path / "c=d.npy")["a=b"], X)


def test_wrong_names(tmp_path: Path) -> None:
    np.save(tmp_path / "x.npy", X)
    np.savez(tmp_path / "other.npz", x=X, other=X)
    file = tmp_path / "x.npy"
    assert "no such input" in error_of(ONE, f"y={file}")
    assert "which input" in error_of(TWO, file)
    assert "ids" in error_of(TWO, f"x={file}")
    assert "twice" in error_of(ONE, file, f"x={file}")
    assert "for no input" in error_of(ONE, tmp_path / "other.npz")
    assert "no array of that name" in error_of(TWO, f"ids={tmp_path / 'other.npz'}")
    assert "format" in error_of(ONE, tmp_path / "x.csv")
    assert "cannot be read" in error_of(ONE, tmp_path / "none.npz")


def test_wrong_shape_and_type(tmp_path: Path) -> None:
    np.save(tmp_path / "t.npy", X.T)
    np.save(tmp_path / "d.npy", X.astype(np.float64))
    error = error_of(ONE, tmp_path / "t.npy")
    assert "wrong shape for input x" in error and "[3, 2]" in error and "float32 [2, 3]" in error
    assert "float64" in error_of(ONE, tmp_path / "d.npy")


def header(shape: object, descr: str = "'<f4'") -> bytes:
    text = f"{{'descr': {descr}, 'fortran_order': False, 'shape': {shape}, }}\n".encode()
    return b"\x93NUMPY\x01\x00" + struct.pack("<H", len(text)) + text


@pytest.mark.parametrize(
    "data",
    [
        b"",
        b"\x93NUMPY",
        b"\x93NUMPY\x09\x09" + bytes(200),
        header((10**15, 10**15)),
        header((2, 3)),
        header((2, 3), "'|O'") + bytes(48),
        header("(2, 3") + bytes(24),
        header("[" * 5000),
        header("(True, 3)") + bytes(12),
        header("(2, True)") + bytes(8),
        header("(-2, -3)") + bytes(24),
        header("(2L, 3L)") + bytes(23),
        header("(2, 3.0)") + bytes(24),
        header("{2: 3}") + bytes(24),
        header("(2, 3)", "[('a', '<f4')]") + bytes(24),
        header("(2, 3)", "{'names': 3}") + bytes(24),
        header("(2, 3)", "'<f4, <f4'") + bytes(48),
        header("(2, 3)", "('<f4', (2,))") + bytes(48),
        header("(2, 3)", "'\\d'") + bytes(24),
        header((2, 3)).replace(b"False", b"'no'") + bytes(24),
        header((2, 3)).replace(b"}", b", 'more': 1}") + bytes(24),
        b"\x93NUMPY\x02\x00\xff\xff\xff\xff" + b"{" * 100,
    ],
)
def test_hostile_npy(data: bytes, tmp_path: Path) -> None:
    error_of(ONE, written(tmp_path / "x.npy", data))
    with zipfile.ZipFile(tmp_path / "x.npz", "w") as archive:
        archive.writestr("x.npy", data)
    error_of(ONE, tmp_path / "x.npz")


def test_a_bomb_is_not_unpacked(tmp_path: Path) -> None:
    for name, start in (("shape", header((2, 10**8))), ("header", b"\x93NUMPY\x02\x00\xff\xff\xff\x0f")):
        path = tmp_path / f"{name}.npz"
        with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
            archive.writestr("x.npy", start + bytes(200_000_000))
        assert path.stat().st_size < 1_000_000
        error_of(ONE, path)


def test_nothing_is_unpickled(tmp_path: Path) -> None:
    class Evil:
        def __reduce__(self) -> tuple[Any, ...]:
            return (Path.touch, (tmp_path / "executed",))

    np.save(tmp_path / "x.npy", np.array([[Evil()] * 3] * 2, dtype=object), allow_pickle=True)
    assert "object" in error_of(ONE, tmp_path / "x.npy")
    assert not (tmp_path / "executed").exists()


def as_npz() -> bytes:
    buffer = io.BytesIO()
    np.savez_compressed(buffer, x=X)
    return buffer.getvalue()


def as_npy() -> bytes:
    buffer = io.BytesIO()
    np.save(buffer, X)
    return buffer.getvalue()


def as_png(picture: Image.Image) -> bytes:
    buffer = io.BytesIO()
    picture.save(buffer, format="PNG")
    return buffer.getvalue()


def as_jpeg(picture: Image.Image, **options: Any) -> bytes:
    buffer = io.BytesIO()
    picture.save(buffer, format="JPEG", **options)
    return buffer.getvalue()


GREY = taking(image=(DType.F32, (1, 1, 4, 6)))
PIXELS = np.arange(0, 240, 10, dtype=np.uint8).reshape(4, 6)
SOUND = {
    "npy": (ONE, as_npy()),
    "npz": (ONE, as_npz()),
    "png": (GREY, as_png(Image.fromarray(PIXELS))),
    "jpg": (GREY, as_jpeg(Image.fromarray(PIXELS))),
    "jpeg": (GREY, as_jpeg(Image.fromarray(PIXELS), progressive=True)),
}


def test_an_archive_without_arrays_is_named(tmp_path: Path) -> None:
    """As a damaged directory of an archive looks, too."""
    np.savez(tmp_path / "none.npz")
    assert "none.npz" in error_of(ONE, tmp_path / "none.npz")


@pytest.mark.parametrize("kind", SOUND)
@settings(max_examples=300, deadline=None)
@given(data=st.data())
def test_damaged_files_give_an_input_or_an_error(
    kind: str, data: st.DataObject, tmp_path_factory: pytest.TempPathFactory
) -> None:
    program, sound = SOUND[kind]
    damaged = bytearray(sound[: data.draw(st.integers(0, len(sound)))] if data.draw(st.booleans()) else sound)
    for position in data.draw(st.lists(st.integers(0, max(0, len(damaged) - 1)), max_size=4)):
        if damaged:
            damaged[position] = data.draw(st.integers(0, 255))
    path = written(tmp_path_factory.getbasetemp() / f"damaged.{kind}", bytes(damaged))
    try:
        found = read(program, path)
    except InputError as error:
        assert error.where
    else:
        assert [array.shape for array in found.values()] == [program.tensors[0].block.shape]


# --- pictures -----------------------------------------------------------------------------------------------


def png(path: Path, picture: Image.Image) -> Path:
    return written(path, as_png(picture))


@pytest.mark.parametrize("shape", [(1, 1, 4, 6), (1, 4, 6), (4, 6)])
def test_grey_pictures(shape: tuple[int, ...], tmp_path: Path) -> None:
    path = png(tmp_path / "p.png", Image.fromarray(PIXELS))
    found = read(taking(image=(DType.F32, shape)), path, scaling=PixelScaling((5.0,), (0.5,)))["image"]
    np.testing.assert_array_equal(found, ((PIXELS.astype(np.float32) - 5) * 0.5).reshape(shape))


def test_colours_come_as_planes_with_a_scale_each(tmp_path: Path) -> None:
    pixels = np.random.default_rng(0).integers(0, 256, (4, 6, 3), dtype=np.uint8)
    path = png(tmp_path / "p.png", Image.fromarray(pixels))
    program = taking(image=(DType.F32, (1, 3, 4, 6)))
    found = read(program, path, scaling=PixelScaling((1.0, 2.0, 3.0), (1.0, 0.5, 0.25)))["image"]
    for channel, (mean, scale) in enumerate([(1, 1), (2, 0.5), (3, 0.25)]):
        expected = (pixels[:, :, channel].astype(np.float32) - mean) * scale
        np.testing.assert_array_equal(found[0, channel], expected)


def test_channels_are_converted(tmp_path: Path) -> None:
    grey = png(tmp_path / "grey.png", Image.fromarray(PIXELS))
    found = read(taking(image=(DType.F32, (1, 3, 4, 6))), grey)["image"]
    for channel in range(3):
        np.testing.assert_array_equal(found[0, channel], PIXELS)
    white = Image.new("RGBA", (6, 4), (255, 255, 255, 0))
    np.testing.assert_array_equal(read(GREY, png(tmp_path / "w.png", white))["image"], 255)
    palette = Image.fromarray(PIXELS).convert("P")
    np.testing.assert_array_equal(read(GREY, png(tmp_path / "p.png", palette))["image"][0, 0], PIXELS)


def test_bytes_stay_bytes(tmp_path: Path) -> None:
    path = png(tmp_path / "p.png", Image.fromarray(PIXELS))
    program = taking(image=(DType.U8, (1, 1, 4, 6)))
    np.testing.assert_array_equal(read(program, path)["image"][0, 0], PIXELS)
    assert "cannot be scaled" in error_of(program, path, scaling=PixelScaling((0.0,), (0.5,)))
    assert "cannot be scaled" in error_of(taking(image=(DType.I8, (1, 1, 4, 6))), path)


def test_pictures_that_do_not_fit(tmp_path: Path) -> None:
    path = png(tmp_path / "p.png", Image.fromarray(PIXELS.T))
    error = error_of(GREY, path)
    assert "4 x 6 pixels" in error and "expected: 6 x 4" in error
    good = png(tmp_path / "g.png", Image.fromarray(PIXELS))
    assert "does not take one picture" in error_of(taking(image=(DType.F32, (2, 1, 4, 6))), good)
    assert "does not take one picture" in error_of(taking(image=(DType.F32, (24,))), good)
    assert "--mean does not fit" in error_of(GREY, good, scaling=PixelScaling((1.0, 2.0, 3.0)))
    deep = png(tmp_path / "d.png", Image.fromarray(PIXELS.astype(np.uint16) * 257))
    assert "more than 8 bits" in error_of(GREY, deep)
    gif = tmp_path / "j.png"
    Image.fromarray(PIXELS).save(gif, format="GIF")
    assert "not a PNG or JPEG" in error_of(GREY, gif)


@pytest.mark.parametrize("suffix", ["jpg", "jpeg", "JPG"])
@pytest.mark.parametrize("progressive", [False, True])
def test_jpegs(suffix: str, progressive: bool, tmp_path: Path) -> None:
    """As pillow decodes them, and close to what was saved; by another name, too."""
    y, x = np.mgrid[:24, :32]
    colours = np.stack([8 * x, 10 * y, 255 - 4 * (x + y)], axis=2).astype(np.uint8)
    data = as_jpeg(Image.fromarray(colours), quality=95, progressive=progressive)
    decoded = np.asarray(Image.open(io.BytesIO(data))).astype(np.float32)
    assert np.abs(decoded - colours).mean() < 4
    program = taking(image=(DType.F32, (1, 3, 24, 32)))
    for name in (f"p.{suffix}", "p.png"):
        pixels = read(program, written(tmp_path / name, data), scaling=PixelScaling((8.0,), (0.5,)))["image"]
        np.testing.assert_array_equal(pixels[0], (decoded.transpose(2, 0, 1) - 8) * 0.5)
    grey = read(taking(image=(DType.U8, (24, 32))), tmp_path / "p.png")["image"]
    np.testing.assert_array_equal(grey, np.asarray(Image.open(io.BytesIO(data)).convert("L")))
    assert "32 x 24 pixels" in error_of(GREY, tmp_path / "p.png")
    cut = error_of(program, written(tmp_path / "cut.jpg", data[: len(data) // 2]))
    assert "not a PNG or JPEG picture that can be read" in cut


def test_a_jpeg_of_many_scans_is_refused_before_it_is_decoded(tmp_path: Path) -> None:
    """Each scan goes over the whole picture: a file of a few bytes more would take any time."""
    data = as_jpeg(Image.fromarray(PIXELS), progressive=True)
    last = data[data.rindex(b"\xff\xda") : -2]
    many = written(tmp_path / "many.jpg", data[:-2] + last * 1001 + data[-2:])
    error = error_of(GREY, many)
    assert "too many scans" in error and "at most 1000 scans" in error
    few = written(tmp_path / "few.jpg", data[:-2] + last * 10 + data[-2:])
    assert read(GREY, few)["image"].shape == (1, 1, 4, 6)


def chunk(kind: bytes, data: bytes) -> bytes:
    return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))


def test_a_huge_picture_is_refused_by_its_header(tmp_path: Path) -> None:
    for side in (20_000, 100_000):
        header_chunk = chunk(b"IHDR", struct.pack(">IIBBBBB", side, side, 8, 0, 0, 0, 0))
        data = b"\x89PNG\r\n\x1a\n" + header_chunk + chunk(b"IDAT", zlib.compress(bytes(1000)))
        error_of(GREY, written(tmp_path / "huge.png", data))


# --- random -------------------------------------------------------------------------------------------------


def test_random_inputs() -> None:
    program = taking(
        x=(DType.F32, (1000,)), h=(DType.F16, (5,)), b=(DType.BOOL, (100,)), i=(DType.I8, (100,))
    )
    first, again, other = (random_inputs(program, seed) for seed in (1, 1, 2))
    for tensor in program.tensors:
        array = first[tensor.name]
        assert array.shape == tensor.block.shape
        assert array.dtype == tensor.block.dtype.numpy
        np.testing.assert_array_equal(array, again[tensor.name])
    assert (first["x"] != other["x"]).any()
    assert abs(first["x"].mean()) < 0.2 and 0.8 < first["x"].std() < 1.2
    assert set(first["b"].tolist()) == {False, True}
    assert 0 <= first["i"].min() < first["i"].max() < 10


def test_random_indices_are_valid() -> None:
    program = taking(ids=(DType.I64, (500,)))
    rows = LoadRows(
        dst=Operand.dense("sram", 0, DType.F32, (500, 1)),
        src=Operand.dense("dram", 0, DType.F32, (3, 1)),
        index=Operand.dense("sram", 4096, DType.I64, (500,)),
    )
    indexed = Program(
        program.chip, program.tensors, program.constants, (Issued(0, rows),), program.dram_bytes
    )
    assert set(random_inputs(indexed, 0)["ids"].tolist()) == {0, 1, 2}


# --- files without an end, and small files with much in them -----------------------------------------------


@pytest.mark.parametrize("suffix", [".npy", ".npz", ".png", ".jpg"])
def test_devices_and_pipes_are_refused(suffix: str, tmp_path: Path) -> None:
    """Reading these would never end."""
    device, pipe = tmp_path / f"device{suffix}", tmp_path / f"pipe{suffix}"
    device.symlink_to("/dev/zero")
    os.mkfifo(pipe)
    program = taking(x=(DType.F32, (1, 1, 2, 2)))
    for path in (device, pipe):
        assert "expected a regular file" in error_of(program, path)


@pytest.mark.parametrize("pixels", [2, 30_000])
def test_a_picture_of_a_few_bytes_with_much_in_it(pixels: int, tmp_path: Path) -> None:
    """100 MB of zeros, as the pixels of a larger picture or as a text beside them."""
    zeros = zlib.compress(bytes(100_000_000), 1)
    header = chunk(b"IHDR", struct.pack(">IIBBBBB", pixels, pixels, 8, 0, 0, 0, 0))
    middle = chunk(b"zTXt", b"note\0\0" + zeros) if pixels == 2 else b""
    data = zlib.compress(bytes(6)) if pixels == 2 else zeros
    picture = b"\x89PNG\r\n\x1a\n" + header + middle + chunk(b"IDAT", data) + chunk(b"IEND", b"")
    assert len(picture) < 10**6
    error = error_of(taking(x=(DType.F32, (1, 1, 2, 2))), written(tmp_path / "p.png", picture))
    assert "PNG" in error or "size of the input" in error
