import { type Coverage, coverage } from '../../contract/coverage.ts';
import { type ProfileCount, readComputability } from '../../db/queries/read-coverage.ts';
import { CATALOGUE } from '../../domain/signals/catalogue.ts';
import { defineOperation } from '../operation.ts';
import { scopeOf } from '../scope-of.ts';

export const getCoverage = defineOperation({
  id: 'getCoverage',
  surface: 'v1',
  method: 'GET',
  path: '/v1/agents/{agentId}/coverage',
  scope: 'read',
  tag: 'Signals',
  summary: 'Read what could be computed',
  description: 'For each code: on how many calls it could be computed, and why not on the others.',
  whenToUse:
    'Call it before concluding from a missing issue that all is well: a code that could not be computed finds nothing.',
  response: coverage,
  async run(context): Promise<Coverage> {
    const profiles = await readComputability(context.em, scopeOf(context.agent));
    return {
      object: 'coverage',
      signals: [...CATALOGUE.keys()].toSorted().map((code) => cover(code, profiles)),
      tests: [],
    };
  },
});

function cover(code: string, profiles: ProfileCount[]): Coverage['signals'][number] {
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
    title: entry?.title ?? code,
    lane: entry?.lane ?? null,
    calls,
    computable: calls - missing,
    notComputable: [...reasons]
      .map(([reason, count]) => ({ reason, calls: count }))
      .toSorted((a, b) => b.calls - a.calls || (a.reason < b.reason ? -1 : 1)),
  };
}
