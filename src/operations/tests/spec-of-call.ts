import { AnalysisFailed } from '../../analyser/analyser.ts';
import { readRules } from '../../db/agents/agent-source.ts';
import { lockAgent } from '../../db/agents/lock-agent.ts';
import type { AgentView } from '../../db/agents/read-agents.ts';
import { readAnalyses, readSignals, readTranscript } from '../../db/calls/read-call-detail.ts';
import { findAnalysedCall } from '../../db/calls/read-calls.ts';
import type { EntityManager } from '../../db/database.ts';
import { configurationOf } from '../../db/versions/versions.ts';
import type { CallForTest } from '../../domain/tests/call-for-test.ts';
import type { TestFromCall } from '../../domain/tests/from-call.ts';
import type { TestOrigin } from '../../domain/tests/origin.ts';
import { Failure } from '../failure.ts';
import type { Context } from '../operation.ts';
import { scopeOf } from '../scope-of.ts';

/** A call, and the field of the request that names it. */
export interface NamedCall {
  callId: string;
  param: string;
}

/**
 * The test that a production call makes, while no transaction waits for it.
 * @throws Failure 404 where there is no such analysed call, 400 where nothing of it can be played.
 */
export async function specOfCall(
  { em, agent, services }: Context,
  { callId, param }: NamedCall,
): Promise<TestFromCall & { sourceCallId: string }> {
  const view = await findAnalysedCall(em, scopeOf(agent), callId.toLowerCase());
  if (!view) throw callNotFound(param);
  const refuse = (why: string) => new Failure('invalid_parameter', `${param}: ${why}`, { param });
  const read = await readCallForTest(em, agent, view.id);
  if (!read) throw refuse('The words of this call are kept no longer, so it can not be played again.');
  const made = await makeOrSay(services, agent, read, { kind: 'call' });
  if (typeof made === 'string') throw refuse(made);
  if (!made) throw refuse('The caller said nothing on this call, so there is nothing to play.');
  return { ...made, sourceCallId: view.id };
}

/**
 * Holds the agent, so that an erasure finds the test with the call.
 * @returns whether the call that it was made from is still there.
 */
export async function holdCall(em: EntityManager, agent: AgentView, callId: string): Promise<boolean> {
  await lockAgent(em, agent.id);
  return (await findAnalysedCall(em, scopeOf(agent), callId)) !== null;
}

export const callNotFound = (param: string) =>
  new Failure('call_not_found', 'There is no analysed call with this id.', { param });

/** In a process of the analyser. @returns the reason where the call can't be read there. */
export async function makeOrSay(
  { analyser }: Context['services'],
  { workspaceId }: AgentView,
  call: CallForTest,
  origin: TestOrigin,
): Promise<TestFromCall | string | null> {
  try {
    return await analyser.makeTest(workspaceId, call, origin);
  } catch (error) {
    if (error instanceof AnalysisFailed) return `No test can be made of this call. ${error.message}`;
    throw error;
  }
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
