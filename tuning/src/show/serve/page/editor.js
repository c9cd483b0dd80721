// The editor of a position: a click on a square puts a piece there, or takes it away.

import { byId, coordinates } from "./shared.js";
import { Tree, contents, placesOf } from "./tree.js";

const checked = name => document.querySelector(`input[name=${name}]:checked`).value;

export class Editor {
  /** An editor on `table`. Calls `changed(note)` after each change; `say(text)` is for screen readers. */
  constructor(table, changed, say) {
    Object.assign(this, { table, changed, say });
    byId("edit-clear").addEventListener("click", () => {
      this.rows = this.rows.map(row => row.map(() => "."));
      this.show();
    });
  }

  /** Starts from the server's ruling on a position. */
  begin({ rows, to_move }) {
    this.rows = rows.map(row => [...row]);
    document.querySelector(`input[name=first][value=${to_move}]`).checked = true;
    this.table.select(undefined);
  }

  put(square) {
    const [x, y] = coordinates(square), letter = checked("piece");
    this.rows[y][x] = this.rows[y][x] === letter ? "." : letter;
    this.say(`${square}: ${contents(this.rows[y][x])}`);
    this.show();
  }

  show() {
    const { rows } = this.beginning, [black, white] = placesOf(rows);
    this.table.show(new Tree({ rows }));
    this.table.rule({ rows, legal: [], to_move: "BLACK" }, false);
    this.changed(`Black has ${black.length} pieces, White ${white.length}.`);
  }

  /** The position, as the beginning of a game. */
  get beginning() { return { first: checked("first"), rows: this.rows.map(row => row.join("")) }; }
}
