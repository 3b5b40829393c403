"""The page's modules joined: every module once, with the names that it exports, and the same things happen."""

import json
from collections.abc import Mapping
from pathlib import Path

import pytest

from pokersvc.server.joined import FOLDER, CannotJoin, Joined
from tests.web.node import SERVED, node


def page() -> Joined:
    return Joined(lambda name: (SERVED / name).read_text("utf-8"))


def test_each_module_stands_in_one_part() -> None:
    joined = page()
    code = "".join(joined.parts.values())
    assert {name: code.count(f" // {name}\n") for name in joined.modules} == dict.fromkeys(joined.modules, 1)
    files = {path.relative_to(SERVED).as_posix() for path in SERVED.rglob("*.js")}
    assert files - joined.modules.keys() == {"worker.js", "offline.js"}


def test_each_module_has_the_names_that_it_exports(tmp_path: Path) -> None:
    names = {name: sorted(exports) for name, exports in page().modules.items() if name.startswith(("verify", "vendor"))}
    assert len(names) > 40
    asked = tmp_path / "names.mjs"
    asked.write_text(
        f"const found = {{}}; for (const name of {json.dumps(list(names))})"
        f' found[name] = Object.keys(await import("{SERVED.as_uri()}/" + name)).sort();'
        " console.log(JSON.stringify(found));"
    )
    done = node(asked, timeout=60)
    assert done.returncode == 0, done.stderr
    assert json.loads(done.stdout) == names


def run(tmp_path: Path, files: Mapping[str, str]) -> str:
    """Join modules, run the main part, and return what it writes."""
    joined = Joined(files.__getitem__, "main.js")
    for name, code in joined.parts.items():
        path = tmp_path / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(code.replace(f'"/web/{FOLDER}', f'"{tmp_path.as_uri()}/{FOLDER}'))
    done = node(tmp_path / FOLDER / "main.js", timeout=60)
    assert done.returncode == 0, done.stderr
    return done.stdout


MODULES = {
    "lib/counter.js": "let n = 0;\nexport const count = () => ++n;\nfunction after() {\n  return n + 1;\n}\n"
    "export { after as next };\n",
    "lib/words.js": 'export { count, next as then } from "./counter.js";\nexport class Word {}\n'
    "export async function said() {}\n",
    "lib/first.js": 'console.log("first");\n',
    "later/one.js": 'import { count } from "../lib/words.js";\nimport { shared } from "./shared.js";\n'
    "export const Later = () => [count(), shared()];\n",
    "later/two.js": 'import { shared } from "./shared.js";\nexport const Two = shared;\n',
    "later/shared.js": "let m = 10;\nexport function shared() {\n  return ++m;\n}\n",
}


def test_modules_that_are_loaded_later_share_those_that_are_there(tmp_path: Path) -> None:
    main = """
import { count as counted, next } from "./lib/counter.js";
import * as words from "./lib/words.js";
import "./lib/first.js";
counted();
import("./later/one.js").then(async ({ Later }) => {
  const { Two } = await import("./later/two.js");
  console.log(JSON.stringify([next(), words.then(), Later(), Two(), Object.keys(words).sort()]));
});
"""
    told = run(tmp_path, MODULES | {"main.js": main}).splitlines()
    assert told[0] == "first"
    assert json.loads(told[1]) == [2, 2, [2, 11], 12, ["Word", "count", "said", "then"]]


@pytest.mark.parametrize(
    ("files", "why"),
    [
        ({"main.js": 'import "./a.js";\n', "a.js": 'import "./main.js";\n'}, "must not import in circles"),
        ({"main.js": "export let changes = 1;\n"}, "main.js has 'export let changes = 1;'"),
        ({"main.js": "export default 1;\n"}, "main.js has 'export default 1;'"),
    ],
)
def test_what_cannot_be_joined_is_refused(files: dict[str, str], why: str) -> None:
    with pytest.raises(CannotJoin, match=why):
        assert Joined(files.__getitem__, "main.js").parts
