import { type ReadingAnswers, readingSteps, withAnswer } from '../../../src/domain/reading/steps.ts';
import { readingRequest } from '../../../src/models/reading-question.ts';
import { createFileReader } from '../../../src/platforms/file/reader.ts';
import { type ModelServer, startModelServer } from '../../support/model-server.ts';
import { memoryCalls } from '../in-memory.ts';
import type { RecordSet } from '../records.ts';
import { toRead } from './read-recorded.ts';

/** A model endpoint that answers as a recorded reader did. */
export interface RecordedModel {
  server: ModelServer;
  /** Has it answer questions about the calls of a set. What a reader was not asked, it leaves open. */
  learn(set: RecordSet, readings: ReadonlyMap<string, ReadingAnswers>): void;
}

type Request = Pick<ReturnType<typeof readingRequest>, 'instructions' | 'material'>;
/** Names of intents and of other faults grow while calls are read, so the agent's part is left out. */
const keyOf = ({ instructions, material }: Request) => `${instructions}\n${material}`;
/** By the clock of an import: a start that it has not reached is no start, and the length of the call follows from its turns. */
const reader = createFileReader(() => Date.now());

export async function startRecordedModel(): Promise<RecordedModel> {
  const server = await startModelServer();
  const known = new Map<string, unknown>();
  server.answerWith((asked) => {
    const value = known.get(keyOf(asked)) ?? leftOpen(asked.schema['properties']);
    return value === null ? { status: 500, error: { message: 'Nobody answered this question.' } } : { value };
  });
  return {
    server,
    learn(set, readings) {
      for (const call of memoryCalls(set, reader)) {
        const given = readings.get(call.id);
        if (given !== undefined) for (const [key, value] of answersTo(call, given)) known.set(key, value);
      }
    },
  };
}

/** Every question that comes up about a call, with the answer to it. */
function answersTo(call: ReturnType<typeof memoryCalls>[number], given: ReadingAnswers): [string, unknown][] {
  const found: [string, unknown][] = [];
  const step = readingSteps(toRead(call, call.analysis));
  let answers: ReadingAnswers = { windows: [] };
  for (;;) {
    const { question } = step(answers);
    const value = question && answerOf(question, given);
    if (question === null || value === undefined) return found;
    const { configuration } = call;
    found.push([
      keyOf(readingRequest(question, { configuration, intents: [], knownOthers: [], expectations: [] })),
      value,
    ]);
    answers = withAnswer(answers, question, value);
  }
}

type Question = NonNullable<ReturnType<ReturnType<typeof readingSteps>>['question']>;

function answerOf(question: Question, { windows, stretches, secondLook }: ReadingAnswers): unknown {
  switch (question.kind) {
    case 'window':
      return windows[question.nth];
    case 'stretches':
      return stretches && { stretches: [], findings: stretches.findings };
    case 'second_look': {
      const findings = question.findings.flatMap(({ code, turn, quote }, at) => {
        const verdict = secondLook?.find((one) => one.code === code && one.turn === turn);
        return verdict === undefined ? [] : [{ number: at + 1, turn, quote, holds: verdict.holds }];
      });
      return secondLook && { findings };
    }
    default:
      return question satisfies never;
  }
}

/** A further look that nobody took denies nothing and finds nothing. */
function leftOpen(properties: Record<string, unknown>): unknown {
  if ('requests' in properties) return null;
  return 'stretches' in properties ? { stretches: [], findings: [] } : { findings: [] };
}
