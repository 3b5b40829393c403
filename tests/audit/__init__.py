"""Tests of the audit: its findings and its messages."""
