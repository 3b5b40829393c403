"""When imported, keeps other processes out of this one's memory; for a forkserver, which can only import modules."""

from pokersvc.players.worker import close_memory

close_memory()
