"""Tables of points, a row each, as Parquet, CSV or JSON: the ending of the file says which."""

from __future__ import annotations

import csv
import io
import json
from collections.abc import Callable, Sequence
from importlib.util import find_spec
from pathlib import Path
from typing import Any

from nnc.errors import MissingPackageError
from nnc.isa.errors import OptionError
from nnc.isa.files import write_whole
from nnc.sweeps.figures import PointFigures, flat
from nnc.sweeps.schema import PointReport, SweepReport

Row = dict[str, Any]


def rows_of(report: SweepReport) -> list[Row]:
    """A flat row for each point: what it is, its values, what went wrong, its figures."""
    memories = sorted({name for point in report.points if point.figures for name in point.figures.peak_bytes})
    is_timed = any(point.seconds is not None for point in report.points)
    return [_row(point, memories, is_timed=is_timed) for point in report.points]


def _row(point: PointReport, memories: list[str], *, is_timed: bool) -> Row:
    return {
        "model": point.model,
        "sha256": point.sha256,
        "chip": point.chip,
        **point.values,
        "error": point.error,
        "message": point.message,
        **flat(point.figures, memories),
        **({"seconds": point.seconds} if is_timed else {}),
    }


def check_results_path(path: Path) -> None:
    """Tell before the work what would fail behind it.

    Raises:
        OptionError: the ending says no form.
        MissingPackageError: the form needs a package that is not installed.
    """
    if path.suffix.lower() not in _WRITERS:
        raise OptionError(
            "the ending of the file says no form of a table",
            where=str(path),
            expected=", ".join(_WRITERS),
            remedy="name it results.parquet, results.csv or results.json",
        )
    if path.suffix.lower() == ".parquet" and find_spec("pyarrow") is None:
        raise MissingPackageError(
            "Parquet is written by the package pyarrow, which is not installed",
            where=str(path),
            remedy="pip install 'nnc[sweep]', or name a file that ends with .csv or .json",
        )


def write_results(report: SweepReport, path: Path) -> None:
    """Write the rows, whole or not at all; equal sweeps give equal bytes.

    Raises:
        OutputFileError: the file cannot be written.
    """
    write_whole(path, [_WRITERS[path.suffix.lower()](rows_of(report))])


def _json(rows: Sequence[Row]) -> bytes:
    lines = ",\n".join(json.dumps(row, ensure_ascii=False) for row in rows)
    return f"[\n{lines}\n]\n".encode(errors="backslashreplace")


def _csv(rows: Sequence[Row]) -> bytes:
    text = io.StringIO()
    writer = csv.DictWriter(text, list(rows[0]) if rows else [], lineterminator="\n")
    writer.writeheader()
    writer.writerows(rows)
    return text.getvalue().encode(errors="backslashreplace")


def _parquet(rows: Sequence[Row]) -> bytes:
    import pyarrow as pa
    import pyarrow.parquet as pq

    columns = {name: [row[name] for row in rows] for name in (rows[0] if rows else ())}
    arrays = {name: pa.array(*_typed(name, values, pa)) for name, values in columns.items()}
    sink = pa.BufferOutputStream()
    pq.write_table(pa.table(arrays), sink, compression="zstd")
    data: bytes = sink.getvalue().to_pybytes()
    return data


def _typed(name: str, values: list[Any], pa: Any) -> tuple[list[Any], Any]:
    """The values of a column in its type, which a column without a value has, too."""
    field = PointFigures.model_fields.get(name)
    stated = "" if field is None else str(field.annotation)
    if "float" in stated or name == "seconds":
        return values, pa.float64()
    if "int" in stated or name.endswith("_peak_bytes"):
        return values, pa.int64()
    kinds = {type(value) for value in values if value is not None}
    for kind, column in (({bool}, pa.bool_()), ({int}, pa.int64()), ({int, float}, pa.float64())):
        if kinds and kinds <= kind:
            return values, column
    return [None if value is None else str(value) for value in values], pa.string()


_WRITERS: dict[str, Callable[[Sequence[Row]], bytes]] = {".parquet": _parquet, ".csv": _csv, ".json": _json}
