import { type Coverage, coverage } from '../../contract/coverage.ts';
import { readNewestWarnings } from '../../db/calls/read-warnings.ts';
import { type ProfileCount, readComputability } from '../../db/evidence/read-coverage.ts';
import { countLabels, type LabelCount } from '../../db/labels/signal-labels.ts';
import { readAgentCosts } from '../../db/metrics/agent-costs.ts';
import { countDropped, type DroppedCount, readModelPolicy, type StandingPolicy } from '../../db/models/model-policy.ts';
import { readTestReach } from '../../db/tests/test-coverage.ts';
import { currentConfiguration } from '../../db/versions/versions.ts';
import { OUTCOME_CODE } from '../../domain/signals/analyser-version.ts';
import { CATALOGUE } from '../../domain/signals/catalogue.ts';
import { remedyFor } from '../../domain/signals/remedies.ts';
import { costGap, withGap } from '../../domain/signals/renew-cost.ts';
import { coverByTests } from '../../domain/tests/coverage.ts';
import { type Context, defineOperation } from '../operation.ts';
import { scopeOf } from '../scope-of.ts';
import { coverableItems } from '../tests/coverable-items.ts';
import { presentPrecision } from './present-label.ts';

export const getCoverage = defineOperation({
  id: 'getCoverage',
  surface: 'v1',
  method: 'GET',
  path: '/v1/agents/{agentId}/coverage',
  scope: 'read',
  tag: 'Signals',
  summary: 'Read what could be computed, and what is tested',
  description:
    'For each code: on how many calls it could be computed, why not on the others and what would change that, and how often people who labelled its signals found them right. For each intent, node, tool and open issue: which tests cover it.',
  whenToUse:
    'Call it before concluding from a missing issue that all is well: a code that could not be computed finds nothing. Call it also for what no test covers yet.',
  response: coverage,
  async run(context): Promise<Coverage> {
    const gap = costGap(await readAgentCosts(context.em, context.agent.id), context.agent.thresholds);
    const profiles = (await readComputability(context.em, scopeOf(context.agent))).map((profile) => ({
      ...profile,
      notComputable: withGap(profile.notComputable, gap),
    }));
    const policy = await readModelPolicy(context.em, context.agent.id);
    const labels = await countLabels(context.em, context.agent.id);
    const dropped = policy.mode === 'decide' ? await countDropped(context.em, context.agent.id) : [];
    return {
      object: 'coverage',
      signals: [OUTCOME_CODE, ...CATALOGUE.keys(), ...policy.labels.keys()]
        .filter((code, at, all) => all.indexOf(code) === at)
        .toSorted()
        .map((code) => ({ ...cover(code, profiles, labels.get(code)), model: modelOn(code, policy, dropped) })),
      warnings: await readNewestWarnings(context.em, scopeOf(context.agent), WARNED_CALLS),
      tests: await readTests(context),
    };
  },
});

/** Calls whose records are looked at for what was noted. */
const WARNED_CALLS = 1_000;

async function readTests(context: Context): Promise<Coverage['tests']> {
  const { em, agent } = context;
  const configuration = await currentConfiguration(em, agent.id);
  const items = await coverableItems(context, configuration);
  return coverByTests(items, await readTestReach(em, scopeOf(agent)), configuration);
}

function modelOn(
  code: string,
  { mode, labels, returned }: StandingPolicy,
  dropped: readonly DroppedCount[],
): Coverage['signals'][number]['model'] {
  if (mode !== 'decide') return null;
  const reason = returned.find((one) => one.code === code)?.reason ?? null;
  return {
    decides: reason === null,
    reason,
    precision: presentPrecision(labels.get(code)),
    dropped: dropped.flatMap((one) => (one.code === code ? [{ reason: one.reason, findings: one.findings }] : [])),
  };
}

function cover(
  code: string,
  profiles: ProfileCount[],
  labels: LabelCount | undefined,
): Omit<Coverage['signals'][number], 'model'> {
  const reasons = new Map<string, number>();
  let calls = 0;
  for (const profile of profiles) {
    calls += profile.calls;
    const gap = profile.notComputable.find((entry) => entry.code === code);
    if (gap) reasons.set(gap.reason, (reasons.get(gap.reason) ?? 0) + profile.calls);
  }
  const missing = [...reasons.values()].reduce((sum, count) => sum + count, 0);
  const entry = CATALOGUE.get(code);
  return {
    code,
    title: code === OUTCOME_CODE ? 'How the call ended' : (entry?.title ?? code),
    lane: entry?.lane ?? null,
    calls,
    computable: calls - missing,
    computableShare: { value: calls === 0 ? null : (calls - missing) / calls, n: calls },
    notComputable: [...reasons]
      .map(([reason, count]) => ({ reason, calls: count, remedy: remedyFor(reason) }))
      .toSorted((a, b) => b.calls - a.calls || (a.reason < b.reason ? -1 : 1)),
    precision: presentPrecision(labels),
  };
}
