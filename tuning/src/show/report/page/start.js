"use strict";
// What is shown first, and the page's address: "#match=0&game=3&ply=17", all counted from 0 in the order of the lists.

const data = JSON.parse(byId("data").textContent);
const player = new Player(data);
listen(byId("board"), player, byId("arrows"));

/** The whole number called `name` in the address; what is no such number counts as not being there. */
function wanted(address, name) {
  const text = address.get(name) ?? "";
  return /^[0-9]{1,9}$/.test(text) ? Number(text) : undefined;
}

/** Shows what the address says; what it does not say, or what is not there, is the first there is. */
function follow() {
  const address = new URLSearchParams(location.hash.slice(1));
  const match = wanted(address, "match");
  player.openMatch(data.matches[match] ? match : 0, wanted(address, "game"), wanted(address, "ply"));
}

// The address is replaced, not added to: a step through a game is no page to come back to.
player.tell = (match, game, ply) =>
  history.replaceState(null, "", `#match=${match}&game=${Math.max(0, game)}&ply=${ply}`);
follow();
// Links to a part of the page, as "#plots", are none of ours.
addEventListener("hashchange", () => { if (location.hash.includes("=")) follow(); });
