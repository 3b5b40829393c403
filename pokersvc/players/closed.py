"""Importing this closes the memory of the process: for one that does not run our functions, such as a forkserver."""

from pokersvc.players.worker import close_memory

close_memory()
