"""The findings of the deal and money checks."""

import json
from typing import Any

import pytest

from pokersvc.core.randomness.chance import EntropySource
from pokersvc.core.randomness.stream import derive
from pokersvc.core.setup import Setup
from pokersvc.eventlog.record import Record
from pokersvc.evidence.audit import audit
from pokersvc.games.draw_poker import DRAW_POKER

from .forged import forged, hidden, only, public
from .played import Tampered, seats

# The deal.


def test_dealt_cards_are_those_of_the_recorded_seed(tampered: Tampered) -> None:
    seq = forged(tampered, "no-limit", "HandDealt", hidden(cards=["Ah", "Kh", "Qh", "Jh", "Th"]))
    finding = only(tampered.audit("no-limit"), "deal")[0]
    assert (finding.seq, finding.type) == (seq, "HandDealt")
    assert '["Ah","Kh","Qh","Jh","Th"]' in finding.found
    assert finding.expected.startswith('the secret {"cards":[')


def test_another_seed_gives_other_cards(tampered: Tampered) -> None:
    seq = forged(tampered, "no-limit", "DeckShuffled", hidden(seed="00" * 32))
    deal = only(tampered.audit("no-limit"), "deal")
    assert [finding.seq for finding in deal[:3]] == [seq, seq + 1, seq + 2]


def test_the_seeds_of_a_reproducible_game_follow_from_its_text(tampered: Tampered) -> None:
    seq = forged(tampered, "no-limit", "DeckShuffled", hidden(seed="00" * 32))
    finding = only(tampered.audit("no-limit"), "deal")[0]
    assert (finding.seq, finding.found) == (seq, f"the seed {'00' * 32}")
    expected = derive(b"no-limit", "deck", 1).hex()
    assert finding.expected == f"the seed {expected}, which follows from the text of the game's seed"


def test_the_secret_of_a_reproducible_game_follows_from_its_text(tampered: Tampered) -> None:
    forged(tampered, "no-limit", "GameStarted", hidden(entropy={"secret": "00" * 32, "text": "no-limit"}))
    assert only(tampered.audit("no-limit"), "deal")[0].expected == "the secret that follows from the text of its seed"


def test_a_game_says_in_public_whether_it_is_reproducible(tampered: Tampered) -> None:
    forged(tampered, "no-limit", "GameStarted", public(reproducible=False))
    assert only(tampered.audit("no-limit"), "deal")[0].found == "a game that is not reproducible"


def test_a_shuffle_that_is_not_known_is_found(tampered: Tampered) -> None:
    forged(tampered, "no-limit", "GameStarted", public(shuffle=2))
    assert only(tampered.audit("no-limit"), "deal")[0].found == "shuffle 2"


def test_openers_and_reshuffles_follow_from_the_seed(tampered: Tampered) -> None:
    seq = forged(
        tampered, "buy-the-pot", "OpenerChosen", lambda r: public(seat=json.loads(r.payload)["seat"] % 3 + 1)(r)
    )
    assert only(tampered.audit("buy-the-pot"), "deal")[0].seq == seq
    ((reshuffled,),) = tampered.sql("SELECT DISTINCT game_id FROM events WHERE type = 'DeckReshuffled'")
    seq = forged(tampered, reshuffled, "DeckReshuffled", public(count=3))
    assert only(tampered.audit(reshuffled), "deal")[0].seq == seq


def test_a_hand_is_shown_as_it_was_dealt(tampered: Tampered) -> None:
    seq = forged(tampered, "pot-limit", "HandShown", public(cards=["Ah", "Kh", "Qh", "Jh", "Th"]))
    finding = only(tampered.audit("pot-limit"), "rules")[0]
    assert (finding.seq, finding.type) == (seq, "HandShown")


