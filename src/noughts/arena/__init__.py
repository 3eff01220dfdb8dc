"""The arena: opponents, and what lets them meet."""
