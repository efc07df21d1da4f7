"""Groups that the search may choose: fused ones, and single layers, in tiles or with two buffers (M3)."""

from __future__ import annotations

from nnc.compiler.plan.fusion.fused_choice import FusedChoice
from nnc.compiler.plan.tiles.tiled_choices import TiledChoice
from nnc.compiler.plan.two_buffers.choices import BufferedChoice

Choice = FusedChoice | TiledChoice | BufferedChoice
