import { z } from 'zod';
import { SOUND_STATES } from '../domain/vocabulary.ts';
import { plainText } from './text.ts';

const spans = z.array(z.strictObject({ startMs: z.int(), endMs: z.int() }));
const level = z.number().nullable();

const heardSide = z.strictObject({
  spans: spans.describe('When this side speaks.'),
  speechDb: level.describe('Mean level of speech, dBFS.'),
  noiseDb: level.describe('Mean level between speech, dBFS; null where pauses are digital zero.'),
  snrDb: level.describe('Signal-to-noise ratio, dB.'),
  isGated: z.boolean().describe('The platform mutes pauses, so no noise can be measured.'),
  isNoisy: z.boolean().describe('Noise is too loud, or too much like speech, to tell when anybody speaks.'),
  clipped: z.int().describe('How often the sound stood at full scale.'),
  dropouts: spans.nullable().describe('Cut-outs within speech; null where they can not be told from muted pauses.'),
  echoDb: level.describe('How much quieter the other side is heard in this channel, dB; null where it is not.'),
});

/** What was measured on the recording of a call. */
export const callSound = z
  .strictObject({
    object: z.literal('call_sound'),
    callId: z.string(),
    state: z
      .enum([...SOUND_STATES, 'waiting', 'off'])
      .describe(
        '`heard`; `none`: no recording; `unreadable`: none that can be measured; `away`: it could not be fetched and is tried again; `waiting`: not yet; `off`: recordings of this agent are not measured.',
      ),
    reason: z.string().nullable().describe('Why nothing was measured.'),
    measuredAt: z
      .literal('platform')
      .describe('Where the sound was recorded. A caller hears an answer about half a second later than the platform.'),
    durationMs: z.int().nullable(),
    channels: z.enum(['separate', 'mixed']).nullable(),
    lagMs: z.int().nullable().describe('Added to a time of the transcript it gives one of the recording.'),
    caller: heardSide.nullable(),
    agent: heardSide.nullable(),
    mixed: heardSide.nullable().describe('Both sides, where they share a channel.'),
    answers: z.array(z.strictObject({ endMs: z.int(), startMs: z.int(), gapMs: z.int() })).nullable(),
    bargeIns: z.array(z.strictObject({ atMs: z.int(), yieldMs: z.int() })).nullable(),
    interruptions: z.array(z.strictObject({ atMs: z.int(), overlapMs: z.int() })).nullable(),
    falseStops: z.array(z.strictObject({ atMs: z.int(), pauseMs: z.int() })).nullable(),
    silences: spans,
    unknown: z.array(z.string()).describe('What could not be told, and why.'),
    bands: z
      .array(plainText(0, 400_000))
      .describe(
        'A channel each, in base64: a byte for every 100 ms, the level in half decibels above -100 dBFS. In the order caller, agent, where sides are known.',
      ),
  })
  .meta({ id: 'CallSound' });
export type CallSound = z.infer<typeof callSound>;
