"""The rules of draw poker: what a house may set, the houses that come along, and money at a table."""
