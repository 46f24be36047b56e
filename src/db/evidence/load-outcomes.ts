import type { GroupFacts } from '../../domain/issues/facts.ts';
import { ANY_CODE } from '../../domain/issues/ledger.ts';
import type { OutcomeFacts } from '../../domain/issues/rescore-outcomes.ts';
import { type Reached, routesTo } from '../../domain/issues/routes.ts';
import type { EntityManager } from '../database.ts';
import { db } from '../db.ts';
import { anyId } from '../expressions.ts';
import { digestOf } from './every-call.ts';

/** Lays the codes noticed on the way to each step, there and elsewhere, beside the issues of steps: from sums alone. */
export async function loadSteps(
  em: EntityManager,
  agentId: string,
  outcomes: readonly GroupFacts[],
  groups: readonly GroupFacts[],
): Promise<OutcomeFacts[]> {
  const steps = await readSteps(em, agentId);
  const reached = await readReached(em, agentId, groups);
  return outcomes.map((group) => {
    const codes = steps.get(group.issueId) ?? [];
    const all = codes.find(({ code }) => code === ANY_CODE);
    const bad = all?.bad ?? 0;
    const routes = routesTo(group, bad, groups, reached);
    const step = { calls: all?.calls ?? 0, bad, codes: codes.filter(({ code }) => code !== ANY_CODE), routes };
    return { ...group, step };
  });
}

/** How many calls reached each place at which something was noticed. */
async function readReached(em: EntityManager, agentId: string, groups: readonly GroupFacts[]): Promise<Reached> {
  const rows = await db(em)
    .with('places', (within) =>
      within
        .selectFrom('issues')
        .where('agentId', '=', agentId)
        .where('source', '=', 'detector')
        .where('placeKind', 'in', ['tool', 'node'])
        .where('id', '=', anyId(groups.map(({ issueId }) => issueId)))
        .select(['placeKind', 'placeId'])
        .distinct(),
    )
    .selectFrom('places as p')
    .innerJoin('place_rollups as r', 'r.placeKind', 'p.placeKind')
    .where('r.agentId', '=', agentId)
    .where(({ eb, ref }) => eb(ref('r.placeDigest'), '=', digestOf(ref('p.placeId'))))
    .groupBy(['p.placeKind', 'p.placeId'])
    .select(({ fn }) => ['p.placeKind', 'p.placeId', fn.sum<number>('r.calls').as('calls')])
    .execute();
  const calls = new Map(rows.map((row) => [`${row.placeKind} ${row.placeId}`, row.calls]));
  return ({ kind, id }) => calls.get(`${kind} ${id}`) ?? 0;
}

async function readSteps(em: EntityManager, agentId: string): Promise<Map<string, OutcomeFacts['step']['codes']>> {
  const rows = await db(em)
    .selectFrom('issues as i')
    .innerJoin('step_codes as s', (join) =>
      join.onRef('s.agentId', '=', 'i.agentId').onRef('s.stepKind', '=', 'i.placeKind'),
    )
    .where('i.agentId', '=', agentId)
    .where('i.source', '=', 'outcome')
    .where(({ eb, ref }) => eb(ref('s.stepDigest'), '=', digestOf(ref('i.placeId'))))
    .select(['i.id', 's.code', 's.calls', 's.bad'])
    .orderBy('i.id')
    .orderBy('s.code')
    .execute();
  const byIssue = Map.groupBy(rows, ({ id }) => id);
  return new Map([...byIssue].map(([id, codes]) => [id, codes.map(({ id: _, ...code }) => code)]));
}
