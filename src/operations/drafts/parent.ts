import { type DraftView, findDraft } from '../../db/drafts/drafts.ts';
import type { Parent } from '../operation.ts';
import { scopeOf } from '../scope-of.ts';

export const draftParent: Parent<DraftView> = {
  param: 'draftId',
  notFound: 'draft_not_found',
  format: 'uuid',
  load: async (em, id, { agent }) => (agent ? findDraft(em, scopeOf(agent), id) : null),
};
