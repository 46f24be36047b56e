import { sql } from 'kysely';
import {
  type AskedExpectation,
  expectationInWords,
  type ReadVerdict,
} from '../../domain/reading/expected-of-watches.ts';
import type { CallReading } from '../../domain/signals/reading.ts';
import {
  type FailingWatch,
  failingSentence,
  findFailing,
  findReached,
  isOver,
  RECENT_DAYS,
  recoveredSentence,
} from '../../domain/watches/failing.ts';
import { type JudgedCall, judgeCall, type WatchToJudge } from '../../domain/watches/judge-call.ts';
import { loadRecords } from '../analysis/load-for-analysis.ts';
import type { EntityManager } from '../database.ts';
import { db } from '../db.ts';
import { publishEvents } from '../events/events.ts';
import { anyId, clock, json, now } from '../expressions.ts';
import { announce } from '../webhooks/announce.ts';
import { recentAndPast } from './rates.ts';
import { gatherSamples } from './samples.ts';
import { followCalls, writeVerdicts } from './verdicts.ts';
import { formOf, type WatchView } from './watches.ts';

export interface LiveWatch extends WatchToJudge {
  revision: number;
}

/** Watches that judge each newly analysed call. */
export async function liveWatches(em: EntityManager, agentId: string): Promise<LiveWatch[]> {
  const rows = await db(em)
    .selectFrom('watches')
    .where('agentId', '=', agentId)
    .where('state', '=', 'live')
    .select(['id', 'revision', 'scopeCode', 'expectationCode', 'polarity'])
    .orderBy('id')
    .execute();
  return rows.map(({ id: watchId, revision, ...form }) => ({ watchId, revision, form: formOf(form) }));
}

/** What live watches expect that only a model can judge, as its questions about calls carry it. */
export async function judgedExpectations(em: EntityManager, agentId: string): Promise<AskedExpectation[]> {
  const rows = await db(em)
    .selectFrom('watches')
    .where('agentId', '=', agentId)
    .where('state', '=', 'live')
    .where(isJudged)
    .select(['id', 'revision', 'scopeText', 'scopeCode', 'expectationCode', 'polarity'])
    .orderBy('id')
    .execute();
  return rows.map(({ id: watchId, revision, scopeText, ...coded }) => {
    const form = formOf(coded);
    return { watchId, revision, form, text: expectationInWords({ scopeText, form }) };
  });
}

const isJudged = sql<boolean>`expectation_code ->> 'kind' = 'judged'`;

/** What live watches said of a call while it was read, and which watches those were. */
export interface JudgedWhileRead extends JudgedCall {
  by: readonly LiveWatch[];
}

export interface StoredCall {
  callId: string;
  /** Left out where the same reading is stored again with something laid beside it: its verdicts stand. */
  judged?: JudgedWhileRead | undefined;
  /** What a model that read the same record said of watches that only it can judge. */
  read: readonly ReadVerdict[];
  /** True for a call that was never read before: no watch has said anything of it. */
  isFirst: boolean;
}

/**
 * Stores what live watches say of calls, within the transaction that stores their readings. A watch that was turned on or
 * changed while a call was being read judges it here.
 */
export async function storeJudged(em: EntityManager, agentId: string, calls: readonly StoredCall[]): Promise<void> {
  const live = await liveWatches(em, agentId);
  const [byModel, watches] = [live.filter(needsModel), live.filter((watch) => !needsModel(watch))];
  const read = calls.filter((call): call is JudgedCallToStore => call.judged !== undefined);
  if (watches.length > 0 && read.length > 0) {
    const missed = watches.filter((watch) => read.some(({ judged }) => !isAmong(watch, judged.by)));
    const late = await judgeStored(em, agentId, missed.length === 0 ? [] : read.map(({ callId }) => callId), missed);
    const known = new Set(watches.filter((watch) => !missed.includes(watch)).map(({ watchId }) => watchId));
    const verdicts = read.map(({ callId, judged, isFirst }) => ({
      callId,
      isFirst,
      verdicts: [...judged.verdicts.filter(({ watchId }) => known.has(watchId)), ...(late.get(callId)?.verdicts ?? [])],
    }));
    await writeVerdicts(
      em,
      agentId,
      watches.map(({ watchId }) => watchId),
      verdicts,
    );
  }
  await writeVerdicts(
    em,
    agentId,
    byModel.map(({ watchId }) => watchId),
    calls.map(({ callId, isFirst, read: said }) => ({
      callId,
      isFirst,
      verdicts: said.filter((one) => byModel.some((watch) => isSame(watch, one))),
    })),
  );
  const callIds = calls.filter(({ isFirst }) => !isFirst).map(({ callId }) => callId);
  if (callIds.length > 0) await followCalls(em, agentId, callIds);
  const watchIds = live.map(({ watchId }) => watchId);
  const judgedIds = calls.map(({ callId }) => callId);
  if (watchIds.length > 0) await gatherSamples(em, watchIds, judgedIds);
  await noteFailing(em, agentId, live);
}

