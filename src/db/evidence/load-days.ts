import { sql } from 'kysely';
import { doubtfulCause, wasHeld } from '../../domain/issues/cause.ts';
import { isRemembered, needsDays } from '../../domain/issues/confirm.ts';
import type { DayCalls, GroupFacts } from '../../domain/issues/facts.ts';
import { NO_DAY } from '../../domain/issues/ledger.ts';
import type { CatalogueEntry } from '../../domain/signals/catalogue-entry.ts';
import type { EntityManager } from '../database.ts';
import { db } from '../db.ts';
import { anyId, anyText } from '../expressions.ts';
import { digestOf, EVERYWHERE } from './every-call.ts';
import { dayOf } from './rebuild-evidence.ts';

interface Asked {
  groups: readonly GroupFacts[];
  newestCallAt: string | null;
  entryOf: (code: string) => CatalogueEntry;
}

/** Adds what hangs on the order of the calls, to the groups whose sums alone leave it open. */
export async function addDays(em: EntityManager, agentId: string, { groups, newestCallAt, entryOf }: Asked) {
  const asking = groups.filter((group) => needsDays(group, entryOf(group.code)));
  if (asking.length > 0) {
    const newest = newestCallAt === null ? NO_DAY : new Date(newestCallAt).toISOString().slice(0, 10);
    const days = await loadDays(em, agentId, asking, newest);
    for (const group of asking) group.days = days.get(group.issueId) ?? [];
  }
  const doubtful = groups.flatMap((group) => {
    const causeCode = isRemembered(group) ? null : doubtfulCause(group);
    return causeCode === null ? [] : [{ group, causeCode }];
  });
  if (doubtful.length > 0) {
    const held = await readHeld(em, agentId, doubtful);
    for (const { group, causeCode } of doubtful) group.heldCause = held.has(group.issueId) ? causeCode : null;
  }
}

/** Each day of the groups, and the newest one of the agent: their own calls, and the computable ones that reached their place. */
async function loadDays(
  em: EntityManager,
  agentId: string,
  groups: readonly GroupFacts[],
  newest: string,
): Promise<Map<string, DayCalls[]>> {
  const ids = groups.map((group) => group.issueId);
  const own = await db(em)
    .selectFrom('issue_days')
    .where('agentId', '=', agentId)
    .where('issueId', '=', anyId(ids))
    .select(['issueId', 'day', 'calls'])
    .execute();
  const places = await db(em)
    .selectFrom('issues')
    .where('id', '=', anyId(ids))
    .select(['id', 'placeKind', ({ ref }) => digestOf(ref('placeId')).as('digest')])
    .execute();
  const digests = new Set(places.map(({ digest }) => digest));
  const bases = await db(em)
    .selectFrom('place_rollups as r')
    .where('r.agentId', '=', agentId)
    .where(({ eb, or }) => or([eb('r.placeDigest', '=', anyText([...digests])), eb('r.placeKind', '=', EVERYWHERE)]))
    .groupBy(['r.placeKind', 'r.placeDigest', 'r.profileId', 'r.day'])
    .select(({ fn }) => ['r.placeKind', 'r.placeDigest', 'r.profileId', 'r.day', fn.sum<number>('r.calls').as('calls')])
    .execute();
  const profiles = await db(em)
    .selectFrom('computability_profiles')
    .where('agentId', '=', agentId)
    .select(['id', 'notComputable'])
    .execute();
  const missing = new Map(
    profiles.map(({ id, notComputable }) => [id, new Set(notComputable.map(({ code }) => code))]),
  );
  const ofPlace = Map.groupBy(bases, ({ placeKind, placeDigest }) => `${placeKind}:${placeDigest}`);
  // Places that no call visits by itself (the prompt, the platform's parts) are reached by every call.
  const all = bases.filter(({ placeKind }) => placeKind === EVERYWHERE);
  const placeOf = new Map(places.map(({ id, placeKind, digest }) => [id, `${placeKind}:${digest}`]));
  const ownOf = Map.groupBy(own, ({ issueId }) => issueId);
  return new Map(
    groups.map(({ issueId, code }) => {
      const days = new Map<string, DayCalls>([[newest, { day: newest, calls: 0, base: 0 }]]);
      const add = (day: string, calls: number, base: number) => {
        const so = days.get(day);
        days.set(day, { day, calls: (so?.calls ?? 0) + calls, base: (so?.base ?? 0) + base });
      };
      for (const { day, calls } of ownOf.get(issueId) ?? []) add(day, calls, 0);
      for (const { day, calls, profileId } of ofPlace.get(placeOf.get(issueId) ?? '') ?? all) {
        if (missing.get(profileId)?.has(code) !== true) add(day, 0, calls);
      }
      return [issueId, [...days.values()]];
    }),
  );
}

/** Of groups whose commonest cause is neither sure nor lost, those that held it in the order of their calls. */
async function readHeld(
  em: EntityManager,
  agentId: string,
  doubtful: readonly { group: GroupFacts; causeCode: string }[],
): Promise<Set<string>> {
  const asked = doubtful.map(({ group, causeCode }) => ({ id: group.issueId, cause: causeCode }));
  const { rows } = await sql<{ id: string; calls: number; withCause: number }>`
    select i.id, count(*)::int as calls, count(*) filter (where exists (select from call_signals s
      where s.call_id = l.call_id and s.agent_id = ${agentId} and s.code = i.code and s.place_kind = i.place_kind
        and s.place_id = i.place_id and s.cause_code = a.cause))::int as with_cause
    from jsonb_to_recordset(${JSON.stringify(asked)}::jsonb) a(id uuid, cause text)
    join issues i on i.id = a.id and i.agent_id = ${agentId}
    join issue_calls l on l.issue_id = i.id and l.own
    join calls c on c.id = l.call_id
    group by i.id, ${dayOf} order by i.id, ${dayOf}`.execute(db(em));
  const byIssue = Map.groupBy(rows, ({ id }) => id);
  return new Set([...byIssue].filter(([, days]) => wasHeld(days)).map(([id]) => id));
}
