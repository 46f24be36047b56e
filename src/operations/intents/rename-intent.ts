import { type IntentResource, intent, intentInput } from '../../contract/intent.ts';
import { renameIntent as rename } from '../../db/intents/change-intents.ts';
import { findIntent } from '../../db/intents/read-intents.ts';
import { Failure } from '../failure.ts';
import { defineOperation } from '../operation.ts';
import { scopeOf } from '../scope-of.ts';
import { intentParent } from './parent.ts';
import { presentIntent } from './present.ts';

export const renameIntent = defineOperation({
  id: 'renameIntent',
  surface: 'app',
  method: 'PATCH',
  path: '/app/agents/{agentId}/intents/{intentId}',
  scope: 'person',
  tag: 'Calls',
  summary: 'Name an intent, a use case or a kind of caller',
  description: 'Only the label changes. From then on the analysis leaves it as it is and takes no calls out of it.',
  parents: [intentParent],
  body: intentInput,
  response: intent,
  async run(context, { body }): Promise<IntentResource> {
    const { em, agent } = context;
    const row = context.parent(intentParent);
    if (row.mergedIntoId !== null) {
      throw new Failure('intent_merged', `${row.slug} was merged into another one, which has the name.`);
    }
    const { workspaceId, personId } = context.person();
    await rename(em, row, body.label, { workspaceId, personId });
    return presentIntent((await findIntent(em, scopeOf(agent), row.id)) ?? row);
  },
});
