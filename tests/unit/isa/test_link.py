"""Linked programs: the same work in one DRAM, constants once, states in one place."""

from __future__ import annotations

from typing import Any

import numpy as np
import onnx
import pytest
from exported_decoders import CHANNELS, KINDS, ExportedDecoder
from onnx import parser

import nnc
from nnc.isa.errors import InputError, OptionError, ProgramFileError
from nnc.isa.link import link
from nnc.isa.program import Program, TensorRole
from nnc.isa.program_file.binary import load_entries, load_program, save_program
from nnc.isa.program_file.linked import decode_entries, encode_entries, save_entries
from nnc.runtime.entry_session import EntrySession, entry_for
from nnc.runtime.session import Session
from nnc.runtime.verifier.verify import check

PLACES = 16
Array = Any

NETWORK = """<ir_version: 9, opset_import: ["" : 18]>
network (float["rows",8] x) => (float["rows",8] y) <float[8,8] w = {W}, float[8] b = {B}> {
  a = MatMul(x, w)  c = Add(a, b)  y = Relu(c)
}"""


def network() -> onnx.ModelProto:
    """A product of any number of rows."""
    random = np.random.default_rng(0)
    w, b = (",".join(f"{value:.4f}" for value in random.standard_normal(n)) for n in (64, 8))
    return parser.parse_model(NETWORK.replace("{W}", f"{{{w}}}").replace("{B}", f"{{{b}}}"))


def programs(chip: str = "npu") -> dict[str, Program]:
    """It for one row and for twelve."""
    results = nnc.compile_entries(network(), {"one": {"rows": 1}, "many": {"rows": 12}}, chip)
    return {name: result.program for name, result in results.items()}


@pytest.fixture(scope="module")
def decoder() -> dict[str, Program]:
    """A decoder of text for a token and for four, linked."""
    model, kind = ExportedDecoder(KINDS["llama"]).model(), KINDS["llama"]
    past = {info.name: (1, kind.key_heads, PLACES, CHANNELS) for info in model.graph.input[3:]}
    made = {}
    for name, tokens in (("step", 1), ("prefill", 4)):
        shapes = {"attention_mask": (1, PLACES + tokens), **past}
        made[name] = nnc.compile(
            model, "npu", shapes=shapes, dims={"tokens": tokens}, states="auto", effort=1
        )
    return link(made)


def feeds(before: int, tokens: int) -> dict[str, Array]:
    """Some tokens behind others."""
    held = np.concatenate([np.arange(PLACES) < before, np.ones(tokens, bool)])
    positions = np.arange(before, before + tokens)
    mask = held[None].astype(np.int64)
    return {"input_ids": (positions * 7 % 40)[None], "position_ids": positions[None], "attention_mask": mask}


@pytest.mark.parametrize("chip", ["npu", "npu4", "nna"])
def test_linked_programs_give_the_same_values(chip: str) -> None:
    apart, random = programs(chip), np.random.default_rng(1)
    linked = link(apart)
    for name, program in linked.items():
        check(program, name)
        x = random.standard_normal(program.given_inputs[0].block.shape).astype(np.float32)
        expected = Session(apart[name]).run(None, {"x": x})
        np.testing.assert_array_equal(Session(program, poison=True).run(None, {"x": x}), expected)
        assert Session(program).report.cycles == Session(apart[name]).report.cycles


def test_constants_lie_there_once() -> None:
    apart = programs()
    linked = link(apart)
    assert linked["one"].constants is linked["many"].constants
    sizes = [program.constants.size for program in apart.values()]
    assert max(sizes) <= linked["one"].constants.size < sum(sizes)
    twice = link({"a": apart["one"], "b": apart["one"]})
    assert twice["a"].constants.size <= apart["one"].constants.size
    assert twice["a"].tensors == twice["b"].tensors


def test_states_are_one_tensor(decoder: dict[str, Program]) -> None:
    kept = {state.input for state in decoder["step"].states}
    places = [
        {
            tensor.name: tensor.block.address
            for tensor in program.by_role(TensorRole.INPUT)
            if tensor.name in kept
        }
        for program in decoder.values()
    ]
    assert places[0] == places[1] and len(places[0]) == 4


