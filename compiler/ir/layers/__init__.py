"""Layer kinds: few and general, one frozen dataclass each.  Many ONNX operators import to one kind.

Tensors keep the axis order of the ONNX model (N, C, spatial… for images); how a tensor is laid out in
memory is a separate decision (``nnc.compiler.ir.storage``).  Operands are the ordered inputs of the node
in the graph; an absent optional operand is ``None`` there.
"""

from nnc.compiler.ir.layers.along_axis import *
from nnc.compiler.ir.layers.layer import *
from nnc.compiler.ir.layers.mac import *
from nnc.compiler.ir.layers.move import *
from nnc.compiler.ir.layers.recurrent import *
from nnc.compiler.ir.layers.vector import *
from nnc.compiler.ir.layers.views import *
