// Plays that lost much of the expected score: mistakes, "?", and blunders, "??".

import { written } from "./board.js";

/** The loss of expected score that makes a play a mistake or a blunder. */
const MISTAKE = 0.1, BLUNDER = 0.2;

/**
 * Two values for Black, before and after the play that leads to `node`, by one judge: agent A if it has searched both
 * positions; otherwise the mover, whose own values in the game are two plies apart.
 */
function judged(node) {
  const { parent, children: [next] } = node, byA = node => node.analysed?.[0]?.value;
  const pairs = [[byA(parent), byA(node)], [parent.value, next?.value]];
  return pairs.find(pair => pair.every(value => value !== undefined));
}

/** The mark and description of the play to `node` if it was a mistake or a blunder, else `undefined`. */
export function errorOf(tree, node) {
  const pair = node.parent && judged(node);
  if (!pair) return undefined;
  const loss = (pair[0] - pair[1]) / 2 * (tree.mover(node.parent) === "BLACK" ? 1 : -1);
  if (loss < MISTAKE) return undefined;
  const best = node.parent.analysed?.[0]?.best ?? node.parent.best;
  const better = best && best !== written(node.chain) ? `; better: ${best}` : "";
  const [mark, name] = loss < BLUNDER ? ["?", "a mistake"] : ["??", "a blunder"];
  const percent = Math.round(loss * 100);
  return { mark, text: `${written(node.chain)} is ${name}: it loses ${percent} % of the expected score${better}.` };
}
