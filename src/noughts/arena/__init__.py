"""The arena: matches between bots of every kind, their tables and ratings."""
