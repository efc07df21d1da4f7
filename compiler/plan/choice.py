"""Groups that the search may choose: fused ones, and single layers."""

from __future__ import annotations

from nnc.compiler.plan.alone.layer_alone import LayerAlone
from nnc.compiler.plan.fusion.fused_choice import FusedChoice

Choice = FusedChoice | LayerAlone
