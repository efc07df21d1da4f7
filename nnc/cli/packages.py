"""Packages that only some commands need."""

from __future__ import annotations

from importlib.util import find_spec


def insist_on_bokeh() -> None:
    """Do nothing if what draws is there.

    Raises:
        MissingPackageError: it is not.
    """
    from nnc.errors import MissingPackageError

    if find_spec("bokeh") is None:
        raise MissingPackageError(
            "pages are drawn by the package bokeh, which is not installed", remedy="pip install 'nnc[report]'"
        )
