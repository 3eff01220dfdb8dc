// The card of the moves: the game's line in rows of two, what was tried beside it, what was said.
//
// a move is clicked ──► table.show(the moves up to it)

import { followBranches, isKept, rowsOf, treeOf } from "./branches.js";
import { element } from "./dom.js";
import { toneOf } from "./review.js";

const same = (first, second) =>
  first.length === second.length && first.every((move, at) => move === second[at]);

const LONGEST = 2000;

/** Return what was said of the moves, by the line that each ends. */
function commentsOf(game) {
  const said = new Map();
  const note = (path, comments) =>
    Object.entries(comments).forEach(([number, comment]) =>
      said.set(path.slice(0, Number(number)).join(" "), comment),
    );
  if (!game) return said;
  game.branches.forEach(({ path, comments }) => note(path, comments));
  note(game.moves, game.comments);
  return said;
}

/** A small editor for what one says of the move that is shown. */
function mountComment(holder, table) {
  const open = element("button", { type: "button", class: "small quiet" });
  const text = element("textarea", { rows: "3", maxlength: String(LONGEST) });
  const label = element("label", {}, element("span", {}), text);
  const save = element("button", { type: "submit", class: "small" }, "Save");
  const cancel = element("button", { type: "button", class: "small" }, "Cancel");
  const buttons = element("div", { class: "buttons-row" }, save, cancel);
  const form = element("form", { hidden: true }, label, buttons);
  holder.append(open, form);
  let path = null;

  function close() {
    path = null;
    form.hidden = true;
    open.hidden = false;
    open.focus();
  }

  const said = ({ game, shown }) => commentsOf(game).get(shown.moves.join(" ")) || "";
  open.addEventListener("click", () => {
    path = table.state.shown.moves;
    text.value = said(table.state);
    form.hidden = false;
    open.hidden = true;
    text.focus();
  });
  cancel.addEventListener("click", close);
  form.addEventListener("submit", async (event) => {
    event.preventDefault();
    await table.comment(path, text.value.trim());
    if (!table.state.error) close();
  });
  text.addEventListener("keydown", (event) => {
    if (event.key === "Escape") close();
    else if (event.key === "Enter" && (event.ctrlKey || event.metaKey)) form.requestSubmit();
    else return;
    event.preventDefault();
    event.stopPropagation();
  });
  return table.watch(["game", "shown", "analysisRefused", "exercise"], (state) => {
    const { shown } = state;
    holder.hidden = !isKept(state) || !shown || Boolean(state.exercise);
    if (holder.hidden) return;
    if (path && !same(path, shown.moves)) {
      path = null;
      form.hidden = true;
      open.hidden = false;
    }
    const what = shown.moves.length ? `on ${shown.moves.at(-1)}` : "on the start";
    label.firstElementChild.textContent = `Comment ${what}`;
    open.textContent = said(state) ? `Change the comment ${what}` : `Comment ${what}`;
  });
}

