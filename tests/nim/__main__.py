"""The program `pokersvc` with Nim among its games: ``python -m tests.nim play --game nim``."""

import sys

from pokersvc.cli.main import main
from pokersvc.core.registry import register

from .game import NIM

register(NIM)
sys.exit(main(sys.argv[1:]))
