// An agent's report on the position that is analysed: its best play, its effort, the plays it searched, and its line.

import { html, signed } from "./shared.js";

/** The maximum number of plays of a search that are listed. */
const MAX_LISTED = 12;
/** The maximum number of plies of the principal variation that are shown. */
const MAX_VARIATION = 8;
const short = count => count >= 1e6 ? (count / 1e6).toFixed(2) + " M" : count >= 1e4 ? (count / 1e3).toFixed(0) + " k" : String(Math.round(count));
export const percent = share => share === null || share === undefined ? "–" : (share * 100).toFixed(1) + " %";

/** The first `count` children of `parent`; `make` adds missing ones. Existing ones are kept, since a click may be under way. */
function fit(parent, count, make) {
  while (parent.children.length > count) parent.lastChild.remove();
  while (parent.children.length < count) make(parent);
  return [...parent.children];
}

function write(element, text) {
  if (element.textContent !== text) element.textContent = text;
}

export class Verdict {
  constructor(box) { this.box = box; }

  /**
   * Writes a report, or `instead` if there is none, and marks its best play if `others`, the other agent's report, has a
   * different one.
   */
  write(report, others, instead) {
    const { box } = this;
    const part = name => box.querySelector("." + name);
    part("why").textContent = report?.error ?? (report ? `${report.best} – ${report.why}` : instead);
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
      ["n", "n part", "n", "n part"].forEach(name => html("td", name, "", line));
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
}
