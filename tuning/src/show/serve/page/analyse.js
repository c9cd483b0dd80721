// Analysis: an agent, or two for comparison, searches the position for as long as it is shown.

import { Generation, ask, search } from "./server.js";
import { GameView } from "./game-view.js";
import { Line, addressOf, contents, inWords, placesOf, sideName } from "./line.js";
import { byId } from "./player.js";
import { Verdict, percent } from "./verdict.js";
import { coordinates, written } from "./board.js";

/** The maximum length of an input.txt, in bytes. */
const MAX_INPUT = 65536;

/** A word in quotes for the shell, if it needs them. */
const quoted = word => /^[\w.-]+$/.test(word) ? word : `'${word.replaceAll("'", "'\\''")}'`;

/** Whether files are being dragged, rather than text. */
const hasFiles = event => event.dataTransfer?.types.includes("Files");

/** The number of plays in which two lines agree; −1 if they begin differently. */
function agreement(one, other) {
  const start = ({ rows, rules, first }) => JSON.stringify([rows, rules, first]);
  if (start(one) !== start(other)) return -1;
  const differs = one.plays.findIndex((chain, at) => !other.plays[at] || written(chain) !== written(other.plays[at]));
  return differs < 0 ? one.plays.length : differs;
}

export class AnalyseView extends GameView {
  constructor(about, say, go) {
    super("analyse", ["A", "B"], about.camps, say);
    this.program = about.program;
    // A line that is being opened takes the place of the one shown as soon as the server has accepted it.
    Object.assign(this, { go, opening: new Generation(), line: new Line(), values: [], agents: ["mcts", ""],
      reports: [undefined, undefined], verdicts: ["a", "b"].map(letter => new Verdict(byId("verdict-" + letter))) });
    const act = {
      "copy-link": () => this.copy(location.href, "The link"), "copy-command": () => this.copy(this.command, "The command"),
      "save-input": () => this.save(), "load-input": () => this.load(byId("input-text").value),
      "edit-done": () => this.edited(), "edit-clear": () => this.clear(), "edit-cancel": () => this.show(),
      "play-from-here": () => this.go("play", { ...this.line.address, from: "analysis" }),
      "search-again": () => this.show(),
      "analyse-start": () => this.open(new Line({ rules: this.line.rules })),
      edit: () => this.table.editing ? this.show() : this.edit(true),
    };
    for (const [name, what] of Object.entries(act)) byId(name).addEventListener("click", what);
    for (const name of ["agent-a", "agent-b"]) byId(name).addEventListener("change", () => this.compare());
    byId("analyse-rules").addEventListener("change", () => this.open(new Line({ ...this.line, rules: byId("analyse-rules").value })));
    byId("input-file").addEventListener("change", event => this.read(event.target.files[0]));
    addEventListener("dragover", event => { if (hasFiles(event)) event.preventDefault(); });
    addEventListener("drop", event => this.dropped(event));
    byId("analyse-panel").addEventListener("click", event => {
      const play = event.target.closest("[data-play]");
      if (play) this.follow(play.dataset.play.split(";"));
    });
  }

  enter(address) {
    this.shown = true;
    this.remembered = undefined;
    if (address.has("a") || address.has("b")) {
      this.agents = [address.get("a") || "mcts", address.get("b") ?? ""];
      [byId("agent-a").value, byId("agent-b").value] = this.agents;
    }
    this.open(address.has("first") || address.has("plays") ? Line.of(address) : this.line);
  }

  leave() {
    this.shown = false;
    this.edit(false);
    this.changed();
  }

  /** The position, the line or the agents have changed: drops what was asked and shown about them. */
  changed() {
    this.opening.next();
    this.answer = undefined;
    this.reports = [undefined, undefined];
    byId("search-again").hidden = true;
    super.changed();
    this.write();
  }

  /**
   * Shows `line` in place of the line before once the server has accepted it, and returns whether it has. Values of
   * positions in both are kept.
   */
  async open(line, animated) {
    this.opening.next();
    let answer;
    try {
      answer = await line.check(this.opening);
    } catch (error) {
      return this.refuse(error);
    }
    this.values = this.values.slice(0, agreement(line, this.line) + 1);
    this.line = line;
    this.draw(animated);
    this.arrive(answer);
    return true;
  }

