// A game against the engine.

import { Generation, ask, search, tryAgent } from "./server.js";
import { GameView, askTwice } from "./game-view.js";
import { NewGameForm } from "./new-game.js";
import { Tree, addressOf, inWords, sideName } from "./tree.js";
import { byId, listCandidates, setAddress, signed, squares } from "./shared.js";
import { knock } from "./sound.js";

const KEPT = "halma-game";
/** Milliseconds after which the page says that a search has to wait. */
const PATIENCE = 1000;
/** The longest time for a game that the server accepts, in seconds. */
const MAX_SECONDS = 86400;
const SIDES = ["BLACK", "WHITE"];
const opponent = side => side === "BLACK" ? "WHITE" : "BLACK";
const sideBox = side => byId(side === "BLACK" ? "black-side" : "white-side");
const clockTime = seconds => {
  const whole = Math.max(0, seconds), rest = whole % 60;
  return `${Math.floor(whole / 60)}:${whole < 20 ? rest.toFixed(1).padStart(4, "0") : String(Math.floor(rest)).padStart(2, "0")}`;
};

export class PlayView extends GameView {
  constructor(about, say, go) {
    super("play", ["The engine"], about.camps, say);
    // `game` is a generation of its own, because the engine goes on thinking about the latest position while an earlier
    // one (`current`) is shown.
    Object.assign(this, { go, game: new Generation(), form: new NewGameForm(about.levels, () => this.restart()) });
    const act = { "take-back": () => this.takeBack(), hint: () => this.hint(), resign: () => this.resign(),
      rematch: () => this.rematch(), "play-save": () => this.save(this.named.text(this.result)), "play-link": () => this.copyLink(),
      swap: () => this.swap(), retry: () => this.show(), "to-analysis": () => this.go("analyse", this.named) };
    for (const [name, what] of Object.entries(act)) byId(name).addEventListener("click", what);
    setInterval(() => this.tick(), 200);
    addEventListener("pagehide", () => this.keep());
    const kept = this.kept();
    this.state = kept ?? this.newGame(new Tree(), "BLACK", this.form.choice);
    this.form.show(this.state);
  }

  /**
   * The state of a game: its tree, the node that it has reached, the human's side, and the opponent. Nodes know the
   * seconds that Black and White had `used` before them, those that the human has `spent` there if the turn was
   * interrupted, the engine's `thought` if it moved there, and how the game `ended` there.
   */
  newGame(tree, human, choice) {
    for (const node of tree.path()) Object.assign(node, { used: [0, 0], spent: 0, ended: undefined });
    return { tree, tip: tree.node, human, ...choice };
  }

  get tree() { return this.state.tree; }
  get named() {
    const { tree, human } = this.state, opponent = this.state.level ?? this.state.agent;
    return Object.assign(tree, { names: tree.first === human ? ["you", opponent] : [opponent, "you"] });
  }

  copyLink() { this.copy(`${location.href.split("#")[0]}#analyse?${addressOf(this.tree.address)}`, "The link"); }

  /** How the game has ended, if it has. */
  get end() { return this.state.tip.ended; }
  get isUnderWay() { return !this.end && this.tree.nodes.length > 1; }

  get last() { return this.state.tip; }
  get isAtTip() { return this.tree.node === this.state.tip; }
  get isHumansTurn() { return this.tree.mover(this.state.tip) === this.state.human; }

  /** Marks no errors: the values of a weak or hurried engine do not show them, but *Analyse game* does. */
  errorOf() {}

  values({ value }) { return value === undefined ? undefined : [[0, value]]; }

  kept() {
    try {
      const state = JSON.parse(sessionStorage.getItem(KEPT)), tree = Tree.from(state.tree);
      return { ...state, tree, tip: tree.node };
    } catch { return undefined; }
  }

  /** Keeps the game, and the time spent on the turn under way, for the next visit. */
  keep() {
    const { tip } = this.state;
    tip.spent = this.spent;
    this.turnBegan = performance.now();
    // The page may show an earlier node than the one to go on from.
    const tree = Object.assign(new Tree(this.tree), { root: this.tree.root, node: tip });
    try {
      sessionStorage.setItem(KEPT, JSON.stringify({ ...this.state, tree, tip: undefined }));
    } catch { /* The browser stores nothing for this page. */ }
  }

  /** Enters the view; with `tree` or a game in the `address`, a new game begins at the position it shows. */
  async enter(address, tree) {
    this.shown = true;
    if (!address.has("from")) return this.show();
    try {
      const begun = await this.begin((tree ?? await Tree.of(address, this.current)).copy());
      if (begun) setAddress("#play");
    } catch (error) {
      await this.show();
      this.note(error.message, true);
    }
  }

  leave() {
    this.shown = false;
    this.keep();
    this.changed();
  }

