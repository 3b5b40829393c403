"""Copies without some seeds of a common shuffle: the data that they still show is checked."""

import json
from collections.abc import Callable
from dataclasses import replace
from itertools import combinations
from random import Random
from typing import Any

import pytest

from pokersvc.cards import FRESH_DECK
from pokersvc.core.event import EVERYONE, Viewer
from pokersvc.core.randomness.common_shuffle import Dealing, SharedEntropy
from pokersvc.eventlog.database import Database
from pokersvc.eventlog.log import EventLog
from pokersvc.eventlog.record import Record
from pokersvc.evidence.audit import Audited, audit
from pokersvc.evidence.audit.walk import Walk
from pokersvc.games.draw_poker.actions import Bet, Call, Discard, Fold
from pokersvc.games.draw_poker.house.houses import preset_names
from pokersvc.service import Service
from tests.shuffling import DEALT_TOGETHER, TOGETHER, Table, Turned

from .rewritten import closed, events_in, rechained
from .support import exported, findings, verification

KEEPS_CLOSED = replace(TOGETHER, opens_seeds=False)
OPENS = [True, False]


class Dealt:
    """A game that was played to its end, of which copies are made; its dealer made the seeds by ``seed``."""

    def __init__(
        self,
        monkeypatch: pytest.MonkeyPatch,
        seed: Callable[[Dealing, bytes], bytes] = Dealing.seed,
        *,
        opens: bool = True,
        play: Callable[[Table], None] | None = None,
        **options: Any,
    ) -> None:
        monkeypatch.setattr(SharedEntropy, "seed", lambda self, index: seed(self.dealing, self.secret))
        # Each run deals the same: by chance a deck of the dealer's own may show a card that the right one shows too.
        for name in ("secrets.token_bytes", "os.urandom"):
            monkeypatch.setattr(name, Random(1).randbytes)
        self.database = Database.for_writing(":memory:")
        self.log = EventLog(self.database)
        clock = Turned()
        settings = TOGETHER if opens else KEEPS_CLOSED
        self.table = Table(Service(self.log, clock), clock, settings=settings, named="dealt", **options)
        self.table.bind()
        (play or Table.play)(self.table)
        monkeypatch.undo()

    @property
    def records(self) -> list[Record]:
        return list(self.log.read(self.table.game_id))

    def seqs(self, type_: str) -> list[int]:
        return [record.seq for record in self.records if record.type == type_]

    def copy(self, viewer: Viewer = EVERYONE, **options: Any) -> bytes:
        return exported(self.log, self.table.game_id, viewer, **options)


def three(kind: str) -> dict[str, Any]:
    """The options of a game with three decks."""
    return {"kind": kind, **({"rounds": 1, "options": {"markets": 3}} if kind == "market" else {"rounds": 3})}


def own_deck(dealing: Dealing, secret: bytes) -> bytes:
    """Return the seed of a round; in round 2, one that does not follow from the shares."""
    return b"\2" * 32 if dealing.round == 2 else dealing.seed(secret)


def said(by_seed: int, by_shown: int, not_at_all: int) -> str:
    were = "1 round was" if by_seed == 1 else f"{by_seed} rounds were"
    return f"{were} checked by seed and commitment, {by_shown} only by what was shown, and {not_at_all} not at all."


def shuffled(content: bytes) -> str:
    """Verify a copy without findings, and return the sentences about its shuffles."""
    verified = verification(content)
    assert list(verified.findings()) == []
    assert verified.shuffled is not None
    return verified.shuffled


# A dealer that deals its own deck in round 2.


@pytest.mark.parametrize("kind", DEALT_TOGETHER)
@pytest.mark.parametrize("viewer", [EVERYONE, 1, 2])
def test_a_deck_of_the_dealers_own_is_found_although_its_seed_was_closed_again(
    kind: str, viewer: Viewer, monkeypatch: pytest.MonkeyPatch
) -> None:
    dealt = Dealt(monkeypatch, own_deck, **three(kind))
    content, second = dealt.copy(viewer), dealt.seqs("DeckShuffled")[1]
    assert [finding.seq for finding in findings(content)] == [second]
    again = verification(closed(content, second))
    found = list(again.findings())
    cards = {"HandDealt", "HandsDealt", "HandsOpened"}
    assert any(finding.type in cards and second < (finding.seq or 0) for finding in found), "its cards are others"
    assert (found[-1].seq, found[-1].check, found[-1].found) == (second, "deal", "1 closed seed, this one first")
    assert again.shuffled is None


