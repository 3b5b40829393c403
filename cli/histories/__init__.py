"""Hand histories of other sites, and the sessions that hands belong to."""
