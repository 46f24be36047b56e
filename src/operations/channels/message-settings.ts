import { messageSettings, messageSettingsInput } from '../../contract/channel.ts';
import { readsQuotes, setQuotes } from '../../db/channels/channels.ts';
import { defineOperation } from '../operation.ts';

export const getMessageSettings = defineOperation({
  id: 'getMessageSettings',
  surface: 'app',
  method: 'GET',
  path: '/app/message-settings',
  scope: 'person',
  tag: 'Channels',
  summary: 'Read what messages may hold',
  description: 'Of the workspace, for all of its channels and those of its members.',
  response: messageSettings,
  async run(context) {
    const { workspaceId } = context.person();
    return { object: 'message_settings' as const, quotesCalls: await readsQuotes(context.em, workspaceId) };
  },
});

export const setMessageSettings = defineOperation({
  id: 'setMessageSettings',
  surface: 'app',
  method: 'PUT',
  path: '/app/message-settings',
  scope: 'person',
  role: 'admin',
  tag: 'Channels',
  summary: 'Choose what messages may hold',
  description: 'Without `quotesCalls` no words of a call leave by a message; links to them do.',
  body: messageSettingsInput,
  response: messageSettings,
  async run(context, { body }) {
    await setQuotes(context.em, context.person().workspaceId, body.quotesCalls);
    return { object: 'message_settings' as const, quotesCalls: body.quotesCalls };
  },
});
