// A position that the engine thinks about for as long as it is shown, and perhaps a second agent beside it.

import { ask, Search } from "./server.js";
import { Line, placesOf, sideName, told } from "./line.js";
import { Table } from "./table.js";
import { Curve } from "./curve.js";
import { byId, listPlays, markPlay, signed } from "./player.js";
import { html, named, squares, written } from "./board.js";

/** So many plays of a search are listed. */
const LISTED = 12;

const short = count => count >= 1e6 ? (count / 1e6).toFixed(2) + " M" : count >= 1e4 ? (count / 1e3).toFixed(0) + " k" : String(Math.round(count));
const percent = share => share === null || share === undefined ? "–" : (share * 100).toFixed(1) + " %";

/** The children of `parent`, so many, made by `make` if there are too few: what is clicked on stays where it is. */
function fit(parent, count, make) {
  while (parent.children.length > count) parent.lastChild.remove();
  while (parent.children.length < count) make(parent);
  return [...parent.children];
}

/** Changes the text of an element if it is another. */
function write(element, text) {
  if (element.textContent !== text) element.textContent = text;
}

/** What a shell reads as one word. */
const quoted = word => /^[\w.-]+$/.test(word) ? word : `'${word.replaceAll("'", "'\\''")}'`;

export class AnalyseView {
  constructor(about, say, go) {
    Object.assign(this, { about, say, go, line: new Line(), values: [], agents: ["mcts", ""] });
    this.table = new Table(byId("analyse-board"), about.camps, {
      play: hops => this.play(hops), why: (from, to) => this.why(from, to), step: what => this.step(what),
      edit: square => this.put(square),
    }, say);
    this.curve = new Curve(byId("analyse-curve"), ply => this.look(ply), ["A", "B"]);
    this.searches = [0, 1].map(who => new Search(
      (report, done) => this.told(who, report, done), message => this.refused(who, message)));
    this.reports = [undefined, undefined];
    byId("analyse-plays").addEventListener("click", event => {
      const play = event.target.closest("[data-ply]");
      if (play) this.look(Number(play.dataset.ply));
    });
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
    byId("analyse-say").addEventListener("submit", event => { event.preventDefault(); this.enterPlay(); });
    addEventListener("dragover", event => { if (this.shown) event.preventDefault(); });
    addEventListener("drop", event => this.dropped(event));
    byId("analyse-panel").addEventListener("click", event => {
      const play = event.target.closest("[data-play]");
      if (play) this.follow(play.dataset.play.split(" "));
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

  /** Shows `line` instead of what was shown. */
  open(line) {
    const same = JSON.stringify([line.rows, line.rules, line.first]) === JSON.stringify([this.line.rows, this.line.rules, this.line.first]);
    const known = this.line.plays;
    const agreed = line.plays.findIndex((hops, at) => !known[at] || written(hops) !== written(known[at]));
    this.values = same ? this.values.slice(0, (agreed < 0 ? line.plays.length : agreed) + 1) : [];
    this.line = line;
    byId("analyse-rules").value = line.rules;
    this.show();
  }

  /** Shows the ply of the line, and searches it. */
  async show(animated) {
    const { line } = this, { ply } = line;
    this.edit(false, true);
    this.remember();
    try {
      if (line.plays.some(hops => hops.length < 4 || !line.checked)) await line.check();
      line.checked = true;
      const answer = await ask("position", line.question);
      if (this.line !== line || line.ply !== ply) return;
      this.answer = answer;
    } catch (error) {
      this.searches.forEach(search => search.stop());
      return this.note(error.message);
    }
    const { answer } = this;
    this.table.show(line, answer, animated);
    this.table.open = !answer.end;
    byId("analyse-status").textContent = answer.end?.why ?? `Ply ${line.ply} of ${line.plays.length}: ${sideName(answer.to_move)} to move, ${answer.legal.length} legal plays`;
    // Not what somebody is writing just now.
    if (document.activeElement !== byId("input-text")) byId("input-text").value = answer.input;
    const legal = byId("analyse-legal");
    legal.replaceChildren();
    for (const hops of answer.legal) html("option", "", undefined, legal).value = written(hops);
    this.note(answer.duty ?? "");
    listPlays(byId("analyse-plays"), line.plays, line.first === "BLACK");
    markPlay(byId("analyse-plays"), line.ply);
    this.search();
  }

  /** Writes what is shown into the page's address. */
  remember() {
    const address = { ...this.line.address, a: this.agents[0] };
    if (this.agents[1]) address.b = this.agents[1];
    if (this.shown) history.replaceState(null, "", "#analyse?" + new URLSearchParams(address));
    byId("command").textContent = this.command;
  }

  /** The line that shows the same in a terminal, next to the input.txt that can be saved here. */
  get command() {
    const rules = this.line.rules === "addendum" ? "" : " --rules " + this.line.rules;
    return `lab analyse input.txt --agent ${quoted(this.agents[0])} --cpu 1${rules}`;
  }

  /** Lets the agents think about the position shown. */
  search() {
    this.reports = [undefined, undefined];
    byId("search-again").hidden = true;
    this.table.board.showArrows([]);
    byId("verdict-a").parentNode.classList.toggle("two", Boolean(this.agents[1]));
    this.agents.forEach((agent, who) => {
      byId("verdict-" + "ab"[who]).hidden = !agent;
      if (!agent || this.answer.end) return this.searches[who].stop();
      this.searches[who].start({ position: this.line.question, agent, limit: "endless", seed: 1 });
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

  told(who, report, done) {
    this.reports[who] = report;
    if (report.value !== null) {
      const value = report.to_move === "BLACK" ? report.value : -report.value;
      const others = (this.values[this.line.ply] ?? []).filter(([other]) => other !== who);
      this.values[this.line.ply] = [...others, [who, value]];
    }
    if (done) byId("search-again").hidden = report.search?.stop !== "time";
    this.write();
  }

  refused(who, message) {
    this.reports[who] = { error: message };
    this.write();
  }

  /** Writes what the agents think. */
  write() {
    const [a, b] = this.reports;
    this.reports.forEach((report, who) => this.writeReport(byId("verdict-" + "ab"[who]), report, this.reports[1 - who]));
    const differ = a?.best && b?.best && a.best !== b.best;
    byId("differ").textContent = a?.best && b?.best ? differ ? `They differ: A plays ${a.best}, B plays ${b.best}.` : `Both play ${a.best}.` : "";
    const rival = differ ? b.arrows.slice(0, 1).map(arrow => [...arrow.slice(0, 3), "rival"]) : [];
    this.table.board.showArrows([...a?.arrows?.slice(0, 4) ?? [], ...rival]);
    const value = a?.expected_score ?? null;
    const black = value === null ? 0.5 : a.to_move === "BLACK" ? value : 1 - value;
    const bar = byId("value-bar");
    bar.style.setProperty("--black", black);
    bar.ariaLabel = value === null ? "Expected score: not known yet" : `Expected score of Black ${percent(black)}`;
    byId("value-black").textContent = value === null ? "–" : percent(black);
    this.curve.draw(Math.max(this.line.plays.length, 1), this.values.map(values => values ?? undefined));
    this.curve.point(this.line.ply);
  }

  writeReport(box, report, others) {
    const part = name => box.querySelector("." + name);
    part("why").textContent = report?.error ?? (report ? `${report.best}: ${report.why}` : this.answer?.end ? "The game is over." : "…");
    box.classList.toggle("failed", Boolean(report?.error));
    const search = report?.search;
    const effort = search && (search.iterations !== undefined
      ? `${short(search.iterations)} iterations, ${short(search.iterations_per_second ?? 0)}/s, ${short(search.tree_nodes)} nodes`
      : `${short(search.nodes)} nodes, ${short(search.nodes_per_second ?? 0)}/s`) + `, depth ${search.depth}`;
    part("effort").textContent = effort ?? "";
    part("value").textContent = report?.value === null || report?.value === undefined ? "" :
      `value ${signed(report.value)}${report.proof ? `, proved ${report.proof}` : ""}`;
    this.writeRows(part("rows"), report, others);
    const pv = report?.principal_variation?.slice(0, 8) ?? [];
    fit(part("pv"), pv.length, line => html("button", "", "", line)).forEach((button, at) => {
      write(button, pv[at]);
      button.dataset.play = pv.slice(0, at + 1).map(play => play.replace(" ", ">")).join(" ");
    });
  }

  writeRows(body, report, others) {
    const rows = report?.search?.candidates.slice(0, LISTED) ?? [];
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
      play.firstChild.dataset.play = row.play.replace(" ", ">");
      const texts = [short(work(row)), percent(all ? work(row) / all : null),
        row.proof ?? (row.value === null ? "–" : signed(row.value)), percent(row.prior)];
      texts.forEach((text, at) => write(cells[at], text));
    });
  }

  play(hops) {
    const { line } = this;
    if (line.plays[line.ply] && written(line.plays[line.ply]) === written(hops)) return this.look(line.ply + 1);
    line.push(hops);
    this.values.length = Math.min(this.values.length, line.ply);
    this.say(`${told(hops)}.`);
    this.show(true);
  }

  /** Plays the first plays of a line that was told. */
  follow(plays) {
    const digits = play => squares(play.split(/[,>]/).map(Number).map(number => number.toString(16)).join("")).join("");
    for (const play of plays) this.line.push(digits(play));
    this.values.length = Math.min(this.values.length, this.line.ply - plays.length + 1);
    this.line.checked = false;
    this.show(true);
  }

  look(ply) {
    const { line } = this;
    const before = line.ply;
    line.ply = Math.max(0, Math.min(line.plays.length, ply));
    this.show(line.ply === before + 1);
  }

  step(what) {
    const { ply, plays } = this.line;
    this.look({ first: 0, last: plays.length, back: ply - 1, next: ply + 1 }[what]);
  }

  async why(from, to) {
    const { why } = await ask("why", { position: this.line.question, from, to: to ?? null });
    this.note(why);
  }

  enterPlay() {
    const field = byId("analyse-text"), play = this.table.find(field.value);
    if (play) {
      field.value = "";
      return this.play(play);
    }
    const [a, b, c, d] = field.value.match(/\d+/g) ?? [];
    if (d === undefined) return this.note("A play is written as two squares: 2,0 4,2");
    this.why(`${a},${b}`, `${c},${d}`).catch(error => this.note(error.message));
  }

  note(text) { byId("analyse-note").textContent = text; }

  async copy(text, what) {
    try {
      await navigator.clipboard.writeText(text);
      this.note(`${what} is copied.`);
    } catch {
      this.note(text);
    }
  }

  // input.txt

  async load(text) {
    try {
      const { first, rows } = await ask("input", { text });
      this.open(new Line({ rules: this.line.rules, first, rows }));
      this.say("The position is loaded.");
    } catch (error) {
      this.note(error.message);
    }
  }

  async read(file) {
    if (!file) return;
    if (file.size > 65536) return this.note(`${file.name} is too long for an input.txt.`);
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

  // Pieces are put on the board and taken off.

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
      this.note("Choose what to put, then click on squares.");
    } else if (!quietly) this.show();
  }

  put(square) {
    const [x, y] = [...square].map(digit => parseInt(digit, 16));
    const letter = document.querySelector("input[name=piece]:checked").value;
    this.rows[y][x] = this.rows[y][x] === letter ? "." : letter;
    this.say(`${named(square)}: ${{ B: "black piece", W: "white piece", ".": "empty" }[this.rows[y][x]]}`);
    this.showEdited();
  }

  clear() {
    this.rows = this.rows.map(row => row.map(() => "."));
    this.showEdited();
  }

  showEdited() {
    const rows = this.rows.map(row => row.join(""));
    const places = placesOf(rows);
    this.table.show(new Line({ rows }), { rows, legal: [], to_move: "BLACK" });
    this.note(`Black has ${places[0].length} pieces, White ${places[1].length}.`);
  }

  async edited() {
    const rows = this.rows.map(row => row.join(""));
    const first = document.querySelector("input[name=first]:checked").value;
    const line = new Line({ rules: this.line.rules, first, rows });
    try {
      await ask("position", line.question);
      this.open(line);
    } catch (error) {
      this.note(error.message);
    }
  }
}
