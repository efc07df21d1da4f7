"""Pages of `nnc report`: how large, how long they take beside compiling, and how smoothly they zoom.

    python bench/page.py [MODEL.onnx|BUILDER …] [--chip npu] [--set KEY=VALUE …]

Making the page is everything after the program: its report with details, program text, drawing.  Frames are
those of a zoom from the whole run to a thousandth of it, over a timeline of 50,000 instructions (rows of the
first network, one after another until there are as many), in Debian's Chromium without a window or a GPU.
"""

from __future__ import annotations

import argparse
import tempfile
import time
from pathlib import Path

from browser import chromium, open_page
from selenium.webdriver import Chrome

import nnc
from nnc.models import build
from nnc.page.document import page_html
from nnc.page.subject import Subject, of_compilation
from nnc.report.schema import Report

NETWORKS = ("resnet50", "mobilenet_v2", "unet")
INSTRUCTIONS = 50_000
FRAMES = 120
_ZOOM = """
const [frames, done] = arguments, range = nncPage.model('cycles'), all = nncPage.data.report.network.cycles;
const gaps = [];
let last = performance.now(), frame = 0;
function step() {
  const now = performance.now();
  gaps.push(now - last);
  last = now;
  if (frame++ >= frames) return done(gaps.slice(2));
  const span = all * Math.pow(0.001, frame / frames);
  range.setv({ start: all * 0.4 - span * 0.4, end: all * 0.4 + span * 0.6 });
  requestAnimationFrame(step);
}
requestAnimationFrame(step);
"""


def main() -> None:
    """Print the table, then the frames."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("networks", nargs="*", default=NETWORKS)
    parser.add_argument("--chip", default="npu")
    parser.add_argument("--set", action="append", default=[], dest="overrides")
    arguments = parser.parse_args()
    print(
        f"{'network':<16}{'compile':>9}{'page':>9}{'size':>10}{'instructions':>14}{'rows':>8}{'opens in':>10}"
    )
    first: Subject | None = None
    for name in arguments.networks:
        subject = _measure(name, arguments.chip, arguments.overrides)
        first = first or subject
    assert first is not None
    gaps, cpu = _zoom(_lengthened(first.report))
    print(
        f"zooming over {INSTRUCTIONS:,} instructions: {1000 * len(gaps) / sum(gaps):.0f} frames a second,"
        f" the median after {sorted(gaps)[len(gaps) // 2]:.0f} ms, the slowest after {max(gaps):.0f} ms;"
        f" {cpu:.1f} ms of CPU a frame"
    )


def _measure(name: str, chip: str, overrides: list[str]) -> Subject:
    """Print the row of a network."""
    model = name if name.endswith(".onnx") else build(name)
    result = nnc.compile_model(model, chip, overrides=overrides)
    begin = time.perf_counter()
    subject = of_compilation(result)
    html = page_html(subject.report, text=subject.text)
    seconds = time.perf_counter() - begin
    assert subject.report.details is not None
    rows = len(subject.report.details.timeline.core)
    print(
        f"{Path(name).stem:<16}{result.compile_seconds:>7.2f} s{seconds:>7.2f} s{len(html) / 1e6:>7.2f} MB"
        f"{len(result.program.issued):>14,}{rows:>8,}{_open(html):>8.2f} s",
        flush=True,
    )
    return subject


def _open(html: str) -> float:
    """Seconds until a page is there."""
    with tempfile.TemporaryDirectory() as folder, chromium() as driver:
        page = Path(folder) / "page.html"
        page.write_text(html, "utf-8")
        return open_page(driver, page)


def _lengthened(report: Report) -> Report:
    """A report whose timeline has `INSTRUCTIONS` rows: its own, again and again."""
    assert report.details is not None
    timeline, cycles = report.details.timeline, report.network.cycles
    rows = len(timeline.core)
    rounds = -(-INSTRUCTIONS // rows)
    longer = {}
    for name, values in timeline:
        if name in ("mnemonics", "waits"):
            continue
        shift = cycles if name in ("start", "end") else 0
        longer[name] = [value + shift * turn for turn in range(rounds) for value in values][:INSTRUCTIONS]
    order = sorted(
        range(INSTRUCTIONS), key=lambda i: (longer["core"][i], longer["engine"][i], longer["start"][i])
    )
    columns = {name: [values[i] for i in order] for name, values in longer.items()}
    details = report.details.model_copy(update={"timeline": timeline.model_copy(update=columns)})
    network = report.network.model_copy(update={"cycles": cycles * rounds})
    return report.model_copy(update={"details": details, "network": network})


def _zoom(report: Report) -> tuple[list[float], float]:
    """Milliseconds between frames, and CPU milliseconds a frame of the thread that draws."""
    with tempfile.TemporaryDirectory() as folder, chromium() as driver:
        page = Path(folder) / "page.html"
        page.write_text(page_html(report), "utf-8")
        open_page(driver, page)
        driver.execute_script("document.getElementById('timeline').scrollIntoView()")
        driver.execute_cdp_cmd("Performance.setTimeDomain", {"timeDomain": "threadTicks"})
        driver.execute_cdp_cmd("Performance.enable", {})
        before = _thread_seconds(driver)
        gaps: list[float] = driver.execute_async_script(_ZOOM, FRAMES)
        return gaps, 1000 * (_thread_seconds(driver) - before) / FRAMES


def _thread_seconds(driver: Chrome) -> float:
    """CPU time of the page's thread."""
    metrics = driver.execute_cdp_cmd("Performance.getMetrics", {})["metrics"]
    return next(float(metric["value"]) for metric in metrics if metric["name"] == "ThreadTime")


if __name__ == "__main__":
    main()
