import { type IntentResource, intent, mergeInput } from '../../contract/intent.ts';
import { mergeIntents } from '../../db/intents/change-intents.ts';
import { findIntent, type IntentView } from '../../db/intents/read-intents.ts';
import { isReserved } from '../../domain/calls/known-intent.ts';
import { newId } from '../../ids.ts';
import { coordinatorOf } from '../../services/agents/coordinator-input.ts';
import { addToOutbox } from '../../services/outbox/add-to-outbox.ts';
import { regroupEntry } from '../../temporal/agent-coordinator.ts';
import { Failure } from '../failure.ts';
import { defineOperation } from '../operation.ts';
import { scopeOf } from '../scope-of.ts';
import { intentParent } from './parent.ts';
import { presentIntent } from './present.ts';

export const mergeIntent = defineOperation({
  id: 'mergeIntent',
  surface: 'app',
  method: 'POST',
  path: '/app/agents/{agentId}/intents/{intentId}/merge',
  scope: 'person',
  tag: 'Calls',
  summary: 'Merge an intent into another one',
  description:
    'The slug names the other one from then on, in filters too; calls and counts follow within the next grouping. Answers with the one that stays. It is kept in the history and can not be taken back.',
  parents: [intentParent],
  body: mergeInput,
  response: intent,
  async run(context, { body }): Promise<IntentResource> {
    const { em, agent, services } = context;
    const from = context.parent(intentParent);
    const into = await findIntent(em, scopeOf(agent), body.intoId);
    if (into === null) throw new Failure('intent_not_found', 'There is no such intent.', { param: 'intoId' });
    checkMerge(from, into);
    const { workspaceId, personId } = context.person();
    if (!(await mergeIntents(em, from, into, { workspaceId, personId }))) throw alreadyMerged(from);
    const coordinator = coordinatorOf(
      { agentId: agent.id, workspaceId: agent.workspaceId, name: agent.name, provider: agent.provider },
      services.polling,
    );
    const entry = regroupEntry(coordinator, { messageId: newId(), mode: 'incremental' });
    await addToOutbox(em, { entry, workspaceId: agent.workspaceId, agentId: agent.id });
    return presentIntent((await findIntent(em, scopeOf(agent), into.id)) ?? into);
  },
});

function checkMerge(from: IntentView, into: IntentView): void {
  const wrong = (message: string) => new Failure('invalid_parameter', message, { param: 'intoId' });
  if (from.mergedIntoId !== null) throw alreadyMerged(from);
  if (into.mergedIntoId !== null) throw alreadyMerged(into);
  if (from.id === into.id) throw wrong('An intent can not be merged into itself.');
  if (from.kind !== into.kind) throw wrong(`A ${from.kind} can only be merged into another ${from.kind}.`);
  if (from.kind !== 'persona' && isReserved(from.slug)) {
    throw wrong(`${from.label} gathers what is no intent, so it can not be merged.`);
  }
}

const alreadyMerged = ({ slug }: IntentView) =>
  new Failure('intent_merged', `${slug} was merged into another one already. Take that one.`);
