"""A forger whose games are valid JSON: with absurd starts, and copies that lie only in parts hidden from their viewer.

What is made here is canonical, and hashed as if it had been played: only what is said in it may be found.
"""

import json
from collections.abc import Callable, Iterator, Sequence
from copy import deepcopy
from dataclasses import replace
from random import Random
from typing import Any, Final, NamedTuple

from pokersvc.cards import FRESH_DECK, Card
from pokersvc.core.actions import Leave
from pokersvc.core.bots.player import Player
from pokersvc.core.event import AUDITOR, Event, ImpossibleEvent, Viewer, may_see, redact
from pokersvc.core.game import Game
from pokersvc.core.randomness.chance import EntropySource
from pokersvc.core.registry import game_kinds, game_of
from pokersvc.core.seats import HUMAN, Seat
from pokersvc.core.setup import Setup
from pokersvc.core.state import State, WithheldSecrets
from pokersvc.eventlog.record import Record, event_hash, secret_digest
from pokersvc.evidence.jsonl import line_of
from pokersvc.games.draw_poker import DRAW_POKER
from pokersvc.games.draw_poker import events as draw
from pokersvc.games.draw_poker.advising.players import RandomPlayer
from pokersvc.games.draw_poker.house.houses import preset, preset_names
from pokersvc.games.draw_poker.house.rules import DrawPokerRules
from pokersvc.games.kalah import KALAH
from pokersvc.games.kalah import events as kalah
from pokersvc.games.kalah.rules import KalahRules
from pokersvc.games.poker_market import POKER_MARKET
from pokersvc.games.poker_market import events as market
from pokersvc.games.poker_market.rules import PokerMarketRules
from tests.games.draw_poker.committed import cards_drawn, hand_dealt

GAMES: Final[tuple[Game, ...]] = tuple(map(game_of, game_kinds()))
MOST_EVENTS: Final = 150
SALT: Final = bytes(16)
AT: Final = "2026-01-31T12:00:00.000000Z"


# Starts that nobody checked: whatever the schema lets through.


def any_start(game: Game, random: Random) -> Event:
    """Return a start event that fits the schema, but that no program would record."""
    odd = random.random() < 0.1
    count = random.choice([0, 1, 11, 12] if odd else [2, 2, 3, 4, 10])
    seats = tuple(
        Seat(random.choice([HUMAN, "random", "smart", "smart/0s", "nobody"]), f"Player{number}")
        for number in range(1, count + 1)
    )
    source = random.choice([EntropySource.from_text("forged"), EntropySource(bytes(32), None)])
    said: dict[str, Any] = {
        "engine": 10**6 if odd else random.randint(1, game.engine),
        "entropy": source,
        "game": game.kind,
        "hidden_kinds": random.random() < 0.5,
        "program": "",
        "reproducible": source.text is not None,
        "seats": seats,
    }
    if game is KALAH:
        rules = KalahRules(
            beans=random.choice([0, 1, 4, 64]), empty_capture=random.random() < 0.5, holes=random.choice([1, 2, 32])
        )
        return kalah.GameStarted(**said, rules=rules)
    if game is POKER_MARKET:
        sizes = PokerMarketRules(markets=random.choice([1, 2, 10**6]), rounds=random.choice([1, 2, 10**6]), version=1)
        return market.GameStarted(**said, rules=sizes, shuffle=1)
    if game is not DRAW_POKER:  # one whose rules nobody forges yet
        started: Event = replace(game.start(Setup((Seat(HUMAN, "A"), Seat(HUMAN, "B")), source)), seats=seats)
        return started
    rounds = random.choice([None, 1, 3, 10**4299])
    return draw.GameStarted(**said, rounds=rounds, rules=any_rules(random), shuffle=1)


def any_rules(random: Random) -> DrawPokerRules:
    """Return draw poker rules that fit the schema: a house with a few fields changed, or arbitrary values."""
    any_ = _any_rules(random)
    if random.random() < 0.3:
        return DrawPokerRules.model_validate(any_)
    rules = preset(random.choice(preset_names())).model_dump()
    for _ in range(random.choice([0, 0, 1, 2])):
        part = random.choice([rules, rules["ante"], rules["betting"]])
        name = random.choice(list(part))
        if name in ("ante", "betting"):
            continue
        part[name] = (any_ if part is rules else any_["ante"] if part is rules["ante"] else any_["betting"])[name]
    return DrawPokerRules.model_validate(rules)


