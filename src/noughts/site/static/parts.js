// The data that `noughts site` writes into the page: {levels, nets, books, hint, python, version}.

let known = null;

/** Return the data of this site. */
export function site() {
  known ??= JSON.parse(document.getElementById("site").textContent);
  return known;
}
