"""Groups that the search may choose: fused ones, and single layers, in tiles or with two buffers (M3)."""

from __future__ import annotations

from nnc.compiler.plan.alone.m3_choices import BufferedChoice
from nnc.compiler.plan.alone.tiled_choices import TiledChoice
from nnc.compiler.plan.fusion.fused_choice import FusedChoice

Choice = FusedChoice | TiledChoice | BufferedChoice
