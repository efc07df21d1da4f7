"""States: what a session keeps from run to run is what onnxruntime's caller would hand on."""

from __future__ import annotations

import pickle
from typing import Any

import numpy as np
import onnx
import onnxruntime
import pytest
from decoder_model import decoder_model
from exported_decoders import CHANNELS, KINDS, VOCABULARY, ExportedDecoder, Kind
from onnx import parser
from onnx.reference import ReferenceEvaluator
from random_cells import WIDTH, RandomCell

import nnc
from nnc.compiler.frontend.errors import UnsupportedError
from nnc.isa.assembly.assembler import assemble
from nnc.isa.assembly.disassembler import disassemble
from nnc.isa.chip.load import preset_names
from nnc.isa.errors import InputError, OptionError
from nnc.isa.program import Program
from nnc.isa.program_file.binary import decode, encode
from nnc.runtime.session import Session

PLACES, STEPS = 20, 16
Array = Any
Feeds = dict[str, Array]


def reference(model: onnx.ModelProto) -> onnxruntime.InferenceSession:
    """The model in onnxruntime."""
    return onnxruntime.InferenceSession(model.SerializeToString(), providers=["CPUExecutionProvider"])


def results_of(session: onnxruntime.InferenceSession, feeds: Feeds) -> Feeds:
    """All its outputs by name."""
    names = [output.name for output in session.get_outputs()]
    wanted = {info.name for info in session.get_inputs()}
    return dict(zip(names, session.run(names, {n: v for n, v in feeds.items() if n in wanted}), strict=True))


def shapes_of(kind: Kind, tokens: int, layers: int = 2) -> dict[str, tuple[int, ...]]:
    """Shapes of the inputs of an exported decoder with so many places of the past."""
    past = (1, kind.key_heads, PLACES, CHANNELS)
    names = [f"past_key_values.{n}.{part}" for n in range(layers) for part in ("key", "value")]
    new = {"input_ids": (1, tokens), "position_ids": (1, tokens), "attention_mask": (1, PLACES + tokens)}
    return {**new, **dict.fromkeys(names, past)}


def compiled(kind: str, chip: str, tokens: int) -> tuple[onnx.ModelProto, Program]:
    """An exported decoder and its program with states."""
    model = ExportedDecoder(KINDS[kind]).model()
    shapes = shapes_of(KINDS[kind], tokens)
    return model, nnc.compile_model(
        model, chip, shapes=shapes, states="auto", effort=1, verify_each=True
    ).program


def check_steps(model: onnx.ModelProto, session: Session, kind: Kind, tokens: int) -> None:
    """Sixteen tokens give the scores of onnxruntime, which gets the growing past from its caller."""
    exact, random = reference(model), np.random.default_rng(3)
    empty = np.zeros((1, kind.key_heads, 0, CHANNELS), np.float32)
    past = {name: empty for name in shapes_of(kind, tokens) if name.startswith("past")}
    for before in range(0, STEPS, tokens):
        ids = random.integers(0, VOCABULARY, (1, tokens))
        feeds = {"input_ids": ids, "position_ids": np.arange(before, before + tokens)[None]}
        whole = {"attention_mask": np.ones((1, before + tokens), np.int64)}
        expected = results_of(exact, {**feeds, **whole, **past})
        held = np.concatenate([np.arange(PLACES) < before, np.ones(tokens, bool)])
        (logits,) = session.run(None, {**feeds, "attention_mask": held[None].astype(np.int64)})
        np.testing.assert_allclose(logits, expected["logits"], rtol=1e-4, atol=1e-4)
        past = {name: expected[name.replace("past_key_values", "present")] for name in past}
        saved = session.state()
        assert saved.position == before + tokens
        for name, rows in past.items():
            np.testing.assert_allclose(
                saved.tensors[name][:, :, : saved.position], rows, rtol=1e-4, atol=1e-5
            )


CHIPS = ("npu", "npu4", "nna", "vdsp12")


@pytest.mark.parametrize(
    ("kind", "chip"), [(kind, CHIPS[(n + m) % 4]) for n, kind in enumerate(KINDS) for m in (0, 2)]
)
def test_exported_decoder_goes_on(kind: str, chip: str) -> None:
    tokens = 4 if chip == "npu4" else 1
    model, program = compiled(kind, chip, tokens)
    session = Session(program)
    for _ in range(2):
        check_steps(model, session, KINDS[kind], tokens)
        session.reset()


