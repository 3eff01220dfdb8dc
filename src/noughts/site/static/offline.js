// The page without network: starts the service worker, and offers a new version.
//
//   after the page: register sw.js ──► it keeps the page's files
//   after the first move, or later at idle time: "load" ──► it keeps the nets and Python, too
//   a new version waits ──► notice ──"Update"──► "leave", "use" ──► every tab is loaded again

import { listen } from "/static/site/saved.js";

const IDLE = 30_000; // Milliseconds from the page to the large files, without a move.
const CHECK = 3_600_000; // Milliseconds between two looks for a new version.

const workers = navigator.serviceWorker;
let offered = null;

/** Return a button that acts at a click. */
function button(text, act) {
  const made = document.createElement("button");
  made.type = "button";
  made.className = "small";
  made.textContent = text;
  made.addEventListener("click", act);
  return made;
}

/** Offer a version that waits. */
function offer(worker) {
  if (!worker || worker === offered) return;
  offered = worker;
  document.getElementById("update")?.remove();
  const notice = document.createElement("div");
  notice.id = "update";
  notice.setAttribute("role", "status");
  document.body.append(notice);
  const update = button("Update", () => {
    notice.replaceChildren("Updating…");
    workers.controller?.postMessage("leave");
    worker.postMessage("use");
  });
  update.classList.add("primary");
  notice.append("A new version is ready.", update, button("Later", () => notice.remove()));
}

/** Watch the versions that come. */
function watch(registration) {
  // The first version has nothing to replace.
  const look = () => workers.controller && offer(registration.waiting);
  look();
  registration.addEventListener("updatefound", () => {
    registration.installing?.addEventListener("statechange", look);
  });
  registration.installing?.addEventListener("statechange", look);
  let last = Date.now();
  document.addEventListener("visibilitychange", () => {
    if (document.hidden || Date.now() < last + CHECK) return;
    last = Date.now();
    registration.update().catch(() => {}); // Without network there is none.
  });
}

/** Let the worker load the large files once: after a move, or when the visitor only reads. */
function loadLater() {
  let isAsked = false;
  const ask = async () => {
    if (isAsked) return;
    isAsked = true;
    (await workers.ready).active.postMessage("load");
  };
  listen(ask);
  if (!navigator.connection?.saveData) setTimeout(ask, IDLE);
}

async function start() {
  if (workers.controller) {
    workers.addEventListener("controllerchange", () => window.location.reload(), { once: true });
  }
  const registration = await workers.register(new URL("./sw.js", document.baseURI));
  watch(registration);
  loadLater();
}

// Browsers have service workers only on secure hosts.
if (workers) {
  const begin = () => start().catch((error) => console.info(`Not kept for offline use: ${error.message}`));
  if (document.readyState === "complete") begin();
  else window.addEventListener("load", begin, { once: true });
}