  /** The game has changed: drops answers about its previous state, and everything that followed from them. */
  changed() {
    this.game.next();
    this.answer = this.turnBegan = this.trouble = undefined;
    super.changed();
  }

  /** Begins the game that the form selects, unless the user wants to keep the one under way. */
  restart() {
    if (this.isUnderWay) askTwice(byId("start"), "Give up this game?", () => this.begin());
    else this.begin();
  }

  /**
   * Begins the game that the form selects, from the position that `tree` shows or from the start. Returns whether it has
   * begun: a field may be wrong, or the server unable to make the agent.
   */
  async begin(tree) {
    if (!this.form.check()) {
      this.show();
      return false;
    }
    const choice = this.form.choice;
    const start = tree ?? new Tree({ rules: byId("rules").value });
    const human = tree ? start.mover() : byId("colour").value;
    if (!choice.level) {
      this.keep();
      this.changed();
      this.table.rule(undefined, false);
      this.form.describe("Checking the agent …");
      this.game.signal.addEventListener("abort", () => this.form.showFields());
      const why = await tryAgent(choice.agent, start.request(), this.game);
      if (why) {
        byId("new-game-box").open = true;
        this.show();
        this.form.refuse(why);
        return false;
      }
    }
    this.state = this.newGame(start, human, choice);
    byId("new-game-box").open = false;
    this.form.show(this.state);
    this.show();
    return true;
  }

  /** Shows where the game stands, and lets the engine think if it is the engine's turn. */
  async show(animated) {
    this.draw(animated);
    if (!this.end && !this.isHumansTurn && this.shown) return this.think();
    try {
      this.arrive(await this.tree.check(this.game));
    } catch (error) {
      this.fail(error);
    }
  }

  /** Shows where the game stands after a change, before the server has ruled on it. */
  draw(animated) {
    this.changed();
    this.tree.node = this.state.tip;
    this.keep();
    this.table.show(this.tree, animated);
    this.write();
  }

  /** Takes the server's ruling on the position where the game stands. */
  arrive(answer) {
    this.answer = answer;
    this.state.tip.ended ??= answer.end;
    this.trouble = undefined;
    this.turnBegan = performance.now();
    if (this.isAtTip) this.table.rule(answer, this.isOpen);
    this.write();
  }

  get isOpen() { return Boolean(this.answer) && !this.end && this.isHumansTurn; }

  write() {
    const { state, end, isHumansTurn } = this;
    const { tip } = state, mover = this.tree.mover(tip);
    byId("status").textContent = end
      ? `${end.winner === state.human ? "You win." : "You lose."} ${end.why}`
      : isHumansTurn ? `Your turn: ${sideName(mover)} to move` : `${sideName(mover)} is thinking …`;
    this.note(this.said);
    byId("retry").hidden = true;
    byId("take-back").disabled = !tip.ply;
    byId("hint").disabled = byId("resign").disabled = !this.isOpen;
    byId("resign").withdraw?.();
    byId("resign").hidden = Boolean(end);
    byId("rematch").hidden = !end;
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
    this.showThought();
    this.tick();
  }

  /** Shows another node; a play there begins a variation, which becomes the game. */
  async look(node) {
    const { tree } = this;
    if (!node) return;
    const follows = node.parent === tree.node;
    tree.node = node;
    super.changed();
    this.table.show(tree, follows);
    this.markPlay();
    if (this.isAtTip) return this.table.rule(this.answer, this.isOpen);
    const isHumans = tree.mover() === this.state.human;
    const offer = isHumans ? "If you play here, the game continues from here. " : "";
    this.note(`Ply ${node.ply}. ${offer}Press End to return to the game.`);
    try {
      this.table.rule(await tree.check(this.current), isHumans);
    } catch (error) {
      this.note(error.message, true);
    }
  }

  play(chain) {
    this.move(chain, this.isAtTip ? this.spent : 0);
    this.show(true);
  }

  /** Adds a play, for which its side took `seconds`, after the node shown. The game continues from there. */
  move(chain, seconds) {
    const { state, tree } = this, before = tree.node;
    const mover = SIDES.indexOf(tree.mover());
    tree.play(chain);
    tree.promote();
    delete tree.node.ended;
    tree.node.used ??= before.used.map((used, side) => side === mover ? used + seconds - (state.increment ?? 0) : used);
    state.tip = tree.node;
    knock(squares(chain).length);
  }

  /** The seconds that `side` has left for the game, not counting the turn under way. */
  left(side) { return this.state.seconds - this.state.tip.used[SIDES.indexOf(side)]; }

  /** The seconds that the human has spent on the turn under way. */
  get spent() { return (this.state.tip.spent ?? 0) + (this.isOpen ? (performance.now() - this.turnBegan) / 1000 : 0); }

