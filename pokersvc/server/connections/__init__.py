"""Connections of strangers: who has a place, and who is disconnected for sending or reading nothing."""
