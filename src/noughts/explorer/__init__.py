"""The explorer: the moves of a position, how often they were played, and how those games ended."""
