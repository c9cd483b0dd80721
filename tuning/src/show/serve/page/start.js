// Starts the page and its views. The address selects the view that is shown.

import { ask } from "./server.js";
import { addressOf } from "./tree.js";
import { byId, setAddress } from "./shared.js";
import { PlayView } from "./play.js";
import { AnalyseView } from "./analyse.js";
import { RunsView } from "./runs.js";
import { RulesView } from "./rules.js";
import { remember, remembered } from "./sound.js";

const announce = byId("announce");

function say(text) { announce.textContent = text; }

const about = await ask("about");
const views = {};
let shown;
/** Goes to a view, with a game if there is one. */
const go = (view, tree) => {
  const address = tree ? `${view}?${addressOf({ ...tree.address, from: "here" })}` : view;
  setAddress("#" + address, "pushState");
  follow(address, tree);
};
Object.assign(views, {
  play: new PlayView(about, say, go),
  analyse: new AnalyseView(about, say, go, () => views.play.isUnderWay),
  runs: new RunsView(about, say, go),
  rules: new RulesView(about, say),
});

/** Shows the view in an `address` such as "analyse?rules=original&…", with `tree` if it is given. */
function follow(address, tree) {
  const [name, rest] = address.split("?");
  shown = views[name] ? name : "play";
  for (const [name, view] of Object.entries(views)) {
    const current = name === shown;
    byId("view-" + name).hidden = !current;
    document.querySelector(`nav a[href="#${name}"]`).ariaCurrent = current ? "page" : null;
    if (!current) view.leave();
  }
  document.title = `${{ play: "Play", analyse: "Analyse", runs: "Runs", rules: "How to play" }[shown]} · Halma`;
  views[shown].enter(new URLSearchParams(rest ?? ""), tree);
  document.body.dataset.ready = shown;
}

const followHash = () => follow(location.hash.slice(1));
addEventListener("hashchange", followHash);

const keys = byId("keys-help");
byId("show-keys").addEventListener("click", () => keys.showModal());
byId("close-keys").addEventListener("click", () => keys.close());
addEventListener("keydown", event => {
  const isTaken = event.defaultPrevented || event.ctrlKey || event.altKey || event.metaKey || keys.open;
  if (isTaken || event.target.matches("input:not([type=checkbox]), select, textarea")) return;
  if (event.key === "?") keys.showModal();
  else if (!views[shown].shortcut?.(event.key)) return;
  event.preventDefault();
});

const WELCOMED = "halma-welcomed";
byId("welcome").hidden = remembered(WELCOMED) !== null;
byId("welcome").addEventListener("click", event => {
  if (!event.target.closest("a, button")) return;
  remember(WELCOMED, "yes");
  byId("welcome").hidden = true;
});
followHash();
