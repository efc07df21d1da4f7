"""A model whose large bytes are read apart is the model that protobuf reads, whatever the file is made of."""

from __future__ import annotations

from io import BytesIO

import numpy as np
import pytest
from google.protobuf.message import DecodeError
from hypothesis import given, settings
from hypothesis import strategies as st
from onnx import ModelProto, TensorProto, helper, numpy_helper

from nnc.compiler.frontend.model.large_values import parse_apart, parse_whole

LARGE, SMALL = (256, 129), (7, 3)


def model(*tensors: TensorProto) -> ModelProto:
    """A model with these initialisers, of which it uses the first."""
    x, y = (helper.make_tensor_value_info(name, TensorProto.FLOAT, [1, 256]) for name in "xy")
    node = helper.make_node("MatMul", ["x", "w"], ["y"], name="product")
    graph = helper.make_graph([node], "g", [x], [y], initializer=tensors)
    return helper.make_model(graph, producer_name="p" * 100_000)


def tensor(name: str, shape: tuple[int, ...], dtype: str = "f4") -> TensorProto:
    values = np.random.default_rng(len(name)).integers(0, 99, shape).astype(dtype)
    return numpy_helper.from_array(values, name)


def together(data: bytes) -> ModelProto:
    """The model of a file that is read apart, with all bytes in their places again."""
    proto, values = parse_apart(BytesIO(data))
    for initializer in proto.graph.initializer:
        if initializer.name in values:
            assert not initializer.HasField("raw_data")
            initializer.raw_data = values.pop(initializer.name).tobytes()
    assert not values
    return proto


def test_only_large_bytes_are_apart() -> None:
    proto = model(tensor("w", LARGE), tensor("small", SMALL), tensor("other", LARGE, "f8"))
    data = proto.SerializeToString()
    found, values = parse_apart(BytesIO(data))
    assert {name: array.nbytes for name, array in values.items()} == {
        "w": 4 * 256 * 129,
        "other": 8 * 256 * 129,
    }
    assert all(array.flags.aligned and not array.flags.writeable for array in values.values())
    assert found.ByteSize() < len(data) - sum(array.nbytes for array in values.values())
    assert together(data) == proto


@pytest.mark.parametrize("what", ["shape", "external", "type", "floats", "twice"])
def test_odd_tensors_stay_whole(what: str) -> None:
    odd = tensor("w", LARGE)
    if what == "shape":  # its few elements belong to the structure, however many bytes it says it has
        odd.dims[:] = [2]
    elif what == "external":
        odd.data_location = TensorProto.EXTERNAL
    elif what == "type":
        odd.data_type = TensorProto.INT4
    elif what == "floats":
        odd = helper.make_tensor("w", TensorProto.FLOAT, LARGE, np.ones(LARGE), raw=False)
    proto = model(odd, tensor("other", LARGE))
    data = proto.SerializeToString()
    if what == "twice":  # the last of several bytes counts
        body, again = odd.SerializeToString(), TensorProto(raw_data=bytes(1 << 17)).SerializeToString()
        data += _wrapped(7, _wrapped(5, body + again))
    parsed, values = parse_apart(BytesIO(data))
    assert set(values) == ({"w", "other"} if what == "twice" else {"other"})
    assert parsed.graph.initializer[-1 if what == "twice" else 0].HasField("raw_data") == (what != "floats")
    whole = parse_whole(BytesIO(data))
    for initializer in parsed.graph.initializer:
        if not initializer.HasField("raw_data") and initializer.name in values:
            initializer.raw_data = values[initializer.name].tobytes()
    assert parsed == whole


def _wrapped(number: int, body: bytes) -> bytes:
    """Bytes as a field."""
    head, length = [number << 3 | 2], len(body)
    while length >= 0x80:
        head.append(length & 0x7F | 0x80)
        length >>= 7
    return bytes([*head, length]) + body


@settings(max_examples=200, deadline=None)
@given(st.integers(0, 2**31), st.integers(0, 255), st.booleans())
def test_broken_files_are_what_protobuf_says(offset: int, byte: int, cut: bool) -> None:
    data = bytearray(model(tensor("w", LARGE), tensor("small", SMALL)).SerializeToString())
    inside = 256 * 129 * 4  # most bytes are those of the large tensor: aim at the others
    place = offset % (len(data) - inside)
    place += inside * (place > data.index(b"w") + 200)
    if cut:
        del data[place:]
    else:
        data[place] = byte
    try:
        whole = parse_whole(BytesIO(bytes(data)))
    except DecodeError:
        with pytest.raises(DecodeError):
            parse_apart(BytesIO(bytes(data)))
        return
    assert together(bytes(data)) == whole
