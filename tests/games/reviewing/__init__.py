"""Reviews of a seat's choices in draw poker."""
