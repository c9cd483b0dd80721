// A game against the engine.

import { ask, Search, tryAgent } from "./server.js";
import { Line, sideName, told } from "./line.js";
import { Table } from "./table.js";
import { Curve } from "./curve.js";
import { byId, listCandidates, listPlays, markPlay, signed } from "./player.js";
import { html, written } from "./board.js";

const KEPT = "halma-game";
const other = side => side === "BLACK" ? "WHITE" : "BLACK";
const minutes = seconds => {
  const whole = Math.max(0, seconds), rest = whole % 60;
  return `${Math.floor(whole / 60)}:${whole < 20 ? rest.toFixed(1).padStart(4, "0") : String(Math.floor(rest)).padStart(2, "0")}`;
};

export class PlayView {
  constructor(about, say, go) {
    Object.assign(this, { about, say, go });
    this.table = new Table(byId("play-board"), about.camps, {
      play: hops => this.play(hops), why: (from, to) => this.why(from, to), step: what => this.step(what),
    }, say);
    this.curve = new Curve(byId("play-curve"), ply => this.look(ply), ["You", "The engine"]);
    this.engine = new Search((report, done) => done && this.answered(report), message => this.failed(message));
    this.hints = new Search((report, done) => done && this.hinted(report), message => this.note(message));
    byId("play-plays").addEventListener("click", event => {
      const play = event.target.closest("[data-ply]");
      if (play) this.look(Number(play.dataset.ply));
    });
    const act = { "take-back": () => this.takeBack(), hint: () => this.hint(), resign: () => this.resign(),
      swap: () => this.swap(), "to-analysis": () => this.go("analyse", this.line.address) };
    for (const [name, what] of Object.entries(act)) byId(name).addEventListener("click", what);
    byId("new-game").addEventListener("submit", event => { event.preventDefault(); this.begin(); });
    byId("new-game").addEventListener("change", () => this.showFields());
    byId("say-play").addEventListener("submit", event => { event.preventDefault(); this.enterPlay(); });
    setInterval(() => this.tick(), 200);
    const kept = this.kept();
    byId("new-game-box").open = !kept?.line.plays.length;
    this.state = kept ?? { line: new Line(), human: "BLACK", ...this.wanted(), values: [], used: [0, 0] };
    this.showFields();
  }

  get line() { return this.state.line; }

  /** The game that this page had before it was loaded again. */
  kept() {
    try {
      const state = JSON.parse(sessionStorage.getItem(KEPT));
      return state && { ...state, line: new Line(state.line) };
    } catch { return undefined; }
  }

  keep() { sessionStorage.setItem(KEPT, JSON.stringify(this.state)); }

  /** What the form says of the next game. */
  wanted() {
    const get = id => byId(id).value;
    const level = this.about.levels.find(level => level.name === get("level"));
    const agent = level?.agent ?? (get("agent").trim() || "mcts");
    const seconds = Number(get("seconds"));
    const clock = level?.iterations ? "iterations" : get("clock");
    return { agent, level: level?.name, clock, seconds, iterations: level?.iterations };
  }

  showFields() {
    const level = this.about.levels.find(level => level.name === byId("level").value);
    byId("agent-field").hidden = Boolean(level);
    byId("clock-fields").hidden = Boolean(level?.iterations);
    byId("level-about").textContent = level ? level.about : "The agent by its spec, as in lab match.";
  }

  async enter(address) {
    this.shown = true;
    if (address.has("from")) {
      const line = Line.of(address);
      const start = new Line({ rules: line.rules, first: line.first, rows: line.rows, plays: line.plays.slice(0, line.ply) });
      if (await this.begin(start)) history.replaceState(null, "", "#play");
      return;
    }
    this.show();
  }

  leave() {
    this.shown = false;
    this.hints.stop();
    this.engine.stop();
    this.thinking = false;
  }

