import { z } from 'zod';
import { CHANNELS, DIRECTIONS, TURN_ROLES } from '../domain/vocabulary.ts';

const ms = z.number().min(0).describe('Milliseconds from the start of the call.');
const clock = z.union([z.iso.datetime({ offset: true }), z.number().describe('Seconds or milliseconds since 1970.')]);

const word = z.looseObject({
  text: z.string(),
  startMs: ms,
  endMs: ms,
  confidence: z.number().min(0).max(1).optional(),
});

const turn = z.looseObject({
  role: z
    .enum(TURN_ROLES)
    .describe('`user`, `human` and `customer` mean caller; `assistant`, `bot` and `ai` mean agent.'),
  text: z.string().optional().describe('What was said; left out on turns of tools. `content` means the same.'),
  startMs: ms.nullish(),
  endMs: ms.nullish(),
  interrupted: z.boolean().optional().describe('The other side cut this turn off.'),
  nodeId: z.string().optional().describe("The step of the agent's flow."),
  toolCall: z
    .looseObject({ id: z.string().nullish(), name: z.string(), args: z.json().optional() })
    .nullish()
    .describe('On a turn of the agent.'),
  toolResult: z
    .looseObject({
      id: z.string().nullish(),
      name: z.string().nullish(),
      ok: z.boolean().optional().describe('Left out: told by the body.'),
      body: z.json().optional(),
    })
    .nullish()
    .describe('On a turn of role tool, paired with its call by id, else by name in order.'),
  words: z.array(word).optional(),
});

/** A finished call as a file holds it, and as it is sent. Fields that are not named here are not looked at. */
export const callRecord = z
  .looseObject({
    id: z
      .union([z.string().min(1).max(255), z.int()])
      .describe('Yours; a record with the same id replaces the one before.'),
    startedAt: clock.nullish(),
    endedAt: clock.nullish(),
    direction: z.enum(DIRECTIONS).optional(),
    channel: z.enum(CHANNELS).optional(),
    callerNumber: z.string().nullish().describe('Kept as a keyed hash only.'),
    version: z.int().min(0).nullish().describe('Version of the agent; 1 where left out.'),
    language: z.string().nullish().describe('Such as `en-US`.'),
    disconnectionReason: z.string().nullish(),
    endedBy: z.enum(['caller', 'agent', 'platform']).nullish(),
    metadata: z
      .record(z.string(), z.json())
      .nullish()
      .describe(
        'Your own fields, such as `{"campaign": "autumn", "tier": "gold"}`: calls are filtered by them. At most 50.',
      ),
    timeUnit: z
      .enum(['seconds', 'milliseconds'])
      .optional()
      .describe('Unit of `start` and `end` of turns that have no `startMs`; seconds where left out.'),
    turns: z.array(turn).describe('In the order of the call. `messages`, `items` and `transcript` mean the same.'),
  })
  .meta({ id: 'CallRecord', title: 'A finished call', description: 'One record of a file, or of POST /ingest/calls.' });
