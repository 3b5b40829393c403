"""How a server runs its tables: what comes next at each, and when a table rests."""
