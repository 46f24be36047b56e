import { defineEntity, p } from '@mikro-orm/core';
import type { JsonObject } from '../../domain/json.ts';
import type { AgentConfiguration } from '../../domain/versions/configuration.ts';
import { createdAt, id, time, updatedAt } from '../columns.ts';
import { fenced } from '../row-security.ts';

export const AgentVersion = defineEntity({
  name: 'AgentVersion',
  tableName: 'agent_versions',
  ...fenced,
  properties: {
    id: id(),
    workspaceId: p.uuid(),
    agentId: p.uuid(),
    version: p.integer(),
    /** The platform's own label of the version, where it has one. */
    providerRef: p.text().nullable(),
    configCaptured: p.boolean().default(false),
    /** Translated for the analysis. */
    configuration: p.json<AgentConfiguration>().nullable(),
    /** The platform's document: volatile fields out, keys sorted, secrets digested. What `configHash` is the hash of. */
    capturedDocument: p.json<JsonObject>().nullable(),
    configHash: p.text().nullable(),
    detectedAt: time().defaultRaw('now()'),
    createdAt: createdAt(),
    updatedAt: updatedAt(),
  },
  uniques: [{ name: 'agent_versions_natural_key', properties: ['agentId', 'version'] }],
});
