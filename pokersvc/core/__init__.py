"""What a game is, to everything that plays, stores and reads games: events, chance, records, the contract."""
