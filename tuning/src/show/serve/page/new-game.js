// The form for a new game: the opponent, the clock and the rules.

import { byId } from "./shared.js";

/** The clocks that the form offers: the seconds proposed, and the maximum that the server accepts. */
const CLOCKS = { move: [1, 600], game: [300, 86_400] };

/** Shows a field or hides it. Hidden inputs are disabled, or else invalid ones would keep the form from being sent. */
function setShown(id, isShown) {
  const field = byId(id);
  field.hidden = !isShown;
  for (const input of field.querySelectorAll("input, select")) input.disabled = !isShown;
}

export class NewGameForm {
  /** The form with the server's `levels`. Calls `begin()` when a game is to begin. */
  constructor(levels, begin) {
    this.levels = levels;
    byId("new-game").addEventListener("submit", event => { event.preventDefault(); begin(); });
    byId("new-game").addEventListener("change", () => this.showFields());
    byId("clock").addEventListener("change", () => { [byId("seconds").value] = CLOCKS[byId("clock").value]; });
  }

  /** The level selected; `undefined` for a custom agent. */
  get level() { return this.levels.find(level => level.name === byId("level").value); }

  /** The opponent and the clock selected. */
  get choice() {
    const { level } = this, get = id => byId(id).value;
    const agent = level?.agent ?? (get("agent").trim() || "mcts");
    const clock = level?.iterations ? "iterations" : get("clock");
    return { agent, level: level?.name, clock, seconds: Number(get("seconds")),
      increment: clock === "game" ? Number(get("increment")) : 0, iterations: level?.iterations };
  }

  showFields() {
    const { level } = this, isForGame = this.choice.clock === "game";
    setShown("agent-field", !level);
    setShown("clock-fields", !level?.iterations);
    setShown("increment-field", isForGame);
    byId("clock-note").hidden = !isForGame;
    byId("seconds").max = CLOCKS[byId("clock").value][1];
    this.describe(level ? level.about : "An agent and its parameters, such as mcts(c=0.3); ‘lab agents’ lists them.");
  }

  /** Whether all fields are valid. If not, shows what is wrong with one. */
  check() {
    const form = byId("new-game");
    if (form.checkValidity()) return true;
    // The browser says nothing about a field that it can't show.
    byId("new-game-box").open = true;
    return form.reportValidity();
  }

  /** Describes the level or the agent selected. */
  describe(text) {
    byId("level-about").textContent = text;
    this.refuse("");
  }

  /** Says beside the button what is wrong with the agent. */
  refuse(text) {
    byId("start-error").textContent = text;
    byId("agent").ariaInvalid = String(text !== "");
    if (!text) return;
    byId("agent").focus({ preventScroll: true });
    byId("start-error").scrollIntoView({ block: "nearest" });
  }

  /** Writes a game's settings into the form: the next game has the same, unless the user changes them. */
  show({ tree, human, agent, level, clock, seconds, increment }) {
    const fields = { colour: human, level: level ?? "", rules: tree.rules };
    if (!level) fields.agent = agent;
    if (clock !== "iterations") Object.assign(fields, { clock, seconds, increment });
    for (const [name, value] of Object.entries(fields)) byId(name).value = value;
    this.showFields();
  }
}
