import type { EntityManager } from '../../db/database.ts';
import type { AgentView } from '../../db/queries/read-agents.ts';
import { readAnalyses, readSignals, readTranscript } from '../../db/queries/read-call-detail.ts';
import { findAnalysedCall } from '../../db/queries/read-calls.ts';
import { configurationOf } from '../../db/queries/versions.ts';
import { specFromCall, type TestFromCall } from '../../domain/tests/from-call.ts';
import { Failure } from '../failure.ts';
import { scopeOf } from '../scope-of.ts';

/**
 * The test that a production call makes.
 * @throws Failure 404 where there is no such analysed call, 400 where nothing of it can be played.
 */
export async function specOfCall(
  em: EntityManager,
  agent: AgentView,
  callId: string,
): Promise<TestFromCall & { sourceCallId: string }> {
  const scope = scopeOf(agent);
  const view = await findAnalysedCall(em, scope, callId.toLowerCase());
  if (!view) throw new Failure('call_not_found', 'There is no analysed call with this id.', { param: 'callId' });
  const call = await readTranscript(em, scope, view.id);
  const analysis = (await readAnalyses(em, scope, [view.id])).get(view.id);
  const refuse = (why: string) => new Failure('invalid_parameter', `callId: ${why}`, { param: 'callId' });
  if (!call || !analysis) throw refuse('The words of this call are kept no longer, so it can not be played again.');
  const signals = await readSignals(em, scope, [view.id]);
  const configuration = await configurationOf(em, agent.id, view.version);
  const made = specFromCall({ call, analysis, signals, configuration });
  if (!made) throw refuse('The caller said nothing on this call, so there is nothing to play.');
  return { ...made, sourceCallId: view.id };
}
