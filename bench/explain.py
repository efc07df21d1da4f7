"""How many decisions `nnc explain` flips: random borders between groups of ten networks on three chips.

usage: python bench/explain.py [QUESTIONS [SEED]]

A question is why two neighbouring groups, one of which reads a result of the other, are two.  Its answer is
right if the decision flips when the model is compiled with the change that it names, and does not with the
value beside it.
"""

from __future__ import annotations

import random
import sys
from collections import Counter
from collections.abc import Sequence

import onnx

from nnc import models
from nnc.explanations.decisions import about_pair
from nnc.explanations.explain import COMPILATIONS
from nnc.explanations.flips import FlipSearch
from nnc.explanations.recompilation import Recompilation
from nnc.isa.errors import NncError
from nnc.models.digits import MODEL
from nnc.report.schema import Report

_NETWORKS = {
    "lenet5": (32, 1.0),
    "resnet18": (32, 0.125),
    "mobilenet_v1": (32, 0.125),
    "mobilenet_v2": (32, 0.125),
    "squeezenet": (32, 0.25),
    "squeezenet1_0": (32, 0.25),
    "unet": (32, 0.125),
    "unet_resize": (32, 0.125),
    "vgg16_conv": (32, 0.125),
}
"""Image and width of networks of `nnc models build`; the trained network of digits is the tenth."""
_CHIPS = (
    ("npu", ("memory.sram.bytes=16KiB",)),
    ("npu4", ("memory.sram.bytes=8KiB",)),
    ("npu-banked", ("memory.bank1.bytes=16KiB", "memory.bank2.bytes=16KiB")),
)


def _models() -> dict[str, onnx.ModelProto]:
    built = {name: models.build(name, image=image, width=width) for name, (image, width) in _NETWORKS.items()}
    return {**built, "digits": onnx.load(MODEL)}


def _search(model: onnx.ModelProto, chip: str, overrides: Sequence[str]) -> FlipSearch | None:
    """Compilations of a network on a chip; None if it cannot be compiled."""
    subject = Recompilation(model, chip, overrides)
    try:
        report = subject.report()
    except NncError:
        return None
    return FlipSearch(report, subject.changed, subject.channels, COMPILATIONS)


def _borders(report: Report) -> list[tuple[str, str]]:
    """A layer of each group that the next group reads, and the first layer there that reads it.

    A layer that several groups work on is on both sides of their borders: nothing can be asked there.
    """
    entries = Counter(layer.name for layer in report.layers)
    borders = dict[int, tuple[str, str]]()
    members = {layer.id: layer for layer in report.layers if entries[layer.name] == 1}
    for layer in members.values():
        feeding = [members[read] for read in layer.reads if read in members]
        before = [other.name for other in feeding if other.group == layer.group - 1]
        if before:
            borders.setdefault(layer.group, (before[-1], layer.name))
    return [*borders.values()]


def main() -> None:
    """Print a line for each question, and how many flip."""
    count, seed = (int(word) for word in (*sys.argv[1:], "100", "0")[:2])
    draw, searches = random.Random(seed), dict[tuple[str, str], FlipSearch | None]()
    built, flipped = _models(), Counter[str]()
    for number in range(count):
        while True:
            name, (chip, overrides) = draw.choice([*built]), draw.choice(_CHIPS)
            if (name, chip) not in searches:
                searches[name, chip] = _search(built[name], chip, overrides)
            search = searches[name, chip]
            borders = _borders(search.report) if search is not None else []
            if search is not None and borders:
                break
        answer = search.answer(about_pair(search.report, *draw.choice(borders)))
        flip = answer.flip
        flipped[flip.key if flip is not None else "not found"] += 1
        what = (
            "not found" if flip is None else f"{flip.key}: {flip.before} → {flip.value} ({flip.nearest} not)"
        )
        print(f"{number:>3} {name} on {chip}: {answer.question} {what}; {answer.compilations}", flush=True)
    total = count - flipped["not found"]
    print(f"{total} of {count} flip: {', '.join(f'{key} {times}' for key, times in flipped.most_common())}")


if __name__ == "__main__":
    main()
