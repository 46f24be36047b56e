import { sql } from 'kysely';
import type { Turn } from '../../domain/calls/call.ts';
import { SOUND_VERSION } from '../../domain/sound/heard-call.ts';
import type { StoredSound } from '../../domain/sound/stored-sound.ts';
import type { SoundState } from '../../domain/vocabulary.ts';
import { hearsRecordings } from '../agents/agent-source.ts';
import { lockAgent } from '../agents/lock-agent.ts';
import type { EntityManager } from '../database.ts';
import { db } from '../db.ts';
import { clock, json, now } from '../expressions.ts';
import type { Row } from '../tables.ts';

/** A recording that nobody could fetch is tried again so often. */
const TRIES = 5;

export interface SoundToHear {
  payloadDigest: string;
  providerCallId: string;
  turns: Turn[];
  tries: number;
}

/** Calls whose recordings are to be heard now, newest first, and when the next of the others may be tried. */
export async function soundsToHear(
  em: EntityManager,
  agentId: string,
  limit: number,
): Promise<{ callIds: string[]; nextTryAt: string | null }> {
  const rows = await unheard(em, agentId)
    .where((eb) => eb.or([eb('s.nextTryAt', 'is', null), eb('s.nextTryAt', '<=', clock)]))
    .select('c.id')
    .orderBy('c.sortAt', 'desc')
    .orderBy('c.id', 'desc')
    .limit(limit)
    .execute();
  if (rows.length > 0) return { callIds: rows.map(({ id }) => id), nextTryAt: null };
  const later = await unheard(em, agentId)
    .select((eb) => eb.fn.min('s.nextTryAt').as('at'))
    .executeTakeFirst();
  return { callIds: [], nextTryAt: later?.at ?? null };
}

/** One call as it waits to be heard; null where it does not any more. */
export async function loadSoundToHear(em: EntityManager, agentId: string, callId: string): Promise<SoundToHear | null> {
  const row = await unheard(em, agentId)
    .innerJoin('transcripts as t', 't.callId', 'c.id')
    .where('c.id', '=', callId)
    .select(['c.payloadDigest', 'c.providerCallId', 't.call', 's.tries'])
    .executeTakeFirst();
  if (row === undefined) return null;
  const { payloadDigest, providerCallId, call, tries } = row;
  return { payloadDigest, providerCallId, turns: call.turns, tries: tries ?? 0 };
}

/** Calls of an agent that hears recordings, analysed by rules, with none of this record and these rules. */
const unheard = (em: EntityManager, agentId: string) =>
  db(em)
    .selectFrom('calls as c')
    .innerJoin('agents as a', 'a.id', 'c.agentId')
    .leftJoin('call_sounds as s', 's.callId', 'c.id')
    .where('c.agentId', '=', agentId)
    .where(hearsRecordings('a'), '=', true)
    .where('c.state', '=', 'analysed')
    .where('c.reanalyse', '=', false)
    .where('c.wordsGone', '=', false)
    .where((eb) =>
      eb.or([
        eb('s.callId', 'is', null),
        eb('s.payloadDigest', '<>', eb.ref('c.payloadDigest')),
        eb('s.soundVersion', '<>', SOUND_VERSION),
        eb('s.state', '=', 'away'),
      ]),
    );

/**
 * Keeps what was heard, and has the call analysed with it. A record that changed meanwhile is heard again.
 * @returns whether there is something to analyse.
 */
export async function storeSound(
  em: EntityManager,
  owner: { workspaceId: string; agentId: string; callId: string },
  { payloadDigest, sound }: { payloadDigest: string; sound: StoredSound },
): Promise<boolean> {
  return em.transactional(async (tx) => {
    await lockAgent(tx, owner.agentId);
    await write(tx, owner, { payloadDigest, state: 'heard', reason: null, sound });
    const marked = await db(tx)
      .updateTable('calls')
      .where('id', '=', owner.callId)
      .where('agentId', '=', owner.agentId)
      .where('payloadDigest', '=', payloadDigest)
      .where('state', '=', 'analysed')
      .where('wordsGone', '=', false)
      .set({ reanalyse: true, analysisTries: 0, updatedAt: now })
      .returning('id')
      .execute();
    return marked.length > 0;
  });
}

/** Nothing was heard. @param retryMs where another try may help, after how long */
export async function noteUnheard(
  em: EntityManager,
  owner: { workspaceId: string; agentId: string; callId: string },
  of: { payloadDigest: string; state: Exclude<SoundState, 'heard'>; reason: string; tries: number; retryMs?: number },
): Promise<void> {
  const { payloadDigest, state, reason, tries, retryMs } = of;
  const isLast = state === 'away' && tries >= TRIES;
  await write(em, owner, {
    payloadDigest,
    state: isLast ? 'unreadable' : state,
    reason: isLast ? `Tried ${tries} times. ${reason}` : reason,
    sound: null,
    tries,
    retryMs: isLast ? undefined : retryMs,
  });
}

async function write(
  em: EntityManager,
  { workspaceId, agentId, callId }: { workspaceId: string; agentId: string; callId: string },
  of: Pick<Row<'call_sounds'>, 'payloadDigest' | 'state' | 'reason' | 'sound'> & {
    tries?: number;
    retryMs?: number | undefined;
  },
): Promise<void> {
  const { payloadDigest, state, reason, sound, tries = 0, retryMs } = of;
  const set = {
    payloadDigest,
    state,
    reason,
    tries,
    sound: sound && json(sound),
    soundVersion: SOUND_VERSION,
    nextTryAt: retryMs === undefined ? null : sql<string>`now() + ${retryMs} * interval '1 millisecond'`,
  };
  await db(em)
    .insertInto('call_sounds')
    .values({ callId, workspaceId, agentId, ...set })
    .onConflict((conflict) => conflict.column('callId').doUpdateSet({ ...set, updatedAt: now }))
    .execute();
}

export interface SoundOfCall {
  state: SoundState | 'waiting' | 'off';
  reason: string | null;
  sound: StoredSound | null;
}

/** What is known of the recording of a call. */
export async function readSound(em: EntityManager, agentId: string, callId: string): Promise<SoundOfCall> {
  const row = await db(em)
    .selectFrom('agents as a')
    .leftJoin('call_sounds as s', (join) => join.on('s.callId', '=', callId).onRef('s.agentId', '=', 'a.id'))
    .where('a.id', '=', agentId)
    .select([hearsRecordings('a').as('hears'), 's.state', 's.reason', 's.sound'])
    .executeTakeFirst();
  if (!row?.state) return { state: row?.hears ? 'waiting' : 'off', reason: null, sound: null };
  return { state: row.state, reason: row.reason, sound: row.sound };
}
