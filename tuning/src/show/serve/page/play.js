// A game against the engine.

import { Generation, ask, search, tryAgent } from "./server.js";
import { GameView } from "./game-view.js";
import { Line, inWords, sideName } from "./line.js";
import { listCandidates, signed } from "./lists.js";
import { byId } from "./player.js";

const KEPT = "halma-game";
/** The clocks that the form offers: the seconds proposed, and the most that the server accepts. */
const CLOCKS = { move: [1, 600], game: [300, 86_400] };
/** Milliseconds after which the page says that a search has to wait. */
const PATIENCE = 1000;
const SIDES = ["BLACK", "WHITE"];
const opponent = side => side === "BLACK" ? "WHITE" : "BLACK";
const sideBox = side => byId(side === "BLACK" ? "black-side" : "white-side");
const clockTime = seconds => {
  const whole = Math.max(0, seconds), rest = whole % 60;
  return `${Math.floor(whole / 60)}:${whole < 20 ? rest.toFixed(1).padStart(4, "0") : String(Math.floor(rest)).padStart(2, "0")}`;
};

export class PlayView extends GameView {
  constructor(about, say, go) {
    super("play", ["You", "The engine"], about.camps, say);
    // Most answers belong to the position shown, but the engine thinks about the game while earlier plies are shown.
    Object.assign(this, { about, go, game: new Generation() });
    const act = { "take-back": () => this.takeBack(), hint: () => this.hint(), resign: () => this.resign(),
      swap: () => this.swap(), retry: () => this.show(), "to-analysis": () => this.go("analyse", this.line.address) };
    for (const [name, what] of Object.entries(act)) byId(name).addEventListener("click", what);
    byId("new-game").addEventListener("submit", event => { event.preventDefault(); this.begin(); });
    byId("new-game").addEventListener("change", () => this.showFields());
    byId("clock").addEventListener("change", () => { [byId("seconds").value] = CLOCKS[byId("clock").value]; });
    setInterval(() => this.tick(), 200);
    const kept = this.kept();
    byId("new-game-box").open = !kept?.line.plays.length;
    this.state = kept ?? this.newGame(new Line(), "BLACK", this.choice());
    this.showChoice();
  }

  /**
   * The state of a game: who plays, the seconds that Black and White had used before each ply, and the engine's thoughts
   * at each ply.
   */
  newGame(line, human, choice) { return { line, human, ...choice, used: [[0, 0]], thoughts: [] }; }

  get line() { return this.state.line; }
  get values() {
    const black = ({ to_move, value }) => to_move === "BLACK" ? value : -value;
    return this.state.thoughts.map(one => one && one.value !== null ? [[1, black(one)]] : undefined);
  }
  get isHumansTurn() { return this.line.mover(this.line.plays.length) === this.state.human; }

