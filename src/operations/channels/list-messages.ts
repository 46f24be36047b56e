import { channelMessage } from '../../contract/channel.ts';
import { listOf } from '../../contract/common.ts';
import { listMessages as readMessages } from '../../db/channels/message-log.ts';
import { DELIVERY_STATES } from '../../domain/vocabulary.ts';
import { defineOperation } from '../operation.ts';
import { choiceParam, limitParam, timeCursor } from '../params.ts';
import { channelParent, presentMessage } from './channel.ts';

export const listChannelMessages = defineOperation({
  id: 'listChannelMessages',
  surface: 'app',
  method: 'GET',
  path: '/app/channels/{channelId}/messages',
  scope: 'person',
  role: 'admin',
  tag: 'Channels',
  summary: 'List what was sent to a channel',
  description: 'The log of messages, newest first.',
  parents: [channelParent],
  query: {
    state: choiceParam(DELIVERY_STATES, 'Only messages in this state.'),
    limit: limitParam(),
    cursor: timeCursor,
  },
  response: listOf(channelMessage),
  async run(context, { query }) {
    const { id } = context.parent(channelParent);
    const page = { after: query.cursor, limit: query.limit };
    const rows = await readMessages(context.em, id, { state: query.state }, page);
    return context.page(rows, query.limit, presentMessage, (row) => [row.createdAt, row.id]);
  },
});
