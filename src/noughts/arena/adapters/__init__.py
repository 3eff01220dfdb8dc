"""Bots made for elsewhere, as bots of the arena."""
