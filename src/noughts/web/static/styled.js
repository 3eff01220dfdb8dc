// Modules that are loaded when they are needed, with their style sheets.

import { element } from "./dom.js";

/** Return a module, when the style sheet that index.html has for it by this name is there too. */
export async function styled(name, module) {
  const href = new URL(`./${name}.css`, import.meta.url).href;
  const links = [...document.querySelectorAll("link[rel=stylesheet]")];
  if (!links.some((link) => link.href === href)) {
    await new Promise((resolve, reject) => {
      document.head.append(
        element("link", { rel: "stylesheet", href, onload: resolve, onerror: reject }),
      );
    });
  }
  return module;
}
