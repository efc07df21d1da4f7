"""Which layers of two reports are the same: by name; else in order, by operator and result."""

from __future__ import annotations

from collections.abc import Iterable
from difflib import SequenceMatcher

from nnc.report.schema import LayerReport, Report


def pair_layers(before: Report, after: Report) -> dict[str, str]:
    """Names of layers of the earlier report with those of the later one; each is in one pair at most.

    Layers of one name are the same.  Of the others, those that follow each other in the same order with the
    same operator, shape and element type are: exporters number layers anew.
    """
    earlier, later = _by_name(before.layers), _by_name(after.layers)
    pairs = {name: name for name in earlier if name in later}
    left = [layer for name, layer in earlier.items() if name not in pairs]
    right = [layer for name, layer in later.items() if name not in pairs]
    matcher = SequenceMatcher(None, [*map(_kind, left)], [*map(_kind, right)], autojunk=False)
    for first, second, count in matcher.get_matching_blocks():
        for old, new in zip(left[first : first + count], right[second : second + count], strict=True):
            pairs[old.name] = new.name
    return pairs


def _by_name(layers: Iterable[LayerReport]) -> dict[str, LayerReport]:
    """The first entry of each layer: several groups may work on one."""
    named = dict[str, LayerReport]()
    for layer in layers:
        named.setdefault(layer.name, layer)
    return named


def _kind(layer: LayerReport) -> tuple[object, ...]:
    """What two layers have in common that may be the same; a program alone only knows the name."""
    return (layer.name,) if layer.kind is None else (layer.op, layer.kind, layer.shape, layer.dtype)
