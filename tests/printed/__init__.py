"""What the pages have ever told people to import, and the programs that they have printed, which still work."""
