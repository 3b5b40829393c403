"""The pages of docs/api, made from signatures and docstrings; ``python -m tests.docs.api`` writes them.

It writes those of docs/reference too (`tests.docs.reference`).

griffe reads the sources without running them, and it alone gives the docstrings that stand below attributes. What a
page looks like is decided here: plain Markdown that reads well where the repository is shown.
"""

import functools
import re
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Final, NamedTuple

import griffe

import pokersvc
import pokersvc.testing
from tests.docs.each_game import each_game
from tests.docs.markdown import first_line, led, linked, listed, markdown
from tests.docs.signatures import aliases, bases_of, class_line, constant, signature

ROOT: Final = Path(__file__).parents[2]
FOLDER: Final = ROOT / "docs" / "api"
EXAMPLES: Final = Path(__file__).parent / "api_examples.md"
NAMES: Final = [*pokersvc.__all__, *pokersvc.testing.__all__]
"""All public names: those of `pokersvc`, and those of its kit for testing games."""


class Page(NamedTuple):
    """A page: its heading, its introduction, and the modules whose names it describes."""

    title: str
    about: str
    modules: tuple[str, ...]


PAGES: Final = {
    "cards": Page(
        "Cards and hands",
        "Cards, hands, the deck, and what every discard is worth. Nothing here needs a game or a database.",
        ("pokersvc.cards",),
    ),
    "games": Page(
        "Games and players",
        "Which games there are, how one is set up, what its seats may do, and who plays them.",
        ("pokersvc.core", "pokersvc.games", "pokersvc.players"),
    ),
    "authors": Page(
        "Writing a game",
        "What a game of your own is made of; [Adding a game](../games.md) shows how. `StartT`, `StateT`, `ViewT` and"
        " `LegalT` stand for a game's own: the event that starts it, its state, its view and its legal actions.",
        (
            "pokersvc.core.codec",
            "pokersvc.core.drawing",
            "pokersvc.core.game",
            "pokersvc.core.common_events",
            "pokersvc.core.record",
            "pokersvc.core.seated",
            "pokersvc.core.state",
            "pokersvc.core.randomness.stream",
            "pokersvc.core.words",
            "pokersvc.text",
        ),
    ),
    "testing": Page(
        "Testing a game",
        "`pokersvc.testing` plays a game many times and names the promise that it breaks."
        " [Adding a game](../games.md) explains the promises.",
        ("pokersvc.testing",),
    ),
    "service": Page(
        "Service and replay",
        "Play games that are recorded, and read what was recorded: the database, the service, lists and histories.",
        ("pokersvc.service", "pokersvc.eventlog", "pokersvc.core.replay"),
    ),
    "audit": Page(
        "Audit",
        "Check a log by the rules of its games. [Audits](../audit.md) says what each check proves.",
        ("pokersvc.evidence.audit", "pokersvc.evidence.findings", "pokersvc.core.books"),
    ),
    "exports": Page(
        "Exports",
        "One game in a file, written for a viewer and verified without a database. [Exports](../exports.md) defines"
        " the format.",
        (
            "pokersvc.evidence.export",
            "pokersvc.evidence.verification",
            "pokersvc.evidence.verified",
            "pokersvc.histories",
        ),
    ),
    "checkpoints": Page(
        "Checkpoints",
        "What every game's log was at one moment, signed, and the proof that one game is in it."
        " [Checkpoints](../checkpoints.md) defines the formats.",
        ("pokersvc.evidence.checkpoint", "pokersvc.evidence.proof", "pokersvc.evidence.keys"),
    ),
    "errors": Page(
        "Errors",
        "Every error that a caller may expect is a `PokersvcError`. Its text is one sentence that says what was wrong"
        " and what would be right; its `code` stays the same when the sentence is reworded.",
        (),
    ),
}
"""Page by page; an error is on the page of errors, whatever module it is of."""

SHOWN: Final = {
    "BrokenPromise": {"event", "found", "promise", "seed"},
    "Database": {"close", "label", "migrated_from", "on_server", "path", "revision"},
    "Audited": {
        "checked",
        "count",
        "events",
        "fault",
        "findings",
        "game_id",
        "kind",
        "in_checkpoint",
        "known",
        "only_chain",
        "over",
        "not_shown",
        "passed",
    },
    "EventLog": {"__init__", "command", "find", "games", "head", "read", "snapshot"},
    "Snapshot": {"command", "find", "games", "head", "read"},
}
"""Classes of which only these members are documented; the others serve other parts of pokersvc.

Where `__init__` is not among them, nobody else makes such an object.
"""

NOTE: Final = "<!-- Made from docstrings by `make api-docs`; do not edit. -->"


@functools.cache
def read_package() -> griffe.Module:
    """Return the sources as griffe reads them."""
    package = griffe.load("pokersvc", search_paths=[ROOT], resolve_aliases=True, docstring_parser=None)
    assert isinstance(package, griffe.Module)
    return package


def home_of(package: griffe.Module, name: str) -> griffe.Object:
    """Return the module that defines a public name, according to the imports for type checkers."""
    found = package.members.get(name) or package["testing"].members[name]
    target = found.final_target if isinstance(found, griffe.Alias) else found
    assert isinstance(target, griffe.Object)
    return target


def page_of(home: griffe.Object) -> str:
    """Return the page of a name: the errors', or that of the module nearest to where it is defined."""
    if is_error(home) and not home.path.startswith("pokersvc.testing."):
        return "errors"
    nearest = {prefix: page for page, about in PAGES.items() for prefix in about.modules}
    return nearest[max((prefix for prefix in nearest if f"{home.path}.".startswith(f"{prefix}.")), key=len)]


