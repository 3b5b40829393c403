"""The stored refusals: many values for each field, one or two of them changed at a time, and the resulting errors."""

import json
from collections.abc import Callable, Iterable, Iterator, Mapping
from functools import partial
from itertools import product
from pathlib import Path
from types import SimpleNamespace
from typing import Any, Final

from pokersvc.betting.terms import RakeTerms
from pokersvc.core.codec import UnreadableEvent
from pokersvc.core.event import AUDITOR, EVERYONE, redact
from pokersvc.core.randomness.chance import EntropySource
from pokersvc.core.registry import game_of
from pokersvc.core.seats import HUMAN, Seat, open_seat
from pokersvc.core.setup import Setup
from pokersvc.core.state import Entry, Outcome
from pokersvc.errors import PokersvcError
from pokersvc.games.draw_poker.display.history_words import DrawPokerHistoryWords
from pokersvc.games.draw_poker.display.short_stacks import folded_unasked
from pokersvc.games.draw_poker.house.cash_table import CashTable, Currency, Post, check_table, first_refusal, table_of
from pokersvc.games.draw_poker.house.houses import preset, preset_names, rules_of
from pokersvc.games.draw_poker.house.playable import in_toml, most_straddled, refused_as_recorded
from pokersvc.games.draw_poker.house.rules import DrawPokerRules
from pokersvc.games.draw_poker.recorded_hands.recorded_events import PlayedAt
from tests.digested import Digested

from ..telling.played import GAMES, kind_of

_NUMBERS: Final = (-1, 0, 1, 2, 3, 4, 5, 6, 7, 8, 32, 49, 50, 51, 199, 200, 201, 1000, 1001, 10**9, 10**9 + 1)
_CHOICES: Final = (
    *("none", "double", "no_limit", "pot_limit", "fixed_limit", "first", "random", "button", "always", "final"),
    *("fold", "all_in", "post", "sit_out", "surrender", "before_deal", "after_deal", "carry", "odd_chips"),
    *("after_draw", "showdown", "in_order", "forward", "dead", "never", "two_dealt_in", "two_left", "together"),
    *("aggressor", "all", "own", "linear", "win", "steady", "rollout", "no such thing", "", "é\n"),
)

_VALUES: Final[tuple[object, ...]] = (*_NUMBERS, *_CHOICES, None, True, [1], {})


def _said(make: Callable[[], object]) -> str:
    try:
        return repr(make())
    except PokersvcError as refused:
        return f"{refused.code}: {refused}"


def _changed(data: dict[str, Any], path: str, value: object) -> dict[str, Any]:
    """Return nested values with one of them changed."""
    first, _, rest = path.partition(".")
    return {**data, first: _changed(data[first], rest, value) if rest else value}


def _paths(data: Mapping[str, Any], before: str = "") -> Iterator[str]:
    for name, value in data.items():
        yield from _paths(value, f"{before}{name}.") if isinstance(value, dict) else [f"{before}{name}"]


def _playable(data: dict[str, Any]) -> str:
    try:
        rules = rules_of(data, "a house")
    except PokersvcError as refused:
        return str(refused)
    return f"{refused_as_recorded(rules)} {rules.price_to_stay(3)} {rules.all_in} {rules.button}"


def _rules(house: str) -> Iterator[str]:
    data = preset(house).model_dump(mode="json")
    for path in _paths(data):
        for value in _VALUES:
            yield f"{path} {value!r} {_playable(_changed(data, path, value))}"
    for one, other in (
        ("ante.when", "ante.short"), ("betting.raises", "betting.short"), ("betting.most_bets", "betting.uncapped"),
        ("open_hands", "shows_first"), ("betting.maximum", "betting.cap"), ("betting.check", "betting.check_ends"),
    ):  # fmt: skip
        for values in product((*_CHOICES[:9], *_CHOICES[9:28], 1, 2, 32, True, None), repeat=2):
            changed = _changed(_changed(data, one, values[0]), other, values[1])
            if (said := _playable(changed)) and "it must be one of" not in said:
                yield f"{one} {other} {values} {said}"
    blinds = {"big": 2, "small": 1, "straddle": 0}
    for raises, straddle, most_bets in product(("no_limit", "pot_limit", "fixed_limit"), range(10), (None, 1, 2)):
        betting = {**data["betting"], "raises": raises, "short": "all_in", "check": "always", "opener": "button"}
        betting |= {"cap": None, "maximum": None, "minimum": 2, "final_minimum": None, "most_bets": most_bets}
        yield _playable({**data, "blinds": {**blinds, "straddle": straddle}, "betting": betting})
        yield str(most_straddled(raises, 1, 2 + straddle))


_SEATS: Final = (Seat(HUMAN, "Ann"), Seat("random", "Bob"), Seat(HUMAN, "Seat3"))


