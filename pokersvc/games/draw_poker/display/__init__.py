"""Draw poker in words and pictures: what people are shown, and how what they type is read."""
