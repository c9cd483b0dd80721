"use strict";
// The game on the board: what is shown at each ply, and the buttons that step through it.

const byId = id => document.getElementById(id);
const signed = value => (value < 0 ? "−" : "+") + Math.abs(value).toFixed(2);

/** By so much a side's value falls from one of its decisions to the next if it has erred: 15 % of a point. */
const FALL = 0.3;

/**
 * The plies at which a side's value fell before its next decision, with by how much: `values` are those of the side to
 * move, from ply `opening` on.
 */
function falls(values, opening) {
  const known = value => value !== undefined && value !== null;
  const lost = values.map((value, at) => known(value) && known(values[at + 2]) ? value - values[at + 2] : 0);
  return new Map(lost.map((loss, at) => [at + opening, loss]).filter(([, loss]) => loss >= FALL));
}

/** Lists a search's best plays, `[hops, share, value]`, in `table`; `next` is the one that was played. */
function listCandidates(table, candidates, next) {
  candidates.forEach(([hops, share, value], rank) => {
    const row = html("div", "candidate rank" + rank, undefined, table);
    html("span", "play", written(hops), row);
    html("i", "share", undefined, row).style.setProperty("--share", share);
    html("span", "n", Math.round(share * 100) + " %", row);
    html("span", "n", signed(value), row);
    html("span", "", next && written(next) === written(hops) ? "played" : "", row);
  });
}

/** Lists `plays`, a button each, in `list`: the first so many were given, and at those of `fallen` a value fell. */
function listPlays(list, plays, blackBegins, given = 0, fallen = new Map()) {
  list.replaceChildren();
  plays.forEach((hops, at) => {
    const jumps = hops.length / 2 - 1, black = (at % 2 === 0) === blackBegins;
    const play = html("button", (black ? "black " : "white ") + (at < given ? "given" : ""), written(hops), list);
    if (jumps > 1) html("small", "", ` ×${jumps}`, play).title = jumps + " jumps";
    if (fallen.has(at)) html("b", "fell", " ?", play).title = `the value then fell by ${fallen.get(at).toFixed(2)}`;
    play.dataset.ply = at + 1;
    play.dataset.number = at + 1;
  });
}

/** Marks the play in `list` that led to `ply`. */
function markPlay(list, ply) {
  mark(list.querySelector(".current"), false);
  const play = list.children[ply - 1];
  mark(play, true);
  list.scrollTop = play ? play.offsetTop - list.offsetTop - list.clientHeight / 2 : 0;
}

/** Shows the matches of `data`, a game of one of them, a ply of it. */
class Player {
  constructor(data) {
    this.matches = data.matches;
    this.board = new Board(byId("board").querySelector("svg"), data.camps);
    this.curve = new Curve(byId("curve"), ply => this.go(ply));
    this.list = new List(byId("rows"), byId("filter"), place => this.openGame(place));
    byId("arrows").addEventListener("change", () => this.go(this.ply));
    byId("plays").addEventListener("click", event => {
      const play = event.target.closest("[data-ply]");
      if (play) this.go(Number(play.dataset.ply));
    });
    document.querySelectorAll("[data-do]").forEach(button =>
      button.addEventListener("click", () => this.act(button.dataset.do)));
    document.querySelectorAll("[data-select]").forEach(row => {
      row.addEventListener("click", () => this.openMatch(Number(row.dataset.select)));
    });
  }

  /** Shows a match: the game at `place` of its list, or the first that can be replayed; `ply` plies of it. */
  openMatch(number, place, ply) {
    this.match = this.matches[number];
    this.matchNumber = number;
    document.querySelectorAll("[data-match]").forEach(part => { part.hidden = Number(part.dataset.match) !== number; });
    document.querySelectorAll("[data-select]").forEach(row => mark(row, Number(row.dataset.select) === number));
    const { games } = this.match;
    place = games[place] ? place : Math.max(0, games.findIndex(game => game.replay));
    this.list.fill(games, place);
    this.openGame(place, ply);
  }

  openGame(place, ply = 0) {
    this.stop();
    const game = this.match.games[place];
    this.list.mark(place);
    if (!game?.replay) {
      this.game = undefined;
      this.showNothing(game);
      return;
    }
    this.game = game;
    const { replay } = game;
    this.opening = replay.plays.length - replay.seconds.length;
    const judged = replay.plays.map((_, at) => {
      const value = replay.values[at - this.opening];
      if (value === undefined || value === null) return undefined;
      return [[this.who(at), this.blackMoves(at) ? value : -value]];
    });
    this.falls = falls(replay.values, this.opening);
    this.curve.draw(game.plies, judged, this.falls);
    this.writePlays();
    this.go(ply);
  }

