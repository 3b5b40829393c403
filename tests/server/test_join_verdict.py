"""What `join` says at the end: from each sentence a test takes away what it rests on, and it is not said."""

import json
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from pokersvc.core.randomness.common_shuffle import SharedEntropy
from pokersvc.eventlog.database import Database
from pokersvc.eventlog.log import EventLog
from pokersvc.eventlog.record import Record
from pokersvc.evidence.audit.walk import Walk
from pokersvc.remote.copy import CheckedCopy
from pokersvc.remote.errors import UntrueStory
from pokersvc.remote.heads import Heads
from pokersvc.service import Service
from tests.shuffling import TOGETHER, Table, Turned
from tests.web.played import opened, streamed
from tests.web.shuffled import rehash

Told = list[dict[str, Any]]


def game(*, opens: bool = True) -> list[Record]:
    """Two rounds that Ann and Bob shuffled together, to the end."""
    with Database.for_writing(":memory:") as database:
        log, clock = EventLog(database), Turned()
        settings = replace(TOGETHER, opens_seeds=opens)
        table = Table(Service(log, clock), clock, rounds=2, settings=settings, named="game")
        table.bind()
        table.play()
        return list(log.read(table.game_id))


def verdict(folder: Path, told: Told, secrets: Told | None, *, after: int | None = None) -> str:
    """Take what a server tells, its secrets after so many events; return the verdict, nothing where it was caught."""
    copy = CheckedCopy("game", "draw", 1, Heads(folder / str(len(list(folder.iterdir())))))
    try:
        for seq, record in enumerate(told, 1):
            copy.take(record)
            if secrets is not None and seq == (after or len(told)):
                copy.open_seeds(secrets)
        copy.settle()
    except UntrueStory:
        return ""
    return copy.verdict()


def flipped(text: str) -> str:
    return ("1" if text[0] == "0" else "0") + text[1:]


def says(type_: str, member: str, make: Callable[[Any], Any]) -> Callable[[Told, Told], None]:
    """Return a change of one member of the first event of a type, with all hashes made anew."""

    def change(told: Told, _secrets: Told) -> None:
        event = next(one for one in told if one["type"] == type_)
        payload = json.loads(event["payload"])
        payload[member] = make(payload[member])
        event["payload"] = json.dumps(payload, sort_keys=True, separators=(",", ":"))
        rehash({"game": "game", "records": told})

    return change


def other_cards(told: Told, _secrets: Told) -> None:
    next(one for one in told if "secret" in one)["secret"] = '{"cards":[]}'


def without_own_cards(told: Told, _secrets: Told) -> None:
    hand = next(one for one in told if "secret" in one)
    hand["digest"] = "0" * 64
    del hand["secret"], hand["salt"]
    rehash({"game": "game", "records": told})


def other_salt(_told: Told, secrets: Told) -> None:
    secrets[-1]["salt"] = flipped(secrets[-1]["salt"])


def less(seq: int) -> Callable[[Told, Told], None]:
    def change(_told: Told, secrets: Told) -> None:
        del secrets[seq]

    return change


SENTENCES: list[tuple[str, Callable[[Told, Told], None]]] = [
    ("the chain, the rules and the money are right", says("AntePosted", "amount", lambda amount: amount + 1)),
    ("15 secrets 4 were shown and fit what was committed to", other_cards),
    ("15 secrets 4 were shown and fit what was committed to", without_own_cards),
    ("The dealer opened 3 secrets, as committed to before the deal.", other_salt),
    ("The dealer opened 3 secrets, as committed to before the deal.", less(0)),
    ("2 decks dealt again, each from a seed of its own: all that was seen is right.", less(1)),
    ("Shuffled together by Ann in rounds 1 to 2; Bob in rounds 1 to 2.", says("ShareOpened", "share", flipped)),
    ("The dealer's secret is open. 2 rounds were checked by seed and commitment, 0 only by", less(0)),
    ("The dealer's secret is open. 2 rounds were checked by seed and commitment, 0 only by", less(2)),
    ("Compare with the other players: ", says("RoundEnded", "round", lambda _: 9)),
]


def test_what_a_sentence_rests_on(tmp_path: Path) -> None:
    records = game()
    whole = verdict(tmp_path, streamed(records, "draw", 1), opened(records, "draw"))
    for sentence, change in SENTENCES:
        assert sentence in whole
        told, secrets = streamed(records, "draw", 1), opened(records, "draw")
        change(told, secrets)
        assert sentence not in verdict(tmp_path, told, secrets)


def test_secrets_that_are_opened_before_the_end_are_no_proof_of_the_rounds_after_them(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    honest = SharedEntropy.seed
    monkeypatch.setattr(
        SharedEntropy, "seed", lambda self, index: honest(self, index) if self.dealing.round == 1 else b"\2" * 32
    )
    records = game()
    after = next(record.seq for record in records if record.type == "RoundEnded")
    told, secrets = streamed(records, "draw", 1), opened(records, "draw")
    early = [one for one in secrets if one["seq"] <= after]
    assert "dealt again" not in verdict(tmp_path, told, early, after=after)
    assert verdict(tmp_path, told, secrets) == "", "the deck of round 2 is not the one that follows"


def test_seeds_that_stay_closed_are_not_called_checked(tmp_path: Path) -> None:
    none = "0 rounds were checked by seed and commitment, 0 only by what was shown, and 2 not at all."
    records = game(opens=False)
    said = verdict(tmp_path, streamed(records, "draw", 1), None)
    assert f"As the dealer's secret stays closed, only an auditor can check the shuffles. {none}" in said
    records = game()
    said = verdict(tmp_path, streamed(records, "draw", 1), None)
    assert f"Bound, not yet checkable: the dealer's secret opens after the game. {none}" in said


def test_nothing_is_said_of_shuffles_after_a_bug_in_the_check(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def fails(self: Walk, record: Any) -> None:
        raise ZeroDivisionError

    records = game()
    monkeypatch.setattr(Walk, "_go_at_table", fails)
    said = verdict(tmp_path, streamed(records, "draw", 1), opened(records, "draw"))
    assert "a bug in pokersvc" in said
    assert "The decks could not be dealt again." in said
    for sentence in ("are right", "Shuffled together", "The dealer's secret is open"):
        assert sentence not in said
