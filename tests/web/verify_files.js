/**
 * Verify exports, and print the problem of each, or null: `node verify_files.js FILE`. A line of the file is a text of
 * JSON, which has each byte of an export as a character.
 */

import { createReadStream } from "node:fs";
import { createInterface } from "node:readline";
import { verifyExport } from "./file.js";

for await (const line of createInterface({ input: createReadStream(process.argv[2] ?? "") })) {
  const { verdict } = verifyExport(JSON.parse(line));
  console.log(JSON.stringify(verdict.problem ?? { state: verdict.state }));
}
