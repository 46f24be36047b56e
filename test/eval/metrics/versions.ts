import type { ComparisonResult } from '../../../src/domain/comparisons/comparison.ts';
import type { ComparedCall } from '../../../src/domain/comparisons/metrics.ts';
import { type Random, seededRandom } from '../../../src/domain/random.ts';
import { newcombe } from '../../../src/domain/statistics.ts';
import { compareCalls } from '../../support/compare-calls.ts';
import type { Analysed } from '../analysed.ts';
import { mean, share } from '../figures.ts';
import { linesOf, type Metric } from '../line.ts';

const TRIALS = 500;
const LEVEL = 0.05;
const SHIFTS = [0.05, 0.1, 0.2];

interface Item {
  call: ComparedCall;
  /** The label: did the call end badly. */
  bad: boolean;
}

/** What the plain rule of the sets' page finds on true labels at 5, 10 and 20 points. */
const PLAIN: Record<string, readonly number[]> = { star: [0.08, 0.3, 0.625], betold: [0.21, 0.58, 0.995] };

/**
 * M16: does a comparison stay quiet. A/A cuts a set in two at random; A/B makes the failing label more frequent on one
 * side and counts how often "got it done" is found worse and how often all measures together are, beside Newcombe's
 * interval on the true labels of the same cuts.
 */
export const versionLines: Metric = (set, calls) => {
  const items = calls.flatMap((call) => itemOf(call));
  const { plain } = linesOf('M16 versions', set);
  const limit = LEVEL + 2 * Math.sqrt((LEVEL * (1 - LEVEL)) / TRIALS);
  const quiet = halves(items);
  const metrics = quiet[0]?.metrics.map(({ metric }) => metric) ?? [];
  const changedShare = (metric: string) =>
    share(quiet.filter((result) => verdictOf(result, metric) === 'changed').length, quiet.length);
  return [
    plain('A/A got it done changed', changedShare('got_it_done'), { better: 'lower', floor: limit }),
    plain('A/A all verdicts changed', mean(metrics.map(changedShare)), { better: 'lower', floor: limit }),
    plain('A/A measure that changed most', Math.max(...metrics.map(changedShare)), { better: 'lower' }),
    plain('A/A concluded', share(quiet.filter(isConcluded).length, quiet.length), { better: 'lower', floor: limit }),
    ...SHIFTS.flatMap((shift, index) => {
      const found = shifted(items, shift);
      const oracle = mean(found.map(({ oracle: hit }) => Number(hit)));
      return [
        plain(`A/B found at ${shift * 100} points`, mean(found.map(({ ours }) => Number(ours))), {
          floor: 0.8 * oracle,
          published: `plain rule on true labels ${oracle.toFixed(3)} (page: ${PLAIN[set]?.[index] ?? 'none'})`,
        }),
        plain(`A/B concluded worse at ${shift * 100} points`, mean(found.map(({ concluded }) => Number(concluded)))),
      ];
    }),
  ];
};

function itemOf(call: Analysed): Item[] {
  const { labels, analysis } = call;
  const bad = typeof labels['luhf'] === 'boolean' ? labels['luhf'] : badOutcome(labels['outcome']);
  if (bad === null) return [];
  const results = analysis.toolResults;
  return [
    {
      bad,
      call: {
        id: call.id,
        startedAt: call.call.startedAt,
        outcome: analysis.outcome,
        isNobodysFailure: false,
        intentSlug: 'all',
        durationMs: call.call.durationMs,
        toolResults: results.length,
        toolFailures: results.filter(({ ok }) => ok === false).length,
        frictions: analysis.counts.frictions,
        calledAgain: null,
        calledAgainSettled: false,
        responseP50Ms: null,
        responseP90Ms: null,
      },
    },
  ];
}

function badOutcome(outcome: unknown): boolean | null {
  return typeof outcome === 'string' ? outcome === 'unresolved' || outcome === 'abandoned' : null;
}

function halves(items: readonly Item[]): ComparisonResult[] {
  const random = seededRandom(16);
  return Array.from({ length: TRIALS }, () => {
    const mixed = shuffled(items, random);
    const middle = Math.floor(mixed.length / 2);
    return compared(mixed.slice(0, middle), mixed.slice(middle));
  });
}

/** A third of the set as it is, beside as many other calls among which the failing ones are `shift` more frequent. */
function shifted(items: readonly Item[], shift: number): { ours: boolean; concluded: boolean; oracle: boolean }[] {
  const random = seededRandom(17);
  const side = Math.floor(items.length / 3);
  const base = share(items.filter(({ bad }) => bad).length, items.length);
  return Array.from({ length: TRIALS }, () => {
    const mixed = shuffled(items, random);
    const before = mixed.slice(0, side);
    const rest = mixed.slice(side);
    const failing = rest.filter(({ bad }) => bad);
    const fine = rest.filter(({ bad }) => !bad);
    const after: Item[] = [];
    while (after.length < side) {
      const wanted = random.next() < base + shift ? failing : fine;
      const item = wanted.pop() ?? failing.pop() ?? fine.pop();
      if (!item) break;
      after.push(item);
    }
    const result = compared(before, after);
    const count = (some: readonly Item[]) => ({ k: some.filter(({ bad }) => bad).length, n: some.length });
    const lead = result.metrics[0];
    return {
      ours: lead?.verdict === 'changed' && lead.direction === 'worse',
      concluded: result.conclusion === 'worsened' || result.conclusion === 'mixed',
      oracle: newcombe(count(after), count(before)).lower > 0,
    };
  });
}

function compared(before: readonly Item[], after: readonly Item[]): ComparisonResult {
  return compareCalls(
    before.map(({ call }) => call),
    after.map(({ call }) => call),
  ).result;
}

const verdictOf = (result: ComparisonResult, metric: string) =>
  result.metrics.find((entry) => entry.metric === metric)?.verdict;

const isConcluded = ({ conclusion }: ComparisonResult) => ['improved', 'worsened', 'mixed'].includes(conclusion);

function shuffled(items: readonly Item[], random: Random): Item[] {
  const mixed = [...items];
  for (let index = mixed.length - 1; index > 0; index -= 1) {
    const other = Math.floor(random.next() * (index + 1));
    const held = mixed[index];
    const taken = mixed[other];
    if (!held || !taken) continue;
    mixed[index] = taken;
    mixed[other] = held;
  }
  return mixed;
}
