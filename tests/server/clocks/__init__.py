"""Clocks and time-outs of tables, where a server is started again or another takes over."""
