import { describe, expect, test } from 'vitest';
import { marksOf } from '../../../src/domain/calls/weighing/marks.ts';
import { isFromWords, outweighing } from '../../../src/domain/calls/weighing/unless-outweighed.ts';
import { ALWAYS, weigh } from '../../../src/domain/calls/weighing/weigh.ts';
import { WEIGHTS } from '../../../src/domain/calls/weighing/weights.ts';
import { analyseCall } from '../../../src/domain/signals/analyse-call.ts';
import { readCall } from '../../../src/domain/signals/reading.ts';
import { type Line, scripted } from '../signals/scripted-call.ts';

const TOLD: Line[] = [
  { a: 'Harbour Ferries, good morning.' },
  { c: 'when does the last boat go back' },
  { a: 'The last boat leaves at half past nine.' },
  { c: 'lovely thank you' },
  { a: 'You are welcome, goodbye.' },
];
const PASSED_ON: Line[] = [
  { a: 'Harbour Ferries, good morning.' },
  { c: 'I left a rucksack on the ten o clock boat' },
  { a: 'What does it look like?' },
  { c: 'blue with a yellow strap I need it today' },
  { a: 'The crew have been told about the blue rucksack.' },
  { c: 'okay but when will I know' },
  { a: 'They look when they are back in the harbour.' },
  { c: 'right' },
  { a: 'Thanks for your patience, goodbye.' },
];

function marks(lines: Line[]): string[] {
  return marksOf(readCall(scripted(lines)));
}

describe('the end of a talk, weighed as a whole', () => {
  test('marks name what stands, what the last turns do and what the tools did', () => {
    expect(marks(TOLD)).toEqual(
      expect.arrayContaining([
        'stands:told',
        'last:agent',
        'caller0:thanks',
        'agent0:closes',
        'ever:thanks',
        'tool:none',
      ]),
    );
    const failed = marks([...TOLD, { call: 'text_times' }, { result: 'text_times', body: { error: 'down' } }]);
    expect(failed).toEqual(expect.arrayContaining(['tool:failed', 'tools:failed']));
  });

  test('the likelihoods are a share each, and follow the weights', () => {
    const weights = { [ALWAYS]: [0, 0, 0], 'caller0:thanks': [2, 0, -1] };
    const [resolved = 0, unresolved = 0, abandoned = 0] = weigh(['caller0:thanks', 'unheard of'], weights);
    expect(resolved + unresolved + abandoned).toBeCloseTo(1);
    expect([resolved > unresolved, unresolved > abandoned]).toEqual([true, true]);
  });

  test('a rule gives way only to what is clearly likelier', () => {
    expect(outweighing([0.3, 0.6, 0.1], 'resolved')).toBe('unresolved');
    expect(outweighing([0.4, 0.5, 0.1], 'resolved')).toBeNull();
    expect(outweighing([0.6, 0.3, 0.1], 'resolved')).toBeNull();
  });

  test('what a tool shows and what a caller says outright is not weighed', () => {
    const reading = readCall(scripted([...TOLD, { call: 'look' }, { result: 'look', body: { ok: true } }]));
    const decision = { outcome: 'resolved' as const, confidence: 1, text: '' };
    expect(isFromWords(reading, { ...decision, rule: 'told_and_left', turns: [2, 3] })).toBe(true);
    expect(isFromWords(reading, { ...decision, rule: 'answer_accepted', turns: [6] })).toBe(false);
    expect(isFromWords(reading, { ...decision, rule: 'caller_gave_up', turns: [3] })).toBe(false);
  });

  test('every weight belongs to a mark, three figures each', () => {
    const rows = Object.values(WEIGHTS);
    expect(rows.every((row) => row.length === 3 && row.every(Number.isFinite))).toBe(true);
    expect(WEIGHTS[ALWAYS]).toBeDefined();
  });

  test.each([
    ['told and thanked for', TOLD, 'resolved', 'told_and_left'],
    ['a matter that was only passed on', PASSED_ON, 'unresolved', 'outweighed'],
  ])('%s', (_what, lines, outcome, rule) => {
    const { outcome: ended, outcomeReason } = analyseCall(scripted(lines), {});
    expect({ outcome: ended, rule: outcomeReason.rule }).toEqual({ outcome, rule });
  });
});
