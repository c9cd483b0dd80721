// The runs given on the command line: their results while games are played, and a replay of each game.

import { Generation, ask } from "./server.js";
import { Player, byId, html, listen, mark, press, setAddress, written } from "./shared.js";
import { Tree } from "./tree.js";

/** Milliseconds between two requests for the results. */
const REFRESH_INTERVAL = 2000;

/** A player that fetches the plays of a game when it is opened. */
class LivePlayer extends Player {
  constructor(camps) {
    super({ matches: [], camps });
    this.opened = new Generation();
  }

  async openGame(place, ply = 0) {
    this.opened.next();
    this.stop();
    const game = this.match.games[place];
    if (game?.replay?.missing) {
      this.list.mark(place);
      try {
        game.replay = await ask(`runs/${this.run}/${this.matchNumber}/${game.number}`, undefined, this.opened);
      } catch (error) {
        this.game = undefined;
        this.showNothing(game);
        byId("turn").textContent = `Game ${game.number}: ${error.message}`;
        return;
      }
      // Games may have been added before it.
      place = this.match.games.indexOf(game);
    }
    super.openGame(place, ply);
  }

  /** Shows match `number` of `run`; if it is shown already, only adds its new games. */
  showMatch(match, run, number, isNew, place, ply) {
    const before = isNew ? [] : this.match.games, current = before[this.list.current];
    // Games are listed by number, but don't end in that order.
    const known = new Map(before.map(game => [game.number, game]));
    match.games = match.games.map(game => known.get(game.number) ?? { ...game, replay: { missing: true } });
    Object.assign(this, { match, run, matchNumber: number });
    this.list.fill(match.games, current ? match.games.indexOf(current) : place);
    if (current) this.report();
    else this.openGame(place, ply);
  }
}

export class RunsView {
  constructor(about, say, go) {
    Object.assign(this, { about, say, go, run: 0, match: 0, results: new Generation() });
    byId("no-runs").hidden = about.runs.length > 0;
    byId("run-results").hidden = byId("games").hidden = byId("analyse-game").hidden = !about.runs.length;
    if (!about.runs.length) return;
    this.player = new LivePlayer(about.camps);
    listen(byId("board"), this.player, byId("arrows"));
    this.player.onShow = (match, place, ply) => {
      const { run } = this.player, game = this.player.match.games[place];
      const address = `#runs?run=${run}&match=${match}` + (game ? `&game=${game.number}&ply=${ply}` : "");
      if (this.shown) setAddress(address);
    };
    const select = byId("run-select");
    about.runs.forEach((name, at) => { html("option", "", name, select).value = at; });
    select.hidden = about.runs.length < 2;
    select.addEventListener("change", () => this.open(Number(select.value), 0));
    byId("match-rows").addEventListener("click", event => {
      const row = event.target.closest("[data-place]");
      if (row) this.open(this.run, Number(row.dataset.place));
    });
    byId("board").parentNode.querySelector(".buttons").append(byId("analyse-game"));
    byId("analyse-game").addEventListener("click", () => this.analyse());
  }

  enter(address) {
    this.shown = true;
    if (!this.player) return;
    const wanted = {};
    for (const [name, text] of address) wanted[name] = /^\d{1,9}$/.test(text) ? Number(text) : text;
    const { run = this.run, match = this.match, game, ply } = wanted;
    this.open(run, match, game, ply);
    clearInterval(this.timer);
    this.timer = setInterval(() => this.refresh(), REFRESH_INTERVAL);
  }

  leave() {
    this.shown = false;
    clearInterval(this.timer);
    this.results.next();
    this.player?.stop();
  }

  /** Handles the board's keys outside the board too, except those that scroll the page. */
  shortcut(key) { return Boolean(this.player) && !["ArrowUp", "ArrowDown", " "].includes(key) && press(key, this.player, byId("arrows")); }

  /** The `number` that the link gives for `name`, if `list` has an entry for it; otherwise 0, and the page says so. */
  wanted(name, number, list) {
    if (Number.isInteger(number) && list[number] !== undefined) return number;
    if (number) this.wrong.push(`${name}=${number}`);
    return 0;
  }

