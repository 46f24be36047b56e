import { z } from 'zod';
import { listOf } from '../../contract/common.ts';
import { webhook } from '../../contract/webhook.ts';
import { listWebhooks as readWebhooks } from '../../db/webhooks/webhooks.ts';
import { defineOperation } from '../operation.ts';
import { cursorParam, limitParam } from '../params.ts';
import { presentWebhook } from './webhook.ts';

export const listWebhooks = defineOperation({
  id: 'listWebhooks',
  surface: 'app',
  method: 'GET',
  path: '/app/webhooks',
  scope: 'person',
  role: 'admin',
  tag: 'Webhooks',
  summary: 'List the webhooks of the workspace',
  description: 'Newest first. Secrets are never shown.',
  query: { limit: limitParam(), cursor: cursorParam(z.guid()) },
  response: listOf(webhook),
  async run(context, { query }) {
    const page = { after: query.cursor, limit: query.limit };
    const rows = await readWebhooks(context.em, context.person().workspaceId, page);
    return context.page(rows, query.limit, presentWebhook, (row) => row.id);
  },
});
