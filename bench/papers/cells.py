"""What others have published or printed, and the same work for nnc: a cell is a network on a chip.

`figures.toml` holds them, grouped by the paper, with a source for each figure and what differs between the
models, in both directions.
"""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from pathlib import Path
from typing import Literal

from pydantic import BaseModel, ConfigDict, Field

_HERE = Path(__file__).parent


class _Entry(BaseModel):
    model_config = ConfigDict(extra="forbid", frozen=True)


class Cell(_Entry):
    """A network on a chip.

    Attributes:
        what: the work, for people.
        network, numbers, batch: see `networks.network`.
        chip: a file in `chips`; set: values that differ from it.
        cycles: of the others; None if their tool finds no schedule.
        megabytes: that their DRAM moves, in 10^6 bytes, if they say.
        remark: what holds for this cell alone.
    """

    what: str
    network: str
    numbers: str = "i8"
    batch: int = 1
    chip: str
    set: tuple[str, ...] = ()
    softmax: str = "f32"
    cycles: float | None = None
    megabytes: float | None = None
    remark: str = ""

    @property
    def chip_file(self) -> Path:
        return _HERE / "chips" / f"{self.chip}.toml"


class Paper(_Entry):
    """A paper, or a tool, and its cells.

    Attributes:
        source: of the figures.
        kind: printed by the authors; in their repository; or what their tool gives, run by us.
        theirs_easier, theirs_harder: how their model of a chip differs from nnc's.
    """

    title: str
    source: str
    kind: Literal["printed", "in their repository", "their tool, run again"]
    theirs_easier: str
    theirs_harder: str
    cells: tuple[Cell, ...] = Field(alias="cell")


def papers() -> Mapping[str, Paper]:
    """All papers by the names that the command takes."""
    data = tomllib.loads((_HERE / "figures.toml").read_text(encoding="utf-8"))
    return {name: Paper.model_validate(about) for name, about in data.items()}
