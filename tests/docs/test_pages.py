"""The pages as a whole: links lead somewhere, every page can be found, and the words are the glossary's."""

import re
from pathlib import Path
from typing import Final

import pytest

from pokersvc.cli.play.keys import _LONGER
from tests.odd import found_in

ROOT: Final = Path(__file__).parents[2]
DOCS: Final = ROOT / "docs"
WRITTEN: Final = sorted(str(page.relative_to(ROOT)) for page in DOCS.rglob("*.md"))
API: Final = [page for page in WRITTEN if page.startswith("docs/api/")]
AT_THE_TOP: Final = [name for name in ("README.md", "CONTRIBUTING.md", "SECURITY.md") if (ROOT / name).is_file()]
PAGES: Final = [*AT_THE_TOP, *(page for page in WRITTEN if page not in API)]

OUTSIDE: Final = ("http://", "https://", "mailto:")


def text_of(page: str) -> str:
    """Return the prose of a page, without code blocks."""
    return re.sub(r"```[\s\S]*?```|^    .*$", "", (ROOT / page).read_text("utf-8"), flags=re.MULTILINE)


def anchors(page: Path) -> set[str]:
    """Return the anchors of a page's headings, as GitHub makes them."""
    headings = re.findall(
        r"^#+ (.+)$", re.sub(r"```.*?```", "", page.read_text("utf-8"), flags=re.DOTALL), re.MULTILINE
    )
    return {re.sub(r"[^\w\- ]", "", heading.lower()).replace(" ", "-") for heading in headings}


def links(page: str) -> list[str]:
    """Return the targets of a page's links, except those to other sites."""
    found = re.findall(r"\]\(([^)\s]+)\)", text_of(page))
    return [link for link in found if not link.startswith(OUTSIDE)]


@pytest.mark.parametrize("page", PAGES)
def test_every_link_leads_to_a_page_and_a_heading_that_are_there(page: str) -> None:
    for link in links(page):
        path, _, anchor = link.partition("#")
        target = (ROOT / page).parent / path if path else ROOT / page
        assert target.exists(), link
        assert not anchor or anchor in anchors(target), link


def test_every_page_can_be_reached_from_the_readme() -> None:
    reached, new = set[str](), {"README.md"}
    while new:
        reached |= new
        to = {(page, link.partition("#")[0]) for page in new for link in links(page)}
        targets = {((ROOT / page).parent / path).resolve() for page, path in to if path.endswith(".md")}
        new = {str(target.relative_to(ROOT)) for target in targets} - reached
    assert set(PAGES) - reached == set()


def test_the_glossary_has_a_line_for_each_term_in_order() -> None:
    terms = re.findall(r"^\| \*\*(.+?)\*\* \| \S.* \|$", (DOCS / "glossary.md").read_text("utf-8"), re.MULTILINE)
    assert len(terms) > 40
    assert terms == sorted(set(terms))


@pytest.mark.parametrize("page", [*PAGES, *API])
def test_a_page_uses_the_common_word(page: str) -> None:
    assert found_in(" ".join(text_of(page).split())) == []


def test_the_page_on_playing_has_every_key() -> None:
    page = (DOCS / "playing.md").read_text("utf-8")
    said = dict(re.findall(r"^\| `(.)` \| (.+) \|$", page, re.MULTILINE))
    assert set(said) == set(_LONGER)


def test_the_changelog_uses_the_common_word_from_now_on() -> None:
    unreleased = text_of("CHANGELOG.md").partition("## [Unreleased]")[2].partition("\n## [")[0]
    assert unreleased
    assert [(line, odd) for line in " ".join(unreleased.split()).split(" - ") for odd in found_in(line)] == []
