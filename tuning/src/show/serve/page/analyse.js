// Analysis: an agent, or two for comparison, searches the position for as long as it is shown.

import { Generation, ask, search } from "./server.js";
import { GameView, askTwice } from "./game-view.js";
import { Editor } from "./editor.js";
import { Tree, addressOf, inWords, sideName } from "./tree.js";
import { byId, setAddress } from "./shared.js";
import { Review } from "./review.js";
import { Verdict, percent } from "./verdict.js";

/** The maximum length of a file, in bytes. */
const MAX_FILE = 200_000;

const quoted = word => /^[\w.-]+$/.test(word) ? word : `'${word.replaceAll("'", "'\\''")}'`;

const hasFiles = event => event.dataTransfer?.types.includes("Files");

export class AnalyseView extends GameView {
  /** `isPlaying()` says whether *Play on* would replace a game. */
  constructor(about, say, go, isPlaying) {
    super("analyse", ["A", "B", "the game"], about.camps, say);
    this.program = about.program;
    this.review = new Review({
      report: (node, report) => this.keepReport(node, 0, report),
      changed: () => this.reviewed(),
    });
    this.editor = new Editor(this.table, note => {
      this.opening.next();
      this.note(note);
    }, say);
    // A game that is being opened takes the place of the one shown as soon as the server has accepted it.
    Object.assign(this, { go, isPlaying, opening: new Generation(), searches: new Generation(), tree: new Tree(),
      agents: ["mcts", ""], verdicts: ["a", "b"].map(letter => new Verdict(byId("verdict-" + letter))) });
    const act = {
      "copy-link": () => this.copy(location.href, "The link"),
      "copy-command": () => this.copy(this.command, "The command"),
      "save-input": () => this.answer && this.download(this.tree.input(this.answer.input), "input.txt"),
      "save-game": () => this.save(this.tree.text()),
      "load-input": () => this.load(byId("input-text").value),
      "edit-done": () => this.edited(), "edit-cancel": () => this.show(),
      "play-from-here": () => this.playOn(), promote: () => { this.tree.promote(); this.show(); },
      remove: () => this.remove(), "search-again": () => this.show(),
      "analyse-start": () => this.open(() => new Tree({ rules: this.tree.rules })),
      edit: () => this.table.editing ? this.show() : this.edit(true),
      pause: () => { this.isPaused = !this.isPaused; this.search(); }, engine: () => this.search(),
      review: () => this.toggleReview(),
    };
    for (const [name, what] of Object.entries(act)) byId(name).addEventListener("click", what);
    for (const name of ["agent-a", "agent-b"]) byId(name).addEventListener("change", () => this.compare());
    byId("analyse-rules").addEventListener("change", () => this.changeRules(byId("analyse-rules").value));
    byId("game-select").addEventListener("change", event => this.load(this.text, Number(event.target.value)));
    byId("input-file").addEventListener("change", ({ target }) => {
      this.read(target.files[0]);
      // Otherwise choosing the same file again would be no change.
      target.value = "";
    });
    addEventListener("dragover", event => { if (hasFiles(event)) event.preventDefault(); });
    addEventListener("drop", event => this.dropped(event));
    byId("analyse-panel").addEventListener("click", event => {
      const play = event.target.closest("[data-play]");
      if (play) this.follow(play.dataset.play.split(";"));
    });
  }

  /** Enters the view with the game in the `address`, with `tree`, or with the game shown last. */
  enter(address, tree) {
    this.shown = true;
    this.remembered = undefined;
    if (address.has("a") || address.has("b")) {
      this.agents = [address.get("a") || "mcts", address.get("b") ?? ""];
      [byId("agent-a").value, byId("agent-b").value] = this.agents;
    }
    const link = new URLSearchParams(address);
    ["a", "b"].forEach(name => link.delete(name));
    const isShown = !link.size || addressOf(link) === addressOf(this.tree.address);
    if (tree) this.open(() => Tree.from(JSON.parse(JSON.stringify(tree))));
    else this.open(generation => isShown ? this.tree : Tree.of(link, generation));
  }

  leave() {
    this.shown = false;
    this.edit(false);
    this.changed();
  }

