// Addresses of the page, such as /game/ID: on a server they are the paths of its URLs.
//
// `noughts site` has another module in place of this one: its addresses stand after a #.

/** Return the address of the page as a URL. */
export const here = () => new URL(window.location.href);

/** Return the URL of an address, for links and the history. */
export const link = (address) => address;

/** Return the address that a URL of the page stands for, as a URL; null for other URLs. */
export function addressed(href) {
  const url = new URL(href, window.location.href);
  return url.origin === window.location.origin ? url : null;
}

/** Return the whole URL of an address on a server. */
export const whole = (address, origin) => origin + address;
