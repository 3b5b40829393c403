"""What a hand, an event that is read, one that is audited and a command take, in counts that no machine changes."""
