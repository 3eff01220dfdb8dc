"""Positions, moves and games explained in sentences, each with the moves that prove it."""
