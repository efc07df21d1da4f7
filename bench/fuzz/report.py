"""The report: outcomes by kind, refusals by code, and what must not happen, each cause with a case."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Mapping
from pathlib import Path

from rich.console import Console
from rich.table import Table

from bench.fuzz.outcomes import Outcome, Verdict


def show(console: Console, kind: str, outcomes: Mapping[Path, Outcome]) -> None:
    """Print the report.

    Args:
        outcomes: by the file of the case.
    """
    table = Table(title=f"fuzz {kind}: {len(outcomes)} cases", title_justify="left")
    table.add_column("outcome")
    table.add_column("cases", justify="right")
    counts = Counter(outcome.verdict for outcome in outcomes.values())
    codes = Counter(o.cause for o in outcomes.values() if o.verdict is Verdict.REFUSED)
    for verdict in Verdict:
        table.add_row(verdict.value, str(counts[verdict]), style="red" if _is_red(verdict, counts) else "")
        if verdict is Verdict.REFUSED:
            for code, count in sorted(codes.items()):
                table.add_row(f"  {code}", str(count), style="dim")
    console.print(table)
    cases = defaultdict(list)
    for file, outcome in outcomes.items():
        if outcome.verdict.is_bad:
            cases[outcome.verdict, outcome.cause].append(file)
    for (verdict, cause), files in sorted(cases.items(), key=lambda item: -len(item[1])):
        console.print(f"{len(files)} x {verdict.value}: {cause}", style="red", markup=False, soft_wrap=True)
        console.print(f"  {replay_command(kind, files[0])}", markup=False, soft_wrap=True, highlight=False)


def replay_command(kind: str, file: Path) -> str:
    """What judges one case again."""
    here = Path.cwd()
    return f"python -m bench.fuzz {kind} --replay {file.relative_to(here) if here in file.parents else file}"


def _is_red(verdict: Verdict, counts: Mapping[Verdict, int]) -> bool:
    return verdict.is_bad and bool(counts[verdict])
