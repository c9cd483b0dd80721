// Analysis: an agent, or two for comparison, searches the position for as long as it is shown.

import { ask, Search } from "./server.js";
import { GameView } from "./game-view.js";
import { Line, addressOf, contents, inWords, placesOf, sideName } from "./line.js";
import { signed } from "./lists.js";
import { byId } from "./player.js";
import { coordinates, html, written } from "./board.js";

/** The maximum number of plays of a search that are listed. */
const MAX_LISTED = 12;
/** The maximum number of plies of the principal variation that are shown. */
const MAX_VARIATION = 8;
/** The maximum length of an input.txt, in bytes. */
const MAX_INPUT = 65536;

const short = count => count >= 1e6 ? (count / 1e6).toFixed(2) + " M" : count >= 1e4 ? (count / 1e3).toFixed(0) + " k" : String(Math.round(count));
const percent = share => share === null || share === undefined ? "–" : (share * 100).toFixed(1) + " %";

/** The first `count` children of `parent`; `make` adds missing ones. Existing ones are kept, since a click may be under way. */
function fit(parent, count, make) {
  while (parent.children.length > count) parent.lastChild.remove();
  while (parent.children.length < count) make(parent);
  return [...parent.children];
}

/** Sets the text of an element, if it differs. */
function write(element, text) {
  if (element.textContent !== text) element.textContent = text;
}

/** A word in quotes for the shell, if it needs them. */
const quoted = word => /^[\w.-]+$/.test(word) ? word : `'${word.replaceAll("'", "'\\''")}'`;

export class AnalyseView extends GameView {
  constructor(about, say, go) {
    super("analyse", ["A", "B"], about.camps, say);
    Object.assign(this, { go, line: new Line(), values: [], agents: ["mcts", ""], reports: [undefined, undefined] });
    this.searches = [0, 1].map(who => new Search({
      report: (report, done) => this.update(who, report, done), failed: message => this.update(who, { error: message }),
    }));
    const act = {
      "copy-link": () => this.copy(location.href, "The link"), "copy-command": () => this.copy(this.command, "The command"),
      "save-input": () => this.save(), "load-input": () => this.load(byId("input-text").value),
      "edit-done": () => this.edited(), "edit-clear": () => this.clear(), "edit-cancel": () => this.edit(false),
      "play-from-here": () => this.go("play", { ...this.line.address, from: "analysis" }), "search-again": () => this.search(),
      "analyse-start": () => this.open(new Line({ rules: this.line.rules })), edit: () => this.edit(!this.table.editing),
    };
    for (const [name, what] of Object.entries(act)) byId(name).addEventListener("click", what);
    for (const name of ["agent-a", "agent-b"]) byId(name).addEventListener("change", () => this.compare());
    byId("analyse-rules").addEventListener("change", () => this.open(new Line({ ...this.line, rules: byId("analyse-rules").value })));
    byId("input-file").addEventListener("change", event => this.read(event.target.files[0]));
    addEventListener("dragover", event => { if (this.shown) event.preventDefault(); });
    addEventListener("drop", event => this.dropped(event));
    byId("analyse-panel").addEventListener("click", event => {
      const play = event.target.closest("[data-play]");
      if (play) this.follow(play.dataset.play.split(";"));
    });
  }

  enter(address) {
    this.shown = true;
    if (address.has("a") || address.has("b")) {
      this.agents = [address.get("a") || "mcts", address.get("b") ?? ""];
      [byId("agent-a").value, byId("agent-b").value] = this.agents;
    }
    this.open(address.has("first") || address.has("plays") ? Line.of(address) : this.line);
  }

  leave() {
    this.shown = false;
    this.searches.forEach(search => search.stop());
  }

  /** Shows `line` in place of the line before; values of positions in both are kept. */
  open(line) {
    const same = JSON.stringify([line.rows, line.rules, line.first]) === JSON.stringify([this.line.rows, this.line.rules, this.line.first]);
    const known = this.line.plays;
    const agreed = line.plays.findIndex((chain, at) => !known[at] || written(chain) !== written(known[at]));
    this.values = same ? this.values.slice(0, (agreed < 0 ? line.plays.length : agreed) + 1) : [];
    this.line = line;
    byId("analyse-rules").value = line.rules;
    this.show();
  }

