"""The database of the page and of matches: its games, and the servers that share it."""
