"""The routes of the API, one module for each kind of client: guests, hosts, seats, watchers and operators."""
