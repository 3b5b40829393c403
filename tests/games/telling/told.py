"""The stored lines of a game, in six parts; each line names its step.

``told``: every event in words, the lines of the history and the result.
``drawn``: the table in rooms of all sizes, with the tones of its pieces.
``offered``: questions, short commands, rules of the moment, and how some hundred texts are read, or why not.
``decided``: which actions become which event, or how they are refused.
``booked``: ledgers, statistics and what the books find, of these events and of wrong ones.
``taken``: events that are wrong a little, or come at another time: whether `apply` takes them, or why not.
"""

import json
from collections.abc import Iterator, Sequence
from copy import deepcopy
from dataclasses import fields, replace
from functools import partial
from itertools import count
from pathlib import Path
from random import Random
from typing import Any, Final

from pokersvc.cards import FRESH_DECK
from pokersvc.core.actions import Action, CloseGame, Forfeit, ForgoRound, IllegalAction, Lapse, Leave
from pokersvc.core.codec import UnreadableEvent
from pokersvc.core.drawing import Line, Room
from pokersvc.core.event import AUDITOR, EVERYONE, Event, ImpossibleEvent, Viewer, redact
from pokersvc.core.game import Game
from pokersvc.core.registry import game_of
from pokersvc.core.state import State
from pokersvc.core.words import InvalidAnswer
from pokersvc.games.draw_poker.actions import Bet, Call, Check, Discard, Fold, Raise
from pokersvc.games.draw_poker.state import DrawPokerState
from pokersvc.games.kalah.actions import Sow
from pokersvc.games.kalah.state import KalahState
from pokersvc.games.poker_market.actions import Accept, Decline, Pass, Propose
from tests.digested import Digested

from .played import GAMES, BuyChips, SitDown, SitIn, SitOut, Told, kind_of

_ROOMS: Final = [
    *(Room(60, 14), Room(80, 17), Room(120, 33), Room(200, 40), Room(40, 10), Room(30, 6), Room(100, 24), Room(60, 30)),
    *(Room(24, 40), Room(72, 20), Room(20, 3)),
]
_TEXTS: Final[dict[str, list[str]]] = json.loads(Path(__file__).with_name("texts.json").read_text("utf-8"))
"""Answers to type, by game, and for the time between two rounds."""


def _lines(name: str, say: Any) -> Iterator[str]:
    """Yield the lines of one part of a game."""
    told = GAMES[name]
    game = game_of(kind_of(told))
    came: list[Event] = []
    for number, step in zip(count(), told.steps(), strict=False):
        came.append(step.event)
        for line in say(game, step, number, came):
            yield f"{number} {line}"


def _viewers(state: State) -> list[Viewer]:
    return [EVERYONE, *range(1, len(state.view(EVERYONE).seats) + 1), AUDITOR]


def _one(of: Sequence[Any], number: int) -> Any:
    return of[number % len(of)]


def _told(game: Game, step: Told, number: int, came: list[Event]) -> Iterator[str]:
    words, state, event, started = game.words, step.state, step.event, came[0]
    for viewer in (_one(_viewers(state), number), AUDITOR):
        yield f"{viewer} {words.tell(redact(event, viewer), state)}"
        if number and (entry := state.entry(event, viewer)) is not None:
            yield f"{viewer} {entry} {entry.names} {words.line(entry)} {words.details(entry)} {words.net(entry)}"
        yield f"{viewer} {words.show(state.view(viewer))}"
    yield f"{game.action_of(event)} {state!r} {state.ends_next} {state.deals_to()} {state.seats_now()}"
    if (outcome := state.outcome) is not None:
        facts, seats = game.facts(started), state.seats_now() or game.seats(started)
        yield f"{outcome} {game.gains(started, outcome)} {words.title(facts)} {words.result_of(facts, seats, outcome)}"
        yield f"{words.result(seats, outcome)} {words.standings_of(facts, seats, outcome.scores)}"
        yield f"{words.standings(seats, outcome.scores)} {game.places(started)}"


def _toned(drawn: list[Line] | None) -> str:
    return (
        "none"
        if drawn is None
        else "\n".join(str([(piece.text, piece.tone.value) for piece in line]) for line in drawn)
    )


