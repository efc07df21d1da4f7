"""Digests of compiled programs, to prove that a change of the compiler's shape changes no program.

    python bench/program_digests.py before.json                          on the old code
    python bench/program_digests.py after.json --against before.json     on the new code

Programs: small builds of every network of `nnc models`, a batch, attention and bytes, each on every preset
with its memories, a fourth and a sixteenth of them; the light models of the onnx wheel on `npu`; and random
networks of the tests on several sizes of memory (kept in build/digests: both runs see the same).  A program
has a digest of each of its sections:

    network       the model, as a check that both runs compiled the same
    tensors       the table, with what is reserved of DRAM
    constants     the image
    instructions  with cores and waits, in order
    debug         notes, groups and facts

Names of inputs and outputs count. All others are numbered as they appear first: what is renamed alike in all
places is the same program.  Of a network that is refused, the code is compared.  What differs is listed; the
exit status is 1 then, and 2 if the file to compare with cannot be used.
"""

from __future__ import annotations

import argparse
import hashlib
import json
import re
import sys
from collections.abc import Callable, Iterable, Iterator, Mapping
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass
from functools import lru_cache, partial
from importlib import import_module
from pathlib import Path
from typing import Any

import onnx
from attention import attention
from hypothesis import HealthCheck, Phase, given, seed, settings
from hypothesis import strategies as st
from processes import with_one_thread

import nnc
from nnc import models
from nnc.isa.chip.load import preset_names
from nnc.isa.program import Note, TensorRole
from nnc.models import light

ROOT = Path(__file__).resolve().parent.parent
KEPT = ROOT / "build" / "digests"
DIGITS = ROOT / "models" / "digits" / "digits_cnn.int8.onnx"
SHARES = (1, 4, 16)
"""Memories are those of a preset, divided by each of these."""
RANDOM_NETWORKS = 200
RANDOM_KIB = (8, 16, 32, 64, 128)
"""Most KiB of each memory for random networks, in turn."""
SECTIONS = ("network", "tensors", "constants", "instructions", "debug")
REFUSED = "refused"
Digest = dict[str, str]
"""By section; of a network that is refused, the code in their place."""


@dataclass(frozen=True)
class Case:
    """A network for a chip.

    Attributes:
        network: a key of `small_networks`, `light NAME`, or `random-NUMBER`.
        most_bytes: of a memory, by its name; none: those of the preset.
    """

    network: str
    chip: str
    most_bytes: tuple[tuple[str, int], ...] = ()

    def __str__(self) -> str:
        sizes = ", ".join(f"{name} {nbytes / 1024:g} KiB" for name, nbytes in self.most_bytes)
        return f"{self.network} on {self.chip}" + (f" ({sizes})" if sizes else "")

    @property
    def overrides(self) -> list[str]:
        """The sizes of the memories as values of the chip."""
        return [f"memory.{name}.bytes={nbytes}" for name, nbytes in self.most_bytes]


def small_networks() -> dict[str, Callable[[], onnx.ModelProto]]:
    """Networks that compile in about a second, by name."""
    networks: dict[str, Callable[[], onnx.ModelProto]] = {}
    for name, spec in models.MODELS.items():
        small = partial(models.build, name, image=64, width=0.5)
        networks[name] = small if spec.image >= 64 else partial(models.build, name)
    networks["mobilenet_v2 x 4"] = partial(models.build, "mobilenet_v2", image=64, width=0.5, batch=4)
    networks["attention-128"] = partial(attention, 128)
    networks["digits int8"] = partial(onnx.load, DIGITS)
    return networks


