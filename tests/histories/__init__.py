"""Hand histories of other sites: what is read, word for word."""
