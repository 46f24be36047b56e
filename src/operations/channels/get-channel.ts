import { channel } from '../../contract/channel.ts';
import { defineOperation } from '../operation.ts';
import { channelParent, presentChannel } from './channel.ts';

export const getChannel = defineOperation({
  id: 'getChannel',
  surface: 'app',
  method: 'GET',
  path: '/app/channels/{channelId}',
  scope: 'person',
  role: 'admin',
  tag: 'Channels',
  summary: 'Read a channel',
  description: 'What it is told of, whether messages get through, and why it was switched off.',
  parents: [channelParent],
  response: channel,
  run: async (context) => presentChannel(context.services, context.parent(channelParent)),
});
