import { defineEntity, p } from '@mikro-orm/core';
import type { JsonObject } from '../../domain/json.ts';
import { COPY_STATES } from '../../domain/vocabulary.ts';
import { count, createdAt, id, time, updatedAt } from '../columns.ts';
import { fenced } from '../row-security.ts';

/**
 * A copy of a version at the agent's platform, made for one run. Its row is there before it is made, and says what is left
 * of it until all of it is removed.
 */
export const AgentCopy = defineEntity({
  name: 'AgentCopy',
  tableName: 'agent_copies',
  ...fenced,
  properties: {
    id: id(),
    workspaceId: p.uuid(),
    agentId: p.uuid(),
    runId: p.uuid(),
    /** The version that it is a copy of. */
    version: p.integer(),
    state: p.enum(COPY_STATES).default('making'),
    /** What the platform's adapter noted while it made it. */
    handle: p.json<JsonObject>().nullable(),
    /** How the platform names it and its version; null until it is made. */
    providerAgentId: p.text().nullable(),
    providerVersion: p.integer().nullable(),
    /** How often its removal has failed, and why the last time. */
    tries: count(),
    problem: p.text().nullable(),
    createdAt: createdAt(),
    updatedAt: updatedAt(),
    removedAt: time().nullable(),
  },
  indexes: [
    { name: 'agent_copies_agent', properties: ['agentId', 'createdAt', 'id'] },
    { name: 'agent_copies_run', properties: ['runId'] },
  ],
});
