"""The result of `nnc accuracy`, typed, as JSON has it; ``nnc schema accuracy`` prints its JSON Schema."""

from __future__ import annotations

import math

from pydantic import Field

from nnc.report.entries import Entry

ACCURACY_SCHEMA = 1
"""Number of the form; it grows when a field changes its meaning or goes."""


class Distance(Entry):
    """How far a tensor is from that of the float network, over all samples."""

    snr_db: float | None = Field(
        description="10 log10 of the sum of squares of the float tensor over that of the differences; null:"
        " equal"
    )
    max_abs_error: float = Field(description="largest difference")
    cosine: float | None = Field(description="of the angle between both; null where one is all zeros")

    @property
    def rank(self) -> float:
        """Ascends with less harm; equal tensors come last."""
        return math.inf if self.snr_db is None else self.snr_db


class Agreement(Entry):
    """The chip beside onnxruntime, which computes each tensor from those that the chip computed before it."""

    elements: int
    differing: int
    largest_steps: int | None = Field(description="most steps that an element is off; null: floats")
    max_abs_difference: float


class TensorAccuracy(Entry):
    """A tensor that both networks have: an input, or the result of a layer."""

    tensor: str = Field(description="its name in the float network")
    node: str = Field(description="of the float network, which computes it; empty for an input")
    op: str = Field(description="operator of that node; empty for an input")
    quantised_tensor: str = Field(description="in the quantised network: of integers, or of floats")
    quantised_node: str = Field(description="of the quantised network, which computes it, then rounded")
    quantised_op: str = Field(description="operator of that node; empty for an input")
    dtype: str = Field(description="as the quantised network keeps it: i8, u8, i16, f32 …")
    shape: tuple[int, ...]
    scales: int = Field(description="how many scales it has; 0: it is not rounded")
    repeats: str | None = Field(
        description="the tensor whose elements it has and whose scale it shares: nothing is rounded anew"
    )
    largest: float = Field(description="largest magnitude in the float network")
    saturated: float | None = Field(
        description="share of the float network's elements that are more than half a step outside of what its"
        " integers hold; null: it is not rounded"
    )
    own: Distance = Field(description="of the layer alone quantised, its inputs being the float network's")
    cumulative: Distance = Field(description="as the whole quantised network computes it, in onnxruntime")
    chip: Distance | None = Field(description="as the chip computes it; null: not run, or it is not a result")
    agreement: Agreement | None = Field(description="chip beside onnxruntime, where the chip was run")


class Score(Entry):
    """What an output is worth, from 0 to 1."""

    output: str
    metric: str
    float_score: float
    quantised_score: float
    chip_score: float | None = Field(description="on the samples that ran on the chip; null: none")
    loss: float = Field(description="float_score - quantised_score")


class AccuracyReport(Entry):
    """A quantised network beside its float network."""

    schema_number: int = Field(default=ACCURACY_SCHEMA, alias="schema")
    nnc: str = Field(description="version")
    float_model: str
    quantised_model: str
    source: str = Field(description="of the samples")
    samples: int
    chip: str | None = Field(description="null: only onnxruntime ran")
    chip_samples: int
    reference: str = Field(description="what computed the float and the quantised tensors")
    scores: tuple[Score, ...]
    tensors: tuple[TensorAccuracy, ...] = Field(description="largest own harm first")
    remarks: tuple[str, ...]
