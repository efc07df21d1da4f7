"""nnc verify: judge a program by itself."""

from __future__ import annotations

from pathlib import Path

import click

from nnc.cli.options import entry_option, json_option
from nnc.cli.output import emit_json, plural, say
from nnc.cli.paths import ReadPath
from nnc.cli.progress import ShownProgress


@click.command("verify", short_help="Prove that a program keeps the rules of its chip.")
@click.argument("program", type=ReadPath(), metavar="PROGRAM.bin")
@entry_option
@click.option(
    "--redundant-waits",
    is_flag=True,
    help="Count waits that follow from others and the order of the engines; a compiler should leave none.",
)
@json_option
def command(program: Path, entry: str, redundant_waits: bool, as_json: bool) -> None:
    """Judge a program from its file alone, without trusting the compiler that made it.

    Accesses stay in bounds and aligned, nothing is read before it is written, accesses to the same bytes are
    ordered by waits, nothing deadlocks, every output byte is written exactly once.  By the notes of a
    compiled program, operands hold the elements that they are read as, and groups compute what was compiled.
    Exit 1 if not so.

    \b
    Examples:
      nnc verify model.bin
      nnc verify model.bin --json
      nnc verify model.bin --redundant-waits
    """
    from nnc.isa.program_file.binary import load_program
    from nnc.runtime.verifier import verify

    redundant = None
    with ShownProgress("reading") as progress:
        loaded = load_program(program, entry=entry)
        progress("verifying", 0, 0)
        findings = verify.verify(loaded)
        if redundant_waits and not findings:
            from nnc.runtime.verifier.redundant_waits import redundant_waits as find

            progress("looking for waits that others imply", 0, 0)
            redundant = len(find(loaded))
    if as_json:
        emit_json(
            {
                "program": str(program),
                "ok": not findings,
                **({} if redundant is None else {"redundant_waits": redundant}),
                "findings": [
                    {"rule": f.rule.value, "place": f.place, "message": f.message, "index": f.index}
                    for f in findings
                ],
            }
        )
    if findings:
        verify.check(loaded, str(program))  # tells the first of them
    elif not as_json:
        count = plural(len(loaded.issued), "instruction")
        say(f"{program}: {count} for {loaded.chip.name}, no rule is broken")
        if redundant is not None:
            waits = sum(len(item.waits) for item in loaded.issued)
            say(f"{program}: {redundant} of {plural(waits, 'wait')} redundant")
