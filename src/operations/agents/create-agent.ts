import type { z } from 'zod';
import { agent } from '../../contract/agent.ts';
import { newAgent } from '../../contract/agent-settings.ts';
import { findReachableAgent } from '../../db/agents/read-agents.ts';
import { insertAgent } from '../../db/agents/write-agents.ts';
import { beginCheck, findConnection, insertConnection } from '../../db/connections/connections.ts';
import type { EntityManager } from '../../db/database.ts';
import { connectionKeyPlace } from '../../db/secrets/sealed-places.ts';
import { type Platform, sendsCalls } from '../../domain/vocabulary.ts';
import { newId } from '../../ids.ts';
import { orderBrief } from '../brief/brief.ts';
import { checkBaseUrl, orderCheck } from '../connections/connection.ts';
import { Failure } from '../failure.ts';
import { type Context, defineOperation } from '../operation.ts';
import { keepWithinAgents } from '../plan/keep-within-agents.ts';
import { reachOf } from '../principal.ts';
import { DEMO_SHAPE, presentAgent } from './present.ts';

export const createAgent = defineOperation({
  id: 'createAgent',
  surface: 'app',
  method: 'POST',
  path: '/app/agents',
  scope: 'person',
  role: 'admin',
  tag: 'Agents',
  summary: 'Connect an agent',
  description:
    'An agent that a connection shows, or one of a platform with its own key; or one of platform livekit, pipecat, otel or file, whose calls are sent or uploaded and which needs no key. Its brief is read at once from its configuration.',
  body: newAgent,
  response: agent,
  async run(context, { body }) {
    const { workspaceId } = context.person();
    const { providerAgentId, name } = body;
    const { connectionId, platform } = body.connectionId
      ? await takeConnection(context.em, body)
      : await makeConnection(context, body);
    const isSent = sendsCalls(platform);
    const agentId = await insertAgent(context.em, {
      workspaceId,
      connectionId,
      name: name ?? providerAgentId,
      provider: platform,
      providerAgentId,
      // `demo` is synthetic data of ours, which no plan counts: an address that somebody gives is not known to hold it.
      source: platform === 'demo' ? DEMO_SHAPE : platform,
      setupStatus: 'pending',
      onboardingStep: isSent ? 'done' : 'connect',
      readOnly: false,
      ...howToRead(context),
    });
    if (agentId === null) {
      throw new Failure('agent_exists', 'This workspace has connected this agent already.', {
        param: 'providerAgentId',
      });
    }
    await keepWithinAgents(context.em, workspaceId);
    const made = await findReachableAgent(context.em, reachOf(context.person()), agentId);
    if (!made) throw new Error('An agent that was just made is not there.');
    if (!isSent) await orderBrief(context.em, made);
    return presentAgent(made);
  },
});

/** Where a model is configured; without one it is as it always was, until a person says otherwise. */
function howToRead({ services: { reader, newAgents } }: Context) {
  return reader && { modelReading: newAgents.modelReading, modelBudgetUsd: newAgents.budgetUsd };
}

type NewAgent = z.infer<typeof newAgent>;
interface Chosen {
  connectionId: string | null;
  platform: Platform;
}

async function takeConnection(
  em: EntityManager,
  { connectionId, platform, apiKey, baseUrl }: NewAgent,
): Promise<Chosen> {
  const also = { platform, apiKey, baseUrl };
  const param = (['platform', 'apiKey', 'baseUrl'] as const).find((field) => also[field] !== undefined);
  if (param !== undefined) {
    throw new Failure('invalid_parameter', `${param} belongs to the connection, which has one already.`, { param });
  }
  const found = connectionId === undefined ? null : await findConnection(em, connectionId);
  if (!found) {
    throw new Failure('connection_not_found', 'There is no connection with this id.', { param: 'connectionId' });
  }
  return { connectionId: found.id, platform: found.platform };
}

async function makeConnection(context: Context, { platform, apiKey, baseUrl }: NewAgent): Promise<Chosen> {
  if (platform === undefined) {
    throw new Failure('invalid_parameter', 'Name a platform, or a connection that was made before.', {
      param: 'platform',
    });
  }
  const isSent = sendsCalls(platform);
  if (!isSent && apiKey === undefined) {
    throw new Failure('invalid_parameter', `apiKey is needed to read calls from ${platform}.`, { param: 'apiKey' });
  }
  if (isSent && (apiKey !== undefined || baseUrl !== undefined)) {
    const param = apiKey === undefined ? 'baseUrl' : 'apiKey';
    throw new Failure('invalid_parameter', `Calls of this platform are sent to Earshot, so there is no ${param}.`, {
      param,
    });
  }
  checkBaseUrl(baseUrl);
  const { workspaceId } = context.person();
  if (apiKey === undefined) {
    if (platform === 'file') return { connectionId: null, platform };
    const made = { workspaceId, platform, baseUrl: null, sealedKey: null };
    return { connectionId: await insertConnection(context.em, made), platform };
  }
  const connectionId = newId();
  const sealedKey = context.services.vault.seal(apiKey, connectionKeyPlace(workspaceId, connectionId));
  const made = { workspaceId, platform, baseUrl: baseUrl ?? null, sealedKey, status: 'checking' as const };
  await insertConnection(context.em, { ...made, id: connectionId });
  const check = await beginCheck(context.em, connectionId);
  await orderCheck(context.em, { workspaceId, connectionId, check });
  return { connectionId, platform };
}
