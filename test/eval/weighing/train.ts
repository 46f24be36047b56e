import { writeFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { decideByRules } from '../../../src/domain/calls/outcome.ts';
import { gatherEvidence } from '../../../src/domain/calls/outcome-evidence.ts';
import { marksOf } from '../../../src/domain/calls/weighing/marks.ts';
import { isFromWords, outweighing } from '../../../src/domain/calls/weighing/unless-outweighed.ts';
import { type Weights, weigh } from '../../../src/domain/calls/weighing/weigh.ts';
import { readCall } from '../../../src/domain/signals/reading.ts';
import type { Analysed } from '../analysed.ts';
import { analyseSets, EVERYTHING } from '../evaluate.ts';
import { IN_MEMORY } from '../in-memory.ts';
import { type Example, fit } from './fit.ts';

const SETS = ['bare', 'rich', 'star', 'tau_airline', 'tau_retail'];
const FILE = fileURLToPath(new URL('../../../src/domain/calls/weighing/weights.ts', import.meta.url));

interface Row extends Example {
  /** The voice agent whose calls are left out together. */
  agent: string;
  /** The ending by the rule alone. */
  byRule: string | null;
}

/** `node test/eval/weighing/train.ts [folder]`: weights from the `make` parts, and how right they are on agents left out. */
async function main(folder: string): Promise<void> {
  const { sets } = await analyseSets(folder, IN_MEMORY, { ...EVERYTHING, part: 'make', only: SETS });
  const rows = sets.flatMap(({ set, measuredAs, calls }) =>
    calls.flatMap((call) =>
      toRow(call, ['bare', 'rich'].includes(measuredAs) ? (set.split(' ')[0] ?? set) : call.group),
    ),
  );
  const weights = fit(rows);
  writeFileSync(FILE, asModule(weights));
  console.log(`${rows.length} calls, ${Object.keys(weights).length} marks.`);
  const outweighed = withAgentsLeftOut(rows).filter(({ weighed }) => weighed !== null);
  const right = outweighed.filter(({ weighed, truth }) => weighed === truth).length;
  const wasRight = outweighed.filter(({ byRule, truth }) => byRule === truth).length;
  console.log(`Each agent left out: ${outweighed.length} outweighed, ${right} right; ${wasRight} were right before.`);
}

/** A call whose ending one rule reads from words. */
function toRow(call: Analysed, agent: string): Row[] {
  const reading = readCall({ call: call.call, configuration: call.configuration });
  const decision = decideByRules(reading, gatherEvidence(reading, reading.claims()));
  const truth = call.labels['outcome'];
  if (typeof truth !== 'string' || !isFromWords(reading, decision)) return [];
  return [{ agent, truth, marks: marksOf(reading), byRule: decision.outcome }];
}

/** The same calls by weights that the calls of their agent had no part in. */
function withAgentsLeftOut(rows: readonly Row[]): (Row & { weighed: string | null })[] {
  return [...Map.groupBy(rows, ({ agent }) => agent)].flatMap(([agent, own]) => {
    const weights = fit(rows.filter((row) => row.agent !== agent));
    return own.map((row) => ({ ...row, weighed: outweighing(weigh(row.marks, weights), row.byRule) }));
  });
}

function asModule(weights: Weights): string {
  const rows = Object.entries(weights)
    .toSorted(([a], [b]) => (a < b ? -1 : 1))
    .map(([mark, row]) => `  ${nameOf(mark)}: [${row.map((weight) => Number(weight.toFixed(2))).join(', ')}],`);
  return [
    "import type { Weights } from './weigh.ts';",
    '',
    '/** What each mark adds to resolved, unresolved and abandoned: made by `test/eval/weighing/train.ts`. */',
    'export const WEIGHTS: Weights = {',
    ...rows,
    '};',
    '',
  ].join('\n');
}

function nameOf(mark: string): string {
  return /^\w+$/.test(mark) ? mark : `'${mark}'`;
}

await main(resolve(process.argv[2] ?? fileURLToPath(new URL('../../../../shared/eval', import.meta.url))));
