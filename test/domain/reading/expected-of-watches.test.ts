import { describe, expect, test } from 'vitest';
import type { ReaderAnswer } from '../../../src/domain/reading/answer.ts';
import {
  type AskedExpectation,
  expectationInWords,
  verdictsOfReading,
} from '../../../src/domain/reading/expected-of-watches.ts';
import { readCall } from '../../../src/domain/signals/reading.ts';
import type { WatchForm } from '../../../src/domain/watches/watch.ts';
import { type Line, scripted } from '../signals/scripted-call.ts';

const LINES: Line[] = [
  { a: 'Front desk, how can I help?' },
  { c: 'I want to cancel my booking' },
  { a: 'What a pity. I have cancelled it.' },
];
const read = (lines = LINES) => readCall({ ...scripted(lines, {}), agentCosts: null });

const form = (over: Partial<WatchForm> = {}): WatchForm => ({
  scope: { kind: 'all_calls' },
  expectation: { kind: 'judged', text: 'Sound as if you cared' },
  polarity: 'must',
  ...over,
});
const asked = (over: Partial<WatchForm> = {}): AskedExpectation => {
  const made = form(over);
  return { watchId: 'w', revision: 3, form: made, text: expectationInWords({ scopeText: 'all', form: made }) };
};
const says = (verdict: 'held' | 'broken' | 'unknown' | 'not_applicable', number = 1) => ({
  number,
  turn: 2,
  quote: 'What a pity.',
  because: `It says ${verdict}.`,
  verdict,
});
const states = (answers: ReaderAnswer['expectations'], over: Partial<WatchForm> = {}, lines = LINES) =>
  verdictsOfReading([asked(over)], answers, () => read(lines)).map(({ held }) => held);

describe('what a model says of an expectation', () => {
  test('is a verdict with its words, of the revision that was asked about', () => {
    expect(verdictsOfReading([asked()], [says('broken')], read)).toEqual([
      {
        watchId: 'w',
        revision: 3,
        held: false,
        byOutcome: false,
        turn: 2,
        quote: 'What a pity.',
        because: 'It says broken.',
      },
    ]);
  });

  test.each<[string, ReaderAnswer['expectations'], Partial<WatchForm>, boolean[]]>([
    ['it can not tell', [says('unknown')], {}, []],
    ['the call is none of those', [says('not_applicable')], {}, []],
    ['an expectation of another number', [says('held', 2)], {}, []],
    ['what must happen happens in one part of a long call', [says('broken'), says('held')], {}, [true]],
    ['what must not happen happens in one part', [says('held'), says('broken')], { polarity: 'must_not' }, [false]],
    ['a scope that the call is not in', [says('held')], { scope: { kind: 'caller_said', text: 'refund' } }, []],
    ['a scope that the call is in', [says('held')], { scope: { kind: 'caller_said', text: 'cancel my' } }, [true]],
    ['an intent, which storing decides by', [says('held')], { scope: { kind: 'intent', intent: 'x' } }, [true]],
  ])('%s', (_, answers, over, expected) => {
    expect(states(answers, over)).toEqual(expected);
  });

  test('the question says on which calls, and what must not happen', () => {
    expect(expectationInWords({ scopeText: 'all calls', form: form() })).toBe('Sound as if you cared');
    const scoped = form({ scope: { kind: 'outcome', outcome: 'abandoned' }, polarity: 'must_not' });
    expect(expectationInWords({ scopeText: 'the caller gives up', form: scoped })).toBe(
      'On calls where the caller gives up: this must not happen: Sound as if you cared',
    );
  });
});
