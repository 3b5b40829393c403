"""`python -m pokersvc` is the program `pokersvc`."""

from pokersvc.cli.main import run

run()