  /** Shows the current ply of the line, and searches its position. */
  async show(animated) {
    const { line } = this, { ply } = line;
    this.edit(false, true);
    this.isSearching = false;
    this.remember();
    try {
      const answer = await line.check();
      if (this.line !== line || line.ply !== ply) return;
      this.answer = answer;
    } catch (error) {
      this.searches.forEach(search => search.stop());
      return this.note(error.message);
    }
    const { answer } = this;
    this.table.show(line, animated);
    this.table.rule(answer, !answer.end);
    byId("analyse-status").textContent = answer.end?.why ?? `Ply ${line.ply} of ${line.plays.length}: ${sideName(answer.to_move)} to move, ${answer.legal.length} legal plays`;
    // The user may be typing there.
    if (document.activeElement !== byId("input-text")) byId("input-text").value = answer.input;
    this.table.suggest(byId("analyse-legal"));
    this.note(answer.duty ?? "");
    this.showPlays();
    this.search();
  }

  /** Puts the line and the agents into the page's address. */
  remember() {
    const address = { ...this.line.address, a: this.agents[0] };
    if (this.agents[1]) address.b = this.agents[1];
    if (this.shown) history.replaceState(null, "", "#analyse?" + addressOf(address));
    byId("command").textContent = this.command;
  }

  /** The command that analyses the saved input.txt in a terminal. */
  get command() {
    const rules = this.line.rules === "addendum" ? "" : " --rules " + this.line.rules;
    return `lab analyse input.txt --agent ${quoted(this.agents[0])} --cpu 1${rules}`;
  }

  /** Starts the agents' searches of the position shown. */
  search() {
    this.isSearching = true;
    this.reports = [undefined, undefined];
    byId("search-again").hidden = true;
    this.table.board.showArrows([]);
    byId("verdict-a").parentNode.classList.toggle("two", Boolean(this.agents[1]));
    this.agents.forEach((agent, who) => {
      byId("verdict-" + "ab"[who]).hidden = !agent;
      if (!agent || this.answer.end) return this.searches[who].stop();
      this.searches[who].start({ position: this.line.request, agent, limit: "endless", seed: 1 });
    });
    this.write();
  }

  compare() {
    this.agents = [byId("agent-a").value.trim() || "mcts", byId("agent-b").value.trim()];
    byId("agent-a").value = this.agents[0];
    this.values = this.values.map(values => values?.filter(([who]) => who === 0));
    this.remember();
    this.search();
  }

  /** Takes a report from agent number `who`, or its error. */
  update(who, report, done) {
    // The report may be about the previous position.
    if (!this.isSearching) return;
    this.reports[who] = report;
    if (typeof report.value === "number") {
      const value = report.to_move === "BLACK" ? report.value : -report.value;
      const others = (this.values[this.line.ply] ?? []).filter(([other]) => other !== who);
      this.values[this.line.ply] = [...others, [who, value]];
    }
    if (done) byId("search-again").hidden = report.search?.stop !== "time";
    this.write();
  }

  /** Writes the agents' reports. */
  write() {
    const [a, b] = this.reports;
    this.reports.forEach((report, who) => this.writeReport(byId("verdict-" + "ab"[who]), report, this.reports[1 - who]));
    const differ = a?.best && b?.best && a.best !== b.best;
    byId("differ").textContent = a?.best && b?.best ? differ ? `A plays ${a.best}; B plays ${b.best}.` : `Both play ${a.best}.` : "";
    const rival = differ ? b.arrows.slice(0, 1).map(arrow => [...arrow.slice(0, 3), "rival"]) : [];
    this.table.board.showArrows([...a?.arrows?.slice(0, 4) ?? [], ...rival]);
    const value = a?.expected_score ?? null;
    const black = value === null ? 0.5 : a.to_move === "BLACK" ? value : 1 - value;
    const bar = byId("value-bar");
    bar.style.setProperty("--black", black);
    bar.ariaLabel = value === null ? "Expected score: unknown so far" : `Black's expected score: ${percent(black)}`;
    byId("value-black").textContent = value === null ? "–" : percent(black);
    this.showCurve();
  }

