"""Charts: what is plotted, as plain text for a terminal and as a picture."""
