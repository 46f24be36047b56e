import { newPersona, persona, removedPersona } from '../../contract/persona.ts';
import { deletePersona, findOwnPersona, insertPersona, type PersonaView } from '../../db/tests/personas.ts';
import { defineOperation, type Parent } from '../operation.ts';
import { presentPersona } from './present.ts';

export const createPersona = defineOperation({
  id: 'createPersona',
  surface: 'app',
  method: 'POST',
  path: '/app/personas',
  scope: 'person',
  tag: 'Tests',
  summary: 'Add a caller of your own',
  description: 'Beside the built-in ones, for every agent of the workspace.',
  body: newPersona,
  response: persona,
  async run(context, { body }) {
    const { workspaceId, personId } = context.person();
    return presentPersona(await insertPersona(context.em, { ...body, workspaceId, createdBy: personId }));
  },
});

const personaParent: Parent<PersonaView> = {
  param: 'personaId',
  notFound: 'persona_not_found',
  format: 'uuid',
  load: async (em, id, { principal }) =>
    principal.kind === 'person' ? findOwnPersona(em, principal.workspaceId, id) : null,
};

export const removePersona = defineOperation({
  id: 'removePersona',
  surface: 'app',
  method: 'DELETE',
  path: '/app/personas/{personaId}',
  scope: 'person',
  tag: 'Tests',
  summary: 'Remove a caller of your own',
  description: 'Results keep its id. A run that has not played it yet can not play it any more, and says so.',
  parents: [personaParent],
  response: removedPersona,
  async run(context) {
    const { id } = context.parent(personaParent);
    await deletePersona(context.em, context.person().workspaceId, id);
    return { object: 'persona' as const, id, removed: true as const };
  },
});
