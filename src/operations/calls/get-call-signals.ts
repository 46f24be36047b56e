import { type CallSignals, callSignals } from '../../contract/call.ts';
import { readAnalyses, readSignals } from '../../db/calls/read-call-detail.ts';
import { defineOperation } from '../operation.ts';
import { scopeOf } from '../scope-of.ts';
import { storedCallParent } from './parent.ts';
import { presentSignal } from './present.ts';

export const getCallSignals = defineOperation({
  id: 'getCallSignals',
  surface: 'v1',
  method: 'GET',
  path: '/v1/agents/{agentId}/calls/{callId}/signals',
  scope: 'read',
  tag: 'Calls',
  summary: 'Read the signals of a call',
  description: 'Symptoms noticed on one call, with the words that show them; null until the call is analysed.',
  whenToUse: 'Call it for what was noticed on one call and at which turn.',
  parents: [storedCallParent],
  response: callSignals,
  async run(context): Promise<CallSignals> {
    const call = context.parent(storedCallParent);
    if (call.state !== 'analysed') {
      return { object: 'call_signals', callId: call.id, detected: null, observations: null };
    }
    const scope = scopeOf(context.agent);
    const signals = await readSignals(context.em, scope, [call.id]);
    const analysis = (await readAnalyses(context.em, scope, [call.id])).get(call.id);
    return {
      object: 'call_signals',
      callId: call.id,
      detected: signals.map(presentSignal),
      observations:
        analysis?.observations.map(({ rule, kind, label, turnIndex, detail, basis }) => ({
          rule,
          kind,
          label,
          turnIndex,
          detail,
          basis,
        })) ?? null,
    };
  },
});