  /** Says why the server does not accept a line. The one before stays, if there is one. */
  refuse(error) {
    byId("analyse-rules").value = this.line.rules;
    if (!this.answer) this.show();
    this.note(error.message, true);
  }

  /** Shows the current ply of the line, and searches its position once the server has ruled on it. */
  async show(animated) {
    this.draw(animated);
    try {
      this.arrive(await this.line.check(this.current));
    } catch (error) {
      this.note(error.message, true);
    }
  }

  draw(animated) {
    this.edit(false);
    this.changed();
    this.table.show(this.line, animated);
    byId("analyse-rules").value = this.line.rules;
    byId("analyse-status").textContent = this.plyText;
    this.showPlays();
    this.remember();
  }

  get plyText() { return `Ply ${this.line.ply} of ${this.line.plays.length}`; }

  /** Takes the server's ruling on the position shown. */
  arrive(answer) {
    const { line } = this;
    this.answer = answer;
    this.table.rule(answer, !answer.end);
    byId("analyse-status").textContent = answer.end
      ? `${sideName(answer.end.winner)} has won. ${answer.end.why}`
      : `${this.plyText}: ${sideName(answer.to_move)} to move, ${answer.legal.length} legal plays`;
    // The user may be typing there.
    if (document.activeElement !== byId("input-text")) byId("input-text").value = line.input(answer.input);
    this.table.suggest(byId("analyse-legal"));
    if (!this.said) this.note(answer.duty ?? "");
    this.search();
  }

  /** Puts the line and the agents into the page's address. The browser's Back button returns to plays given up. */
  remember() {
    const { line, remembered } = this;
    const address = { ...line.address, a: this.agents[0] };
    if (this.agents[1]) address.b = this.agents[1];
    byId("command").textContent = this.command;
    if (!this.shown) return;
    const isLost = remembered && agreement(line, remembered) < remembered.plays.length;
    history[isLost ? "pushState" : "replaceState"](null, "", "#analyse?" + addressOf(address));
    if (isLost) this.note("The browser's Back button returns to the line before.");
    this.remembered = new Line(line);
  }

  /** The command that analyses the saved input.txt in a terminal. */
  get command() {
    const rules = this.line.rules === "addendum" ? "" : " --rules " + this.line.rules;
    return `${this.program} analyse input.txt --agent ${quoted(this.agents[0])} --cpu 1${rules}`;
  }

  /** Starts the agents' searches of the position shown. */
  search() {
    byId("verdict-a").parentNode.classList.toggle("two", Boolean(this.agents[1]));
    this.agents.forEach((agent, who) => {
      this.verdicts[who].box.hidden = !agent;
      if (!agent || this.answer.end) return;
      search({ position: this.line.request, agent, limit: "endless", seed: 1 }, {
        report: (report, done) => this.update(who, report, done),
        failed: error => this.update(who, { error: error.message }, error.isTemporary),
      }, this.current);
    });
    this.write();
  }

  compare() {
    this.agents = [byId("agent-a").value.trim() || "mcts", byId("agent-b").value.trim()];
    byId("agent-a").value = this.agents[0];
    this.values = this.values.map(values => values?.filter(([who]) => who === 0));
    if (this.table.editing) this.remember();
    else this.show();
  }

  /** Takes a report from agent number `who`, or its error. */
  update(who, report, done) {
    this.reports[who] = report;
    if (typeof report.value === "number") {
      const value = report.to_move === "BLACK" ? report.value : -report.value;
      const others = (this.values[this.line.ply] ?? []).filter(([other]) => other !== who);
      this.values[this.line.ply] = [...others, [who, value]];
    }
    const isPaused = done && (report.error !== undefined || report.search?.stop === "time");
    if (isPaused) {
      byId("search-again").textContent = report.error ? "Retry" : "Continue the search";
      byId("search-again").hidden = false;
    }
    this.write();
  }