  /** A game whose plays are not in the page. */
  showNothing(game) {
    this.board.show([], 0, false);
    this.board.showArrows([]);
    for (const id of ["sides", "effort", "candidates", "curve", "plays"]) byId(id).replaceChildren();
    byId("turn").textContent = game ? `The plays of game ${game.number} are not in this file.` : "No games yet.";
    this.ply = 0;
    this.told();
  }

  blackMoves(ply) { return (ply % 2 === 0) === (this.game.replay.first === "BLACK"); }
  /** Who is to move after `ply` plies: 0 for A, 1 for B. */
  who(ply) { return this.blackMoves(ply) ? this.game.black : 1 - this.game.black; }

  /** Shows the position after `ply` plies. */
  go(ply) {
    if (!this.game) return;
    const { replay } = this.game;
    ply = Math.max(0, Math.min(replay.plays.length, ply));
    this.board.show(replay.plays, ply, this.shown === this.game && ply === this.ply + 1);
    this.shown = this.game;
    this.ply = ply;
    this.writeTurn();
    this.writeCandidates(replay.candidates[ply - this.opening] || []);
    this.curve.point(ply);
    this.markPlay();
    this.told();
  }

  /** Tells the page which match, game and ply it shows, if it wants to know. */
  told() { this.tell?.(this.matchNumber, this.list.current, this.ply); }

  writeTurn() {
    const { game, ply } = this, { replay } = game;
    const ended = ply === replay.plays.length;
    const won = game.winner === null ? "a draw" : `${"AB"[game.winner]} has won`;
    const begins = ply < this.opening ? ", in the opening" : "";
    byId("turn").textContent = ended ? `After ${ply} plies: ${won} (${game.reason})`
      : `Ply ${ply} of ${replay.plays.length}${begins}: ${this.blackMoves(ply) ? "Black" : "White"} to move`;
    const sides = byId("sides");
    sides.replaceChildren();
    for (const colour of ["black", "white"]) {
      const who = colour === "black" ? game.black : 1 - game.black;
      const toMove = !ended && this.blackMoves(ply) === (colour === "black");
      const side = html("div", "who " + "ab"[who] + (toMove ? " moves" : ""), undefined, sides);
      html("i", "stone " + colour, undefined, side).title = colour === "black" ? "Black" : "White";
      html("b", "", "AB"[who], side);
      html("code", "", this.match.names[who], side).title = this.match.names[who];
    }
  }

  writeCandidates(candidates) {
    const { replay } = this.game, at = this.ply - this.opening;
    this.board.showArrows(byId("arrows").checked ? candidates : []);
    const effort = byId("effort"), table = byId("candidates");
    table.replaceChildren();
    effort.textContent = "";
    if (replay.seconds[at] !== undefined && at >= 0) {
      const iterations = replay.iterations[at], reused = replay.reused[at];
      effort.textContent = (iterations === undefined ? "" : `${iterations} iterations` + (reused ? ` + ${reused} reused` : "") + ", ")
        + `${(replay.seconds[at] * 1e3).toPrecision(3)} ms`;
    }
    const next = replay.plays[this.ply];
    listCandidates(table, candidates, next);
    if (!candidates.length) html("p", "none", at < 0 ? "The opening was given." : next ? "Nothing was written down." : "The game is over.", table);
  }

  writePlays() {
    const { plays, first } = this.game.replay;
    listPlays(byId("plays"), plays, first === "BLACK", this.opening, this.falls);
  }

  markPlay() { markPlay(byId("plays"), this.ply); }

  act(what) {
    const end = this.game?.replay.plays.length ?? 0;
    const other = step => {
      const place = this.list.neighbour(step);
      if (place !== undefined) this.openGame(place);
    };
    if (what === "play") return this.timer ? this.stop() : this.start();
    this.stop();
    const acts = {
      first: () => this.go(0), back: () => this.go(this.ply - 1), next: () => this.go(this.ply + 1),
      last: () => this.go(end), before: () => other(-1), after: () => other(1),
    };
    acts[what]();
  }

  start() {
    if (!this.game) return;
    if (this.ply === this.game.replay.plays.length) this.go(0);
    const step = () => this.ply < this.game.replay.plays.length ? this.go(this.ply + 1) : this.stop();
    this.timer = setInterval(step, 700);
    document.querySelector("[data-do=play]").textContent = "❚❚ stop";
    step();
  }

  stop() {
    clearInterval(this.timer);
    this.timer = undefined;
    document.querySelector("[data-do=play]").textContent = "▶ play";
  }
}
