"""The four kinds of cases: of which files they are made, how, and how they are judged."""

from __future__ import annotations

import tomllib
from collections.abc import Callable
from dataclasses import dataclass
from random import Random
from typing import Any

import onnx
import tomli_w
from google.protobuf.message import DecodeError  # type: ignore[import-untyped]

from bench.fuzz import corpora
from bench.fuzz.bytes_mutations import mutated_bytes, mutated_text
from bench.fuzz.corpora import Corpus
from bench.fuzz.judges import judge_chip, judge_model, judge_program, judge_text
from bench.fuzz.model_mutations import mutated_model
from bench.fuzz.program_mutations import mutated_program_file, with_checksum
from bench.fuzz.tree_mutations import TreeMutator
from bench.fuzz.workers import Judge

_BYTES = 0.1
"""Share of cases whose bytes are changed, whatever they mean; most of these are refused at once."""


@dataclass(frozen=True)
class Kind:
    """A kind of cases.

    Attributes:
        suffix: of their files.
        corpus: gives sound files.
        mutated: a file with changes.
        judge: what is done with a case.
    """

    suffix: str
    corpus: Callable[[], Corpus]
    mutated: Callable[[bytes, Random], bytes]
    judge: Judge


def _onnx_case(data: bytes, random: Random) -> bytes:
    if random.random() < _BYTES:
        return mutated_bytes(data, random)
    model = onnx.ModelProto()
    try:
        model.ParseFromString(data)
    except DecodeError:
        return mutated_bytes(data, random)
    return bytes(mutated_model(model, random).SerializeToString(deterministic=True))


def _program_case(data: bytes, random: Random) -> bytes:
    if random.random() < _BYTES:
        changed = mutated_bytes(data, random)
        return changed if random.random() < 0.1 else with_checksum(changed)
    return mutated_program_file(data, random)


def _text_case(data: bytes, random: Random) -> bytes:
    if random.random() < _BYTES:
        return mutated_bytes(data, random)
    return mutated_text(data.decode(), random).encode()


def _chip_case(data: bytes, random: Random) -> bytes:
    if random.random() < 4 * _BYTES:
        return _text_case(data, random)
    table: Any = tomllib.loads(data.decode())
    for _ in range(random.choice((1, 1, 1, 2, 3))):
        changed = TreeMutator(table, random, retype=True).mutated(table)
        table = changed if isinstance(changed, dict) else table
    try:
        return tomli_w.dumps(table).encode()
    except (TypeError, ValueError):  # a table that TOML cannot say
        return _text_case(data, random)


KINDS = {
    "onnx": Kind(".onnx", corpora.models, _onnx_case, judge_model),
    "program": Kind(".bin", corpora.program_files, _program_case, judge_program),
    "text": Kind(".asm", corpora.program_texts, _text_case, judge_text),
    "chip": Kind(".toml", corpora.chips, _chip_case, judge_chip),
}