def _started(seats: tuple[Seat, ...], options: dict[str, Any]) -> str:
    def start() -> object:
        started = game_of("draw").start(Setup(seats, EntropySource.from_text("x"), 2, options))
        rules: DrawPokerRules = started.rules
        return started.table, rules.rake, rules.blinds, rules.betting.uncapped, [seat.kind for seat in started.seats]

    return _said(start)


def _options() -> Iterator[str]:
    given: dict[str, Iterable[Any]] = {
        "rake": ("5%", "2.5", "2.25%", "2.255", " 100 % ", "100", "100.01", "-0.01", "0", "x", "nan", "inf", 7, None),
        "rake_cap": ("1", "1,2,3", "", "1,,2", "x", "-1", str(10**9), str(10**9 + 1), "٣", 5, None),
        "stack": (
            *(["Ann=5"], ["ann=5", "Bob=0"], ["Ann=5", "ANN=6"], "Ann=7, Bob=9", {"Bob": 3}, {"Bob": "x"}, ["Ann"]),
            *(["=5"], ["Cy=5"], ["Ann=-1"], [f"Ann={10**9}"], [f"Ann={10**9 + 1}"], 5, [], ["Ann=0"], ["Seat3=0"]),
            *(["Ann=0", "Bob=0"], ["Ann=0", "Bob=0", "Seat3=0"], ["A=B=4"], None),
        ),
        "straddle": (*_NUMBERS, True, "4", None),
        "uncapped": ("never", "two_dealt_in", "two_left", "x", None),
        "open_seats": (*_NUMBERS, True, "1", 10**12, None),
        "cash": (True, False, 1, "yes", None),
        "table": ({}, 5, {"numbers": [1, 2], "stacks": [5, 6]}, {"numbers": [1, 2, 4], "stacks": [5, 6, 7]}, "x"),
        "advisor": ("exact", "monte-carlo", "x", None),
        "rules": ("no-limit", "none-such", 5, None),
        "other": (1,),
    }
    for house in ("no-limit", "fixed-limit", "rising-ante"):
        for name, values in given.items():
            for value in values:
                plain = {"rules": house, name: value}
                for more in ({}, {"cash": True}, {"rake": "1%"}):
                    yield f"{plain} {more} {_started(_SEATS, {**more, **plain})}"
    for seats in (_SEATS[:1], _SEATS[:2], (*_SEATS, open_seat(4)), tuple(Seat("random", f"P{n}") for n in range(11))):
        for options in ({"cash": True}, {}, {"rules": "rising-ante"}):
            yield f"{len(seats)} {_started(seats, options)}"


def _table(given: object) -> CashTable:
    return check_table(table_of(given), 3)


def _tables() -> Iterator[str]:
    fields: dict[str, Iterable[Any]] = {
        "numbers": ((1, 2), (1, 2, 3), (1, 3, 2), (0, 5, 9), (1, 1, 2), (-1, 1, 2), (1, 2, 10**6)),
        "stacks": ((9, 9), (9, 9, 9), (0, 0, 9), (0, 9, 9), (10**9, 0, 1), (10**9 - 1, 1, 0), (-1, 5, 5)),
        "out": ((), (1,), (1, 2), (2, 1), (3,), (4,), (0,), (1, 1)),
        "button": (None, -1, 0, 1, 4, 10**6),
        "hand": (0, 1, 10**12),
        "posts": (
            (), [{"amount": 0, "kind": "big", "seat": 1}], [{"amount": 1, "kind": "big", "seat": 4}],
            [{"amount": 1, "kind": "big", "seat": 1}] * 2, [{"amount": 1, "kind": "none", "seat": 1}],
        ),
        "rake": (None, (), (1, 2), (-1,)),
        "currency": ({"code": "USD", "exponent": 2}, {"code": "usd", "exponent": 2}, {"code": "", "exponent": 0},
                     {"code": "USD", "exponent": 5}, {"code": "USD", "exponent": -1}, {"code": "LONG", "exponent": 1}),
        "none": (1,),
    }  # fmt: skip
    for name, values in fields.items():
        for value in values:
            given = {"numbers": (1, 2, 3), "stacks": (9, 9, 9), name: value}
            yield f"{name} {value} {_said(partial(_table, given))}"
    plain = CashTable(numbers=(1, 2, 3), stacks=(9, 9, 9), posts=(Post(amount=1, kind="big", seat=2),))
    for out in ((), (2,), (1, 3)):
        yield f"{[first_refusal(plain.model_copy(update={'out': out}), seats) for seats in (2, 3, 4)]}"


_STORED: Final[tuple[object, ...]] = (-1, 0, 1, 2**63, 10**30, "", "x" * 201, None, True, [], [1, 2], 1.5, {})


