import { pino } from 'pino';
import { expect, test } from 'vitest';
import { createRunningAnswers } from '../../src/operations/copilot/running-answers.ts';

test('an answer that can’t be kept is logged without its words, and the process goes on', async () => {
  let logged = '';
  const log = pino({}, { write: (line: string) => void (logged += line) });
  const answers = createRunningAnswers('postgres://nobody-listens.invalid/earshot', log);
  const unhandled: unknown[] = [];
  const hear = (error: unknown) => unhandled.push(error);
  process.on('unhandledRejection', hear);
  answers.begin('a-message', async () => {
    throw new TypeError('words of a caller');
  });
  // Node tells of a rejection that nobody handles once a turn of its loop has ended.
  await new Promise((resolve) => setImmediate(resolve));
  process.off('unhandledRejection', hear);
  expect(unhandled).toEqual([]);
  expect(logged).toContain('could not be kept');
  expect(logged).not.toContain('words of a caller');
  await answers.close();
});
