"""States: inputs that keep from run to run what an output adds to them, or leaves in their place.

in:   pairs of names that the user gives, or `auto`; the nodes, whose importers say which rows they append
out:  ports of the graph: of a state with rows, the output port is the new rows alone

    present = Where(is_new, new, past)      output present [1, 8, 256, 64]  ->  its rows `new` [1, 8, 1, 64]

Layers of the network still read `present` as the model defines it.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field

from onnx import GraphProto

from nnc.compiler.frontend.growing_states import GrowingState
from nnc.isa.errors import OptionError
from nnc.isa.nearest import did_you_mean

AUTO = "auto"
"""In place of pairs: those whose names are as exporters write them."""
Pairs = Mapping[str, str]
"""Names of inputs and of the outputs that belong to them."""
Perm = tuple[int, ...]

_NAMES = (
    (re.compile(r"^past_key_values(?=[._])"), ("present", "present_key_values")),
    (re.compile(r"(?<![a-z])past(?![a-z])"), ("present",)),
    (re.compile(r"(?<=cache_)in(?![a-z])|(?<=state_)in(?![a-z])"), ("out",)),
    (re.compile(r"^(?=cache|state|hidden)"), ("new_", "updated_")),
)
"""What exporters write in the name of an input, and in its place in that of the output."""


@dataclass(frozen=True, slots=True)
class Appended:
    """Rows that a node appends to a state.

    Attributes:
        rows: the tensor of the new rows.
        axis: along which they follow the old ones.
        position: tensor of integers that all are the number of rows before.
        counted: what that is computed of; where it is the same, so is the position.
    """

    rows: str
    axis: int
    position: str
    counted: tuple[str, int]


@dataclass
class StateTable:
    """The states of a network under import.

    Attributes:
        pairs: the input of each output that is a state.
        origins: by the tensor that a node defines, the output that it is, and how axes are permuted there.
        appended: by output, which rows a node appends.
        growing: those to which concats add rows; position: the input that says how many these hold.
    """

    pairs: Pairs = field(default_factory=dict)
    origins: Mapping[str, tuple[str, Perm]] = field(default_factory=dict)
    appended: dict[str, Appended] = field(default_factory=dict)
    growing: list[GrowingState] = field(default_factory=list)
    position: str = ""

    def is_state(self, before: str, after: str) -> bool:
        """Whether tensor `before` is the input of a state, and `after` what its output shows."""
        output, perm = self.origins.get(after, ("", ()))
        return self.pairs.get(output) == before and not perm

    def turned(self, before: str, perm: Perm, after: str) -> Perm | None:
        """How axes of `after` are permuted in the output of a state whose input is permuted, too; else None.

        Args:
            before: the input.
            perm: how its axes are permuted where it is read: axis i there is axis perm[i] of the input.
            after: the tensor that a node defines.
        """
        output, back = self.origins.get(after, ("", ()))
        back = back or tuple(range(len(perm)))
        if self.pairs.get(output) != before or any(perm[axis] != i for i, axis in enumerate(back)):
            return None
        return back

    def append(self, tensor: str, appended: Appended) -> None:
        """Note which rows a node appends to a state, whose output shows its result `tensor`."""
        self.appended[self.origins[tensor][0]] = appended


def state_pairs(asked: Pairs | str | None, inputs: Sequence[str], outputs: Sequence[str]) -> dict[str, str]:
    """The input of each output that is a state.

    Raises:
        OptionError: there is no such input or output, one is named twice, or none is found.
    """
    if not asked:
        return {}
    if isinstance(asked, str):
        return _by_name(asked, inputs, outputs)
    for before, after in asked.items():
        for name, names, kind in ((before, inputs, "input"), (after, outputs, "output")):
            if name not in names:
                raise OptionError(
                    f"a state names an {kind} that the model does not have",
                    where=f"--state {before}={after}",
                    found=name,
                    expected=", ".join(names[:20]),
                    remedy=did_you_mean(name, names, f"name one of the {kind}s that are expected"),
                )
    pairs = {after: before for before, after in asked.items()}
    if len(pairs) < len(asked):
        raise OptionError(
            "an output belongs to two states", where="--state", remedy="give each input an output of its own"
        )
    return pairs


def _by_name(asked: str, inputs: Sequence[str], outputs: Collection[str]) -> dict[str, str]:
    if asked != AUTO:
        raise OptionError(
            "a state is a pair of names",
            where=f"--state {asked}",
            expected=f"INPUT=OUTPUT, or {AUTO}",
            remedy="such as --state past_key_values.0.key=present.0.key",
        )
    pairs = {}
    for name in inputs:
        candidates = (pattern.sub(word, name) for pattern, words in _NAMES for word in words)
        after = next((text for text in candidates if text != name and text in outputs), None)
        if after is not None and after not in pairs:
            pairs[after] = name
    if not pairs:
        raise OptionError(
            "no state is found by its name",
            where=f"--state {AUTO}",
            found=", ".join(inputs[:20]),
            expected="inputs such as past_key_values.0.key, past_0, cache_in with outputs present.0.key,"
            " present_0, cache_out",
            remedy="name the pairs: --state INPUT=OUTPUT",
        )
    return pairs


def defining_names(graph: GraphProto, outputs: Collection[str]) -> dict[str, tuple[str, Perm]]:
    """By the tensor that a node defines, the output that it is another name of, or is with other axes.

    Axis i of the output is axis perm[i] of the tensor; no perm: it is the tensor itself.
    """
    makers = {node.output[0]: node for node in graph.node if node.op_type in ("Identity", "Transpose")}
    origins = {}
    for output in outputs:
        name, perm = output, Perm()
        while (node := makers.get(name)) is not None:
            turn = next((tuple(a.ints) for a in node.attribute if a.name == "perm"), ())
            if node.op_type == "Transpose" and not turn:
                break
            name = node.input[0]
            if turn:
                perm = tuple(turn[axis] for axis in perm) if perm else turn
        origins[name] = output, perm
    return origins
