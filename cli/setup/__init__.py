"""A person's settings, and completions for their shell."""
