"""Graph -> JSON: everything but the values of constants, keys in a fixed order."""

from __future__ import annotations

import json
import math
from dataclasses import asdict
from enum import Enum
from typing import Any

from nnc.compiler.ir.dump.text_format import checksum
from nnc.compiler.ir.graph import Graph
from nnc.compiler.ir.layers import Layer

FORMAT = 1
"""Version of the JSON form; grows when a key changes its meaning or goes."""


def to_json(graph: Graph) -> str:
    """A graph at any level as a JSON object.

    Keys of levels that are not reached yet hold empty lists or objects.  Layers stand in topological order,
    each with its operands (null: absent), results, attributes, origin and, where it is part of a partial
    network, its group, part and core.  Numbers that are not finite are the strings "inf", "-inf" and "nan".
    """
    notes = graph.notes
    return json.dumps(
        {
            "format": FORMAT,
            "name": graph.name,
            "level": notes.level,
            "inputs": graph.inputs,
            "outputs": graph.outputs,
            "ports": {
                "inputs": [_plain(asdict(port)) for port in graph.input_ports],
                "outputs": [_plain(asdict(port)) for port in graph.output_ports],
            },
            "tensors": {
                name: {"dtype": type_.dtype.value, "shape": type_.shape}
                for name, type_ in graph.types.items()
            },
            "constants": {name: {"crc32": checksum(value)} for name, value in graph.constants.items()},
            "layers": [_layer(graph, layer) for layer in graph.layers()],
            "buffers": {name: _plain(asdict(buffer)) for name, buffer in graph.buffers.items()},
            "storage": {name: _plain(asdict(storage)) for name, storage in graph.storage.items()},
            "stitch": [asdict(stitched) for stitched in notes.stitch.layers],
            "groups": [_plain(asdict(group)) for group in notes.groups],
            "order": [issue._asdict() for issue in notes.order],
            "places": {name: asdict(place) for name, place in notes.places.items()},
            "dram": {
                "constant_bytes": notes.constant_bytes,
                "bytes": notes.dram_bytes,
                "packed": [
                    {**piece._asdict(), "address": address} for piece, address in notes.pieces.items()
                ],
                "buffers": dict(notes.buffers),
            },
        },
        indent=1,
        allow_nan=False,
    )


def _layer(graph: Graph, layer: Layer) -> dict[str, Any]:
    where = graph.notes.part_of.get(layer.name)
    return {
        "name": layer.name,
        "kind": layer.kind,
        "inputs": graph.inputs_of(layer.name),
        "outputs": graph.outputs_of(layer.name),
        "attributes": _plain(layer.attributes()),
        "origin": asdict(layer.loc),
        "part_of": None if where is None else asdict(where),
    }


def _plain(value: Any) -> Any:
    """A value with enums as their texts and numbers that JSON does not know as strings."""
    if isinstance(value, dict):
        return {key: _plain(entry) for key, entry in value.items()}
    if isinstance(value, list | tuple):
        return [_plain(entry) for entry in value]
    if isinstance(value, Enum):
        return value.value
    if isinstance(value, float) and not math.isfinite(value):
        return str(value)
    return value
