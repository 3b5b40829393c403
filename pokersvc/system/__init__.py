"""Files, worker processes, memory, TOML, and imports on first use."""
