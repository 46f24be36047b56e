import { z } from 'zod';
import { LEFT_REASONS } from '../domain/spans/left-spans.ts';
import { CONNECTION_STATUSES, PLATFORMS } from '../domain/vocabulary.ts';
import { count, timestamp, uuid } from './common.ts';

/** It is sent as a header, which takes no line break and no other letters. */
export const platformKey = z
  .string()
  .min(1)
  .max(1000)
  .regex(/^[\x21-\x7e]+$/, 'must be ASCII letters, digits and signs, without blanks or line breaks')
  .describe('Stored encrypted and never shown again.');
export const baseUrl = z
  .url({ protocol: /^https?$/ })
  .max(2000)
  .describe("Where the platform listens, when not at its usual address: another region, or one's own.");

export const newConnection = z.strictObject({
  platform: z.enum(PLATFORMS),
  apiKey: platformKey.optional().describe('Needed where calls are fetched; stored encrypted and never shown again.'),
  baseUrl: baseUrl.optional(),
});

export const connectionChange = z.strictObject({
  apiKey: platformKey.optional(),
  baseUrl: baseUrl.nullable().optional(),
  webhookSecret: z
    .string()
    .min(8)
    .max(1000)
    .nullable()
    .optional()
    .describe('What the platform signs its events with, or shows. Stored encrypted; null takes it away.'),
});

const sentSpans = z.strictObject({
  spans: count,
  traces: count,
  waiting: count.describe('Traces whose call is not over, as far as is known.'),
  nextAt: timestamp.nullable().describe('When calls are made of them next; null where none waits.'),
  lastAt: timestamp.describe('When the last of them came in.'),
  left: z
    .array(
      z.strictObject({
        reason: z
          .enum(LEFT_REASONS)
          .describe(
            '`no_words`: they hold nothing that was said or done; `no_talk`: they tell of no conversation; `no_call`: they name no call, and none or several were going on; `too_many`: more than is read of one call.',
          ),
        library: z.string().describe('Of which library they are, by its own name; empty where it has none.'),
        spans: count,
        traces: count,
        lastAt: timestamp,
        says: z.string().describe('What became of them, in a sentence.'),
        advice: z.string().describe('The setting that would fix it.'),
      }),
    )
    .describe('Spans of which no call was made, the most first.'),
});

export const connection = z
  .strictObject({
    object: z.literal('connection'),
    id: uuid,
    platform: z.enum(PLATFORMS),
    baseUrl: z.string().nullable().describe("Null for the platform's usual address."),
    status: z.enum(CONNECTION_STATUSES).describe('`checking` until the platform has answered.'),
    message: z.string().nullable().describe('What the platform said, or what is waited for.'),
    agents: z
      .array(z.strictObject({ providerAgentId: z.string(), name: z.string(), agentId: uuid.nullable() }))
      .describe('What the key shows; `agentId` where it is connected already.'),
    webhook: z
      .strictObject({
        address: z.string().describe('Where the platform is to send its events.'),
        hasSecret: z.boolean().describe('Whether a webhook secret is set.'),
        isOpen: z.boolean().describe('False: events are refused until a secret is set.'),
        setUp: z.string(),
      })
      .nullable()
      .describe('Null where the platform sends no events.'),
    spans: sentSpans.nullable().describe('Spans that its agents sent in the last two days; null where none came in.'),
    checkedAt: timestamp.nullable(),
    createdAt: timestamp,
  })
  .meta({
    id: 'Connection',
    examples: [
      {
        object: 'connection',
        id: '019d1f4e-6a10-7c3e-9b1a-2f6d0c4e8a12',
        platform: 'retell',
        baseUrl: null,
        status: 'ok',
        message: null,
        agents: [{ providerAgentId: 'agent_71c2', name: 'Front desk', agentId: null }],
        webhook: {
          address: 'https://earshot.example.com/hooks/019d1f4e-6a10-7c3e-9b1a-2f6d0c4e8a12',
          hasSecret: false,
          isOpen: true,
          setUp: 'Enter this address as the webhook of the agent or the account.',
        },
        spans: null,
        checkedAt: '2026-03-02T09:15:04.120Z',
        createdAt: '2026-03-02T09:15:01.001Z',
      },
    ],
  });
export type ConnectionResource = z.infer<typeof connection>;
