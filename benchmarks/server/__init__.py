"""The server under load; see README.md."""
