"""Playing at this terminal: what people are shown and asked, and what they may type."""
