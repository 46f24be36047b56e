import { describe, expect, test } from 'vitest';
import { rateCall, rateTurns } from '../../../src/domain/signals/rating.ts';
import { readCall } from '../../../src/domain/signals/reading.ts';
import { rootCauseOf } from '../../../src/domain/signals/root-cause.ts';
import type { Signal } from '../../../src/domain/signals/signal.ts';
import type { Outcome } from '../../../src/domain/vocabulary.ts';
import { scripted } from './scripted-call.ts';

const CAUSE = { code: 'slow', label: '', detail: null, category: 'system_failure', party: 'tool_owner' } as const;

function signal(severity: Signal['severity'], over: Partial<Signal> = {}): Signal {
  const place = { kind: 'agent', id: 'agent', label: '' } as const;
  return {
    code: 'tool_slow',
    klass: 'technical',
    lane: null,
    severity,
    confidence: 0.8,
    place,
    turnIndex: 1,
    quote: '',
    detail: '',
    cause: null,
    ...over,
  };
}

describe('a call is rated', () => {
  test.each<[number, string, Signal[], Outcome | null]>([
    [3, 'with nothing on it', [], 'resolved'],
    [3, 'handed over with nothing on it', [], 'transferred'],
    [3, 'with what is of low severity', [signal('low')], 'resolved'],
    [3, 'where nobody knows how it ended', [], null],
    [2, 'with a signal of medium severity', [signal('low'), signal('medium')], 'resolved'],
    [2, 'with one of high severity that ended well', [signal('high')], 'resolved'],
    [2, 'that ended badly', [], 'unresolved'],
    [2, 'that was given up, with little on it', [signal('low')], 'abandoned'],
    [2, 'that ended badly, with a signal of medium severity', [signal('medium')], 'unresolved'],
    [1, 'that ended badly, with one of high severity', [signal('high')], 'unresolved'],
    [1, 'that was given up, with one of high severity', [signal('high')], 'abandoned'],
    [1, 'with a critical one, however it ended', [signal('critical')], 'resolved'],
    [3, 'with nothing but how the caller behaved', [signal('critical', { klass: 'behaviour' })], 'resolved'],
    [2, 'that ended badly by the caller alone', [signal('high', { klass: 'behaviour' })], 'unresolved'],
  ])('%i %s', (rating, _, signals, outcome) => {
    expect(rateCall(signals, outcome)).toBe(rating);
  });
});

describe('a turn of the agent is rated', () => {
  const LONG_MS = 25_000;
  const words = (count: number) => Array.from({ length: count }, () => 'word').join(' ');
  const rated = (text: string, signals: Signal[] = []) =>
    rateTurns(readCall(scripted([{ c: 'hello' }, { a: text }, { c: 'bye' }])), signals, LONG_MS);

  test.each<[number, string, Signal[]]>([
    [3, 'nothing', []],
    [2, 'a signal of low severity', [signal('low')]],
    [2, 'one of medium severity', [signal('medium')]],
    [1, 'one of high severity', [signal('high')]],
    [1, 'the worst of several', [signal('low'), signal('critical'), signal('medium')]],
    [3, 'one on another turn', [signal('high', { turnIndex: 2 })]],
    [3, 'how the caller behaved', [signal('high', { klass: 'behaviour' })]],
    [3, 'how the call ended', [signal('high', { code: 'dead_end_step' })]],
  ])('%i with %s', (rating, _, signals) => {
    expect(rated('A short line.', signals)).toEqual([{ turn: 1, rating }]);
  });

  test.each([
    [3, 64],
    [2, 65],
    [2, 129],
    [1, 130],
  ])('%i with %i words, as they are listened to', (rating, count) => {
    expect(rated(words(count))).toEqual([{ turn: 1, rating }]);
  });

  test('a long one with a high signal is as bad as the worse of both', () => {
    expect(rated(words(65), [signal('high')])).toEqual([{ turn: 1, rating: 1 }]);
    expect(rated(words(130), [signal('low')])).toEqual([{ turn: 1, rating: 1 }]);
  });
});

describe('what best explains a bad ending', () => {
  const root = (signals: Signal[], outcome: Outcome | null = 'unresolved') => {
    const found = rootCauseOf(signals, outcome);
    return found === null ? null : `${found.code} at ${found.turn}`;
  };
  const at = (turnIndex: number, severity: Signal['severity'], over: Partial<Signal> = {}) =>
    signal(severity, { turnIndex, ...over });

  test.each<[string, Signal[], string | null]>([
    ['nothing where nothing was found', [], null],
    ['the heaviest signal', [at(1, 'low'), at(2, 'high', { code: 'tool_failed' })], 'tool_failed at 2'],
    ['the earliest of equal ones', [at(1, 'high'), at(2, 'high', { code: 'tool_failed' })], 'tool_slow at 1'],
    [
      'one whose cause is known before one twice as sure without',
      [at(1, 'high', { confidence: 0.8 }), at(2, 'high', { code: 'tool_failed', confidence: 0.6, cause: CAUSE })],
      'tool_failed at 2',
    ],
    ['the surer one', [at(1, 'high', { confidence: 0.6 }), at(2, 'high', { code: 'tool_failed' })], 'tool_failed at 2'],
    ['nothing that the caller did', [at(1, 'critical', { klass: 'behaviour' })], null],
    ['nothing that is itself the ending', [at(1, 'critical', { code: 'dead_end_step' })], null],
  ])('is %s', (_, signals, expected) => {
    expect(root(signals)).toBe(expected);
  });

  test('is looked for where the call ended badly only', () => {
    expect(root([at(1, 'critical')], 'resolved')).toBeNull();
    expect(root([at(1, 'critical')], 'transferred')).toBeNull();
    expect(root([at(1, 'high')], null)).toBe('tool_slow at 1');
  });
});
