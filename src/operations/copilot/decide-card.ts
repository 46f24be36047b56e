import { z } from 'zod';
import { copilotCard } from '../../contract/copilot.ts';
import {
  type CardView,
  claimCard,
  releaseCard,
  settleCard,
  dismissCard as storeDismissal,
} from '../../db/copilot/cards.ts';
import { noteTalk } from '../../db/goals/goals.ts';
import { PROPOSABLE } from '../../domain/copilot/proposals.ts';
import { fieldOf } from '../../domain/json.ts';
import { Failure } from '../failure.ts';
import { type Context, defineOperation } from '../operation.ts';
import { makeTool } from '../tools.ts';
import { createPersonRunner } from './as-person.ts';
import { cardDigest, cardParent, presentCard } from './card.ts';

const PATH = '/app/agents/{agentId}/copilot/cards/{cardId}';
const common = {
  surface: 'app',
  method: 'POST',
  scope: 'person',
  tag: 'Copilot',
  parents: [cardParent],
  response: copilotCard,
  // What a card does has an entry of its own, which names the copilot.
  audits: false,
  transaction: false,
} as const;

export const confirmCard = defineOperation({
  ...common,
  id: 'confirmCard',
  path: `${PATH}/confirm`,
  summary: 'Do what the copilot proposed',
  description:
    'Your own request, with your own rights: it is refused as the operation itself would refuse it, and the audit names the copilot. The digest says which proposal you saw. What was refused stays proposed.',
  body: z.strictObject({ digest: z.string().regex(/^[0-9a-f]{64}$/, 'must be the digest of the card') }),
  refuses: ['card_changed', 'card_decided', 'revision_conflict'],
  async run(context, { body }) {
    const card = context.parent(cardParent);
    refuseChanged(card, body.digest);
    const claimed = await claimCard(context.em, card.id);
    if (!claimed) throw decided();
    refuseChanged(claimed, body.digest);
    try {
      return presentCard(await settleCard(context.em, card.id, await carryOut(context, claimed)));
    } catch (error) {
      if (error instanceof Failure) await releaseCard(context.em, card.id);
      throw error;
    }
  },
});

export const dismissCard = defineOperation({
  ...common,
  id: 'dismissCard',
  path: `${PATH}/dismiss`,
  summary: 'Dismiss what the copilot proposed',
  description: 'Nothing comes of it.',
  body: z.strictObject({}).optional(),
  refuses: ['card_decided'],
  async run(context) {
    const dismissed = await storeDismissal(context.em, context.parent(cardParent).id);
    if (!dismissed) throw decided();
    return presentCard(dismissed);
  },
});

const decided = () => new Failure('card_decided', 'This proposal was confirmed or dismissed already.');

/** What is stored must be what was proposed, and what was seen. */
function refuseChanged(card: CardView, digest: string): void {
  if (card.digest === digest && cardDigest(card.operation, card.input) === digest) return;
  throw new Failure('card_changed', 'This is not the proposal that you saw. Read it again.', { param: 'digest' });
}

/** By the one way into every operation, as the person. Under one key a try, so that a second one after a crash finds the first. */
async function carryOut(
  { em, services, agent, requestId, person }: Context,
  { id, operation: operationId, input, tries, conversationId }: CardView,
): Promise<{ status: number; madeId: string | null }> {
  const operation = services.operations.find((one) => one.id === operationId);
  if (!operation || !PROPOSABLE.includes(operationId)) {
    throw new Failure('card_changed', 'This can no longer be done from a proposal.');
  }
  const answer = await createPersonRunner(services, person(), { requestId }).perform({
    operation,
    tool: `propose_${makeTool(operation).name}`,
    path: { ...input.path, agentId: agent.id },
    query: () => ({}),
    body: { kind: 'parsed', value: input.body },
    idempotencyKey: `copilot-card-${id}-${tries}`,
  });
  const madeId = fieldOf(answer.body, 'id');
  if (typeof madeId !== 'string') return { status: answer.status, madeId: null };
  if (operation.id === 'createGoal') await noteTalk(em, madeId, conversationId);
  return { status: answer.status, madeId };
}
