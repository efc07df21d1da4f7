"""bench/program_digests.py: programs that differ have other digests, programs that are renamed have not."""

from __future__ import annotations

import json
import sys
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import numpy as np
import program_digests
import pytest
from program_digests import Case, Digest, cases, differences, digest, read_digests

import nnc
from nnc import models
from nnc.isa.program import Content, Note, TensorRole

SOUND: Digest = dict.fromkeys(program_digests.SECTIONS, "0" * 16)
REFUSED: Digest = {"network": "0" * 16, "refused": "NNC-E041"}


@pytest.fixture(scope="module")
def program() -> nnc.Program:
    return nnc.compile(models.build("lenet5"), "npu", overrides=["memory.sram.bytes=32KiB"])


def renamed(program: nnc.Program, layer: Callable[[str], str], tensor: Callable[[str], str]) -> nnc.Program:
    """The program with other names of layers, and of tensors that are no inputs or outputs."""
    ports = (TensorRole.INPUT, TensorRole.OUTPUT)
    inner = {t.name: t.name if t.role in ports else tensor(t.name) for t in program.tensors}

    def content(found: Content | None) -> Content | None:
        return found and replace(found, buffer=inner.get(found.buffer) or tensor(found.buffer))

    def note(found: Note) -> Note:
        return replace(found, layer=layer(found.layer), contents=tuple(map(content, found.contents)))

    issued = tuple(replace(item, note=note(item.note)) for item in program.issued)
    groups = tuple(replace(group, layers=tuple(map(layer, group.layers))) for group in program.groups)
    tensors = tuple(replace(found, name=inner[found.name]) for found in program.tensors)
    return replace(program, tensors=tensors, issued=issued, groups=groups)


def changed_sections(program: nnc.Program, other: nnc.Program) -> list[str]:
    before, after = digest(program), digest(other)
    return [section for section in before if before[section] != after[section]]


def test_names_do_not_count_if_all_change_alike(program: nnc.Program) -> None:
    reasonless = replace(program, groups=tuple(replace(group, reason="") for group in program.groups))
    other = renamed(reasonless, lambda name: f"layer {name}", lambda name: f"tensor {name}")
    assert changed_sections(reasonless, other) == []


def test_a_layer_that_is_taken_for_another_changes_the_debug_section(program: nnc.Program) -> None:
    layers = list(dict.fromkeys(item.note.layer for item in program.issued))
    other = renamed(program, lambda name: layers[0] if name == layers[1] else name, str)
    assert changed_sections(program, other) == ["debug"]


def test_names_in_a_reason_are_numbered(program: nnc.Program) -> None:
    group = program.groups[0]
    assert group.layers
    name, other = group.layers[0], program.groups[-1].layers[-1]
    assert name != other

    def with_reason(text: str) -> nnc.Program:
        return replace(program, groups=(replace(group, reason=text), *program.groups[1:]))

    before = with_reason(f"{name}: fits")
    same = renamed(with_reason(f"my-{name}: fits"), lambda layer: f"my-{layer}", str)
    assert changed_sections(before, same) == []
    assert changed_sections(before, with_reason(f"{other}: fits")) == ["debug"]
    assert changed_sections(before, with_reason(f"{name}: does not fit")) == ["debug"]


def test_the_name_of_an_output_counts(program: nnc.Program) -> None:
    tensors = [
        replace(tensor, name="y") if tensor.role is TensorRole.OUTPUT else tensor
        for tensor in program.tensors
    ]
    assert "tensors" in changed_sections(program, replace(program, tensors=tuple(tensors)))


def test_every_section_is_told_apart(program: nnc.Program) -> None:
    first = program.issued[0]
    note = replace(first.note, part=first.note.part + 1)
    constants = program.constants.copy()
    constants[0] ^= np.uint8(1)
    others = {
        "tensors": replace(program, dram_bytes=program.dram_bytes + 1),
        "constants": replace(program, constants=constants),
        "instructions": replace(program, issued=(replace(first, core=first.core + 1), *program.issued[1:])),
        "debug": replace(program, issued=(replace(first, note=note), *program.issued[1:])),
    }
    found = {name: changed_sections(program, other) for name, other in others.items()}
    assert found == {name: [name] for name in others}


def test_differences_say_what_differs() -> None:
    before = {"a": SOUND, "b": SOUND, "c": SOUND, "d": REFUSED, "e": SOUND, "f": SOUND}
    after = {
        "a": SOUND,
        "b": SOUND | {"constants": "1", "debug": "1"},
        "c": REFUSED,
        "d": REFUSED | {"refused": "NNC-E040"},
        "e": SOUND | {"network": "1"},
        "g": SOUND,
    }
    assert differences(before, after) == [
        "b: constants, debug",
        "c: refused NNC-E041 now, compiled before",
        "d: refused NNC-E040 now, refused NNC-E041 before",
        "e: another network",
        "f: only before",
        "g: only now",
    ]
    assert differences(before, {}, "a") == ["a: only before"]
    assert differences(before, before) == []


@pytest.mark.parametrize(
    ("text", "said"),
    [
        (None, "cannot be read"),
        ("", "cannot be read"),
        ('{"a": {"network": "0"', "cannot be read"),
        ("[]", "no digests"),
        ("{}", "no digests"),
        ('{"a": "0123"}', "no digests"),
        (json.dumps({"a": {"network": "0", "debug": "1"}}), "no digests"),
    ],
)
def test_a_damaged_file_is_an_error_before_the_work(
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
    text: str | None,
    said: str,
) -> None:
    path = tmp_path / "before.json"
    if text is not None:
        path.write_text(text)
    monkeypatch.setattr(sys, "argv", ["program_digests.py", str(tmp_path / "out"), "--against", str(path)])
    with pytest.raises(SystemExit) as ended:
        program_digests.main()
    assert ended.value.code == 2
    assert said in (message := capsys.readouterr().err) and "write the file with" in message


def test_a_written_file_is_read_again(tmp_path: Path) -> None:
    path = tmp_path / "before.json"
    path.write_text(json.dumps({"a": SOUND, "b": REFUSED}))
    assert read_digests(path) == {"a": SOUND, "b": REFUSED}


def test_cases_cover_builders_presets_and_memories() -> None:
    found = [*cases()]
    assert len({*map(str, found)}) == len(found)
    of_lenet = [case for case in found if case.network == "lenet5"]
    assert {case.chip for case in of_lenet} == {*nnc.isa.chip.load.preset_names()}
    assert {*models.names()} <= {case.network for case in found}
    vdsp12 = [case.most_bytes for case in of_lenet if case.chip == "vdsp12"]
    kib = 1024
    assert vdsp12 == [(), (("sm", 16 * kib), ("am", 192 * kib)), (("sm", 4 * kib), ("am", 48 * kib))]


def test_a_network_that_is_refused_has_its_code() -> None:
    case = Case("mlp-784-1152-10", "npu", (("sram", 64),))
    assert program_digests.digest_of_case(case)["refused"].startswith("NNC-E")
