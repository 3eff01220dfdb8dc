"""The package for language models: an MCP server, over stdio or HTTP (extra `mcp`)."""
