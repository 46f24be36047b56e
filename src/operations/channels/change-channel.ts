import { channel, channelChange } from '../../contract/channel.ts';
import { updateChannel } from '../../db/channels/channels.ts';
import { Failure } from '../failure.ts';
import { defineOperation } from '../operation.ts';
import { channelParent, checkSubscriptions, readBack } from './channel.ts';

export const changeChannel = defineOperation({
  id: 'changeChannel',
  surface: 'app',
  method: 'PATCH',
  path: '/app/channels/{channelId}',
  scope: 'person',
  role: 'admin',
  tag: 'Channels',
  summary: 'Change a channel, or switch it on or off',
  description:
    'Subscriptions are replaced as a whole. What is switched off is told of nothing, and what waits for it fails. For another address make another channel.',
  parents: [channelParent],
  body: channelChange,
  response: channel,
  async run(context, { body }) {
    if (Object.keys(body).length === 0) throw new Failure('invalid_body', 'Name at least one thing to change.');
    const { id, kind } = context.parent(channelParent);
    await checkSubscriptions(context, body.subscriptions ?? [], kind);
    if (!(await updateChannel(context.em, id, body))) {
      throw new Failure('channel_not_found', 'This channel was deleted just now.');
    }
    return readBack(context, context.em, id);
  },
});
