"""What the canonical passes may know of the chip that a network is compiled for, and of what is asked for."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from nnc.compiler.target.fully_connected import takes_pixels
from nnc.compiler.target.pixel_groups import PIXEL_CHANNELS
from nnc.compiler.target.type_support import check_softmax, multiplies_unsigned
from nnc.isa.chip.description import Chip
from nnc.isa.types import DType


@dataclass(frozen=True, slots=True)
class Target:
    """A chip and a request as the passes see them; the default is no chip: nothing is decided by one.

    Attributes:
        transfer_unit: bytes in whole multiples of which the chip's DMA moves data.
        pixel_channels: channels of a pixel in which the chip takes flattened features (M5); 0: it does not.
        unsigned_products: whether the chip's array multiplies unsigned bytes only.
        map: along what the lanes of the chip's array run (`compute.map`).
        lanes: of the array, by bytes of an element (1, 2, 4).
        burst: bytes in whole multiples of which the chip's DRAM moves; 0: not known.
        memory_bytes: of the chip's largest memory; 0: not known.
        weight_bytes: of the memory that weights of matrix products lie in; 0: not known.
        sharing_cores: cores that may share a group.
        objective: what plans are chosen by.
        softmax: in what softmax and normalisations between integers are computed (`Arithmetic`).
        pictures: at most so many pictures of a batch are stitched (M4); 0: none.
        apart: the tensor up to which every picture of a batch gets layers of its own; "": none.
    """

    transfer_unit: int = 1
    pixel_channels: int = 0
    unsigned_products: bool = False
    map: Literal["channels", "pixels"] = "channels"
    lanes: tuple[int, int, int] = (1, 1, 1)
    burst: int = 0
    memory_bytes: int = 0
    weight_bytes: int = 0
    sharing_cores: int = 1
    objective: str = "balanced"
    softmax: str = "f32"
    pictures: int = 0
    apart: str = ""

    @classmethod
    def of(
        cls,
        chip: Chip,
        objective: str = "balanced",
        *,
        softmax: str = "f32",
        pictures: int = 0,
        apart: str = "",
    ) -> Target:
        """The target that a chip is, for what is asked of the planner.

        Raises:
            ElementTypeError: the chip does not compute a softmax in the type that is asked for.
        """
        check_softmax(chip, softmax)
        shapes = chip.compute.array_shapes
        lanes = [max((a for a, _ in shapes.get(name, ())), default=1) for name in ("i8", "f16", "f32")]
        return cls(
            transfer_unit=chip.transfer_unit,
            pixel_channels=PIXEL_CHANNELS if takes_pixels(chip) else 0,
            unsigned_products=multiplies_unsigned(chip),
            map=chip.compute.map,
            lanes=(lanes[0], lanes[1], lanes[2]),
            burst=chip.dram.burst,
            memory_bytes=max(memory.bytes for memory in chip.memory.values()),
            weight_bytes=chip.memory[chip.placement("gemm", "weight").memories[0]].bytes,
            sharing_cores=chip.cores if chip.dma.broadcast else 1,
            objective=objective,
            softmax=softmax,
            pictures=pictures,
            apart=apart,
        )

    def lanes_of(self, dtype: DType) -> int:
        """Lanes for elements of a type."""
        return self.lanes[min(dtype.itemsize, 4) // 2]


ANY_CHIP = Target()
"""The target of graphs that no chip is known for: tensors are not aligned, and channels lie innermost."""
