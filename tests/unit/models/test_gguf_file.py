"""GGUF files: their weights are those that llama.cpp's own package reads, their tokens those of a text."""

from __future__ import annotations

from pathlib import Path

import gguf
import numpy as np
import pytest
from decoder_model import KINDS, SHAPE, write_gguf
from gguf.quants import dequantize, quantize

from nnc.models.decoder import Blocks, Decoder, real_numbers
from nnc.models.gguf_file import GgufFile, _blocks

ROWS = np.random.default_rng(0).standard_normal((6, 96)).astype(np.float32)


@pytest.mark.parametrize("kind", ["Q4_0", "Q4_1", "Q8_0"])
def test_blocks_are_the_numbers_of_the_file(kind: str) -> None:
    flat = ROWS.copy()
    flat[2, 32:64] = 0.375  # a block without a scale
    of_file = gguf.GGMLQuantizationType[kind]
    data = quantize(flat, of_file)
    blocks = _blocks(kind, data)
    assert blocks.bits == (8 if kind == "Q8_0" else 4) and blocks.size == 32
    np.testing.assert_allclose(real_numbers(blocks), dequantize(data, of_file), rtol=0, atol=1e-6)


def test_packed_integers_have_the_lowest_bits_first() -> None:
    integers = np.arange(64, dtype=np.uint8).reshape(2, 32) % 16
    packed = Blocks(integers, np.ones((2, 1), np.float32), None, 4).packed()
    assert packed.shape == (2, 16)
    assert [int(byte) for byte in packed[0, :3]] == [0x10, 0x32, 0x54]


@pytest.mark.parametrize("bits", KINDS)
def test_a_file_is_a_decoder(tmp_path: Path, bits: int) -> None:
    path = tmp_path / "small.gguf"
    write_gguf(path, bits)
    file = GgufFile(path)
    shape = file.shape()
    assert (shape.layers, shape.heads, shape.key_heads, shape.channels) == (2, 4, 2, 16)
    assert (shape.width, shape.hidden, shape.vocabulary) == (SHAPE.width, SHAPE.hidden, SHAPE.vocabulary)
    assert shape.base == SHAPE.base and shape.neighbours
    assert isinstance(file.matrix("blk.1.ffn_down"), Blocks) == (bits < 32)
    model = Decoder(shape, file, tokens=3, length=8).model()
    kinds = {node.op_type for node in model.graph.node}
    assert ("MatMulNBits" in kinds) == (bits < 32)
    assert ("GatherBlockQuantized" in kinds) == (bits == 8)  # blocks of Q4_1 have zeros that are no integers


def test_tokens_are_those_of_the_text(tmp_path: Path) -> None:
    path = tmp_path / "small.gguf"
    write_gguf(path)
    file = GgufFile(path)
    ids = file.encode("he said be<end>")
    assert file.decode(ids) == "he said be" and ids[-1] == file.end() == 0
    assert len(file.encode("be")) == 1
    assert file.chat("hi") == "hi? "
    with pytest.raises(ValueError, match="characters without a token"):
        file.encode("he said: be")


def test_what_begins_a_text(tmp_path: Path) -> None:
    path = tmp_path / "small.gguf"
    write_gguf(path, begins=True)
    assert GgufFile(path).encode("be")[0] == 0 and len(GgufFile(path).encode("be")) == 2


def test_what_would_change_the_network_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "small.gguf"
    write_gguf(path, scaled=True)
    with pytest.raises(ValueError, match=r"rope\.scaling"):
        GgufFile(path).shape()
    write_gguf(path, more="blk.0.attn_q.bias")
    with pytest.raises(ValueError, match=r"not supported: blk\.0\.attn_q\.bias"):
        GgufFile(path).shape()


def test_other_files_are_refused(tmp_path: Path) -> None:
    other, noise = tmp_path / "other.gguf", tmp_path / "noise.gguf"
    write_gguf(other, architecture="gpt2")
    noise.write_bytes(b"GGUF" + bytes(range(60)))
    with pytest.raises(ValueError, match="architecture gpt2"):
        GgufFile(other)
    with pytest.raises(ValueError, match="no GGUF file"):
        GgufFile(noise)


def test_more_tokens_than_there_is_room_for(tmp_path: Path) -> None:
    path = tmp_path / "small.gguf"
    write_gguf(path)
    file = GgufFile(path)
    with pytest.raises(ValueError, match="9 new tokens do not fit a length of 8"):
        Decoder(file.shape(), file, tokens=9, length=8)
