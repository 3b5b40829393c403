"""Everything shown to a seat is independent of what is hidden from it, and contains nothing hidden.

The same game is recorded twice, with other cards where a seat cannot see them and with other seeds: to that seat, every
screen is the same byte for byte. Blanked is only what the log draws by chance: digests, salts and hashes.
"""

import re
from collections.abc import Callable
from dataclasses import replace
from datetime import UTC, datetime
from random import Random

import pytest
from hypothesis import HealthCheck, given, settings

from pokersvc.cards import Card
from pokersvc.core.event import EVERYONE, Event, Viewer, may_see
from pokersvc.core.randomness.chance import EntropySource
from pokersvc.eventlog.database import Database
from pokersvc.eventlog.log import EventLog
from pokersvc.eventlog.record import NewEvent
from pokersvc.games.draw_poker import DRAW_POKER, events
from pokersvc.service.read_models import history
from tests.cli.program import Program
from tests.games.draw_poker.played import Plan, plans, play
from tests.games.draw_poker.test_properties import cards_seen, with_other_hidden_cards

GAME = "secret-game"
AT = datetime(2026, 1, 31, 12, tzinfo=UTC)
A_CARD = re.compile(r"\b(?:10[CDHS]|[2-9JQKA][CDHS]|[2-9TJQKA][cdhs])\b")
BY_CHANCE = re.compile(r'"(digest|hash|salt)": "[0-9a-f]+"|(?m:^  head )[0-9a-f]{64}')


def record(program: Program, happened: list[Event]) -> None:
    """Record events in a new database, each as its own command, and build the read models."""
    program.database.parent.mkdir(parents=True, exist_ok=True)
    for path in program.database.parent.iterdir():
        path.unlink()
    with Database.for_writing(str(program.database)) as database:
        log = EventLog(database)
        encoded = [NewEvent(*DRAW_POKER.codec.encode(event)) for event in happened]
        log.append(GAME, encoded, expected=0, command_id="all", kind="draw", recorded_at=AT)
        history.rebuild(database)


def hidden_otherwise(started: Event, happened: list[Event], viewer: Viewer, random: Random) -> list[Event]:
    """Return a game with other cards, seeds and a dealer's secret, as far as the viewer cannot see them."""
    source = EntropySource(random.randbytes(32), str(random.random()))
    changed: list[Event] = [replace(started, entropy=source)]
    changed += with_other_hidden_cards(happened, viewer, random)
    return [
        events.DeckShuffled(random.randbytes(32)) if isinstance(event, events.DeckShuffled) else event
        for event in changed
    ]


