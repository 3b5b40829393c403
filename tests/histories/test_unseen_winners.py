"""A showdown won by unseen cards: exports say so, pass the audit, and import as the same hand."""

import re
from collections import Counter
from collections.abc import Iterable
from dataclasses import replace
from functools import reduce
from io import BytesIO
from pathlib import Path

import pytest

from pokersvc.core.event import AUDITOR, EVERYONE, Event
from pokersvc.eventlog.database import Database
from pokersvc.eventlog.log import EventLog
from pokersvc.games.draw_poker.events import GameEnded, HandMucked, HandShown, PotAwarded
from pokersvc.histories.checking import CheckedHand, check
from pokersvc.histories.exporting import WRITERS, write_hands
from pokersvc.histories.following.walk import follow
from pokersvc.histories.hand import HandHistory
from pokersvc.histories.importing import Became, store
from pokersvc.histories.reading import hands_in
from pokersvc.histories.statements import Dealt, Discarded, Drew, Mucked, Showed, Statement, Summed, Won
from pokersvc.histories.writers.cannot_be_written import CannotBeWritten
from pokersvc.service import Service

from .as_audited import audited
from .goldens import SAMPLES

FILES = sorted(path for path in SAMPLES.iterdir() if path.suffix != ".told")
SHOWN = re.compile(r", \[[^\]]*\] \([A-Z_, ]+\)$", re.MULTILINE)
"""A shown hand in OnGame's summary."""
OUTCOME = (GameEnded, HandMucked, HandShown, PotAwarded)
REFUSED = {
    ("PHH", "it has side pots, and a winning hand is unknown"),
    ("PokerStars' text", "a winning hand is unknown"),
}
REFUSED_ANYWAY = {
    ("OHH", "it does not say when it was played"),
    ("PokerStars' text", "all discard before anybody draws"),
    ("PokerStars' text", "it does not say when it was played"),
    ("PokerStars' text", "it has dead money other than with both blinds"),
    ("PokerStars' text", "the tournament's number is 'S-77'"),
}


def unseen(hand: HandHistory, name: str) -> HandHistory:
    """Return a hand in which a player's cards were never seen."""
    told = [one for one in hand.told if not (isinstance(one, Showed | Mucked) and one.name == name)]
    return replace(hand, told=tuple([_without_cards(one) if getattr(one, "name", "") == name else one for one in told]))


def _without_cards(one: Statement) -> Statement:
    match one:
        case Dealt():
            return replace(one, cards=None, part=(), called=None)
        case Discarded():
            return replace(one, cards=None if one.count else (), kept=None, part=())
        case Drew():
            count = one.count if one.cards is None else len(one.cards)
            return replace(one, cards=None, count=count, hand=None, kept=None, part=(), called=None)
        case Summed():
            return replace(one, cards=None, called=None)
        case Won():
            return replace(one, called=None)
        case _:
            return one


def unseen_winners(events: Iterable[Event]) -> set[int]:
    """Return the winners of a showdown whose hands are unknown."""
    winners = {share.seat for event in events if isinstance(event, PotAwarded) for share in event.shares}
    return winners & {event.seat for event in events if isinstance(event, HandMucked)}


def outcome(events: Iterable[Event]) -> list[Event]:
    return [event for event in events if isinstance(event, OUTCOME)]


@pytest.mark.parametrize("format_", WRITERS)
def test_a_winner_whose_cards_nobody_saw_is_said_to_win_and_not_to_muck(format_: str, tmp_path: Path) -> None:
    written, refused = Counter[str](), set[tuple[str, str]]()
    for hand in (hand for path in FILES for hand in hands_in(path) if isinstance(hand, HandHistory)):
        names = [player.name for player in hand.dealt_in()]
        for hidden in (*([name] for name in names), names):
            less = reduce(unseen, hidden, hand)
            followed = follow(less, "0" * 64)
            if followed.contradictions or not unseen_winners(followed.events):
                continue
            try:
                text = "".join(WRITERS[format_]([less]))
            except CannotBeWritten as error:
                refused.add((error.format, error.why))
                continue
            assert outcome(audited(text, tmp_path / "hand").events) == outcome(followed.events)
            (again,) = hands_in(tmp_path / "hand")
            assert isinstance(again, HandHistory)
            assert "".join(WRITERS[format_]([again])) == text
            written[hand.dialect] += 1
    assert refused - REFUSED_ANYWAY == {one for one in REFUSED if one[0].casefold().startswith(format_)}
    assert format_ == "pokerstars" or written.keys() >= {"ongame", "boss", "merge"}, written


def only_losers_seen() -> list[str]:
    """Return OnGame's hands with a showdown but without the winner's cards; in one, its deal and draw show them."""
    hands = []
    for block in (SAMPLES / "ongame.txt").read_text("utf-8").split("\n\n\n"):
        shown = list(SHOWN.finditer(block))
        winner = next((one for one in shown if "net: +" in block[: one.start()].rsplit("\n", 1)[1]), None)
        if len(shown) > 1 and winner is not None:
            hands.append(block[: winner.start()] + block[winner.end() :] + "\n")
    return hands


@pytest.mark.parametrize("text", only_losers_seen(), ids=range(len(only_losers_seen())))
def test_a_stored_hand_that_shows_only_the_losers_cards_is_written_as_itself(text: str, tmp_path: Path) -> None:
    log, file = EventLog(Database.for_writing(":memory:")), tmp_path / "hand"
    file.write_text(text, "utf-8")
    [stored] = store(Service(log), check([file]))
    assert isinstance(stored.told, CheckedHand)
    assert stored.became is Became.STORED
    for viewer in (EVERYONE, AUDITOR, 1, 2):
        for format_ in ("phh", "ohh"):
            out = BytesIO()
            write_hands(out, log, stored.told.game_id, viewer, format_=format_)
            again = audited(out.getvalue().decode(), file)
            assert [one.became for one in store(Service(log), [again])] == [Became.KNOWN]
        if unseen_winners(stored.told.events):
            with pytest.raises(CannotBeWritten, match=r"a winning hand is unknown|dead money"):
                write_hands(BytesIO(), log, stored.told.game_id, viewer, format_="pokerstars")


def test_a_phh_in_which_a_winner_shows_cards_that_are_not_told_is_read(tmp_path: Path) -> None:
    """Other programs write PHH like this; ``winnings`` name the winner."""
    hand = next(hand for hand in hands_in(SAMPLES / "ongame.txt") if isinstance(hand, HandHistory))
    text = "".join(WRITERS["phh"]([unseen(hand, "Fay_7")]))
    loser_shows = '  "p2 sm 8h9h6sAhJh",\n'
    assert loser_shows in text
    for said in ("-", "??????????"):
        one = audited(text.replace(loser_shows, f'  "p3 sm {said}",\n{loser_shows}'), tmp_path / "hand")
        assert [note for _, note in one.warnings] == ["Fay_7 shows cards that are not given."]
