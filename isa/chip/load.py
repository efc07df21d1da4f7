"""Loading chips: presets, the user's own TOML files, which may extend others, and overrides by dotted key."""

from __future__ import annotations

import os
import re
import reprlib
import tomllib
from collections.abc import Collection, Iterable
from copy import deepcopy
from importlib import resources
from pathlib import Path
from typing import Any

from pydantic import ValidationError
from pydantic_core import ErrorDetails

from nnc.isa.argument_types import typed
from nnc.isa.chip.description import Chip
from nnc.isa.chip.keys import chip_keys, keys_for, missing_keys
from nnc.isa.errors import ChipError, OptionError
from nnc.isa.limits import CHIP_DEPTH, CHIP_FILE
from nnc.isa.nearest import did_you_mean

_MAX_DEPTH = CHIP_DEPTH.most
"""Levels of tables and arrays: more than any chip has, and few enough for all that works level by level."""
_PART = r"[^\s.=\[\]{},]"
_LONG_KEY = re.compile(rf"(?<!{_PART})(?:{_PART}++[ \t]*+\.[ \t]*+){{{_MAX_DEPTH}}}")


def preset_names() -> list[str]:
    """Names of the chips that come with nnc."""
    folder = resources.files("nnc.isa.chip.presets")
    return sorted(
        entry.name.removesuffix(".toml") for entry in folder.iterdir() if entry.name.endswith(".toml")
    )


def chip_text(name: str) -> str:
    """The TOML text of a preset, or of the file at a path.

    Raises:
        ChipError: there is no such preset or file, or it is no text.
    """
    if name in preset_names():
        return (resources.files("nnc.isa.chip.presets") / f"{name}.toml").read_text(encoding="utf-8")
    path = Path(name)
    try:
        if not path.is_file():
            raise ChipError(
                "no such chip",
                where=name,
                expected=f"a TOML file or one of the presets {', '.join(preset_names())}",
                remedy=did_you_mean(
                    name,
                    preset_names(),
                    "list the presets: nnc chips; write one to a file: nnc chips show npu > my.toml",
                ),
            )
        CHIP_FILE.check(
            path.stat().st_size,
            ChipError,
            "the file is too large for a chip description",
            where=name,
            remedy="give a file like those that nnc chips show NAME prints",
        )
        return path.read_text(encoding="utf-8")
    except (OSError, ValueError) as error:  # ValueError: no UTF-8, no name of a file
        raise ChipError(
            "the file cannot be read as text",
            where=name,
            found=str(error),
            remedy="give a TOML file, UTF-8 text, that you may read",
        ) from error


@typed
def load_chip(name: str = "npu", overrides: Collection[str] = ()) -> Chip:
    """Load a preset or a TOML file and apply overrides such as ``memory.sram.bytes=256KiB``.

    Raises:
        ChipError: the file is malformed; the message names file, key, found and expected.
        OptionError: an override is not KEY=VALUE or names a key that does not exist.
    """
    return chip_from_data(overridden(chip_data(name), overrides), name)


def overridden(data: dict[str, Any], overrides: Iterable[str]) -> dict[str, Any]:
    """A description with overrides such as ``cores=2``; the given one stays as it is.

    Raises:
        OptionError: an override is not KEY=VALUE or names a key that does not exist.
    """
    result = deepcopy(data)
    for item in overrides:
        _override(result, item)
    return result


def chip_data(name: str) -> dict[str, Any]:
    """The parsed description of a preset or a TOML file, with all that it takes from the chips it extends.

    ``extends`` names a preset, or a TOML file by its path from the folder of the file that says so.  Tables
    are merged key by key; any other value, arrays too, replaces the one of the base.

    Raises:
        ChipError: a file is missing or malformed, or the chips extend each other in a circle; the message
            names the chain of files.
    """
    data: dict[str, Any] = {}
    for layer in reversed(_layers(name)[1]):
        data = _merged(data, layer)
    return data


def description_files(name: str) -> list[Path]:
    """The TOML files that a description is read from: itself and what it extends; presets are none of them.

    Of a description that cannot be read, the file of that name.
    """
    try:
        chain = _layers(name)[0]
    except ChipError:
        chain = [name]
    return [Path(entry) for entry in chain if entry not in preset_names()]


def _layers(name: str) -> tuple[list[str], list[dict[str, Any]]]:
    """Name or path of the description, of its base, and so on; and what each says, without ``extends``."""
    chain: list[str] = []
    layers = []
    base: object = name
    while base is not None:
        if not isinstance(base, str) or "\0" in base:
            raise ChipError(
                "extends names no chip",
                where=_shown(chain),
                found=_shorten(base),
                expected='extends = "npu"',
                remedy="name a preset (nnc chips lists them), or a TOML file by its path from this one",
            )
        if chain and base not in preset_names():
            base = os.path.normpath(Path(chain[-1]).parent / base)
        if base not in preset_names() and any(os.path.realpath(base) == os.path.realpath(c) for c in chain):
            raise ChipError(
                "chips extend each other in a circle",
                where=name,
                found=_shown([*chain, base]),
                remedy="one of them has to stand on its own: take its extends away",
            )
        chain.append(base)
        layers.append(_parsed(chain))
        base = layers[-1].pop("extends", None)
    return chain, layers


