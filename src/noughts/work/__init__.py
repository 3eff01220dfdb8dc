"""Long work: pieces at once, and commands that continue after an interruption."""
