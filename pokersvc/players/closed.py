"""Importing this closes the process's memory: for processes that run none of our functions, such as a forkserver."""

from pokersvc.players.worker import close_memory

close_memory()
