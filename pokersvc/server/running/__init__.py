"""Runs a server's tables: bots choose, rounds begin, time runs out; a table of bots rests if nobody is there."""