def _parsed(chain: list[str]) -> dict[str, Any]:
    """The last of a chain of files as it stands; errors name the chain that leads to it."""
    try:
        return _toml(chip_text(chain[-1]))
    except ValueError as error:
        raise ChipError(
            "not valid TOML",
            where=_shown(chain),
            found=str(error),
            remedy="write TOML as nnc chips show npu prints it",
        ) from error
    except ChipError as error:
        raise ChipError(
            error.message if len(chain) == 1 else f"the chip that it extends cannot be used: {error.message}",
            where=_shown(chain),
            found=error.found,
            expected=error.expected,
            remedy=error.remedy,
        ) from error


def _toml(text: str) -> dict[str, Any]:
    """The parsed text.

    Raises:
        ValueError: it is no TOML, nested too deeply, or has an integer of too many digits.
    """
    try:
        if _LONG_KEY.search(text):  # takes tomllib a time that grows with the square of its length
            raise ValueError(f"a key of more than {_MAX_DEPTH} parts")
        data = tomllib.loads(text)
    except RecursionError:
        raise ValueError("it is nested too deeply") from None
    _insist_on_depth(data, _MAX_DEPTH)
    return data


def _insist_on_depth(value: object, levels: int) -> None:
    """Raise ValueError unless tables and arrays are nested in so many levels at most."""
    if isinstance(value, dict | list):
        if not levels:
            raise ValueError(f"tables or arrays in more than {_MAX_DEPTH} levels")
        for item in value.values() if isinstance(value, dict) else value:
            _insist_on_depth(item, levels - 1)


def _shown(chain: list[str]) -> str:
    return " extends ".join(chain)


def _merged(base: dict[str, Any], own: dict[str, Any]) -> dict[str, Any]:
    result = {**base, **own}
    for key in base.keys() & own.keys():
        if isinstance(base[key], dict) and isinstance(own[key], dict):
            result[key] = _merged(base[key], own[key])
    return result


def chip_from_data(data: object, where: str) -> Chip:
    """Validate the parsed form of a chip description (also used for the copy inside a program)."""
    try:
        return Chip.model_validate(data)
    except ValidationError as error:
        raise _bad_description(error.errors(), data, where) from error


def _bad_description(errors: list[ErrorDetails], data: object, where: str) -> ChipError:
    """All that is missing or unknown, or the first of the values that are wrong."""
    remedy = "nnc chips keys lists all keys; compare with a preset: nnc chips show npu"
    missing = [key for error in errors if error["type"] == "missing" for key in missing_keys(_key(error))]
    unknown = [_key(error) for error in errors if error["type"] == "extra_forbidden"]
    wrong = [error for error in errors if error["type"] not in ("missing", "extra_forbidden")]
    if missing:
        others = {"unknown keys": unknown, "bad values": list(map(_key, wrong))}
        return ChipError(
            f"keys are missing: {', '.join(missing)}",
            where=where,
            found="; ".join(f"{what}: {', '.join(keys)}" for what, keys in others.items() if keys),
            remedy=did_you_mean(unknown[0], missing, remedy) if unknown else remedy,
        )
    if unknown:
        valid_keys = keys_for(data) if isinstance(data, dict) else []
        return ChipError(
            f"there is no key {', '.join(unknown)}",
            where=where,
            found=_shorten(errors[0].get("input")),
            remedy=did_you_mean(unknown[0], valid_keys, remedy),
        )
    first, more = wrong[0], len(wrong) - 1
    return ChipError(
        f"bad value of {_key(first) or 'the whole description'}" + (f" (and {more} more)" if more else ""),
        where=where,
        found=_shorten(first.get("input")),
        expected=str(first["msg"]).removeprefix("Value error, "),
        remedy=remedy,
    )


def _key(error: ErrorDetails) -> str:
    return ".".join(str(part) for part in error["loc"])


def _shorten(value: object) -> str:
    try:
        text = reprlib.repr(value)
    except ValueError:  # an integer of so many digits is not written out
        text = "an integer of thousands of digits"
    return text if len(text) <= 120 else text[:117] + "..."


def _override(data: dict[str, Any], item: str) -> None:
    key, separator, text = item.partition("=")
    if not separator or not key.strip():
        raise OptionError(
            "an override is KEY=VALUE", where=f"--set {item}", remedy="--set memory.sram.bytes=256KiB"
        )
    *path, last = key.strip().split(".")
    table: Any = data
    for depth, part in enumerate(path):
        if not isinstance(table, dict) or part not in table:
            raise _unknown_key(item, ".".join(path[: depth + 1]), table, data)
        table = table[part]
    is_known = any(chip_key.fits([*path, last]) for chip_key in chip_keys())
    if not isinstance(table, dict) or (last not in table and not is_known):
        raise _unknown_key(item, key.strip(), table, data)
    table[last] = _parse_value(text.strip())


def _unknown_key(item: str, key: str, table: Any, data: dict[str, Any]) -> OptionError:
    whole = item.partition("=")[0].strip()
    expected = ", ".join(table) if isinstance(table, dict) else "a value, not a table"
    return OptionError(
        f"the chip has no key {key}",
        where=f"--set {item}",
        expected=expected,
        remedy=did_you_mean(whole, keys_for(data), "nnc chips keys lists all keys"),
    )


def _parse_value(text: str) -> object:
    """A TOML value, or the bare text where it is none that can be read (so that 256KiB needs no quotes)."""
    try:
        return _toml(f"value = {text}")["value"]
    except ValueError:
        return text
