"""Debian's Chromium without a window, driven by selenium, for pages of `nnc report`.

tests/browser, bench/page.py and `make picture` open pages with it.
"""

from __future__ import annotations

import json
import shutil
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from selenium import webdriver
from selenium.webdriver.chrome.options import Options
from selenium.webdriver.chrome.service import Service
from selenium.webdriver.remote.command import Command

PATIENCE = 60.0
"""Seconds until a page must be there."""


@contextmanager
def chromium(
    width: int = 1400, height: int = 1000, *, prefers_dark: bool = False
) -> Iterator[webdriver.Chrome]:
    """A browser, which is closed at the end.

    Raises:
        FileNotFoundError: Chromium or its driver is not installed.
    """
    programs = {name: shutil.which(name) for name in ("chromium", "chromedriver")}
    if missing := [name for name, path in programs.items() if path is None]:
        raise FileNotFoundError(f"no {' and no '.join(missing)}: apt-get install chromium chromium-driver")
    options = Options()
    options.binary_location = str(programs["chromium"])
    flags = ["headless=new", "no-sandbox", "disable-dev-shm-usage", f"window-size={width},{height}"]
    if prefers_dark:
        flags.append("force-dark-mode")
    for flag in flags:
        options.add_argument(f"--{flag}")
    options.set_capability("goog:loggingPrefs", {"browser": "ALL", "performance": "ALL"})
    driver = webdriver.Chrome(options=options, service=Service(str(programs["chromedriver"])))
    driver.set_script_timeout(PATIENCE)
    try:
        yield driver
    finally:
        driver.quit()


def open_page(driver: webdriver.Chrome, page: Path) -> float:
    """Open a page; gives the seconds until all views are there.

    Raises:
        TimeoutError: they do not come; the message is what the page says.
    """
    begin = time.perf_counter()
    driver.get(page.resolve().as_uri())
    while time.perf_counter() - begin < PATIENCE:
        if driver.execute_script("return document.documentElement.dataset.ready === 'yes'"):
            wait_for_frames(driver)
            return time.perf_counter() - begin
        time.sleep(0.02)
    raise TimeoutError(driver.execute_script("return document.body.innerText.slice(0, 500)"))


def wait_for_frames(driver: webdriver.Chrome, frames: int = 3) -> None:
    """Wait until the page has drawn what was asked for."""
    driver.execute_async_script(
        "let left = arguments[0]; const done = arguments[1];"
        "const step = () => left-- > 0 ? requestAnimationFrame(step) : done(); step();",
        frames,
    )


def requests(driver: webdriver.Chrome) -> list[str]:
    """Addresses that the page asked for since the last call, in order."""
    messages: list[Any] = [json.loads(entry["message"])["message"] for entry in _log(driver, "performance")]
    return [m["params"]["request"]["url"] for m in messages if m["method"] == "Network.requestWillBeSent"]


def console_errors(driver: webdriver.Chrome) -> list[str]:
    """What the console of the page has as errors since the last call."""
    return [entry["message"] for entry in _log(driver, "browser") if entry["level"] == "SEVERE"]


def _log(driver: webdriver.Chrome, kind: str) -> list[dict[str, Any]]:
    """Entries of a log since the last call."""
    entries: list[dict[str, Any]] = driver.execute(Command.GET_LOG, {"type": kind})["value"]
    return entries
