"""Answers to the page's questions, as JSON data: by the server, and by Python in the browser."""
