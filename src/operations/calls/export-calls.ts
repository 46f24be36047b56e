import { readSignals, type SignalView } from '../../db/calls/read-call-detail.ts';
import type { CallPosition } from '../../db/calls/read-calls.ts';
import { type ExportView, readExportPage } from '../../db/calls/read-export.ts';
import { readValuesOfCalls, type ValueOfCall } from '../../db/custom-metrics/values.ts';
import type { Database } from '../../db/database.ts';
import { readAgentCosts } from '../../db/metrics/agent-costs.ts';
import type { ReadScope } from '../../db/read-scope.ts';
import { costGap, withGap } from '../../domain/signals/renew-cost.ts';
import { presentValue } from '../custom-metrics/present.ts';
import { defineStream } from '../operation.ts';
import { scopeOf } from '../scope-of.ts';
import { presentAnswered, presentProof } from './present.ts';

const PAGE = 100;

export const exportCalls = defineStream({
  id: 'exportCalls',
  surface: 'app',
  method: 'GET',
  path: '/app/agents/{agentId}/export',
  scope: 'person',
  tag: 'Calls',
  summary: 'Export what the analysis says',
  description: 'One JSON object a line and analysed call, newest first: what the labelled sets are compared with.',
  async run(context) {
    const { workspaceId } = context.caller();
    const gap = costGap(await readAgentCosts(context.em, context.agent.id), context.agent.thresholds);
    return exportLines(context.services.database, workspaceId, scopeOf(context.agent), gap);
  },
});

/** Reads page by page while the reader takes: a slow one holds a page, never a connection. */
export async function* exportLines(
  database: Database,
  workspaceId: string,
  scope: ReadScope,
  gap: ReturnType<typeof costGap>,
): AsyncGenerator<string> {
  let after: CallPosition | null = null;
  for (;;) {
    const em = database.within(workspaceId);
    const calls: ExportView[] = await readExportPage(em, scope, after, PAGE);
    const ids = calls.map((call) => call.id);
    const signals = await readSignals(em, scope, ids);
    const values = Map.groupBy(await readValuesOfCalls(em, ids), ({ callId }) => callId);
    const byCall = Map.groupBy(signals, (signal) => signal.callId);
    const lines = calls.map((call) => {
      const notComputable = withGap(call.notComputable, gap);
      return `${JSON.stringify(exportLine({ ...call, notComputable }, byCall.get(call.id) ?? [], values.get(call.id) ?? []))}\n`;
    });
    if (lines.length > 0) yield lines.join('');
    const last = calls.at(-1);
    if (!last || calls.length < PAGE) return;
    after = [last.sortAt, last.id];
  }
}

function exportLine(call: ExportView, signals: SignalView[], values: ValueOfCall[]) {
  const { analysis } = call;
  return {
    id: call.providerCallId,
    callId: call.id,
    outcome: call.outcome,
    outcomeConfidence: analysis?.outcomeConfidence ?? null,
    outcomeReason: analysis?.outcomeReason ?? null,
    answeredBy: presentAnswered(analysis?.answeredBy),
    badEndingScore: call.badEndingScore,
    intent: call.intentSlug,
    intents: call.intentSlug === null ? [] : [...new Set([call.intentSlug, ...call.requestIntents])],
    signals: signals.map((signal) => ({
      code: signal.code,
      klass: signal.klass,
      lane: signal.lane,
      severity: signal.severity,
      confidence: signal.confidence,
      turnIndex: signal.turnIndex,
      quote: signal.quote,
      basis: signal.basis,
      proof: presentProof(signal),
      cause:
        signal.causeCode === null
          ? null
          : {
              code: signal.causeCode,
              label: signal.causeLabel,
              category: signal.causeCategory,
              party: signal.causeParty,
            },
    })),
    observations: analysis?.observations ?? [],
    counts: {
      turns: call.callerTurns + call.agentTurns,
      callerTurns: call.callerTurns,
      agentTurns: call.agentTurns,
      toolFailures: call.toolFailures,
      frictions: call.frictions,
    },
    toolResults: analysis?.toolResults ?? [],
    claims: analysis?.claims ?? [],
    caller: { kind: call.callerKind, nth: call.callerNth, of: call.callerOf, key: call.callerKey },
    rating: analysis?.rating ?? null,
    turnRatings: analysis?.turnRatings ?? [],
    rootCause: analysis?.rootCause ?? null,
    timing: analysis?.timing ?? null,
    notComputable: call.notComputable,
    customMetrics: values.map((value) => ({
      slug: value.slug,
      version: value.version,
      ...presentValue(value.answer, value),
    })),
  };
}