  /** Begins a game by the form, from `line` or from the start, if the server can make the agent: whether it has begun. */
  async begin(line) {
    this.engine.stop();
    this.thinking = false;
    const beginning = this.beginning = {};
    const wanted = this.wanted();
    const rules = byId("rules").value;
    const colour = byId("colour").value;
    const start = line ?? new Line({ rules });
    const human = line && colour !== "WHITE" ? start.mover() : colour;
    if (!wanted.level) {
      byId("level-about").textContent = "Trying the agent …";
      const why = await tryAgent(wanted.agent, start.question);
      // Another game was begun meanwhile.
      if (this.beginning !== beginning) return false;
      if (why) {
        byId("new-game-box").open = true;
        byId("level-about").textContent = why;
        this.show();
        return false;
      }
      this.showFields();
    }
    this.state = { line: start, human, ...wanted, values: [], used: [0, 0] };
    byId("new-game-box").open = false;
    this.report = undefined;
    this.note("");
    this.show();
    return true;
  }

  /** Shows the game as it is, and lets whoever is to move go on. */
  async show(animated) {
    const { state } = this;
    this.keep();
    let answer;
    try {
      answer = await this.line.check();
    } catch (error) {
      return this.failed(error.message);
    }
    if (this.state !== state) return;
    this.answer = answer;
    this.line.ply = this.line.plays.length;
    this.end = state.end ?? (answer.end && { winner: answer.end.winner, why: answer.end.why });
    this.table.show(this.line, answer, animated);
    this.table.open = !this.end && this.line.mover() === state.human;
    this.turnBegan = performance.now();
    this.write();
    if (!this.end && this.line.mover() !== state.human && this.shown) this.think();
  }

  write() {
    const { state, end, answer } = this;
    const yours = this.line.mover() === state.human;
    const who = sideName(this.line.mover());
    byId("status").textContent = end
      ? `${end.winner === state.human ? "You win." : "You lose."} ${end.why}`
      : yours ? `Your turn: ${who} to move` : `${who} is thinking …`;
    this.note(this.said);
    byId("take-back").disabled = !this.line.plays.length;
    byId("hint").disabled = byId("resign").disabled = Boolean(end) || !yours;
    byId("swap").disabled = Boolean(end);
    const legal = byId("legal");
    legal.replaceChildren();
    if (!end && yours) for (const hops of answer?.legal ?? []) html("option", "", undefined, legal).value = written(hops);
    for (const side of ["BLACK", "WHITE"]) {
      const box = byId(side === "BLACK" ? "black-side" : "white-side");
      box.classList.toggle("moves", !end && this.line.mover() === side);
      box.querySelector("code").textContent = side === state.human ? "you" : state.level ?? state.agent;
      box.querySelector("time").hidden = state.clock !== "game";
    }
    listPlays(byId("play-plays"), this.line.plays, this.line.first === "BLACK");
    markPlay(byId("play-plays"), this.line.ply);
    const judged = state.values.map(value => value ?? undefined);
    this.curve.draw(this.line.plays.length, judged);
    this.curve.point(this.line.ply);
    this.tick();
  }

  /** Shows an earlier ply, or the last one, at which the game goes on. */
  async look(ply) {
    const { line } = this;
    line.ply = Math.max(0, Math.min(line.plays.length, ply));
    const last = line.ply === line.plays.length;
    const answer = last ? this.answer : await ask("position", line.question);
    if (this.line !== line) return;
    this.table.show(line, { ...answer, legal: last ? answer.legal : [] });
    this.table.open = last && !this.end && line.mover() === this.state.human;
    markPlay(byId("play-plays"), line.ply);
    this.curve.point(line.ply);
    this.note(last ? "" : `Ply ${line.ply} of ${line.plays.length}; End goes back to the game.`);
  }

  step(what) {
    const { ply, plays } = this.line;
    this.look({ first: 0, last: plays.length, back: ply - 1, next: ply + 1 }[what]);
  }

  /** The human's play. */
  play(hops) {
    this.hints.stop();
    this.table.open = false;
    this.table.board.showArrows([]);
    this.count(this.state.human, (performance.now() - this.turnBegan) / 1000);
    this.line.push(hops);
    this.note("");
    this.show(true);
  }

  /** Counts time on the clock of `side`. */
  count(side, seconds) { this.state.used[side === "BLACK" ? 0 : 1] += seconds; }

  /** Lets the engine think about the position. */
  think() {
    const { state } = this;
    const left = state.seconds - state.used[state.human === "BLACK" ? 1 : 0];
    const limit = { iterations: { iterations: state.iterations }, move: { seconds: state.seconds },
      game: { game: Math.max(left, 0.001) } }[state.clock];
    this.thinking = true;
    this.engine.start({ position: this.line.question, agent: state.agent, limit,
      seed: Math.floor(Math.random() * 1e9) });
  }

