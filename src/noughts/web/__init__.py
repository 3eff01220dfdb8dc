"""The page and its server."""
