"use strict";
// The list of a match's games. Its rows are buttons, so Tab, Enter and Space work as usual.

/** Marks an element as the current one, or removes the mark. */
function mark(element, current) {
  element?.classList.toggle("current", current);
  if (element) element.ariaCurrent = current ? "true" : null;
}

class GameList {
  constructor(rows, filter, open) {
    this.rows = rows;
    this.filter = filter;
    this.open = open;
    filter.addEventListener("change", () => this.fill(this.games, this.current));
    rows.addEventListener("click", event => {
      const row = event.target.closest("[data-place]");
      if (row) open(Number(row.dataset.place));
    });
  }

  fill(games, current) {
    this.games = games;
    this.current = current;
    const wanted = this.filter.value;
    const fits = game => wanted === "all" || wanted === (game.winner === null ? "draw" : String(game.winner));
    this.shown = games.map((game, place) => place).filter(place => fits(games[place]));
    const rows = document.createDocumentFragment();
    const head = html("div", "row head", undefined, rows);
    head.ariaHidden = "true";
    head.append(...["game", "Black", "won", "plies", "end"].map(text => html("span", "", text)));
    for (const place of this.shown) rows.append(this.row(games[place], place));
    this.rows.replaceChildren(rows);
    this.mark(current);
  }

  row(game, place) {
    const row = html("button", "row" + (game.replay ? "" : " without"));
    row.dataset.place = place;
    const won = game.winner === null ? "drawn" : `${"AB"[game.winner]} won`;
    row.ariaLabel = `game ${game.number}, Black ${"AB"[game.black]}, ${won}, ${game.plies} plies, ${game.reason}`;
    html("span", "n", game.number, row);
    html("span", "side " + "ab"[game.black], "AB"[game.black], row);
    html("span", "won " + (game.winner === null ? "d" : "ab"[game.winner]), game.winner === null ? "½" : "AB"[game.winner], row);
    html("span", "n", game.plies, row);
    html("span", "reason", game.reason, row).title = game.reason;
    return row;
  }

  mark(place) {
    this.current = place;
    mark(this.rows.querySelector(".current"), false);
    const row = this.rows.querySelector(`[data-place="${place}"]`);
    mark(row, true);
    if (!row) return;
    const box = this.rows, top = row.offsetTop - box.offsetTop;
    if (top < box.scrollTop + 30) box.scrollTop = top - 30;
    if (top + row.offsetHeight > box.scrollTop + box.clientHeight) box.scrollTop = top + row.offsetHeight - box.clientHeight;
  }

  /** The nearest game in the list that can be replayed, after the current one (`step` 1) or before it (−1). */
  neighbour(step) {
    let at = this.shown.indexOf(this.current) + step;
    while (at >= 0 && at < this.shown.length && !this.games[this.shown[at]].replay) at += step;
    return this.shown[at];
  }
}
