import { channelMessageWithTries } from '../../contract/channel.ts';
import { listTries } from '../../db/webhooks/delivery-log.ts';
import { defineOperation } from '../operation.ts';
import { channelParent, messageOf, messageParent, presentMessage } from './channel.ts';

const MOST_TRIES = 100;

export const getChannelMessage = defineOperation({
  id: 'getChannelMessage',
  surface: 'app',
  method: 'GET',
  path: '/app/channels/{channelId}/messages/{messageId}',
  scope: 'person',
  role: 'admin',
  tag: 'Channels',
  summary: 'Read a message with its tries',
  description: 'What the server answered to each try, and when the next one is.',
  parents: [channelParent, messageParent],
  response: channelMessageWithTries,
  async run(context) {
    const message = messageOf(context);
    return { ...presentMessage(message), log: await listTries(context.em, message.id, MOST_TRIES) };
  },
});
