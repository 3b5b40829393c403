"""Reviews of a seat's choices in draw poker: what a program would have done, and what the difference costs."""