def test_each_row_of_a_state_is_read_once_and_each_new_one_written_once() -> None:
    _, program = compiled("llama", "npu", 1)
    causes = Session(program).ledger.whole
    rows = 4 * KINDS["llama"].key_heads * CHANNELS * 4  # of keys and values of two layers, f32
    assert causes["state"] == (PLACES + 1) * rows
    assert program.state_bytes == PLACES * rows


def test_a_buffer_with_room_keeps_what_grouped_queries_append() -> None:
    """The past of GroupQueryAttention has room; the mask says where a token's keys go."""
    length = 24
    model = decoder_model(1, length, 32)
    session = Session(nnc.compile(model, "npu", states="auto", effort=1))
    exact, random = reference(model), np.random.default_rng(0)
    infos = [info for info in exact.get_inputs() if info.name.startswith("past")]
    past = {info.name: np.zeros(info.shape, np.float32) for info in infos}
    for before in range(length):
        mask = (np.arange(length) <= before).astype(np.int64)[None]
        feeds = {"input_ids": random.integers(0, 50, (1, 1)), "attention_mask": mask}
        expected = results_of(exact, {**feeds, **past})
        (logits,) = session.run(None, feeds)
        np.testing.assert_allclose(logits, expected["logits"], rtol=1e-4, atol=1e-4)
        past = {name: expected[name.replace("past_key_values", "present")] for name in past}
    with pytest.raises(InputError, match="the states are full"):
        session.run(None, feeds)
    session.reset()
    with pytest.raises(InputError, match="of another position than the states"):
        session.run(None, feeds)
    assert session.position == 0


CELL = """<ir_version: 9, opset_import: ["" : 18]>
cell (float[1,4] x, float[1,6] h) => (float[1,3] y, float[1,6] out)
  <float[4,6] w = {WW}, float[6,6] u = {UU}, float[6,3] v = {VV}> {
  a = MatMul(x, w)  b = MatMul(h, u)  c = Add(a, b)  out = Tanh(c)  y = MatMul(out, v)
}"""


def cell() -> onnx.ModelProto:
    """A recurrent cell with random weights."""
    random, text = np.random.default_rng(1), CELL
    for name, count in (("WW", 24), ("UU", 36), ("VV", 18)):
        text = text.replace(name, ",".join(f"{value:.6f}" for value in random.standard_normal(count)))
    return parser.parse_model(text)


@pytest.mark.parametrize("chip", ["npu", "nna", "vdsp12"])
def test_a_state_that_is_replaced(chip: str) -> None:
    model, exact = cell(), reference(cell())
    session = Session(nnc.compile(model, chip, states={"h": "out"}))
    hidden, random = np.zeros((1, 6), np.float32), np.random.default_rng(2)
    for _ in range(5):
        x = random.standard_normal((1, 4)).astype(np.float32)
        expected = results_of(exact, {"x": x, "h": hidden})
        (y,) = session.run(None, {"x": x})
        np.testing.assert_allclose(y, expected["y"], rtol=1e-4, atol=1e-5)
        hidden = expected["out"]
        np.testing.assert_allclose(session.state().tensors["h"], hidden, rtol=1e-4, atol=1e-5)
    assert session.position == 0
    assert [info.name for info in session.get_inputs()] == ["x"]
    assert [info.name for info in session.get_outputs()] == ["y"]


def test_states_are_saved_and_restored() -> None:
    session = Session(nnc.compile(cell(), "npu", states={"h": "out"}))
    x = np.ones((1, 4), np.float32)
    session.run(None, {"x": x})
    saved = session.state()
    (second,) = session.run(None, {"x": x})
    other = Session(session.program)
    other.restore(saved)
    np.testing.assert_array_equal(other.run(None, {"x": x})[0], second)
    fresh = pickle.loads(pickle.dumps(session))
    assert (fresh.state().tensors["h"] == 0).all(), "a copy begins anew"
    with pytest.raises(InputError, match="not of this program"):
        other.restore(type(saved)(0, {}))
    with pytest.raises(InputError, match="not of this program"):
        other.restore(type(saved)(7, saved.tensors))


