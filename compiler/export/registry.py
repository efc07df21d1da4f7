"""All emitter modules: importing this one fills the table."""

from nnc.compiler.export import functions, mac, recurrent, resample, statistics, views, windows
from nnc.compiler.export.nodes import EMITTERS

__all__ = [
    "EMITTERS",
    "functions",
    "mac",
    "recurrent",
    "resample",
    "statistics",
    "views",
    "windows",
]
