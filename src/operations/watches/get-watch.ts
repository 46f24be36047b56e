import { type WatchResultsResource, watch, watchResults } from '../../contract/watch.ts';
import { type HeldAndBroken, ratesByDay, ratesByVersion } from '../../db/watches/rates.ts';
import { listSamples } from '../../db/watches/samples.ts';
import type { WatchView } from '../../db/watches/watches.ts';
import { share, wilson } from '../../domain/statistics.ts';
import { FAILING_RULE, type FailingWatch, failingSentence } from '../../domain/watches/failing.ts';
import { precisionOf } from '../../domain/watches/go-live-bar.ts';
import { readerModelOf } from '../../services/models/reader-model.ts';
import { defineOperation } from '../operation.ts';
import { watchParent } from './parent.ts';
import { presentWatch } from './present.ts';

export const getWatch = defineOperation({
  id: 'getWatch',
  surface: 'v1',
  method: 'GET',
  path: '/v1/agents/{agentId}/watches/{watchId}',
  scope: 'read',
  tag: 'Watches',
  summary: 'Read a watch',
  description:
    'With its latest backtest, and the flagged and cleared sample calls of its revision for people to look at.',
  whenToUse: 'Call it to see what a watch expects, on which calls it did not hold, and why it is not live.',
  parents: [watchParent],
  response: watch,
  async run(context) {
    const row = context.parent(watchParent);
    const { em, services, agent } = context;
    return presentWatch(row, await listSamples(em, row), await readerModelOf(em, services, agent.workspaceId));
  },
});

export const getWatchResults = defineOperation({
  id: 'getWatchResults',
  surface: 'v1',
  method: 'GET',
  path: '/v1/agents/{agentId}/watches/{watchId}/results',
  scope: 'read',
  tag: 'Watches',
  summary: 'Read how often a watch holds, by version and day',
  description:
    'Shares with their 95 % intervals, the precision of its labels, the progress of its backtest, and whether it fails clearly more than in its own past.',
  whenToUse: 'Call it to see whether a version changed how often an expectation holds.',
  parents: [watchParent],
  response: watchResults,
  async run(context): Promise<WatchResultsResource> {
    const row = context.parent(watchParent);
    const byVersion = await ratesByVersion(context.em, row.id);
    const byDay = await ratesByDay(context.em, row.id);
    return {
      object: 'watch_results',
      watchId: row.id,
      revision: row.revision,
      all: rateOf(row),
      byVersion: byVersion.map(({ version, ...rate }) => ({ version, ...rateOf(rate) })),
      byDay: byDay.map(({ day, ...rate }) => ({ day, ...rateOf(rate) })),
      precision: presentPrecision(row),
      failing: row.failing && presentFailing(row.failing),
      failingRule: FAILING_RULE,
      backtest: presentBacktest(row),
      sourceNote: sourceNoteOf(row),
    };
  },
});

function rateOf({ held, broken }: HeldAndBroken) {
  const calls = held + broken;
  return { passRate: calls === 0 ? null : share(held, calls), ...wilson({ k: held, n: calls }), calls };
}

function presentPrecision(labels: WatchView): WatchResultsResource['precision'] {
  const precision = precisionOf(labels);
  return precision && { value: precision.value, lower: precision.lower, upper: precision.upper, labelled: precision.n };
}

function presentFailing(failing: FailingWatch): WatchResultsResource['failing'] {
  const { day, days, recent, past } = failing;
  return {
    message: failingSentence(failing),
    day,
    days,
    recent: { broken: recent.broken, calls: recent.of },
    past: { broken: past.broken, calls: past.of },
  };
}

function presentBacktest({ backtest }: WatchView): WatchResultsResource['backtest'] {
  if (backtest === null) return null;
  const { revision, status, candidates, considered, inScope, flagged, reason } = backtest;
  return { revision, status, candidates, considered, inScope, flagged, reason };
}

function sourceNoteOf({ sourceVersion, sourceGoneIn, sourceText }: WatchView): string | null {
  if (sourceVersion === null) return null;
  return sourceGoneIn === null
    ? `Its line stands in the agent's text: "${sourceText}"`
    : `Since version ${sourceGoneIn} its line does not stand in the agent's text any more: "${sourceText}"`;
}