const needsModel = ({ form }: WatchToJudge) => form.expectation.kind === 'judged';

type JudgedCallToStore = StoredCall & { judged: JudgedWhileRead };

type OfRevision = Pick<LiveWatch, 'watchId' | 'revision'>;
const isSame = (one: OfRevision, other: OfRevision) => one.watchId === other.watchId && one.revision === other.revision;
const isAmong = (watch: OfRevision, known: readonly OfRevision[]) => known.some((one) => isSame(watch, one));

/** Judges calls that are stored already; those that are gone are left out. */
export async function judgeStored(
  em: EntityManager,
  agentId: string,
  callIds: readonly string[],
  watches: readonly WatchToJudge[],
): Promise<Map<string, JudgedCall>> {
  if (callIds.length === 0 || watches.length === 0) return new Map();
  const judged = new Map<string, JudgedCall>();
  for (let at = 0; at < callIds.length; at += READ_AT_ONCE) {
    const readings = await loadReadings(em, agentId, callIds.slice(at, at + READ_AT_ONCE));
    for (const [callId, reading] of readings) judged.set(callId, judgeCall(reading, watches));
  }
  return judged;
}

/** Transcripts held at a time. */
const READ_AT_ONCE = 100;

/** Stored calls as they are read now, by their ids; those that are gone are left out. */
export async function loadReadings(
  em: EntityManager,
  agentId: string,
  callIds: readonly string[],
): Promise<Map<string, CallReading>> {
  const records = await loadRecords(em, agentId, [...callIds]);
  // Loaded where calls are read: most processes only ask for what was read.
  const { readCall } = await import('../../domain/signals/reading.ts');
  return new Map(
    records.map(({ callId, call, configuration }) => [callId, readCall({ call, configuration, agentCosts: null })]),
  );
}

type Standing = Pick<WatchView, 'id' | 'workspaceId' | 'name' | 'lane' | 'revision' | 'failing' | 'alarm'>;

/** Tells, once a problem, which of the watches reach their limit or fail clearly more than their own past, and forgets what is over. */
async function noteFailing(em: EntityManager, agentId: string, watches: readonly LiveWatch[]): Promise<void> {
  if (watches.length === 0) return;
  const ids = watches.map(({ watchId }) => watchId);
  const windows = await recentAndPast(em, ids);
  const standing = await db(em)
    .selectFrom('watches')
    .where('id', '=', anyId(ids))
    .select(['id', 'workspaceId', 'name', 'lane', 'revision', 'failing', 'alarm'])
    .orderBy('id')
    .execute();
  for (const watch of standing) {
    const over = windows.get(watch.id);
    if (over === undefined) continue;
    const { failing, alarm } = watch;
    if (failing === null) {
      const found = (alarm && findReached(alarm, over(alarm.days))) ?? findFailing(RECENT_DAYS.map(over));
      await tellOfFailing(em, agentId, watch, found);
      continue;
    }
    const newest = over(failing.limit?.days ?? 1);
    if (isOver(failing, newest)) {
      await db(em).updateTable('watches').where('id', '=', watch.id).set({ failing: null, updatedAt: now }).execute();
      await announceOf(em, agentId, watch, 'watch.recovered', failing, recoveredSentence(failing, newest));
      await publishEvents(em, agentId, [{ kind: 'watch.changed', ref: watch.id }]);
    }
  }
}

async function tellOfFailing(
  em: EntityManager,
  agentId: string,
  watch: Standing,
  failing: FailingWatch | null,
): Promise<void> {
  if (failing === null) return;
  await db(em)
    .updateTable('watches')
    .where('id', '=', watch.id)
    .set({ failing: json(failing), updatedAt: now })
    .execute();
  await announceOf(em, agentId, watch, 'watch.failing', failing, failingSentence(failing));
  await publishEvents(em, agentId, [{ kind: 'watch.failing', ref: watch.id }]);
}

/** @param failing the problem that begins or is over, which its day names. */
async function announceOf(
  em: EntityManager,
  agentId: string,
  { id, name, lane, revision }: Standing,
  event: 'watch.failing' | 'watch.recovered',
  { recent, past, day, days }: FailingWatch,
  message: string,
): Promise<void> {
  const { agentName, at } = await db(em)
    .selectFrom('agents')
    .where('id', '=', agentId)
    .select(['name as agentName', clock.as('at')])
    .executeTakeFirstOrThrow();
  const data = {
    watchId: id,
    agentId,
    agentName,
    name,
    lane,
    revision,
    message,
    day,
    days,
    recent: { broken: recent.broken, calls: recent.of },
    past: { broken: past.broken, calls: past.of },
  };
  await announce(em, agentId, [{ event, eventKey: `watch:${id}/${revision}/${day}`, at, data }]);
}