def test_an_entry_goes_on_from_another(decoder: dict[str, Program]) -> None:
    """Eight tokens, four at once, then one by one, as one by one from the start."""
    session, alone = EntrySession(decoder), Session(decoder["step"])
    expected = [alone.run(None, feeds(before, 1))[0] for before in range(8)]
    (first,) = session.run(None, feeds(0, 4))
    np.testing.assert_allclose(first[0], np.concatenate(expected[:4], axis=1)[0], rtol=1e-4, atol=1e-4)
    for before in range(4, 8):
        (scores,) = session.run(None, feeds(before, 1))
        np.testing.assert_allclose(scores, expected[before], rtol=1e-4, atol=1e-4)
    assert session.position == alone.position == 8
    saved = session.state()
    session.reset()
    assert session.position == 0
    session.restore(saved)
    assert session.position == 8


def test_the_smallest_entry_that_fits_is_padded(decoder: dict[str, Program]) -> None:
    session, alone = EntrySession(decoder), Session(decoder["step"])
    expected = [alone.run(None, feeds(before, 1))[0] for before in range(3)]
    (scores,) = session.run(None, feeds(0, 3), pad=True)
    assert scores.shape[1] == 4 and session.position == 3
    np.testing.assert_allclose(scores[0, :3], np.concatenate(expected, axis=1)[0], rtol=1e-4, atol=1e-4)
    assert entry_for(session.programs, feeds(0, 1), pad=True) == "step"
    with pytest.raises(InputError, match="no entry has inputs of these shapes"):
        session.run(None, feeds(0, 3))
    with pytest.raises(InputError, match="no entry has inputs of these shapes"):
        session.run(None, feeds(0, 5), pad=True)
    with pytest.raises(OptionError, match="no such entry"):
        session.run(None, feeds(0, 1), entry="stop")


def test_file_of_entries(decoder: dict[str, Program], tmp_path: Any) -> None:
    path = tmp_path / "decoder.bin"
    save_entries(decoder, path)
    loaded = load_entries(path)
    assert list(loaded) == ["step", "prefill"]
    for name, program in decoder.items():
        again = load_program(path, entry=name)
        assert (again.tensors, again.issued, again.states) == (
            program.tensors,
            program.issued,
            program.states,
        )
        np.testing.assert_array_equal(again.constants, program.constants)
    assert b"".join(encode_entries(loaded)) == path.read_bytes()
    with pytest.raises(ProgramFileError, match="several programs"):
        load_program(path)
    with pytest.raises(ProgramFileError, match="no such program"):
        load_program(path, entry="stop")
    save_program(decoder["step"], path)
    assert list(load_entries(path)) == [""]
    with pytest.raises(ProgramFileError, match="one program, which has no name"):
        load_program(path, entry="step")


def test_damaged_files_of_entries_are_refused() -> None:
    data = bytearray(b"".join(encode_entries(link(programs()))))
    random = np.random.default_rng(0)
    for _ in range(300):
        damaged = bytearray(data)
        for place in random.integers(0, len(data), random.integers(1, 4)):
            damaged[place] ^= int(random.integers(1, 256))
        with pytest.raises(ProgramFileError):
            decode_entries(memoryview(bytes(damaged)))
    for length in (0, 8, 39, 60, len(data) - 1):
        with pytest.raises(ProgramFileError):
            decode_entries(memoryview(bytes(data[:length])))


def test_what_cannot_be_linked(decoder: dict[str, Program]) -> None:
    with pytest.raises(OptionError, match="no program to link"):
        link({})
    with pytest.raises(OptionError, match="different chips"):
        link({"a": programs()["one"], "b": programs("nna")["one"]})
    with pytest.raises(OptionError, match="not linked"):
        encode_entries(programs())
    with pytest.raises(OptionError, match="no entry"):
        nnc.compile_entries(network(), {})
    with pytest.raises(OptionError, match="different states"):
        EntrySession({"a": decoder["step"], "b": programs()["one"]})
    with pytest.raises(OptionError, match="inputs do not have"):
        nnc.compile(network(), dims={"rows": 2, "columns": 3})


def test_states_of_other_lengths_cannot_be_linked() -> None:
    text = """<ir_version: 9, opset_import: ["" : 18]>
    cell (float["n",4] x, float["n",4] h) => (float["n",4] out) { out = Add(x, h) }"""
    made = {str(n): nnc.compile(parser.parse_model(text), dims={"n": n}, states={"h": "out"}) for n in (1, 2)}
    with pytest.raises(OptionError, match="different forms"):
        link(made)