def test_padded_rows_do_not_count() -> None:
    """A run for four tokens of which two are padding goes on like one for two."""
    model, program = compiled("llama", "npu", 4)
    session, kind = Session(program), KINDS["llama"]
    mask = np.concatenate([np.zeros(PLACES), np.ones(4)])[None].astype(np.int64)
    feeds = {
        "input_ids": np.array([[5, 9, 0, 0]]),
        "position_ids": np.arange(4)[None],
        "attention_mask": mask,
    }
    (logits,) = session.run(None, feeds, rows=2)
    empty = np.zeros((1, kind.key_heads, 0, CHANNELS), np.float32)
    past = {name: empty for name in shapes_of(kind, 4) if name.startswith("past")}
    ids, ones = np.array([[5, 9]]), np.ones((1, 2), np.int64)
    two = {"input_ids": ids, "position_ids": np.arange(2)[None], "attention_mask": ones}
    expected = results_of(reference(model), {**two, **past})["logits"]
    np.testing.assert_allclose(logits[:, :2], expected, rtol=1e-4, atol=1e-4)
    assert session.position == 2
    with pytest.raises(InputError, match="cannot add as many rows"):
        session.run(None, feeds, rows=5)


STATIC = """<ir_version: 9, opset_import: ["" : 18]>
static (float[{shape}] cache, float[{new}] x, int64[{tokens},1] place)
=> (float[{shape}] after, float[{shape}] y) <int64[1] zero = {{0}}> {{ {body}  y = Mul(after, after) }}"""
TURNED = """t = Transpose<perm = [2,0,1,3]>(cache)  u = Transpose<perm = [2,0,1,3]>(x)
  s = ScatterND(t, place, u)  after = Transpose<perm = [1,2,0,3]>(s)"""


@pytest.mark.parametrize("tokens", [1, 2])
@pytest.mark.parametrize(
    ("shape", "axis", "body"),
    [
        ((9, 5), 0, "after = ScatterND(cache, place, x)"),
        ((1, 9, 5), 1, "z = Sub(place, place)  at = Concat<axis = 1>(z, place)"
         "  w = Squeeze(x, zero)  after = ScatterND(cache, at, w)"),
        ((1, 2, 9, 4), 2, TURNED),
    ],
)  # fmt: skip
def test_a_static_cache_gets_rows_by_scatter(
    shape: tuple[int, ...], axis: int, body: str, tokens: int
) -> None:
    """As exporters of PyTorch write `cache[:, :, position] = rows` (index_put)."""
    new = [*shape]
    new[axis] = tokens
    sizes = {"shape": ",".join(map(str, shape)), "new": ",".join(map(str, new)), "tokens": tokens}
    model = parser.parse_model(STATIC.format(**sizes, body=body))
    program = nnc.compile(model, states={"cache": "after"})
    assert program.states[0].axis == axis
    session, exact, random = Session(program), reference(model), np.random.default_rng(0)
    row = int(np.prod(shape)) // shape[axis] * 4
    assert session.ledger.whole["state"] == (shape[axis] + tokens) * row
    cache = np.zeros(shape, np.float32)
    for before in range(0, 6, tokens):
        x = random.standard_normal(new).astype(np.float32)
        feeds = {"x": x, "place": np.arange(before, before + tokens)[:, None]}
        expected = results_of(exact, {**feeds, "cache": cache})
        np.testing.assert_allclose(session.run(None, feeds)[0], expected["y"], rtol=1e-5)
        cache = expected["after"]
    with pytest.raises(InputError, match="of another position than the states"):
        session.run(None, {**feeds, "place": np.zeros((tokens, 1), np.int64)})
    np.testing.assert_array_equal(session.state().tensors["cache"], cache)


def test_program_with_states_in_file_and_text() -> None:
    _, program = compiled("gpt2", "npu", 1)
    assert program.states and decode(encode(program)).states == program.states
    again = assemble(disassemble(program, "c"), constants=lambda _: bytes(program.constants))
    assert again.states == program.states and encode(again) == encode(program)


