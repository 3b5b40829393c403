"""Connections that bring or take little, and those of one address beside others."""
