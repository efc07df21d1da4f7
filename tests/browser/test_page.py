"""nnc/page in a real browser: what is drawn, what is chosen where, what goes wrong, what leaves the page."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from browser import console_errors, open_page, requests, wait_for_frames
from selenium.webdriver import ActionChains, Chrome, Keys
from selenium.webdriver.common.by import By

VIEWS = {
    "timeline",
    "waits",
    "blocks",
    "graph",
    "graph-groups",
    "links",
    "dram",
    "roofline",
    "layers",
    "groups",
    "program",
}

Chosen = dict[str, set[int]]


@pytest.fixture
def report(driver: Chrome, page: Path) -> Any:
    """The report of the page, which is open, with nothing chosen and the whole run in sight."""
    requests(driver), console_errors(driver)  # of the page before
    open_page(driver, page)
    return json.loads((page.parent / "r.json").read_text())


def drawn(driver: Chrome) -> dict[str, int]:
    """How many entries the marks of each view stand for."""
    return driver.execute_script("""
        const sum = (view, marks) => marks.reduce((n, _, mark) => n + view.entriesOf(mark).length, 0);
        const total = (view) => view.source
          ? sum(view, [...(view.source.data.left ?? view.source.data.x ?? view.source.data.x0)])
          : view.name === 'program' ? view.count : view.body.rows.length;
        return Object.fromEntries(nncPage.views.map((view) => [view.name, total(view)]));""")


def chosen(driver: Chrome) -> Chosen:
    """Entries that each view shows as chosen."""
    wait_for_frames(driver)
    found = driver.execute_script(
        "return Object.fromEntries(nncPage.views.map((view) => [view.name, view.chosenEntries()]));"
    )
    return {name: set(entries) for name, entries in found.items()}


def expected(report: Any, group: int, layer: int | None) -> Chosen:
    """What each view must show as chosen when a layer is, or a group."""
    details = report["details"]

    def rows(table: dict[str, list[int]]) -> set[int]:
        pairs = enumerate(zip(table["group"], table["layer"], strict=True))
        return {i for i, (g, n) in pairs if (g == group if layer is None else n == layer)}

    layers = dict(enumerate(report["layers"]))
    mine = {i for i, it in layers.items() if (it["group"] == group if layer is None else it["id"] == layer)}
    return {
        "timeline": rows(details["timeline"]),
        "program": rows(details["timeline"]),
        "blocks": rows(details["blocks"]),
        "graph": mine,
        "layers": {layers[i]["id"] for i in mine},
        "groups": {group},
        "roofline": {i for i, it in enumerate(report["groups"]) if it["id"] == group},
    }


def click_mark(driver: Chrome, figure: str, mark: int) -> None:
    """Click into the middle of a rectangle of a figure."""
    x, y = driver.execute_script(
        """
        const [figure, mark] = arguments;
        const view = [...Bokeh.index.roots].find((it) => it.model.name === figure);
        view.el.scrollIntoView({ block: 'center' });
        const data = nncPage.view(figure).source.data, middle = (a, b) => (data[a][mark] + data[b][mark]) / 2;
        const at = view.el.getBoundingClientRect(), { x_scale, y_scale } = view.frame;
        return [at.left + x_scale.compute(middle('left', 'right')),
          at.top + y_scale.compute(middle('bottom', 'top'))];
        """,
        figure,
        mark,
    )
    actions = ActionChains(driver)
    actions.w3c_actions.pointer_action.move_to_location(round(x), round(y))
    actions.click().perform()


def test_each_view_has_as_many_marks_as_the_report_has_entries(driver: Chrome, report: Any) -> None:
    details, counts = report["details"], drawn(driver)
    assert set(counts) == VIEWS
    assert counts["timeline"] == counts["program"] == len(details["timeline"]["core"])
    assert counts["waits"] == sum(wait > 0 for wait in details["timeline"]["wait"])
    assert counts["blocks"] == len(details["blocks"]["core"])
    assert counts["graph"] == counts["layers"] == len(report["layers"])
    assert counts["roofline"] == counts["groups"] == counts["graph-groups"] == len(report["groups"])
    causes = [group["figures"]["dram"]["by_cause"] for group in report["groups"]]
    assert counts["dram"] == sum(count > 0 for mine in causes for count in mine.values())
    assert counts["links"] > 0


def test_a_click_on_a_layer_chooses_the_same_everywhere(driver: Chrome, report: Any) -> None:
    layer = report["layers"][len(report["layers"]) // 2]
    driver.find_element(By.CSS_SELECTOR, f"#layers tr[data-layer='{layer['id']}']").click()
    wanted, found = expected(report, layer["group"], layer["id"]), chosen(driver)
    assert {name: found[name] for name in wanted} == wanted
    assert wanted["timeline"] and wanted["blocks"]
    assert layer["name"] in driver.find_element(By.ID, "chosen").text


def test_a_click_on_a_box_of_the_graph_chooses_its_layer(driver: Chrome, report: Any) -> None:
    click_mark(driver, "graph", 1)
    layer = report["layers"][1]
    wanted, found = expected(report, layer["group"], layer["id"]), chosen(driver)
    assert {name: found[name] for name in wanted} == wanted


def test_a_click_on_a_column_of_bytes_chooses_its_group(driver: Chrome, report: Any) -> None:
    sizes = driver.execute_script(
        "const d = nncPage.view('dram').source.data; return d.top.map((t, i) => t - d.bottom[i]);"
    )
    mark = sizes.index(max(sizes))
    click_mark(driver, "dram", mark)
    group = driver.execute_script("return nncPage.data.marks.dram.group[arguments[0]]", mark)
    wanted, found = expected(report, group, None), chosen(driver)
    assert {name: found[name] for name in wanted} == wanted


def test_a_click_on_an_instruction_and_on_a_block(driver: Chrome, report: Any) -> None:
    for view in ("timeline", "blocks"):
        lengths = driver.execute_script(
            "const v = nncPage.view(arguments[0]), d = v.source.data;"
            "return [...d.left].map((left, i) => (d.right[i] - left) * (d.top[i] - d.bottom[i]));",
            view,
        )
        mark = lengths.index(max(lengths))
        entry = driver.execute_script(
            "return nncPage.view(arguments[0]).marks[arguments[1]].entry", view, mark
        )
        click_mark(driver, view, mark)
        columns = report["details"][view]
        wanted, found = expected(report, columns["group"][entry], columns["layer"][entry]), chosen(driver)
        assert {name: found[name] for name in wanted} == wanted


def test_keys(driver: Chrome, report: Any) -> None:
    body = driver.find_element(By.TAG_NAME, "body")
    body.send_keys(Keys.ARROW_RIGHT, Keys.ARROW_RIGHT)
    assert chosen(driver)["layers"] == {report["layers"][1]["id"]}
    body.send_keys("z")
    first = report["layers"][1]
    low, high = driver.execute_script("const r = nncPage.model('cycles'); return [r.start, r.end];")
    assert low <= first["last_cycle"] and first["first_cycle"] <= high < report["network"]["cycles"] * 1.2
    body.send_keys("0")
    assert driver.execute_script("return nncPage.model('cycles').start") == 0
    body.send_keys(Keys.ARROW_DOWN)
    assert chosen(driver)["groups"] == {report["groups"][report["layers"][1]["group"] + 1]["id"]}
    body.send_keys(Keys.ESCAPE)
    assert not any(chosen(driver).values())
    body.send_keys("9")
    assert driver.execute_script(
        "return document.getElementById('program').getBoundingClientRect().top < innerHeight"
    )


def test_zoom_shows_single_instructions(driver: Chrome, report: Any) -> None:
    timeline = report["details"]["timeline"]
    entry = max(range(len(timeline["core"])), key=lambda i: timeline["busy"][i])
    driver.execute_script("nncPage.view('timeline').choose(arguments[0]); nncPage.zoom(true);", entry)
    wait_for_frames(driver)
    marks = driver.execute_script("return nncPage.view('timeline').marks.map((mark) => mark.entries)")
    assert [entry] in marks


def test_dark_mode_and_paper(driver: Chrome, report: Any) -> None:
    def theme() -> str:
        found: str = driver.execute_script("return document.documentElement.dataset.theme")
        return found

    before = theme()
    driver.find_element(By.CSS_SELECTOR, "button[data-key='d']").click()
    assert {before, theme()} == {"light", "dark"}
    colour = "return nncPage.model('timeline').below[0].major_label_text_color"
    seen = driver.execute_script(colour)
    driver.execute_script("dispatchEvent(new Event('beforeprint'))")
    assert theme() == "light"
    driver.execute_script("dispatchEvent(new Event('afterprint'))")
    assert {before, theme()} == {"light", "dark"} and driver.execute_script(colour) == seen
    driver.find_element(By.CSS_SELECTOR, "button[data-key='d']").click()
    assert theme() == before and driver.execute_script(colour) != seen


def test_the_text_of_the_program_is_that_of_disasm(driver: Chrome, report: Any) -> None:
    lines = driver.execute_script("return nncPage.data.text")
    assert len(lines) == len(report["details"]["timeline"]["core"])
    driver.execute_script("nncPage.view('timeline').choose(0)")
    wait_for_frames(driver)
    shown = [it.text for it in driver.find_elements(By.CSS_SELECTOR, "#program .lines .chosen")]
    assert [line.split() for line in shown] == [lines[0].split()]


def test_nothing_leaves_the_page_and_nothing_goes_wrong(driver: Chrome, page: Path, report: Any) -> None:
    driver.execute_script("nncPage.choose({ layer: nncPage.data.report.layers[0].id }); nncPage.zoom(true)")
    wait_for_frames(driver)
    asked = [url for url in requests(driver) if not url.startswith(("data:", "blob:"))]
    assert set(asked) == {page.resolve().as_uri()}
    assert console_errors(driver) == []
