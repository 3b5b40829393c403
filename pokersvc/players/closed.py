"""Calls `close_memory` when imported, for processes that run no function of pokersvc, such as a forkserver."""

from pokersvc.players.worker import close_memory

close_memory()
