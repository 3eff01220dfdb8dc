// The service worker: the page's files from the browser's cache, so that it works without network.
//
//   install ──► files of the page ──┐                       (also the large ones, if an earlier
//   "load"  ──► large files ────────┴──► cache, by hash      version of them was there)
//   fetch   ──► cache; else the network, and kept
//   "use"   ──► this version takes the place of the earlier one
//   "leave" ──► waits for a moment without requests, and ends those in progress, for which the next
//               version would wait
//
// `FILES`, {page: {name: hash}, large: …, used: …}, stands before this script, so that a changed
// file is a new version of it. A file is kept under its hash and only if its bytes have it: versions
// share equal files and never mix.

const KEPT = `noughts ${self.registration.scope}`; // Another folder of the host may have a site, too.
const HASHES = { ...FILES.page, ...FILES.large, ...FILES.used };
const QUIET = 500; // Milliseconds without a request, before the next version takes over,
const LATEST = 10_000; // and the longest wait for them.
/** The headers of the host by which pages and workers may share memory. */
const ISOLATION = ["cross-origin-opener-policy", "cross-origin-embedder-policy"];
const TYPES = {
  css: "text/css",
  html: "text/html",
  js: "text/javascript",
  json: "application/json",
  mjs: "text/javascript",
  png: "image/png",
  svg: "image/svg+xml",
  wasm: "application/wasm",
  webmanifest: "application/manifest+json",
};

/** Aborted, and replaced, when the next version takes over: requests after that are answered as before. */
let leaving = new AbortController();

/** Return a promise that also ends, with a value, when the next version takes over. */
function untilLeave(promise, value) {
  const { signal } = leaving;
  return Promise.race([promise, new Promise((resolve) => signal.addEventListener("abort", () => resolve(value)))]);
}

/** When the last request came, in milliseconds. */
let requested = 0;

/**
 * Wait until no request has come for QUIET. Chromium forgets that the next version may take over if a
 * request comes while it stops this one.
 */
async function quiet() {
  const latest = performance.now() + LATEST;
  do await new Promise((resolve) => setTimeout(resolve, QUIET));
  while (performance.now() < Math.min(requested + QUIET, latest));
}

/** Let the next version take over. */
async function leave() {
  await quiet();
  leaving.abort();
  leaving = new AbortController();
}

/** Files on their way, by name: promises that are kept when the file is. */
const coming = new Map();

const urlOf = (name) => new URL(name, self.registration.scope).href;
const keyOf = (name) => `${urlOf(name)}?${new URLSearchParams({ hash: HASHES[name] })}`;
const cache = () => caches.open(KEPT);
const cached = async (name) => (await cache()).match(keyOf(name));

async function hashOf(bytes) {
  const digest = new Uint8Array(await crypto.subtle.digest("SHA-256", bytes));
  return [...digest].map((each) => each.toString(16).padStart(2, "0")).join("");
}

/** Keep the bytes of a response, if they are those of this version. */
async function keep(name, response) {
  const bytes = await response.arrayBuffer();
  if ((await hashOf(bytes)) !== HASHES[name]) throw new Error(`${name} is of another version`);
  // A new response: browsers refuse a redirected one as a page, and some hosts redirect index.html.
  const headers = { "content-type": TYPES[name.split(".").at(-1)] ?? "application/octet-stream" };
  for (const each of ISOLATION) if (response.headers.has(each)) headers[each] = response.headers.get(each);
  await (await cache()).put(keyOf(name), new Response(bytes, { headers }));
}

/** Ask the network for a file. Return its response, and the promise that it is kept. */
async function loaded(name, priority) {
  const response = await fetch(urlOf(name), { cache: "no-cache", priority });
  if (!response.ok) return { response, kept: Promise.reject(new Error(`${name}: ${response.status}`)) };
  return { response, kept: keep(name, response.clone()) };
}

/** Keep files, one after the other. */
async function fill(names) {
  for (const name of names) {
    if (await cached(name)) continue;
    if (!coming.has(name)) begin(name, loaded(name, "low"));
    await coming.get(name);
  }
}

/** Note a file that is on its way. */
function begin(name, loading) {
  const kept = loading.then((found) => found.kept).finally(() => coming.delete(name));
  kept.catch(() => {});
  coming.set(name, kept);
}

/** Answer with a file of this version. The response has its bytes as they come, for progress. */
async function answer(name, event) {
  await coming.get(name)?.catch(() => {});
  const found = await cached(name);
  if (found) return found;
  const loading = loaded(name, "auto");
  begin(name, loading);
  event.waitUntil(untilLeave(coming.get(name).catch(() => {})));
  const { response, kept } = await loading;
  kept.catch(() => {});
  if (!response.ok) return response;
  // A file of another version ends with an error.
  const checked = response.body.pipeThrough(new TransformStream({ flush: () => kept }), { signal: leaving.signal });
  return new Response(checked, { headers: response.headers });
}

/** Delete the files of earlier versions. */
async function clean() {
  const { installing, waiting } = self.registration;
  if (installing || waiting) return; // A later version has files here.
  const wanted = new Set(Object.keys(HASHES).map(keyOf));
  const opened = await cache();
  for (const { url } of await opened.keys()) if (!wanted.has(url)) await opened.delete(url);
}

/** Return whether the cache has large files, of any version. */
async function hasLarge() {
  const large = new Set(Object.keys(FILES.large).map(urlOf));
  return (await (await cache()).keys()).some(({ url }) => large.has(url.split("?")[0]));
}

self.addEventListener("install", (event) => {
  const install = async () => {
    await fill(Object.keys(FILES.page));
    if (await hasLarge()) await fill(Object.keys(FILES.large));
  };
  event.waitUntil(install());
});

self.addEventListener("activate", (event) => {
  event.waitUntil(clean().then(() => self.clients.claim()));
});

self.addEventListener("message", (event) => {
  if (event.data === "use") event.waitUntil(self.skipWaiting());
  if (event.data === "leave") event.waitUntil(leave());
  if (event.data === "load") event.waitUntil(untilLeave(fill(Object.keys(FILES.large)).catch(() => {})));
});

self.addEventListener("fetch", (event) => {
  requested = performance.now();
  const { url, method } = event.request;
  const { origin, pathname } = new URL(url);
  const folder = new URL(self.registration.scope);
  if (method !== "GET" || origin !== folder.origin || !pathname.startsWith(folder.pathname)) return;
  const name = decodeURIComponent(pathname.slice(folder.pathname.length)) || "index.html";
  if (name in HASHES) event.respondWith(untilLeave(answer(name, event), Response.error()));
});
