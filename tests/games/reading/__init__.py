"""Tests of the bots that read how their opponents play."""
