// Shows the page of an address.
//
// a link, back, forward, go() ──► address ──► route ──► show(main, place) of its module
//
// Routes come from main.js: pages import this module, so it imports none of them.
// show() appends the page to `main`, {append(…)}; it returns a function that removes the page, or a
// promise of one.

import { addressed, here, link } from "./address.js";
import { whenAnswered } from "./client.js";
import { element } from "./dom.js";

let routes = [];
let main = null;
let clear = () => {};
let visit = 0;

/** Show a heading, and elements below it, in place of a page. */
export function showMessage(text, ...below) {
  document.title = `${text} · noughts`;
  main.replaceChildren(element("div", { class: "sentence" }, element("h1", {}, text), ...below));
}

const home = () =>
  element("p", {}, element("a", { class: "button", href: "/" }, "Start a game"));

async function render() {
  visit += 1;
  const mine = visit;
  clear();
  clear = () => {};
  const { pathname, search, hash } = here();
  document.title = "noughts";
  setTab(null);
  const [pattern, load] = routes.find(([each]) => each.test(pathname)) || [];
  if (!pattern) {
    main.replaceChildren();
    showMessage("Page not found", home());
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
    // The replies that a page waits for may come after the next page.
    const append = (...parts) => mine === visit && main.append(...parts);
    const end = await page.show({ append }, place);
    if (mine === visit) clear = end || (() => {});
    else if (end) end();
  } catch (error) {
    if (mine !== visit) return;
    const known = error.status !== undefined;
    showMessage(known ? error.message : "This page failed to load. Reload it.", home());
    whenAnswered(error, () => mine === visit && render());
    if (!known) throw error;
  }
}

/** Mark one tab of the header as current; none with null. */
export function setTab(name) {
  for (const link of document.querySelectorAll("[data-tab]")) {
    if (link.dataset.tab === name) link.setAttribute("aria-current", "page");
    else link.removeAttribute("aria-current");
  }
}

/** Go to an address of the page. */
export function go(address) {
  window.history.pushState(null, "", link(address));
  window.scrollTo(0, 0);
  main.focus({ preventScroll: true });
  return render();
}

/** Change the address and keep the page. */
export function rename(address) {
  window.history.pushState(null, "", link(address));
}

/** Show pages in an element, by routes: pairs of a pattern and a function that loads a module. */
export function startRouter(holder, table) {
  main = holder;
  routes = table;
  window.addEventListener("popstate", render);
  document.addEventListener("click", (event) => {
    const clicked = event.target.closest("a[href]");
    const plain = event.button === 0 && !event.metaKey && !event.ctrlKey && !event.shiftKey;
    if (!clicked || !plain || event.defaultPrevented) return;
    if (clicked.target || clicked.hasAttribute("download")) return;
    if (/^#\w/.test(clicked.getAttribute("href"))) {
      // Without a server the part after the # is the page's address.
      event.preventDefault();
      document.querySelector(clicked.hash).focus();
      return;
    }
    const url = addressed(clicked.href);
    if (!url || !routes.some(([each]) => each.test(url.pathname))) return;
    event.preventDefault();
    go(url.pathname + url.search + url.hash);
  });
  return render();
}
