import { expect, test } from 'vitest';
import { analyseCall } from '../../../src/domain/signals/analyse-call.ts';
import { remedyFor } from '../../../src/domain/signals/remedies.ts';
import { EXAMPLES } from './examples/all.ts';

/** What was not said or done on the call itself: no record and no setting would change that. */
const OF_THE_CALL = [
  /^The (agent|caller) said nothing on this call\.$/,
  /^The call has no turns\.$/,
  /^The agent has no tool that /,
  /^The agent has too few longer turns on this call/,
  /^The agent answered no turn of the caller/,
  /^This was a text conversation\.$/,
  /^No turn of the caller holds words/,
  /^Where tools or steps lead the talk/,
];

test('every reason for which a code cannot be computed says what would help, or is of the call itself', () => {
  const inputs = EXAMPLES.flatMap(({ positive, negative, lookAlike, notComputable }) =>
    [positive, negative, lookAlike, notComputable].filter((input) => input !== null),
  );
  const reasons = inputs.flatMap((input) => analyseCall(input, {}).notComputable.map(({ reason }) => reason));
  expect(reasons.length).toBeGreaterThan(100);
  const helpless = reasons.filter(
    (reason) => remedyFor(reason) === null && !OF_THE_CALL.some((pattern) => pattern.test(reason)),
  );
  expect([...new Set(helpless)], 'give it a row in `remedies.ts`').toEqual([]);
});
