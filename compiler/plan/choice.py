"""Groups that the search may choose: fused ones and single layers in tiles, with what they cost."""

from __future__ import annotations

from nnc.compiler.plan.fusion.fused_choice import FusedChoice
from nnc.compiler.plan.tiling.core_mapping import TiledChoice

Choice = FusedChoice | TiledChoice
