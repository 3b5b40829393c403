"""How events reach those who follow a table: channels, streams and snapshots."""
