"""Exercises on the searches: sheets with answer keys, marked entry by entry."""
