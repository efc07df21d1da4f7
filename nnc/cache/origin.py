"""Where results come from: the sources of nnc, and the versions of the libraries that decide with it.

A result of other sources is another result, released or not: whoever works on nnc never sees an old plan.
"""

from __future__ import annotations

import hashlib
import os
import sys
from functools import cache
from pathlib import Path

from nnc.version import __version__

_LIBRARIES = ("ml_dtypes-", "numpy-", "onnx-", "onnxruntime-", "onnxscript-")
"""Those that a plan or a constant may depend on."""


@cache
def origin() -> str:
    """A digest of the version, of all sources and presets of nnc, and of the versions of libraries."""
    digest = hashlib.sha256(f"{__version__} {sys.version_info[:3]}".encode())
    package = Path(__file__).parents[1]
    for folder, folders, files in os.walk(package, followlinks=True):  # parts of nnc may be links
        folders.sort()
        for name in sorted(files):
            if name.endswith((".py", ".toml")):
                path = Path(folder, name)
                digest.update(f"\0{path.relative_to(package)}\0".encode())
                digest.update(path.read_bytes())
    for name in sorted(_installed()):
        digest.update(name.encode())
    return digest.hexdigest()


def _installed() -> set[str]:
    """Names and versions of the libraries, as pip notes them; asking importlib takes three times as long."""
    names = set[str]()
    for folder in sys.path:
        try:
            names.update(path.name for path in Path(folder or ".").glob("*.dist-info"))
        except OSError:
            continue
    return {name for name in names if name.lower().startswith(_LIBRARIES)}