  think() {
    const { state } = this, { signal } = this.game;
    const limit = { iterations: { iterations: state.iterations }, move: { seconds: state.seconds },
      game: { game: Math.min(Math.max(this.left(opponent(state.human)), 0.001), MAX_SECONDS) } }[state.clock];
    search({ position: this.tree.request(state.tip), agent: state.agent, limit, seed: Math.floor(Math.random() * 1e9) }, {
      begun: position => this.arrive(position), report: (report, done) => done ? this.answered(report) : this.thinks(report),
      failed: error => this.fail(error),
    }, this.game);
    setTimeout(() => {
      if (signal.aborted || this.answer || this.trouble) return;
      this.trouble = "Waiting for the server to start the search: too many others may be running.";
      this.note(this.said);
    }, PATIENCE);
  }

  /** Shows what the engine considers, if the user wishes. */
  thinks(report) {
    if (!byId("show-thinking").checked) return;
    if (this.isAtTip) this.table.board.showArrows(report.arrows);
    this.writeThought({ ...report, why: "so far" });
  }

  answered(report) {
    const { state } = this;
    const side = opponent(state.human);
    if (state.clock === "game" && report.cpu > this.left(side)) return this.loseOnTime(side);
    const { best, why, value, to_move } = report, { tip } = state;
    tip.thought = { best, why, value, to_move, arrows: report.search ? report.arrows : [] };
    tip.best = best;
    if (value !== null) tip.value = to_move === "BLACK" ? value : -value;
    this.tree.node = tip;
    this.move(report.best_chain, report.cpu);
    this.say(`${sideName(side)} plays ${inWords(report.best_chain)}.`);
    this.draw(true);
    this.arrive(report.next);
  }

  showThought() {
    this.writeThought(this.tree.path(this.state.tip).findLast(node => node.thought)?.thought);
  }

  writeThought(thought) {
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
    const { tip } = this.state;
    tip.used = tip.used.map((used, at) => SIDES[at] === side ? this.state.seconds : used);
    this.endGame(opponent(side), `${sideName(side)} ran out of time.`);
  }

  endGame(winner, why) {
    this.state.tip.ended = { winner, why };
    this.show();
  }

  tick() {
    const { state } = this;
    if (state.clock !== "game") return;
    for (const side of SIDES) {
      const isTurn = this.isHumansTurn && side === state.human, left = this.left(side) - (isTurn ? this.spent : 0);
      sideBox(side).querySelector("time").textContent = clockTime(left);
      if (isTurn && this.shown && this.isOpen && left <= 0) return this.loseOnTime(side);
    }
  }

  typed() {
    if (this.table.isOpen) super.typed();
    else if (!this.isAtTip) this.refusePlay("Press End to return to the game.");
    else if (this.end) this.refusePlay("The game is over.");
    else if (!this.isHumansTurn) this.refusePlay(`It is ${sideName(this.tree.mover())}’s turn.`);
    else this.refusePlay(this.trouble || "The server has not answered yet.");
  }

  why(from, to, show) { if (this.isAtTip || show) super.why(from, to, show); }

  /** Shows a note; without one, why the game is interrupted, or the duty to leave the camp. */
  note(text, isError = false) {
    this.said = text;
    const duty = this.isOpen ? this.answer.duty : undefined;
    super.note(text || this.trouble || duty || "", isError || (!text && Boolean(this.trouble)));
  }

  /** Takes back the human's last play, and the engine's answer to it. */
  takeBack() {
    const { state, tree } = this;
    tree.node = state.tip;
    for (let plies = this.isHumansTurn ? 2 : 1; plies && tree.node.ply; plies--) tree.remove();
    state.tip = tree.node;
    for (const what of ["ended", "spent", "thought", "value", "best"]) delete state.tip[what];
    this.say("Taken back.");
    this.show();
  }

  hint() {
    super.changed();
    this.note("Looking for a hint …");
    search({ position: this.tree.request(), agent: "mcts", limit: { seconds: 1 }, seed: 1 }, {
      report: (report, done) => done && this.hinted(report), failed: error => this.note(error.message, true),
    }, this.current);
  }

  hinted(report) {
    this.table.board.showArrows(report.arrows.slice(0, 1));
    this.note(`The engine would play ${inWords(report.best_chain)}.`);
  }

  /** The result as in PGN, where the side that moves first is White. */
  get result() { return this.end ? this.end.winner === this.tree.first ? "1-0" : "0-1" : "*"; }

  resign() {
    const { human } = this.state;
    askTwice(byId("resign"), "Really resign?", () => this.endGame(opponent(human), `${sideName(human)} resigned.`));
  }

  rematch() {
    const { tree: { rules, first, rows }, human, tree, tip, ...choice } = this.state;
    this.state = this.newGame(new Tree({ rules, first, rows }), opponent(human), choice);
    this.form.show(this.state);
    this.show();
  }

  swap() {
    this.state.human = byId("colour").value = opponent(this.state.human);
    this.show();
  }
}