def test_what_follows_from_the_length_of_the_past_is_refused() -> None:
    """Positions that the model counts itself would be those of a full past."""
    model = ExportedDecoder(KINDS["llama"], positions_of_past=True).model()
    shapes = {name: shape for name, shape in shapes_of(KINDS["llama"], 1).items() if name != "position_ids"}
    with pytest.raises(UnsupportedError, match="length of the past"):
        nnc.compile(model, shapes=shapes, states="auto")
    window = ExportedDecoder(Kind(window=6)).model()  # which keys it sees depends on their places
    with pytest.raises(UnsupportedError, match="length of the past"):
        nnc.compile(window, shapes=shapes_of(Kind(), 1), states="auto")


def test_free_places_in_a_result_are_refused() -> None:
    text = """<ir_version: 9, opset_import: ["" : 18]>
    grow (float[1,"past",4] old, float[1,2,4] new) => (float[1,"total",4] all, float[1,"total",4] twice)
    { all = Concat<axis = 1>(old, new)  twice = Add(all, all) }"""
    with pytest.raises(UnsupportedError, match="places that hold nothing"):
        nnc.compile(parser.parse_model(text), shapes={"old": (1, 6, 4)}, states={"old": "all"})


ATTENTION = """<ir_version: 9, opset_import: ["" : 18]>
grow (float[1,"past",4] old, float[1,1,4] new) => (float[1,"total",4] all, float[1,1,4] y) {{
  all = Concat<axis = 1>(old, new)
  turned = Transpose<perm = [0, 2, 1]>(all)
  scores = MatMul(new, turned)
  {body}
}}"""


@pytest.mark.parametrize(
    "body",
    [
        "weights = Softmax<axis = 1>(scores)  y = MatMul(weights, all)",  # another axis: nothing is hidden
        "y = MatMul(scores, all)",
        "weights = LogSoftmax<axis = 2>(scores)  y = MatMul(weights, all)",
        "weights = Softmax<axis = 2>(scores)  more = Add(weights, weights)"
        "  less = Exp(more)  y = MatMul(less, all)",  # the exponential of zero is one
        "weights = Softmax<axis = 2>(scores)  step = Constant<value_float = 0.01>()"
        "  zero = Constant<value = uint8 {7}>()  codes = QuantizeLinear(weights, step, zero)"
        "  values = QuantizeLinear(all, step, zero)  sums = MatMulInteger(codes, values)"
        "  y = Cast<to = 1>(sums)",  # seven stands for zero, and is multiplied as seven
        "weights = Softmax<axis = 2>(scores)  odd = Reciprocal(all)  y = MatMul(weights, odd)",  # 0 · inf
    ],
)
def test_weights_that_hide_nothing_are_refused(body: str) -> None:
    model = parser.parse_model(ATTENTION.format(body=body))
    with pytest.raises(UnsupportedError, match="places that hold nothing"):
        nnc.compile(model, shapes={"old": (1, 6, 4)}, states={"old": "all"})


def test_weights_that_hide_what_is_free() -> None:
    body = "weights = Softmax<axis = 2>(scores)  y = MatMul(weights, all)"
    model = parser.parse_model(ATTENTION.format(body=body))
    program = nnc.compile(model, shapes={"old": (1, 6, 4)}, states={"old": "all"})
    session, exact = Session(program), reference(model)
    old, random = np.zeros((1, 0, 4), np.float32), np.random.default_rng(0)
    for _ in range(6):
        new = random.standard_normal((1, 1, 4)).astype(np.float32)
        expected = results_of(exact, {"old": old, "new": new})
        np.testing.assert_allclose(session.run(None, {"new": new})[0], expected["y"], rtol=1e-4, atol=1e-5)
        old = expected["all"]


def test_fixed_past_is_refused() -> None:
    text = """<ir_version: 9, opset_import: ["" : 18]>
    grow (float[1,6,4] old, float[1,2,4] new) => (float[1,8,4] all)
    { all = Concat<axis = 1>(old, new) }"""
    with pytest.raises(UnsupportedError, match="fixed length"):
        nnc.compile(parser.parse_model(text), states={"old": "all"})


@pytest.mark.parametrize(
    ("states", "message"),
    [
        ({"h": "missing"}, "an output that the model does not have"),
        ({"missing": "out"}, "an input that the model does not have"),
        ({"h": "out", "x": "out"}, "belongs to two states"),
        ("auto", "no state is found by its name"),
        ("all", "a pair of names"),
    ],
)
def test_wrong_names_are_refused(states: Any, message: str) -> None:
    with pytest.raises(OptionError, match=message):
        nnc.compile(cell(), states=states)


