import { describe, expect, test } from 'vitest';
import { analyseCall } from '../../../src/domain/signals/analyse-call.ts';
import { type Line, scripted } from './scripted-call.ts';

type Row = [what: string, outcome: string, rule: string, lines: Line[]];

const TAILOR: Line[] = [
  { a: 'Seam Street Tailors, how can I help?' },
  { c: 'hi can you book me a fitting for my suit' },
];

const ROWS: Row[] = [
  [
    'what was claimed after its tool failed is what the caller heard last',
    'unresolved',
    'claim_not_backed',
    [
      { c: 'I need a cab' },
      { call: 'book_cab', args: { at: '18:00' } },
      { result: 'book_cab', body: { error: 'no drivers' } },
      { a: 'Your cab is booked.' },
    ],
  ],
  [
    'a day that was put right and kept all the same is not what was asked',
    'unresolved',
    'done_otherwise',
    [
      ...TAILOR,
      { a: 'Of course. Tuesday at ten?' },
      { c: 'no not tuesday, thursday at ten' },
      { a: 'Okay. Tuesday at ten is booked for you.' },
      { c: 'ok thanks bye' },
    ],
  ],
  [
    'a deed that is claimed after its tool failed was believed, not broken off',
    'unresolved',
    'claim_not_backed',
    [
      ...TAILOR,
      { a: 'Thursday at ten is free. Shall I book it?' },
      { c: 'yes please' },
      { call: 'book_fitting', args: { day: 'thursday' } },
      { result: 'book_fitting', body: { error: 'service unavailable' }, ok: false },
      { a: 'Your fitting is booked for Thursday at ten.' },
      { c: 'and do I bring the shoes' },
      { a: 'Yes, bring the shoes.' },
      { c: 'righto' },
    ],
  ],
];

describe('what detectors are certain of', () => {
  test.each(ROWS)('%s: %s by %s', (_what, outcome, rule, lines) => {
    const { outcome: ended, outcomeReason } = analyseCall(scripted(lines), {});
    expect({ outcome: ended, rule: outcomeReason.rule }).toEqual({ outcome, rule });
  });
});
