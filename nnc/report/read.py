"""Reading a report from its file."""

from __future__ import annotations

from pathlib import Path

from pydantic import ValidationError

from nnc.errors import ReportFileError
from nnc.report.schema import SCHEMA, Report


def read_report(path: Path) -> Report:
    """A report as ``nnc compile --report`` writes it, or as ``--json`` prints it: without details.

    Raises:
        ReportFileError: it is none, or one of another version, or cannot be read.
    """
    try:
        return Report.model_validate_json(path.read_bytes())
    except OSError as error:
        raise ReportFileError(
            "the report cannot be read",
            where=str(path),
            found=error.strerror or str(error),
            remedy="name a file that nnc compile MODEL.onnx --report FILE.json has written",
        ) from error
    except ValidationError as error:
        first = error.errors(include_url=False)[0]
        place = ".".join(map(str, first["loc"]))
        raise ReportFileError(
            "the file is no report",
            where=str(path),
            found=f"{place}: {first['msg']}" if place else first["msg"],
            expected=f"JSON as nnc schema report {SCHEMA} says",
            remedy="write it with nnc compile MODEL.onnx --report FILE.json",
        ) from error
