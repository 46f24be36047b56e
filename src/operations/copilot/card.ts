import { createHash } from 'node:crypto';
import type { CopilotCardResource } from '../../contract/copilot.ts';
import { canonicalJson } from '../../db/convert.ts';
import { type CardView, findCard } from '../../db/copilot/cards.ts';
import type { CardInput } from '../../domain/copilot/copilot.ts';
import type { Parent } from '../operation.ts';

/** Of a conversation of whoever asks: those of others do not exist for them. */
export const cardParent: Parent<CardView> = {
  param: 'cardId',
  notFound: 'card_not_found',
  format: 'uuid',
  load: async (em, id, { principal, agent }) =>
    principal.kind === 'person' && agent ? findCard(em, principal, { agentId: agent.id, id }) : null,
};

/** SHA-256, in hexadecimal, of what a card does: whoever confirms says which text they saw. */
export const cardDigest = (operation: string, input: CardInput): string =>
  createHash('sha256').update(canonicalJson({ operation, input })).digest('hex');

export const presentCard = (row: CardView): CopilotCardResource => ({
  object: 'copilot_card',
  id: row.id,
  conversationId: row.conversationId,
  messageId: row.messageId,
  operation: row.operation,
  input: row.input,
  summary: row.summary,
  digest: row.digest,
  state: row.state,
  result: row.status === null ? null : { status: row.status, id: row.madeId },
  createdAt: row.createdAt,
  decidedAt: row.decidedAt,
});
