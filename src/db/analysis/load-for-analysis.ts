import { sql } from 'kysely';
import type { NormalisedCall } from '../../domain/calls/call.ts';
import type { CallerHistory } from '../../domain/calls/repeat-calls.ts';
import { withHeard } from '../../domain/sound/with-heard.ts';
import type { AgentConfiguration } from '../../domain/versions/configuration.ts';
import { SENDING_PLATFORMS } from '../../domain/vocabulary.ts';
import { loadHistories } from '../calls/caller-histories.ts';
import { isOnItsWay, isOpen } from '../calls/conditions.ts';
import type { EntityManager } from '../database.ts';
import { db } from '../db.ts';
import { alsoOfAgent, anyId, now } from '../expressions.ts';
import { openImports } from '../imports/imports.ts';
import { noteLateCalls } from '../limits/allowance.ts';
import { queryPlanned } from '../planned.ts';

/** A call as it is read, with what its agent was told. */
export interface CallRecord {
  callId: string;
  call: NormalisedCall;
  /** Null where no configuration holds for the call's version. Shared by the calls of one version. */
  configuration: AgentConfiguration | null;
}

export interface CallToAnalyse extends CallRecord {
  /** Of the caller's calls that are analysed by now; null where nobody knows who called. */
  callerHistory: CallerHistory | null;
  /** Hand it back to `storeAnalyses`: an analysis of a record that changed meanwhile is not stored. */
  payloadDigest: string;
}

/** The records to read, in the order asked for; calls that are gone are left out. A changed record comes in its new form. */
export async function loadForAnalysis(em: EntityManager, agentId: string, callIds: string[]): Promise<CallToAnalyse[]> {
  const records = await loadRecords(em, agentId, callIds);
  const histories = await loadHistories(
    em,
    agentId,
    records.map(({ callerKey, intentSlug, objective, call: { startedAt, direction } }) => ({
      callerKey,
      startedAt,
      direction,
      intent: intentSlug,
      request: objective,
    })),
  );
  return records.map(({ callId, call, configuration, payloadDigest }, at) => {
    return { callId, call, configuration, callerHistory: histories[at] ?? null, payloadDigest };
  });
}

/** The same without what stands beside them. */
export async function loadRecords(em: EntityManager, agentId: string, callIds: string[]) {
  const records = withConfigurations(em, agentId, callIds)
    .selectFrom('records as r')
    // Once a version: configurations are long.
    .leftJoin('configurations as v', (join) => join.onRef('v.ofVersion', '=', 'r.ofVersion').on('r.nth', '=', '1'))
    .selectAll('r')
    .select('v.configuration');
  const { rows } = await queryPlanned(em, records);
  const configurations = new Map(
    rows.flatMap(({ ofVersion, configuration }) => (configuration ? [[ofVersion, configuration]] : [])),
  );
  const found = new Map(
    rows.map(({ nth: _, ofVersion, pending, call, callerKey, sound, ...row }) => {
      const record = pending ?? { call, callerKey };
      const heard = withHeard(record.call, sound?.heard ?? null);
      return [row.callId, { ...row, ...record, call: heard, configuration: configurations.get(ofVersion) ?? null }];
    }),
  );
  return callIds.flatMap((callId) => found.get(callId) ?? []);
}

/**
 * The records, numbered within their versions, and the configurations of these versions. Nobody captures what an agent
 * that sends its calls is told: what was given for a version holds for the later ones too, until there is an upload of
 * their own.
 */
