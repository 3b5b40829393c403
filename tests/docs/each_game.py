"""The page of docs/api on each game: its options, bots, actions and views."""

from collections.abc import Iterator

import griffe

import pokersvc
from pokersvc import Game
from tests.docs.markdown import code, first_line, in_table, linked, listed, markdown
from tests.docs.signatures import said


def each_game(package: griffe.Module, links: dict[str, str]) -> Iterator[str]:
    """Yield the parts of the page."""
    yield "# Each game"
    yield linked(
        "What `Setup.options` takes and who may fill a seat, what seats choose and see, and the events of the log."
        " `Service.act` takes an action of a person; `Service.turn` and `Service.view` return views, and a state of"
        " `Service.replay` has `State.view`.",
        links,
    )
    yield "[All names](index.md)"
    for game in own_games():
        yield from one_game(package, game, links)


def own_games() -> list[Game]:
    """Return the built-in games, without games registered by other tests."""
    games = map(pokersvc.game_of, pokersvc.game_kinds())
    return [game for game in games if type(game).__module__.startswith("pokersvc.games.")]


def one_game(package: griffe.Module, game: Game, links: dict[str, str]) -> Iterator[str]:
    """Yield the description of one game."""
    home = home_of(package, type(game))
    assert isinstance(home, griffe.Class)
    yield f"## {game.kind}"
    yield markdown(home, links)
    if houses := game.houses():
        rows = [f"| `{house.name}` | {in_table(house.summary)} |" for house in houses]
        yield table("house", rows)
    yield f"Programs: {', '.join(f'`{kind}`' for kind in sorted(game.players))}."
    yield f"### Actions of {game.kind}"
    actions = [home_of(package, action) for action in game.actions]
    yield from imported(actions)
    yield table("action", [row(action, links) for action in actions])
    made_of = home.bases[0]  # Game[start, state, view, legal actions]
    assert isinstance(made_of, griffe.ExprSubscript)
    assert isinstance(made_of.slice, griffe.ExprTuple)
    _, _, view, legal = map(str, made_of.slice.elements)
    yield f"### Legal actions of {game.kind}"
    yield from class_parts(home.module[legal].final_target, links)
    yield f"### Views of {game.kind}"
    seen = home.module[view].final_target
    yield from class_parts(seen, links)
    for other in seen.module.members.values():
        if isinstance(other, griffe.Class) and other is not seen and not other.name.startswith("_"):
            yield f"`{other.name}`:"
            yield from class_parts(other, links)
    yield f"### Events of {game.kind}"
    current = [event for event in game.event_types.values() if event not in game.upcasters]
    events = [home_of(package, event) for event in sorted(current, key=lambda event: event.__name__)]
    yield table("event", [row(event, links) for event in events])


def home_of(package: griffe.Module, found: type) -> griffe.Class:
    """Return where a class is defined."""
    home = package[f"{found.__module__}.{found.__qualname__}".partition(".")[2]]
    assert isinstance(home, griffe.Class)
    return home


def imported(homes: list[griffe.Class]) -> Iterator[str]:
    """Yield the import statement for a game's actions."""
    modules = {home.module.path: [one.name for one in homes if one.module is home.module] for home in homes}
    yield code("\n".join(f"from {module} import {', '.join(names)}" for module, names in modules.items()))


def class_parts(home: griffe.Object, links: dict[str, str]) -> Iterator[str]:
    """Yield the description of a class and its fields."""
    yield markdown(home, links)
    fields = [one for one in home.members.values() if isinstance(one, griffe.Attribute) and one.name[0] != "_"]
    yield "\n".join(listed(field, links) for field in fields)


def row(home: griffe.Class, links: dict[str, str]) -> str:
    """Return a class with its fields as a row of a table."""
    made = home.members.get("__init__")
    fields = said(made) if isinstance(made, griffe.Function) else []
    line = in_table(f"{home.name}({', '.join(fields)})")
    return f"| `{line}` | {first_line(home, links)} |"


def table(what: str, rows: list[str]) -> str:
    """Return a Markdown table of two columns."""
    return "\n".join([f"| {what} | what it is |", "|---|---|", *rows])
