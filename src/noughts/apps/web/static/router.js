// Which address shows which page.
//
// a link, back, forward, go() ──► the address ──► a route ──► its module's show(main, place)
//
// show() returns, now or later, the function that clears the page away again.

import { element } from "./dom.js";

const pages = [
  [/^\/$/, () => import("./game.js")],
  [/^\/game\/(?<id>[\w-]+)$/, () => import("./game.js")],
  [/^\/position\/(?<start>.+)$/, () => import("./game.js")],
  [/^\/games$/, () => import("./games.js")],
  [/^\/lab$/, () => import("./lab.js")],
  [/^\/replay$/, () => import("./viewer.js")],
];

let main = null;
let clear = () => {};
let visit = 0;

/** Show a sentence in place of a page. */
export function sentence(text, ...more) {
  main.replaceChildren(element("div", { class: "sentence" }, element("h1", {}, text), ...more));
}

const home = () =>
  element("p", {}, element("a", { class: "button", href: "/" }, "To a board that is ready"));

async function render() {
  visit += 1;
  const mine = visit;
  clear();
  clear = () => {};
  const { pathname, search, hash } = window.location;
  document.title = "noughts";
  setTab(null);
  const [pattern, load] = pages.find(([each]) => each.test(pathname)) || [];
  if (!pattern) {
    main.replaceChildren();
    sentence("There is nothing at this address.", home());
    return;
  }
  const parameters = Object.fromEntries(
    Object.entries(pattern.exec(pathname).groups || {}).map(([key, value]) => [
      key,
      decodeURIComponent(value),
    ]),
  );
  const place = {
    ...parameters,
    query: new URLSearchParams(search),
    fragment: new URLSearchParams(hash.slice(1)),
  };
  try {
    const page = await load();
    if (mine !== visit) return;
    main.replaceChildren();
    const end = await page.show(main, place);
    if (mine === visit) clear = end || (() => {});
    else if (end) end();
  } catch (error) {
    if (mine !== visit) return;
    const known = error.status !== undefined;
    sentence(known ? error.message : "This page could not be shown.", home());
    if (!known) throw error;
  }
}

/** Mark the tab of the header that the page belongs to. */
export function setTab(name) {
  for (const link of document.querySelectorAll("[data-tab]")) {
    if (link.dataset.tab === name) link.setAttribute("aria-current", "page");
    else link.removeAttribute("aria-current");
  }
}

/** Go to an address of the page. */
export function go(address) {
  window.history.pushState(null, "", address);
  window.scrollTo(0, 0);
  main.focus({ preventScroll: true });
  return render();
}

/** Name the page that is shown by another address, and leave it as it is. */
export function rename(address) {
  window.history.pushState(null, "", address);
}

export function startRouter(element_) {
  main = element_;
  window.addEventListener("popstate", render);
  document.addEventListener("click", (event) => {
    const link = event.target.closest("a[href]");
    const plain = event.button === 0 && !event.metaKey && !event.ctrlKey && !event.shiftKey;
    if (!link || !plain || event.defaultPrevented || link.target || link.hasAttribute("download")) {
      return;
    }
    const url = new URL(link.href);
    const ours =
      url.origin === window.location.origin && pages.some(([each]) => each.test(url.pathname));
    if (!ours || link.getAttribute("href").startsWith("#")) return;
    event.preventDefault();
    go(url.pathname + url.search + url.hash);
  });
  return render();
}
