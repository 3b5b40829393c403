"""Delivery of events to those who follow a table: channels, streams and snapshots."""
