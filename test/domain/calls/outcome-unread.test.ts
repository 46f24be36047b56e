import { expect, test } from 'vitest';
import type { Evidence } from '../../../src/domain/calls/outcome-evidence.ts';
import { decideUnread } from '../../../src/domain/calls/outcome-unread.ts';
import { readTurns } from '../../../src/domain/calls/read-turns.ts';
import { asLine } from '../acts/talk.ts';
import { scripted } from '../signals/scripted-call.ts';

const NOTHING: Evidence = {
  success: null,
  refusal: null,
  failure: null,
  relayed: null,
  answer: null,
  request: null,
  accepted: null,
  callerClosed: null,
  agentClosed: null,
  gaveUp: null,
  brokenClaim: null,
  withdrawn: null,
  transfer: null,
  callerLast: false,
  agentAskedLast: false,
};

const DUTCH = ['a: Goedemorgen, wat kan ik voor u doen?', 'c: Ik wil graag een tafel.'];

const decide = (over: Partial<Evidence>, lines: readonly string[] = DUTCH) =>
  decideUnread(readTurns(scripted(lines.map(asLine), { language: 'nl-NL' })), { ...NOTHING, ...over });

test.each<[string, Partial<Evidence>, string | null, string, number | null]>([
  ['a deed', { success: 4 }, 'resolved', 'write_succeeded', 4],
  ['a deed after a failure', { failure: 2, success: 4 }, 'resolved', 'write_succeeded', 4],
  ['a deed after a refusal', { refusal: 2, success: 4 }, 'resolved', 'write_succeeded', 4],
  ['a deed at the turn of a failure', { failure: 4, success: 4 }, 'resolved', 'write_succeeded', 4],
  ['a failure after a deed', { success: 2, failure: 4 }, 'unresolved', 'tools_failed', 4],
  ['a refusal after a deed', { success: 2, refusal: 4 }, 'unresolved', 'tools_failed', 4],
  ['a failure', { failure: 4 }, 'unresolved', 'tools_failed', 4],
  ['a failure after an answer', { answer: 2, failure: 4 }, 'unresolved', 'tools_failed', 4],
  ['the later of a refusal and a failure', { refusal: 2, failure: 4 }, 'unresolved', 'tools_failed', 4],
  ['a call to come', { relayed: 4 }, 'unresolved', 'called_back_instead', 4],
  [
    'a call to come after a failed deed',
    { success: 2, failure: 3, relayed: 4 },
    'unresolved',
    'called_back_instead',
    4,
  ],
  ['a deed beside a call to come', { success: 2, relayed: 4 }, 'resolved', 'write_succeeded', 2],
  ['an answer after a failure', { failure: 2, answer: 4 }, null, 'words_unread', null],
  ['an answer', { answer: 4 }, null, 'words_unread', null],
  ['nothing', {}, null, 'words_unread', null],
])('where nobody can read the words, %s is told by the tools', (_, evidence, outcome, rule, turn) => {
  expect(decide(evidence)).toMatchObject({ outcome, rule, turns: [turn], confidence: outcome === null ? 0 : 0.7 });
});

test('what is not known says why', () => {
  expect(decide({}).text).toMatch(/\w.* No tool tells how it ended\.$/);
});

test.each([
  ['once', ['c: Hallo?'], 'abandoned', 'nobody_answered', [0], 0.8],
  ['twice', ['c: Hallo?', 'c: Is daar iemand?'], null, 'agent_unheard', [null], 0],
  ['never', [], null, 'agent_unheard', [null], 0],
])('without a word of the agent, a caller who spoke %s', (_, lines, outcome, rule, turns, confidence) => {
  expect(decide({}, lines)).toMatchObject({ outcome, rule, turns, confidence });
});

test('a caller whom the agent answered was not left alone, though they spoke once', () => {
  expect(decide({}, ['c: Hallo?', 'a: Goedemorgen.']).rule).toBe('words_unread');
});

test('what tools did tells more than that nobody answered', () => {
  expect(decide({ success: 3 }, ['c: Hallo?']).rule).toBe('write_succeeded');
});
