import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { toJSONSchema } from 'zod';
import {
  type ReadingAnswers,
  type ReadingQuestion,
  readingSteps,
  withAnswer,
} from '../../../src/domain/reading/steps.ts';
import { readingRequest } from '../../../src/models/reading-question.ts';
import { memoryCalls } from '../in-memory.ts';
import type { RecordSet } from '../records.ts';
import { toRead } from './read-recorded.ts';
import { keepReadings, readingsName, recordedReadings } from './recorded.ts';

interface Asked {
  /** The file in which its answer is kept. */
  name: string;
  key: string;
  question: ReadingQuestion;
  request: ReturnType<typeof readingRequest>;
}

/**
 * Questions that nobody has answered yet, one file a set and kind: the instructions once, then each agent, and its records
 * under a key each. A reader sees nothing else, and writes lines `{"key", "answer"}` into `<name>.answers.jsonl` beside it.
 * @returns how many are open.
 */
export function writeQuestions(folder: string, sets: readonly RecordSet[]): number {
  mkdirSync(folder, { recursive: true });
  const asked = sets.flatMap((set) => {
    const known = recordedReadings(set);
    return memoryCalls(set).flatMap((one) => {
      const { question } = readingSteps(toRead(one, one.analysis))(known.get(one.id) ?? { windows: [] });
      return question === null ? [] : [askedOf(set, one.id, question, one.configuration)];
    });
  });
  for (const [file, some] of Map.groupBy(asked, ({ name, request }) => `${name}.${request.name}`)) {
    const agents = [...Map.groupBy(some, ({ request }) => request.context)].map(([context, records]) =>
      [
        `# The agent\n\n${context}\n\n# Records\n`,
        ...records.map(({ key, request }) => `## ${key}\n\n${request.material}\n`),
      ].join('\n'),
    );
    const [first] = some;
    if (first === undefined) continue;
    const { instructions, schema } = first.request;
    const form = JSON.stringify(toJSONSchema(schema));
    const head = `# Instructions\n\n${instructions}\n\n# The form of an answer, as a JSON schema\n\n${form}\n`;
    writeFileSync(join(folder, `${file}.md`), [head, ...agents].join('\n'));
  }
  return asked.length;
}

/** Takes answers that fit the form asked for into the recorded readings. @returns how many were taken, and what did not fit. */
export function takeAnswers(
  folder: string,
  sets: readonly RecordSet[],
  today: string,
): { taken: number; unfit: string[] } {
  const given = readAnswers(folder);
  const unfit: string[] = [];
  let taken = 0;
  for (const set of sets) {
    const known = recordedReadings(set);
    const before = taken;
    for (const one of memoryCalls(set)) {
      const read = toRead(one, one.analysis);
      let answers: ReadingAnswers = known.get(one.id) ?? { windows: [] };
      const after = readingSteps(read);
      for (let { question } = after(answers); question !== null; { question } = after(answers)) {
        const { key, request } = askedOf(set, one.id, question, one.configuration);
        const answer = given.get(key);
        if (answer === undefined) break;
        const parsed = request.schema.safeParse(answer);
        if (!parsed.success) {
          unfit.push(`${key}: ${parsed.error.issues[0]?.path.join('.')} ${parsed.error.issues[0]?.message}`);
          break;
        }
        answers = withAnswer(answers, question, parsed.data);
        known.set(one.id, { id: one.id, asked: today, ...answers });
        taken += 1;
      }
    }
    if (taken > before) keepReadings(set, known);
  }
  return { taken, unfit };
}

function askedOf(
  set: RecordSet,
  id: string,
  question: ReadingQuestion,
  configuration: Parameters<typeof readingRequest>[1]['configuration'],
): Asked {
  const request = readingRequest(question, { configuration, intents: [], knownOthers: [], expectations: [] });
  const text = JSON.stringify([set.set, id, request.name, request.material]);
  return {
    name: readingsName(set),
    key: createHash('sha256').update(text).digest('hex').slice(0, 12),
    question,
    request,
  };
}

function readAnswers(folder: string): Map<string, unknown> {
  const found = new Map<string, unknown>();
  if (!existsSync(folder)) return found;
  for (const name of readdirSync(folder).filter((file) => file.endsWith('.answers.jsonl'))) {
    for (const line of readFileSync(join(folder, name), 'utf8').split('\n')) {
      if (line.trim() === '') continue;
      const { key, answer } = JSON.parse(line) as { key: string; answer: unknown };
      found.set(key, answer);
    }
  }
  return found;
}
