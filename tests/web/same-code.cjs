/** Prints every second file that is not the same code, on the same lines, as the one before it; `node --expose-internals`. */

const { readFileSync } = require("node:fs");
// Node's own parser: there is nothing to install for it.
const { parse } = require("internal/deps/acorn/acorn/dist/acorn");

const tree = (file) => {
  const code = readFileSync(file, "utf-8");
  const found = parse(code, { ecmaVersion: "latest", locations: true, sourceType: "module" });
  const line = ({ start }) => start.line;
  return JSON.stringify(found, (name, value) =>
    ["start", "end"].includes(name) ? undefined : name === "loc" ? line(value) : typeof value === "bigint" ? `${value}n` : value,
  );
};

const files = process.argv.slice(2);
for (let at = 0; at < files.length; at += 2) if (tree(files[at]) !== tree(files[at + 1])) console.log(files[at]);
