"""Entries on disk: whole or none, whoever writes, whatever is killed or damaged; bounded."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from nnc.cache.store import DEFAULT_BYTES, Store, default_folder, user_store

KEY = "0123abcd"
WRITER = """
import sys
from pathlib import Path
from nnc.cache.store import Store
store = Store(Path(sys.argv[1]))
print("ready", flush=True)
for number in range(int(sys.argv[2])):
    letter = b"%d" % (number % 10)
    store.put("0123abcd", {"report": letter * 10, "program": letter * 3_000_000})
"""


def writer(folder: Path, times: int) -> subprocess.Popen[bytes]:
    """A process that writes the entry over and over, with sections that belong together."""
    process = subprocess.Popen(
        [sys.executable, "-c", WRITER, str(folder), str(times)], stdout=subprocess.PIPE
    )
    assert process.stdout is not None and process.stdout.readline() == b"ready\n"
    return process


def belong_together(sections: dict[str, bytes]) -> bool:
    return set(sections["report"]) == set(sections["program"]) and len(sections["program"]) == 3_000_000


def test_what_is_put_is_there(tmp_path: Path) -> None:
    store = Store(tmp_path / "made" / "when needed")
    assert store.get(KEY, ["a"]) is None and not store.has(KEY, ["a"])
    assert store.contents().entries == 0
    assert store.put(KEY, {"a": b"one", "b": memoryview(b"two\n"), "c": b""})
    assert store.get(KEY, ["a"]) == {"a": b"one"}
    assert store.get(KEY, ["c", "b"]) == {"b": b"two\n", "c": b""}
    assert store.get(KEY, ["d"]) is None
    assert store.has(KEY, ["a", "b"]) and not store.has(KEY, ["a", "d"])
    assert store.put(KEY, {"a": b"new"})
    assert store.get(KEY, ["a"]) == {"a": b"new"} and store.get(KEY, ["b"]) is None
    assert store.contents().entries == 1
    assert store.clear().entries == 1 and store.get(KEY, ["a"]) is None


def test_any_damage_makes_it_none(tmp_path: Path) -> None:
    store = Store(tmp_path)
    store.put(KEY, {"a": b"one", "b": b"two"})
    (path,) = tmp_path.iterdir()
    sound = path.read_bytes()
    for place in range(len(sound)):
        path.write_bytes(sound[:place] + bytes([sound[place] ^ 1]) + sound[place + 1 :])
        assert store.get(KEY, ["a", "b"]) is None, place
        path.write_bytes(sound[:place])
        assert store.get(KEY, ["a", "b"]) is None, place
    path.rename(path.with_name(f"ffff{path.suffix}"))
    assert store.get("ffff", ["a"]) is None, "it is the entry of another key"
    assert store.put(KEY, {"a": b"again"}) and store.get(KEY, ["a"]) == {"a": b"again"}


def test_the_least_recently_used_make_room(tmp_path: Path) -> None:
    store = Store(tmp_path, 10_000)
    for number in range(4):
        assert store.put(f"{number}", {"a": bytes(2_000)})
        os.utime(tmp_path / f"{number}.entry", (number, number))
    assert store.get("0", ["a"]) is not None  # used just now
    assert store.put("4", {"a": bytes(3_000)})
    assert [store.has(f"{number}", ["a"]) for number in range(5)] == [True, False, True, True, True]
    assert store.contents().bytes <= 10_000
    assert not store.put("5", {"a": bytes(10_001)}), "larger than all of it"
    assert store.has("0", ["a"])


def test_what_killed_processes_leave_is_swept_up(tmp_path: Path) -> None:
    store = Store(tmp_path)
    fresh, old = tmp_path / ".a.tmp", tmp_path / ".b.tmp"
    for path in (fresh, old):
        path.write_bytes(b"half")
    os.utime(old, (1, 1))
    store.put(KEY, {"a": b"one"})
    assert fresh.exists() and not old.exists()
    assert store.clear().entries == 1
    assert not any(tmp_path.iterdir())


def test_writers_at_the_same_time(tmp_path: Path) -> None:
    """Readers meanwhile see one whole entry or another, and never a mixture."""
    store = Store(tmp_path)
    writers = [writer(tmp_path, 12) for _ in range(3)]
    seen = 0
    while any(process.poll() is None for process in writers):
        sections = store.get(KEY, ["report", "program"])
        assert sections is None or belong_together(sections)
        seen += sections is not None
    assert seen and [process.wait() for process in writers] == [0, 0, 0]
    assert [path.suffix for path in tmp_path.iterdir()] == [".entry"]


def test_writers_that_are_killed(tmp_path: Path) -> None:
    store = Store(tmp_path)
    for pause in (0.0, 0.01, 0.03):
        process = writer(tmp_path, 1000)
        time.sleep(pause)
        process.send_signal(signal.SIGKILL)
        process.wait()
        sections = store.get(KEY, ["report", "program"])
        assert sections is None or belong_together(sections)
    assert store.put(KEY, {"a": b"one"}) and store.get(KEY, ["a"]) == {"a": b"one"}


def test_a_folder_that_is_none_fails_nothing(tmp_path: Path) -> None:
    (tmp_path / "file").write_bytes(b"")
    store = Store(tmp_path / "file")
    assert not store.put(KEY, {"a": b"one"}) and store.get(KEY, ["a"]) is None
    assert store.contents().entries == store.clear().entries == 0


def test_where_the_users_is(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("NNC_CACHE_DIR", "off")
    assert user_store() is None
    monkeypatch.setenv("NNC_CACHE_DIR", str(tmp_path))
    assert user_store() == Store(tmp_path, DEFAULT_BYTES)
    for text, nbytes in (("2GiB", 2**31), ("1000", 1000), ("much", DEFAULT_BYTES), ("", DEFAULT_BYTES)):
        monkeypatch.setenv("NNC_CACHE_BYTES", text)
        assert user_store() == Store(tmp_path, nbytes)
    monkeypatch.setenv("NNC_CACHE_BYTES", "0")
    assert user_store() is None
    monkeypatch.setattr(sys, "platform", "linux")
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    assert default_folder() == tmp_path / "nnc"
    monkeypatch.delenv("XDG_CACHE_HOME")
    monkeypatch.setenv("HOME", str(tmp_path))
    assert default_folder() == tmp_path / ".cache" / "nnc"
