import { callWithTranscript } from '../../contract/call.ts';
import { readAnalyses, readTranscript } from '../../db/calls/read-call-detail.ts';
import { readCallReading } from '../../db/models/reading-status.ts';
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
      modelReading: presentModelReading(await readCallReading(context.em, context.agent.id, call.id)),
      metadata: presentFields(transcript),
      tags: (await readTags(context.em, scope, [call.id])).get(call.id) ?? [],
      redacted: call.redacted ?? {},
      traces: presentTraces(transcript, context.services.traceUrl),
    };
  },
});
