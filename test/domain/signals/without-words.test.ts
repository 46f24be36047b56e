import { expect, test } from 'vitest';
import { WORDS_GONE, withoutWords } from '../../../src/domain/signals/without-words.ts';
import { makeAnalysis, makeSignal } from '../../support/analysed-calls.ts';

const SAID = 'my mother is ill';
const reason = { rule: 'accepted', turns: [3], text: `The caller said "${SAID}".` };

/** A reading in which every field that may hold words holds some. */
const full = makeAnalysis({
  outcome: 'unresolved',
  outcomeConfidence: 0.4,
  outcomeReason: reason,
  byRules: {
    outcome: 'resolved',
    outcomeConfidence: 0.3,
    badEndingScore: 0.1,
    outcomeReason: reason,
    rootCause: null,
    rating: 2,
    counts: { turns: 2, callerTurns: 1, agentTurns: 1, toolFailures: 0, frictions: 1 },
    objective: SAID,
    requests: [{ turn: 1, text: SAID }],
    signals: [makeSignal({ code: 'tool_failed', quote: SAID, detail: SAID })],
    observations: [{ rule: 'off_topic', kind: 'candidate', label: SAID, turnIndex: 1, detail: SAID, basis: 'phrases' }],
    notComputable: [{ code: 'tool_slow', reason: SAID }],
  },
  handOff: { reason: 'asked', right: true, turns: [3], text: SAID },
  objective: SAID,
  requests: [{ turn: 1, text: SAID }],
  signals: [makeSignal({ code: 'tool_failed', quote: SAID, detail: SAID })],
  observations: [{ rule: 'off_topic', kind: 'candidate', label: SAID, turnIndex: 1, detail: SAID, basis: 'phrases' }],
  notComputable: [{ code: 'tool_slow', reason: SAID }],
  visits: [{ place: { kind: 'node', id: SAID, label: SAID }, firstTurn: 1 }],
});

test('no word of the call is left in a reading whose words are kept no longer', () => {
  expect(JSON.stringify(full)).toContain(SAID);
  expect(JSON.stringify(withoutWords(full))).not.toContain(SAID);
  expect(withoutWords(full).outcomeReason).toEqual({ rule: 'accepted', turns: [3], text: WORDS_GONE });
  expect(withoutWords(full).byRules?.outcomeReason.text).toBe(WORDS_GONE);
  expect(withoutWords(full).handOff?.text).toBe(WORDS_GONE);
});

test('how the call ended and what was counted stay', () => {
  const kept = ['outcome', 'outcomeConfidence', 'badEndingScore', 'callerSpoke', 'personaSlug', 'counts'] as const;
  const also = ['toolResults', 'timing', 'rating', 'turnRatings', 'rootCause', 'analyserVersion'] as const;
  for (const field of [...kept, ...also]) expect(withoutWords(full)[field]).toEqual(full[field]);
});

test('so do the step where it ended, its way and the answer times, where they were read', () => {
  const place = { kind: 'node', id: 'greet', label: 'Greeting' } as const;
  const more = { endStep: place, path: { steps: ['greet'] }, responseTimes: [800] };
  const read = makeAnalysis(JSON.parse(JSON.stringify(more)));
  expect(withoutWords(read)).toMatchObject(more);
  for (const name of Object.keys(more)) expect(Object.keys(withoutWords(full))).not.toContain(name);
});

test.each([
  ['was read', null, null],
  ['was not asked for', undefined, undefined],
])('a hand-over that %s stays as it is', (_, handOff, expected) => {
  const { handOff: __, ...analysis } = full;
  expect(withoutWords(handOff === undefined ? analysis : { ...analysis, handOff }).handOff).toBe(expected);
});
