"""Tests of Kalah."""
