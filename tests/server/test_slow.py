"""What takes longer: servers that are killed, and the OpenAPI document compared with the server."""

from pathlib import Path
from typing import Any

import pytest

from .guests import Guest, Made
from .processes import free_port, process

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