  writeReport(box, report, others) {
    const part = name => box.querySelector("." + name);
    part("why").textContent = report?.error ?? (report ? `${report.best} – ${report.why}` : this.answer?.end ? "The game is over." : "…");
    box.classList.toggle("failed", Boolean(report?.error));
    const search = report?.search;
    const effort = search && (search.iterations !== undefined
      ? `${short(search.iterations)} iterations, ${short(search.iterations_per_second ?? 0)}/s, ${short(search.tree_nodes)} nodes`
      : `${short(search.nodes)} nodes, ${short(search.nodes_per_second ?? 0)}/s`) + `, depth ${search.depth}`;
    part("effort").textContent = effort ?? "";
    part("value").textContent = report?.value === null || report?.value === undefined ? "" :
      `value ${signed(report.value)}${report.proof ? `, proved ${report.proof}` : ""}`;
    this.writeRows(part("rows"), report, others);
    const pv = report?.principal_variation?.slice(0, MAX_VARIATION) ?? [];
    fit(part("pv"), pv.length, line => html("button", "", "", line)).forEach((button, at) => {
      write(button, pv[at]);
      button.dataset.play = pv.slice(0, at + 1).join(";");
    });
  }

  writeRows(body, report, others) {
    const rows = report?.search?.candidates.slice(0, MAX_LISTED) ?? [];
    const work = row => row.visits ?? row.nodes ?? 0;
    const all = rows.length ? report.search.candidates.reduce((sum, row) => sum + work(row), 0) : 0;
    const make = body => {
      const line = html("tr", "", undefined, body);
      html("button", "", "", html("td", "", undefined, line));
      ["n", "n part", "n", "n"].forEach(name => html("td", name, "", line));
      return line;
    };
    fit(body, rows.length, make).forEach((line, at) => {
      const row = rows[at], [play, ...cells] = line.children;
      const differs = others?.best && row.play === report.best && others.best !== report.best;
      line.classList.toggle("differs", Boolean(differs));
      write(play.firstChild, row.play);
      play.firstChild.dataset.play = row.play;
      const texts = [short(work(row)), percent(all ? work(row) / all : null),
        row.proof ?? (row.value === null ? "–" : signed(row.value)), percent(row.prior)];
      texts.forEach((text, at) => write(cells[at], text));
    });
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
    for (const play of plays) this.line.push(play);
    this.values.length = Math.min(this.values.length, this.line.ply - plays.length + 1);
    this.show(true);
  }

  look(ply) {
    const { line } = this;
    const before = line.ply;
    line.ply = Math.max(0, Math.min(line.plays.length, ply));
    this.show(line.ply === before + 1);
  }

  note(text) { byId("analyse-note").textContent = text; }

  async copy(text, what) {
    try {
      await navigator.clipboard.writeText(text);
      this.note(`${what} was copied.`);
    } catch {
      this.note(text);
    }
  }

  // input.txt

  async load(text) {
    try {
      const { first, rows } = await ask("input", { text });
      this.open(new Line({ rules: this.line.rules, first, rows }));
      this.say("The position was loaded.");
    } catch (error) {
      this.note(error.message);
    }
  }

  async read(file) {
    if (!file) return;
    if (file.size > MAX_INPUT) return this.note(`${file.name} is too large for an input.txt.`);
    this.load(await file.text());
  }

  dropped(event) {
    if (!this.shown) return;
    event.preventDefault();
    this.read(event.dataTransfer.files[0]);
  }

  save() {
    const link = document.createElement("a");
    link.href = URL.createObjectURL(new Blob([this.answer.input], { type: "text/plain" }));
    link.download = "input.txt";
    link.click();
    setTimeout(() => URL.revokeObjectURL(link.href), 1000);
  }

  // Editing the position.

  edit(on, quietly) {
    this.table.editing = on;
    byId("editor").hidden = !on;
    byId("edit").ariaPressed = String(on);
    if (on) {
      this.searches.forEach(search => search.stop());
      this.rows = this.answer.rows.map(row => [...row]);
      document.querySelector(`input[name=first][value=${this.answer.to_move}]`).checked = true;
      this.table.select(undefined);
      this.table.board.showArrows([]);
      this.note("Choose a piece, then click on squares.");
    } else if (!quietly) this.show();
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
    const rows = this.rows.map(row => row.join(""));
    const places = placesOf(rows);
    this.table.show(new Line({ rows }));
    this.table.rule({ rows, legal: [], to_move: "BLACK" }, false);
    this.note(`Black has ${places[0].length} pieces, White ${places[1].length}.`);
  }

  async edited() {
    const rows = this.rows.map(row => row.join(""));
    const first = document.querySelector("input[name=first]:checked").value;
    const line = new Line({ rules: this.line.rules, first, rows });
    try {
      await line.check();
      this.open(line);
    } catch (error) {
      this.note(error.message);
    }
  }
}
