import { ActivityFailure, ApplicationFailure, TimeoutFailure } from '@temporalio/common';
import { expect, test } from 'vitest';
import { failureMessage } from '../../workflows/shared/failure-message.ts';

const step = (cause: Error) =>
  new ActivityFailure('Activity task failed', 'regroup', undefined, 'TIMEOUT', undefined, cause);
const afterADay = (last?: Error) =>
  step(
    Object.assign(
      new TimeoutFailure('activity ScheduleToClose timeout', undefined, 'SCHEDULE_TO_CLOSE'),
      last && { cause: last },
    ),
  );

test.each([
  [
    'with its last error, where it had one',
    afterADay(ApplicationFailure.create({ message: 'PostgreSQL does not answer' })),
    'A step of the import was tried for a day: PostgreSQL does not answer. Retry it.',
  ],
  [
    'that told nothing',
    afterADay(),
    'A step of the import was tried for a day, and ended its worker or was cut off each time. Retry it.',
  ],
])('a step that was tried for a day %s ends in a sentence', (_what, failure, sentence) => {
  expect(failureMessage(failure)).toBe(sentence);
});
