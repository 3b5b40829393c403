"""A server for the benchmark, in a process of its own: ``python -m benchmarks.server.serve DATABASE PORT [MOST]``.

MOST limits the connections and the streams of one address; all other limits are then a server's defaults.
"""

import sys
from pathlib import Path

from pokersvc.eventlog.database import Database
from pokersvc.server.connections.rate_limits import Rate
from pokersvc.server.run import serve
from pokersvc.server.settings import Limits, Settings
from pokersvc.service.opening import open_database

ANY = Rate(1e9, 10**9)


def main() -> None:
    """Serve until killed; print the address once the server listens."""
    where, port, *most = sys.argv[1], int(sys.argv[2]), *map(int, sys.argv[3:])
    if most:
        limits = Limits(connections_of_address=most[0], streams_of_address=most[0])
    else:
        limits = Limits(
            requests=ANY,
            entries=ANY,
            commands=ANY,
            advice=ANY,
            refused=ANY,
            streams_of_address=100_000,
            streams=100_000,
            making=1.0,
            rest=3600.0,
        )
    settings = Settings(port=port, limits=limits, pause=3600.0)
    database = Database.for_upgrading(where) if "://" in where else open_database(Path(where))
    with database:
        serve(database, settings, lambda urls: print(*urls, flush=True))


if __name__ == "__main__":
    main()