def _drawn(game: Game, step: Told, number: int, came: list[Event]) -> Iterator[str]:
    words, state = game.words, step.state
    viewer = state.to_act if number % 2 and state.to_act else _one(_viewers(state), number // 2)
    view = state.view(viewer)
    for room in (_one(_ROOMS, number), _one(_ROOMS, number + 4)):
        yield f"{viewer} {room} {_toned(words.draw(view, room))}"
    if (seat := state.to_act) is not None:
        text = _one(["1", "2 3", "1 for 2.1", "5", "1 2 3 4 5", "1 for", "k"], number)
        yield _toned(words.draw_picked(text, state.view(seat), state.legal(seat), _one(_ROOMS, number)))


def _offered(game: Game, step: Told, number: int, came: list[Event]) -> Iterator[str]:
    words, state = game.words, step.state
    if number < 3:
        yield str(words.about(state.view(EVERYONE)))
    if (seat := state.to_act) is not None:
        view, legal = state.view(seat), state.legal(seat)
        shortcuts, completions = words.shortcuts(view, legal), words.completions(view, legal)
        yield f"{legal} {shortcuts} {completions[:20]} {words.moment(view, legal)} {words.question(view, legal)}"
        yield f"{words.ask_briefly(view, legal, advised=False)} {words.advises(view, legal)}"
        texts = [*_TEXTS[game.kind][number % 2 :: 2], *(one.typed for one in shortcuts), *completions[-2:]]
        for text in texts:
            yield f"{text!r} {_read(words, text, view, legal)} {words.takes_advice(text, legal)}"
            yield f"{words.why_not(text, view, legal)}"
    elif state.pausing:
        view = state.view(EVERYONE)
        seats = range(1, len(view.seats) + 1)
        seat, free = _one(seats, number), [seat for seat in seats if view.seat(seat).standing == "out"]
        yield f"{words.before_round(view, seat)} {words.between_rounds(view, seat)} {words.newcomers(view, free)}"
        for text in _TEXTS["between rounds"]:
            for asked in ([seat], list(seats)):
                yield f"{text!r} {words.why_not_between(text, view, asked, free)}"
            yield f"{words.read_between(text, view, seat)} {words.read_newcomer(text, view, free)}"


def _read(words: Any, text: str, view: Any, legal: Any) -> str:
    try:
        return repr(words.read(text, view, legal))
    except InvalidAnswer as refused:
        return str(refused)


def _decided(game: Game, step: Told, number: int, came: list[Event]) -> Iterator[str]:
    state = step.state
    view = state.view(EVERYONE)
    seats = [state.to_act or 1, _one(range(-1, len(view.seats) + 2), number)]
    for seat in seats:
        for action in [*_common(seat), *_own(state, seat)]:
            yield f"{action} {_outcome(state, action)}"
        if seat in state.awaited:
            yield str(state.default_action(seat, away=bool(number % 2), random=Random(number)))


def _outcome(state: State, action: Action) -> str:
    try:
        return repr(state.decide(action))
    except IllegalAction as refused:
        return f"{refused.code}: {refused}"


def _common(seat: int) -> list[Action]:
    return [Leave(seat), Forfeit(seat, "raised"), Forfeit(seat, "none"), ForgoRound(seat), Lapse(seat), CloseGame()]


def _of_draw(state: Any, seat: int) -> list[Action]:
    amounts = {0, 1, 5, 10**9}
    if state.to_act is not None:
        legal = state.legal(state.to_act)
        for least, most in filter(None, (legal.bet, legal.raise_to)):
            amounts |= {least - 1, least, least + 1, most, most + 1}
    hand = [card for card in state.view(AUDITOR).seat(state.to_act or 1).cards if card in FRESH_DECK]
    found: list[Action] = [Check(seat), Call(seat), Fold(seat), SitOut(seat), SitIn(seat)]
    found += [of(seat, amount) for amount in sorted(amounts) for of in (Bet, Raise)]
    found += [BuyChips(seat, chips) for chips in (0, 1, 150, 10**6)]
    found += [SitDown(seat, 20, name) for name in (None, "Bob", "Zoe", "", "Seat6")] + [SitDown(seat, 0)]
    return [*found, *(Discard(seat, tuple(hand[:size])) for size in range(6)), Discard(seat, (*hand[:1], *hand[:1]))]


def _of_market(state: Any, seat: int) -> list[Action]:
    found: list[Action] = [Pass(seat), Accept(seat), Decline(seat)]
    for partner, owner, gives in ((seat % 3 + 1, 2, 0), (2, 1, 1), (seat, 1, 0), (9, 2, 4), (1, 1, 2)):
        hands = [one.cards or FRESH_DECK[:5] for one in state.view(AUDITOR).seats]
        own = hands[seat - 1] if 0 < seat <= len(hands) else FRESH_DECK[:5]
        found.append(Propose(seat, own[gives], partner, hands[owner - 1][gives]))
    return found


def _of_kalah(state: Any, seat: int) -> list[Action]:
    return [Sow(seat, hole) for hole in range(-1, state.board.holes + 2)]


def _own(state: State, seat: int) -> list[Action]:
    """Return actions that only one game has."""
    if isinstance(state, DrawPokerState):
        return _of_draw(state, seat)
    return _of_kalah(state, seat) if isinstance(state, KalahState) else _of_market(state, seat)


def _taken(game: Game, step: Told, number: int, came: list[Event]) -> Iterator[str]:
    tried = [] if step.next is None else list(_wrong(step.next, number))
    kinds = {type(event): event for event in came}
    tried += list(kinds.values())[number % 5 :: 5]
    for event in tried:
        state = deepcopy(step.bare)
        try:
            state.apply(game.codec.decode(*game.codec.encode(event)))
        except (ImpossibleEvent, UnreadableEvent) as impossible:
            yield f"{event} {impossible}"
        else:
            yield f"{event} {state!r}"


def _booked(game: Game, step: Told, number: int, came: list[Event]) -> Iterator[str]:
    """Yield the accounts after the events so far, and the mismatches if the next event is wrong."""
    started, *events = came
    if number % 4 and step.next is not None and not isinstance(step.next, tuple(game.round_ends)):
        return
    books, check = game.books(started), game.record_check(started)
    counter = game.round_counter(started) if game.counts_rounds else None
    played, at = game.played_rounds(started), "2026-01-31T12:00:00.000000Z"
    state = game.new(started)
    for event in events:
        state.apply(event)
        if found := [*books.post(event)]:
            yield f"{event} {found}"
        if (page := books.ledger_page()) is not None:
            yield str(page)
        if counter is not None and (counted := counter.take(event)) is not None:
            yield str(counted)
        if played is not None and (round_ := played.take(event, at)) is not None:
            yield f"{round_} {game.began_at(event)}"
        if check is not None:
            yield f"{[*check.take(event, state)]} {check.unchecked}"
    yield f"{books.open_ledger_page()} {[*books.compare(state)]} {state.record.number} {state.record.round}"
    yield f"{state.record.kept} {[*game.contradictions(started)]} {[*game.unplayable(started)]}"
    for event in [] if step.next is None else _wrong(step.next, number):
        bare = deepcopy(step.bare)
        try:
            bare.apply(game.codec.decode(*game.codec.encode(event)))
        except (ImpossibleEvent, UnreadableEvent):
            continue  # it is found before any book is kept
        other = deepcopy(books)
        yield f"{event} {[*other.post(event)]} {[*other.compare(state)]} {other.open_ledger_page()}"
        if check is not None:
            yield f"{[*deepcopy(check).take(event, bare)]}"


def _wrong(event: Event, number: int) -> Iterator[Event]:
    """Yield an event with one of its fields changed."""
    for field in fields(event):
        value = getattr(event, field.name)
        if isinstance(value, tuple) and value:
            changes = [value[::-1], value[:1] * len(value)]
            if "..." in str(field.type):  # else there are always as many
                changes += [value[:-1], value + value[:1]]
            yield replace(event, **{field.name: _one(changes, number)})
        elif type(value) is int:
            for other in (value + 1, value - 1, _one([0, -1, 10**9], number)):
                yield replace(event, **{field.name: other})


_PARTS: Final = {
    "told": _told,
    "drawn": _drawn,
    "offered": _offered,
    "decided": _decided,
    "taken": _taken,
    "booked": _booked,
}
_AS_ELSEWHERE: Final = ("money taken", "kalah-12 taken")
"""The longest texts of wrong events, which are as wrong in shorter games."""
TOLD: Final = Digested(
    Path(__file__).with_name("digests.json"),
    lambda: {
        f"{name} {part}": partial(_lines, name, say)
        for name in GAMES
        for part, say in _PARTS.items()
        if f"{name} {part}" not in _AS_ELSEWHERE
    },
)
