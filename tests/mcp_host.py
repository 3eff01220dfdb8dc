"""A host of MCP applications: a page with a frame under the policy of the specification.

hosted(page, answer) ──► the frame initializes ──► results in, moves and messages out
"""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any

from noughts.mcp.board import board_page

ADDRESS = "http://host.test/"
STRICTEST = (
    "default-src 'none'; script-src 'self' 'unsafe-inline'; style-src 'self' 'unsafe-inline'; "
    "img-src 'self' data:; media-src 'self' data:; connect-src 'none'"
)
"""The policy of a resource that declares no domains (MCP Apps, 2026-01-26, "Host Behavior")."""
WITH_WASM = STRICTEST.replace("script-src", "script-src 'wasm-unsafe-eval'")
"""The policy of a host that allows WebAssembly, too."""
HOST = """<!doctype html><html lang="en"><meta charset="utf-8"><title>A chat</title>
<link rel="icon" href="data:,">
<style>body { font: 15px sans-serif; } iframe { width: 440px; height: 100px; border: 0; }</style>
<iframe sandbox="allow-scripts" src="board.html"></iframe><script>
const frame = document.querySelector("iframe");
window.heard = [];
window.tell = (method, params) =>
  frame.contentWindow.postMessage({ jsonrpc: "2.0", method, params }, "*");
addEventListener("message", async ({ source, data }) => {
  if (source !== frame.contentWindow) return;
  heard.push(data);
  const reply = (result) => source.postMessage({ jsonrpc: "2.0", id: data.id, result }, "*");
  if (data.method === "ui/initialize") {
    reply({ protocolVersion: "2026-01-26", hostInfo: { name: "test", version: "1" },
            hostCapabilities: CAPABILITIES, hostContext: { theme: THEME } });
  } else if (data.method === "ui/notifications/size-changed") {
    frame.style.height = `${data.params.height}px`;
  } else if (data.method === "tools/call") reply(await callTool(data.params));
  else if (data.id !== undefined) reply({});
});
</script></html>"""


class Hosted:
    """The application in its host. `wrong` collects errors and foreign requests."""

    def __init__(
        self,
        page: Any,
        policy: str,
        call: Callable[[Any], Any],
        theme: str = "light",
        *,
        calls_tools: bool = True,
    ) -> None:
        self.page, self.wrong = page, list[str]()
        capabilities: dict[str, Any] = {"serverTools": {}} if calls_tools else {}
        host = HOST.replace("THEME", json.dumps(theme))
        host = host.replace("CAPABILITIES", json.dumps(capabilities))
        files = {"": (host, ""), "board.html": (board_page(), policy)}

        def answer(route: Any) -> None:
            name = route.request.url.removeprefix(ADDRESS)
            if name not in files:
                self.wrong.append(route.request.url)
                route.abort()
                return
            body, of_file = files[name]
            headers = {"content-security-policy": of_file} if of_file else {}
            route.fulfill(body=body, content_type="text/html", headers=headers)

        page.on("pageerror", lambda error: self.wrong.append(str(error)))
        page.route("**/*", answer)
        page.expose_function("callTool", call)
        page.goto(ADDRESS)
        done = "ui/notifications/initialized"
        page.wait_for_function(f"heard.some((each) => each.method === '{done}')")
        self.frame = page.frames[1]

    def show(self, result: Any) -> None:
        """Tell the application the result of its tool."""
        self.page.evaluate("(result) => tell('ui/notifications/tool-result', result)", result)

    def heard(self, method: str) -> list[Any]:
        """Return the parameters of the messages with a method."""
        found: list[Any] = self.page.evaluate(
            "(method) => heard.filter((each) => each.method === method).map((each) => each.params)",
            method,
        )
        return found
