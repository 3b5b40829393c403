"""Differences between docs/ on a repository's site and the site of `make docs`, as MkDocs hooks.

The pages that a hosting site looks for at the top of a repository are pages of the site too. A link to any other file
of the repository is no link on the site, and a block of code with a file's name has it as its title.
"""

import posixpath
import re
import shutil
from pathlib import Path
from typing import Any, Final

ROOT: Final = Path(__file__).parents[2]
AT_THE_TOP: Final = {"CHANGELOG.md": "changelog.md", "README.md": "index.md"} | {
    name: name.lower() for name in ("CONTRIBUTING.md", "SECURITY.md") if (ROOT / name).is_file()
}
"""Pages in the repository's root, by their names on the site; the README is the start page."""

LINK: Final = re.compile(r"(!?)\[([^\]]*)\]\(([^)\s#]+)(#[^)\s]*)?\)")
NAMED: Final = re.compile(r"^```(\w+) ([\w./-]+)$", re.MULTILINE)
"""The first line of a code block with a file name, or with a key of `TITLES`."""
TITLES: Final = {"typed": "You type", "shown": "You see"}
"""Titles of code blocks in tutorials that are not files."""

OTHER_HOSTS: Final = re.compile(r"https://(?:unpkg\.com|api\.github\.com|\$\{\w+\})/[^\"'`]*")


def on_files(files: Any, config: Any) -> Any:
    """Add the pages that are at the top of the repository."""
    from mkdocs.structure.files import File  # of the extra `docs`, which only a build has

    for name, page in AT_THE_TOP.items():
        if page != "index.md":
            files.append(File.generated(config, page, content=(ROOT / name).read_text("utf-8")))
    return files


def on_page_markdown(markdown: str, page: Any, **_: Any) -> str:
    """Return a page's text as MkDocs takes it."""
    return for_the_site(markdown, page.file.src_uri)


def on_post_build(config: Any) -> None:
    """Remove the addresses of other hosts from the theme's scripts, for diagrams and old browsers.

    What finds words of other languages than English goes as a whole.
    """
    shutil.rmtree(Path(config.site_dir) / "assets/javascripts/lunr")
    for script in Path(config.site_dir).glob("assets/javascripts/**/*.js"):
        text = script.read_text("utf-8")
        if (without := OTHER_HOSTS.sub("data:,", text)) != text:
            script.write_text(without, "utf-8")


def for_the_site(text: str, page: str) -> str:
    """Return the text of a page for the site, where it has the given name."""
    at = {there: here for here, there in AT_THE_TOP.items() if there != "index.md"}.get(page, f"docs/{page}")
    folder, there = posixpath.dirname(at), posixpath.dirname(page)

    def led(found: re.Match[str]) -> str:
        picture, said, path, anchor = found.groups()
        if ":" in path:
            return found[0]
        target = posixpath.normpath(posixpath.join(folder, path))
        if target in AT_THE_TOP:
            to = AT_THE_TOP[target]
        elif target.startswith("docs/"):
            to = target.removeprefix("docs/")
        else:
            return said
        return f"{picture}[{said}]({posixpath.relpath(to, there or '.')}{anchor or ''})"

    parts = re.split(r"(^```.*?^```$|^    .*$|`[^`\n]+`(?!\]))", text, flags=re.DOTALL | re.MULTILINE)
    parts[::2] = [LINK.sub(led, part) for part in parts[::2]]
    return NAMED.sub(lambda found: f'``` {{ .{found[1]} title="{TITLES.get(found[2], found[2])}" }}', "".join(parts))
