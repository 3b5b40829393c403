"""The kit for authors, tried on games that are right and on games broken on purpose."""
