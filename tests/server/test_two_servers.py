"""Two servers of one PostgreSQL database: each tells the other what is new, after the commit."""

from collections.abc import Iterator
from contextlib import contextmanager
from threading import Thread

from pokersvc.eventlog.database import Database
from pokersvc.server.run import Server, listen
from pokersvc.server.settings import Settings
from tests import postgres

from .conftest import FAST
from .guests import Guest, Made

NEVER = 3600.0


@contextmanager
def serving(url: str) -> Iterator[Guest]:
    """Serve the tables of a database; nothing is ever polled for once the server hears of news."""
    listening = listen("127.0.0.1", 0)
    port = listening.getsockname()[1]
    settings = Settings(port=port, limits=FAST, poll=NEVER, pace=0.0, pause=0.0)
    with Database.for_writing(url) as database:
        server = Server(database, settings, listening)
        thread = Thread(target=server.serve_here)
        thread.start()
        try:
            with Guest(f"http://127.0.0.1:{port}") as guest:
                yield guest
        finally:
            server.should_exit = True
            thread.join()


def test_a_stream_of_one_server_has_what_the_other_records_also_after_a_lost_connection(
    server_of_postgres: postgres.Server,
) -> None:
    with server_of_postgres.empty() as url:
        where = postgres.text(url)
        Database.for_upgrading(where).close()
        with serving(where) as here, serving(where) as there:
            made = here.made({"name": "Ann"}, {"name": "Bob"}).started()
            elsewhere = Made(there, made.table, made.host, made.tokens)
            with elsewhere.seat(2).stream() as told:
                count = made.watch.snapshot()["count"]
                for typed, seat in (("bet 50", 1), ("call", 2)):
                    recorded = made.seat(seat).send(typed=typed).json()["events"][-1]["seq"]
                    assert next(one for one in told if one.id == recorded).event == "record"
                    assert recorded > count
                    lost = "SELECT pg_terminate_backend(pid, 5000) FROM pg_stat_activity WHERE query LIKE 'LISTEN%'"
                    assert postgres.run(url, f"{lost} AND datname = current_database()")
