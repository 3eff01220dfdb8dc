"""Puzzles: positions with a proven, unique best move."""
