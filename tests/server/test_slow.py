"""What takes longer: servers that are killed, and the OpenAPI document compared with the server."""

from pathlib import Path
from typing import Any

import pytest

from pokersvc.evidence.verified import verify_export
from tests.ports import free_port

from .guests import Guest, Held, Made
from .processes import process
from .sharers import Sharer, awaited, post

pytestmark = pytest.mark.slow


def test_another_server_takes_over_the_bots_of_one_that_is_killed(tmp_path: Path) -> None:
    path, ports = tmp_path / "games.sqlite", (free_port(), free_port())
    with (
        process(path, ports[0], "--pace", "0.5") as first,
        process(path, ports[1], "--pace", "0.5"),
        Guest(f"http://127.0.0.1:{ports[0]}") as guest,
        Guest(f"http://127.0.0.1:{ports[1]}") as others,
    ):
        made = guest.made({"program": "random"}, {"program": "random"}, kind="kalah").started()
        other = Made(others, made.table, made.host, made.tokens)
        with other.watch.stream() as told:
            for seen, one in enumerate(told):
                if seen == 6:
                    first.kill()
                if one.data.get("type") == "GameEnded":
                    break
        assert other.guest.get(f"{other.path}/audit").json()["findings"] == []


def test_a_server_is_killed_between_two_bindings_and_between_two_shares(tmp_path: Path) -> None:
    path, port = tmp_path / "games.sqlite", free_port()
    settings = {"dealing": "together", "opens_seeds": True, "share_seconds": 60}

    def sent(held: Held, what: str, body: dict[str, Any]) -> Any:
        answer = post(held, what, body)
        assert answer.status_code == 200, answer.text
        return answer.json()

    with Guest(f"http://127.0.0.1:{port}") as guest:
        with process(path, port):  # it is killed at the end
            made = guest.made({"name": "Ann"}, {"name": "Bob"}, rounds=1, settings=settings).started()
            ann, bob = Sharer(made, 1), Sharer(made, 2)
            binding = ann.binding()
            said = sent(ann.held, "binding", binding)
        with process(path, port):
            assert sent(ann.held, "binding", binding) == said, "what is sent again is answered as it was"
            sent(bob.held, "binding", bob.binding())
            awaited(made, 1)
            share = bob.share()
            said = sent(bob.held, "share", share)
        with process(path, port):
            assert sent(bob.held, "share", share) == said
            sent(ann.held, "share", ann.share())
            now = made.watch.snapshot()
            assert (now["shares"]["due"], now["shares"]["waiting"]) == (False, [])
            assert now["awaited"]
            types = [one["type"] for one in made.watch.events(now["count"])]
            assert types[:9] == [
                "GameStarted", "TableSet", "DealingSet", "SeatBound", "SeatBound", "SharesAwaited", "ShareOpened",
                "ShareOpened", "RoundStarted",
            ]  # fmt: skip
            file = tmp_path / "game.jsonl"
            file.write_bytes(made.watch.get("export").content)
            assert verify_export(file).findings == ()


@pytest.mark.filterwarnings("ignore")
def test_the_openapi_document_is_true(server: Guest) -> None:
    import schemathesis
    from hypothesis import HealthCheck, given, settings

    made = server.made({"name": "Ann"}, {"name": "Bob"}).started()
    schema = schemathesis.openapi.from_url(f"{server.base_url}/openapi.json".replace("//openapi", "/openapi"))
    checks: list[Any] = [
        schemathesis.checks.CHECKS.get_one(name)
        for name in ("not_a_server_error", "status_code_conformance", "content_type_conformance",
                     "response_schema_conformance")
    ]  # fmt: skip
    tried = 0
    for result in schema.get_all_operations():
        operation: Any = result.ok()  # type: ignore[union-attr]  # the schema is valid
        if operation.path.endswith("/stream"):
            continue

        @settings(max_examples=15, deadline=None, suppress_health_check=list(HealthCheck), derandomize=True)
        @given(case=operation.as_strategy())
        def check(case: Any) -> None:
            if "table" in case.path_parameters:
                case.path_parameters["table"] = made.table
            token = made.host if "/host/" in case.path else made.tokens[1]
            case.call_and_validate(headers={"Authorization": f"Bearer {token}"}, checks=checks)

        check()
        tried += 1
    assert tried > 20
