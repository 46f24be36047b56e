import { z } from 'zod';
import { listOf } from '../../contract/common.ts';
import { persona } from '../../contract/persona.ts';
import { listOwnPersonas, type PersonaView } from '../../db/tests/personas.ts';
import { BUILT_IN_PERSONAS, type PersonaSpec } from '../../domain/tests/personas.ts';
import { defineOperation } from '../operation.ts';
import { cursorParam, limitParam } from '../params.ts';
import { presentPersona } from './present.ts';

export const listPersonas = defineOperation({
  id: 'listPersonas',
  surface: 'v1',
  method: 'GET',
  path: '/v1/agents/{agentId}/personas',
  scope: 'read',
  tag: 'Tests',
  summary: 'List the callers that tests can be played by',
  description: "Built-in ones, then the workspace's own, oldest first. They are the same for every agent.",
  whenToUse: 'Call it for the ids that starting a run takes as personas.',
  query: { limit: limitParam(), cursor: cursorParam(z.tuple([z.string(), z.string()])) },
  response: listOf(persona),
  async run(context, { query }) {
    const { limit, cursor } = query;
    const builtIn = builtInAfter(cursor);
    const after = cursor === null || cursor[0] === BUILT_IN ? null : cursor;
    const { workspaceId } = context.caller();
    const own = await listOwnPersonas(context.em, workspaceId, { after, limit });
    return context.page<PersonaSpec | PersonaView, ReturnType<typeof presentPersona>>(
      [...builtIn, ...own].slice(0, limit + 1),
      limit,
      presentPersona,
      (row) => ('createdAt' in row ? [row.createdAt, row.id] : [BUILT_IN, row.id]),
    );
  },
});

/** In the place of a time in the positions of built-in ones. */
const BUILT_IN = 'built-in';

function builtInAfter(cursor: readonly [at: string, id: string] | null): readonly PersonaSpec[] {
  if (cursor === null) return BUILT_IN_PERSONAS;
  if (cursor[0] !== BUILT_IN) return [];
  return BUILT_IN_PERSONAS.slice(BUILT_IN_PERSONAS.findIndex(({ id }) => id === cursor[1]) + 1);
}
