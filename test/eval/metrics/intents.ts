import type { CallIntents } from '../../../src/domain/calls/intents.ts';
import { isReserved } from '../../../src/domain/calls/known-intent.ts';
import { analyseCall } from '../../../src/domain/signals/analyse-call.ts';
import type { Analysed } from '../analysed.ts';
import { discoverCalls } from '../discover-calls.ts';
import { textsOf } from '../labels.ts';
import { linesOf, type Metric } from '../line.ts';
import {
  adjustedRandIndex,
  assignBest,
  assignedAccuracy,
  normalisedMutualInformation,
  type Placed,
  purity,
  purityF1,
} from '../partitions.ts';

/** M6: each turn as a call of its own; the intents that come out against those that people gave. */
export const openIntentLines: Metric = (set, calls) => {
  const turns = calls.flatMap((call) =>
    textsOf(call.labels['turnIntents']).flatMap((truth, at) => {
      const turn = call.call.turns[at];
      if (turn === undefined) return [];
      const { requests } = analyseCall({ call: { ...call.call, turns: [turn] }, configuration: null }, {});
      return [{ callId: `${call.id}#${at}`, requests: requests.map(({ text }) => text), truth, group: call.group }];
    }),
  );
  const { byCall } = discoverCalls(turns);
  const placed = placedOf(turns, byCall);
  const { of, plain } = linesOf('M6 intent, open', set);
  return [
    of('ACC', placed, assignedAccuracy, { floor: 0.425, published: 'baseline 0.597, median 0.657, best 0.752' }),
    of('F1', placed, purityF1, { floor: 0.515, published: 'baseline 0.659, median 0.736, best 0.806' }),
    of('NMI', placed, normalisedMutualInformation, {
      floor: 0.509,
      published: 'baseline 0.603, median 0.706, best 0.785',
    }),
    of('ARI', placed, adjustedRandIndex, { floor: 0.22, published: 'baseline 0.461, median 0.574, best 0.707' }),
    of('purity', placed, purity),
    plain('groups (29 intents)', new Set(placed.map(({ answer }) => answer)).size),
    plain('turns that fit nowhere', placed.filter(({ answer }) => isReserved(answer)).length / placed.length, {
      better: 'lower',
    }),
    ...[3, 10].map((imports) => plain(`agreement of ${imports} imports with 1`, agreement(turns, byCall, imports))),
  ];
};

const FLOORS: Record<string, { purity?: number; nmi?: number; setF1?: number }> = {
  star: { purity: 0.308, nmi: 0.339 },
  multidogo: { purity: 0.524, nmi: 0.158, setF1: 0.403 },
};

/** M7: the intent of whole calls, on those with one; on all of them the sets of intents. */
export const callIntentLines: Metric = (set, calls) => {
  const given = calls.map((call) => ({
    callId: call.id,
    requests: call.analysis.requests.map(({ text }) => text),
    truths: truthsOf(call),
    group: call.group,
  }));
  const { byCall } = discoverCalls(given);
  const single = given.flatMap((call) => {
    const [truth, ...more] = call.truths;
    return truth === undefined || more.length > 0 ? [] : [{ ...call, truth }];
  });
  const placed = placedOf(single, byCall);
  const floor = FLOORS[set] ?? {};
  const { of, plain } = linesOf('M7 intent, call', set);
  return [
    of('purity', placed, purity, floor.purity === undefined ? {} : { floor: floor.purity }),
    of('NMI', placed, normalisedMutualInformation, floor.nmi === undefined ? {} : { floor: floor.nmi }),
    of('ACC', placed, assignedAccuracy),
    of(
      'set F1',
      given.map((call) => ({ ...call, answers: answersOf(byCall.get(call.callId)) })),
      setF1,
      floor.setF1 === undefined ? {} : { floor: floor.setF1 },
    ),
    plain(
      `groups (${new Set(placed.map(({ truth }) => truth)).size} intents)`,
      new Set(placed.map(({ answer }) => answer)).size,
    ),
    ...[3, 10].map((imports) => plain(`agreement of ${imports} imports with 1`, agreement(given, byCall, imports))),
  ];
};

function truthsOf(call: Analysed): string[] {
  const { intent, intents } = call.labels;
  const list = textsOf(intents);
  return list.length === 0 && typeof intent === 'string' ? [intent] : list;
}

function answersOf(intents: CallIntents | undefined): string[] {
  if (intents === undefined) return [];
  const all = [...new Set([intents.intent, ...intents.requestIntents])];
  const known = all.filter((slug) => !isReserved(slug));
  return known.length > 0 ? known : all;
}

function placedOf(
  calls: readonly { callId: string; truth: string; group: string }[],
  byCall: ReadonlyMap<string, CallIntents>,
): Placed[] {
  return calls.map(({ callId, truth, group }) => ({ group, truth, answer: byCall.get(callId)?.intent ?? '' }));
}

/** Mean over calls of the F1 of their set of intents, after the best assignment of slugs to labels, one to one. */
function setF1(calls: readonly { truths: string[]; answers: string[] }[]): number {
  const slugs = [...new Set(calls.flatMap(({ answers }) => answers))];
  const labels = [...new Set(calls.flatMap(({ truths }) => truths))];
  const met = slugs.map((slug) =>
    labels.map(
      (label) => calls.filter(({ truths, answers }) => answers.includes(slug) && truths.includes(label)).length,
    ),
  );
  const meant = new Map(assignBest(met).map((column, row) => [slugs[row], labels[column]]));
  const scores = calls.map(({ truths, answers }) => {
    const hits = answers.filter((slug) => truths.includes(meant.get(slug) ?? '')).length;
    return truths.length + answers.length === 0 ? 1 : (2 * hits) / (truths.length + answers.length);
  });
  return scores.reduce((all, one) => all + one, 0) / calls.length;
}

/** How far intents depend on how the calls came: the adjusted Rand index against one import. */
function agreement(
  calls: readonly { callId: string; requests: string[]; group: string }[],
  once: ReadonlyMap<string, CallIntents>,
  imports: number,
): number {
  const { byCall } = discoverCalls(calls, imports);
  return adjustedRandIndex(
    calls.map(({ callId, group }) => ({
      group,
      truth: once.get(callId)?.intent ?? '',
      answer: byCall.get(callId)?.intent ?? '',
    })),
  );
}
