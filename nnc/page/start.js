// From the data in the page to the views; keys.
"use strict";

async function unpack(id) {
  const text = document.getElementById(id).textContent.trim();
  const compressed = Uint8Array.from(atob(text), (char) => char.charCodeAt(0));
  const stream = new Blob([compressed]).stream().pipeThrough(new DecompressionStream("gzip"));
  return new Response(stream).json();
}

function listen(page) {
  const sections = [...document.querySelectorAll("main section")];
  const dark = () => page.theme(document.documentElement.dataset.theme === "dark" ? "light" : "dark");
  const acts = {
    ArrowRight: () => page.step("layer", 1), ArrowLeft: () => page.step("layer", -1),
    ArrowDown: () => page.step("group", 1), ArrowUp: () => page.step("group", -1),
    Escape: () => page.choose(null), z: () => page.zoom(true), 0: () => page.zoom(false), d: dark,
  };
  sections.forEach((section, i) => { acts[i + 1] = () => section.scrollIntoView(); });
  document.addEventListener("keydown", (event) => {
    const inControl = event.target.closest?.("input, select, textarea");
    if (inControl || event.ctrlKey || event.metaKey || event.altKey || !acts[event.key]) return;
    event.preventDefault();
    acts[event.key]();
  });
  for (const button of document.querySelectorAll("button[data-key]"))
    button.addEventListener("click", () => acts[button.dataset.key]());
  const prefers = matchMedia("(prefers-color-scheme: dark)");
  page.theme(prefers.matches ? "dark" : "light");
  prefers.addEventListener("change", () => page.theme(prefers.matches ? "dark" : "light"));
  let shown = "light";  // paper is white
  addEventListener("beforeprint", () => { shown = document.documentElement.dataset.theme; page.theme("light"); });
  addEventListener("afterprint", () => page.theme(shown));
}

async function start() {
  const data = await unpack("data");
  await Bokeh.embed.embed_items(data.bokeh.docs, data.bokeh.items);
  const page = new Page(data);
  makeViews(page);
  listen(page);
  page.choose(null);
  window.nncPage = page;
  document.documentElement.dataset.ready = "yes";
}

start().catch((error) => {
  document.getElementById("failure").textContent = `The page cannot be shown: ${error.message}. A browser of 2023 or later `
    + "is needed (Chromium 80, Firefox 113, Safari 16.4), with JavaScript.";
  throw error;
});
