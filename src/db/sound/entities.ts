import { defineEntity, p } from '@mikro-orm/core';
import type { StoredSound } from '../../domain/sound/stored-sound.ts';
import { SOUND_STATES } from '../../domain/vocabulary.ts';
import { count, createdAt, time, updatedAt } from '../columns.ts';
import { fenced } from '../row-security.ts';

/** What was heard on the recording of a call, and of which record of it. Nothing of the sound itself. */
export const CallSound = defineEntity({
  name: 'CallSound',
  tableName: 'call_sounds',
  ...fenced,
  properties: {
    callId: p.uuid().primary(),
    workspaceId: p.uuid(),
    agentId: p.uuid(),
    payloadDigest: p.text(),
    /** Of the rules that heard it. */
    soundVersion: p.integer(),
    state: p.enum(SOUND_STATES),
    /** Why nothing was heard, as a sentence. */
    reason: p.text().nullable(),
    sound: p.json<StoredSound>().nullable(),
    tries: count(),
    /** Where it is to be tried again. */
    nextTryAt: time().nullable(),
    createdAt: createdAt(),
    updatedAt: updatedAt(),
  },
  indexes: [
    {
      name: 'call_sounds_of_agent',
      expression: `create index "call_sounds_of_agent" on "call_sounds" ("agent_id", "state")`,
    },
  ],
});
