"""Arguments of public functions are of the types that their signatures state, or there is a clear error.

One decorator reads the signature; every check behind it can then rely on the types.
"""

from __future__ import annotations

import inspect
import re
from collections.abc import Callable, Collection, Iterable, Mapping
from functools import cache, wraps
from os import PathLike
from types import NoneType, UnionType
from typing import Any, TypeVar, Union, Unpack, cast, get_args, get_origin, get_type_hints

import numpy as np
import numpy.typing as npt

from nnc.isa.errors import OptionError
from nnc.isa.nearest import did_you_mean

FunctionT = TypeVar("FunctionT", bound=Callable[..., Any])
ClassT = TypeVar("ClassT", bound=type)
_NUMPY = {bool: (bool, np.bool_), int: (int, np.integer), float: (float, int, np.floating, np.integer)}
"""What is as good as a plain number."""
_ARRAY: Any = npt.ArrayLike
"""Numpy judges what is one; comparing such a large union takes longer than all the rest."""


class _Unsaid:
    """The default of a keyword that may be left out, as `help` shows it."""

    def __repr__(self) -> str:
        return "…"


_UNSAID = _Unsaid()
Misfit = tuple[str, object]
"""Which part of an argument is of a wrong type, in words, and that part."""


def typed(function: FunctionT) -> FunctionT:
    """A function that insists on the types in its signature before it runs.

    Items of collections are looked at, too, but those of arrays.  Messages name types, never values: an
    argument may be long, or secret.  Keyword arguments that are stated by a TypedDict (``**words:
    Unpack[Words]``) are arguments like all others, for `help` too.

    Raises:
        OptionError: an argument is missing, unknown, or of another type.
    """
    name = function.__qualname__.removesuffix(".__init__")
    remedy = f"give what help(nnc.{name}) says"

    @cache
    def signature() -> tuple[inspect.Signature, dict[str, Any]]:
        stated, hints = _unpacked(inspect.signature(function), get_type_hints(function))
        return stated, {key: hints[key] for key in stated.parameters if key in hints}

    @wraps(function)
    def insisting(*args: Any, **kwargs: Any) -> Any:
        parameters, hints = signature()
        try:
            given = parameters.bind(*args, **kwargs).arguments
        except TypeError as error:
            raise OptionError(
                "the call does not fit the function",
                where=f"{name}()",
                found=str(error),
                expected=", ".join(parameters.parameters),
                remedy=did_you_mean(_unknown(kwargs, parameters), parameters.parameters, remedy),
            ) from None
        for argument, hint in hints.items():
            misfit = _misfit(argument, given[argument], hint) if argument in given else None
            if misfit is not None:
                raise OptionError(
                    f"{misfit[0]} has a wrong type",
                    where=f"{name}()",
                    found=type(misfit[1]).__qualname__,
                    expected=f"{argument}: {_shown(hint)}",
                    remedy=remedy,
                )
        return function(*args, **kwargs)

    if any(p.kind is inspect.Parameter.VAR_KEYWORD for p in inspect.signature(function).parameters.values()):
        insisting.__signature__ = signature()[0]  # type: ignore[attr-defined]
    return cast(FunctionT, insisting)


def _unpacked(
    stated: inspect.Signature, hints: Mapping[str, Any]
) -> tuple[inspect.Signature, dict[str, Any]]:
    """The signature and types with the keys of an unpacked TypedDict as keywords that may be left out."""
    parameters: list[inspect.Parameter] = []
    types = dict(hints)
    for name, parameter in stated.parameters.items():
        if parameter.kind is inspect.Parameter.VAR_KEYWORD and get_origin(hints[name]) is Unpack:
            keys = get_type_hints(get_args(hints[name])[0])
            types.update(keys)
            parameters += [
                inspect.Parameter(
                    key, inspect.Parameter.KEYWORD_ONLY, default=_UNSAID, annotation=_shown(hint)
                )
                for key, hint in keys.items()
            ]
        else:
            parameters.append(parameter)
    return stated.replace(parameters=parameters), types


def _unknown(given: Iterable[str], stated: inspect.Signature) -> str:
    """The first keyword that the signature does not have; none: nothing."""
    return next((name for name in given if name not in stated.parameters), "")


def typed_fields(cls: ClassT) -> ClassT:
    """A dataclass that insists on the types of its fields."""
    cls.__init__ = typed(cls.__init__)  # type: ignore[misc]
    return cls


def _misfit(place: str, value: object, hint: Any) -> Misfit | None:
    """The part of a value that is not of a type; None if all is."""
    origin, parameters = get_origin(hint) or hint, get_args(hint)
    if hint is Any or hint is _ARRAY:
        return None
    if origin in (Union, UnionType):
        misfits = [_misfit(place, value, alternative) for alternative in parameters]
        return None if None in misfits else max(filter(None, misfits), key=lambda misfit: len(misfit[0]))
    if not _is_instance(value, origin):
        return place, value
    parts: list[tuple[str, Iterable[object], Any]] = []
    if isinstance(value, Mapping) and issubclass(origin, Mapping):
        key, item = parameters
        parts = [(f"a key of {place}", value, key), (f"a value of {place}", value.values(), item)]
    elif origin is np.ndarray:
        return None
    elif isinstance(value, Collection) and issubclass(origin, Collection) and parameters:
        parts = [(f"an item of {place}", value, parameters[0])]
    wrong = (_misfit(part, item, kind) for part, items, kind in parts for item in items)
    return next(filter(None, wrong), None)


def _is_instance(value: object, kind: Any) -> bool:
    if kind is None or kind is NoneType:
        return value is None
    if kind in _NUMPY:
        return isinstance(value, _NUMPY[kind]) and (kind is bool or not isinstance(value, bool))
    if kind is PathLike:
        return isinstance(value, PathLike) and isinstance(value.__fspath__(), str)
    if issubclass(kind, Collection) and kind not in (str, bytes) and isinstance(value, str | bytes):
        return False  # a text is no list of texts
    return isinstance(value, kind)


def _shown(hint: Any) -> str:
    """A type without the modules that it is from."""
    return re.sub(r"\b(?:\w+\.)+(?=\w)", "", inspect.formatannotation(hint))
