"""Files made by a grammar, thousands of them, for every reader of a file: only errors with a type may come out."""
