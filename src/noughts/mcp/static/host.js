// The connection to the host, the program around this page: JSON-RPC in messages between frames.
//
//   connect() ──ui/initialize──► host ──► {context, may}      host ──tool result, theme──► heard
//
// The messages are those of the MCP Apps extension, 2026-01-26.

const VERSION = "2026-01-26";

/** Connect to the host. `heard` has a function for each notification, by its name. */
export function createHost(heard) {
  const waiting = new Map();
  let last = 0;
  let capabilities = {};
  const send = (message) => window.parent.postMessage({ jsonrpc: "2.0", ...message }, "*");

  function request(method, params) {
    last += 1;
    const id = last;
    const answer = new Promise((done, fail) => waiting.set(id, { done, fail }));
    send({ id, method, params });
    return answer;
  }

  function receive({ source, data }) {
    if (source !== window.parent || data?.jsonrpc !== "2.0") return;
    if (data.method === undefined) {
      const asked = waiting.get(data.id);
      waiting.delete(data.id);
      if (data.error) asked?.fail(new Error(data.error.message ?? "The host refused this."));
      else asked?.done(data.result ?? {});
      return;
    }
    if (data.id !== undefined) {
      const isKnown = data.method === "ping" || data.method === "ui/resource-teardown";
      if (isKnown) send({ id: data.id, result: {} });
      else send({ id: data.id, error: { code: -32601, message: "Method not found" } });
      return;
    }
    heard[data.method]?.(data.params ?? {});
  }

  return {
    /** Say hello; return the context of the host. */
    async connect(name, version) {
      window.addEventListener("message", receive);
      const found = await request("ui/initialize", {
        protocolVersion: VERSION,
        appInfo: { name, version },
        appCapabilities: { availableDisplayModes: ["inline", "fullscreen"] },
      });
      capabilities = found.hostCapabilities ?? {};
      send({ method: "ui/notifications/initialized", params: {} });
      return found.hostContext ?? {};
    },
    /** Whether the host calls tools of the server for this page. */
    get callsTools() {
      return Boolean(capabilities.serverTools);
    },
    /** Call a tool of the server; return its result. */
    call: (name, given) => request("tools/call", { name, arguments: given }),
    /** Tell the model what it should know in its next answer. A host may not take it. */
    inform: (text) =>
      request("ui/update-model-context", { content: [{ type: "text", text }] }).catch(() => {}),
    /** Send a message to the chat, as the person. */
    say: (text) => request("ui/message", { role: "user", content: [{ type: "text", text }] }),
    /** Tell the host the size of this page. */
    resize: (width, height) =>
      send({ method: "ui/notifications/size-changed", params: { width, height } }),
  };
}
