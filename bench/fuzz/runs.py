"""Making and judging the cases of a run: the same cases for the same seed."""

from __future__ import annotations

import shutil
import tempfile
from collections.abc import Iterable, Iterator
from contextlib import closing
from pathlib import Path
from random import Random

from bench.fuzz.corpora import Corpus
from bench.fuzz.kinds import Kind
from bench.fuzz.outcomes import Outcome
from bench.fuzz.workers import Limits, Worker


def run(
    kind: Kind, corpus: Corpus, numbers: Iterable[int], seed: int, folder: Path, limits: Limits
) -> Iterator[tuple[Path, Outcome]]:
    """Judge cases, and keep those with an outcome that must not happen: file and outcome of each.

    Args:
        numbers: of the cases; what a case is depends on its number and the seed alone.
        folder: where cases are kept, as SEED-NUMBER, each with a .log that says what became of it.
    """
    groups = [group for group in corpus if group]
    with tempfile.TemporaryDirectory(prefix="nnc-fuzz-") as scratch:
        case = Path(scratch) / f"case{kind.suffix}"
        with closing(Worker(kind.judge, limits, Path(scratch))) as worker:
            for number in numbers:
                random = Random(f"{seed}-{number}")
                case.write_bytes(kind.mutated(random.choice(random.choice(groups)), random))
                outcome = worker.judged(case)
                kept = folder / f"{seed}-{number:05}{kind.suffix}"
                if outcome.verdict.is_bad:
                    folder.mkdir(parents=True, exist_ok=True)
                    shutil.copyfile(case, kept)
                    kept.with_name(f"{kept.name}.log").write_text(
                        f"{outcome.cause}\n\n{outcome.detail}", "utf-8"
                    )
                yield kept, outcome


def replay(kind: Kind, file: Path, limits: Limits) -> Outcome:
    """Judge a file once more."""
    with tempfile.TemporaryDirectory(prefix="nnc-fuzz-") as scratch:
        case = Path(scratch) / f"case{kind.suffix}"
        shutil.copyfile(file, case)
        with closing(Worker(kind.judge, limits, Path(scratch))) as worker:
            return worker.judged(case)
