"""A server with the chat interface whose model plays at random: to try a league without a model.

    python examples/stand_in.py [PORT]
    noughts match one=chat:any@http://127.0.0.1:8400/v1 random --game basic --seconds 30

Every tenth answer has no move, so that the tables have something to show.
"""

from __future__ import annotations

import json
import random
import re
import sys
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer


def answer(prompt: str) -> str:
    """Return the answer to a prompt that lists the legal moves."""
    legal = re.findall(r"Legal moves: ([^\n]*)", prompt)
    if not legal or random.random() < 0.1:
        return "I am not sure."
    return f"Why not?\nMOVE: {random.choice(legal[-1].split())}"


class Handler(BaseHTTPRequestHandler):
    def do_POST(self) -> None:
        question = json.loads(self.rfile.read(int(self.headers["content-length"])))
        prompt = "\n".join(message["content"] for message in question["messages"])
        text = answer(prompt)
        usage = {
            "prompt_tokens": len(prompt.split()),
            "completion_tokens": len(text.split()),
        }
        message = {"role": "assistant", "content": text}
        choice = {"index": 0, "message": message, "finish_reason": "stop"}
        reply = json.dumps({"choices": [choice], "usage": usage}).encode()
        self.send_response(200)
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(reply)))
        self.end_headers()
        self.wfile.write(reply)

    def log_message(self, *_: object) -> None:
        """Stay silent."""


if __name__ == "__main__":
    port = int(sys.argv[1]) if len(sys.argv) > 1 else 8400
    server = ThreadingHTTPServer(("127.0.0.1", port), Handler)
    print(f"http://127.0.0.1:{server.server_address[1]}/v1", flush=True)
    server.serve_forever()
