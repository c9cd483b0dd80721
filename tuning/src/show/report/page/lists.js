"use strict";
// Lists beside the board: the plays of a game, and the best plays of a search.

const signed = value => (value < 0 ? "−" : "+") + Math.abs(value).toFixed(2);

/** Lists a search's best plays, `[chain, share, value]`, in `table`; `next` is the play made in the game. */
function listCandidates(table, candidates, next) {
  candidates.forEach(([chain, share, value], rank) => {
    const row = html("div", "candidate rank" + rank, undefined, table);
    html("span", "play", written(chain), row);
    html("i", "share", undefined, row).style.setProperty("--share", share);
    html("span", "n", Math.round(share * 100) + " %", row);
    html("span", "n", signed(value), row);
    html("span", "", next && written(next) === written(chain) ? "played" : "", row);
  });
}

/** Says how much a play cost by the mover's own values, if it was a mistake. */
const fallText = (chain, loss) => loss === undefined ? ""
  : `${written(chain)} is a mistake by the mover’s own values: the expected score then stayed at least ${Math.round(loss * 100)} percentage points lower.`;

/**
 * Lists `plays` in `list`, one button each. The first `opening` plays belong to the opening; `falls` maps the ply of each
 * mistake to the loss of expected score.
 */
function listPlays(list, plays, blackBegins, opening = 0, falls = new Map()) {
  list.replaceChildren();
  plays.forEach((chain, at) => {
    const jumps = squares(chain).length - 1, black = (at % 2 === 0) === blackBegins;
    const play = html("button", (black ? "black " : "white ") + (at < opening ? "given" : ""), written(chain), list);
    if (jumps > 1) html("small", "", ` ×${jumps}`, play).title = jumps + " jumps";
    if (falls.has(at)) html("b", "fell", " ?", play).title = fallText(chain, falls.get(at));
    play.dataset.ply = at + 1;
    play.dataset.number = at + 1;
  });
}

function markPlay(list, ply) {
  mark(list.querySelector(".current"), false);
  const play = list.children[ply - 1];
  mark(play, true);
  list.scrollTop = play ? play.offsetTop - list.offsetTop - list.clientHeight / 2 : 0;
}
