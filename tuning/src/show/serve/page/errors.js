// Plays that lost much of the expected score: mistakes, "?", and blunders, "??".

import { written } from "./board.js";
import { MISTAKE } from "./player.js";

/** The loss of expected score that makes a mistake (`MISTAKE`) a blunder. */
const BLUNDER = 0.2;

/**
 * What one judge says of the position before the play that leads to `node`, and of one after it: agent A if it has
 * searched both; otherwise the mover, whose own values in the game are two plies apart. Values are for Black.
 */
function judged(node) {
  const { parent, children: [next] } = node;
  const pairs = [[parent.analysed?.[0], node.analysed?.[0]], [parent, next]];
  return pairs.find(pair => pair.every(judgement => judgement?.value !== undefined));
}

/** The mark and description of the play to `node` if it was a mistake or a blunder, else `undefined`. */
export function errorOf(tree, node) {
  const pair = node.parent && judged(node);
  if (!pair) return undefined;
  const [{ value, best }, after] = pair;
  const loss = (value - after.value) / 2 * (tree.mover(node.parent) === "BLACK" ? 1 : -1);
  if (loss < MISTAKE) return undefined;
  const better = best && best !== written(node.chain) ? `; better: ${best}` : "";
  const [mark, name] = loss < BLUNDER ? ["?", "a mistake"] : ["??", "a blunder"];
  const percent = Math.round(loss * 100);
  return { mark, text: `${written(node.chain)} is ${name}: it loses ${percent} % of the expected score${better}.` };
}
