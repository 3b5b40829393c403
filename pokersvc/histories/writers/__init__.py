"""Writers of hands in formats that other programs read: PHH, OHH, and PokerStars' text."""
