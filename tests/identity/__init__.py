"""The behaviour of 500 stored games, recorded as digests, to show that a change of the code changes nothing in them."""
