import { readRules } from '../../db/agents/agent-source.ts';
import { lockAgent } from '../../db/agents/lock-agent.ts';
import type { AgentView } from '../../db/agents/read-agents.ts';
import { readAnalyses, readSignals, readTranscript } from '../../db/calls/read-call-detail.ts';
import { findAnalysedCall } from '../../db/calls/read-calls.ts';
import type { EntityManager } from '../../db/database.ts';
import { configurationOf } from '../../db/versions/versions.ts';
import type { CallForTest } from '../../domain/tests/call-for-test.ts';
import { specFromCall, type TestFromCall } from '../../domain/tests/from-call.ts';
import { Failure } from '../failure.ts';
import { scopeOf } from '../scope-of.ts';

/**
 * The test that a production call makes.
 * @param named the call, and the field that names it.
 * @throws Failure 404 where there is no such analysed call, 400 where nothing of it can be played.
 */
export async function specOfCall(
  em: EntityManager,
  agent: AgentView,
  { callId, param }: { callId: string; param: string },
): Promise<TestFromCall & { sourceCallId: string }> {
  const scope = scopeOf(agent);
  // An erasure holds this lock: it finds the test with the call, or the call is not found here.
  await lockAgent(em, agent.id);
  const view = await findAnalysedCall(em, scope, callId.toLowerCase());
  if (!view) throw new Failure('call_not_found', 'There is no analysed call with this id.', { param });
  const refuse = (why: string) => new Failure('invalid_parameter', `${param}: ${why}`, { param });
  const read = await readCallForTest(em, agent, view.id);
  if (!read) throw refuse('The words of this call are kept no longer, so it can not be played again.');
  const made = specFromCall(read);
  if (!made) throw refuse('The caller said nothing on this call, so there is nothing to play.');
  return { ...made, sourceCallId: view.id };
}

/** @returns null where its words are kept no longer. */
export async function readCallForTest(
  em: EntityManager,
  agent: AgentView,
  callId: string,
): Promise<CallForTest | null> {
  const scope = scopeOf(agent);
  const call = await readTranscript(em, scope, callId);
  const analysis = (await readAnalyses(em, scope, [callId])).get(callId);
  if (!call || !analysis) return null;
  const signals = await readSignals(em, scope, [callId]);
  const configuration = await configurationOf(em, agent.id, call.version);
  return { call, analysis, signals, configuration, rules: await readRules(em, agent.id) };
}
