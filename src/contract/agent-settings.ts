import { z } from 'zod';
import { PATTERN_CHARS_AT_MOST, parseOwnPattern } from '../domain/personal/own-pattern.ts';
import {
  ISSUE_SOURCES,
  MODEL_READING_MODES,
  MODEL_SHARES,
  PLATFORMS,
  REDACTED_KINDS,
  TOOL_VERDICTS,
} from '../domain/vocabulary.ts';
import { uuid } from './common.ts';
import { platformKey } from './connection.ts';
import { agentRetention, retention, retentionFrom } from './retention.ts';
import { plainText } from './text.ts';

export const newAgent = z.strictObject({
  connectionId: uuid.optional().describe('A connection that was made before; then neither platform nor key is given.'),
  platform: z.enum(PLATFORMS).optional(),
  apiKey: platformKey.optional(),
  baseUrl: z
    .url({ protocol: /^https?$/ })
    .max(2000)
    .optional(),
  providerAgentId: plainText(1, 200),
  name: plainText(1, 200).optional(),
});

/** To the ten-thousandth of a dollar, as it is stored. */
const usd = (max: number) =>
  z
    .number()
    .min(0)
    .max(max)
    .transform((amount) => Math.round(amount * 10_000) / 10_000);

/** Words are compared, so there must be one. */
const phrase = plainText(1, 300).refine((text) => /[\p{L}\p{N}]/u.test(text), 'must hold a word');

export const phraseRules = z.strictObject({ required: z.array(phrase).max(50), forbidden: z.array(phrase).max(50) });

const toolRule = z.strictObject({
  tool: plainText(1, 200).describe('Name of the tool; `*` for every tool of the agent.'),
  means: z.enum(TOOL_VERDICTS).describe('`refused`: the tool worked and the business said no.'),
  field: plainText(1, 200)
    .nullable()
    .describe(
      'Name of a field at any depth, or the end of its path (`booking.state`); null: the whole answer as text.',
    ),
  values: z
    .array(plainText(1, 300))
    .min(1)
    .max(50)
    .describe('The field has one of these values, or one of them stands in the text; compared without case.'),
});

export const toolRules = z.array(toolRule).max(200);

const ownPattern = z
  .string()
  .min(1)
  .max(PATTERN_CHARS_AT_MOST)
  .superRefine((source, context) => {
    const parsed = parseOwnPattern(source);
    if (typeof parsed === 'string') context.addIssue({ code: 'custom', message: parsed });
  });

export const redaction = z
  .strictObject({
    kinds: z
      .array(z.enum(REDACTED_KINDS))
      .max(REDACTED_KINDS.length)
      .describe(
        '`card` and `iban` by their check digits; `national_number` by check digits, shape, or what the agent asked for; `address`: a street with its house number in English, German, Spanish or French, with postcode and town behind it; `name`: those that rules find, as callers tell them, agents ask for them, and fields of tools hold them, and, once a model has read the call, those that it finds. Names that only a model recognizes stay where none is configured, and in calls that it does not read; it is sent the call with them.',
      ),
    patterns: z
      .array(z.strictObject({ name: z.string().regex(/^[a-z][a-z0-9 _-]{0,39}$/), pattern: ownPattern }))
      .max(20)
      .describe(
        'Own patterns, such as `MRN-\\d{6}`: characters, classes (`[A-Z]`, `\\d`, `\\w`, `\\s`, `.`), counts (`?`, `+`, `*`, `{4,8}`) and `|`. `+` and `*` stand for at most 64. Groups are refused.',
      ),
  })
  .meta({
    id: 'Redaction',
    examples: [{ kinds: ['card', 'email'], patterns: [{ name: 'patient number', pattern: 'MRN-\\d{6}' }] }],
  });