  /** Writes the agents' reports. */
  write() {
    const [a, b] = this.reports;
    this.verdicts.forEach((one, who) => one.write(this.reports[who], this.reports[1 - who], this.answer?.end));
    const differ = a?.best && b?.best && a.best !== b.best;
    byId("differ").textContent = a?.best && b?.best ? differ ? `A plays ${a.best}; B plays ${b.best}.` : `Both play ${a.best}.` : "";
    const rival = differ ? b.arrows.slice(0, 1).map(arrow => [...arrow.slice(0, 3), "rival"]) : [];
    this.table.board.showArrows([...a?.arrows?.slice(0, 4) ?? [], ...rival]);
    const black = this.blackScore;
    const bar = byId("value-bar");
    bar.style.setProperty("--black", black ?? 0.5);
    bar.ariaLabel = black === null ? "Expected score: unknown so far" : `Black's expected score: ${percent(black)}`;
    byId("value-black").textContent = percent(black);
    this.showCurve();
  }

  /** Black's score in the position shown: the result, or what A expects; null if that is unknown. */
  get blackScore() {
    const end = this.answer?.end, [a] = this.reports;
    if (end) return end.winner === "BLACK" ? 1 : 0;
    const value = a?.expected_score ?? null;
    return value === null || a.to_move === "BLACK" ? value : 1 - value;
  }

  play(chain) {
    const { line } = this;
    if (line.plays[line.ply] && written(line.plays[line.ply]) === written(chain)) return this.look(line.ply + 1);
    line.push(chain);
    this.values.length = Math.min(this.values.length, line.ply);
    this.say(`${inWords(chain)}.`);
    this.show(true);
  }

  /** Makes plays that an agent suggests. */
  follow(plays) {
    const line = this.line.copy();
    for (const play of plays) line.push(play);
    this.open(line, true);
  }

  look(ply) {
    const { line } = this;
    const before = line.ply;
    line.ply = Math.max(0, Math.min(line.plays.length, ply));
    this.show(line.ply === before + 1);
  }

  note(text, isError = false) {
    this.said = text;
    super.note(text, isError);
  }

  async copy(text, what) {
    const { signal } = this.current;
    const copied = await navigator.clipboard.writeText(text).then(() => `${what} was copied.`, () => text);
    if (!signal.aborted) this.note(copied);
  }

  // input.txt

  /** Opens the position in the `text` of an input.txt. */
  async load(text) {
    this.opening.next();
    try {
      const { first, rows, game, seconds } = await ask("input", { text }, this.opening);
      const line = new Line({ rules: this.line.rules, first, rows, time: { mode: game ? "GAME" : "SINGLE", seconds } });
      if (await this.open(line)) this.say("The position was loaded.");
    } catch (error) {
      this.refuse(error);
    }
  }

  async read(file) {
    if (!file) return;
    if (file.size > MAX_INPUT) return this.refuse(new Error(`${file.name} is too large for an input.txt.`));
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

  save() {
    if (!this.answer) return;
    const link = document.createElement("a");
    link.href = URL.createObjectURL(new Blob([this.line.input(this.answer.input)], { type: "text/plain" }));
    link.download = "input.txt";
    link.click();
    setTimeout(() => URL.revokeObjectURL(link.href), 1000);
  }

  // Editing the position.

  edit(on) {
    const { answer } = this;
    if (on && !answer) return;
    this.table.editing = on;
    byId("editor").hidden = !on;
    byId("edit").ariaPressed = String(on);
    if (!on) return;
    this.changed();
    this.answer = answer;
    this.rows = answer.rows.map(row => [...row]);
    document.querySelector(`input[name=first][value=${answer.to_move}]`).checked = true;
    this.table.select(undefined);
    byId("analyse-status").textContent = "Editing the position";
    this.note("Choose a piece, then click on squares.");
  }

  put(square) {
    const [x, y] = coordinates(square);
    const letter = document.querySelector("input[name=piece]:checked").value;
    this.rows[y][x] = this.rows[y][x] === letter ? "." : letter;
    this.say(`${square}: ${contents(this.rows[y][x])}`);
    this.showEdited();
  }

  clear() {
    this.rows = this.rows.map(row => row.map(() => "."));
    this.showEdited();
  }

  showEdited() {
    this.opening.next();
    const rows = this.rows.map(row => row.join(""));
    const places = placesOf(rows);
    this.table.show(new Line({ rows }));
    this.table.rule({ rows, legal: [], to_move: "BLACK" }, false);
    this.note(`Black has ${places[0].length} pieces, White ${places[1].length}.`);
  }

  edited() {
    const { rules, time } = this.line;
    const first = document.querySelector("input[name=first]:checked").value;
    this.open(new Line({ rules, first, rows: this.rows.map(row => row.join("")), time }));
  }
}
