"""The rules of draw poker: the settings of a house, the built-in houses, and money at a table."""