  /** The engine's play. */
  answered(report) {
    const { state } = this;
    this.thinking = false;
    this.report = report;
    const mover = this.line.mover();
    this.count(mover, report.cpu);
    if (state.clock === "game" && state.used[mover === "BLACK" ? 0 : 1] > state.seconds) return this.timeIsOver(mover);
    const ply = this.line.plays.length;
    if (report.value !== null) state.values[ply] = [[1, mover === "BLACK" ? report.value : -report.value]];
    this.line.ply = ply;
    this.line.push(report.best_hops);
    this.say(`${sideName(mover)} plays ${told(report.best_hops)}.`);
    this.writeThought(report);
    this.show(true);
  }

  writeThought(report) {
    byId("thought").textContent = report
      ? `${report.best}: ${report.why}` + (report.value === null ? "" : `; value ${signed(report.value)} for ${sideName(report.to_move)}`)
      : "";
    byId("thought-plays").replaceChildren();
    if (report?.search) listCandidates(byId("thought-plays"), report.arrows);
  }

  failed(message) {
    this.thinking = false;
    byId("status").textContent = "The game can't go on.";
    this.note(message);
  }

  timeIsOver(side) {
    this.state.end = { winner: other(side), why: `${sideName(side)}'s time for the game is over.` };
    this.engine.stop();
    this.show();
  }

  /** Shows the clocks. */
  tick() {
    const { state } = this;
    if (state.clock !== "game") return;
    for (const [at, side] of ["BLACK", "WHITE"].entries()) {
      const running = this.shown && !this.end && this.line.mover(this.line.plays.length) === side && side === state.human;
      const left = state.seconds - state.used[at] - (running ? (performance.now() - this.turnBegan) / 1000 : 0);
      byId(side === "BLACK" ? "black-side" : "white-side").querySelector("time").textContent = minutes(left);
      if (running && left <= 0) {
        this.count(side, state.seconds);
        this.timeIsOver(side);
      }
    }
  }

  async why(from, to) {
    if (this.line.ply !== this.line.plays.length) return;
    const { why } = await ask("why", { position: this.line.question, from, to: to ?? null });
    this.note(why);
  }

  /** Says something about the position; where there is nothing to say, what the camp rules demand. */
  note(text) {
    this.said = text;
    const yours = !this.end && this.line.mover() === this.state.human;
    byId("play-note").textContent = text || (yours && this.answer?.duty) || "";
  }

  /** Takes the human's last play back, and what the engine answered. */
  takeBack() {
    const { state, line } = this;
    this.engine.stop();
    this.thinking = false;
    delete state.end;
    line.ply = line.plays.length;
    const back = line.mover() === state.human ? 2 : 1;
    line.plays = line.plays.slice(0, Math.max(0, line.plays.length - back));
    line.ply = line.plays.length;
    state.values.length = Math.min(state.values.length, line.ply);
    this.writeThought(undefined);
    this.note("");
    this.say("Taken back.");
    this.show();
  }

  hint() {
    this.note("Thinking about a hint …");
    this.hints.start({ position: this.line.question, agent: "mcts", limit: { seconds: 1 }, seed: 1 });
  }

  hinted(report) {
    if (!this.table.isOpen) return;
    this.table.board.showArrows(report.arrows.slice(0, 1));
    this.note(`The engine would play ${told(report.best_hops)}.`);
  }

  resign() {
    this.state.end = { winner: other(this.state.human), why: `${sideName(this.state.human)} has resigned.` };
    this.show();
  }

  swap() {
    this.engine.stop();
    this.thinking = false;
    this.state.human = other(this.state.human);
    this.show();
  }

  /** The play that is written in the field. */
  enterPlay() {
    const field = byId("play-text");
    const play = this.table.isOpen ? this.table.find(field.value) : undefined;
    if (play) {
      field.value = "";
      return this.play(play);
    }
    const [a, b, c, d] = field.value.match(/\d+/g) ?? [];
    if (d === undefined) return this.note("A play is written as two squares: 2,0 4,2");
    this.why(`${a},${b}`, `${c},${d}`).catch(error => this.note(error.message));
  }
}
