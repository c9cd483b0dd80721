"use strict";
// Replays games: shows a position of a game on the board, and steps through it.

const byId = id => document.getElementById(id);

let addressTimer;

/**
 * Replaces the page's address, or with `how` "pushState" adds one to its history. If the browser refuses because of too
 * many changes, tries again a second later.
 */
function setAddress(address, how = "replaceState") {
  clearTimeout(addressTimer);
  const { href } = location;
  try {
    history[how](null, "", address);
  } catch {
    addressTimer = setTimeout(() => location.href === href && setAddress(address, how), 1000);
  }
}

/** Shows a ply of a game of the matches in `data`. Calls `onShow(match, game, ply)`, if set. */
class Player {
  constructor(data) {
    this.matches = data.matches;
    this.board = new Board(byId("board").querySelector("svg"), data.camps);
    this.curve = new Curve(byId("curve"), ply => this.go(ply));
    this.list = new GameList(byId("rows"), byId("filter"), place => this.openGame(place));
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

  /** Shows a match: ply `ply` of the game at `place` in its list, by default the first that can be replayed. */
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
    this.falls = new Map(replay.falls);
    this.curve.draw(game.plies, judged, this.falls);
    this.writePlays();
    this.go(ply);
  }

  /** Says that there is no game, or that the page does not contain its plays. */
  showNothing(game) {
    this.board.show([], 0, false);
    this.board.showArrows([]);
    for (const id of ["mistake", "sides", "effort", "candidates", "curve", "plays"]) byId(id).replaceChildren();
    byId("turn").textContent = game ? `The plays of game ${game.number} are not in this file.` : "No games yet.";
    this.ply = 0;
    this.report();
  }

  blackMoves(ply) { return (ply % 2 === 0) === (this.game.replay.first === "BLACK"); }
  /** The side to move after `ply` plies: 0 for A, 1 for B. */
  who(ply) { return this.blackMoves(ply) ? this.game.black : 1 - this.game.black; }

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
    markPlay(byId("plays"), ply);
    this.report();
  }

  report() { this.onShow?.(this.matchNumber, this.list.current, this.ply); }

  writeTurn() {
    const { game, ply } = this, { replay } = game;
    const ended = ply === replay.plays.length;
    const won = game.winner === null ? "draw" : `${"AB"[game.winner]} has won`;
    const opening = ply < this.opening ? " (opening)" : "";
    byId("turn").textContent = ended ? `After ${ply} plies: ${won} (${game.reason})`
      : `Ply ${ply} of ${replay.plays.length}${opening}: ${this.blackMoves(ply) ? "Black" : "White"} to move`;
    byId("mistake").textContent = fallText(replay.plays[ply - 1], this.falls.get(ply - 1));
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
    if (replay.seconds[at] !== undefined) {
      const counted = [...replay.work, ["reused visits", replay.reused]].filter(([, counts]) => counts[at]);
      const work = counted.map(([unit, counts]) => `${counts[at]} ${unit}`);
      effort.textContent = [...work, `${(replay.seconds[at] * 1e3).toPrecision(3)} ms`].join(", ");
    }
    const next = replay.plays[this.ply];
    listCandidates(table, candidates, next);
    if (!candidates.length) html("p", "none", at < 0 ? "This play belongs to the opening." : next ? "No search was recorded." : "The game is over.", table);
  }

  writePlays() {
    const { plays, first } = this.game.replay;
    listPlays(byId("plays"), plays, first === "BLACK", this.opening, this.falls);
  }

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
      flip: () => byId("board").classList.toggle("flipped"),
    };
    acts[what]();
  }

  start() {
    if (!this.game) return;
    if (this.ply === this.game.replay.plays.length) this.go(0);
    const step = () => this.ply < this.game.replay.plays.length ? this.go(this.ply + 1) : this.stop();
    this.timer = setInterval(step, 700);
    document.querySelector("[data-do=play]").textContent = "❚❚ Stop";
    step();
  }

  stop() {
    clearInterval(this.timer);
    this.timer = undefined;
    document.querySelector("[data-do=play]").textContent = "▶ Autoplay";
  }
}
