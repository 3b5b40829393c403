"""Tests of the games and of the contract they share."""
