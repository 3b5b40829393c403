"""The records, refusals and answers of services in random games, stored as digests: see `walked`."""
