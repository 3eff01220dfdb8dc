// The script in the HTML: while the modules load, it reads the replies that came with the page and
// asks for the game of a link, whose key the server does not see.
//
//   <script id="given"> ──┐
//   /game/ID#join=KEY ────┴──► client.give(request, reply) ──► the first requests of the page

import { here } from "./address.js";
import { give, request } from "./client.js";
import { ownName } from "./own_name.js";

const replies = JSON.parse(document.getElementById("given").textContent);
for (const [asked, reply] of Object.entries(replies)) give(asked, reply);

/** Send a request now; its sender of later gets the reply, or the error. */
function ask(method, path, options) {
  const reply = request(method, path, options);
  reply.catch(() => {});
  give(`${method} ${path}`, reply);
}

const [, id] = /^\/game\/([\w-]+)$/.exec(here().pathname) || [];
const fragment = new URLSearchParams(here().hash.slice(1));
const game = `/games/${id}`;
if (id && fragment.has("join")) {
  ask("POST", `${game}/join`, { body: { key: fragment.get("join"), name: ownName() } });
} else if (id && fragment.has("watch") && !(`GET ${game}` in replies)) {
  ask("GET", game, { key: fragment.get("watch") });
}
