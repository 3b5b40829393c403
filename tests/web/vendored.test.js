/** What is vendored is what its authors published, without comments, which are half of what a page would load. */

import assert from "node:assert/strict";
import { existsSync, readdirSync, readFileSync } from "node:fs";
import test from "node:test";

/** Comments, at the ends of lines too, and the white space in front of lines. */
const REST = /^[ \t]*(?:\/\*\*[\s\S]*?\*\/|\/\/.*)\n|[ \t]+\/\/.*$|^[ \t]+|^\n/gm;

for (const name of ["ed25519", "hashes"]) {
  const vendored = new URL(`../../pokersvc/server/web/vendor/noble-${name}/`, import.meta.url);
  const published = new URL(`node_modules/@noble/${name}/`, import.meta.url);

  test(`@noble/${name} is unchanged but for comments and white space`, {
    skip: !existsSync(published) && "make lint installs it",
  }, () => {
    for (const file of readdirSync(vendored)) {
      const text = readFileSync(new URL(file, published), "utf8");
      const expected = file.endsWith(".js") ? text.replace(REST, "") : text;
      assert.equal(readFileSync(new URL(file, vendored), "utf8"), expected, file);
    }
  });
}