def test_output_of_another_shape_is_refused() -> None:
    with pytest.raises(UnsupportedError, match="cannot take the place"):
        nnc.compile(cell(), states={"h": "y"})


@pytest.mark.parametrize("number", range(18))
def test_random_cells_go_on(number: int) -> None:
    """Networks with states of both kinds, on all presets, as onnxruntime with what its caller hands on."""
    network = RandomCell(number)
    model, places = network.model(), 7
    shapes = {f"past{n}": (1, places, WIDTH) for n in range(network.pasts)}
    chips, words = preset_names(), {"states": network.states, "effort": 1, "verify_each": True}
    result = nnc.compile_model(model, chips[number % len(chips)], shapes=shapes, **words)
    session = Session(result.program, poison=True)
    exact, random = reference(model), np.random.default_rng(number)
    new = (1, network.tokens, WIDTH)
    kept = {f"h{n}": np.zeros(new, np.float32) for n in range(network.hidden)}
    kept |= {f"past{n}": np.zeros((1, 0, WIDTH), np.float32) for n in range(network.pasts)}
    for _ in range(places // network.tokens):
        x = random.standard_normal(new).astype(np.float32)
        expected = results_of(exact, {"x": x, **kept})
        (y,) = session.run(None, {"x": x})
        np.testing.assert_allclose(y, expected["y"], rtol=1e-3, atol=1e-4)
        kept = {before: expected[after] for before, after in network.states.items()}


GROWING = [number for number in range(60) if not RandomCell(number).hidden][:6]


@pytest.mark.parametrize("number", GROWING)
def test_random_entries_go_on_from_each_other(number: int) -> None:
    """Programs for one token and for three, linked, in turn, beside the model for each size."""
    places, models = 9, {str(tokens): RandomCell(number, tokens).model() for tokens in (1, 3)}
    network, chips = RandomCell(number), preset_names()
    shapes = {f"past{n}": (1, places, WIDTH) for n in range(network.pasts)}
    words = {"shapes": shapes, "states": network.states, "effort": 1}
    programs = {name: nnc.compile(m, chips[number % len(chips)], **words) for name, m in models.items()}
    session, exact = nnc.EntrySession(nnc.link(programs)), {n: reference(m) for n, m in models.items()}
    past = {name: np.zeros((1, 0, WIDTH), np.float32) for name in shapes}
    random = np.random.default_rng(number)
    for tokens in (3, 1, 1, 3, 1):
        x = random.standard_normal((1, tokens, WIDTH)).astype(np.float32)
        expected = results_of(exact[str(tokens)], {"x": x, **past})
        np.testing.assert_allclose(session.run(None, {"x": x})[0], expected["y"], rtol=1e-3, atol=1e-4)
        past = {before: expected[after] for before, after in network.states.items()}
    assert session.position == places


def test_a_cache_into_which_tensor_scatter_writes() -> None:
    text = """<ir_version: 13, opset_import: ["" : 24]>
    grow (float[2,6,4] cache, float[2,1,4] new, int64[2] at) => (float[2,6,4] cache_next, float[2,6,4] y)
    { cache_next = TensorScatter<axis = 1>(cache, new, at)  y = Tanh(cache_next) }"""
    model = parser.parse_model(text)
    session = Session(nnc.compile(model, states={"cache": "cache_next"}))
    exact, random = ReferenceEvaluator(model), np.random.default_rng(0)
    cache = np.zeros((2, 6, 4), np.float32)
    for place in range(6):
        feeds = {"new": random.standard_normal((2, 1, 4)).astype(np.float32), "at": np.array([place, place])}
        cache, expected = exact.run(["cache_next", "y"], {"cache": cache, **feeds})
        np.testing.assert_allclose(session.run(None, feeds)[0], expected, rtol=1e-5, atol=1e-6)
        np.testing.assert_array_equal(session.state().tensors["cache"], cache)
    causes = session.ledger.whole
    assert causes["state"] == (6 + 1) * 2 * 4 * 4  # every row read, one written
    session.reset()
    with pytest.raises(InputError, match="of another position"):
        session.run(None, {**feeds, "at": np.array([0, 1])})
