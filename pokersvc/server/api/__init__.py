"""The requests of the API, by whom they are for."""
