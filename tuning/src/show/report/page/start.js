"use strict";
// Starts the page and keeps its address up to date: "#match=0&game=3&ply=17", counted from 0 in the order of the lists.

const data = JSON.parse(byId("data").textContent);
const player = new Player(data);
listen(byId("board"), player, byId("arrows"));

/** The whole number called `name` in the address; `undefined` if it is missing or malformed. */
function numberIn(address, name) {
  const text = address.get(name) ?? "";
  return /^[0-9]{1,9}$/.test(text) ? Number(text) : undefined;
}

/** Shows the match, game and ply in the address; by default the first of each. */
function follow() {
  const address = new URLSearchParams(location.hash.slice(1));
  const match = numberIn(address, "match");
  player.openMatch(data.matches[match] ? match : 0, numberIn(address, "game"), numberIn(address, "ply"));
}

// The address is replaced rather than pushed, because the Back button should not step through a game.
player.onShow = (match, game, ply) =>
  setAddress(`#match=${match}&game=${Math.max(0, game)}&ply=${ply}`);
follow();
addEventListener("hashchange", () => {
  // Links to a part of the page, such as "#plots", have no "=".
  if (!location.hash.includes("=")) return;
  follow();
  byId("games").scrollIntoView();
  byId("board").focus({ preventScroll: true });
});
