"""Draw poker in words and pictures: its output for people, and the parsing of what they type."""
