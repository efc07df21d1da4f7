"""Errors of the simulated chip and of the verifier (the base of all: `nnc.isa.errors`)."""

from __future__ import annotations

from nnc.isa.errors import NncError, UsualRemedyError


class VerificationError(NncError):
    """The verifier found that a program breaks a rule (bounds, order, completeness)."""

    code = "NNC-E060"


class ProgramTooLargeError(NncError):
    """Verifying or simulating a program would take more memory than the limits or the machine allow."""

    code = "NNC-E032"


class ExecutionError(UsualRemedyError):
    """The simulated chip met an access or a value that the hardware could not carry out."""

    code = "NNC-E070"
    usual_remedy = "check the program with 'nnc verify'"
