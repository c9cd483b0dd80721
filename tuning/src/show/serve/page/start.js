// Starts the page and its three views. The address selects the one shown.

import { ask } from "./server.js";
import { addressOf } from "./line.js";
import { byId } from "./player.js";
import { PlayView } from "./play.js";
import { AnalyseView } from "./analyse.js";
import { RunsView } from "./runs.js";

const announce = byId("announce");

/** Makes screen readers say `text`. */
function say(text) { announce.textContent = text; }

const about = await ask("about");
const views = {};
const go = (view, address) => {
  history.pushState(null, "", "#" + (address ? `${view}?${addressOf(address)}` : view));
  follow();
};
Object.assign(views, {
  play: new PlayView(about, say, go),
  analyse: new AnalyseView(about, say, go),
  runs: new RunsView(about, say, go),
});

/** Shows the view in the address: "#analyse?rules=original&…". */
function follow() {
  const [name, rest] = location.hash.slice(1).split("?");
  const shown = views[name] ? name : "play";
  for (const [name, view] of Object.entries(views)) {
    const current = name === shown;
    byId("view-" + name).hidden = !current;
    document.querySelector(`nav a[href="#${name}"]`).ariaCurrent = current ? "page" : null;
    if (!current) view.leave();
  }
  document.title = `${{ play: "Play", analyse: "Analyse", runs: "Runs" }[shown]} · Halma`;
  views[shown].enter(new URLSearchParams(rest ?? ""));
  document.body.dataset.ready = shown;
}

addEventListener("hashchange", follow);
follow();