  /** The position, the game or the agents have changed: drops the pending requests and the results about them. */
  changed() {
    this.opening.next();
    this.searches.next();
    this.answer = undefined;
    byId("search-again").hidden = true;
    super.changed();
    this.write();
  }

  /**
   * Shows the tree that `make(generation)` returns or promises, in place of the current game, once the server has
   * accepted it. Returns whether the tree was accepted.
   */
  async open(make) {
    this.opening.next();
    let tree, answer;
    try {
      tree = await make(this.opening);
      answer = await tree.check(this.opening);
    } catch (error) {
      return this.refuse(error);
    }
    if (tree !== this.tree) this.dropReview();
    this.tree = tree;
    this.draw();
    this.arrive(answer);
    return true;
  }

  /** Says why the server does not accept a game. The current game stays. */
  refuse(error) {
    byId("analyse-rules").value = this.tree.rules;
    byId("game-select").value = this.tree.game;
    if (this.answer) this.remember();
    else this.show();
    this.note(error.message, true);
  }

  /** Shows the current node, and searches its position once the server has ruled on it. */
  async show(animated) {
    this.draw(animated);
    try {
      this.arrive(await this.tree.check(this.current));
    } catch (error) {
      this.note(error.message, true);
    }
  }

  draw(animated) {
    const { tree } = this;
    this.edit(false);
    this.changed();
    this.table.show(tree, animated);
    byId("analyse-rules").value = tree.rules;
    byId("analyse-status").textContent = this.plyText;
    byId("promote").disabled = tree.isMain(tree.node);
    byId("remove").disabled = !tree.node.parent;
    byId("remove").withdraw?.();
    byId("which-game").hidden = !(tree.games > 1);
    if (tree.games > 1) {
      byId("game-select").replaceChildren(...Array.from({ length: tree.games }, (_, at) => new Option(at + 1, at)));
      byId("game-select").value = tree.game;
      byId("games-of").textContent = `of ${tree.games} in the file`;
    }
    this.showPlays();
    this.remember();
  }

  get plyText() { return `Ply ${this.tree.node.ply} of ${this.line.at(-1).ply}`; }

  /** Takes the server's ruling on the position shown. */
  arrive(answer) {
    this.answer = answer;
    this.table.rule(answer, !answer.end);
    byId("analyse-status").textContent = answer.end
      ? `${sideName(answer.end.winner)} has won. ${answer.end.why}`
      : `${this.plyText}: ${sideName(answer.to_move)} to move, ${answer.legal.length} plays`;
    // The user may be typing there.
    if (document.activeElement !== byId("input-text")) byId("input-text").value = this.tree.input(answer.input);
    this.table.suggest(byId("analyse-legal"));
    if (!this.said) this.note((this.errorOf(this.tree.node) ?? this.nextError)?.text ?? answer.duty ?? "");
    this.search();
  }

  /** Puts the game and the agents into the page's address. The browser's Back button returns to a replaced game. */
  remember() {
    const { tree, remembered } = this;
    const parameters = { ...tree.address, a: this.agents[0] };
    if (this.agents[1]) parameters.b = this.agents[1];
    byId("command").textContent = this.command;
    if (!this.shown) return;
    const isLost = remembered && remembered !== tree && remembered.nodes.length;
    const address = "#analyse?" + addressOf(parameters);
    setAddress(address, isLost ? "pushState" : "replaceState");
    if (isLost) this.note("The browser's Back button returns to the previous game.");
    this.remembered = tree;
  }

  /** The command that analyses the saved input.txt in a terminal. */
  get command() {
    const rules = this.tree.rules === "addendum" ? "" : " --rules " + this.tree.rules;
    return `${this.program} analyse input.txt --agent ${quoted(this.agents[0])} --cpu 1${rules}`;
  }

  /** Why the agents do not search the position shown; `undefined` if they do. */
  get rest() {
    if (this.table.editing) return "The position is being edited.";
    if (this.answer?.end) return "The game is over.";
    if (!byId("engine").checked) return "The engine is off.";
    if (this.review.isRunning) return "Waiting for the analysis of the game.";
    return this.isPaused ? "The engine is paused." : undefined;
  }

  /** Plays on from here against the engine, unless the user wants to keep the game under way. */
  playOn() {
    const act = () => this.go("play", this.tree);
    if (this.isPlaying()) askTwice(byId("play-from-here"), "Give up your game?", act);
    else act();
  }

