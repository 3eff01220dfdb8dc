// The card of the moves: the game in rows of two moves, its variations, its comments.
//
// click on a move ──► currentGame.show(moves up to it)

import { same } from "./current_game.js";
import { branchesOf, followVariations, isKept, rowsOf, treeOf } from "./variations.js";
import { button, element, smallButton } from "./dom.js";
import { toneOf } from "./values.js";

const LONGEST = 2000;

/** Return the comments as a map from the line up to a move. */
function commentsOf(game) {
  const found = new Map();
  const note = (path, comments) =>
    Object.entries(comments).forEach(([number, comment]) =>
      found.set(path.slice(0, Number(number)).join(" "), comment),
    );
  if (!game) return found;
  game.variations.forEach(({ path, comments }) => note(path, comments));
  note(game.moves, game.comments);
  return found;
}

/** Mount the editor of the comment on the shown move. */
function mountComment(holder, currentGame) {
  const open = button("", edit, { class: "small quiet" });
  const text = element("textarea", { rows: "3", maxlength: String(LONGEST) });
  const label = element("label", {}, element("span", {}), text);
  const save = smallButton("Save", null, { type: "submit" });
  const cancel = smallButton("Cancel", close);
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

  const commentOn = ({ game, shown }) => commentsOf(game).get(shown.moves.join(" ")) || "";
  function edit() {
    path = currentGame.state.shown.moves;
    text.value = commentOn(currentGame.state);
    form.hidden = false;
    open.hidden = true;
    text.focus();
  }
  form.addEventListener("submit", async (event) => {
    event.preventDefault();
    await currentGame.setComment(path, text.value.trim());
    if (!currentGame.state.error) close();
  });
  text.addEventListener("keydown", (event) => {
    if (event.key === "Escape") close();
    else if (event.key === "Enter" && (event.ctrlKey || event.metaKey)) form.requestSubmit();
    else return;
    event.preventDefault();
    event.stopPropagation();
  });
  return currentGame.watch(["game", "shown", "analysisRefused", "exercise"], (state) => {
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
    open.textContent = commentOn(state) ? `Edit comment ${what}` : `Comment ${what}`;
  });
}

export function mountMoves(card, currentGame) {
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
    const { line } = currentGame;
    const turn = game ? game.position.turn : shown.position.turn;
    const ply = game ? line.length : shown.moves.length;
    // Sides alternate, so the side to move gives the side of every earlier move.
    const side = (at) => ((ply - at) % 2 === 0) === (turn === "X") ? "X" : "O";
    const comments = commentsOf(game);
    const branches = branchesOf({ game, tried });
    const tree = treeOf(line, branches);

    function moveButton({ path }, remark = null) {
      const at = path.length - 1;
      const isShown = same(shown.moves, path);
      const words = [`${path.length}. ${side(at)} ${path.at(-1)}`, remark?.label];
      return button(path.at(-1), () => currentGame.show(path), {
        class: `move ${side(at).toLowerCase()}`,
        "aria-current": isShown ? "step" : null,
        "aria-label": words.filter(Boolean).join(", "),
      });
    }

    /** Return a move of the game with its label from a review. */
    function reviewed(node) {
      const remark = exercise ? null : remarks[node.path.length];
      const quiet = { class: `remark ${remark ? toneOf(remark) : ""}`, "aria-hidden": "true" };
      const word = remark?.label && element("small", quiet, remark.label);
      return element("span", { class: "half" }, moveButton(node, remark), word);
    }

    const commentRow = (path) => {
      const text = comments.get(path.join(" "));
      const row = `${path.at(-1) ?? "Start"}: ${text}`;
      return text ? [element("li", { class: "comment-row" }, row)] : [];
    };
    /** Return the comments of the variations at a node. */
    const variationComments = (node) =>
      node.children.slice(1).flatMap(function each(child) {
        return [...commentRow(child.path), ...child.children.flatMap(each)];
      });

    const first = side(0) === "O" ? 1 : 0;
    const held = rows.contains(document.activeElement);
    const nodes = [tree];
    for (const _ of line) nodes.push(nodes.at(-1).children[0]);
    const made = commentRow([]);
    for (let at = -first; at < line.length; at += 2) {
      const pair = [at, at + 1].filter((each) => each >= 0 && each < line.length);
      const current = shown.kind !== "variation" && [at + 1, at + 2].includes(shown.moves.length);
      made.push(
        element(
          "li",
          current ? { class: "current" } : {},
          element("span", { class: "number" }, String(pair[0] + 1)),
          at < 0 ? element("span", { class: "half move" }, "…") : null,
          pair.map((each) => reviewed(nodes[each + 1])),
        ),
      );
      for (const each of pair) {
        const node = nodes[each];
        made.push(...commentRow(nodes[each + 1].path));
        made.push(...rowsOf(node, moveButton), ...variationComments(node));
      }
    }
    // Moves after the end of the game are all variations.
    const end = { children: [null, ...nodes.at(-1).children] };
    made.push(...rowsOf(end, moveButton), ...variationComments(end));
    const isPlain = !branches.length && !comments.size && !Object.keys(remarks).length;
    rows.classList.toggle("annotated", !isPlain);
    rows.replaceChildren(...made);
    card.hidden = made.length === 0;
    if (held) shownMove()?.focus();
    showMove();
  }

  const shownMove = () => rows.querySelector('[aria-current="step"]');
  const showMove = () => {
    if (shownMove()) scrollToShow(rows, shownMove());
    else if (currentGame.state.shown?.moves.length === 0) rows.scrollTop = 0;
  };
  const resized = new ResizeObserver(showMove);
  resized.observe(rows);

  const ends = [
    followVariations(currentGame),
    mountComment(comment, currentGame),
    currentGame.watch(["game", "shown", "remarks", "tried", "exercise"], draw),
    () => resized.disconnect(),
  ];
  return () => ends.forEach((end) => end());
}

/** Scroll a list to one of its elements, without scrolling the page. */
function scrollToShow(list, { offsetTop, offsetHeight }) {
  if (offsetTop < list.scrollTop) list.scrollTop = offsetTop;
  else if (offsetTop + offsetHeight > list.scrollTop + list.clientHeight) {
    list.scrollTop = offsetTop + offsetHeight - list.clientHeight;
  }
}