  /** The game saved before the page was reloaded. */
  kept() {
    try {
      const state = JSON.parse(sessionStorage.getItem(KEPT));
      return state?.thoughts && { ...state, line: new Line(state.line) };
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
    byId("seconds").max = CLOCKS[byId("clock").value][1];
    this.describeLevel(level ? level.about : "A spec string, as in lab match.");
  }

  /** Describes the level or the agent that the form selects, or says what is wrong with it. */
  describeLevel(text, isError = false) {
    byId("level-about").textContent = text;
    byId("level-about").classList.toggle("warning", isError);
    byId("agent").ariaInvalid = String(isError);
  }

  /** Writes the game's settings into the form: the next game has the same, unless the user changes them. */
  showChoice() {
    const { line, human, agent, level, clock, seconds } = this.state;
    const fields = { colour: human, level: level ?? "", rules: line.rules };
    if (!level) fields.agent = agent;
    if (clock !== "iterations") Object.assign(fields, { clock, seconds });
    for (const [name, value] of Object.entries(fields)) byId(name).value = value;
    this.showFields();
  }

  async enter(address) {
    this.shown = true;
    if (!address.has("from")) return this.show();
    if (await this.begin(Line.of(address).copy())) history.replaceState(null, "", "#play");
  }

  leave() {
    this.shown = false;
    this.changed();
  }

  /** The game has changed: drops answers about the game before, and all that followed from them. */
  changed() {
    this.game.next();
    this.answer = this.end = this.turnBegan = this.trouble = undefined;
    super.changed();
  }

  /**
   * Begins the game that the form selects, from `line` or from the start. Returns whether it has begun: the server may
   * be unable to make the agent.
   */
  async begin(line) {
    const choice = this.choice();
    const start = line ?? new Line({ rules: byId("rules").value });
    const human = line ? start.mover() : byId("colour").value;
    if (!choice.level) {
      this.changed();
      this.table.rule(undefined, false);
      this.describeLevel("Checking the agent …");
      this.game.signal.addEventListener("abort", () => this.showFields());
      const why = await tryAgent(choice.agent, start.request, this.game);
      if (why) {
        byId("new-game-box").open = true;
        this.show();
        this.describeLevel(why, true);
        return false;
      }
    }
    this.state = this.newGame(start, human, choice);
    byId("new-game-box").open = false;
    this.showChoice();
    this.show();
    return true;
  }

  /** Shows the end of the line, and lets the engine think if it is its turn. */
  async show(animated) {
    this.draw(animated);
    if (!this.state.end && !this.isHumansTurn && this.shown) return this.think();
    try {
      this.arrive(await ask("position", this.line.request, this.game));
    } catch (error) {
      this.fail(error);
    }
  }

  /** Shows the end of the line after a change, before the server has ruled on it. */
  draw(animated) {
    this.changed();
    this.keep();
    this.line.ply = this.line.plays.length;
    this.table.show(this.line, animated);
    this.write();
  }

  /** Takes the server's ruling on the position at the end of the line. */
  arrive(answer) {
    this.answer = answer;
    this.line.plays = answer.plays;
    this.end = this.state.end ?? answer.end;
    this.trouble = undefined;
    this.turnBegan = performance.now();
    if (this.line.isAtEnd) this.table.rule(answer, this.isOpen);
    this.write();
  }

  /** Whether the human may play now. */
  get isOpen() { return Boolean(this.answer) && !this.end && this.isHumansTurn; }

  write() {
    const { state, end, isHumansTurn } = this;
    const mover = this.line.mover();
    byId("status").textContent = end
      ? `${end.winner === state.human ? "You win." : "You lose."} ${end.why}`
      : isHumansTurn ? `Your turn: ${sideName(mover)} to move` : `${sideName(mover)} is thinking …`;
    this.note(this.said);
    byId("retry").hidden = true;
    byId("take-back").disabled = !this.line.plays.length;
    byId("hint").disabled = byId("resign").disabled = !this.isOpen;
    byId("swap").disabled = Boolean(end);
    this.table.suggest(byId("play-legal"));
    for (const side of SIDES) {
      const box = sideBox(side);
      box.classList.toggle("moves", !end && mover === side);
      const isSpec = side !== state.human && !state.level, name = box.querySelector("code");
      name.textContent = side === state.human ? "you" : state.level ?? state.agent;
      name.classList.toggle("plain", !isSpec);
      box.querySelector("time").hidden = state.clock !== "game";
    }
    this.showPlays();
    this.showCurve();
    this.showThought();
    this.tick();
  }

  /** Shows an earlier ply, or the last one, where the game continues. */
  async look(ply) {
    const { line } = this;
    line.ply = Math.max(0, Math.min(line.plays.length, ply));
    super.changed();
    this.table.show(line);
    this.showPlays();
    this.curve.point(line.ply);
    if (line.isAtEnd) return this.table.rule(this.answer, this.isOpen);
    this.note(`Ply ${line.ply} of ${line.plays.length}; press End to return to the game.`);
    try {
      this.table.rule(await ask("position", line.request, this.current), false);
    } catch (error) {
      this.note(error.message, true);
    }
  }

  /** Makes the human's play. */
  play(chain) {
    this.move(chain, (performance.now() - this.turnBegan) / 1000);
    this.show(true);
  }

  /** Adds a play for which its side took `seconds`. */
  move(chain, seconds) {
    const { state, line } = this;
    line.ply = line.plays.length;
    const mover = SIDES.indexOf(line.mover());
    state.used.push(state.used.at(-1).map((used, side) => side === mover ? used + seconds : used));
    line.push(chain);
  }

  /** The seconds that `side` has left for the game, apart from the turn under way. */
  left(side) { return this.state.seconds - this.state.used.at(-1)[SIDES.indexOf(side)]; }

  /** Starts the engine's search of the position. */
  think() {
    const { state } = this, { signal } = this.game;
    const limit = { iterations: { iterations: state.iterations }, move: { seconds: state.seconds },
      game: { game: Math.max(this.left(opponent(state.human)), 0.001) } }[state.clock];
    search({ position: this.line.request, agent: state.agent, limit, seed: Math.floor(Math.random() * 1e9) }, {
      begun: position => this.arrive(position), report: (report, done) => done && this.answered(report),
      failed: error => this.fail(error),
    }, this.game);
    setTimeout(() => {
      if (signal.aborted || this.answer || this.trouble) return;
      this.trouble = "Waiting for the server to start the search: too many others may be running.";
      this.note(this.said);
    }, PATIENCE);
  }

  /** Makes the engine's play. */
  answered(report) {
    const { state, line } = this;
    const side = opponent(state.human);
    if (state.clock === "game" && report.cpu > this.left(side)) return this.loseOnTime(side);
    const { best, why, value, to_move } = report;
    state.thoughts[line.plays.length] = { best, why, value, to_move, arrows: report.search ? report.arrows : [] };
    this.move(report.best_chain, report.cpu);
    this.say(`${sideName(side)} plays ${inWords(report.best_chain)}.`);
    this.draw(true);
    this.arrive(report.next);
  }

  /** Shows what the engine thought at its last play. */
  showThought() {
    const thought = this.state.thoughts.findLast(Boolean);
    byId("thought").textContent = thought
      ? `${thought.best} – ${thought.why}` +
        (thought.value === null ? "" : `; value ${signed(thought.value)} for ${sideName(thought.to_move)}`)
      : "";
    byId("thought-plays").replaceChildren();
    listCandidates(byId("thought-plays"), thought?.arrows ?? []);
  }

  /** Says why the game can't go on, for now or at all. */
  fail(error) {
    byId("status").textContent = error.isTemporary ? "The engine can't search now." : "The game can't continue.";
    byId("retry").hidden = !error.isTemporary;
    if (!error.isTemporary) byId("new-game-box").open = true;
    this.trouble = error.message;
    this.note("");
  }

  loseOnTime(side) {
    this.state.used.at(-1)[SIDES.indexOf(side)] = this.state.seconds;
    this.state.end = { winner: opponent(side), why: `${sideName(side)} ran out of time.` };
    this.show();
  }

  /** Shows the clocks. */
  tick() {
    const { state } = this;
    if (state.clock !== "game") return;
    for (const side of SIDES) {
      const running = this.shown && this.isOpen && side === state.human;
      const left = this.left(side) - (running ? (performance.now() - this.turnBegan) / 1000 : 0);
      sideBox(side).querySelector("time").textContent = clockTime(left);
      if (running && left <= 0) return this.loseOnTime(side);
    }
  }

  why(from, to) { if (this.line.isAtEnd) super.why(from, to); }

  /** Shows a note; without one, why the game is interrupted, or the duty to leave the camp. */
  note(text, isError = false) {
    this.said = text;
    const duty = this.isOpen ? this.answer.duty : undefined;
    super.note(text || this.trouble || duty || "", isError || (!text && Boolean(this.trouble)));
  }

  /** Takes back the human's last play, and the engine's answer to it. */
  takeBack() {
    const { state, line } = this;
    const plies = Math.max(0, line.plays.length - (this.isHumansTurn ? 2 : 1));
    delete state.end;
    line.plays = line.plays.slice(0, plies);
    state.used.length = plies + 1;
    state.thoughts.length = Math.min(state.thoughts.length, plies);
    this.say("Taken back.");
    this.show();
  }

  hint() {
    super.changed();
    this.note("Looking for a hint …");
    search({ position: this.line.request, agent: "mcts", limit: { seconds: 1 }, seed: 1 }, {
      report: (report, done) => done && this.hinted(report), failed: error => this.note(error.message, true),
    }, this.current);
  }

  hinted(report) {
    this.table.board.showArrows(report.arrows.slice(0, 1));
    this.note(`The engine would play ${inWords(report.best_chain)}.`);
  }

  resign() {
    this.state.end = { winner: opponent(this.state.human), why: `${sideName(this.state.human)} resigned.` };
    this.show();
  }

  swap() {
    this.state.human = byId("colour").value = opponent(this.state.human);
    this.show();
  }
}
