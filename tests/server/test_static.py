"""The page's files: right types, kept by browsers until they change, packed, and nothing else."""

import asyncio
from pathlib import Path

import httpx
from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from pokersvc.server.static import Page

from .guests import Guest


class Browser:
    """Asks for the files of a folder."""

    def __init__(self, folder: Path) -> None:
        page = Page(folder)

        def asset(request: Request) -> Response:
            return page.answer(request, request.path_params["name"]) or Response(status_code=404)

        self._app = Starlette(routes=[Route("/{name:path}", asset)])

    def get(self, path: str, **headers: str) -> httpx.Response:
        async def asked() -> httpx.Response:
            async with httpx.AsyncClient(transport=httpx.ASGITransport(self._app), base_url="http://page") as client:
                return await client.get(path, headers={name.replace("_", "-"): said for name, said in headers.items()})

        return asyncio.run(asked())


def test_a_file_is_sent_once_until_it_changes(tmp_path: Path) -> None:
    (tmp_path / "app").mkdir()
    file = tmp_path / "app" / "main.js"
    file.write_text("one();\n" * 100)
    (tmp_path / "secret.pem").write_text("key")
    client = Browser(tmp_path)
    first = client.get("/app/main.js")
    assert first.text == file.read_text()
    assert first.headers["content-type"] == "text/javascript; charset=utf-8"
    assert first.headers["content-encoding"] == "gzip"
    assert int(first.headers["content-length"]) < 100
    plain = client.get("/app/main.js", Accept_Encoding="identity")
    assert (plain.text, "content-encoding" in plain.headers) == (first.text, False)
    known = first.headers["etag"]
    assert client.get("/app/main.js", If_None_Match=known).status_code == 304
    file.write_text("two();\n")
    assert client.get("/app/main.js", If_None_Match=known).text == "two();\n"
    (tmp_path / "new.css").write_text("p {}")
    assert client.get("/new.css").headers["content-type"] == "text/css; charset=utf-8"
    assert client.get("/secret.pem").status_code == 404


def test_the_worker_is_for_all_pages_and_asked_for_again_each_time(server: Guest) -> None:
    found = server.get("/worker.js")
    assert found.text == server.get("/web/worker.js").text
    assert found.headers["content-type"] == "text/javascript; charset=utf-8"
    assert found.headers["cache-control"] == "no-cache"
    assert "script-src 'self'" in found.headers["content-security-policy"]


def test_the_manifest_names_files_that_are_there(server: Guest) -> None:
    found = server.get("/web/app.webmanifest")
    assert found.headers["content-type"] == "application/manifest+json"
    assert "manifest-src 'self'" in found.headers["content-security-policy"]
    for icon in found.json()["icons"]:
        assert server.get(icon["src"]).headers["content-type"] == icon["type"]