def is_error(home: griffe.Object) -> bool:
    """Return whether a class is an error of pokersvc."""
    if not isinstance(home, griffe.Class):
        return False
    return home.name == "PokersvcError" or any(base.name == "PokersvcError" for base in home.mro())


def pages() -> dict[str, str]:
    """Return the text of every page by its name, the index among them."""
    package = read_package()
    names: dict[str, dict[str, griffe.Object]] = {page: {} for page in PAGES}
    for name in sorted(NAMES, key=order):
        home = home_of(package, name)
        names[page_of(home)][name] = home
    links = {
        heading: f"{page}.md#{heading.replace('.', '').lower()}"
        for page, found in names.items()
        for name, home in found.items()
        for heading in (name, *(f"{name}.{method.name}" for method in methods_of(name, home)))
    }
    made = {page: made_page(page, found, links) for page, found in names.items()}
    each = "\n\n".join([NOTE, *each_game(package, links)]) + "\n"
    return {"index": made_index(names, links), **made, "each-game": each}


def order(name: str) -> tuple[int, str]:
    """Return the sort key of names: functions, classes, constants."""
    return (2 if name.isupper() else 1 if name[0].isupper() else 0, name.lower())


def made_index(names: dict[str, dict[str, griffe.Object]], links: dict[str, str]) -> str:
    """Return the first page: an introduction, and an index with one line per name."""
    parts = [NOTE, EXAMPLES.read_text("utf-8").strip()]
    for page, found in names.items():
        rows = [f"| [`{name}`]({links[name]}) | {first_line(home, links)} |" for name, home in found.items()]
        about = linked(PAGES[page].about, links)
        parts += [
            f"## [{PAGES[page].title}]({page}.md)",
            about,
            "\n".join(["| name | what it is |", "|---|---|", *rows]),
        ]
    parts += ["### [Each game](each-game.md)", "The options, programs, actions, views and events of each game."]
    return "\n\n".join(parts) + "\n"


def made_page(page: str, found: dict[str, griffe.Object], links: dict[str, str]) -> str:
    """Return a page: each name with its signature, its docstring and its members."""
    about = PAGES[page]
    parts = [NOTE, f"# {about.title}", linked(about.about, links), "[All names](index.md)"]
    for name, home in found.items():
        parts += [f"## {name}", *described(name, home, links)]
    return "\n\n".join(parts) + "\n"


def members_of(name: str, home: griffe.Object) -> list[griffe.Attribute | griffe.Function]:
    """Return the documented members of a class, in the order of the source.

    With them come those of bases that are not public: such a base is a part of the class.
    """
    assert isinstance(home, griffe.Class)
    shown = SHOWN.get(name)
    parts = [home, *(base for base in home.mro() if is_ours(base) and base.name not in NAMES)]
    members = {member.name: member for part in reversed(parts) for member in part.members.values()}
    return [
        member
        for part in parts
        for member in part.members.values()
        if isinstance(member, griffe.Attribute | griffe.Function)
        and members[member.name] is member
        and not member.name.startswith("_")
        and (shown is None or member.name in shown)
    ]


def is_ours(home: griffe.Object) -> bool:
    """Return whether an object is defined in pokersvc."""
    return home.path.startswith("pokersvc.")


def methods_of(name: str, home: griffe.Object) -> list[griffe.Function]:
    """Return the documented methods of a class; each gets its own heading."""
    if not isinstance(home, griffe.Class):
        return []
    return [member for member in members_of(name, home) if isinstance(member, griffe.Function)]


def described(name: str, home: griffe.Object, links: dict[str, str]) -> Iterator[str]:
    """Yield the parts of a name's description."""
    if isinstance(home, griffe.Function):
        yield led(signature(name, home), markdown(home, links))
        yield from where([home], links)
    elif isinstance(home, griffe.Class):
        made = name not in SHOWN or "__init__" in SHOWN[name]
        bases = ", ".join(f"`{base}`" for base in bases_of(home, NAMES))
        based = [linked(f"Base: {bases}.", links)] if bases else []
        yield led(class_line(name, home) if made else f"class {name}", markdown(home, links), *based)
        methods = methods_of(name, home)
        yield from where([home, *methods] if made else methods, links)
        fields = [member for member in members_of(name, home) if isinstance(member, griffe.Attribute)]
        if fields:
            yield "\n".join(listed(field, links) for field in fields)
        for method in methods:
            yield f"### {name}.{method.name}"
            yield led(signature(f"{name}.{method.name}", method), markdown(method, links))
    else:
        assert isinstance(home, griffe.Attribute | griffe.TypeAlias)
        yield led(constant(name, home), markdown(home, links))


def where(homes: Iterable[griffe.Class | griffe.Function], links: dict[str, str]) -> Iterator[str]:
    """Yield explanations of the type aliases that signatures mention and no page describes."""
    found = {name: value for home in homes for name, value in aliases(home).items() if name not in links}
    if found:
        yield linked(" ".join(f"Here `{name}` is `{value}`." for name, value in sorted(found.items())), links)


def examples(texts: Iterable[str]) -> str:
    """Return the examples as code blocks in sequence, as `doctest` reads them."""
    return "\n".join(block for text in texts for block in re.findall(r"```pycon\n(.*?)```", text, re.DOTALL))


def main() -> None:
    """Write the pages, remove obsolete ones, and write the pages of docs/reference too."""
    from tests.docs import reference  # it is made with what is here

    FOLDER.mkdir(exist_ok=True)
    made = pages()
    for page, text in made.items():
        (FOLDER / f"{page}.md").write_text(text, "utf-8")
    for path in FOLDER.glob("*.md"):
        if path.stem not in made:
            path.unlink()
    reference.write()


if __name__ == "__main__":
    main()
