import type { z } from 'zod';
import { erasure, newErasure } from '../../contract/erasure.ts';
import { lockAgent } from '../../db/agents/lock-agent.ts';
import { callerKeyOf } from '../../db/calls/caller-key.ts';
import { callsOfCaller, callsToErase, insertErasure, type NewErasure } from '../../db/erasures/erasures.ts';
import { markCallerErased, markErased } from '../../db/erasures/tombstones.ts';
import { erasureNumberPlace } from '../../db/secrets/sealed-places.ts';
import { newId } from '../../ids.ts';
import { addToOutbox } from '../../services/outbox/add-to-outbox.ts';
import { erasureEntry } from '../../temporal/erase-data.ts';
import { Failure } from '../failure.ts';
import { type Context, defineOperation } from '../operation.ts';
import { presentErasure } from './present.ts';

/** Counted for the report's beginning; more are erased all the same. */
const COUNTED_AT_MOST = 100_000;

export const createErasure = defineOperation({
  id: 'createErasure',
  surface: 'app',
  method: 'POST',
  path: '/app/agents/{agentId}/erasures',
  scope: 'person',
  role: 'admin',
  tag: 'Erasure',
  summary: 'Erase calls, or all calls of a caller',
  description:
    'Takes calls out of every figure, removes what was recorded and derived of them, and keeps them from coming in again. It can not be undone. The answer comes at once; read the erasure for its progress and its report.',
  body: newErasure,
  response: erasure,
  namesPeople: true,
  refuses: ['call_not_found'],
  async run(context, { body }) {
    const { em, agent } = context;
    const { workspaceId, id: agentId, name: agentName } = agent;
    // Whoever stores calls holds this lock: what was stored before is seen here, what comes later sees the marks.
    await lockAgent(em, agentId);
    const id = newId();
    const selected = await select(context, id, body);
    const requestedBy = context.person().personId;
    const row = await insertErasure(em, { ...selected, id, workspaceId, agentId, reason: body.reason, requestedBy });
    const entry = erasureEntry({ erasureId: row.id, workspaceId, agentId, agentName });
    await addToOutbox(em, { entry, workspaceId, agentId });
    return presentErasure(row);
  },
});

type Selected = Pick<NewErasure, 'scope' | 'callIds' | 'callerKey' | 'sealedNumber' | 'total'>;

async function select(context: Context, id: string, body: z.infer<typeof newErasure>): Promise<Selected> {
  const { callIds, callerNumber, callerKey } = body;
  if (callIds) return selectCalls(context, callIds);
  if (callerKey !== undefined) return selectCaller(context, callerKey, null);
  const { vault } = context.services;
  const key = callerKeyOf(vault, context.agent.workspaceId, callerNumber ?? '');
  if (key === null) {
    const message = 'callerNumber: this stands for callers who withheld their number, not for one of them.';
    throw new Failure('invalid_parameter', message, { param: 'callerNumber' });
  }
  return selectCaller(context, key, vault.seal(callerNumber ?? '', erasureNumberPlace(context.agent.workspaceId, id)));
}

async function selectCalls({ em, agent, services }: Context, given: readonly string[]): Promise<Selected> {
  const callIds = given.map((id) => id.toLowerCase());
  const found = await callsToErase(em, agent.id, callIds);
  const known = new Set(found.map(({ id }) => id));
  const missing = callIds.findIndex((id) => !known.has(id));
  if (missing >= 0) {
    throw new Failure('call_not_found', 'There is no call with this id.', { param: `callIds[${missing}]` });
  }
  const refs = found.map(({ providerCallId }) => providerCallId);
  await markErased(em, services.vault, { workspaceId: agent.workspaceId, agentId: agent.id }, refs);
  return { scope: 'calls', callIds, callerKey: null, sealedNumber: null, total: callIds.length };
}

async function selectCaller({ em, agent }: Context, key: string, sealedNumber: string | null): Promise<Selected> {
  await markCallerErased(em, { workspaceId: agent.workspaceId, agentId: agent.id }, key);
  const calls = await callsOfCaller(em, agent.id, key, COUNTED_AT_MOST);
  return { scope: 'caller', callIds: [], callerKey: key, sealedNumber, total: calls.length };
}
