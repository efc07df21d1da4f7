"""nnc/viewers in Model Explorer itself: its server with both extensions, its page in Chromium."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import time
from collections.abc import Iterator
from itertools import pairwise
from pathlib import Path

import pytest
import requests
from browser import PATIENCE
from cli_harness import DIGITS, ok
from model_explorer.config import ModelExplorerConfig
from portpicker import pick_unused_port
from selenium.webdriver import Chrome
from selenium.webdriver.support.ui import WebDriverWait

from nnc.viewers.overlay import overlay_files

START = "from model_explorer.cmdline import main; main()"


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    found = tmp_path_factory.mktemp("explorer")
    args = ["--set", "memory.sram.bytes=32KiB", "--report", found / "r.json", "-o", found / "digits.bin"]
    ok("compile", DIGITS, *args)
    ok("report", found / "r.json", "--overlay", found)
    return found


@pytest.fixture(scope="module")
def address() -> Iterator[str]:
    """Of a server of Model Explorer on this machine."""
    address = f"http://127.0.0.1:{pick_unused_port()}"
    options = ["--host=127.0.0.1", f"--port={address.rpartition(':')[2]}", "--no_open_in_browser"]
    extensions = "--extensions=nnc.viewers,model_explorer_onnx"
    command = [sys.executable, "-c", START, *options, extensions]
    environment = {**os.environ, "PYTHONPATH": str(Path(__file__).parents[2])}
    with subprocess.Popen(command, env=environment, stdout=subprocess.DEVNULL) as server:
        try:
            end = time.monotonic() + PATIENCE
            while True:
                try:
                    requests.get(f"{address}/check_health", timeout=5).raise_for_status()
                    break
                except requests.ConnectionError:
                    assert server.poll() is None and time.monotonic() < end, "the server does not start"
                    time.sleep(0.1)
            yield address
        finally:
            server.terminate()


def shown(driver: Chrome, address: str, model: Path, *overlays: Path, until: str) -> str:
    """The text of the page of a model, once it has some words."""
    config = ModelExplorerConfig().add_model_from_path(str(model))
    for overlay in overlays:
        config.add_node_data_from_path(str(overlay))
    driver.get(f"{address}/?data={config.to_url_param_value()}")
    text = "return document.body.innerText"
    WebDriverWait(driver, PATIENCE).until(lambda found: until in found.execute_script(text))
    return str(driver.execute_script(text))


def test_nodes_of_a_model_carry_the_figures(driver: Chrome, address: str, folder: Path) -> None:
    files = overlay_files(folder)
    model = Path(DIGITS)
    shown(driver, address, model, files["cycles"], files["group"], until="Root-level nodes stats")
    rows = driver.execute_script(
        "return [...document.querySelectorAll('tr')].map((r) => [...r.cells].map((c) => c.innerText.trim()))"
    )
    table = [row[2:4] for row in rows if len(row) == 4 and row[0].isdigit() and row[1] != "digits_cnn"]
    for column, figure in enumerate(("cycles", "group")):
        results = json.loads(files[figure].read_text())["results"]
        expected = [str(result["value"]) for node, result in results.items() if node != "image"]
        found = [row[column] for row in table if row[column] not in ("", "-")]
        assert sorted(found) == sorted(expected)


def test_a_program_opens_with_its_layers_in_groups(driver: Chrome, address: str, folder: Path) -> None:
    report = json.loads((folder / "r.json").read_text())
    text = shown(driver, address, folder / "digits.bin", until="layer count")
    facts = [line.strip() for line in text.splitlines() if line.strip()]
    after = dict(pairwise(facts))
    assert after["op node count"] == str(len(report["layers"]))
    several = [group for group in report["groups"] if len(group["layers"]) > 1]
    assert int(after["layer count"]) >= len(several) > 0  # so it calls groups; those of one layer may be it
    assert after["chip"] == report["chip"]["title"]
