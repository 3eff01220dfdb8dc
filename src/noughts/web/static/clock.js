// The clocks of a game: the server keeps them, and the page counts down between two views.
//
//   game.clock: seconds left as of `at` ──► timeLeft() ──► 2:59

const TENTHS_BELOW = 20;

/** Return the seconds left of a side, now. */
export function timeLeft(clock, side) {
  const left = clock[side.toLowerCase()];
  if (clock.running !== side) return left;
  return Math.max(0, left - (performance.now() - clock.at) / 1000);
}

/** Return a time in words for the eye: `1:00:00`, `2:59`, `0:09.4`. */
export function timeText(seconds) {
  const isShort = seconds < TENTHS_BELOW;
  const whole = isShort ? Math.floor(seconds) : Math.ceil(seconds);
  const pad = (number) => String(number).padStart(2, "0");
  const [hours, minutes] = [Math.floor(whole / 3600), Math.floor(whole / 60) % 60];
  const rest = pad(whole % 60) + (isShort ? `.${Math.floor((seconds % 1) * 10)}` : "");
  return hours ? `${hours}:${pad(minutes)}:${rest}` : `${minutes}:${rest}`;
}

/** Return whether a side has little time left. */
export const isShort = (seconds) => seconds < TENTHS_BELOW;