def test_secrets_are_told_of_games_that_are_over_only(tampered: Tampered) -> None:
    royal = ["Ah", "Kh", "Qh", "Jh", "Th"]
    records = tampered.records("no-limit")
    at = next(at for at, record in enumerate(records) if record.type == "HandDealt")
    cut = [*records[:at], hidden(cards=royal)(records[at]), *records[at + 1 : at + 3]]
    tampered.rewrite("no-limit", cut)
    tampered.sql("UPDATE game_summaries SET outcome = NULL, rounds = 0 WHERE game_id = 'no-limit'")
    finding = only(tampered.audit("no-limit"), "deal")[0]
    assert finding.seq == at + 1
    assert "with another secret" in finding.found
    assert "cards" not in str(finding)
    tampered.rewrite("no-limit", [*records[: at - 1], hidden(seed="00" * 32)(records[at - 1])])
    assert "00000" not in "".join(map(str, tampered.audit("no-limit")))


def test_without_its_seed_a_deck_is_not_followed(tampered: Tampered) -> None:
    for change in (hidden(seed="00"), lambda record: record._replace(secret=None, salt=None)):
        tampered.restore()
        seq = forged(tampered, "no-limit", "DeckShuffled", change)
        findings = tampered.audit("no-limit")
        assert {finding.seq for finding in findings} == {seq}
        assert "cannot be followed" in findings[-1].found


def test_a_ledger_that_cannot_be_printed_is_no_finding(tampered: Tampered) -> None:
    def closed(game_id: str, page: Any) -> None:
        raise BrokenPipeError

    with pytest.raises(BrokenPipeError):
        list(audit(tampered.database, ["people"], ledger=closed))


# The money.


def test_chips_are_paid_out_of_pots_that_have_them(tampered: Tampered) -> None:
    def more(record: Record) -> Record:
        (share,) = json.loads(record.payload)["shares"]
        return public(shares=[{**share, "amount": share["amount"] + 7}])(record)

    seq = forged(tampered, "no-limit", "PotAwarded", more)
    money = only(tampered.audit("no-limit"), "money")
    assert money[0].seq == seq
    assert "paid from pot 1" in money[0].found


def test_nobody_puts_in_more_than_they_have(tampered: Tampered) -> None:
    seq = forged(tampered, "people", "Called", public(amount=5000))
    money = only(tampered.audit("people"), "money")
    assert (money[0].seq, money[0].expected) == (seq, "at most the stack, 1004")


def test_final_stacks_are_what_was_paid(tampered: Tampered) -> None:
    seq = forged(tampered, "people", "GameEnded", public(stacks=[1, 2, 3]))
    money = only(tampered.audit("people"), "money")
    assert (money[0].seq, money[0].found) == (seq, "final stacks 1 2 3")


def test_a_returned_bet_is_what_nobody_matched(tampered: Tampered) -> None:
    seq = forged(tampered, "no-limit", "UncalledBetReturned", public(amount=1))
    assert any(f.seq == seq and "returned to" in f.found for f in only(tampered.audit("no-limit"), "money"))


def test_a_remainder_is_what_did_not_divide(tampered: Tampered) -> None:
    ((game_id,),) = tampered.sql("SELECT DISTINCT game_id FROM events WHERE type = 'RemainderCarried'")
    seq = forged(tampered, game_id, "RemainderCarried", public(amount=2))
    money = only(tampered.audit(game_id), "money")
    assert (money[0].seq, money[0].found, money[0].expected) == (seq, "2 carried", "1, which did not divide")


def test_the_stones_of_nim_are_counted(tampered: Tampered) -> None:
    seq = forged(tampered, "nim", "StonesTaken", public(stones=9))
    assert any(f.seq == seq and "stones taken from pile" in f.found for f in only(tampered.audit("nim"), "money"))


def test_books_and_state_are_compared_at_every_event(tampered: Tampered, monkeypatch: pytest.MonkeyPatch) -> None:
    class Forgetful(type(DRAW_POKER.books(DRAW_POKER.start(_any_setup())))):  # type: ignore[misc]  # found at run time
        def post(self, event: Any) -> Any:
            return () if type(event).__name__ == "Called" else super().post(event)

    monkeypatch.setattr(type(DRAW_POKER), "books", lambda self, started: Forgetful(started))
    first, *others = only(tampered.audit("people"), "money")
    assert first.type == "Called"
    assert not any("in the pot" in other.expected for other in others), "once apart, they stay apart"
    assert first.found.startswith("stacks ")
    assert first.expected.endswith(" in the pot")


def _any_setup() -> Setup:
    return Setup(seats("random", "random"), EntropySource.fresh())
