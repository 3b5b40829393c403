/** What is vendored is what its authors published. */

import assert from "node:assert/strict";
import { existsSync, readdirSync, readFileSync } from "node:fs";
import test from "node:test";

const VENDORED = new URL("../../pokersvc/server/web/vendor/noble-hashes/", import.meta.url);
const PUBLISHED = new URL("node_modules/@noble/hashes/", import.meta.url);

test("@noble/hashes is unchanged", { skip: !existsSync(PUBLISHED) && "make lint installs it" }, () => {
  for (const file of readdirSync(VENDORED)) {
    assert.deepEqual(readFileSync(new URL(file, VENDORED)), readFileSync(new URL(file, PUBLISHED)), file);
  }
});