def _stored(kind: str) -> Iterator[str]:
    """Yield the results of reading stored events with one number, text or list changed."""
    seen = dict[type, Any]()
    for told in GAMES.values():
        if kind_of(told) == kind:
            for step in told.steps():
                seen.setdefault(type(step.event), step.event)
    codec = game_of(kind).codec
    for of, event in seen.items():
        type_, version, payload, secret = codec.encode(event)
        yield f"{of.__name__} {version} {codec.is_canonical(type_, version, payload, secret)}"
        yield f"{[redact(event, viewer) for viewer in (EVERYONE, 1, 2, AUDITOR)]}"
        for number, text in enumerate((payload, secret)):
            data = json.loads(text or "{}")
            for path in [*_paths(data), "more"]:
                for value in _STORED:
                    other = json.dumps(_changed(data, path, value), sort_keys=True, separators=(",", ":"))
                    texts = (other, secret) if number == 0 else (payload, other)
                    yield f"{path} {value!r} {_decoded(codec, type_, version, *texts)}"
        yield _decoded(codec, type_, version + 1, payload, secret)
        yield _decoded(codec, f"{type_}s", version, payload, secret)
        yield _decoded(codec, type_, version, payload[:-1], secret)


def _decoded(codec: Any, *stored: Any) -> str:
    try:
        return repr(codec.decode(*stored))
    except UnreadableEvent as unreadable:
        return f"{type(unreadable).__name__} {unreadable}"


def _amounts() -> Iterator[str]:
    values: tuple[object, ...] = (True, 5, -1.5, "é", "a\n", "\u200b", '"', [1, "x"], {"a": {"b": [True]}}, {})
    for value in values:
        yield in_toml(value)
    for utc in ("2009-11-25T19:14:04Z", "2009-11-25T19:14:04.5Z", "2009-11-25T19:14:04.123456Z"):
        yield PlayedAt(False, "x", utc, "ET").in_full
    for share, caps, pot, players in product(
        (0, 1, 250, 500, 10_000), ((), (3,), (1, 2, 4)), (0, 1, 19, 20, 1001), (2, 3, 4, 9)
    ):
        yield str(RakeTerms(caps=caps, share=share).of(pot, players=players))


def _short() -> Iterator[str]:
    for house in preset_names():
        rules = preset(house)
        edges = sorted(
            {0, 1, *(n + d for n in (rules.ante.amount, rules.stay, rules.betting.minimum) for d in (-1, 0, 1))}
        )
        edges += [rules.betting.minimum + rules.ante.amount + rules.ante.increase, 64, 65, rules.stack]
        for own, other, standing in product(edges, (0, 5, 64, 65, rules.stack), ("in", "out")):
            seats = [
                SimpleNamespace(seat=1, stack=own, standing=standing),
                SimpleNamespace(seat=2, stack=other, standing="in"),
            ]
            view: Any = SimpleNamespace(
                next_ante=rules.ante.amount, rules=rules, seats=seats, seat=lambda seat, seats=seats: seats[seat - 1]
            )
            yield f"{house} {own} {other} {standing} {folded_unasked(view, 1)}"


def _history() -> Iterator[str]:
    words = DrawPokerHistoryWords()
    seats = (Seat(HUMAN, "You"), Seat(HUMAN, "Bob"), Seat("random", "Lord"))
    money: tuple[dict[str, Any], ...] = ({}, {"currency": "USD", "exponent": 2}, {"currency": "", "exponent": 0})
    for facts, scores in product(
        money, ((5, 0, -5), (0, 0, 0), (-1, -1, 0), (7, 7, -14), (1000, 5, 0), (3, 3, 3), (-9, 4, 4))
    ):
        outcome = Outcome.by_score(scores)
        yield f"{words.result_of(facts, seats, outcome)} {words.standings_of(facts, seats, scores)}"
        left = Outcome.won_by((2,), scores)
        yield f"{words.result_of(facts, seats, left)} {words.result(seats, outcome)}"
    yield f"{words.standings((*seats, open_seat(4)), (1, 2, 3, 4))} {words.title({'house': 'x'})}"
    yield f"{words.places({}, 3)} {words.places({'table': None}, 2)} {words.places({'table': {'numbers': [2, 5]}}, 2)}"
    for facts, won, carried in product(money, ((0, 0), (5, 0), (5, 5), (5, 7)), (0, 3)):
        hands = [{"name": name, "won": amount, "cards": None} for name, amount in zip(("Ann", "Bob"), won, strict=True)]
        hands[0] |= {"cards": ["Jc", "??"], "forgone": True}
        entry = Entry(3, {**facts, "hands": hands, "carried": carried})
        yield f"{words.line(entry)} {words.details(entry)}"


_USD: Final = Currency(code="USD", exponent=2)
REFUSED: Final = Digested(
    Path(__file__).with_name("digests.json"),
    lambda: {
        **{f"rules of {house}": partial(_rules, house) for house in preset_names()},
        "options": _options,
        "tables": _tables,
        **{f"stored {kind}": partial(_stored, kind) for kind in dict.fromkeys(map(kind_of, GAMES.values()))},
        "amounts": _amounts,
        "short": _short,
        "history": _history,
    },
)
