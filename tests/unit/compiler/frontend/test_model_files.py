"""Model files and external data that are missing, damaged or elsewhere: one clear error each."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import onnx
import pytest
from bad_models import error_of, parse

from nnc.compiler.frontend.errors import ExternalDataError, ModelFileError, ModelInvalidError
from nnc.compiler.frontend.importer import import_model
from nnc.compiler.frontend.model.messages import tensors, texts


def test_missing_file(tmp_path: Path) -> None:
    assert "no.onnx" in error_of(ModelFileError, tmp_path / "no.onnx").where


def test_empty_file(tmp_path: Path) -> None:
    (tmp_path / "m.onnx").touch()
    assert "empty" in error_of(ModelFileError, str(tmp_path / "m.onnx")).message


def test_folder(tmp_path: Path) -> None:
    error_of(ModelFileError, tmp_path)


@pytest.mark.parametrize("keep", [1, 10, 100, 8000, -1])
def test_truncated_file(weighted: onnx.ModelProto, keep: int) -> None:
    error_of(ModelFileError, weighted.SerializeToString()[:keep])


@pytest.mark.parametrize("data", [b"hello, this is text", b"\x89PNG\r\n\x1a\n" + bytes(64), b"\x00" * 64])
def test_not_onnx(data: bytes) -> None:
    error_of(ModelFileError, data)


def test_too_large_for_protobuf(tmp_path: Path) -> None:
    path = tmp_path / "huge.onnx"
    with path.open("wb") as file:
        file.truncate(1 << 31)  # sparse: takes no room on the disk
    assert "external data" in error_of(ModelFileError, path).remedy


@pytest.fixture
def external(weighted: onnx.ModelProto, tmp_path: Path) -> Path:
    """The same model in a folder of its own, its weight in w.bin beside it."""
    folder = tmp_path / "model"
    folder.mkdir()
    onnx.save_model(
        weighted, folder / "m.onnx", save_as_external_data=True, location="w.bin", size_threshold=0
    )
    return folder / "m.onnx"


def relocate(path: Path, **entries: str) -> None:
    """Change entries of the external data in the model file."""
    model = onnx.load(path, load_external_data=False)
    for entry in model.graph.initializer[0].external_data:
        entry.value = entries.get(entry.key, entry.value)
    path.write_bytes(model.SerializeToString())


def test_external_data_is_read(external: Path) -> None:
    np.testing.assert_array_equal(import_model(external).constants["w"], np.arange(4096))


def test_external_data_missing(external: Path) -> None:
    (external.parent / "w.bin").unlink()
    assert "w.bin" in error_of(ExternalDataError, external).found


def test_external_data_too_short(external: Path) -> None:
    data = external.parent / "w.bin"
    data.write_bytes(data.read_bytes()[:-1])
    assert error_of(ExternalDataError, external).expected == "16384 bytes"


def test_external_data_length_less_than_the_shape(external: Path) -> None:
    relocate(external, length="16380")
    error_of(ExternalDataError, external)


@pytest.mark.parametrize("key", ["offset", "length"])
def test_external_data_with_absurd_numbers(external: Path, key: str) -> None:
    model = onnx.load(external, load_external_data=False)
    del model.graph.initializer[0].external_data[1:]
    model.graph.initializer[0].external_data.add(key=key, value="-4")
    external.write_bytes(model.SerializeToString())
    error_of(ExternalDataError, external)


def test_external_data_above_the_folder(external: Path) -> None:
    (external.parent / "w.bin").rename(external.parent.parent / "w.bin")
    relocate(external, location="../w.bin")
    assert "outside" in error_of(ExternalDataError, external).message


def test_external_data_by_absolute_path(external: Path) -> None:
    relocate(external, location=str(external.parent / "w.bin"))
    assert "outside" in error_of(ExternalDataError, external).message


def test_external_data_through_a_symlink(external: Path) -> None:
    outside = external.parent.parent / "secret.bin"
    (external.parent / "w.bin").rename(outside)
    (external.parent / "w.bin").symlink_to(outside)
    assert "outside" in error_of(ExternalDataError, external).message


def test_external_data_without_a_folder(external: Path) -> None:
    error_of(ExternalDataError, external.read_bytes())


@pytest.mark.parametrize("key", ["offset", "length"])
def test_external_data_with_a_number_of_5000_digits(external: Path, key: str) -> None:
    relocate(external, **{key: "1" * 5000})
    assert len(error_of(ExternalDataError, external).found) < 100


@pytest.mark.parametrize("location", ["w" * 5000, "w/" * 3000, "w\0.bin", "w.bin/w", "", ".", "/dev/null"])
def test_external_data_at_a_place_that_cannot_be(external: Path, location: str) -> None:
    relocate(external, location=location)
    assert len(str(error_of(ExternalDataError, external))) < 2000


@pytest.mark.parametrize("beside_the_model", [True, False])
def test_external_default_of_a_function(
    beside_the_model: bool, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The folder that a user happens to be in has no file of the model, whatever place names it."""
    model = parse(
        "g (float[4] x) => (float[4] y) { y = own.shift (x) }"
        ' <opset_import: ["": 20], domain: "own"> shift <value: tensor = float[4] {1, 2, 3, 4}> (x) => (y)'
        " { c = Constant <value: tensor = @value> () y = Add (x, c) }"
    )
    tensor = model.functions[0].attribute_proto[0].t
    tensor.Clear()
    make_external(tensor)
    users, models = tmp_path / "users", tmp_path / "models"
    users.mkdir()
    models.mkdir()
    (users / "w.bin").write_bytes(b"secret, top secret")
    if beside_the_model:
        (models / "w.bin").write_bytes(np.arange(4, dtype=np.float32).tobytes())
    (models / "m.onnx").write_bytes(model.SerializeToString())
    monkeypatch.chdir(users)
    if beside_the_model:
        (constant,) = import_model(models / "m.onnx").constants.values()
        np.testing.assert_array_equal(constant, np.arange(4))
    else:
        assert "missing" in error_of(ExternalDataError, models / "m.onnx").message
    error_of(ExternalDataError, model)


