"""Playing: games at this terminal, and what people are shown, asked and may type."""
