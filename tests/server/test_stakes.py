"""Over HTTP: the host changes the stakes between two rounds; nobody else does."""

from collections.abc import Iterator

import pytest

from .conftest import running
from .guests import Guest, bearer


@pytest.fixture(scope="module")
def guest(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Guest]:
    """A guest of a server that waits between two rounds for as long as these tests take."""
    with running(tmp_path_factory.mktemp("served") / "games.sqlite", pause=600.0) as guest:
        yield guest


def test_the_host_changes_the_stakes_between_rounds_and_all_are_told(guest: Guest) -> None:
    table = guest.made(
        {"name": "Ann"}, {"name": "Bob"}, options={"rules": "no-limit", "changeable": True, "cash": True}
    ).started()
    refused = table.ask_host("stakes", stakes={"blinds": "5/10"})
    assert (refused.status_code, refused.json()["code"]) == (422, "not_between_rounds")
    table.play_to_the_pause()
    assert table.watch.snapshot()["view"]["changeable"]
    assert table.ask_host("stakes", stakes={"blinds": "5/10", "ante": 1}).status_code == 204
    now = table.watch.snapshot()
    assert now["view"]["rules"]["blinds"] == {"big": 10, "small": 5, "straddle": 0}
    assert now["view"]["next_ante"] == 1


def test_what_cannot_be_is_refused_in_one_sentence(guest: Guest) -> None:
    table = guest.made({"name": "Ann"}, {"name": "Bob"}, options={"rules": "no-limit", "changeable": True}).started()
    table.play_to_the_pause()
    for stakes in ({"blinds": "10/5"}, {"colour": 3}, {}, {"straddle": 3}, {"blinds": "1/2"}):
        refused = table.ask_host("stakes", stakes=stakes)
        assert refused.status_code == 422, stakes
        assert refused.json()["message"].endswith(".")


def test_a_table_whose_start_does_not_say_so_keeps_its_stakes(guest: Guest) -> None:
    table = guest.made({"name": "Ann"}, {"name": "Bob"}, options={"rules": "no-limit"}).started()
    table.play_to_the_pause()
    refused = table.ask_host("stakes", stakes={"blinds": "5/10"})
    assert (refused.status_code, refused.json()["code"]) == (422, "not_changeable")


def test_the_host_changes_the_clock_between_rounds_and_it_counts_at_once(guest: Guest) -> None:
    table = guest.made({"name": "Ann"}, {"name": "Bob"}, options={"rules": "no-limit", "changeable": True}).started()
    refused = table.ask_host("clock", seconds=600)
    assert (refused.status_code, refused.json()["code"]) == (422, "not_between_rounds")
    table.play_to_the_pause()
    assert table.watch.snapshot()["clock"] is None
    assert table.ask_host("clock", seconds=600, bank=900).status_code == 204
    clock = table.watch.snapshot()["clock"]
    assert (clock["seconds"], clock["bank"]) == (600, {"1": 900_000, "2": 900_000})
    for wrong in ({"seconds": -1}, {"seconds": 0, "bank": 1}, {"seconds": 600, "bank": 900}):
        assert table.ask_host("clock", **wrong).status_code == 422, wrong


def test_nobody_but_the_host_changes_them(guest: Guest) -> None:
    table = guest.made({"name": "Ann"}, {"name": "Bob"}, options={"rules": "no-limit", "changeable": True}).started()
    for token in table.tokens.values():
        asked = guest.post(f"{table.path}/host/stakes", headers=bearer(token), json={"stakes": {"ante": 1}})
        assert asked.status_code == 401
    action = {"type": "ChangeStakes", "seat": 1, "stakes": {}}
    assert table.seat(1).send(action=action).status_code == 422


def test_the_host_announces_a_bomb_pot_and_all_are_told(guest: Guest) -> None:
    table = guest.made(
        {"name": "Ann"}, {"name": "Bob"}, options={"rules": "no-limit", "cash": True, "bomb_pot": 5}
    ).started()
    table.play_to_the_pause()
    for wrong in (False, "yes", 1):
        assert table.ask_host("stakes", stakes={"bomb_pot": wrong}).json()["message"] == (
            "A bomb pot is announced alone, as bomb_pot = true."
        )
    assert table.ask_host("stakes", stakes={"bomb_pot": True}).status_code == 204
    assert table.watch.snapshot()["view"]["bomb_pots"] == [3]
    assert table.ask_host("stakes", stakes={"bomb_pot": True}).json()["code"] == "asked_already"
    for round_ in (2, 3):
        table.ask_host("next")
        table.play_to_the_pause()
        assert table.watch.snapshot()["view"]["round"] == round_
    assert table.watch.snapshot()["view"]["ante"] == 10
