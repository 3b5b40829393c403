"""Making a table: what a form is told of games, what refusals name, and what tables say of themselves."""

from typing import Any

import pytest

from pokersvc.core.registry import game_kinds, game_of, usable

from ..guests import Guest

ANN = {"name": "Ann"}
KINDS = [kind for kind in game_kinds() if usable(kind)]


def offered(server: Guest) -> dict[str, dict[str, Any]]:
    return {game["kind"]: game for game in server.get("/api/games").json()["games"]}


@pytest.mark.parametrize("kind", KINDS)
def test_every_ready_table_can_be_made_and_started(server: Guest, kind: str) -> None:
    game = offered(server)[kind]
    assert [ready["title"] for ready in game["ready_tables"]] == [one.title for one in game_of(kind).ready_tables]
    for ready in game["ready_tables"]:
        bots = [{"program": game["default_program"]}] * (ready["seats"] - ready["people"])
        made = server.made(
            *[{"name": f"P{number}"} for number in range(ready["people"])], *bots,
            kind=kind, **{part: ready[part] for part in ("options", "rounds", "settings")},
        )  # fmt: skip
        assert made.started().watch.snapshot()["status"] == "playing"


def test_the_three_presets_are_offered(server: Guest) -> None:
    said = offered(server)["draw"]["programs_said"]
    assert set(said) == set(offered(server)["draw"]["programs"])
    assert said["beginner"].startswith("calls too much")
    assert offered(server)["draw"]["program_levels"] == ["beginner", "club", "regular", "shark"]
    assert offered(server)["draw"]["default_program"] == "regular"
    titles = [ready["title"] for game in offered(server).values() for ready in game["ready_tables"]]
    assert titles == ["Cash, blinds 1/2", "Six friends, a tournament", "As the founding papers"]


@pytest.mark.parametrize("kind", KINDS)
def test_a_form_is_told_what_a_game_takes(server: Guest, kind: str) -> None:
    game = offered(server)[kind]
    seats = [{"name": f"Player{number}"} for number in range(1, game["default_seats"] + 1)]
    answer = server.post("/api/tables", json={"kind": kind, "seats": seats, "rounds": 1})
    assert (answer.status_code == 201) == game["rounds"]
    assert game["rounds"] or answer.json()["field"] == "rounds"
    together = {"dealing": "together", "opens_seeds": True}
    answer = server.post("/api/tables", json={"kind": kind, "seats": seats, "settings": together})
    assert (answer.status_code == 201) == game["shuffles"]
    assert len([house for house in game["houses"] if house["usual"]]) == bool(game["houses"])


def test_a_form_shows_stack_blinds_and_ante_first_with_what_a_house_has(server: Guest) -> None:
    game = offered(server)["draw"]
    assert [option["name"] for option in game["options"] if option["first"]] == ["cash", "stack", "blinds", "ante"]
    assert [option["name"] for option in game["options"] if option["each"]] == ["stack"]
    (usual,) = [house for house in game["houses"] if house["usual"]]
    assert usual["values"] == {"stack": "200", "blinds": "1/2"}
    assert game["default_seats"] == 6


@pytest.mark.parametrize(
    ("asked", "field"),
    [
        ({"options": {"rules": "no-limit", "stack": "1"}}, "stack"),
        ({"options": {"rules": "no-limit", "stack": "Zoe=100"}}, "stack.each"),
        ({"options": {"rules": "no-limit", "blinds": "2"}}, "blinds"),
        ({"options": {"rules": "poker"}}, "rules"),
        ({"options": {"stack": 5}}, "stack"),
        ({"options": {"beans": 5}}, "beans"),
        ({"rounds": 0}, "rounds"),
        ({"settings": {"seconds": -1}}, "seconds"),
        ({"name": "x" * 41}, "name"),
        ({"seats": [ANN]}, "seats"),
        ({"seats": [ANN, {"name": "A\u202enn"}]}, "seats.2.name"),
        ({"seats": [ANN, {"name": "ann"}]}, "seats.2.name"),
        ({"seats": [ANN, {"program": "nobody"}]}, "seats.2.program"),
        ({"kind": "kalah", "options": {"holes": 99}}, "holes"),
        ({"kind": "market", "options": {"markets": 0}}, "markets"),
    ],
)
def test_a_refusal_names_the_field_that_is_wrong(server: Guest, asked: dict[str, Any], field: str) -> None:
    answer = server.post("/api/tables", json={"kind": "draw", "seats": [ANN, {"name": "Bo"}], **asked})
    assert answer.status_code == 422
    assert answer.json()["field"] == field, answer.json()["message"]


def test_a_refusal_that_means_no_field_names_none(server: Guest) -> None:
    assert "field" not in server.get("/api/tables/none").json()


def test_a_table_without_a_title_has_a_short_one_and_says_its_terms(server: Guest) -> None:
    options = {"rules": "no-limit", "blinds": "5/10", "stack": "100"}
    shown = server.get(server.made(ANN, {"name": "Bo"}, options=options).path).json()
    assert (shown["name"], shown["title"]) == ("", "Draw poker 5/10")
    assert shown["terms"] == ["blinds 5/10", "100 chips each"]
    named = server.get(server.made(ANN, {"name": "Bo"}, name="Friday night").path).json()
    assert named["title"] == "Friday night"


@pytest.mark.parametrize("kind", KINDS)
def test_the_table_of_any_game_has_a_short_title(server: Guest, kind: str) -> None:
    seats = [{"name": f"P{number}"} for number in range(1, offered(server)[kind]["default_seats"] + 1)]
    shown = server.get(server.made(*seats, kind=kind).path).json()
    assert 0 < len(shown["title"]) <= 24
