import { findIntent, type IntentView } from '../../db/intents/read-intents.ts';
import type { Parent } from '../operation.ts';
import { scopeOf } from '../scope-of.ts';

export const intentParent: Parent<IntentView> = {
  param: 'intentId',
  notFound: 'intent_not_found',
  format: 'uuid',
  load: async (em, id, { agent }) => (agent ? findIntent(em, scopeOf(agent), id) : null),
};
