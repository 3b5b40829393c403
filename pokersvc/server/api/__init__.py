"""The routes of the API, by whom they are for."""
