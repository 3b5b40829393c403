"""A person's settings, and what their shell completes."""
