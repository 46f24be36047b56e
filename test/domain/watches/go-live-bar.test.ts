import { describe, expect, test } from 'vitest';
import { type BarFacts, goLiveBlock } from '../../../src/domain/watches/go-live-bar.ts';

const complete = { status: 'complete', inScope: 300, flagged: 30 } as const;
const facts = (set: Partial<BarFacts>): BarFacts => ({
  isJudged: false,
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
    ['too few were flagged to label', { backtest: { ...complete, flagged: 4 } }, /flagged only 4/],
    ['none was flagged, of too few', { backtest: { ...complete, flagged: 0, inScope: 49 } }, /there were 49/],
  ])('is not met where %s', (_, set, words) => {
    expect(goLiveBlock(facts(set))).toMatch(words);
  });

  test.each<[string, Partial<BarFacts>]>([
    ['eight of ten labels are right', { labels: { right: 8, wrong: 2 } }],
    ['a model reads the calls and is right', { isJudged: true, isRead: true, labels: { right: 9, wrong: 1 } }],
    ['none was flagged in fifty calls', { backtest: { ...complete, flagged: 0, inScope: 50 } }],
  ])('is met where %s', (_, set) => {
    expect(goLiveBlock(facts(set))).toBeNull();
  });
});
