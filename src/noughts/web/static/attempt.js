// Requests whose problem is shown beside their button.

import { whenAnswered } from "./client.js";

/** Run a function; show its problem in an element. */
export async function attempt(act, wrong) {
  try {
    await act();
  } catch (problem) {
    if (problem.status === undefined) throw problem;
    wrong.textContent = problem.message;
    whenAnswered(problem, () => {
      if (wrong.textContent === problem.message) wrong.textContent = "";
    });
  }
}
