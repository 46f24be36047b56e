import { zstdDecompressSync } from 'node:zlib';
import { loadAgentSource } from '../../src/db/agents/agent-source.ts';
import type { EntityManager } from '../../src/db/database.ts';
import { storeUploadedLines } from '../../src/db/imports/import-records.ts';
import { openIngest } from '../../src/db/imports/open-ingest.ts';
import { spanBatchPlace, uploadedLinePlace } from '../../src/db/secrets/sealed-places.ts';
import {
  type DueTrace,
  type DueTraces,
  dropOldSpans,
  dueTraces,
  noteSettled,
  readBatches,
  type SettledTrace,
  spansAhead,
} from '../../src/db/spans/settle-spans.ts';
import { libraryOf } from '../../src/domain/spans/dialects.ts';
import { type LeftCount, sumLeft } from '../../src/domain/spans/left-spans.ts';
import { mergeSpans } from '../../src/domain/spans/merge-spans.ts';
import type { SpanGroup } from '../../src/domain/spans/span.ts';
import { type CallSpans, type LeftSpans, roomsOf, splitCalls } from '../../src/domain/spans/split-calls.ts';
import { SILENCE_SECONDS } from '../../src/domain/spans/waits.ts';
import { holdsContents } from '../../src/platforms/otel/contents.ts';
import { spanRecord } from '../../src/platforms/otel/record.ts';
import type { Vault } from '../../src/secrets.ts';
import { coordinatorOf } from '../../src/services/agents/coordinator-input.ts';
import { addToOutbox } from '../../src/services/outbox/add-to-outbox.ts';
import { importEntry } from '../../src/temporal/agent-coordinator.ts';
import type { SettleInput, SettleLook } from '../../src/temporal/settle-spans.ts';
import type { ActivityDeps } from '../deps.ts';
import { withHeartbeat } from '../shared/with-heartbeat.ts';

/** Traces of one look: as many as fit, where very many calls end at once. */
const TRACES_AT_ONCE = [500, 50];
/** As much as one trace may hold, and more spans than it may have. */
const READ_AT_ONCE = { spans: 100_000, bytes: 64 * 1024 * 1024 };
const KEPT_DAYS = 2;

/** Makes records of the calls that are over and orders their import; the others wait in the table. Safe to repeat. */
export function createSettleDueSpans(deps: Pick<ActivityDeps, 'database' | 'vault'>) {
  return async function settleDueSpans(input: SettleInput): Promise<SettleLook> {
    return withHeartbeat(
      () => ({}),
      async () => {
        const em = deps.database.within(input.workspaceId);
        const settled = await em.transactional((within) => settle(deps, within, input));
        await dropOldSpans(em, input.agentId, KEPT_DAYS);
        return { ...(await spansAhead(em, input.agentId)), ...settled };
      },
    );
  };
}

type Settled = Pick<SettleLook, 'calls' | 'leftOut'>;

async function settle({ vault }: Pick<ActivityDeps, 'vault'>, em: EntityManager, owner: SettleInput): Promise<Settled> {
  const { traces: due } = await tracesToSettle(em, owner.agentId);
  if (due.length === 0) return { calls: 0, leftOut: 0 };
  const { traces = [], leftOut = [] } = Object.groupBy(due, ({ fits }) => (fits ? 'traces' : 'leftOut'));
  const stored = await readBatches(
    em,
    owner.agentId,
    traces.map(({ traceId }) => traceId),
  );
  const batches = stored.map(({ traceId, digest, sealed }): SpanGroup[] => {
    const compressed = vault.openBytes(sealed, spanBatchPlace(owner.workspaceId, owner.agentId, traceId, digest));
    return JSON.parse(zstdDecompressSync(compressed).toString());
  });
  const waits = waitsOf(traces);
  const split = splitCalls(mergeSpans(batches));
  // What only lies in the time of a trace that names no call is made anew where that came to it or went from it.
  const beside = new Set(traces.filter(({ isBeside }) => isBeside).map(({ traceId }) => traceId));
  const moved = movedRefs(traces, split.calls);
  const calls = split.calls.filter(
    ({ ref, spans }) => moved.has(ref) || spans.some(({ traceId }) => !beside.has(traceId)),
  );
  const { over = [], goingOn = [] } = Object.groupBy(calls, (call) =>
    call.whole !== null || secondsUntilSilent(call, waits) <= 0 ? 'over' : 'goingOn',
  );
  const { made = [], mute = [] } = Object.groupBy(over, (call) =>
    call.whole !== null || call.spans.some(holdsContents) ? 'made' : 'mute',
  );
  if (made.length > 0) {
    const records = made.map((call) => JSON.stringify(spanRecord(call)));
    await orderIngest(vault, em, owner, records);
  }
  const left: LeftSpans[] = [...split.left, ...mute.map(({ spans }) => ({ reason: 'no_words' as const, spans }))];
  const waiting = left.filter((group) => secondsUntilSilent(group, waits) > 0);
  const again = looksAgain([...goingOn, ...waiting], waits);
  await noteSettled(em, owner.agentId, settledTraces(due, { made, left, again }));
  return { calls: made.length, leftOut: leftOut.length };
}

