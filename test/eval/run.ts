import { existsSync } from 'node:fs';
import { resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { startTestDatabase } from '../support/test-database-server.ts';
import { openTestFolder } from '../support/test-folder.ts';
import type { Way } from './analysed.ts';
import {
  analyseSets,
  byRulesAlone,
  chosenSets,
  type Evaluation,
  figuresOf,
  healthyRowsOf,
  type Selection,
} from './evaluate.ts';
import { inMemory } from './in-memory.ts';
import { PARTS, type Part } from './parts.ts';
import { takeAnswers, writeQuestions } from './reading/questions.ts';
import { READER_KINDS, type ReaderKind } from './reading/reader-kind.ts';
import { report } from './report.ts';
import { ruleLines, ruleRows } from './rules.ts';
import { throughStorage } from './through-storage.ts';

/** Sets whose labels name faults by their place. */
const WRITTEN = ['rich', 'bare'];

/** `npm run eval`: the figures of the labelled sets, taken the way of production. */
async function main(args: readonly string[]): Promise<number> {
  const { values, positionals } = parseArgs({
    args: [...args],
    allowPositionals: true,
    options: {
      json: { type: 'boolean', default: false },
      'in-memory': { type: 'boolean', default: false },
      part: { type: 'string', default: 'both' },
      only: { type: 'string', multiple: true, default: [] },
      sample: { type: 'string' },
      reader: { type: 'string', default: 'none' },
      questions: { type: 'string' },
      answers: { type: 'string' },
      rules: { type: 'boolean', default: false },
    },
  });
  const folder = resolve(positionals[0] ?? fileURLToPath(new URL('../../../shared/eval', import.meta.url)));
  const part = PARTS.find((one) => one === values.part) ?? null;
  if (part === null && values.part !== 'all' && values.part !== 'both') {
    console.error(`--part is make, judge, all or both, not "${values.part}".`);
    return 2;
  }
  const reader = READER_KINDS.find((one) => one === values.reader) ?? null;
  if (reader === null) {
    console.error(`--reader is ${READER_KINDS.join(', ')}, not "${values.reader}".`);
    return 2;
  }
  if (reader === 'live' && values['in-memory']) {
    console.error('--reader live asks a model and keeps what it cost: leave out --in-memory.');
    return 2;
  }
  if (!existsSync(folder)) return noSets(folder);
  const sample = values.sample === undefined ? null : Number(values.sample);
  if (sample !== null && !(Number.isInteger(sample) && sample > 0)) {
    console.error(`--sample is a number of records, not "${values.sample}".`);
    return 2;
  }
  const selection = { part, only: values.only, sample };
  if (values.questions !== undefined) {
    console.log(`${writeQuestions(values.questions, chosenSets(folder, selection))} questions are open.`);
    return 0;
  }
  if (values.answers !== undefined) {
    const today = new Date().toISOString().slice(0, 10);
    const { taken, unfit } = takeAnswers(values.answers, chosenSets(folder, selection), today);
    console.log(`${taken} answers were taken, ${unfit.length} do not fit.`);
    for (const one of unfit) console.log(`  ${one}`);
    return 0;
  }
  if (values.rules) {
    const only = values.only.length > 0 ? values.only : WRITTEN;
    const { sets } = await analyseSets(folder, inMemory('none'), { ...selection, only });
    for (const line of ruleLines(ruleRows(sets))) console.log(line);
    return 0;
  }
  const [evaluation, way] = await analysed(folder, selection, { reader, inMemory: values['in-memory'] });
  if (evaluation.sets.length === 0) return noSets(folder);
  const columns: (Part | null)[] = values.part === 'both' ? [...PARTS] : [part];
  const byReader = columns.map((column) => ({ part: column ?? 'all', lines: figuresOf(evaluation.sets, column) }));
  // Of one part: the rules' column and the reader's, of the same calls.
  const figures =
    reader === 'none' || values.part === 'both'
      ? byReader
      : [
          { part: 'rules', lines: figuresOf(byRulesAlone(evaluation.sets), part) },
          ...byReader.map((column) => ({ ...column, part: `reader (${reader})` })),
        ];
  const healthy = healthyRowsOf(evaluation.sets);
  if (values.json) console.log(JSON.stringify({ way, figures, absent: evaluation.absent, healthy }));
  else for (const line of report({ way, folder, figures, absent: evaluation.absent, healthy })) console.log(line);
  return 0;
}

async function analysed(
  folder: string,
  selection: Selection,
  { reader, inMemory: isInMemory }: { reader: ReaderKind; inMemory: boolean },
): Promise<[Evaluation, string]> {
  if (isInMemory) {
    const memory = inMemory(reader);
    return [await analyseSets(folder, memory, selection), memory.name];
  }
  const place = openTestFolder();
  const server = await startTestDatabase(place.path);
  let way: Way | null = null;
  try {
    way = await throughStorage(server.url, reader);
    const evaluation = await analyseSets(folder, way, selection);
    return [evaluation, [way.name, ...((await way.notes?.()) ?? [])].join('. ')];
  } finally {
    await way?.close();
    await server.stop();
    place.remove();
  }
}

function noSets(folder: string): number {
  console.error(
    `There are no labelled sets (<set>.dev.jsonl) in ${folder}. Give the folder that holds them: npm run eval -- <folder>`,
  );
  return 2;
}

process.exitCode = await main(process.argv.slice(2));
