"""The audit: what it finds, and what it says."""
