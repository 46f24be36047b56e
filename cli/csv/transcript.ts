import { type Json, Unusable } from './cells.ts';

const SPOKEN =
  /^\s*(?:[[(]?[\d:.]+[\])]?\s*(?:[-–]\s*)?)?(agent|assistant|bot|ai|user|caller|customer|client|human)\s*[:>](.*)$/i;

/** The turns of a call in one cell: a JSON list, or lines that begin with who speaks. */
export function turnsOfCell(cell: string): Json[] {
  if (cell.trimStart().startsWith('[{')) return listed(cell);
  const turns: { role: string; text: string }[] = [];
  for (const line of cell.split(/\r?\n/)) {
    const [, role, words = ''] = SPOKEN.exec(line) ?? [];
    const last = turns.at(-1);
    if (role !== undefined) turns.push({ role: role.toLowerCase(), text: words.trim() });
    else if (last !== undefined) last.text = `${last.text} ${line.trim()}`.trim();
    else if (line.trim() !== '') {
      throw new Unusable('The first line does not begin with who speaks, as in "Agent: Hello".');
    }
  }
  return turns;
}

function listed(cell: string): Json[] {
  try {
    return JSON.parse(cell);
  } catch {
    throw new Unusable('It begins like a JSON list and is none.');
  }
}
