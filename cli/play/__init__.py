"""Playing at this terminal: what people see, what they are asked, and what they may type."""
