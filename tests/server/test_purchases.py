"""Over HTTP: the host admits or refuses purchases of chips; wishes are typed or sent; nobody else answers."""

from collections.abc import Iterator

import pytest

from .conftest import running
from .guests import Guest, Made, bearer

RULES = {"rules": "no-limit", "cash": True, "stack": "200,Ann=100,Bob=100"}


@pytest.fixture(scope="module")
def guest(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Guest]:
    """A guest of a server that waits between two rounds for as long as these tests take."""
    with running(tmp_path_factory.mktemp("served") / "games.sqlite", pause=600.0) as guest:
        yield guest


def made(guest: Guest, **options: object) -> Made:
    table = guest.made({"name": "Ann"}, {"name": "Bob"}, options={**RULES, **options}).started()
    table.play_to_the_pause()
    return table


def test_the_host_admits_a_purchase_and_all_are_told(guest: Guest) -> None:
    table = made(guest, approval=True)
    ann = table.seat(1)
    stack = ann.snapshot()["view"]["seats"][0]["stack"]
    sent = ann.send(head=ann.snapshot()["head"], typed="buy 50")
    assert [one["type"] for one in sent.json()["events"]] == ["PurchaseAsked"]
    seen = table.watch.snapshot()["view"]["seats"][0]
    assert (seen["stack"], seen["at_cash"]["asks_for"]) == (stack, 50)
    assert table.ask_host("seats/2/purchase", admits=True).json()["code"] == "nothing_asked"
    assert table.ask_host("seats/1/purchase", admits=True).status_code == 204
    seen = table.watch.snapshot()["view"]["seats"][0]
    assert (seen["stack"], seen["at_cash"]["asks_for"]) == (stack + 50, 0)


def test_a_refused_purchase_moves_no_chips(guest: Guest) -> None:
    table = made(guest, approval=True)
    ann = table.seat(1)
    before = ann.snapshot()["view"]["seats"][0]["stack"]
    ann.send(head=ann.snapshot()["head"], action={"type": "BuyChips", "chips": 50})
    assert table.ask_host("seats/1/purchase", admits=False).status_code == 204
    assert table.watch.snapshot()["view"]["seats"][0]["stack"] == before


def test_nobody_but_the_host_answers(guest: Guest) -> None:
    table = made(guest, approval=True)
    for token in table.tokens.values():
        asked = guest.post(f"{table.path}/host/seats/1/purchase", headers=bearer(token), json={"admits": True})
        assert asked.status_code == 401
    refused = table.seat(1).send(action={"type": "AnswerPurchase", "seat": 1, "admits": True})
    assert refused.status_code == 422


def test_wishes_are_sent_or_typed(guest: Guest) -> None:
    table = made(guest)
    ann, bob = table.seat(1), table.seat(2)
    sent = ann.send(head=ann.snapshot()["head"], action={"type": "Wish", "top_up_to": 150})
    assert [one["type"] for one in sent.json()["events"]] == ["WishesSet"]
    sent = bob.send(head=bob.snapshot()["head"], typed="top up to 120")
    assert [one["type"] for one in sent.json()["events"]] == ["WishesSet"]
    assert "top up off (no more up to 120)" in bob.snapshot()["between"]
    table.ask_host("next")
    stacks = [seat["stack"] + seat["staked"] for seat in table.watch.snapshot()["view"]["seats"]]
    assert sum(stacks) >= 270


def test_the_wish_to_straddle_is_sent_or_typed_where_it_is_by_choice(guest: Guest) -> None:
    table = made(guest, straddle=4, straddle_by_choice=True)
    ann, bob = table.seat(1), table.seat(2)
    assert "straddle on (4 in your turn)" in ann.snapshot()["between"]
    sent = ann.send(head=ann.snapshot()["head"], action={"type": "Wish", "straddles": True})
    assert [one["type"] for one in sent.json()["events"]] == ["WishesSet"]
    bob.send(head=bob.snapshot()["head"], typed="straddle on")
    seen = table.watch.snapshot()["view"]
    assert [seat["at_cash"]["straddles"] for seat in seen["seats"][:2]] == [True, True]
    assert seen["cash"]["straddle_by_choice"]
    plain = made(guest).seat(1)
    refused = plain.send(head=plain.snapshot()["head"], action={"type": "Wish", "straddles": True})
    assert refused.json()["code"] == "no_choice"


def test_a_seat_that_was_freed_may_be_taken(guest: Guest) -> None:
    table = guest.made(
        {"name": "Ann"},
        {"name": "Bob"},
        {"program": "minimum"},
        {"program": "minimum"},
        options={**RULES, "away_rounds": 1},
    ).started()
    table.play_to_the_pause()
    bob = table.seat(2)
    bob.send(head=bob.snapshot()["head"], typed="sit out")
    table.ask_host("next")
    table.play_to_the_pause()
    table.ask_host("next")
    seats = table.watch.snapshot()["view"]["seats"]
    assert (seats[1]["standing"], seats[1]["stack"]) == ("out", 0)
    assert guest.get(table.path).json()["seats"][1]["kind"] == "empty"


def test_nobody_takes_the_seat_of_somebody_whom_the_host_has_yet_to_answer(guest: Guest) -> None:
    table = guest.made(
        {"name": "Ann"}, {"name": "Bob"}, {"program": "minimum"}, options={**RULES, "approval": True}
    ).started()
    table.play_to_the_pause()
    bob = table.seat(2)
    bob.send(head=bob.snapshot()["head"], action={"type": "Leave"})
    bob.send(head=bob.snapshot()["head"], action={"type": "SitDown", "chips": 50})

    def comes(name: str) -> int:
        asked = {"name": name, "seat": 2, "token": table.invitation}
        return guest.post(f"{table.path}/sit", json=asked).status_code

    assert comes("Zoe") == 409
    assert table.ask_host("seats/2/purchase", admits=False).status_code == 204
    assert comes("Zoe") == 201
