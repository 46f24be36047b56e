import { type CallWithTranscript, callWithTranscript } from '../../contract/call.ts';
import { readRedaction } from '../../db/agents/agent-source.ts';
import { readAnalyses, readTranscript, readTranscriptPage } from '../../db/calls/read-call-detail.ts';
import type { EntityManager } from '../../db/database.ts';
import { type CallReading, readCallReading } from '../../db/models/reading-status.ts';
import { readTags } from '../../db/search/read-search.ts';
import { WORDS_GONE } from '../../domain/signals/without-words.ts';
import { TURNS_A_PAGE } from '../../domain/vocabulary.ts';
import { type Context, defineOperation } from '../operation.ts';
import { integerParam } from '../params.ts';
import { scopeOf } from '../scope-of.ts';
import { callParent } from './parent.ts';
import {
  presentAnswered,
  presentCall,
  presentClaims,
  presentFields,
  presentModelReading,
  presentReason,
  presentTraces,
  presentTranscript,
} from './present.ts';

export const getCall = defineOperation({
  id: 'getCall',
  surface: 'v1',
  method: 'GET',
  path: '/v1/agents/{agentId}/calls/{callId}',
  scope: 'read',
  tag: 'Calls',
  summary: 'Read a call with its transcript',
  description:
    'One analysed call, its transcript, each claim that the agent made with what backs it, who answered, why the call counts as ended the way it does, and what led to a hand-off. With `turnsAfter` it has a page of the transcript, of 200 turns at most, and `turnPage`; all else is of the whole call.',
  whenToUse:
    'Call it to read what was said on one call. Of a call of over 200 turns it gives the first 200: ask again with `turnsAfter` as `turnPage.next` says.',
  parents: [callParent],
  isLarge: true,
  query: {
    turnsAfter: integerParam(
      'How many turns to pass over: 0 for the first page of the transcript, then `turnPage.next` of the page before.',
      0,
      1_000_000,
    ),
  },
  response: callWithTranscript,
  async run(context, { query }) {
    const call = context.parent(callParent);
    const scope = scopeOf(context.agent);
    const { transcript, turnPage } = await readTurns(context, call.id, query.turnsAfter);
    const reading = await readCallReading(context.em, context.agent.id, call.id);
    const analysis = (await readAnalyses(context.em, scope, [call.id])).get(call.id);
    return {
      ...presentCall(call),
      transcript: presentTranscript(transcript, analysis?.toolResults ?? []),
      ...(turnPage && { turnPage }),
      timing: transcript?.timing ?? null,
      transcriptReason: transcript === null ? WORDS_GONE : null,
      claims: presentClaims(analysis?.claims ?? []),
      outcomeReason: analysis ? presentReason(analysis) : null,
      answeredBy: presentAnswered(analysis?.answeredBy),
      handOff: analysis?.handOff ?? null,
      metadata: presentFields(transcript),
      tags: (await readTags(context.em, scope, [call.id])).get(call.id) ?? [],
      modelReading: presentModelReading(reading),
      redactedNames: await whoseNames(context.em, context.agent.id, call.redactedNames, reading),
      redacted: call.redacted ?? {},
      warnings: [...new Set(transcript?.warnings ?? [])],
      traces: presentTraces(transcript, context.services.traceUrl),
    };
  },
});

async function whoseNames(
  em: EntityManager,
  agentId: string,
  marks: readonly string[] | null,
  reading: CallReading | null,
): Promise<CallWithTranscript['redactedNames']> {
  if (marks !== null) return 'by_reader';
  if (!(await readRedaction(em, agentId)).kinds.includes('name')) return null;
  return reading?.state === 'waiting' || reading?.state === 'read' ? 'waiting' : 'by_rules';
}

/** All turns unless a page is asked for; a model, which would have to hold them all, is given pages of what is longer. */
async function readTurns({ em, agent, via }: Context, callId: string, turnsAfter: number | null) {
  const scope = scopeOf(agent);
  if (turnsAfter === null && via !== 'mcp') return { transcript: await readTranscript(em, scope, callId) };
  const after = turnsAfter ?? 0;
  const found = await readTranscriptPage(em, scope, callId, { after, limit: TURNS_A_PAGE });
  const turns = found?.turns ?? 0;
  const next = after + TURNS_A_PAGE < turns ? after + TURNS_A_PAGE : null;
  const isPage = turnsAfter !== null || next !== null;
  return { transcript: found?.call ?? null, ...(isPage && { turnPage: { turns, next } }) };
}
