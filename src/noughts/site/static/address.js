// Addresses of the page without a server: /game/ID is FOLDER/#/game/ID, since a static host has no
// file for each address.

const ORIGIN = window.location.origin;

/** Return the address of the page as a URL. */
export const here = () => addressed(window.location.href) ?? new URL("/", ORIGIN);

/** Return the URL of an address, for links and the history. */
export const link = (address) => `#${address}`;

/** Return the address that a URL of the page stands for, as a URL; null for other URLs. */
export function addressed(href) {
  const url = new URL(href, window.location.href);
  const folder = url.origin + url.pathname;
  const isOurs = folder === ORIGIN + window.location.pathname && url.hash.startsWith("#/");
  return isOurs ? new URL(url.hash.slice(1), ORIGIN) : null;
}

/** Return the whole URL of an address. */
export const whole = (address) => window.location.href.split("#")[0] + link(address);
