import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { PlayedCall } from '../../../src/domain/runs/attempt.ts';
import { type JudgedAttempt, noiseInWords, noiseShares } from '../../../src/domain/runs/noise.ts';
import type { AttemptResult } from '../../../src/domain/vocabulary.ts';
import { agent, caller, calls, played } from '../../support/played.ts';
import { makeVerdict } from '../../support/scores.ts';

const said = (met: boolean | null) => ({ met, turn: null, quote: null, because: '' });
const attempt = (result: AttemptResult, call: PlayedCall, ...answers: (boolean | null)[]): JudgedAttempt => ({
  result,
  played: call,
  verdicts: [
    makeVerdict('c1', result === 'passed', {
      decidedBy: { kind: 'judge', model: 'judge-1', answers: answers.map(said) },
    }),
  ],
});

const good = played([agent('Hello.'), caller('Friday, please.'), agent('Booked.')]);
const otherAgent = played([agent('Hello.'), caller('Friday, please.'), agent('I can’t.')]);
const otherCaller = played([agent('Hello.'), caller('Saturday, please.'), agent('I can’t.')]);

test('the agent made the difference where its turn is the first that differs', () => {
  expect(noiseShares([attempt('passed', good), attempt('failed', otherAgent)])).toEqual({
    agent: 1,
    caller: 0,
    judge: 0,
  });
  const called = played([agent('Hello.'), calls('book', {})]);
  const calledOtherwise = played([agent('Hello.'), calls('book', { day: 1 })]);
  expect(noiseShares([attempt('passed', called), attempt('failed', calledOtherwise)])?.agent).toBe(1);
});

test('the caller made it where its turn is, and where it drifted', () => {
  expect(noiseShares([attempt('passed', good), attempt('failed', otherCaller)])).toEqual({
    agent: 0,
    caller: 1,
    judge: 0,
  });
  expect(noiseShares([attempt('passed', good), attempt('drift', otherAgent)])?.caller).toBe(1);
});

test('the judge made it where both calls are word for word the same', () => {
  const sameWords = played([agent('hello'), caller('Friday please'), agent('Booked!')]);
  expect(noiseShares([attempt('passed', good), attempt('failed', sameWords)])).toEqual({
    agent: 0,
    caller: 0,
    judge: 1,
  });
});

test('the judge has the part in which its answers about one call differ', () => {
  const split = noiseShares([attempt('passed', good, true), attempt('failed', otherAgent, false, true, false)]);
  expect(split?.judge).toBeCloseTo(2 / 3);
  expect(split?.agent).toBeCloseTo(1 / 3);
  expect(noiseShares([attempt('passed', good, true), attempt('failed', otherAgent, false, false)])?.judge).toBe(0);
});

test('where one call goes on, whoever ended the other made the difference', () => {
  const hungUp = played([agent('Hello.')], { endedBy: 'caller' });
  const agentLeft = played([agent('Hello.'), caller('Friday, please.')]);
  expect(noiseShares([attempt('passed', good), attempt('failed', hungUp)])?.caller).toBe(1);
  expect(noiseShares([attempt('passed', good), attempt('failed', agentLeft)])?.agent).toBe(1);
});

test('an error says nothing about who made the difference', () => {
  expect(noiseShares([attempt('passed', good), attempt('error', otherAgent)])).toBeNull();
  expect(noiseInWords(null)).toContain('nothing shows who made the difference');
  expect(noiseShares([attempt('passed', good), attempt('error', good), attempt('failed', otherAgent)])?.agent).toBe(1);
});

test('is put in whole percents that add to a hundred', () => {
  expect(noiseInWords({ agent: 1, caller: 0, judge: 0 })).toBe('of the difference the agent made 100 %');
  expect(noiseInWords({ agent: 2 / 3, caller: 0, judge: 1 / 3 })).toBe(
    'of the difference the agent made 67 % and the judge 33 %',
  );
  expect(noiseInWords({ agent: 1 / 3, caller: 1 / 3, judge: 1 / 3 })).toBe(
    'of the difference the agent made 34 %, the simulated caller 33 %, the judge 33 %',
  );
});

test('the shares of any attempts add to one', () => {
  const call = fc.constantFrom(good, otherAgent, otherCaller, played([agent('Hello.')], { endedBy: 'caller' }));
  const answers = fc.array(fc.constantFrom(true, false, null), { maxLength: 3 });
  const result = fc.constantFrom<AttemptResult>('passed', 'failed', 'error', 'drift');
  fc.assert(
    fc.property(fc.array(fc.tuple(result, call, answers), { maxLength: 3 }), (made) => {
      const shares = noiseShares(made.map(([one, of, given]) => attempt(one, of, ...given)));
      if (shares === null) return;
      const all = [shares.agent, shares.caller, shares.judge];
      expect(all.reduce((sum, share) => sum + share, 0)).toBeCloseTo(1);
      expect(all.every((share) => share >= 0 && share <= 1)).toBe(true);
      const percents = [...noiseInWords(shares).matchAll(/(\d+) %/g)].map(([, percent]) => Number(percent));
      expect(percents.reduce((sum, percent) => sum + percent, 0)).toBe(100);
    }),
  );
});

test.each([
  ['the caller', 'caller', 'agent', 'caller'],
  ['the agent', 'agent', 'limit', 'agent'],
  ['a limit, where the other went on to a hand-over', 'limit', 'transfer', 'agent'],
] as const)('where the words are the same, %s made it who ended one of the calls', (_, endedBy, other, who) => {
  const lines = [agent('Hello.'), caller('Friday, please.')];
  const shares = noiseShares([
    attempt('passed', played(lines, { endedBy })),
    attempt('failed', played(lines, { endedBy: other })),
  ]);
  expect(shares?.[who]).toBe(1);
});

test('a criterion that only one of the calls was held against counts by its own answers', () => {
  const [passed, failed] = [attempt('passed', good), attempt('failed', otherAgent, true, false)];
  const shares = noiseShares([{ ...passed, verdicts: [] }, failed]);
  expect(shares).toEqual({ agent: 0, caller: 0, judge: 1 });
  const optional = failed.verdicts.map((verdict) => ({ ...verdict, required: false }));
  expect(noiseShares([passed, { ...failed, verdicts: optional }])?.judge).toBe(0);
});
