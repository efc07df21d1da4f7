"""The instruction set: one frozen dataclass per instruction, its typed fields being its definition.

A class says all that is known of its instruction beside the kernel: operands, attributes, the formula, which
shapes fit together and what it costs.  One instruction works on a tile, so that a network is thousands of
instructions and numpy does the inside.  Activations are N, spatial…, C; layout is strides.  Sizes are
elements unless bytes are named.
"""

from nnc.isa.instructions.along_axis import *
from nnc.isa.instructions.mac import *
from nnc.isa.instructions.mac_instruction import *
from nnc.isa.instructions.move import *
from nnc.isa.instructions.normalise import *
from nnc.isa.instructions.recurrent import *
from nnc.isa.instructions.transfers import *
from nnc.isa.instructions.vector import *
