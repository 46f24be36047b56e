import { describe, expect, test } from 'vitest';
import { analyseCall } from '../../../src/domain/signals/analyse-call.ts';
import { type Given, type Line, scripted } from '../signals/scripted-call.ts';

const GREETS: Line = { a: 'Good day, City Library.', at: [1, 4] };
const ANSWERS: Line = { a: 'The atlas is on loan until Monday. Shall I reserve it?', at: [8, 11] };
const CLOSES: Line = { a: 'It is reserved for you. Goodbye.', at: [14, 16] };
const UNHEARD: Line[] = [
  GREETS,
  { missing: 'caller', at: [5, 7] },
  ANSWERS,
  { missing: 'caller', at: [12, 13] },
  CLOSES,
];
const read = (lines: Line[], given: Given = {}) => {
  const analysis = analyseCall(scripted(lines, given), {});
  return { ...analysis, codes: analysis.signals.map(({ code }) => code) };
};
const gapsOf = ({ notComputable }: ReturnType<typeof read>) =>
  new Map(notComputable.map(({ code, reason }) => [code, reason]));

describe('a caller whose words are missing', () => {
  const analysis = read(UNHEARD);

  test('spoke, and how the call ended is not known', () => {
    expect(analysis).toMatchObject({
      outcome: null,
      outcomeReason: { rule: 'caller_unheard' },
      callerSpoke: true,
      objective: 'The words of the caller are missing: the record only shows when they spoke.',
      personaSlug: 'unknown',
      counts: { callerTurns: 2, agentTurns: 3 },
    });
  });

  test('has no codes of silence, and those of their words are not computable', () => {
    expect(analysis.codes).not.toContain('instant_hangup');
    expect(analysis.codes).not.toContain('caller_never_heard');
    const gaps = gapsOf(analysis);
    expect(gaps.get('caller_never_heard')).toMatch(/^The words of the caller are missing/);
    expect(gaps.get('question_unanswered')).toMatch(/^The words of the caller are missing/);
    expect(gaps.has('turn_latency_high')).toBe(false);
    expect(gaps.has('agent_repeats_line')).toBe(false);
  });

  test('still has slow answers, which times show', () => {
    expect(read([GREETS, { missing: 'caller', at: [5, 7] }, { a: 'Let me see.', at: [19, 21] }]).codes).toContain(
      'turn_latency_high',
    );
  });

  test('has an ending that tools tell, unsure', () => {
    const wrote: Line[] = [{ call: 'reserve_book' }, { result: 'reserve_book', body: { success: true } }];
    expect(read([...UNHEARD.slice(0, 4), ...wrote, CLOSES])).toMatchObject({
      outcome: 'resolved',
      outcomeConfidence: 0.5,
    });
  });

  test('whose turns are long and empty is no caller who said nothing', () => {
    const empty: Line[] = [GREETS, { c: '', at: [5, 7] }, ANSWERS, { c: '', at: [12, 13] }, CLOSES];
    expect(read(empty)).toMatchObject({ outcome: null, callerSpoke: true });
  });
});

test('where words of some turns are missing, codes that need them all are not computable', () => {
  const analysis = read([
    { a: 'How can I help?' },
    { c: 'I would like to book a table for two.' },
    { a: 'For what time?' },
    { missing: 'caller' },
    { a: 'Your table is booked for eight.' },
    { c: 'Thank you, bye.' },
  ]);
  expect(gapsOf(analysis).get('reasked_known_slot')).toBe('The words of 1 turn of the caller are missing.');
  expect(analysis.outcomeConfidence).toBeLessThanOrEqual(0.5);
});

describe('a side that was not recorded', () => {
  test('is no caller who stayed silent', () => {
    const analysis = read([GREETS, ANSWERS, CLOSES], { notRecorded: ['caller'] });
    expect(analysis).toMatchObject({ outcome: null, callerSpoke: false });
    expect(analysis.codes).toEqual([]);
    const gaps = gapsOf(analysis);
    expect(gaps.get('dead_air')).toBe("The record does not hold the caller's side of the call.");
    expect(gaps.get('caller_never_heard')).toBe("The record does not hold the caller's side of the call.");
    expect(gaps.has('first_word_slow')).toBe(false);
  });

  test('is no agent who never answered', () => {
    expect(read([{ c: 'I would like to book a table.' }], { notRecorded: ['agent'] })).toMatchObject({
      outcome: null,
      outcomeReason: { rule: 'agent_unheard' },
    });
    expect(read([{ c: 'I would like to book a table.' }])).toMatchObject({ outcome: 'abandoned' });
  });
});

test('a caller who could have been heard and said nothing is no contact', () => {
  expect(read([GREETS, { a: 'Hello?', at: [12, 13] }])).toMatchObject({ outcome: 'no_contact' });
});
