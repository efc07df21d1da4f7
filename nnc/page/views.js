// The views: which entries of the report each shows, and how.
"use strict";

function makeViews(page) {
  const { marks, palette, report } = page.data;
  const shade = (index) => palette[((index % palette.length) + palette.length) % palette.length];
  const layerName = (id) => page.layers.get(id)?.name ?? "no layer";
  const instructions = makeTimeline(page, shade, layerName);
  page.views.push(instructions.timeline, instructions.waits, makeBlocks(page, shade, layerName));
  page.views.push(...makeGraph(page, shade, layerName));

  const dram = marks.dram;
  const total = (i) => report.groups.find((group) => group.id === dram.group[i]).figures.dram.total_bytes;
  page.views.push(new Points(page, "dram", {
    ...pick(dram, "left", "right", "bottom", "top", "color"),
  }, {
    labels: dram.group.map((group, i) =>
      `group ${group}: ${dram.cause[i]} ${bytes(dram.top[i] - dram.bottom[i])} of ${bytes(total(i))}`),
    group: dram.group, choose: (i) => page.choose({ group: dram.group[i] }) }));
  page.model("floors-marks").data = marks.floors;

  const points = marks.roofline;
  page.views.push(new Points(page, "roofline", {
    ...pick(points, "x", "y", "size"), color: points.group.map(shade),
  }, {
    labels: report.groups.map((group) => `group ${group.id}: ${number(group.cycles)} cycles, `
      + `${(group.figures.macs / Math.max(group.cycles, 1)).toPrecision(4)} MACs per cycle, ${group.bound_by}`),
    group: points.group, choose: (i) => page.choose({ group: points.group[i] }) }));
  page.model("roof-marks").data = marks.roof;

  page.views.push(new Rows(page, "layers", "layer"), new Rows(page, "groups", "group"));
  page.views.push(new Lines(page, "program", instructions.timeline));
}

const pick = (columns, ...names) => Object.fromEntries(names.map((name) => [name, columns[name]]));

function makeTimeline(page, shade, layerName) {
  const raw = page.data.marks.timeline;
  const names = ["core", "engine", "first", "count", "group", "part", "layer", "mnemonic", "start", "end", "busy", "wait",
    "waited_for", "dram_bytes", "lane"];
  const t = Object.fromEntries(names.map((name) => [name, undelta(raw[name])]));
  const called = (i) => `k${t.core[i]}.${"rcw"[t.engine[i]]}${t.first[i]}`
    + (t.count[i] > 1 ? ` … ${t.first[i] + t.count[i] - 1}` : "");
  const label = (i, marks) => `${called(i)} ${raw.mnemonics[t.mnemonic[i]]} of ${layerName(t.layer[i])}, group ${t.group[i]} `
    + `part ${t.part[i] + 1}, cycles ${number(t.start[i])} … ${number(t.end[i])}`
    + (t.dram_bytes[i] ? `, ${bytes(t.dram_bytes[i])}` : "")
    + (t.wait[i] ? `, waited ${number(t.wait[i])} for ${raw.waits[t.waited_for[i]]}` : "")
    + (marks > 1 ? ` (and ${marks - 1} beside it)` : "");
  const choose = (i) => page.choose({ group: t.group[i], layer: t.layer[i], entry: { view: "timeline", index: i } });
  const timeline = new Rectangles(page, "timeline", {
    left: t.start, right: t.end, bottom: t.lane.map((lane) => -lane - 0.3), top: t.lane.map((lane) => -lane + 0.4),
    group: t.group, layer: t.layer, colour: (i) => shade(t.group[i]), label, choose, called, columns: t, raw,
  });
  // A wait is drawn from the end of what its engine did before.
  const waiting = [...t.wait.keys()].filter((i) => t.wait[i] > 0);
  const before = (i) => i > 0 && t.lane[i - 1] === t.lane[i] ? t.end[i - 1] : 0;
  const of = (values) => Float64Array.from(waiting, (i) => values(i));
  const colours = ["#d62728", "#7f7f7f", "#2ca02c", "#9467bd"];
  const waits = new Rectangles(page, "waits", {
    figure: "timeline", left: of(before), right: of((i) => before(i) + t.wait[i]),
    bottom: of((i) => -t.lane[i] - 0.44), top: of((i) => -t.lane[i] - 0.34), group: of((i) => t.group[i]),
    layer: of((i) => t.layer[i]), colour: (j) => colours[t.waited_for[waiting[j]] % 4],
    label: (j, marks) => `${number(t.wait[waiting[j]])} cycles: ${raw.waits[t.waited_for[waiting[j]]]}, before `
      + label(waiting[j], marks),
    choose: (j) => choose(waiting[j]),
  });
  const legend = document.getElementById("wait-legend");
  raw.waits.forEach((name, i) => legend.append(swatch(colours[i % 4], `waiting for ${name}`)));
  return { timeline, waits };
}

