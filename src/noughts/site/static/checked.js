// Checked files as opponents: the moves that a student's function chose during its check.
//
//   check ──► keepFile(opponent, moves) ──► IndexedDB ──► moveOfFile(opponent, position)
//
// No file runs during a game. An opponent is a text `file:DIGEST:NAME`, which depends on the file.

import { opened } from "/static/site/database.js";
import { refusal } from "/static/site/problem.js";

const MAX_FILES = 50; // Those checked last.
const transaction = opened("noughts.files", "files", "opponent");

/** Return the name of the file that an opponent's text stands for; null for other opponents. */
export const fileName = (opponent) => /^file:[0-9a-f]{16}:(.+)$/s.exec(opponent)?.[1] ?? null;

/** Keep the moves of a file by positions, null for no legal move. */
export const keepFile = (opponent, moves) =>
  transaction("readwrite", (store) => {
    store.put({ opponent, moves, checked: Date.now() });
    store.getAll().onsuccess = ({ target }) => {
      const oldest = target.result.sort((one, other) => other.checked - one.checked).slice(MAX_FILES);
      for (const each of oldest) store.delete(each.opponent);
    };
  });

/** Return the move of a file; null for no legal move, a Problem if it is not known. */
export async function moveOfFile(opponent, position) {
  const kept = await transaction("readonly", (store, done) => {
    store.get(opponent).onsuccess = ({ target }) => done(target.result);
  });
  const name = fileName(opponent);
  if (!kept) throw refusal("no-move", 422, `This browser has no moves of ${name}. Check it again.`);
  if (!(position in kept.moves)) {
    throw refusal("no-move", 422, `${name} was too slow to be asked about this board. Undo or resign.`);
  }
  return kept.moves[position];
}
