"use strict";
// The keyboard. These keys work only while the board has the focus: elsewhere the arrow keys scroll, and Space activates
// the focused control.

const KEYS = {
  ArrowLeft: "back", ArrowRight: "next", Home: "first", End: "last",
  ArrowUp: "before", ArrowDown: "after", " ": "play",
};

/** While `board` has the focus, makes the keys step through the game of `player` and "a" click on `arrows`. */
function listen(board, player, arrows) {
  board.addEventListener("keydown", event => {
    if (event.ctrlKey || event.altKey || event.metaKey) return;
    if (event.key === "a") arrows.click();
    else if (KEYS[event.key]) player.act(KEYS[event.key]);
    else return;
    event.preventDefault();
  });
  // Not every browser focuses the board when its SVG is clicked.
  board.addEventListener("pointerdown", () => board.focus({ preventScroll: true }));
}
