import { z } from 'zod';
import { channel } from '../../contract/channel.ts';
import { listOf } from '../../contract/common.ts';
import { listChannels as readChannels } from '../../db/channels/channels.ts';
import { defineOperation } from '../operation.ts';
import { cursorParam, limitParam } from '../params.ts';
import { presentChannel } from './channel.ts';

export const listChannels = defineOperation({
  id: 'listChannels',
  surface: 'app',
  method: 'GET',
  path: '/app/channels',
  scope: 'person',
  role: 'admin',
  tag: 'Channels',
  summary: 'List the channels of the workspace',
  description: 'Newest first. Those of members are their own affair and not among them.',
  query: { limit: limitParam(), cursor: cursorParam(z.guid()) },
  response: listOf(channel),
  async run(context, { query }) {
    const page = { after: query.cursor, limit: query.limit };
    const rows = await readChannels(context.em, context.person().workspaceId, page);
    return context.page(
      rows,
      query.limit,
      (row) => presentChannel(context.services, row),
      (row) => row.id,
    );
  },
});
