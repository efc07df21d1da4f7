"""Verifier, part 5: what instructions do with their operands is what the compiler meant, group by group."""

from __future__ import annotations

from nnc.isa.digests import TABLE, digest_fact, digests
from nnc.runtime.verifier.finding import Report, Rule


def check_digests(report: Report) -> None:
    """Report groups whose digest is not the one of the debug section; what that does not say is not asked.

    All instructions are usable: their operands lie in their memories.
    """
    program = report.program
    if TABLE not in program.facts and not any(
        digest_fact(g) in program.facts for g in range(len(program.groups))
    ):
        return
    for name, digest in digests(program).items():
        said = program.facts.get(name, digest)
        if said != digest:
            place = "inputs and outputs" if name == TABLE else name.removesuffix("_digest").replace("_", " ")
            text = "attributes, constants or elements are others than those that were compiled"
            report.add_place(
                Rule.DIGEST,
                place,
                f"{text}: {digest}, fact {name} says {said} (leave it out after a change on purpose)",
            )