def screens(program: Program, viewer: Viewer, count: int) -> dict[tuple[str, ...], str]:
    """Return the output of all reading commands for a viewer, with random values blanked."""
    seen = () if viewer == EVERYONE else ("--as", str(viewer), "--force")
    found = {("games",): program.run("games"), ("games", "--json"): program.run("games", "--json")}
    for command in (
        ("replay", GAME), ("replay", GAME, "--json"), ("replay", GAME, "--to", str(max(1, count // 2))),
        ("events", GAME), ("events", GAME, "--json"), ("history", GAME), ("history", GAME, "--hands"),
        ("history", GAME, "--json"),
    ):  # fmt: skip
        found[command] = program.run(*command, *seen)
    return found


def secrets_of(program: Program, viewer: Viewer, happened: list[Event]) -> set[str]:
    """Return the texts that no screen of the viewer may contain: seeds, the dealer's secret, others' salts."""
    found = set()
    salts = dict(program.sql("SELECT seq, hex(salt) FROM events WHERE salt IS NOT NULL"))
    for seq, event in enumerate(happened, 1):
        if isinstance(event, events.DeckShuffled) and event.seed is not None:
            found.add(event.seed.hex())
        if isinstance(event, events.GameStarted) and event.entropy is not None:
            found |= {event.entropy.secret.hex(), str(event.entropy.text)}
        if not may_see(event, viewer):
            found.add(salts[seq].lower())
    return found


def cards_of(texts: list[str]) -> set[Card]:
    return {Card(text.replace("10", "T")[0] + text[-1].lower()) for text in texts}


def check_screens(program: Program, plan: Plan) -> None:
    plan = replace(plan, rules=plan.rules.model_copy(update={"history": "shown"}))  # else all lies open in the end
    random = Random(plan.seed)
    viewer: Viewer = random.choice([EVERYONE, *range(1, len(plan.kinds) + 1)])
    started, happened = play(plan)
    happened = happened[: random.choice([len(happened), random.randint(1, len(happened))])]  # over, or not
    rounds = [n for n, event in enumerate(happened) if isinstance(event, events.RoundEnded | events.GameEnded)]
    happened = happened[: rounds[-1] + 1] if rounds else []
    first = hidden_otherwise(replace(started, entropy=started.entropy), happened, viewer, random)
    other = hidden_otherwise(started, happened, viewer, random)
    shown, tables = [], []
    for game in (first, other):
        record(program, game)
        raw = screens(program, viewer, len(game))
        everything = "\n".join(raw.values()).lower()
        kept = [program.sql(f"SELECT * FROM {table}") for table in ("game_summaries", "history_entries")]
        seen = {card for event in game for card in cards_seen(event, viewer)}
        public = {card for event in game for card in cards_seen(event, EVERYONE)}
        assert cards_of(A_CARD.findall("\n".join(raw.values()))) <= seen
        assert cards_of(re.findall(r'"([2-9TJQKA][cdhs])"', str(kept))) <= public
        for secret in secrets_of(program, viewer, game):
            assert secret.lower() not in everything
            assert secret.lower() not in str(kept).lower()
        shown.append({command: BY_CHANCE.sub("", text) for command, text in raw.items()})
        tables.append(kept)
    for command, text in shown[0].items():
        assert text == shown[1][command], command
    assert tables[0] == tables[1], "read models hold what everybody may know"


@pytest.mark.parametrize(
    "games",
    [4, pytest.param(30, marks=pytest.mark.slow), pytest.param(250, marks=[pytest.mark.slow, pytest.mark.exhaustive])],
)
def test_what_a_seat_is_shown_does_not_depend_on_what_is_hidden_from_it(program: Program, games: int) -> None:
    quiet = settings(max_examples=games, suppress_health_check=list(HealthCheck), deadline=None)
    quiet(given(plans(most_rounds=2))(lambda plan: check_screens(program, plan)))()


def leaving(program: Program, seed: str, upto: Callable[[list[Event]], int]) -> list[Event]:
    """Play at a table of Ann, a person, and a program whose choices do not depend on its cards; return a beginning."""
    who = ("--player", "Ann=human", "--player", "Bob=minimum")
    program.ended("play", *who, "--seed", seed, "--rounds", "3", typed="bet 50\n1 2\ncheck\nfold\n\nfold\n")
    with Database.for_reading(str(program.database)) as database:
        log = EventLog(database)
        happened = [DRAW_POKER.codec.decode(r.type, r.version, r.payload, r.secret) for r in log.read(log.find("last"))]
    return happened[: upto(happened)]


@pytest.mark.parametrize("seed", ["one", "two", "three", "four"])
def test_what_a_person_sees_while_playing_does_not_depend_on_what_is_hidden(
    program: Program, another: Callable[[], Program], seed: str
) -> None:
    """Ann continues at her bet and leaves the round before the showdown; then a new round begins."""

    def first_choice(happened: list[Event]) -> int:
        return next(n for n, event in enumerate(happened) if isinstance(event, events.Bet | events.Folded))

    random, shown = Random(seed), []
    game = leaving(another(), seed, first_choice)
    seat = 1
    other = with_other_hidden_cards([*game[1:], events.RoundEnded(1)], seat, random)[:-1]
    for happened in (game, [game[0], *other]):
        record(program, happened)
        ended = program.ended("resume", GAME, typed="bet 50\n1 2\ncheck\nfold\n\nquit\n")
        assert "Ann" in ended.out
        own = {card for event in happened for card in cards_seen(event, seat)}
        hidden = {card for event in happened for card in getattr(event, "cards", None) or ()} - own
        until_next = ended.out.partition("Round 2 starts")[0]
        drawn = cards_of(A_CARD.findall(until_next.replace("name some: show KS", ""))) - own
        assert len(drawn) <= 2, "but for the two that she drew"
        if happened == game:  # in the other one she may draw, from the same deck, what the exchange gave to Bob
            assert not drawn & hidden
        shown.append(BY_CHANCE.sub("", ended.out))
    assert game[1:] != other
    assert shown[0] == shown[1]


def test_the_screens_of_different_seats_do_differ(program: Program, played: Program) -> None:
    """So the comparison would find something."""
    screens = {played.run("replay", "last", "--as", seat, "--force") for seat in ("1", "2", "everyone")}
    assert len(screens) == 3
