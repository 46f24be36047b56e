import { listOf } from '../../contract/common.ts';
import { importResource } from '../../contract/import.ts';
import { listImports as readImports } from '../../db/imports/read-imports.ts';
import { defineOperation } from '../operation.ts';
import { limitParam, timeCursor } from '../params.ts';
import { scopeOf } from '../scope-of.ts';
import { presentImport } from './present.ts';

export const listImports = defineOperation({
  id: 'listImports',
  surface: 'app',
  method: 'GET',
  path: '/app/agents/{agentId}/imports',
  scope: 'person',
  tag: 'Imports',
  summary: 'List the imports of an agent',
  description: 'Newest first, with their progress.',
  query: { limit: limitParam(), cursor: timeCursor },
  response: listOf(importResource),
  async run(context, { query }) {
    const page = { after: query.cursor, limit: query.limit };
    const rows = await readImports(context.em, scopeOf(context.agent), page);
    return context.page(rows, query.limit, presentImport, (row) => [row.createdAt, row.id]);
  },
});
