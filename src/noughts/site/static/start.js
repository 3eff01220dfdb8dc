// The first script of the page: asks for the files of the address, which the HTML cannot know.
//
//   #/                ──► home.js, home.css
//   #/game/…, #/?game=…, #/position/… ──► game.js, rules.wasm if the position is not in the HTML

const address = window.location.hash.slice(1) || "/";
const isGame = /^\/(game|position)\/|[?&]game=/.test(address);
const preload = (href, rest) => document.head.append(Object.assign(document.createElement("link"), { href, ...rest }));

if (isGame) preload("app/game.js", { rel: "modulepreload" });
else if (address === "/") {
  preload("app/home.js", { rel: "modulepreload" });
  preload("app/home.css", { rel: "preload", as: "style" });
}
if (isGame && !address.startsWith("/?")) preload("core/rules.wasm", { rel: "preload", as: "fetch", crossOrigin: "" });
