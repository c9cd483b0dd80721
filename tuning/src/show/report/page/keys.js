"use strict";
// The keyboard. These keys work only while the board has the focus: elsewhere the arrow keys scroll, and Space activates
// the focused control.

const KEYS = {
  ArrowLeft: "back", ArrowRight: "next", Home: "first", End: "last",
  ArrowUp: "before", ArrowDown: "after", " ": "play", f: "flip",
};

/**
 * Carries out `key`: steps through the game of `player`, or clicks on `arrows`. Returns false if the key has no
 * function.
 */
function press(key, player, arrows) {
  if (key === "a") arrows.click();
  else if (KEYS[key]) player.act(KEYS[key]);
  else return false;
  return true;
}

/** Handles keys while `board` has the focus. */
function listen(board, player, arrows) {
  board.addEventListener("keydown", event => {
    const isTaken = !event.ctrlKey && !event.altKey && !event.metaKey && press(event.key, player, arrows);
    if (isTaken) event.preventDefault();
  });
  // Not every browser focuses the board when its SVG is clicked.
  board.addEventListener("pointerdown", () => board.focus({ preventScroll: true }));
}
