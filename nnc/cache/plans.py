"""Compilations by what they are made of: model, chip, options.  Their reports, and of most their programs.

    kept = compile_kept(store, "model.onnx", load_chip("npu"), …)
    kept.program, kept.make_report()

The key is the SHA-256 of the model's files, of the whole chip, of all that was asked, and of nnc itself.
"""

from __future__ import annotations

import hashlib
import json
import mmap
from collections.abc import Mapping
from dataclasses import asdict, dataclass, replace
from functools import cached_property
from pathlib import Path
from typing import Any, Unpack

from nnc.cache.origin import origin
from nnc.cache.recall import file_digest
from nnc.cache.store import Store
from nnc.compilation import Arguments, Result, compile_model
from nnc.compiler.plan.options import PlanOptions
from nnc.isa.chip.description import Chip
from nnc.isa.program import Program
from nnc.isa.program_file.binary import decode, encode
from nnc.report.detail import details_of
from nnc.report.identity import chip_info
from nnc.report.measured import Measured
from nnc.report.schema import Report

REPORT, PROGRAM = "report", "program"
_EXTERNAL = b"location"
"""Is in every model that keeps weights in files beside it: the key under which it names them."""


@dataclass(frozen=True)
class Kept:
    """A compilation out of the cache: what `Result` is for its reader.

    Attributes:
        whole_report: as it was made, wherever model and program lay.
        encoded: the bytes of the program.
        chip, overrides: as they are asked for now.
        file: of the model.
    """

    whole_report: Report
    encoded: bytes
    chip: Chip
    overrides: tuple[str, ...]
    file: str

    @cached_property
    def program(self) -> Program:
        """The program, ready for `Session`."""
        return decode(self.encoded, "the cache")

    def make_report(self, *, program_file: str | None = None, details: bool = False) -> Report:
        """See `Result.make_report`."""
        made = self.whole_report
        assert made.model is not None
        about: dict[str, object] = {
            "program": program_file,
            "model": made.model.model_copy(update={"file": self.file}),
            "chip": chip_info(self.chip, self.overrides),
        }
        if details:
            measured = Measured.of(self.program)
            about["details"] = details_of(self.program, measured.table, measured.sums, measured.blocks)
        return made.model_copy(update=about)


def compile_kept(
    store: Store | None,
    model: Path,
    chip: Chip,
    *,
    verify_each: bool = False,
    **arguments: Unpack[Arguments],
) -> tuple[Result | Kept, str]:
    """What `compile_model` gives, out of the cache if it is there, and into it if it is not; and its key.

    Args:
        store: None: nothing is kept, and the key is empty.
        chip: with all overrides; those in the arguments are for the report.
        verify_each: as of `compile_model`; what is kept already is not checked again.

    Raises:
        NncError: as `compile_model`; failures are not kept.
    """
    words = arguments.copy()
    overrides = tuple(words.pop("overrides", ()))
    key = "" if store is None else key_of(model, chip, **words)
    sections = store.get(key, (REPORT, PROGRAM)) if store is not None and key else None
    if sections is not None:
        report = Report.model_validate_json(sections[REPORT])
        return Kept(report, sections[PROGRAM], chip, overrides, str(model)), key
    result = replace(compile_model(model, chip, verify_each=verify_each, **words), overrides=overrides)
    if store is not None and key:
        store.put(key, {REPORT: encoded(result.report), PROGRAM: encode(result.program)})
    return result, key


def encoded(report: Report) -> bytes:
    """A report as entries have it."""
    return report.model_dump_json(by_alias=True).encode()


def key_of(model: Path, chip: Chip, *, model_digest: str = "", **arguments: Unpack[Arguments]) -> str:
    """The key of a compilation; empty for a model whose files cannot be read, which who reads it will tell.

    Args:
        model_digest: that of `model_digest_of`, if it is known.
        arguments: as of `compile_model`, with what is asked of the planner in one object, `options`.  The
            name of the file names the network where that has no name of its own.
    """
    model_digest = model_digest or model_digest_of(model)
    options = arguments.get("options") or PlanOptions()
    shapes, dims, states = arguments.get("shapes"), arguments.get("dims"), arguments.get("states")
    sizes = [_plain(shapes), _plain(dims), _plain(states)]
    if not model_digest:
        return ""
    data = ["plan", origin(), model_digest, model.stem, chip.model_dump(mode="json"), asdict(options), sizes]
    return hashlib.sha256(json.dumps(data).encode(errors="backslashreplace")).hexdigest()


def model_digest_of(model: Path) -> str:
    """SHA-256 of all files of a model; of its own file alone if it keeps no weights beside it.

    Empty for a model whose files cannot be read.
    """
    files = files_of(model)
    digests = [file_digest(str(path)) for path in files]
    if len(files) == 1 or None in digests:
        return (digests[0] or "") if len(files) == 1 else ""
    names = [str(path.relative_to(model.parent)) for path in files]
    return hashlib.sha256(json.dumps([names[1:], digests]).encode()).hexdigest()


def files_of(model: Path) -> list[Path]:
    """The file of a model, and those beside it that it keeps weights in."""
    from nnc.compiler.frontend.model.load import external_files

    return [model, *(external_files(model) if _may_name_files(model) else ())]


def _may_name_files(model: Path) -> bool:
    """Whether the word is in the file with which external data is named; parsing takes much longer."""
    try:
        with model.open("rb") as file, mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ) as data:
            return data.find(_EXTERNAL) >= 0
    except (OSError, ValueError):  # ValueError: it is empty
        return False


def _plain(value: Mapping[str, Any] | str | None) -> Any:
    """Names with their sizes or partners, in their order; nothing is as good as none."""
    if isinstance(value, str) or not value:
        return value or None
    return [[name, it if isinstance(it, str | int) else [*map(int, it)]] for name, it in value.items()]
