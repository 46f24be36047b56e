import { call } from '../../contract/call.ts';
import { listOf } from '../../contract/common.ts';
import { listCalls as readCalls } from '../../db/calls/read-calls.ts';
import { OUTCOMES } from '../../domain/vocabulary.ts';
import { Failure } from '../failure.ts';
import { defineOperation } from '../operation.ts';
import { choiceParam, cursorParam, idParam, integerParam, limitParam, textParam, timeParam } from '../params.ts';
import { scopeOf } from '../scope-of.ts';
import { callPosition, callPositionOf } from './position.ts';
import { presentCall } from './present.ts';

export const listCalls = defineOperation({
  id: 'listCalls',
  surface: 'v1',
  method: 'GET',
  path: '/v1/agents/{agentId}/calls',
  scope: 'read',
  tag: 'Calls',
  summary: 'List the calls of an agent',
  description:
    'Analysed calls, newest first; calls without a start time come last and match no time filter. Filters combine.',
  whenToUse: "Call it to find calls by the platform's id, outcome, version, issue, code, intent or time.",
  query: {
    limit: limitParam(),
    cursor: cursorParam(callPosition),
    providerCallId: textParam('The call with this id at the platform.'),
    outcome: choiceParam(OUTCOMES, 'How the call ended.'),
    version: integerParam('The agent version that the call ran on.'),
    issueId: idParam('Calls linked to this issue as evidence.'),
    signal: textParam('Calls on which this code was detected.'),
    intent: textParam('Calls with this intent, by its slug.'),
    startedFrom: timeParam('Calls that started at or after this time.'),
    startedBefore: timeParam('Calls that started before this time.'),
  },
  response: listOf(call),
  async run(context, { query }) {
    const { limit, cursor, ...filter } = query;
    if (filter.startedFrom && filter.startedBefore && filter.startedFrom > filter.startedBefore) {
      throw new Failure('invalid_parameter', 'startedFrom must not be after startedBefore.', { param: 'startedFrom' });
    }
    const rows = await readCalls(context.em, scopeOf(context.agent), filter, { after: cursor, limit });
    return context.page(rows, limit, presentCall, callPositionOf);
  },
});