const withConfigurations = (em: EntityManager, agentId: string, callIds: readonly string[]) =>
  db(em)
    .with('records', (within) =>
      within
        .selectFrom('calls as c')
        .innerJoin('transcripts as t', 't.callId', 'c.id')
        .leftJoin('call_sounds as s', (join) =>
          // Of another record of the call it says nothing.
          join.onRef('s.callId', '=', 'c.id').onRef('s.payloadDigest', '=', 'c.payloadDigest'),
        )
        .where('c.id', '=', anyId(callIds))
        .where(alsoOfAgent('c', agentId))
        .select([
          'c.id as callId',
          'c.payloadDigest',
          'c.intentSlug',
          'c.objective',
          'c.callerKey',
          't.call',
          't.pending',
          's.sound',
        ])
        .select([
          versionToRead.as('ofVersion'),
          sql<string>`row_number() over (partition by ${versionToRead})`.as('nth'),
        ]),
    )
    .with(
      (name) => name('configurations').materialized(),
      (within) =>
        within
          .selectFrom((eb) => eb.selectFrom('records').select('ofVersion').distinct().as('r'))
          .innerJoin('agents as a', (join) => join.on('a.id', '=', agentId))
          .innerJoinLateral(
            (eb) =>
              eb
                .selectFrom('agent_versions as v')
                .whereRef('v.agentId', '=', 'a.id')
                .where('v.configuration', 'is not', null)
                .where((v) => {
                  const isEarlier = v('v.version', '<', v.ref('r.ofVersion'));
                  const isSent = v.and([v('a.provider', 'in', SENDING_PLATFORMS), isEarlier]);
                  return v.or([v('v.version', '=', v.ref('r.ofVersion')), isSent]);
                })
                .select('v.configuration')
                .orderBy('v.version', 'desc')
                .limit(1)
                .as('captured'),
            (join) => join.onTrue(),
          )
          .select(['r.ofVersion', 'captured.configuration']),
    );

/** A changed record is read in its new form. */
const versionToRead = sql<number>`coalesce((t.pending #>> '{call,version}')::int, c.version)`;

/**
 * Calls that wait for their analysis, new or changed, oldest first.
 * @param importId who asks: an import that goes on analyses what it stored itself, and nobody else does
 */
export async function waitingCallIds(
  em: EntityManager,
  agentId: string,
  limit: number,
  importId: string | null = null,
): Promise<string[]> {
  const calls = await oldest(em, agentId, limit, importId).where(isOnItsWay).execute();
  return calls.map(({ id }) => id);
}

/** Of the waiting calls, those that have a reading already: they draw nothing from the plan's allowance. */
export async function waitingAgainIds(
  em: EntityManager,
  agentId: string,
  limit: number,
  importId: string | null,
): Promise<string[]> {
  const calls = await oldest(em, agentId, limit, importId).where(isOpen).where('state', '=', 'analysed').execute();
  return calls.map(({ id }) => id);
}

const oldest = (em: EntityManager, agentId: string, limit: number, importId: string | null) =>
  db(em)
    .selectFrom('calls')
    .where('agentId', '=', agentId)
    .where((eb) => {
      const others = openImports(em, agentId).where('id', 'is distinct from', importId);
      return eb.or([eb('importId', 'is', null), eb('importId', 'not in', others.select('id'))]);
    })
    .select('id')
    .orderBy('sortAt')
    .orderBy('id')
    .limit(limit);

/** These calls could not be analysed: shown with the reason until somebody asks for another try. An earlier reading stays. */
export async function markCallsFailed(em: EntityManager, callIds: string[], reason: string): Promise<void> {
  if (callIds.length === 0) return;
  await em.transactional(async (tx) => {
    const waiting = await db(tx)
      .selectFrom('calls')
      .where('id', '=', anyId(callIds))
      .where('state', '=', 'waiting')
      .select('id')
      .orderBy('id')
      .forNoKeyUpdate()
      .execute();
    await db(tx)
      .updateTable('calls')
      .where('id', '=', anyId(callIds))
      .set((eb) => ({
        state: eb
          .case()
          .when('state', '=', 'analysed')
          .then(eb.ref('state'))
          .else('failed' as const)
          .end(),
        reanalyse: false,
        stateReason: reason,
        analysisTries: eb('analysisTries', '+', 1),
        updatedAt: now,
      }))
      .execute();
    const ids = waiting.map(({ id }) => id);
    await noteLateCalls(tx, ids, 'failed');
  });
}

/** The newest analysed calls, newest first. */
export async function newestAnalysedCallIds(em: EntityManager, agentId: string, limit: number): Promise<string[]> {
  const calls = await db(em)
    .selectFrom('calls')
    .where('agentId', '=', agentId)
    .where('state', '=', 'analysed')
    .select('id')
    .orderBy('sortAt', 'desc')
    .orderBy('id', 'desc')
    .limit(limit)
    .execute();
  return calls.map(({ id }) => id);
}
