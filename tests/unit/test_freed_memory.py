"""nnc.compilation: what a compilation leaves is freed when it ends, without a search for garbage."""

from __future__ import annotations

import gc
from collections import Counter

import pytest

import nnc
from nnc import models
from nnc.compiler.plan.place import allocate


def objects_of_the_compiler() -> Counter[str]:
    """How many objects there are of each class of the search and the backend."""
    rooms = ("nnc.compiler.plan", "nnc.compiler.backend", "nnc.compiler.materialise")
    kinds = [type(o) for o in gc.get_objects()]
    return Counter(kind.__qualname__ for kind in kinds if str(kind.__module__).startswith(rooms))


@pytest.mark.parametrize("chip", ["npu", "npu4"])
def test_a_search_leaves_no_circles_behind(chip: str) -> None:
    """Circles would stay until the next full collection, which is rare: megabytes for each compilation."""
    model = models.build("squeezenet", image=32, width=0.25)
    nnc.compile(model, chip)  # what it imports and keeps once
    gc.collect()
    gc.disable()
    try:
        before = objects_of_the_compiler()
        nnc.compile(model, chip, overrides=["memory.sram.bytes=32KiB"])
        allocate._placed_best.cache_clear()  # a bounded table
        left = objects_of_the_compiler() - before
    finally:
        gc.enable()
    assert left.total() < 1000, left  # those that bounded tables remember; thousands without weak references
