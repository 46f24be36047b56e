import { type CallWithTranscript, callWithTranscript } from '../../contract/call.ts';
import { readRedaction } from '../../db/agents/agent-source.ts';
import { readAnalyses, readTranscript } from '../../db/calls/read-call-detail.ts';
import type { EntityManager } from '../../db/database.ts';
import { type CallReading, readCallReading } from '../../db/models/reading-status.ts';
import { readTags } from '../../db/search/read-search.ts';
import { WORDS_GONE } from '../../domain/signals/without-words.ts';
import { defineOperation } from '../operation.ts';
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
    'One analysed call, its transcript, each claim that the agent made with what backs it, who answered, why the call counts as ended the way it does, and what led to a hand-off.',
  whenToUse: 'Call it to read what was said on one call.',
  parents: [callParent],
  isLarge: true,
  response: callWithTranscript,
  async run(context) {
    const call = context.parent(callParent);
    const scope = scopeOf(context.agent);
    const transcript = await readTranscript(context.em, scope, call.id);
    const reading = await readCallReading(context.em, context.agent.id, call.id);
    const analysis = (await readAnalyses(context.em, scope, [call.id])).get(call.id);
    return {
      ...presentCall(call),
      transcript: presentTranscript(transcript, analysis?.toolResults ?? []),
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
