"""Figures of accuracy on the layers of a report, which pages show on the graph."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from pathlib import Path

from pydantic import ValidationError

from nnc.accuracies.schema import ACCURACY_SCHEMA, AccuracyReport, TensorAccuracy
from nnc.errors import ReportFileError
from nnc.report.schema import LayerAccuracy, LayerReport, Report


def read_accuracy(path: Path) -> AccuracyReport:
    """Figures as ``nnc accuracy --report`` writes them.

    Raises:
        ReportFileError: the file holds none.
    """
    try:
        return AccuracyReport.model_validate_json(path.read_bytes())
    except (ValidationError, OSError) as error:
        reason = error.strerror if isinstance(error, OSError) else _first(error)
        raise ReportFileError(
            "the file has no figures of accuracy",
            where=str(path),
            found=reason or "",
            expected=f"JSON as nnc schema accuracy {ACCURACY_SCHEMA} says",
            remedy="write it with nnc accuracy FLOAT.onnx QUANTISED.onnx --data DIR --report FILE.json",
        ) from error


def with_accuracy(report: Report, accuracy: AccuracyReport) -> Report:
    """The report with the figures of each layer: of the tensor that does most harm among those it computes.

    Raises:
        ReportFileError: no layer computes any of the tensors.
    """
    by_node = {row.quantised_node: row for row in accuracy.tensors if row.quantised_node}
    first = {(layer.nodes or (layer.name,))[0] for layer in report.layers}
    layers = [
        layer.model_copy(update={"accuracy": _worst(list(_rows_of(layer, by_node, first)))})
        for layer in report.layers
    ]
    if by_node and all(layer.accuracy is None for layer in layers):
        raise ReportFileError(
            "the figures of accuracy are of another network",
            where=accuracy.quantised_model,
            found=f"nodes {', '.join(list(by_node)[:3])} …",
            expected=f"layers such as {', '.join(layer.name for layer in report.layers[:3])}",
            remedy="give the quantised network, or its program, with the figures of this network",
        )
    return report.model_copy(update={"layers": tuple(layers)})


def _rows_of(
    layer: LayerReport, by_node: Mapping[str, TensorAccuracy], first: set[str]
) -> Iterator[TensorAccuracy]:
    """The tensors that a layer computes; a node that other layers stand for is theirs."""
    own, *fused = layer.nodes or (layer.name,)
    for node in (own, *(node for node in fused if node not in first)):
        if node in by_node:
            yield by_node[node]


def _worst(rows: list[TensorAccuracy]) -> LayerAccuracy | None:
    if not rows:
        return None
    row = min(rows, key=lambda row: row.own.rank)
    agreement = row.agreement
    return LayerAccuracy(
        tensor=row.tensor,
        own_snr_db=row.own.snr_db,
        cumulative_snr_db=row.cumulative.snr_db,
        saturated=row.saturated,
        chip_differing=None if agreement is None else agreement.differing,
    )


def _first(error: ValidationError) -> str:
    first = error.errors(include_url=False)[0]
    return f"{'.'.join(map(str, first['loc']))}: {first['msg']}"