export const agentSettings = z.strictObject({
  name: plainText(1, 200).optional(),
  graceDays: z.int().min(1).max(90).optional(),
  boardSource: z.enum(ISSUE_SOURCES).optional(),
  thresholds: z
    .record(z.string(), z.record(z.string(), z.number()))
    .optional()
    .describe(
      'By code and name; what is left out keeps its default. They hold for calls that are analysed from now on, and for earlier ones once they were read again.',
    ),
  phraseRules: phraseRules
    .optional()
    .describe(
      'Wordings that the agent must say, or must never say, on every call, beside those that its prompt orders; whole lists, compared word by word without punctuation and case. They hold like thresholds.',
    ),
  toolRules: toolRules
    .optional()
    .describe(
      'What answers of its tools mean where they do not say so themselves; the whole list, the first rule that fits holds. They hold like thresholds.',
    ),
  redaction: redaction
    .optional()
    .describe(
      'Personal data that is left out of what is stored of calls imported from now on, with its kind in brackets in its place: words, tools, variables and the payload. Only admins change it.',
    ),
  hearRecordings: z
    .boolean()
    .optional()
    .describe(
      'Whether recordings of calls are fetched from the platform and measured: who speaks when, waits, interruptions, silence, noise. Only figures and levels are stored, none of the sound. Off, unless it is switched on; only admins change it.',
    ),
  testBudgetUsd: usd(100_000)
    .nullable()
    .optional()
    .describe('What simulated calls may cost in a UTC month, whoever starts them; null: unlimited.'),
  simulatedCallUsd: usd(1000)
    .nullable()
    .optional()
    .describe('What a simulated call costs at the platform; null: the usual rate of the platform.'),
  autoRuns: z
    .boolean()
    .optional()
    .describe(
      'Whether a version that goes live after another is tested by itself: by the tests that gate, or by all where none does. On, unless it is switched off.',
    ),
  modelReading: z
    .enum(MODEL_READING_MODES)
    .optional()
    .describe(
      'What a model may do on calls, where one is configured. `assist`, unless another is set: it adds evidence. `decide`: it confirms what rules suspect, judges outcomes that they are not sure of, and names problems that no code of the catalogue names, always with words of the call. `off`: nothing. What it had read is derived again under another setting; calls that it has not read are not asked about.',
    ),
  modelShare: z
    .enum(MODEL_SHARES)
    .optional()
    .describe(
      'Which calls a model reads. `all`, unless another is set. `suspected`: those on which rules found or suspect something, or are not sure how it ended, and `modelSharePercent` of the others. Calls that were read stay read.',
    ),
  modelSharePercent: z
    .int()
    .min(0)
    .max(100)
    .optional()
    .describe('Of the calls at which nothing points; a larger part holds all calls of a smaller one.'),
  modelBudgetUsd: usd(100_000)
    .nullable()
    .optional()
    .describe('What reading the calls by a model may cost in a UTC month; null: unlimited.'),
  retention: agentRetention.optional(),
  trustModelAgain: z
    .array(z.string().min(1).max(200))
    .max(100)
    .optional()
    .describe(
      'Codes that the model may decide again although people found it wrong on them: only labels from now on count.',
    ),
});

const returnedCode = z.strictObject({ code: z.string(), reason: z.string(), right: z.int(), wrong: z.int() });

export const settingsInForce = z
  .strictObject({
    object: z.literal('agent_settings'),
    name: z.string(),
    graceDays: z.int(),
    boardSource: z.enum(ISSUE_SOURCES),
    thresholds: z
      .record(z.string(), z.record(z.string(), z.number()))
      .describe('Thresholds that differ from their defaults.'),
    phraseRules,
    toolRules,
    redaction,
    hearRecordings: z.boolean(),
    testBudgetUsd: z.number().nullable(),
    simulatedCallUsd: z.number().nullable(),
    autoRuns: z.boolean(),
    modelReading: z.enum(MODEL_READING_MODES),
    modelShare: z.enum(MODEL_SHARES),
    modelSharePercent: z.int(),
    modelBudgetUsd: z.number().nullable(),
    retention,
    retentionFrom,
    modelReturned: z
      .array(returnedCode)
      .describe('Codes on which the model only assists, because people who labelled its findings found it wrong.'),
  })
  .meta({
    id: 'AgentSettings',
    examples: [
      {
        object: 'agent_settings',
        name: 'Front desk',
        graceDays: 7,
        boardSource: 'detector',
        thresholds: { tool_slow: { slowMs: 3000 } },
        phraseRules: { required: ['this call may be recorded'], forbidden: [] },
        toolRules: [{ tool: 'book_visit', means: 'failed', field: 'booking.state', values: ['void'] }],
        redaction: { kinds: ['card'], patterns: [] },
        hearRecordings: false,
        testBudgetUsd: 20,
        simulatedCallUsd: null,
        autoRuns: true,
        modelReading: 'decide',
        modelShare: 'all',
        modelSharePercent: 0,
        modelBudgetUsd: 10,
        retention: { payloadDays: 30, transcriptDays: 90, callDays: null },
        retentionFrom: { payloadDays: 'workspace', transcriptDays: 'agent', callDays: 'workspace' },
        modelReturned: [
          {
            code: 'question_unanswered',
            reason: 'People found 2 of 6 right: its precision is at most 0.70, and 0.8 is asked for.',
            right: 2,
            wrong: 4,
          },
        ],
      },
    ],
  });

const tool = z.strictObject({
  name: z.string().min(1).max(200),
  description: z.string().max(20_000).optional(),
  parameters: z.json().optional(),
  results: z
    .array(toolRule.omit({ tool: true }))
    .max(50)
    .optional()
    .describe('What its answers mean where they do not say so themselves; the first that fits holds.'),
});

/** Prompt and tools of an agent whose calls come from files. Tools may be bare or wrapped as `{type: "function", function}`. */
export const fileConfiguration = z.strictObject({
  prompt: z.string().max(200_000).nullable().optional(),
  firstMessage: z.string().max(20_000).nullable().optional(),
  tools: z
    .array(z.union([z.strictObject({ type: z.literal('function'), function: tool }), tool]))
    .max(500)
    .optional(),
  set: z.string().optional().describe('A name that some files carry; it is not kept.'),
  version: z
    .int()
    .min(0)
    .max(2_147_483_647)
    .optional()
    .describe('The version that it is the configuration of; the current one if left out.'),
});
export type FileConfiguration = z.infer<typeof fileConfiguration>;