def _any_rules(random: Random) -> dict[str, Any]:

    def chips(least: int = 0) -> int:
        return max(least, random.choice([0, 1, 2, 5, 10, 50, 100, 10**9]))

    def maybe(value: Any) -> Any:
        return random.choice([None, value])

    raises = random.choice(["none", "double", "no_limit", "pot_limit", "fixed_limit"])
    return {
        "advice": "win",
        "ante": {
            "amount": chips(),
            "increase": chips(),
            "short": random.choice(["sit_out", "surrender", "post"]),
            "when": random.choice(["before_deal", "after_deal"]),
        },
        "betting": {
            "cap": maybe(chips(1)),
            "check": random.choice(["always", "final"]),
            "check_ends": random.random() < 0.5,
            "final_minimum": maybe(chips(1)),
            "fold_free": random.random() < 0.5,
            "maximum": maybe(chips(1)),
            "minimum": chips(1),
            "most_bets": maybe(random.choice([1, 4])),
            "opener": random.choice(["first", "random", "button"]),
            "raises": raises,
            "short": random.choice(["fold", "all_in"]),
            "uncapped": random.choice(["never", "two_dealt_in", "two_left"]),
        },
        "blinds": maybe({"big": chips(1), "small": chips(1), "straddle": chips()}),
        "button_rule": random.choice(["forward", "dead"]),
        "discards": random.randint(0, 5),
        "draw": random.choice(["in_turn", "together"]),
        "history": random.choice(["all", "shown"]),
        "muck_all_in": random.random() < 0.5,
        "name": "forged",
        "open_hands": random.choice(["after_draw", "showdown", "in_order"]),
        "player": "nobody",
        "rake": maybe({"share": random.choice([0, 500, 10_000]), "rounding": random.choice(["down", "nearest", "up"])}),
        "remainder": random.choice(["carry", "odd_chips"]),
        "reshuffle": random.choice(["others", "all"]),
        "samples": random.choice([1, 10_000]),
        "seats": {"default": 10, "most": random.choice([2, 10])},
        "shows_first": random.choice(["aggressor", "left_of_button"]),
        "stack": chips(1),
        "stay": chips(),
        "version": random.choice([1, 10**9]),
    }


# Games that go on from there.


class Forged(NamedTuple):
    """The events of a forged game, and the exception that ended it, if the code failed."""

    events: list[Event]
    error: Exception | None


def forged_game(game: Game, random: Random, viewer: Viewer) -> Forged:
    """Return a game from an arbitrary start; in a viewer's copy, only parts hidden from that viewer are forged."""
    events = [started := any_start(game, random)]
    try:
        events.extend(_after(started, game, random, viewer))
    except Exception as error:  # who makes the game asks the same code as who checks it
        return Forged(events, error)
    return Forged(events, None)


def _after(started: Event, game: Game, random: Random, viewer: Viewer) -> Iterator[Event]:
    state = game.new(redact(started, viewer))
    source = game.source(started)
    assert source is not None
    entropy = source.entropy()
    for _ in range(MOST_EVENTS):
        event = _next(game, state, random, entropy if viewer == AUDITOR else _Hidden())
        if event is None:
            return
        yield event
        shown = redact(event, viewer)
        try:
            state.apply(shown)
        except ImpossibleEvent:
            return


class _Hidden:
    def seed(self, index: int) -> bytes:
        raise WithheldSecrets


def _next(game: Game, state: State, random: Random, entropy: Any) -> Event | None:
    if state.pausing and random.random() < 0.3:
        return state.decide(Leave(next(seat for seat in range(1, 12) if _may_leave(state, seat))))
    if (seat := state.to_act) is None:
        try:
            return state.dealer_event(entropy)
        except WithheldSecrets as hidden:
            return _possible(state, hidden.due, random)
    if game is DRAW_POKER and state.legal(seat).discard is not None and isinstance(entropy, _Hidden):
        return draw.CardsDiscarded(cards := _cards(random, random.choice([0, 1, 3])), len(cards), seat)
    player: Player = RandomPlayer() if game is DRAW_POKER else game.players["random"]()
    return state.decide(player.choose(state.view(seat), state.legal(seat), random))


def _possible(state: State, due: Sequence[type[Event]], random: Random) -> Event:
    """Return a possible next event with arbitrary content, mostly one that can be applied, so that the game goes on."""
    for _ in range(1 if random.random() < 0.02 else 200):
        event = any_event(random.choice(due), random)
        if _is_possible(state, event):
            break
    return event


def _is_possible(state: State, event: Event) -> bool:
    try:
        deepcopy(state).apply(event)
    except ImpossibleEvent:
        return False
    return True


def _may_leave(state: Any, seat: int) -> bool:
    return bool(state.persons & state.seated & 1 << seat)


def _cards(random: Random, count: int) -> tuple[Card, ...]:
    return tuple(random.choices(FRESH_DECK, k=count) if random.random() < 0.2 else random.sample(FRESH_DECK, count))


