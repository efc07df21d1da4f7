"""The contract between compiler and runtime: instructions, programs, chips and what things cost."""

from nnc.isa import instructions as instructions  # so that the table of instructions is always filled