export function mountMoves(card, table) {
  const rows = element("ol", { class: "rows" });
  const comment = element("div", { class: "comment" });
  card.append(element("h2", {}, "Moves"), rows, comment);
  rows.addEventListener("keydown", (event) => {
    const by = { ArrowLeft: -1, ArrowUp: -1, ArrowRight: 1, ArrowDown: 1 }[event.key];
    if (by === undefined) return;
    event.preventDefault();
    const all = [...rows.querySelectorAll("button")];
    const to = all[all.indexOf(document.activeElement) + by];
    if (to) {
      to.focus();
      to.click();
    }
  });

  function draw({ shown, game, remarks, tried, exercise }) {
    if (!shown) return;
    const { line } = table;
    const turn = game ? game.position.turn : shown.position.turn;
    const ply = game ? line.length : shown.moves.length;
    // Who moves alternates: the side to move now tells who made each move before.
    const side = (at) => ((ply - at) % 2 === 0) === (turn === "X") ? "X" : "O";
    const comments = commentsOf(game);
    const branches = [...(game?.branches || []).map(({ path }) => path), ...tried];
    const tree = treeOf(line, branches);

    function button({ path }, remark = null) {
      const at = path.length - 1;
      const isShown = same(shown.moves, path);
      const words = [`${path.length}. ${side(at)} ${path.at(-1)}`, remark?.label];
      return element(
        "button",
        {
          type: "button",
          class: `move ${side(at).toLowerCase()}`,
          "aria-current": isShown ? "step" : null,
          "aria-label": words.filter(Boolean).join(", "),
          onclick: () => table.show(path),
        },
        path.at(-1),
      );
    }

    /** A move of the line, and what a review says of it. */
    function reviewed(node) {
      const remark = exercise ? null : remarks[node.path.length];
      const quiet = { class: `remark ${remark ? toneOf(remark) : ""}`, "aria-hidden": "true" };
      const word = remark && element("small", quiet, remark.label);
      return element("span", { class: "half" }, button(node, remark), word);
    }

    const said = (path) => {
      const text = comments.get(path.join(" "));
      const said = `${path.at(-1) ?? "Start"}: ${text}`;
      return text ? [element("li", { class: "said-of" }, said)] : [];
    };
    /** What was said on a way and all that leaves it. */
    const saidBeside = (node) =>
      node.children.slice(1).flatMap(function each(child) {
        return [...said(child.path), ...child.children.flatMap(each)];
      });

    const first = side(0) === "O" ? 1 : 0;
    const number = (moves) => {
      const at = moves - 1 + first;
      return `${Math.floor(at / 2) + 1}${at % 2 ? "…" : "."}`;
    };
    const held = rows.contains(document.activeElement);
    const nodes = [tree];
    for (const _ of line) nodes.push(nodes.at(-1).children[0]);
    const made = said([]);
    for (let at = -first; at < line.length; at += 2) {
      const pair = [at, at + 1].filter((each) => each >= 0 && each < line.length);
      const current = shown.kind !== "variation" && [at + 1, at + 2].includes(shown.moves.length);
      made.push(
        element(
          "li",
          current ? { class: "current" } : {},
          element("span", { class: "number" }, String((at + first) / 2 + 1)),
          at < 0 ? element("span", { class: "half move" }, "…") : null,
          pair.map((each) => reviewed(nodes[each + 1])),
        ),
      );
      for (const each of pair) {
        const node = nodes[each];
        made.push(...said(nodes[each + 1].path));
        made.push(...rowsOf(node, number, button), ...saidBeside(node));
      }
    }
    // What goes on behind the end of the line stands beside nothing.
    const behind = { children: [null, ...nodes.at(-1).children] };
    made.push(...rowsOf(behind, number, button), ...saidBeside(behind));
    const isPlain = !branches.length && !comments.size && !Object.keys(remarks).length;
    rows.classList.toggle("annotated", !isPlain);
    rows.style.setProperty("--rows", String(Math.max(1, Math.ceil(made.length / 2))));
    rows.classList.toggle("short", isPlain && made.length < 5);
    rows.replaceChildren(...made);
    card.hidden = made.length === 0;
    const current = rows.querySelector('[aria-current="step"]');
    if (held && current) current.focus();
    if (current) keepInSight(rows, current);
  }

  const resized = new ResizeObserver(() => {
    const current = rows.querySelector('[aria-current="step"]');
    if (current) keepInSight(rows, current);
  });
  resized.observe(rows);

  const ends = [
    followBranches(table),
    mountComment(comment, table),
    table.watch(["game", "shown", "remarks", "tried", "exercise"], draw),
    () => resized.disconnect(),
  ];
  return () => ends.forEach((end) => end());
}

/** Scroll a list to one of its elements, and leave the page where it is. */
function keepInSight(list, { offsetTop, offsetHeight }) {
  if (offsetTop < list.scrollTop) list.scrollTop = offsetTop;
  else if (offsetTop + offsetHeight > list.scrollTop + list.clientHeight) {
    list.scrollTop = offsetTop + offsetHeight - list.clientHeight;
  }
}
