"""Nim, a small game of another kind than poker, to show that the service knows games by their contract alone.

Two or three players take stones from piles. Who takes the last stone of a round scores two points; who takes the
last stone of the pile that the dealer named to them in secret scores one. Most points win.
"""
