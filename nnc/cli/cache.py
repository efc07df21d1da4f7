"""nnc cache: what has been compiled before, and is kept."""

from __future__ import annotations

import click

from nnc.cli.options import json_option
from nnc.cli.output import emit_json, human_bytes, plural, say


@click.command("cache", short_help="Show or clear what is kept of compilations.")
@click.argument("what", type=click.Choice(["show", "clear"]), default="show")
@json_option
def command(what: str, as_json: bool) -> None:
    """Show where compilations are kept and how much that is, or remove them.

    nnc compile and nnc sweep keep what they have compiled, by the contents of the model's files, the whole
    chip, all options, and nnc itself: the same again is answered at once, anything else is compiled. Entries
    that were used longest ago make room for new ones. --no-cache does without.

    \b
    Environment:
      NNC_CACHE_DIR    the folder; off: nothing is kept. Default: nnc in the user's cache folder
      NNC_CACHE_BYTES  the most that is kept, such as 4GiB; default: 1GiB

    \b
    Examples:
      nnc cache
      nnc cache clear
      NNC_CACHE_DIR=off nnc compile model.onnx
    """
    from nnc.cache.store import user_store

    store = user_store()
    if store is None:
        if as_json:
            emit_json({"folder": None, "entries": 0, "bytes": 0, "most_bytes": 0})
        else:
            say("cache     off")
        return
    contents = store.clear() if what == "clear" else store.contents()
    if as_json:
        figures = {"entries": contents.entries, "bytes": contents.bytes, "most_bytes": store.most_bytes}
        emit_json({"folder": str(store.folder), **figures})
        return
    size = f"{plural(contents.entries, 'entry').replace('entrys', 'entries')}, {human_bytes(contents.bytes)}"
    say(f"cache     {store.folder}")
    say(f"removed   {size}" if what == "clear" else f"holds     {size} of {human_bytes(store.most_bytes)}")
