// A game against the engine.

import { ask, Search, tryAgent } from "./server.js";
import { GameView } from "./game-view.js";
import { Line, inWords, sideName } from "./line.js";
import { listCandidates, signed } from "./lists.js";
import { byId } from "./player.js";

const KEPT = "halma-game";
const opponent = side => side === "BLACK" ? "WHITE" : "BLACK";
const sideBox = side => byId(side === "BLACK" ? "black-side" : "white-side");
const clockTime = seconds => {
  const whole = Math.max(0, seconds), rest = whole % 60;
  return `${Math.floor(whole / 60)}:${whole < 20 ? rest.toFixed(1).padStart(4, "0") : String(Math.floor(rest)).padStart(2, "0")}`;
};

export class PlayView extends GameView {
  constructor(about, say, go) {
    super("play", ["You", "The engine"], about.camps, say);
    Object.assign(this, { about, go });
    this.engine = new Search({
      begun: position => this.arrive(position), report: (report, done) => done && this.answered(report),
      failed: message => this.fail(message),
    });
    this.hints = new Search({
      report: (report, done) => done && this.hinted(report), failed: message => this.note(message),
    });
    const act = { "take-back": () => this.takeBack(), hint: () => this.hint(), resign: () => this.resign(),
      swap: () => this.swap(), "to-analysis": () => this.go("analyse", this.line.address) };
    for (const [name, what] of Object.entries(act)) byId(name).addEventListener("click", what);
    byId("new-game").addEventListener("submit", event => { event.preventDefault(); this.begin(); });
    byId("new-game").addEventListener("change", () => this.showFields());
    setInterval(() => this.tick(), 200);
    const kept = this.kept();
    byId("new-game-box").open = !kept?.line.plays.length;
    this.state = kept ?? { line: new Line(), human: "BLACK", ...this.choice(), values: [], used: [0, 0] };
    this.showFields();
  }

  get line() { return this.state.line; }
  get values() { return this.state.values; }
  get isHumansTurn() { return this.line.mover(this.line.plays.length) === this.state.human; }

  /** The game saved before the page was reloaded. */
  kept() {
    try {
      const state = JSON.parse(sessionStorage.getItem(KEPT));
      return state && { ...state, line: new Line(state.line) };
    } catch { return undefined; }
  }

  keep() { sessionStorage.setItem(KEPT, JSON.stringify(this.state)); }

  /** The opponent and the clock that the form selects. */
  choice() {
    const get = id => byId(id).value;
    const level = this.about.levels.find(level => level.name === get("level"));
    const agent = level?.agent ?? (get("agent").trim() || "mcts");
    const clock = level?.iterations ? "iterations" : get("clock");
    return { agent, level: level?.name, clock, seconds: Number(get("seconds")), iterations: level?.iterations };
  }

  showFields() {
    const level = this.about.levels.find(level => level.name === byId("level").value);
    byId("agent-field").hidden = Boolean(level);
    byId("clock-fields").hidden = Boolean(level?.iterations);
    byId("level-about").textContent = level ? level.about : "A spec string, as in lab match.";
  }

  async enter(address) {
    this.shown = true;
    if (!address.has("from")) return this.show();
    if (await this.begin(Line.of(address).copy())) history.replaceState(null, "", "#play");
  }

  leave() {
    this.shown = false;
    this.hints.stop();
    this.engine.stop();
  }

  /**
   * Begins the game that the form selects, from `line` or from the start. Returns whether it has begun: the server may
   * be unable to make the agent.
   */
  async begin(line) {
    this.engine.stop();
    const beginning = this.beginning = {};
    const choice = this.choice();
    const colour = byId("colour").value;
    const start = line ?? new Line({ rules: byId("rules").value });
    const human = line && colour !== "WHITE" ? start.mover() : colour;
    if (!choice.level) {
      byId("level-about").textContent = "Checking the agent …";
      const why = await tryAgent(choice.agent, start.request);
      // Another game may have begun meanwhile.
      if (this.beginning !== beginning) return false;
      if (why) {
        byId("new-game-box").open = true;
        byId("level-about").textContent = why;
        this.show();
        return false;
      }
      this.showFields();
    }
    this.state = { line: start, human, ...choice, values: [], used: [0, 0] };
    byId("new-game-box").open = false;
    this.writeThought(undefined);
    this.note("");
    this.show();
    return true;
  }

  /** Shows the end of the line, and lets the engine think if it is its turn. */
  async show(animated) {
    const { state } = this;
    this.draw(animated);
    if (!state.end && !this.isHumansTurn && this.shown) return this.think();
    try {
      const answer = await this.line.check();
      if (this.state === state) this.arrive(answer);
    } catch (error) {
      this.fail(error.message);
    }
  }

  draw(animated) {
    this.keep();
    this.line.ply = this.line.plays.length;
    this.table.show(this.line, animated);
  }

  /** Takes the server's ruling on the position at the end of the line. */
  arrive(answer) {
    this.answer = answer;
    this.line.plays = answer.plays;
    this.end = this.state.end ?? answer.end;
    this.table.rule(answer, !this.end && this.isHumansTurn);
    this.turnBegan = performance.now();
    this.write();
  }

