"""The sound files of each kind, which cases are made of: generators of the tests, and onnx's own tests."""

from __future__ import annotations

import sys
import warnings
from collections.abc import Callable, Iterator, Sequence
from functools import cache
from importlib import import_module
from pathlib import Path
from typing import Any
from zlib import crc32

import onnx
from hypothesis import HealthCheck, Phase, given, seed, settings
from onnx.backend.test.loader import load_model_tests

import nnc
from bench.fuzz.outcomes import ROOT
from nnc.isa.assembly.disassembler import disassemble, needs_constants_file
from nnc.isa.chip.load import chip_text, preset_names
from nnc.isa.errors import NncError
from nnc.isa.program import Program
from nnc.isa.program_file.binary import encode

HELPERS = ROOT / "tests" / "helpers"
LARGEST = 1 << 16
"""Bytes of the largest model that cases are made of."""
Corpus = list[list[bytes]]
"""Files in groups; a case is made of a file of a random group, so that few networks weigh as much as many
models of one operator."""


def models() -> Corpus:
    """Random networks in floats, half precision and integers, and models of one operator."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", RuntimeWarning)  # constants and tests overflow on purpose
        return _models()


def _models() -> Corpus:
    single = [*_operator_cases(), *_backend_tests()]
    groups = [*_random_networks(), *_seeded_networks(), single, single, single]
    return [_small(group) for group in groups]


@cache
def programs() -> tuple[Program, ...]:
    """Some of the models, compiled for all presets."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", RuntimeWarning)
        return tuple(_compiled())


def _compiled() -> Iterator[Program]:
    chosen = [group[::7][:3] for group in [*_random_networks(), *_seeded_networks()]]
    chosen.append(_operator_cases()[::19])
    for model in (model for group in chosen for model in group):
        name = preset_names()[crc32(model.SerializeToString()) % len(preset_names())]
        try:
            yield nnc.compile(model, name)
        except NncError:
            continue  # this chip does not take it; others do


def program_files() -> Corpus:
    """Program files."""
    return [[encode(program) for program in programs()]]


def program_texts() -> Corpus:
    """Program texts, constants included."""
    return [[disassemble(program).encode() for program in programs() if not needs_constants_file(program)]]


def chips() -> Corpus:
    """The presets, and chips of the tests."""
    files = sorted((HELPERS / "chips").glob("*.toml"))
    return [[chip_text(name).encode() for name in (*preset_names(), *map(str, files))]]


def files_in(folder: Path, suffix: str) -> list[bytes]:
    """The contents of the files in a folder whose names have an ending."""
    return [file.read_bytes() for file in sorted(folder.glob(f"*{suffix}"))]


def _small(group: Sequence[onnx.ModelProto]) -> list[bytes]:
    return [data for model in group if len(data := model.SerializeToString(deterministic=True)) <= LARGEST]


def _helper(module: str) -> Any:
    """A module that the tests share."""
    if str(HELPERS) not in sys.path:
        sys.path.append(str(HELPERS))
    return import_module(module)


def _random_networks(count: int = 25) -> Iterator[list[onnx.ModelProto]]:
    """Networks of the strategies of the tests: always the same ones."""
    networks = _drawn(_helper("random_networks").networks(), count)
    yield networks
    yield [_helper("half_models").to_half(network) for network in networks[::3]]
    yield _drawn(_helper("random_shared_tensors").shared_networks(), count)
    yield _drawn(_helper("random_rearranged").rearranged_networks(), count)
    yield _drawn(_helper("random_control").control_networks(), count)
    convolutions = _helper("conv_models")
    yield [convolutions.float_conv(conv) for conv in _drawn(convolutions.convolutions(), count)]
    yield [convolutions.integer_conv(conv)[0] for conv in _drawn(convolutions.convolutions(), count)]


def _seeded_networks(count: int = 15) -> Iterator[list[onnx.ModelProto]]:
    makers: list[Callable[[int], onnx.ModelProto]] = [
        _helper("integer_networks").integer_network,
        _helper("random_attention").random_attention,
        _helper("random_contractions").random_contraction,
        _helper("random_recurrent").random_recurrent,
    ]
    for make in makers:
        yield [make(number) for number in range(count)]


def _drawn(strategy: Any, count: int) -> list[Any]:
    """What hypothesis draws first."""
    drawn: list[Any] = []

    @seed(0)
    @settings(
        max_examples=count,
        database=None,
        phases=[Phase.generate],
        deadline=None,
        suppress_health_check=list(HealthCheck),
    )
    @given(strategy)
    def keep(value: Any) -> None:
        drawn.append(value)

    keep()
    return drawn


@cache
def _operator_cases() -> list[onnx.ModelProto]:
    """Every operator in every form that the tests have."""
    cases = _helper("operator_cases")
    return [cases.build(case, case.opsets[-1]) for case in cases.CASES]


def _backend_tests() -> list[onnx.ModelProto]:
    """The models of one operator of onnx's backend tests."""
    tests = load_model_tests(kind="node")
    return [case.model for case in tests if case.model is not None and "_expanded" not in case.name]