# --- every place in a model --------------------------------------------------------------------------------


def make_external(tensor: onnx.TensorProto) -> None:
    tensor.data_type, tensor.data_location = onnx.TensorProto.FLOAT, onnx.TensorProto.EXTERNAL
    tensor.dims.append(4)
    tensor.external_data.add(key="location", value="w.bin")


def paths_to(kind: str, descriptor: Any, path: tuple[Any, ...] = ()) -> Iterator[tuple[Any, ...]]:
    """Every way from a message to a field of a type, as fields; a type of message comes twice at most."""
    for field in descriptor.fields:
        if kind in (field.name, getattr(field.message_type, "name", None)):
            yield (*path, field)
        elif field.message_type is not None and sum(f.message_type == field.message_type for f in path) < 2:
            yield from paths_to(kind, field.message_type, (*path, field))


def place(path: tuple[Any, ...]) -> str:
    return ".".join(field.name for field in path)


def holder(message: Any, path: tuple[Any, ...]) -> Any:
    """What the path leads to, made on the way."""
    for field in path:
        message = getattr(message, field.name)
        if hasattr(message, "add"):
            message = message.add()
    return message


def test_every_tensor_in_a_model_is_visited() -> None:
    paths = list(paths_to("TensorProto", onnx.ModelProto.DESCRIPTOR))
    places = {place(path) for path in paths}
    assert {"functions.attribute_proto.t", "training_info.initialization.initializer"} <= places
    assert {"graph.node.attribute.sparse_tensors.indices", "graph.sparse_initializer.values"} <= places
    assert "functions.node.attribute.graphs.node.attribute.tensors" in places
    for path in paths:
        model = onnx.ModelProto(ir_version=9)
        model.graph.SetInParent()
        tensor = holder(model, path)
        make_external(tensor)
        assert list(tensors(model)) == [tensor], place(path)
        error_of(ExternalDataError, model)
        error_of(ExternalDataError, model.SerializeToString())


@pytest.mark.parametrize("field", ["name", "dim_param", "op_type", "domain", "input", "key"])
def test_text_that_is_not_text_is_refused_wherever_it_stands(field: str) -> None:
    for path in paths_to(field, onnx.ModelProto.DESCRIPTOR):
        if path[-1].type != path[-1].TYPE_STRING or {"metadata_props"} & {f.name for f in path}:
            continue
        model = onnx.ModelProto(ir_version=9)
        model.graph.SetInParent()
        message = holder(model, path[:-1])
        if path[-1].is_repeated:
            getattr(message, path[-1].name).append("damaged")
        else:
            setattr(message, path[-1].name, "damaged")
        data = model.SerializeToString().replace(b"damaged", b"\xff\xfe\xff\xfe\xff\xfe\xff")
        assert any(isinstance(t, bytes) for _, t in texts(onnx.load_model_from_string(data))), place(path)
        error_of(ModelInvalidError, data)