def cases() -> Iterator[Case]:
    """All cases, those of one network behind each other."""
    memories = {name: nnc.load_chip(name).memory for name in preset_names()}
    for network in small_networks():
        for chip, kinds in memories.items():
            for share in SHARES:
                sizes = [(name, kind.bytes // share) for name, kind in kinds.items()]
                yield Case(network, chip, tuple(sizes) if share > 1 else ())
    for name in light.names():
        yield Case(f"light {name}", "npu")
    chips = [*memories]
    for number in range(RANDOM_NETWORKS):
        chip, most = chips[number % len(chips)], RANDOM_KIB[number // len(chips) % len(RANDOM_KIB)] * 1024
        sizes = [(name, min(most, kind.bytes)) for name, kind in memories[chip].items()]
        yield Case(f"random-{number:03}", chip, tuple(sizes))


def write_random_networks() -> None:
    """Write the random networks, once: later runs find them."""
    sys.path.insert(0, str(ROOT / "tests" / "helpers"))
    networks = import_module("random_networks").networks
    shared_networks = import_module("random_shared_tensors").shared_networks
    if all(_random_file(number).exists() for number in range(RANDOM_NETWORKS)):
        return
    drawn: list[onnx.ModelProto] = []

    @seed(0)
    @settings(
        max_examples=2 * RANDOM_NETWORKS,
        database=None,
        deadline=None,
        phases=[Phase.generate],
        suppress_health_check=list(HealthCheck),
    )
    @given(st.one_of(networks(), shared_networks()))
    def collect(model: onnx.ModelProto) -> None:
        drawn.append(model)

    collect()
    KEPT.mkdir(parents=True, exist_ok=True)
    for number, model in enumerate(drawn[:RANDOM_NETWORKS]):
        onnx.save(model, _random_file(number))


def _random_file(number: int) -> Path:
    return KEPT / f"random-{number:03}.onnx"


@lru_cache(maxsize=1)
def model_of(network: str) -> onnx.ModelProto:
    """The model of a case, kept for the cases behind it."""
    if network.startswith("random-"):
        return onnx.load(_random_file(int(network.removeprefix("random-"))))
    if network.startswith("light "):
        return light.build(network.removeprefix("light "))
    return small_networks()[network]()


def digest_of_case(case: Case) -> Digest:
    """Compile a case; the digest of its program, or the code if it is refused."""
    model = model_of(case.network)
    network = _sha(model.SerializeToString(deterministic=True))
    try:
        program = nnc.compile(model, nnc.load_chip(case.chip, case.overrides))
    except nnc.NncError as error:
        return {"network": network, REFUSED: error.code}
    return {"network": network, **digest(program)}


def _sha(data: bytes) -> str:
    return hashlib.sha256(data).hexdigest()[:16]


class Numbered:
    """Numbers for names, in the order in which they are asked for; some names stay."""

    def __init__(self, kept: Iterable[str] = ()) -> None:
        self._numbers = {name: name for name in kept}

    def __call__(self, name: str) -> str:
        return self._numbers.setdefault(name, f"%{len(self._numbers)}")

    def __contains__(self, name: str) -> bool:
        return name in self._numbers


def digest(program: nnc.Program) -> Digest:
    """The digest of each section of a program, with numbers for names."""
    ports = (TensorRole.INPUT, TensorRole.OUTPUT)
    tensors = Numbered(tensor.name for tensor in program.tensors if tensor.role in ports)
    table = [(tensors(t.name), t.role, t.block, t.reserved, t.padding) for t in program.tensors]
    issued = [(item.core, item.instruction, item.waits) for item in program.issued]
    return {
        "tensors": _sha(repr((table, program.dram_bytes)).encode()),
        "constants": _sha(program.constants.tobytes()),
        "instructions": _sha("\n".join(map(repr, issued)).encode()),
        "debug": _sha("\n".join(_debug_section(program, tensors)).encode()),
    }


def _debug_section(program: nnc.Program, tensors: Numbered) -> Iterator[str]:
    """Lines of all that the debug section says."""
    layers = Numbered()

    def contents_of(note: Note) -> list[object]:
        return [c and (tensors(c.buffer), c.offset, c.strides, c.shape) for c in note.contents]

    for item in program.issued:
        note = item.note
        yield repr((note.group, note.part, layers(note.layer), contents_of(note)))

    def numbered(word: re.Match[str]) -> str:
        return next((names(word[0]) for names in (layers, tensors) if word[0] in names), word[0])

    for group in program.groups:
        reason = re.sub(r"[^\s,;:()]+", numbered, group.reason)
        yield repr((group.kind, [*map(layers, group.layers)], group.parts, reason))
    yield repr(sorted(program.facts.items()))


def differences(before: Mapping[str, Digest], after: Mapping[str, Digest], only: str = "") -> list[str]:
    """What differs between two runs, a line for each case.

    Args:
        only: the cases that were run, by a part of their names.
    """
    lines = []
    for name in sorted(name for name in {*before, *after} if only in name):
        old, new = before.get(name), after.get(name)
        if old is None or new is None:
            lines.append(f"{name}: only {'before' if new is None else 'now'}")
        elif old != new:
            lines.append(f"{name}: {_difference(old, new)}")
    return lines


def _difference(old: Digest, new: Digest) -> str:
    if old["network"] != new["network"]:
        return "another network"
    if REFUSED in old or REFUSED in new:
        now, before = (f"{REFUSED} {d[REFUSED]}" if REFUSED in d else "compiled" for d in (new, old))
        return f"{now} now, {before} before"
    return ", ".join(section for section in SECTIONS if old[section] != new[section])


def read_digests(path: Path) -> dict[str, Digest]:
    """Digests that an earlier run wrote.

    Raises:
        ValueError: there are none; the message says what to do.
    """
    remedy = f"write the file with the code to compare with: {Path(__file__).name} {path}"
    try:
        data: Any = json.loads(path.read_text(encoding="utf-8"))
    except (OSError, ValueError) as error:
        raise ValueError(f"{path} cannot be read: {error}; {remedy}") from None
    if not isinstance(data, dict) or not data or not all(map(_is_digest, data.values())):
        raise ValueError(f"{path} holds no digests of all sections; {remedy}")
    return data


def _is_digest(value: object) -> bool:
    if not isinstance(value, dict) or not all(isinstance(text, str) for text in value.values()):
        return False
    return {*value} in ({"network", REFUSED}, {*SECTIONS})


def main() -> int:
    """Write the digests; with --against, list what differs."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("out", type=Path)
    parser.add_argument("--against", type=Path, metavar="FILE", help="digests of other code")
    parser.add_argument("--only", default="", help="cases whose name contains this, such as 'on vdsp12'")
    parser.add_argument("--jobs", type=int, default=2, help="processes side by side (default: 2)")
    options = parser.parse_args()
    try:
        before = read_digests(options.against) if options.against else None
    except ValueError as error:
        parser.error(str(error))
    options.out.parent.mkdir(parents=True, exist_ok=True)  # before the work, too
    write_random_networks()
    chosen = [case for case in cases() if options.only in str(case)]
    if not chosen:
        parser.error(f"no case has {options.only!r} in its name; without --only all are compiled")
    digests: dict[str, Digest] = {}
    with ProcessPoolExecutor(options.jobs) as pool:
        for case, case_digest in zip(chosen, pool.map(digest_of_case, chosen, chunksize=6), strict=True):
            digests[str(case)] = case_digest
            print(f"{case!s:64} {case_digest.get(REFUSED) or case_digest['instructions']}", flush=True)
    options.out.write_text(json.dumps(digests, indent=1) + "\n", encoding="utf-8")
    if before is None:
        return 0
    differ = differences(before, digests, options.only)
    print(*differ, f"{len(differ)} differ from {options.against}", sep="\n")
    return 1 if differ else 0


if __name__ == "__main__":
    with_one_thread()
    sys.exit(main())