@pytest.mark.parametrize("kind", DEALT_TOGETHER)
def test_it_is_found_where_a_table_keeps_its_seeds_closed_and_only_the_dealers_secret_is_opened(
    kind: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    dealt = Dealt(monkeypatch, own_deck, opens=False, **three(kind))
    assert said(0, 0, 3) in shuffled(dealt.copy()), "nobody can tell, and nobody says that it was checked"
    decks = dealt.seqs("DeckShuffled")
    for viewer in (EVERYONE, 1):
        found = findings(dealt.copy(viewer, opened=[1]))
        assert found
        assert all(decks[1] < (finding.seq or 0) < decks[2] for finding in found)


def test_it_is_found_where_the_end_that_fulfils_the_promise_was_cut_off(monkeypatch: pytest.MonkeyPatch) -> None:
    dealt = Dealt(monkeypatch, own_deck, rounds=2)
    content = closed(dealt.copy(), dealt.seqs("DeckShuffled")[1])
    found = findings(rechained(content, lambda events: events.__delitem__(-1)))
    assert {finding.type for finding in found} == {"HandDealt", "HandsOpened"}, "its digests and its cards are others"


# An honest dealer.


@pytest.mark.parametrize("kind", DEALT_TOGETHER)
@pytest.mark.parametrize("viewer", [EVERYONE, 1])
def test_a_promise_is_kept_by_every_seed_and_the_secret_that_they_follow_from(
    kind: str, viewer: Viewer, monkeypatch: pytest.MonkeyPatch
) -> None:
    dealt = Dealt(monkeypatch, **three(kind))
    content, decks = dealt.copy(viewer), dealt.seqs("DeckShuffled")
    assert f"The dealer's secret is open. {said(3, 0, 0)}" in shuffled(content)
    (secret,) = findings(closed(content, 1))
    assert (secret.seq, secret.check, secret.found) == (None, "deal", "no secret of the dealer's")
    for some in [some for count in (1, 2, 3) for some in combinations(decks, count)]:
        (seed,) = findings(closed(content, *some))
        count = f"{len(some)} closed seed{'s' * (len(some) > 1)}"
        assert (seed.seq, seed.check, seed.found) == (some[0], "deal", f"{count}, this one first")
    both = findings(closed(content, 1, *decks))
    assert [finding.found for finding in both] == ["no secret of the dealer's", "3 closed seeds, this one first"]


@pytest.mark.parametrize("kind", DEALT_TOGETHER)
def test_rounds_are_counted_by_what_they_were_checked_by(kind: str, monkeypatch: pytest.MonkeyPatch) -> None:
    dealt = Dealt(monkeypatch, opens=False, **three(kind))
    decks = dealt.seqs("DeckShuffled")
    closed_, open_ = "As the dealer's secret stays closed, only an auditor can check", "The dealer's secret is open. "
    for count in range(4):
        for some in combinations(decks, count):
            for viewer in (EVERYONE, 1):
                assert open_ + said(count, 3 - count, 0) in shuffled(dealt.copy(viewer, opened=[1, *some]))
            words = shuffled(dealt.copy(opened=some))
            assert closed_ in words
            assert said(0, 0, 3) in words, "a seed alone does not tell whether it follows from the shares"
    shuffles = audited(dealt).shuffled
    assert shuffles is not None
    assert shuffles.endswith(f" {open_}{said(3, 0, 0)}")


def test_a_round_of_which_no_card_is_shown_is_not_called_checked(monkeypatch: pytest.MonkeyPatch) -> None:
    def play(table: Table) -> None:
        table.open_round()
        table.share()
        while table.service.status(table.game_id).awaited:
            table.service.act(table.game_id, Fold(table.service.status(table.game_id).awaited[0]))

    dealt = Dealt(monkeypatch, opens=False, bots=0, play=play, rounds=1, options={"rules": "no-limit"})
    assert not dealt.seqs("HandShown")
    assert said(0, 0, 1) in shuffled(dealt.copy(opened=[1]))
    assert said(0, 1, 0) in shuffled(dealt.copy(1, opened=[1])), "the seat sees its own hand"
    assert said(1, 0, 0) in shuffled(dealt.copy(opened=[1, *dealt.seqs("DeckShuffled")]))
    hand = dealt.seqs("HandDealt")[1]
    assert said(0, 1, 0) in shuffled(dealt.copy(opened=[1, hand]))


# What a file shows besides.


def discarding(table: Table) -> None:
    """Throw two cards away in the first round, at one seat, and none at the other."""
    service, game_id = table.service, table.game_id
    table.open_round()
    table.share()
    for choice in (Bet(1, 50), Call(2)):
        service.act(game_id, choice)
    for count in (2, 0):
        seat = service.status(game_id).awaited[0]
        hand = next(one.cards for one in service.turn(game_id, seat).view.seats if one.seat == seat)
        service.act(game_id, Discard(seat, hand[:count]))
    table.follow()


@pytest.mark.parametrize("type_", ["HandDealt", "CardsDiscarded", "CardsDrawn"])
def test_cards_that_were_opened_besides_are_compared_with_the_deck(type_: str, monkeypatch: pytest.MonkeyPatch) -> None:
    for seed, right in ((Dealing.seed, True), (lambda *_: b"\2" * 32, False)):
        dealt = Dealt(monkeypatch, seed, opens=False, bots=0, play=discarding)
        seq = dealt.seqs(type_)[0]
        told = findings(dealt.copy(opened=[1], force=True))
        assert {finding.type for finding in told} == (set() if right else {"HandDealt", "CardsDrawn"}), "by digests"
        found = findings(dealt.copy(opened=[1, seq], force=True))
        assert (seq in [finding.seq for finding in found]) != right


def test_hands_that_are_revealed_after_the_game_are_compared_with_the_deck(monkeypatch: pytest.MonkeyPatch) -> None:
    def play(table: Table) -> None:
        discarding(table)
        table.service.act(table.game_id, Bet(1, 50))
        table.service.act(table.game_id, Fold(2))

    dealt = Dealt(monkeypatch, opens=False, bots=0, play=play, rounds=1)
    (revealed,) = dealt.seqs("HandsRevealed")
    content = dealt.copy(opened=[1])
    assert said(0, 1, 0) in shuffled(content)
    hands = json.loads(events_in(content)[revealed - 1]["payload"])["hands"]
    came = "".join(record.secret or "" for record in dealt.records)
    other = next(card.notation for card in FRESH_DECK if f'"{card.notation}"' not in came)

    def forge(events: list[dict[str, Any]]) -> None:
        hands[0]["cards"][0] = other  # one that the seat kept
        payload = {**json.loads(events[revealed - 1]["payload"]), "hands": hands}
        events[revealed - 1]["payload"] = json.dumps(payload, sort_keys=True, separators=(",", ":"))

    (found,) = findings(rechained(content, forge))
    assert (found.seq, found.check) == (revealed, "rules")


@pytest.mark.slow
@pytest.mark.parametrize(
    "house", [pytest.param(name, marks=[pytest.mark.slow] * (name != "no-limit")) for name in preset_names()]
)
def test_an_honest_dealer_is_never_accused_whatever_is_opened(house: str, monkeypatch: pytest.MonkeyPatch) -> None:
    random = Random(house)

    def play(table: Table) -> None:
        """Discard at random, so that decks are used up."""
        service, game_id = table.service, table.game_id
        while service.status(game_id).outcome is None:
            table.open_round()
            table.share()
            while (status := service.status(game_id)).awaited:
                seat = status.awaited[0]
                turn = service.turn(game_id, seat)
                hand = next(one.cards for one in turn.view.seats if one.seat == seat)
                most, may_call = turn.legal.discard, turn.legal.call > 0
                thrown = (
                    None if most is None else Discard(seat, tuple(hand[: random.choice((2, most, most, most, most))]))
                )
                service.act(game_id, thrown or (Call(seat) if may_call else table.choice(seat)))
            table.follow()

    dealt = Dealt(monkeypatch, opens=False, people=6, bots=0, play=play, rounds=4, options={"rules": house})
    assert house != "no-limit" or dealt.seqs("DeckReshuffled")
    secrets = [record.seq for record in dealt.records if record.secret is not None]
    decks = dealt.seqs("DeckShuffled")
    for _ in range(12):
        some = {1, *random.sample(secrets, random.randrange(len(secrets)))}
        for viewer in (EVERYONE, 1):
            words = shuffled(dealt.copy(viewer, opened=some))
            assert f"{len(some.intersection(decks))} round" in words


# What an audit says.


def audited(dealt: Dealt) -> Audited:
    (found,) = audit(dealt.database, [dealt.table.game_id])
    return found


def test_an_audit_that_finds_anything_in_the_events_says_nothing_of_their_shuffles(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    dealt = Dealt(monkeypatch, rounds=2)
    whole = audited(dealt).shuffled
    assert whole is not None
    assert whole.endswith(f"The dealer's secret is open. {said(2, 0, 0)}")
    with dealt.database.write() as connection:
        for trigger in ("events_refuse_update", "events_refuse_delete"):
            connection.exec_driver_sql(f"DROP TRIGGER IF EXISTS {trigger}")
        last = "(SELECT max(seq) FROM events WHERE salt IS NOT NULL)"
        connection.exec_driver_sql(f"UPDATE events SET salt = zeroblob(16) WHERE seq = {last}")
    again = audited(dealt)
    assert {finding.check for finding in again.findings} == {"chain"}
    assert again.shuffled is None
    for seed in (own_deck, lambda *_: b"\2" * 32):
        assert audited(Dealt(monkeypatch, seed, rounds=2)).shuffled is None


def test_an_audit_that_a_bug_ends_says_nothing_of_the_shuffles(monkeypatch: pytest.MonkeyPatch) -> None:
    dealt = Dealt(monkeypatch, rounds=1)

    def fails(self: Walk, state: object) -> None:
        raise ZeroDivisionError

    monkeypatch.setattr(Walk, "_end", fails)
    found = audited(dealt)
    assert found.fault is not None
    assert found.shuffled is None
