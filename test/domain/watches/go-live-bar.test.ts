import { describe, expect, test } from 'vitest';
import { type BarFacts, goLiveBlock, isAlarm } from '../../../src/domain/watches/go-live-bar.ts';
import type { WatchForm } from '../../../src/domain/watches/watch.ts';

const complete = { status: 'complete', inScope: 300, flagged: 30 } as const;
const facts = (set: Partial<BarFacts>): BarFacts => ({
  isJudged: false,
  isAlarm: false,
  isRead: false,
  backtest: complete,
  labels: { right: 0, wrong: 0 },
  ...set,
});

describe('the bar of a watch', () => {
  test.each<[string, Partial<BarFacts>, RegExp]>([
    ['nothing but a model can judge it, and none reads the calls', { isJudged: true }, /no model reads the calls/],
    ['a model judges it and nothing is labelled', { isJudged: true, isRead: true }, /10 flagged samples/],
    ['it was never backtested', { backtest: null }, /not backtested/],
    ['its backtest runs', { backtest: { ...complete, status: 'running' } }, /running/],
    ['its backtest failed', { backtest: { ...complete, status: 'failed' } }, /failed/],
    ['its backtest was cancelled', { backtest: { ...complete, status: 'cancelled' } }, /cancelled/],
    ['nothing is labelled', {}, /10 flagged samples have to be labelled, 0 are/],
    [
      'nine are labelled',
      { labels: { right: 9, wrong: 0 } },
      /9 are.*9 of 9 were right: precision 100 %, at least 70 %/,
    ],
    ['it is wrong too often', { labels: { right: 7, wrong: 3 } }, /at least 80 %.*7 of 10 were right: precision 70 %/],
    [
      'few were flagged and not all are labelled',
      { backtest: { ...complete, flagged: 4 }, labels: { right: 3, wrong: 0 } },
      /All 4 flagged samples have to be labelled, 3 are/,
    ],
    [
      'one was flagged and is not labelled',
      { backtest: { ...complete, flagged: 1 }, labels: { right: 0, wrong: 0 } },
      /The one flagged sample has to be labelled\./,
    ],
    [
      'few were flagged and one of them is wrong',
      { backtest: { ...complete, flagged: 4 }, labels: { right: 3, wrong: 1 } },
      /at least 80 %.*3 of 4 were right/,
    ],
    ['none was flagged, of too few', { backtest: { ...complete, flagged: 0, inScope: 49 } }, /there were 49/],
  ])('is not met where %s', (_, set, words) => {
    expect(goLiveBlock(facts(set))).toMatch(words);
  });

  test.each<[string, Partial<BarFacts>]>([
    ['eight of ten labels are right', { labels: { right: 8, wrong: 2 } }],
    ['a model reads the calls and is right', { isJudged: true, isRead: true, labels: { right: 9, wrong: 1 } }],
    [
      'the seven that were flagged are all labelled right',
      { backtest: { ...complete, flagged: 7 }, labels: { right: 7, wrong: 0 } },
    ],
    [
      'nothing that should never be was found on the first day',
      { isAlarm: true, backtest: { ...complete, flagged: 0, inScope: 0 } },
    ],
    ['none was flagged in fifty calls', { backtest: { ...complete, flagged: 0, inScope: 50 } }],
  ])('is met where %s', (_, set) => {
    expect(goLiveBlock(facts(set))).toBeNull();
  });
});

describe('whether it is an alarm', () => {
  const all = { kind: 'all_calls' } as const;
  test.each<[string, WatchForm, boolean]>([
    ['a ban', { scope: all, expectation: { kind: 'says', text: 'guaranteed' }, polarity: 'must_not' }, true],
    [
      'a bound',
      { scope: all, expectation: { kind: 'tool_called', tool: 'book', times: { atMost: 1 } }, polarity: 'must' },
      true,
    ],
    [
      'a line about emergencies that a model judges',
      { scope: all, expectation: { kind: 'judged', text: 'Tell them to call 911.' }, polarity: 'must' },
      true,
    ],
    [
      'what follows when callers say something',
      {
        scope: { kind: 'caller_said', text: 'chest pain' },
        expectation: { kind: 'outcome', outcome: 'transferred' },
        polarity: 'must',
      },
      true,
    ],
    [
      'what is said on every call',
      { scope: all, expectation: { kind: 'says', text: 'hello' }, polarity: 'must' },
      false,
    ],
  ])('%s', (_, form, is) => {
    expect(isAlarm(form)).toBe(is);
  });
});