def any_event(event_type: type[Event], random: Random) -> Event:
    """Return an event of a type whose content a copy hides, with any content."""
    seat = random.choice([*range(1, 5), 10, 11, 2**63])
    amount = random.choice([0, 1, 5, 100, 10**4299])
    count = random.choice([1, 2, 5, 5, 5, 5, 52, 53, 10**15])
    hand = _cards(random, random.choice([0, 1, 4, 5, 5, 5, 5, 6]))
    seats = [random.randint(1, 4) for _ in range(random.randint(0, 4))]
    five: Any = _cards(random, 5)
    made: dict[type[Event], Callable[[], Event]] = {
        draw.DeckShuffled: lambda: draw.DeckShuffled(random.randbytes(32)),
        draw.HandDealt: lambda: hand_dealt(hand, random.choice([1, 2, 3, 4, *range(1, 11)]), count),
        draw.OpenerChosen: lambda: draw.OpenerChosen(random.choice([1, 2, 9]), seat),
        draw.CardsDrawn: lambda: cards_drawn(hand[:count] or five, seat, random.choice([count, len(hand) or 5])),
        draw.HandsOpened: lambda: draw.HandsOpened(tuple(draw.OpenHand(_cards(random, 5), one) for one in seats)),
        draw.HandShown: lambda: draw.HandShown(hand, random.choice([1, 2, 3, 4, *range(1, 11)])),
        draw.HandsRevealed: lambda: draw.HandsRevealed(
            tuple(draw.OpenHand(_cards(random, 5), one) for one in sorted(set(seats))), random.randint(1, 3)
        ),
        draw.HandMucked: lambda: draw.HandMucked(random.choice([1, 2, 3, 4, *range(1, 11)])),
        draw.PotAwarded: lambda: draw.PotAwarded(
            random.choice([1, 2, 9]),
            random.choice(["showdown", "last_in", "game_end"]),
            tuple(draw.Share(amount, one) for one in seats),
        ),
        market.DeckShuffled: lambda: market.DeckShuffled(random.choice([1, 1, 1, 2, 10**9]), random.randbytes(32)),
        market.HandsDealt: lambda: _any_deal(random),
    }
    return made[event_type]()


def _any_deal(random: Random) -> Event:
    players = random.choice([1, 2, 2, 3, 4, 10])
    deck: Any = _cards(random, 5 * players)
    hands = [market.DealtHand(deck[5 * at : 5 * at + 5], at + 1) for at in range(players)]
    random.shuffle(hands)
    return market.HandsDealt(tuple(hands), random.choice([1, 2]))


# As a log has them, and as a copy has them.


def recorded(game: Game, events: Sequence[Event]) -> list[Record]:
    """Return the records of events, with hashes; each event is its own command."""
    records: list[Record] = []
    head = bytes(32)
    for seq, event in enumerate(events, 1):
        type_, version, payload, secret = game.codec.encode(event)
        salt = None if secret is None else SALT
        command = f"command {seq}"
        digest = secret_digest(salt, secret)
        head = event_hash(
            head, seq=seq, n=1, game_id="forged", type=type_, version=version, recorded_at=AT, command_id=command,
            payload=payload, digest=digest,
        )  # fmt: skip
        records.append(Record("forged", seq, type_, version, AT, command, 1, payload, secret, salt, head))
    return records


def copied(game: Game, records: Sequence[Record], viewer: Viewer) -> bytes:
    """Return a viewer's copy of records, in the format of docs/exports.md."""
    first: dict[str, Any] = {
        "as": viewer, "count": len(records), "format": "pokersvc/export/1", "game": records[0].game_id,
        "head": records[-1].hash.hex(), "kind": game.kind, "opened": [],
    }  # fmt: skip
    lines = [first]
    for record in records:
        line: dict[str, Any] = {
            name: getattr(record, name)
            for name in ("command_id", "n", "payload", "recorded_at", "seq", "type", "version")
        }
        line["hash"] = record.hash.hex()
        if record.secret is not None and record.salt is not None:
            line["digest"] = secret_digest(record.salt, record.secret).hex()
            if _sees(game, record, viewer):
                line |= {"salt": record.salt.hex(), "secret": record.secret}
        lines.append(line)
    return b"".join(map(line_of, lines))


def _sees(game: Game, record: Record, viewer: Viewer) -> bool:
    if viewer == AUDITOR:
        return True
    names = {name for (name, _), type_ in game.event_types.items() if not may_see(_blank(type_), viewer)}
    return record.type not in names or json.loads(record.payload).get("seat") == viewer


def _blank(event_type: type[Event]) -> Any:
    return object.__new__(event_type)