  /** Deletes the play shown, and those after it if the user confirms. */
  remove() {
    const act = () => { this.tree.remove(); this.show(); };
    if (this.tree.node.children.length) askTwice(byId("remove"), "Really delete?", act);
    else act();
  }

  /** Starts the agents' searches of the position shown, or stops them. */
  search() {
    this.searches.next();
    byId("search-again").hidden = true;
    byId("verdict-a").parentNode.classList.toggle("two", Boolean(this.agents[1]));
    this.agents.forEach((agent, who) => {
      this.verdicts[who].box.hidden = !agent;
      if (!agent || !this.answer || this.rest) return;
      if (this.reports[who]?.error) delete this.reports[who];
      search({ position: this.tree.request(), agent, limit: "endless", seed: 1 }, {
        report: (report, done) => this.update(who, report, done),
        failed: error => this.update(who, { error: error.message }, error.isTemporary),
      }, this.searches);
    });
    this.write();
  }

  /** Has agent A search all positions of the game, or stops that analysis. */
  toggleReview() {
    if (this.review.isRunning) {
      this.review.stop();
      this.reviewed();
    } else {
      this.searches.next();
      this.review.run(this.tree, this.agents[0], Number(byId("review-effort").value));
    }
  }

  reviewed() {
    this.writeReview();
    this.showPlays();
    if (this.review.isRunning || !this.shown) this.write();
    else this.search();
  }

  writeReview() {
    const { isRunning, progress } = this.review;
    byId("review").textContent = isRunning ? "Stop" : "Analyse game";
    byId("review-progress").textContent = progress;
  }

  /** Ends the analysis of a game that is shown no longer, or by an agent that has been replaced. */
  dropReview() {
    this.review.stop();
    this.review.progress = "";
    this.writeReview();
  }

  compare() {
    this.agents = [byId("agent-a").value.trim() || "mcts", byId("agent-b").value.trim()];
    byId("agent-a").value = this.agents[0];
    // The reports of the previous agents no longer apply.
    this.dropReview();
    for (const node of [this.tree.root, ...this.tree.nodes]) {
      for (const what of ["analysed", "reports", "review"]) delete node[what];
    }
    if (this.table.editing) this.remember();
    else this.show();
  }

  /** The mistake that the game makes in the position shown. */
  get nextError() { return this.tree.node.children.length ? this.errorOf(this.tree.node.children[0]) : undefined; }

  get reports() { return this.tree.node.reports ??= []; }

  /** The reports that are shown: none while the engine is off or the position is edited. */
  get shownReports() { return byId("engine").checked && !this.table.editing ? this.reports : []; }

  /** Takes a report from agent number `who`, or its error. */
  update(who, report, done) {
    this.keepReport(this.tree.node, who, report);
    const isPaused = done && (report.error !== undefined || report.search?.stop === "time");
    if (isPaused) {
      byId("search-again").textContent = report.error ? "Retry" : "Continue the search";
      byId("search-again").hidden = false;
    }
    this.write();
  }

  /** Keeps a report on `node`, its value for Black, and its best play. */
  keepReport(node, who, report) {
    const { end, value, best, to_move } = report;
    if (!end) (node.reports ??= [])[who] = report;
    const black = end ? (end.winner === "BLACK" ? 1 : -1) : to_move === "BLACK" ? value : -value;
    if (end || typeof value === "number") (node.analysed ??= [])[who] = { value: black, best };
  }

  values({ analysed, value }) {
    const values = (analysed ?? []).map((one, who) => one && [who, one.value]).filter(Boolean);
    return value === undefined ? values : [...values, [2, value]];
  }

