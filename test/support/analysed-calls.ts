import { sql } from 'kysely';
import type { EntityManager } from '../../src/db/database.ts';
import type { NormalisedCall, Turn } from '../../src/domain/calls/call.ts';
import type { CallAnalysis, Signal } from '../../src/domain/signals/signal.ts';
import { newId } from '../../src/ids.ts';
import { createVault } from '../../src/secrets.ts';

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
