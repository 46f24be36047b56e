import { callTags, newCallTags, TAGS_AT_MOST } from '../../contract/call-tags.ts';
import { lockAgent } from '../../db/agents/lock-agent.ts';
import { readTags } from '../../db/search/read-search.ts';
import { writeTags } from '../../db/search/write-search.ts';
import { foldValue } from '../../domain/calls/call-fields.ts';
import { defineOperation } from '../operation.ts';
import { scopeOf } from '../scope-of.ts';
import { callParent } from './parent.ts';

export const setCallTags = defineOperation({
  id: 'setCallTags',
  surface: 'v1',
  method: 'PUT',
  path: '/v1/agents/{agentId}/calls/{callId}/tags',
  scope: 'write',
  tag: 'Calls',
  summary: 'Set the tags of a call',
  description: `Replaces the tags of the call, at most ${TAGS_AT_MOST}; the same again changes nothing. Calls are filtered by them: \`tag:vip\`. They stay when the words of the call are kept no longer, and go with the call.`,
  whenToUse: 'Call it to mark a call so that it is found again, such as one to be followed up.',
  parents: [callParent],
  body: newCallTags,
  response: callTags,
  async run({ em, agent, parent }, { body }) {
    const { id } = parent(callParent);
    await lockAgent(em, agent.id);
    const wanted = [...new Set(body.tags.map(foldValue))];
    await writeTags(em, { workspaceId: agent.workspaceId, agentId: agent.id, callId: id }, wanted);
    const tags = (await readTags(em, scopeOf(agent), [id])).get(id) ?? [];
    return { object: 'call_tags' as const, callId: id, tags };
  },
});