interface Became {
  made: readonly CallSpans[];
  left: readonly LeftSpans[];
  again: ReadonlyMap<string, number>;
}

/** What became of each trace: of which of its spans no call was made, and which call one that names none went with. */
function settledTraces(due: readonly DueTrace[], { made, left, again }: Became): SettledTrace[] {
  const counts = new Map<string, LeftCount[]>();
  for (const { reason, spans } of left) {
    for (const span of spans) {
      const of = counts.get(span.traceId) ?? [];
      counts.set(span.traceId, of);
      of.push({ reason, library: libraryOf(span), spans: 1 });
    }
  }
  const refs = refsOfLoose(due, made);
  const known = new Set([...counts.keys(), ...made.flatMap(({ spans }) => spans.map(({ traceId }) => traceId))]);
  const touched = due.filter(({ traceId, isBeside }) => !isBeside || again.has(traceId) || known.has(traceId));
  return touched.map(({ traceId, spans, fits }) => {
    const againInSeconds = again.get(traceId) ?? null;
    const tooMany: LeftCount[] = [{ reason: 'too_many', library: '', spans }];
    const became = fits ? sumLeft(counts.get(traceId) ?? []) : tooMany;
    return {
      traceId,
      spans,
      againInSeconds,
      refs: [...(refs.get(traceId) ?? [])],
      left: againInSeconds === null ? became : null,
    };
  });
}

/** The names of the calls that each trace which names none went with; those of a later call of a room name the room too. */
function refsOfLoose(traces: readonly DueTrace[], calls: readonly CallSpans[]): Map<string, Set<string>> {
  const refs = new Map(traces.flatMap(({ loose, traceId }) => (loose ? [[traceId, new Set<string>()] as const] : [])));
  for (const { ref, spans } of refs.size === 0 ? [] : calls) {
    for (const { traceId } of spans) for (const name of roomsOf(ref)) refs.get(traceId)?.add(name);
  }
  return refs;
}

/** Names of calls that such a trace went with before and no longer does, or only now. */
function movedRefs(traces: readonly DueTrace[], calls: readonly CallSpans[]): Set<string> {
  const now = refsOfLoose(traces, calls);
  return new Set(
    traces.flatMap(({ traceId, refs }) => {
      const names = now.get(traceId);
      return names
        ? [...refs.filter((ref) => !names.has(ref)), ...[...names].filter((ref) => !refs.includes(ref))]
        : [];
    }),
  );
}

/** Those of many calls; where they hold more than is read at once, those of fewer, and at last those of the first call. */
async function tracesToSettle(em: EntityManager, agentId: string): Promise<DueTraces> {
  for (const limit of TRACES_AT_ONCE) {
    const ofMany = await dueTraces(em, agentId, limit, READ_AT_ONCE);
    if (!ofMany.isCut) return ofMany;
  }
  return dueTraces(em, agentId, 1, READ_AT_ONCE);
}

/** Seconds until each trace has been silent for so long that no more is expected. */
const waitsOf = (traces: readonly DueTrace[]) =>
  new Map(traces.map(({ traceId, silentSeconds }) => [traceId, SILENCE_SECONDS - silentSeconds]));

const secondsUntilSilent = ({ spans }: Pick<CallSpans, 'spans'>, waits: ReadonlyMap<string, number>) =>
  spans.reduce((longest, { traceId }) => Math.max(longest, waits.get(traceId) ?? 0), 0);

/** A trace of which a call goes on is looked at again when all traces of that have been silent for long enough. */
function looksAgain(
  goingOn: readonly Pick<CallSpans, 'spans'>[],
  waits: ReadonlyMap<string, number>,
): Map<string, number> {
  const again = new Map<string, number>();
  for (const call of goingOn) {
    const seconds = secondsUntilSilent(call, waits);
    for (const { traceId } of call.spans) again.set(traceId, Math.max(seconds, again.get(traceId) ?? 0));
  }
  return again;
}

async function orderIngest(
  vault: Vault,
  em: EntityManager,
  owner: SettleInput,
  records: readonly string[],
): Promise<void> {
  const { workspaceId, agentId } = owner;
  const source = await loadAgentSource(em, agentId);
  if (source === null) return;
  const { afterLine, isNew, ...request } = await openIngest(em, owner, records.length);
  const lines = records.map((record, at) => {
    const line = afterLine + at + 1;
    return { line, sealedPayload: vault.seal(record, uploadedLinePlace(workspaceId, request.importId, line)) };
  });
  await storeUploadedLines(em, request.importId, lines);
  if (!isNew) return;
  const coordinator = coordinatorOf({ ...owner, name: source.name, provider: source.provider }, { polls: false });
  await addToOutbox(em, { entry: importEntry(coordinator, request), workspaceId, agentId });
}
