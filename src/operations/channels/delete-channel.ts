import { channel } from '../../contract/channel.ts';
import { deleteChannel as remove } from '../../db/channels/channels.ts';
import { defineOperation } from '../operation.ts';
import { channelParent, presentChannel } from './channel.ts';

export const deleteChannel = defineOperation({
  id: 'deleteChannel',
  surface: 'app',
  method: 'DELETE',
  path: '/app/channels/{channelId}',
  scope: 'person',
  role: 'admin',
  tag: 'Channels',
  summary: 'Delete a channel',
  description: 'At once and for good, with its address. What still waited for it is dropped.',
  parents: [channelParent],
  response: channel,
  async run({ em, parent, services }) {
    const found = parent(channelParent);
    await remove(em, found.id);
    return { ...presentChannel(services, found), enabled: false, pending: 0 };
  },
});
