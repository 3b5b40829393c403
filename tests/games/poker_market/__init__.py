"""Tests of the Poker Market."""
