"""The picture of a page that README.md shows: views of a network, with a layer chosen in all of them.

python bench/picture.py docs/report.png
"""

from __future__ import annotations

import io
import sys
import tempfile
from pathlib import Path

from browser import chromium, open_page, wait_for_frames
from PIL import Image

import nnc
from nnc.models import build
from nnc.page.document import page_html
from nnc.page.subject import of_compilation

SIZE = (1400, 1330)
COLOURS = 256
_HIDE = "for (const id of arguments[0]) document.getElementById(id).style.display = 'none'"
_CHOOSE = """
const { report } = nncPage.data, last = report.network.cycles;
const half = report.layers.find((layer) => layer.first_cycle > last * 0.4 && layer.figures.macs);
nncPage.theme('light');
nncPage.choose({ layer: half.id, group: half.group });
"""


def main() -> None:
    """Compile, open the page, choose a layer, write the picture."""
    target = Path(sys.argv[1])
    subject = of_compilation(nnc.compile_model(build("resnet18"), "npu"))
    with tempfile.TemporaryDirectory() as folder, chromium(*SIZE) as driver:
        page = Path(folder) / "page.html"
        page.write_text(page_html(subject.report, text=subject.text), "utf-8")
        open_page(driver, page)
        driver.execute_script(_HIDE, ["summary", "dram", "roofline", "groups"])
        driver.execute_script(_CHOOSE)
        wait_for_frames(driver, 30)
        shot = Image.open(io.BytesIO(driver.get_screenshot_as_png()))
    shot.convert("RGB").quantize(COLOURS).save(target, optimize=True)
    print(f"{target} ({target.stat().st_size / 1000:.0f} kB)")


if __name__ == "__main__":
    main()
