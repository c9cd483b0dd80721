"use strict";
// The keyboard. These keys work where the board has the focus, and only there: elsewhere the arrow keys scroll, and
// space activates the control that has the focus.

const KEYS = {
  ArrowLeft: "back", ArrowRight: "next", Home: "first", End: "last",
  ArrowUp: "before", ArrowDown: "after", " ": "play",
};

/** Lets the keys step through the game of `player` while `board` has the focus, and "a" click on `arrows`. */
function listen(board, player, arrows) {
  board.addEventListener("keydown", event => {
    if (event.ctrlKey || event.altKey || event.metaKey) return;
    if (event.key === "a") arrows.click();
    else if (KEYS[event.key]) player.act(KEYS[event.key]);
    else return;
    event.preventDefault();
  });
  // What is clicked is not always focused: an SVG is not in every browser.
  board.addEventListener("pointerdown", () => board.focus({ preventScroll: true }));
}