  write() {
    const { state, end, isHumansTurn } = this;
    const mover = this.line.mover();
    byId("status").textContent = end
      ? `${end.winner === state.human ? "You win." : "You lose."} ${end.why}`
      : isHumansTurn ? `Your turn: ${sideName(mover)} to move` : `${sideName(mover)} is thinking …`;
    this.note(this.said);
    byId("take-back").disabled = !this.line.plays.length;
    byId("hint").disabled = byId("resign").disabled = Boolean(end) || !isHumansTurn;
    byId("swap").disabled = Boolean(end);
    this.table.suggest(byId("play-legal"));
    for (const side of ["BLACK", "WHITE"]) {
      const box = sideBox(side);
      box.classList.toggle("moves", !end && mover === side);
      box.querySelector("code").textContent = side === state.human ? "you" : state.level ?? state.agent;
      box.querySelector("time").hidden = state.clock !== "game";
    }
    this.showPlays();
    this.showCurve();
    this.tick();
  }

  /** Shows an earlier ply, or the last one, where the game continues. */
  async look(ply) {
    const { line } = this;
    line.ply = Math.max(0, Math.min(line.plays.length, ply));
    const last = line.isAtEnd;
    const answer = last ? this.answer : await ask("position", line.request);
    if (this.line !== line) return;
    this.table.show(line);
    this.table.rule(answer, last && !this.end && this.isHumansTurn);
    this.showPlays();
    this.curve.point(line.ply);
    this.note(last ? "" : `Ply ${line.ply} of ${line.plays.length}; press End to return to the game.`);
  }

  /** Makes the human's play. */
  play(chain) {
    this.hints.stop();
    this.table.board.showArrows([]);
    this.count(this.state.human, (performance.now() - this.turnBegan) / 1000);
    this.line.push(chain);
    this.note("");
    this.show(true);
  }

  /** Adds time used by `side`. */
  count(side, seconds) { this.state.used[side === "BLACK" ? 0 : 1] += seconds; }

  /** Starts the engine's search of the position. */
  think() {
    const { state } = this;
    const left = state.seconds - state.used[state.human === "BLACK" ? 1 : 0];
    const limit = { iterations: { iterations: state.iterations }, move: { seconds: state.seconds },
      game: { game: Math.max(left, 0.001) } }[state.clock];
    this.engine.start({ position: this.line.request, agent: state.agent, limit, seed: Math.floor(Math.random() * 1e9) });
  }

  /** Makes the engine's play. */
  answered(report) {
    const { state, line } = this;
    line.ply = line.plays.length;
    const mover = line.mover();
    this.count(mover, report.cpu);
    if (state.clock === "game" && state.used[mover === "BLACK" ? 0 : 1] > state.seconds) return this.loseOnTime(mover);
    if (report.value !== null) state.values[line.ply] = [[1, mover === "BLACK" ? report.value : -report.value]];
    line.push(report.best_chain);
    this.say(`${sideName(mover)} plays ${inWords(report.best_chain)}.`);
    this.writeThought(report);
    this.draw(true);
    this.arrive(report.next);
  }

  writeThought(report) {
    byId("thought").textContent = report
      ? `${report.best} – ${report.why}` + (report.value === null ? "" : `; value ${signed(report.value)} for ${sideName(report.to_move)}`)
      : "";
    byId("thought-plays").replaceChildren();
    if (report?.search) listCandidates(byId("thought-plays"), report.arrows);
  }

  fail(message) {
    byId("status").textContent = "The game can't continue.";
    this.note(message);
  }

  loseOnTime(side) {
    this.state.end = { winner: opponent(side), why: `${sideName(side)} ran out of time.` };
    this.engine.stop();
    this.show();
  }

  /** Shows the clocks. */
  tick() {
    const { state } = this;
    if (state.clock !== "game") return;
    for (const [at, side] of ["BLACK", "WHITE"].entries()) {
      const running = this.shown && !this.end && this.isHumansTurn && side === state.human;
      const left = state.seconds - state.used[at] - (running ? (performance.now() - this.turnBegan) / 1000 : 0);
      sideBox(side).querySelector("time").textContent = clockTime(left);
      if (running && left <= 0) {
        this.count(side, state.seconds);
        this.loseOnTime(side);
      }
    }
  }

  why(from, to) { if (this.line.isAtEnd) super.why(from, to); }

  /** Shows a note; without one, the duty to leave the camp, if it applies. */
  note(text) {
    this.said = text;
    byId("play-note").textContent = text || (!this.end && this.isHumansTurn && this.answer?.duty) || "";
  }

  /** Takes back the human's last play, and the engine's answer to it. */
  takeBack() {
    const { state, line } = this;
    this.engine.stop();
    delete state.end;
    line.plays = line.plays.slice(0, Math.max(0, line.plays.length - (this.isHumansTurn ? 2 : 1)));
    state.values.length = Math.min(state.values.length, line.plays.length);
    this.writeThought(undefined);
    this.note("");
    this.say("Taken back.");
    this.show();
  }

  hint() {
    this.note("Looking for a hint …");
    this.hints.start({ position: this.line.request, agent: "mcts", limit: { seconds: 1 }, seed: 1 });
  }

  hinted(report) {
    if (!this.table.isOpen) return;
    this.table.board.showArrows(report.arrows.slice(0, 1));
    this.note(`The engine would play ${inWords(report.best_chain)}.`);
  }

  resign() {
    this.state.end = { winner: opponent(this.state.human), why: `${sideName(this.state.human)} resigned.` };
    this.show();
  }

  swap() {
    this.engine.stop();
    this.state.human = opponent(this.state.human);
    this.show();
  }
}