  async open(run, match, game, ply) {
    this.results.next();
    this.wrong = [];
    run = this.wanted("run", run, this.about.runs);
    // The game is opened once the server has read the run, which may take more than one request.
    Object.assign(this, { run, match, stage: undefined, asking: false, pending: { game, ply } });
    byId("run-select").value = run;
    await this.refresh();
  }

  /** Shows the current results, and the games if there are new ones. */
  async refresh() {
    if (this.asking) return;
    this.asking = true;
    try {
      const { run } = this;
      const results = await ask("runs/" + run, undefined, this.results);
      if (results.matches.length) this.match = this.wanted("match", this.match, results.matches);
      this.write(results);
      const one = results.matches[this.match];
      const stage = JSON.stringify([run, this.match, one?.games]);
      if (one && stage !== this.stage) {
        const isNew = this.stage === undefined;
        const games = await ask(`runs/${run}/${this.match}`, undefined, this.results);
        this.stage = stage;
        const { game, ply } = this.pending;
        this.pending = {};
        const found = games.games.findIndex(({ number }) => number === game), place = Math.max(0, found);
        if (game !== undefined && found < 0) this.wrong.push(`game=${game}`);
        const hasPly = ply > 0 && ply <= games.games[place]?.plies;
        if (ply && !hasPly) this.wrong.push(`ply=${ply}`);
        this.player.showMatch(games, run, this.match, isNew, place, hasPly ? ply : 0);
      }
      this.note(this.wrong.length ? `The link is wrong: there is no ${this.wrong.join(", no ")}.` : "");
    } catch (error) {
      this.note(error.message);
    }
    this.asking = false;
  }

  note(text) { byId("run-note").textContent = text; }

  /** Shows the results. Unchanged ones stay, because the user may be about to click on them. */
  write(results) {
    const text = JSON.stringify(results);
    if (text !== this.text) this.rewrite(results);
    this.text = text;
    for (const row of byId("match-rows").children) mark(row, Number(row.dataset.place) === this.match);
  }

  rewrite({ under_way, matches, overviews, notes }) {
    byId("run-notes").textContent = notes.join(" · ");
    byId("run-state").textContent = { true: "no result yet", false: "finished" }[under_way] ?? "";
    const box = byId("overviews");
    box.replaceChildren();
    for (const { title, games, lines } of overviews) {
      html("h3", "", title, box).append(html("small", "", ` after ${games[0]} of ${games[1]} games`));
      const body = html("tbody", "", undefined, html("table", "stacked", undefined, box));
      for (const [name, text] of lines) {
        const row = html("tr", "", undefined, body);
        html("code", "", name, html("td", "", undefined, row));
        html("td", "", text, row);
      }
    }
    const rows = byId("match-rows"), focused = document.activeElement.closest("#match-rows tr")?.dataset.place;
    rows.replaceChildren();
    matches.forEach((match, place) => {
      const row = html("tr", "", undefined, rows);
      row.dataset.place = place;
      const button = html("button", "", match.name, html("td", "", undefined, row));
      if (row.dataset.place === focused) button.focus();
      const cell = (label, text, name = "n") => {
        const cell = html("td", name, text, row);
        cell.dataset.label = label;
        return cell;
      };
      html("code", "", match.names[0], cell("A", undefined, ""));
      html("code", "", match.names[1], cell("B", undefined, ""));
      cell("games", match.planned ? `${match.games} of ${match.planned}` : match.games);
      cell("+ = −", match.outcomes.join(" "));
      cell("score", match.score ?? "–");
      cell("Elo, 95 %", match.elo ?? "–");
      cell("SPRT", match.sprt ?? "–", "");
    });
  }

  /** Opens the game in the analysis, with the values and the best plays of its own searches. */
  analyse() {
    const { game, ply, opening } = this.player;
    if (!game?.replay?.plays) return;
    const { plays, first, values, candidates } = game.replay, { rules, names } = this.player.match;
    const isA = (first === "BLACK") === (game.black === 0);
    const tree = new Tree({ rules, first, names: isA ? names : [names[1], names[0]] });
    plays.forEach(chain => tree.play(chain));
    tree.path().forEach((node, at) => {
      const value = values[at - opening] ?? undefined, best = candidates[at - opening]?.[0]?.[0];
      Object.assign(node, { value: tree.mover(node) === "BLACK" ? value : value && -value, best: best && written(best) });
    });
    tree.node = tree.path()[ply];
    this.go("analyse", tree);
  }
}
