import { type CallSound, callSound } from '../../contract/call-sound.ts';
import { readSound, type SoundOfCall } from '../../db/sound/sounds.ts';
import type { HeardCall } from '../../domain/sound/heard-call.ts';
import { defineOperation } from '../operation.ts';
import { callParent } from './parent.ts';

export const getCallSound = defineOperation({
  id: 'getCallSound',
  surface: 'app',
  method: 'GET',
  path: '/app/agents/{agentId}/calls/{callId}/sound',
  scope: 'person',
  tag: 'Calls',
  summary: 'Read what was measured on a recording',
  description:
    'Who speaks when on the recording of a call, how long the caller waited for each answer, who interrupted whom, silence, noise, and cut-outs, with the levels to draw both sides. Measured once where the setting `hearRecordings` is on; none of the sound is stored.',
  parents: [callParent],
  response: callSound,
  async run({ em, agent, parent }): Promise<CallSound> {
    const { id } = parent(callParent);
    return present(id, await readSound(em, agent.id, id));
  },
});

function present(callId: string, { state, reason, sound }: SoundOfCall): CallSound {
  const { sides, talk, ...heard }: Partial<HeardCall> = sound?.heard ?? {};
  return {
    object: 'call_sound',
    callId,
    state,
    reason,
    measuredAt: 'platform',
    durationMs: heard.durationMs ?? null,
    channels: heard.channels ?? null,
    lagMs: heard.lagMs ?? null,
    caller: sides?.caller ?? null,
    agent: sides?.agent ?? null,
    mixed: heard.mixed ?? null,
    answers: talk?.answers ?? null,
    bargeIns: talk?.bargeIns ?? null,
    interruptions: talk?.interruptions ?? null,
    falseStops: talk?.falseStops ?? null,
    silences: heard.silences ?? [],
    unknown: heard.unknown ?? [],
    bands: sound?.bands ?? [],
  };
}
