"""Reviews of a seat's choices in draw poker: what a good program would have done, and the cost of the difference."""
