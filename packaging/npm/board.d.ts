/** The custom element `<noughts-board>`; importing this module defines it. */

/** The attributes; a missing one is null. */
export interface NoughtsBoardAttributes {
  /** A rules id, such as `connect4` or `mnk:5,5,4`; `basic` if left out. */
  rules?: string;
  /** A position string to start from. */
  position?: string;
  /** Moves from there, as in `51 15`. */
  moves?: string;
  /** The text of a record to replay; if empty, the text between the tags. */
  record?: string;
  /** The number of moves before the position to show first. */
  at?: string;
  /** Empty for both sides, or the machine: `engine:level=4` or `engine:nodes=20000`. */
  play?: string;
  /** The side of the reader against the machine. */
  side?: "X" | "O";
  /** Whether a button shows the value of every move; `shown` shows them at once. */
  analysis?: "" | "shown";
  controls?: "";
  coordinates?: "" | "none";
  theme?: "light" | "dark";
}

/** The detail of the event `noughts-move`. */
export interface NoughtsMove {
  /** The move as text. */
  move: string;
  /** All moves so far, with spaces between them. */
  moves: string;
  /** The position string after them. */
  position: string;
}

declare global {
  interface HTMLElementTagNameMap {
    "noughts-board": HTMLElement;
  }
  interface HTMLElementEventMap {
    "noughts-move": CustomEvent<NoughtsMove>;
  }
  interface DocumentEventMap {
    "noughts-move": CustomEvent<NoughtsMove>;
  }
}
