"""What 500 stored games say, written down so that a change of the code can be shown to change nothing in them."""
