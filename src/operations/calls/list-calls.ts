import { call } from '../../contract/call.ts';
import { listOf } from '../../contract/common.ts';
import { type CallView, listCalls as readCalls } from '../../db/calls/read-calls.ts';
import { readTurns } from '../../db/search/read-search.ts';
import { findWords } from '../../domain/calls/said-words.ts';
import { FILTER_FIELDS } from '../../domain/filters/filter-fields.ts';
import { soughtIn } from '../../domain/filters/read-filter.ts';
import { CATALOGUE } from '../../domain/signals/catalogue.ts';
import { keptAs } from '../../domain/signals/kept-as.ts';
import { FILTER_AT_MOST, OUTCOMES } from '../../domain/vocabulary.ts';
import { mapInTurns } from '../../map-in-turns.ts';
import { Failure } from '../failure.ts';
import { defineOperation } from '../operation.ts';
import { choiceParam, cursorParam, idParam, integerParam, limitParam, textParam, timeParam } from '../params.ts';
import { scopeOf } from '../scope-of.ts';
import { callPosition, callPositionOf } from './position.ts';
import { presentCall } from './present.ts';
import { readLine } from './read-line.ts';

export const listCalls = defineOperation({
  id: 'listCalls',
  surface: 'v1',
  method: 'GET',
  path: '/v1/agents/{agentId}/calls',
  scope: 'read',
  tag: 'Calls',
  summary: 'List the calls of an agent',
  description:
    'Analysed calls, newest first; calls without a start time come last and match no time filter. Filters combine. `filter` is one line of text: `said:"cancel my plan" outcome:unresolved latency:>2 tier:gold -intent:wrong_number`.',
  whenToUse:
    "Call it to find calls by what was said on them, the platform's id, outcome, version, issue, code, intent, time, tags, or what was sent beside them.",
  query: {
    limit: limitParam(),
    cursor: cursorParam(callPosition),
    providerCallId: textParam('The call with this id at the platform.'),
    outcome: choiceParam(OUTCOMES, 'How the call ended.'),
    version: integerParam('The agent version that the call ran on.'),
    issueId: idParam('Calls linked to this issue as evidence.'),
    signal: textParam('Calls on which this code was detected.'),
    intent: textParam('Calls with this intent, by its slug.'),
    step: textParam('Calls that reached this step of the flow, by its id there.'),
    nextStep: textParam('Of those with `step`, calls that went on from it to this one.'),
    startedFrom: timeParam('Calls that started at or after this time.'),
    startedBefore: timeParam('Calls that started before this time.'),
    filter: textParam(
      `One line of words and fields: ${[...FILTER_FIELDS].map(([name, { about }]) => `\`${name}\` (${about})`).join(', ')}, and the names of what was sent beside the calls. Words alone are searched in what was said, "in quotes" in their order; \`-\` excludes, \`OR\` and parentheses join.`,
      FILTER_AT_MOST,
    ),
  },
  response: listOf(call),
  async run(context, { query }) {
    const { limit, cursor, filter: text, ...filter } = query;
    if (filter.startedFrom && filter.startedBefore && filter.startedFrom > filter.startedBefore) {
      throw new Failure('invalid_parameter', 'startedFrom must not be after startedBefore.', { param: 'startedFrom' });
    }
    refuseObservation(filter.signal);
    if (filter.nextStep !== null && filter.step === null) {
      throw new Failure('invalid_parameter', 'nextStep needs step: where the call came from.', { param: 'nextStep' });
    }
    const scope = scopeOf(context.agent);
    const line = text === null ? null : await readLine(context.em, scope, text);
    const rows = await readCalls(context.em, scope, { ...filter, line }, { after: cursor, limit });
    const sought = line === null ? [] : soughtIn(line);
    if (sought.length === 0) return context.page(rows, limit, presentCall, callPositionOf);
    const shown = rows.slice(0, limit).map(({ id }) => id);
    const said = [...(await readTurns(context.em, scope, shown))];
    const found = new Map(
      await mapInTurns(said, ([id, turns]) => [id, findWords(turns, sought).filter((one) => one !== null)] as const),
    );
    const present = (row: CallView) => ({ ...presentCall(row), found: found.get(row.id) ?? [] });
    return context.page(rows, limit, present, callPositionOf);
  },
});

/** No call is listed by what is only noted on it: an empty page would say that it never happened. */
function refuseObservation(code: string | null): void {
  const noticed = code === null ? undefined : CATALOGUE.get(code);
  if (!noticed || keptAs(noticed).kept === 'signal') return;
  const message = `${noticed.code} is kept as an observation and never as a signal, so no call is listed by it: see observations in /v1/agents/{agentId}/calls/{callId}/signals.`;
  throw new Failure('invalid_parameter', message, { param: 'signal' });
}
