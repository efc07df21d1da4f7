// The page as a whole: what is chosen, and who shows it.  One thing is chosen at a time, in all views: a group, or a
// layer with its group; and perhaps one instruction or block of that layer, of which the header tells more.
"use strict";

class Page {
  constructor(data) {
    this.data = data;
    this.document = Bokeh.documents[0];
    this.views = [];
    this.quiet = false;
    this.taps = [];
    this.heights = 0;
    this.layers = new Map(data.report.layers.map((layer) => [layer.id, layer]));
    this.groups = new Map(data.report.groups.map((group) => [group.id, group]));
    this.chosen = { group: null, layer: null, entry: null };
  }

  model(name) {
    const found = this.document.get_model_by_name(name);
    if (!found) throw new Error(`no model ${name}`);
    return found;
  }

  get any() { return this.chosen.group !== null; }

  isChosen(group, layer) {
    const { chosen } = this;
    return chosen.layer !== null && layer !== null ? layer === chosen.layer : group === chosen.group;
  }

  // Changes of sources by the page itself are no clicks.
  quietly(change) {
    const before = this.quiet;
    this.quiet = true;
    try { change(); } finally { this.quiet = before; }
  }

  // One click changes several sources: marks lie over each other, and others are no longer chosen.  What was made
  // last lies on top.
  onTap(source, react) {
    const height = this.heights++;
    source.selected.properties.indices.change.connect(() => {
      if (this.quiet) return;
      if (!this.taps.length) setTimeout(() => this.tapped());
      this.taps.push({ height, react, mark: source.selected.indices[0] });
    });
  }

  tapped() {
    const hits = this.taps.filter((tap) => tap.mark !== undefined).sort((a, b) => b.height - a.height);
    this.taps = [];
    if (hits.length) hits[0].react(hits[0].mark);
    else this.choose(null);
  }

  // Choose {group}, {layer}, or {layer, group, entry: {view, index}}; null: nothing.
  choose(what) {
    const layer = what?.layer ?? null;
    const group = what?.group ?? (layer === null ? null : this.layers.get(layer)?.group ?? -1);
    this.chosen = { group, layer, entry: what?.entry ?? null };
    document.getElementById("chosen").replaceChildren(...describe(this));
    for (const view of this.views) view.refresh();
  }

  // The next or previous of the layers, groups, or instructions of a lane.
  step(kind, by) {
    const ids = kind === "group" ? [...this.groups.keys()] : [...this.layers.keys()];
    const { entry } = this.chosen;
    if (kind === "layer" && entry?.view === "timeline") {
      const view = this.view("timeline"), next = entry.index + by;
      if (next >= 0 && next < view.count && view.bottom[next] === view.bottom[entry.index]) view.choose(next);
      return;
    }
    const at = ids.indexOf(this.chosen[kind]);
    const next = ids[at < 0 ? (by > 0 ? 0 : ids.length - 1) : Math.min(Math.max(at + by, 0), ids.length - 1)];
    if (next !== undefined) this.choose({ [kind]: next });
  }

  view(name) { return this.views.find((view) => view.name === name); }

  // Show the cycles of what is chosen in timeline and memory map, or all of them.
  zoom(chosen) {
    const range = this.model("cycles"), all = Math.max(this.data.report.network.cycles, 1);
    let low = Infinity, high = -Infinity;
    if (chosen && this.any) {
      const view = this.view("timeline"), { entry } = this.chosen;
      for (let i = 0; i < view.count; i++) {
        if (entry?.view === "timeline" ? i !== entry.index : !view.isChosen(i)) continue;
        low = Math.min(low, view.left[i]);
        high = Math.max(high, view.right[i]);
      }
    }
    const space = Math.max((high - low) * 0.1, 1);
    range.setv(low < high ? { start: low - space, end: high + space } : { start: 0, end: all });
  }

