"""Data of the page as text that a browser unpacks: JSON, compressed, in base64."""

from __future__ import annotations

import base64
import json
import zlib
from collections.abc import Sequence
from typing import Any

import numpy as np
import numpy.typing as npt

_LEVEL = 7
_GZIP = 16 + zlib.MAX_WBITS


def deltas(column: Sequence[int] | npt.NDArray[np.int64]) -> list[int]:
    """Differences of neighbours, the first one from 0: columns that grow become small and alike numbers."""
    differences: list[int] = np.diff(np.asarray(column, dtype=np.int64), prepend=0).tolist()
    return differences


def packed(data: Any) -> str:
    """Data as base64 of gzip of JSON; no character of it means anything in HTML."""
    text = json.dumps(data, separators=(",", ":"), allow_nan=False)
    machine = zlib.compressobj(_LEVEL, zlib.DEFLATED, _GZIP)
    return base64.b64encode(machine.compress(text.encode()) + machine.flush()).decode("ascii")


def unpacked(text: str) -> Any:
    """What `packed` was given."""
    return json.loads(zlib.decompress(base64.b64decode(text), _GZIP))
