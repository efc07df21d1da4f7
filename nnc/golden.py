"""A folder of golden reports: what networks cost when somebody last looked, to compare with today's compiler.

golden/
  golden.json          model and options of each network
  resnet18-npu.json    its report, without details and without the time that compiling took
"""

from __future__ import annotations

import os
import re
from collections.abc import Collection, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from pydantic import BaseModel, ConfigDict, ValidationError

from nnc.errors import ReportFileError
from nnc.isa.errors import OptionError
from nnc.isa.files import write_whole
from nnc.isa.nearest import did_you_mean
from nnc.report.read import read_report
from nnc.report.schema import Report

INDEX = "golden.json"
_NAME = re.compile(r"[A-Za-z0-9][A-Za-z0-9._+-]{0,99}")


class GoldenNetwork(BaseModel):
    """A network of a golden folder.

    Attributes:
        model: path of the ONNX file, relative to the folder.
        options: by which it is compiled, by the names of fields of ``nnc.cli.options.Target``.
    """

    model_config = ConfigDict(extra="forbid", frozen=True)

    model: str
    options: dict[str, Any]


class _Index(BaseModel):
    """The file `INDEX`."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    networks: dict[str, GoldenNetwork]


@dataclass(frozen=True)
class GoldenFolder:
    """Networks with the reports that are kept of them.

    Attributes:
        path: of the folder.
        networks: by name, in the order in which they were added.
    """

    path: Path
    networks: Mapping[str, GoldenNetwork] = field(default_factory=dict)

    @classmethod
    def open(cls, path: Path, *, create: bool = False) -> GoldenFolder:
        """A folder as it lies on the disk.

        Args:
            path: of the folder.
            create: whether a folder without an index is an empty one.

        Raises:
            ReportFileError: it has no index that can be read, or a damaged one.
        """
        index = path / INDEX
        try:
            networks = _Index.model_validate_json(index.read_bytes()).networks
        except OSError as error:
            if create and isinstance(error, FileNotFoundError):
                return cls(path)
            raise ReportFileError(
                "the folder holds no golden reports",
                where=str(path),
                found=error.strerror or str(error),
                expected=INDEX,
                remedy="begin with nnc golden add FOLDER NAME MODEL.onnx",
            ) from error
        except ValidationError as error:
            first = error.errors(include_url=False)[0]
            raise ReportFileError(
                "the index of the golden reports is damaged",
                where=str(index),
                found=f"{'.'.join(map(str, first['loc']))}: {first['msg']}",
                remedy="restore the file, or add the networks again with nnc golden add",
            ) from error
        for name in networks:
            _insist_on_name(name, str(index))
        return cls(path, networks)

    def chosen(self, names: Collection[str]) -> dict[str, GoldenNetwork]:
        """Networks by name; all if none is named.

        Raises:
            OptionError: there is no such network.
        """
        for name in names:
            if name not in self.networks:
                raise OptionError(
                    "there is no such golden network",
                    found=name,
                    expected=", ".join(self.networks),
                    remedy=did_you_mean(name, self.networks, "nnc golden add adds a network"),
                )
        return {name: network for name, network in self.networks.items() if not names or name in names}

    def model(self, name: str) -> Path:
        """Where the model of a network lies."""
        return Path(os.path.normpath(self.path / self.networks[name].model))

    def report(self, name: str) -> Report:
        """The report that is kept of a network.

        Raises:
            ReportFileError: it is missing or damaged.
        """
        return read_report(self._file(name))

    def keep(self, name: str, report: Report) -> None:
        """Write the report of a network.

        Raises:
            OutputFileError: that fails; the old one is then untouched.
        """
        source = report.model
        if source is not None and source.file is not None:
            source = source.model_copy(update={"file": self.networks[name].model})
        kept = report.model_copy(update={"compile_seconds": None, "details": None, "model": source})
        write_whole(self._file(name), [kept.model_dump_json(by_alias=True, indent=1).encode(), b"\n"])

    def added(self, name: str, model: Path, options: Mapping[str, Any]) -> GoldenFolder:
        """The folder with a network more, or with one of that name replaced; the index is not written.

        Raises:
            OptionError: the name is no name of a file.
        """
        _insist_on_name(name, str(self.path))
        network = GoldenNetwork(model=os.path.relpath(model, self.path), options=dict(options))
        return GoldenFolder(self.path, {**self.networks, name: network})

    def write_index(self) -> None:
        """Write the index.

        Raises:
            OutputFileError: that fails; the old one is then untouched.
        """
        index = _Index(networks=dict(self.networks))
        write_whole(self.path / INDEX, [index.model_dump_json(indent=1).encode(), b"\n"])

    def _file(self, name: str) -> Path:
        return self.path / f"{name}.json"


def _insist_on_name(name: str, where: str) -> None:
    """Refuse names that are none of files in the folder.

    Raises:
        OptionError: it is such a name.
    """
    if not _NAME.fullmatch(name) or f"{name}.json" == INDEX:
        raise OptionError(
            "this is no name of a golden network",
            where=where,
            found=name,
            expected=f"letters, digits and . _ + -, at most 100, and not {INDEX.removesuffix('.json')}",
            remedy="take a name such as resnet18-npu4",
        )
