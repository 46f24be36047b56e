import { call } from '../../contract/call.ts';
import { listOf } from '../../contract/common.ts';
import { listCalls, NO_CALL_FILTER } from '../../db/calls/read-calls.ts';
import { callPosition, callPositionOf } from '../calls/position.ts';
import { presentCall } from '../calls/present.ts';
import { defineOperation } from '../operation.ts';
import { cursorParam, limitParam } from '../params.ts';
import { scopeOf } from '../scope-of.ts';
import { issueParent } from './parent.ts';

export const listIssueCalls = defineOperation({
  id: 'listIssueCalls',
  surface: 'v1',
  method: 'GET',
  path: '/v1/agents/{agentId}/issues/{issueId}/calls',
  scope: 'read',
  tag: 'Issues',
  summary: 'List the calls behind an issue',
  description: 'The calls linked as evidence, newest first.',
  whenToUse: 'Call it for examples of an issue; then read one with get_call.',
  parents: [issueParent],
  query: { limit: limitParam(), cursor: cursorParam(callPosition) },
  response: listOf(call),
  async run(context, { query }) {
    const filter = { ...NO_CALL_FILTER, issueId: context.parent(issueParent).id };
    const rows = await listCalls(context.em, scopeOf(context.agent), filter, {
      after: query.cursor,
      limit: query.limit,
    });
    return context.page(rows, query.limit, presentCall, callPositionOf);
  },
});
