import { defineEntity, p } from '@mikro-orm/core';
import { FILTERED_PAGES } from '../../domain/vocabulary.ts';
import { createdAt, updatedAt } from '../columns.ts';
import { fencedApart } from '../row-security.ts';

/** A page of an agent as one person narrowed it, under the name that they gave it. */
export const SavedView = defineEntity({
  name: 'SavedView',
  tableName: 'saved_views',
  ...fencedApart,
  primaryKeys: ['agentId', 'personId', 'page', 'name'],
  properties: {
    agentId: p.uuid().primary(),
    personId: p.uuid().primary(),
    page: p.enum(FILTERED_PAGES).primary(),
    name: p.string().length(80).primary(),
    workspaceId: p.uuid(),
    /** The query of the page's address. */
    query: p.text(),
    createdAt: createdAt(),
    updatedAt: updatedAt(),
  },
});
