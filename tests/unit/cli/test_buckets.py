"""Buckets: one file for texts of any length up to the largest, run in the smallest program that has room."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import onnx
import pytest
from cli_harness import fails, ok
from pass_harness import model_of

import nnc
from nnc.compilation import bucket_entries
from nnc.isa.errors import InputError, OptionError

TEXT = """(float[1,tokens,8] x) => (float[1,tokens,4] y) {
    h = MatMul (x, a)  r = Relu (h)  y = MatMul (r, b)
}"""


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("buckets")
    onnx.save(model_of(TEXT, {"a": (8, 16), "b": (16, 4)}), folder / "words.onnx")
    ok("compile", folder / "words.onnx", "--bucket", "tokens=16,4,9", "-O0", "-o", folder / "words.bin")
    rng = np.random.default_rng(0)
    for count in (3, 9, 12, 17):
        np.save(folder / f"{count}.npy", rng.standard_normal((1, count, 8)).astype(np.float32))
    return folder


def test_names_and_order() -> None:
    assert list(bucket_entries({"n": (4, 1), "m": (3,)}).items()) == [
        ("n1-m3", {"n": 1, "m": 3}),
        ("n4-m3", {"n": 4, "m": 3}),
    ]
    assert bucket_entries({}) == {}
    with pytest.raises(OptionError, match="buckets need sizes"):
        bucket_entries({"n": ()})


@pytest.mark.parametrize(("given", "taken"), [(3, 4), (9, 9), (12, 16)])
def test_the_smallest_that_has_room_is_taken(folder: Path, given: int, taken: int) -> None:
    text = ok("run", folder / "words.bin", "--input", folder / f"{given}.npy", "--output-dir", folder / "out")
    assert f"entry         tokens{taken}, inputs filled up with {taken - given} places" in text
    y = np.load(folder / "out" / "y.npy")
    assert y.shape == (1, taken, 4) and not y[:, given:].any()
    session = nnc.EntrySession(nnc.load_entries(folder / "words.bin"))
    (same,) = session.run(None, {"x": np.load(folder / f"{given}.npy")})
    np.testing.assert_array_equal(y, same)
    alone = nnc.compile(folder / "words.onnx", shapes={"x": (1, given, 8)})
    (right,) = nnc.Session(alone).run(None, {"x": np.load(folder / f"{given}.npy")})
    np.testing.assert_allclose(y[:, :given], right, rtol=1e-5)


def test_no_bucket_has_room(folder: Path) -> None:
    message = fails("NNC-E050", folder, "run", folder / "words.bin", "--input", folder / "17.npy")
    assert "wrong shape" in message
    session = nnc.EntrySession(nnc.load_entries(folder / "words.bin"))
    with pytest.raises(InputError, match="no entry has inputs of these shapes"):
        session.run(None, {"x": np.load(folder / "17.npy")})
    assert "several programs" in fails("NNC-E030", folder, "run", folder / "words.bin")


def test_reports_have_a_section_for_each(folder: Path) -> None:
    arguments = ["compile", folder / "words.onnx", "--bucket", "tokens=4,9", "-O0"]
    assert "entry     tokens4: tokens = 4" in ok(*arguments)
    assert list(json.loads(ok(*arguments, "--json"))["entries"]) == ["tokens4", "tokens9"]


def test_entries_that_are_no_buckets_are_not_filled_up(folder: Path) -> None:
    both = ["--entry", "one:tokens=1", "--bucket", "tokens=4"]
    ok("compile", folder / "words.onnx", *both, "-O0", "-o", folder / "both.bin")
    assert "several programs" in fails(
        "NNC-E030", folder, "run", folder / "both.bin", "--input", folder / "3.npy"
    )
    assert "name of a bucket" in fails(
        "NNC-E001", folder, "compile", folder / "words.onnx", "--entry", "n1:n=1", "--bucket", "n=1"
    )


def test_padded_tokens_add_no_rows_to_states(folder: Path) -> None:
    """A cache gets three rows in a bucket of four: the state holds three, and the next run goes on there."""
    ports = (
        "(float[1,12,8] cache, float[1,tokens,8] x, int64[1] start) => (float[1,12,8] next, float[1,12] sums)"
    )
    text = f"""{ports} {{
        next = TensorScatter <axis=1> (cache, x, start)  sums = ReduceSum <keepdims=0> (next, last)
    }}"""
    model = model_of(text, last=[2])
    model.opset_import[0].version = 24
    onnx.save(model, folder / "cache.onnx")
    sizes = ["--state", "cache=next", "--bucket", "tokens=1,4"]
    ok("compile", folder / "cache.onnx", *sizes, "-O0", "-o", folder / "cache.bin")
    x = np.load(folder / "3.npy")
    np.savez(folder / "first.npz", x=x, start=np.array([0]))
    np.savez(folder / "second.npz", x=x[:, :1], start=np.array([3]))
    run = ["run", folder / "cache.bin", "--output-dir", folder / "sums"]
    ok(*run, "--input", folder / "first.npz", "--save-state", folder / "state.npz")
    ok(*run, "--input", folder / "second.npz", "--state", folder / "state.npz")
    expected = np.concatenate([x, x[:, :1]], axis=1).sum(axis=2)
    np.testing.assert_allclose(np.load(folder / "sums" / "sums.npy")[:, :4], expected, rtol=1e-5)