  theme(name) {
    document.documentElement.dataset.theme = name;
    const [text, faint, line] = name === "dark" ? ["#e6e9ec", "#9aa4ae", "#39414a"] : ["#1b1f24", "#5c6670", "#d5d9de"];
    const texts = this.model("graph").renderers.find((it) => it.name === "graph-text");
    texts.nonselection_glyph.setv({ text_color: text });
    for (const root of this.document.roots()) {
      root.setv({ outline_line_color: line });
      for (const place of ["left", "right", "above", "below", "center"])
        for (const part of root[place]) {
          if (part.properties.major_label_text_color)
            part.setv({
              major_label_text_color: text, axis_label_text_color: faint, axis_line_color: faint,
              major_tick_line_color: faint, minor_tick_line_color: line,
            });
          else if (part.properties.grid_line_color) part.setv({ grid_line_color: line });
        }
    }
  }
}

const number = (value) => Math.round(value).toLocaleString("en");
const bytes = (value) => value < 1000 ? `${value} B` : value < 1e6 ? `${(value / 1e3).toPrecision(3)} kB`
  : value < 1e9 ? `${(value / 1e6).toPrecision(3)} MB` : `${(value / 1e9).toPrecision(3)} GB`;
const byParts = (parts, unit) => Object.entries(parts).filter(([, value]) => value)
  .map(([name, value]) => `${name} ${unit(value)}`).join(", ");

// Signal to noise of a layer, where nnc accuracy has measured it.
function accuracyText({ accuracy }) {
  if (!accuracy) return "";
  const decibels = (value) => value === null ? "equal" : `${value.toFixed(1)} dB`;
  const chip = accuracy.chip_differing === null ? "" : `, ${number(accuracy.chip_differing)} elements differ on the chip`;
  const saturated = accuracy.saturated ? `, ${(100 * accuracy.saturated).toPrecision(2)} % saturated` : "";
  return `${accuracy.tensor}: own ${decibels(accuracy.own_snr_db)}, cumulative ${decibels(accuracy.cumulative_snr_db)}`
    + `${saturated}${chip}`;
}

function figuresText(figures) {
  const { dram, compute, macs, utilisation, energy } = figures;
  const found = [
    `compute ${number(compute.busy_cycles)} cycles`,
    `waiting ${byParts(compute.waiting_cycles, number) || "0"}`,
    `DRAM ${bytes(dram.total_bytes)}` + (dram.total_bytes ? ` (${byParts(dram.by_cause, bytes)})` : ""),
  ];
  if (macs) found.push(`${number(macs)} MACs` + (utilisation ? ` at ${(100 * utilisation).toFixed(1)} %` : ""));
  if (energy) found.push(`${Object.values(energy).reduce((a, b) => a + b, 0).toPrecision(4)} µJ`);
  return found.join(" · ");
}

// What the header says of what is chosen: pieces of text, names in bold.
function describe(page) {
  const { group, layer, entry } = page.chosen;
  if (!page.any) return ["Nothing is chosen: click on anything, or press → for the first layer."];
  const strong = (text) => Object.assign(document.createElement("b"), { textContent: text });
  const found = [];
  if (entry) found.push(strong(page.view(entry.view).label(entry.index, 1)), "\n");
  const l = page.layers.get(layer), g = page.groups.get(group);
  if (l) {
    const shape = l.shape ? ` ${l.dtype}[${l.shape.join(",")}]` : "", kind = l.op || l.kind ? ` (${l.op || l.kind})` : "";
    const others = l.nodes.filter((node) => node !== l.name);
    const nodes = others.length ? ` · computes the nodes ${l.nodes.join(", ")}` : "";
    found.push(strong(`layer ${l.name}`), `${kind}${shape} · ${accuracyText(l) && `${accuracyText(l)} · `}${figuresText(l.figures)} · ${l.next_limit}${nodes}\n`);
  }
  if (g) {
    const why = [g.reason && `why: ${g.reason}`, g.ends_because && `ends: ${g.ends_because}`].filter(Boolean);
    found.push(strong(`group ${g.id}`), ` ${g.kind}, ${g.layers.length} layers, ${g.parts} parts, ${number(g.cycles)} cycles · `
      + [figuresText(g.figures), g.next_limit, ...why].join(" · "));
  } else found.push("of no group");
  return found;
}
