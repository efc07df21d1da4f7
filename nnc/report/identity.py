"""Which model, which chip, which options a report is about."""

from __future__ import annotations

import hashlib
import os
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from nnc.isa.chip.description import Chip
from nnc.isa.chip.load import load_chip, preset_names
from nnc.report.schema import ChipInfo, Options, Source

if TYPE_CHECKING:
    from nnc.compiler.frontend.model.load import ModelSource
    from nnc.compiler.plan.options import PlanOptions


def source_of(name: str, model: ModelSource) -> Source:
    """The model that was compiled.

    Args:
        name: of its graph.
        model: what was given: a path, bytes, or a protobuf.
    """
    if isinstance(model, str | os.PathLike):
        with Path(model).open("rb") as file:
            return Source(name=name, file=str(model), sha256=hashlib.file_digest(file, "sha256").hexdigest())
    data = model if isinstance(model, bytes) else model.SerializeToString(deterministic=True)
    return Source(name=name, file=None, sha256=hashlib.sha256(data).hexdigest())


def chip_info(chip: Chip, overrides: Sequence[str] = ()) -> ChipInfo:
    """A chip, and how it differs from the preset of its name, or by which overrides from its file."""
    differences = tuple(_differences(chip)) if chip.name in preset_names() else tuple(overrides)
    return ChipInfo(
        name=chip.name,
        title=", ".join((chip.name, *differences)),
        overrides=differences,
        description=chip.model_dump(mode="json"),
    )


def options_of(options: PlanOptions) -> Options:
    """The options of a plan."""
    return Options(
        objective=options.objective,
        effort=options.effort,
        overlap=options.overlap,
        split=options.split,
        stitch=options.stitch,
        conv_buffers=options.conv_buffers,
        fc_oram=options.fc_oram,
        softmax=options.softmax,
    )


def _differences(chip: Chip) -> Iterator[str]:
    """KEY=VALUE of all keys of a chip that are not those of the preset of its name."""
    preset = flat_keys(load_chip(chip.name).model_dump(mode="json"))
    for key, value in flat_keys(chip.model_dump(mode="json")).items():
        if preset.get(key) != value and key != "description":
            yield f"{key}={_short(key, value)}"


def flat_keys(data: Mapping[str, Any], prefix: str = "") -> dict[str, Any]:
    """Nested tables as one table with dotted keys."""
    flat: dict[str, Any] = {}
    for key, value in data.items():
        if isinstance(value, Mapping):
            flat.update(flat_keys(value, f"{prefix}{key}."))
        else:
            flat[f"{prefix}{key}"] = value
    return flat


def _short(key: str, value: Any) -> str:
    """A value as people write it: sizes in KiB where that is whole."""
    if key.endswith(".bytes") and isinstance(value, int) and value % 1024 == 0:
        return f"{value // 1024}KiB"
    return str(value)
