// Marks that are drawn for entries of the report.  A view of 100,000 entries has some thousands of pixels: entries
// that are narrower than a pixel or two are folded into one mark, chosen and other ones apart.
"use strict";

const NARROW = 1.5;  // pixels

// Columns of ints come as differences of neighbours.
function undelta(column) {
  const values = new Float64Array(column.length);
  let last = 0;
  for (let i = 0; i < column.length; i++) values[i] = last += column[i];
  return values;
}

// A view of rectangles: entry i is left[i] … right[i] by bottom[i] … top[i] in the figure of that name.
class Rectangles {
  constructor(page, name, entries) {
    Object.assign(this, entries);
    this.page = page;
    this.name = name;
    this.count = entries.left.length;
    this.source = page.model(`${name}-marks`);
    this.figure = page.model(entries.figure || name);
    this.waiting = false;
    this.marks = [];
    const later = () => this.refresh();
    for (const range of [this.figure.x_range, this.figure.y_range])
      for (const end of ["start", "end"]) range.properties[end].change.connect(later);
    page.onTap(this.source, (mark) => this.choose(this.marks[mark].entry));
  }

  refresh() {  // once, however many ends of ranges change, and before bokeh paints
    if (this.waiting) return;
    this.waiting = true;
    queueMicrotask(() => { this.waiting = false; this.draw(); });
  }

  entriesOf(mark) { return this.marks[mark].entries; }

  hover(mark) { return this.label(this.marks[mark].entry, this.marks[mark].entries.length); }

  isChosen(entry) { return this.page.isChosen(this.group[entry], this.layer[entry]); }

  chosenEntries() {
    return this.source.selected.indices.flatMap((mark) => this.entriesOf(mark));
  }

  // Which entries become which marks, for what is in sight.
  fold() {
    const { x_range: x, y_range: y } = this.figure;
    const x0 = Math.min(x.start, x.end), x1 = Math.max(x.start, x.end);
    const y0 = Math.min(y.start, y.end), y1 = Math.max(y.start, y.end);
    const dx = NARROW * (x1 - x0) / (this.figure.inner_width || 1000);
    const dy = (y1 - y0) / (this.figure.inner_height || 300);
    const open = new Map(), marks = [];
    for (let i = 0; i < this.count; i++) {
      const left = this.left[i], right = this.right[i], bottom = this.bottom[i], top = this.top[i];
      if (right < x0 || left > x1 || top < y0 || bottom > y1) continue;
      const chosen = this.page.any && this.isChosen(i);
      const row = (Math.round(bottom / dy) * 8192 + Math.round(top / dy)) * 2 + (chosen ? 1 : 0);
      const before = open.get(row);
      if (before && right - left < dx && left - before.right < dx && right - before.left < 3 * dx) {
        before.right = Math.max(before.right, right);
        before.entries.push(i);
        if (right - left > before.longest) { before.longest = right - left; before.entry = i; }
      } else {
        const mark = { left, right, bottom, top, chosen, entry: i, entries: [i], longest: right - left };
        open.set(row, mark);
        marks.push(mark);
      }
    }
    return marks;
  }

  draw() {
    const marks = this.marks = this.fold();
    const column = (side) => Float64Array.from(marks, (mark) => mark[side]);
    const data = {
      left: column("left"), right: column("right"), bottom: column("bottom"), top: column("top"),
      color: marks.map((mark) => this.colour(mark.entry)),
    };
    const chosen = [];
    marks.forEach((mark, i) => { if (mark.chosen) chosen.push(i); });
    this.page.quietly(() => {
      this.source.selected.indices = [];
      this.source.data = data;
      this.source.selected.indices = chosen;
    });
  }
}

// A view with a mark for each entry, whatever is in sight.
class Points {
  constructor(page, name, data, entries) {
    Object.assign(this, entries);
    this.page = page;
    this.name = name;
    this.count = this.group.length;
    this.source = page.model(`${name}-marks`);
    page.quietly(() => { this.source.data = data; });
    page.onTap(this.source, (mark) => this.choose(mark));
  }

  refresh() { this.draw(); }

  entriesOf(mark) { return [mark]; }

  hover(mark) { return this.labels[mark]; }

  isChosen(entry) { return this.page.isChosen(this.group[entry], this.layer ? this.layer[entry] : null); }

  chosenEntries() { return [...this.source.selected.indices]; }

  draw() {
    const chosen = [];
    if (this.page.any) for (let i = 0; i < this.count; i++) if (this.isChosen(i)) chosen.push(i);
    this.page.quietly(() => { this.source.selected.indices = chosen; });
  }
}
