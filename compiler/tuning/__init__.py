"""All tuned numbers of the compiler by theme: thresholds, limits of the search, shares, weights.

A number belongs here if another value gives another program, or the same in another time, but never a wrong
one.  What has to be as it is (slots, axes, formats, ranges of numbers) stands where it is used.  `make house`
counts both.  Figures are those of the change that brought a number, often with what else that changed: only
where two values are compared, the number itself was measured.

    from nnc.compiler.tuning import TUNING
    if len(operands) > TUNING.passes.max_sum_operands: …

The records are frozen; a whole theme is replaced where tests and ablations ask what a number does:

    monkeypatch.setattr(TUNING, "passes", replace(TUNING.passes, max_sum_operands=2))

Levels of effort (`plan/effort.py`) are made of `cuts` and `search` at import, and the allocator keeps what it
found for the process (by `place`): values are compared in processes of their own.
"""

from __future__ import annotations

from dataclasses import dataclass

from nnc.compiler.tuning.groups import Chunks, Cuts, Groups, Residents, Weights
from nnc.compiler.tuning.passes import Batches, Passes, SplitKeys
from nnc.compiler.tuning.place import Place
from nnc.compiler.tuning.search import Estimates, Search
from nnc.compiler.tuning.tiles import Abreast, Staging, Tiles, TwoBuffers


@dataclass(slots=True)
class Tuning:
    """The themes.  Users read numbers where they need them: a default argument would keep an old one."""

    passes: Passes = Passes()
    split_keys: SplitKeys = SplitKeys()
    batches: Batches = Batches()
    search: Search = Search()
    estimates: Estimates = Estimates()
    groups: Groups = Groups()
    cuts: Cuts = Cuts()
    chunks: Chunks = Chunks()
    weights: Weights = Weights()
    residents: Residents = Residents()
    tiles: Tiles = Tiles()
    abreast: Abreast = Abreast()
    staging: Staging = Staging()
    two_buffers: TwoBuffers = TwoBuffers()
    place: Place = Place()


TUNING = Tuning()