  write() {
    const { rest } = this, [a, b] = this.shownReports;
    this.verdicts.forEach((one, who) => one.write([a, b][who], [b, a][who], rest ?? "…"));
    byId("pause").textContent = this.isPaused ? "▶" : "❚❚";
    byId("pause").ariaLabel = byId("pause").title = this.isPaused ? "Continue the search" : "Pause the search";
    byId("pause").disabled = !byId("engine").checked;
    const both = a?.best && b?.best, differ = both && a.best !== b.best;
    byId("differ").textContent = differ ? `A plays ${a.best}; B plays ${b.best}.` : both ? `Both play ${a.best}.` : "";
    const rival = differ ? b.arrows.slice(0, 1).map(arrow => [...arrow.slice(0, 3), "rival"]) : [];
    const arrows = [...a?.arrows?.slice(0, 4) ?? [], ...rival], better = this.table.editing ? undefined : this.nextError?.better;
    if (better && !arrows.some(([chain]) => chain === better[0])) arrows.push([...better.slice(0, 3), "better"]);
    this.table.board.showArrows(arrows);
    const black = this.blackScore;
    const bar = byId("value-bar");
    bar.style.setProperty("--black", black ?? 0.5);
    bar.ariaLabel = black === null ? "Expected score: unknown so far" : `Black's expected score: ${percent(black)}`;
    byId("value-black").textContent = percent(black);
    this.showCurve();
  }

  /** Black's score in the position shown: the result, or the score that A expects; null if unknown. */
  get blackScore() {
    const end = this.answer?.end, [a] = this.shownReports;
    if (end) return end.winner === "BLACK" ? 1 : 0;
    const value = a?.expected_score ?? null;
    return value === null || a.to_move === "BLACK" ? value : 1 - value;
  }

  play(chain) {
    this.tree.play(chain);
    this.say(`${inWords(chain)}.`);
    this.show(true);
  }

  async follow(plays) {
    const { tree } = this, { node } = tree, request = tree.request();
    this.opening.next();
    try {
      const answer = await ask("position", { ...request, plays: [...request.plays, ...plays] }, this.opening);
      tree.node = node;
      for (const chain of answer.plays.slice(node.ply)) tree.play(chain);
      this.draw(true);
      this.arrive(answer);
    } catch (error) {
      this.refuse(error);
    }
  }

  shortcut(key) {
    if (key !== "e") return super.shortcut(key);
    byId("engine").click();
    return true;
  }

  look(node) {
    if (!node || this.table.editing) return;
    const follows = node.parent === this.tree.node;
    this.tree.node = node;
    this.show(follows);
  }

  /** Applies other rules to the whole game. */
  changeRules(rules) {
    const { node, nodes, time } = this.tree, text = this.tree.text().replace(/^\[Rules .*$/m, `[Rules "${rules}"]`);
    this.open(async generation => {
      const tree = await Tree.read(text, rules, generation);
      return Object.assign(tree, { time, node: tree.nodes[nodes.indexOf(node)] ?? tree.root });
    });
  }

  note(text, isError = false) {
    this.said = text;
    super.note(text, isError);
  }

  async load(text, game = 0) {
    if (!text.trim()) return this.refuse(new Error("There is no text: paste a game or an input.txt."));
    if (!await this.open(generation => Tree.read(text, this.tree.rules, generation, game))) return;
    this.text = text;
    this.say("The game was loaded.");
  }

  async read(file) {
    if (!file) return;
    const fault = `${file.name} is too large: at most ${MAX_FILE / 1000} kB can be opened.`;
    if (file.size > MAX_FILE) return this.refuse(new Error(fault));
    this.opening.next();
    const { signal } = this.opening;
    const text = await file.text();
    if (!signal.aborted) this.load(text);
  }

  /** Opens a file that was dropped anywhere on the page. */
  dropped(event) {
    if (!hasFiles(event)) return;
    event.preventDefault();
    if (!this.shown) this.go("analyse");
    this.read(event.dataTransfer.files[0]);
  }

  edit(on) {
    const { answer } = this;
    if (on && !answer) return;
    this.table.editing = on;
    byId("editor").hidden = !on;
    byId("edit").ariaPressed = String(on);
    byId("analyse-rules").disabled = byId("play-from-here").disabled = on;
    if (!on) return;
    // These concern the game, which is not on the board now. Drawing it enables them again.
    for (const button of byId("view-analyse").querySelectorAll("#promote, #remove, [data-step]")) button.disabled = true;
    this.changed();
    this.answer = answer;
    this.editor.begin(answer);
    byId("analyse-status").textContent = "Editing the position";
    this.note("Choose a piece, then click on squares.");
  }

  put(square) { this.editor.put(square); }

  edited() {
    const { rules, time } = this.tree, { beginning } = this.editor;
    this.open(() => new Tree({ rules, time, ...beginning }));
  }
}
