"""The verifier: judges a finished program by itself, knowing nothing of the compiler that made it.

1. `operands`: every instruction by itself; which shapes fit together, its class says.
2. `happens_before`: waits, deadlock, and happens-before as vector clocks.
3. `data`: every byte, in that order.
4. `contents`: what the bytes mean, as far as the debug section says.
5. `digests`: attributes and constants, against what the compiler has summed up of each group.
"""

from __future__ import annotations

from nnc.isa.program import Program
from nnc.isa.timing.streams import places_of
from nnc.runtime.demand import check_simulation, check_verification
from nnc.runtime.errors import VerificationError
from nnc.runtime.verifier.contents import check_contents
from nnc.runtime.verifier.data import check_data, granules_of
from nnc.runtime.verifier.digests import check_digests
from nnc.runtime.verifier.finding import Finding, Report, Rule
from nnc.runtime.verifier.happens_before import order_of
from nnc.runtime.verifier.operands import check_operands, check_padding, check_table

__all__ = ["Finding", "Rule", "check", "verify"]

_SHOWN = 10


def verify(program: Program) -> list[Finding]:
    """All broken rules of a program, empty for a sound one.

    The bytes are judged only if the tensor table is sound and the program cannot deadlock; instructions whose
    operands leave their memories take no part in that.

    Raises:
        ProgramTooLargeError: that would take too much memory.
    """
    report = Report(program, places_of(program))
    if not check_table(report):
        return report.findings
    check_simulation(program)
    if check_padding(report):
        usable = check_operands(report)
        order = order_of(report)
        if order is not None:
            granules = granules_of(program, usable)
            check_verification(program, report.places, usable, granules)
            check_data(report, order, usable, granules)
            check_contents(report, order, usable, granules)
        if all(usable):
            check_digests(report)
    return report.findings


def check(program: Program, where: str = "program") -> None:
    """Verify a program and insist on it.

    Raises:
        VerificationError: the program breaks a rule; the error shows the first findings and their number.
        ProgramTooLargeError: verifying it would take too much memory.
    """
    findings = verify(program)
    if findings:
        shown = [str(finding) for finding in findings[:_SHOWN]]
        if len(findings) > _SHOWN:
            shown.append(f"… and {len(findings) - _SHOWN} more")
        raise VerificationError(
            f"the program breaks {len(findings)} rule{'s' if len(findings) > 1 else ''}",
            where=where,
            found="\n    ".join(shown),
            remedy="if nnc compiled this program unchanged, this is a bug in nnc: please report it;"
            " 'nnc run --no-verify' (verify=False in Python) runs it all the same",
        )