function swatch(colour, text) {
  const item = document.createElement("span"), box = document.createElement("i");
  box.style.background = colour;
  item.append(box, text);
  return item;
}

function makeBlocks(page, shade, layerName) {
  const raw = page.data.marks.blocks;
  const names = ["memory", "core", "low", "high", "begin", "end", "tensor", "group", "layer", "base", "count"];
  const b = Object.fromEntries(names.map((name) => [name, undelta(raw[name])]));
  return new Rectangles(page, "blocks", {
    left: b.begin, right: b.end, bottom: b.base.map((base, i) => base + b.low[i]),
    top: b.base.map((base, i) => base + b.high[i]), group: b.group, layer: b.layer, colour: (i) => shade(b.tensor[i]),
    label: (i, marks) => `${raw.tensors[b.tensor[i]]} in ${raw.memories[b.memory[i]]} of core ${b.core[i]}, `
      + `0x${b.low[i].toString(16)} … 0x${b.high[i].toString(16)} (${bytes(b.high[i] - b.low[i])}), cycles `
      + `${number(b.begin[i])} … ${number(b.end[i])}, by ${layerName(b.layer[i])}`
      + (b.count[i] > 1 ? `, ${b.count[i]} blocks one after another` : "")
      + (marks > 1 ? ` (and ${marks - 1} beside it)` : ""),
    choose: (i) => page.choose({ group: b.group[i], layer: b.layer[i], entry: { view: "blocks", index: i } }),
  });
}

function makeGraph(page, shade, layerName) {
  const { graph, links } = page.data.marks, around = page.data.marks["graph-groups"];
  const sides = ["left", "right", "bottom", "top"];
  const { start, end } = page.model("graph").x_range;
  const letters = Math.max(Math.floor(innerWidth * 0.85 / (end - start) / 6.5), 3);  // that a box has room for
  const short = (layer) => (layer.op || layer.kind || layer.name).slice(0, letters);
  const boxes = new Points(page, "graph-groups", {
    ...pick(around, ...sides), color: around.group.map(shade),
  }, { group: around.group, choose: (i) => page.choose({ group: around.group[i] }) });
  const layers = new Points(page, "graph", {
    ...pick(graph, ...sides), color: graph.color ?? graph.group.map(shade),
    text: graph.layer.map((id) => short(page.layers.get(id))),
  }, {
    labels: graph.layer.map((id) => {
      const layer = page.layers.get(id);
      return `${layer.name}${layer.op || layer.kind ? ` (${layer.op || layer.kind})` : ""}, group ${layer.group}: `
        + [accuracyText(layer), figuresText(layer.figures)].filter(Boolean).join(" · ");
    }),
    group: graph.group, layer: graph.layer, choose: (i) => page.choose({ layer: graph.layer[i] }) });
  const curves = new Points(page, "links", { ...links, cy0: links.y0, cy1: links.y1 }, { group: links.source });
  curves.isChosen = (i) => [links.source[i], links.target[i]].some((id) => page.isChosen(page.layers.get(id)?.group, id));
  return [boxes, layers, curves];
}
