import { zstdDecompressSync } from 'node:zlib';
import { loadAgentSource } from '../../src/db/agents/agent-source.ts';
import type { EntityManager } from '../../src/db/database.ts';
import { storeUploadedLines } from '../../src/db/imports/import-records.ts';
import { openIngest } from '../../src/db/imports/open-ingest.ts';
import {
  type DueTrace,
  dropOldSpans,
  dueTraces,
  noteSettled,
  readBatches,
  spansAhead,
} from '../../src/db/spans/settle-spans.ts';
import { mergeSpans } from '../../src/domain/spans/merge-spans.ts';
import type { SpanGroup } from '../../src/domain/spans/span.ts';
import { type CallSpans, splitCalls } from '../../src/domain/spans/split-calls.ts';
import { SILENCE_SECONDS } from '../../src/domain/spans/waits.ts';
import { spanRecord } from '../../src/platforms/otel/record.ts';
import { coordinatorOf } from '../../src/services/agents/coordinator-input.ts';
import { addToOutbox } from '../../src/services/outbox/add-to-outbox.ts';
import { importEntry } from '../../src/temporal/agent-coordinator.ts';
import type { SettleInput, SettleLook } from '../../src/temporal/settle-spans.ts';
import type { ActivityDeps } from '../deps.ts';
import { withHeartbeat } from '../shared/with-heartbeat.ts';

const TRACES_AT_ONCE = 50;
const KEPT_DAYS = 2;
const BATCH_BYTES_MAX = 256 * 1024 * 1024;

/** Makes records of the calls that are over and orders their import; the others wait in the table. Safe to repeat. */
export function createSettleDueSpans(deps: Pick<ActivityDeps, 'database' | 'vault'>) {
  return async function settleDueSpans(input: SettleInput): Promise<SettleLook> {
    return withHeartbeat(
      () => ({}),
      async () => {
        const em = deps.database.within(input.workspaceId);
        const calls = await em.transactional((within) => settle(deps, within, input));
        await dropOldSpans(em, input.agentId, KEPT_DAYS);
        return { ...(await spansAhead(em, input.agentId)), calls };
      },
    );
  };
}

async function settle({ vault }: Pick<ActivityDeps, 'vault'>, em: EntityManager, owner: SettleInput): Promise<number> {
  const traces = await dueTraces(em, owner.agentId, TRACES_AT_ONCE);
  if (traces.length === 0) return 0;
  const stored = await readBatches(
    em,
    owner.agentId,
    traces.map(({ traceId }) => traceId),
  );
  const batches = stored.map(({ sealed }) => {
    const text = zstdDecompressSync(vault.openBytes(sealed), { maxOutputLength: BATCH_BYTES_MAX }).toString();
    return JSON.parse(text) as SpanGroup[];
  });
  const calls = splitCalls(mergeSpans(batches));
  const silent = new Set(
    traces.filter(({ silentSeconds }) => silentSeconds >= SILENCE_SECONDS).map(({ traceId }) => traceId),
  );
  const over = calls.filter((call) => call.whole !== null || call.spans.every(({ traceId }) => silent.has(traceId)));
  if (over.length > 0) {
    const lines = over.map((call) => vault.seal(JSON.stringify(spanRecord(call))));
    await orderIngest(em, owner, lines);
  }
  await noteSettled(
    em,
    owner.agentId,
    traces.map((trace) => settledTrace(trace, calls, over)),
  );
  return over.length;
}

/** A trace of which a call goes on is looked at again when that has been silent for long enough. */
function settledTrace({ traceId, spans, silentSeconds }: DueTrace, calls: CallSpans[], over: CallSpans[]) {
  const goesOn = calls.some((call) => !over.includes(call) && call.spans.some((span) => span.traceId === traceId));
  return { traceId, spans, againInSeconds: goesOn ? Math.max(1, SILENCE_SECONDS - silentSeconds) : null };
}

async function orderIngest(em: EntityManager, owner: SettleInput, sealed: readonly string[]): Promise<void> {
  const { workspaceId, agentId } = owner;
  const source = await loadAgentSource(em, agentId);
  if (source === null) return;
  const { afterLine, isNew, ...request } = await openIngest(em, owner, sealed.length);
  const lines = sealed.map((sealedPayload, at) => ({ line: afterLine + at + 1, sealedPayload }));
  await storeUploadedLines(em, request.importId, lines);
  if (!isNew) return;
  const coordinator = coordinatorOf(
    { ...owner, name: source.name, provider: source.provider },
    { polls: false, pollSeconds: 0 },
  );
  await addToOutbox(em, { entry: importEntry(coordinator, request), workspaceId, agentId });
}
