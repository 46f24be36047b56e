import { sql } from 'kysely';
import type { EntityManager } from '../../src/db/database.ts';
import type { NormalisedCall, Turn } from '../../src/domain/calls/call.ts';
import type { CallAnalysis } from '../../src/domain/signals/call-analysis.ts';
import type { CatalogueEntry, CauseRow } from '../../src/domain/signals/catalogue-entry.ts';
import type { Signal } from '../../src/domain/signals/signal.ts';
import { newId } from '../../src/ids.ts';
import { createVault } from '../../src/secrets.ts';
import type { AnalysisKnowledge } from '../../src/services/analysis/store-batch.ts';

/** Hand-made calls and analyses, for tests of what comes after the analysis. */
export const testVault = createVault('a secret for tests only');

export interface TestAgent {
  workspaceId: string;
  agentId: string;
}

export async function makeAgent(em: EntityManager, provider = 'demo'): Promise<TestAgent> {
  const workspaceId = newId();
  const agentId = newId();
  await sql`insert into workspaces (id, name) values (${workspaceId}, 'Test')`.execute(em.getKysely());
  await sql`insert into agents (id, workspace_id, name, provider, provider_agent_id, source)
    values (${agentId}, ${workspaceId}, 'Test agent', ${provider}, ${agentId}, ${provider})`.execute(em.getKysely());
  return { workspaceId, agentId };
}

export function makeCall(over: Partial<NormalisedCall> & { providerCallId: string }): NormalisedCall {
  return {
    version: 1,
    startedAt: '2026-03-10T10:00:00.000Z',
    endedAt: '2026-03-10T10:01:00.000Z',
    durationMs: 60_000,
    direction: 'inbound',
    channel: 'voice',
    language: 'en-US',
    disconnectionReason: 'user_hangup',
    ending: { hint: 'unknown', family: 'caller_end', endedBy: 'caller' },
    callerNumber: null,
    turns: [turn(0, 'agent', 'Hello, how can I help?'), turn(1, 'caller', 'I want to book a table for two.')],
    transitions: [],
    timing: 'none',
    latency: null,
    costUsd: 0.1,
    variables: null,
    platformAnalysis: null,
    partial: false,
    warnings: [],
    ...over,
  };
}

export function turn(index: number, role: Turn['role'], text: string): Turn {
  return {
    index,
    role,
    text,
    startMs: null,
    endMs: null,
    words: null,
    interrupted: false,
    nodeId: null,
    toolCall: null,
    toolResult: null,
    dtmf: null,
    alternatives: null,
  };
}

export function makeAnalysis(over: Partial<CallAnalysis> = {}): CallAnalysis {
  return {
    analyserVersion: 1,
    outcome: 'resolved',
    outcomeConfidence: 0.9,
    outcomeReason: { rule: 'test', turns: [1], text: 'The goal was closed.' },
    badEndingScore: 0.1,
    callerSpoke: true,
    objective: 'I want to book a table for two.',
    requests: [{ turn: 1, text: 'I want to book a table for two.' }],
    personaSlug: 'plain',
    counts: { turns: 2, callerTurns: 1, agentTurns: 1, toolFailures: 0, frictions: 0 },
    signals: [],
    observations: [],
    notComputable: [],
    toolResults: [],
    claims: [],
    visits: [],
    timing: null,
    rating: 3,
    turnRatings: [],
    rootCause: null,
    ...over,
  };
}

export function makeSignal(over: Partial<Signal> & { code: string }): Signal {
  return {
    klass: 'technical',
    lane: 'integrations',
    severity: 'high',
    confidence: 1,
    place: { kind: 'tool', id: 'book_table', label: 'book_table' },
    turnIndex: 1,
    quote: 'book a table',
    detail: 'The tool answered with an error.',
    cause: null,
    ...over,
  };
}

export function makeEntry(over: Partial<CatalogueEntry> & { code: string }): CatalogueEntry {
  return {
    title: `Title of ${over.code}`,
    klass: 'technical',
    lane: 'integrations',
    severity: 'high',
    thresholds: {},
    needs: [],
    meaning: false,
    isNot: 'anything else',
    fact: true,
    ending: false,
    noiseFloor: 0,
    section: 'fix',
    metric: null,
    selfCause: false,
    causes: [],
    check: 'Look at {place}.',
    ...over,
  };
}

export function makeCauseRow(code: string, over: Partial<CauseRow> = {}): CauseRow {
  return {
    code,
    label: `Cause ${code}`,
    category: 'tool',
    party: 'tool_owner',
    outside: false,
    recommendation: `Change {place} because of ${code}.`,
    evidence: () => null,
    ...over,
  };
}

const entries = [
  makeEntry({ code: 'tool_failed', causes: [makeCauseRow('http_5xx', { outside: true }), makeCauseRow('timeout')] }),
  makeEntry({
    code: 'tool_slow',
    severity: 'medium',
    fact: false,
    noiseFloor: 0.02,
    causes: [makeCauseRow('timeout')],
  }),
  makeEntry({ code: 'claimed_after_failure', klass: 'content', severity: 'critical' }),
  makeEntry({
    code: 'monologue',
    klass: 'content',
    lane: 'speaking',
    severity: 'low',
    fact: false,
    noiseFloor: 0.02,
    section: 'improve',
    metric: 'got_it_done',
    selfCause: true,
  }),
  makeEntry({ code: 'instant_hangup', klass: 'behaviour', lane: 'flow', severity: 'low' }),
  makeEntry({ code: 'platform_error_end', severity: 'critical', ending: true }),
];

/** A small catalogue, and intents named by the first word of the first request. */
export const testKnowledge: AnalysisKnowledge = {
  catalogue: new Map(entries.map((entry) => [entry.code, entry])),
  assignIntents(known, calls) {
    const intents = new Map(known.map((intent) => [`${intent.kind}/${intent.slug}`, intent]));
    const byCall = new Map<string, { intent: string; useCase: string; subUseCase: string }>();
    for (const { callId, requests, objective } of calls) {
      const slug = (requests[0] ?? objective).split(' ')[0]?.toLowerCase() ?? 'none';
      byCall.set(callId, { intent: slug, useCase: slug, subUseCase: slug });
      for (const kind of ['intent', 'use_case', 'sub_use_case'] as const) {
        const id = `${kind}/${slug}`;
        if (!intents.has(id)) intents.set(id, { kind, slug, label: slug, terms: { [slug]: 1 }, calls: 0 });
      }
    }
    return { intents: [...intents.values()], byCall };
  },
};
