// What is text: tables of layers and groups, and the program.
"use strict";

// A table whose rows are in the page; `kind` is layer or group.
class Rows {
  constructor(page, name, kind) {
    this.page = page;
    this.name = name;
    this.kind = kind;
    this.table = document.querySelector(`#${name} table`);
    this.body = this.table.tBodies[0];
    this.rows = [...this.body.rows];
    this.count = this.rows.length;
    this.body.addEventListener("click", (event) => {
      const row = event.target.closest("tr");
      if (row) page.choose({ [kind]: Number(row.dataset[kind]) });
    });
    [...this.table.tHead.rows[0].cells].forEach((cell, i) => cell.addEventListener("click", () => this.sort(i)));
  }

  isChosen(row) { return this.page.any && this.page.isChosen(Number(row.dataset.group), this.kind === "layer" ? Number(row.dataset.layer) : null); }

  chosenEntries() {
    return this.rows.flatMap((row) => row.classList.contains("chosen") ? [Number(row.dataset[this.kind])] : []);
  }

  refresh() {
    for (const row of this.rows) row.classList.toggle("chosen", this.isChosen(row));
    const first = this.body.querySelector(".chosen"), box = this.table.parentElement;
    if (first) box.scrollTop = Math.max(first.offsetTop - box.clientHeight / 3, 0);
  }

  sort(column) {
    const value = (row) => {
      const { value, textContent } = { value: row.cells[column].dataset.value, textContent: row.cells[column].textContent };
      return value === undefined ? textContent : Number(value);
    };
    this.sorted = this.sorted === column ? -1 - column : column;
    const sign = this.sorted < 0 ? 1 : -1;  // largest first, then smallest
    const compare = (a, b) => typeof a === "number" ? a - b : a.localeCompare(b);
    this.body.replaceChildren(...[...this.rows].sort((a, b) => sign * compare(value(a), value(b))));
  }
}

// The text of the program: only the lines in sight are in the page.
class Lines {
  static HEIGHT = 18;

  constructor(page, name, timeline) {
    Object.assign(this, { page, name, timeline });
    this.box = document.querySelector(`#${name} .scroll`);
    this.inner = this.box.querySelector(".lines");
    this.order = Float64Array.from(page.data.order);  // entries of the timeline as the program has them
    this.count = this.order.length;
    this.box.addEventListener("scroll", () => this.draw());
    this.inner.addEventListener("click", (event) => {
      const line = event.target.closest("div[data-entry]");
      if (line) timeline.choose(Number(line.dataset.entry));
    });
  }

  text(entry) {
    const { columns, raw } = this.timeline, text = this.page.data.text;
    const more = columns.count[entry] > 1 ? ` × ${columns.count[entry]}` : "";
    const core = columns.core[entry] ? `k${columns.core[entry]} ` : "";
    return `${core}${text ? text[entry] + more : this.timeline.label(entry, 1)}` || raw.mnemonics[columns.mnemonic[entry]];
  }

  isMarked(entry) {
    const { entry: exact } = this.page.chosen;
    return exact?.view === "timeline" ? exact.index === entry : this.page.any && this.timeline.isChosen(entry);
  }

  chosenEntries() { return [...this.order].filter((entry) => this.page.any && this.timeline.isChosen(entry)); }

  refresh() {
    const first = this.page.any ? this.order.findIndex((entry) => this.isMarked(entry)) : -1;
    if (first >= 0) this.box.scrollTop = Math.max(first * Lines.HEIGHT - this.box.clientHeight / 3, 0);
    this.draw();
  }

  draw() {
    this.inner.style.height = `${this.count * Lines.HEIGHT}px`;
    const from = Math.max(Math.floor(this.box.scrollTop / Lines.HEIGHT) - 5, 0);
    const until = Math.min(from + Math.ceil(this.box.clientHeight / Lines.HEIGHT) + 10, this.count);
    const lines = [];
    for (let i = from; i < until; i++) {
      const line = document.createElement("div"), entry = this.order[i];
      line.style.top = `${i * Lines.HEIGHT}px`;
      line.dataset.entry = entry;
      line.textContent = this.text(entry);
      line.classList.toggle("chosen", this.isMarked(entry));
      lines.push(line);
    }
    this.inner.replaceChildren(...lines);
  }
}
