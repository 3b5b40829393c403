"""Importing this closes the memory of the process: for one that runs no function of ours, such as a forkserver."""

from pokersvc.players.worker import close_memory

close_memory()
