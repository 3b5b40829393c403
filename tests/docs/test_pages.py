"""The pages as a whole: links lead somewhere, every page can be found, and the words are the glossary's."""

import re
from pathlib import Path
from typing import Final

import pytest

ROOT: Final = Path(__file__).parents[2]
DOCS: Final = ROOT / "docs"
PAGES: Final = ["README.md", *sorted(f"docs/{page.name}" for page in DOCS.glob("*.md"))]

OUTSIDE: Final = ("http://", "https://", "mailto:")

ODD: Final = {
    r"made anew|make anew|makes anew": "recomputed, rebuilt, regenerated",
    r"\bnought\b": "zero",
    r"goes on behind|found behind|cut off behind": "after",
    r"beside a checkpoint": "with a checkpoint",
    r"hang together": "are correlated",
    r"in the mean\b": "on average",
    r"of one's own": "custom",
    r"\bno walls\b": "not sandboxed",
    r"in some millionths of a second": "in microseconds",
    r"any beginning of": "a unique prefix of",
    r"where nobody says": "by default",
    r"\bit is told\b|\bare told\b|\bis told\b": "shown",
    r"[Ww]hose eyes": "point of view",
    r"[Ww]hat to make large": "what to maximise",
    r"is worth as much as": "is only as trustworthy as",
}
"""Wordings that nobody else uses, and what a technical writer says."""


def text_of(page: str) -> str:
    """Return a page without its blocks of code: only what is read as prose."""
    return re.sub(r"```[\s\S]*?```|^    .*$", "", (ROOT / page).read_text("utf-8"), flags=re.MULTILINE)


def anchors(page: Path) -> set[str]:
    """Return the anchors of a page's headings, as GitHub makes them."""
    headings = re.findall(
        r"^#+ (.+)$", re.sub(r"```.*?```", "", page.read_text("utf-8"), flags=re.DOTALL), re.MULTILINE
    )
    return {re.sub(r"[^\w\- ]", "", heading.lower()).replace(" ", "-") for heading in headings}


def links(page: str) -> list[str]:
    """Return where the links of a page lead, but for other sites."""
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


@pytest.mark.parametrize("page", PAGES)
@pytest.mark.parametrize("odd", ODD)
def test_a_page_uses_the_common_word(page: str, odd: str) -> None:
    assert re.findall(odd, text_of(page)) == [], f"rather: {ODD[odd]}"
