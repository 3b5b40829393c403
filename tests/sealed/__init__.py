"""Sealed numbers, a small game in which several seats are awaited at once.

Each round every seat picks a number from 1 to 5 in secret. Once all have, the numbers are revealed, and who picked the
highest that nobody else picked scores it. A program that forfeits picks nothing; people may leave between rounds.
"""
