// The card that says why: the value, a sentence, its line, the graph of the game.

/** Put the card into an element of the game's page; returns the function that ends it. */
export function mountWhy(card, _table) {
  card.hidden = true;
  return () => {};
}
