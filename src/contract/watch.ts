import { z } from 'zod';
import {
  ANSWERED_BY,
  BACKTEST_STATUSES,
  DIRECTIONS,
  LANES,
  OUTCOMES,
  POLARITIES,
  SAMPLE_KINDS,
  SIGNAL_LABELS,
  WATCH_MEASURES,
  WATCH_ORIGINS,
  WATCH_SCOPES,
  WATCH_STATES,
} from '../domain/vocabulary.ts';
import { MOST_DAYS } from '../domain/watches/failing.ts';
import type { WatchExpectation, WatchScope } from '../domain/watches/watch.ts';
import { count, share, timestamp, uuid } from './common.ts';
import { plainText, prose } from './text.ts';

const name = plainText(1, 200);
/** Words are compared, so there must be one. */
const wording = prose(1, 500).refine((text) => /[\p{L}\p{N}]/u.test(text), 'must hold a word');
const jsonObject = z.record(z.string().max(200), z.json());
const outcome = z.enum(OUTCOMES);

const seconds = z.number().positive().max(86_400);
const version = z.int().min(0);
const callFilter = z
  .strictObject({
    fromVersion: version.optional(),
    toVersion: version.optional(),
    direction: z.enum(DIRECTIONS).optional(),
    language: plainText(2, 8).optional().describe('BCP 47 primary tag, such as `de`.'),
    longerThanS: seconds.optional(),
    shorterThanS: seconds.optional(),
    answeredBy: z.enum(ANSWERED_BY).optional(),
    variables: z.record(z.string().max(200), z.string().max(500)).optional().describe('With which the call began.'),
  })
  .describe('What the record has to say of a call; what is left out is any.');
const also = {
  calls: callFilter.optional(),
  following: z.literal(true).optional().describe('What is expected has to follow the place where the scope begins.'),
};

const scopeCode = z
  .union([
    z.strictObject({ kind: z.literal('all_calls'), ...also }),
    z.strictObject({ kind: z.enum(['tool_called', 'tool_failed']), tool: name, ...also }),
    z.strictObject({ kind: z.literal('step_reached'), step: name, ...also }),
    z.strictObject({
      kind: z.literal('intent'),
      intent: name.describe('The slug of an intent of the agent.'),
      ...also,
    }),
    z.strictObject({ kind: z.literal('outcome'), outcome, ...also }),
    z.strictObject({ kind: z.literal('caller_said'), text: wording, ...also }),
    z.strictObject({ kind: z.literal('caller_said'), act: z.literal('asks_for_person'), ...also }),
  ])
  .transform((code): WatchScope => code)
  .meta({ id: 'WatchScopeCode', description: 'On which calls something is expected, as code reads it.' });

const figure = z.number().min(0).max(1_000_000);
const bounds = { atLeast: figure.optional(), atMost: figure.optional() };
const at = z.enum(['start', 'end']).describe("In the agent's first two turns, or in its last two.");

const expectationCode = z
  .union([
    z.strictObject({ kind: z.literal('tool_called'), tool: name, times: z.strictObject(bounds).optional() }),
    z.strictObject({
      kind: z.literal('tool_called_with'),
      tool: name,
      args: jsonObject.refine((args) => Object.keys(args).length > 0, 'must name at least one argument'),
    }),
    z.strictObject({ kind: z.literal('tool_called_before'), tool: name, before: name }),
    z.strictObject({ kind: z.literal('says'), text: wording, at: at.optional(), before: name.optional() }),
    z.strictObject({ kind: z.literal('says'), words: z.array(name).min(1).max(6), at: at.optional() }),
    z.strictObject({ kind: z.literal('says'), act: z.literal('promises'), about: z.array(name).max(6) }),
    z.strictObject({ kind: z.literal('asks_for'), words: z.array(name).min(1).max(6), before: name.nullable() }),
    z.strictObject({
      kind: z.literal('asks_for'),
      confirmation: z.literal(true),
      before: name,
      of: z.array(name).max(6).optional().describe('Words of what is confirmed, shown and not compared.'),
    }),
    z.strictObject({ kind: z.literal('reaches'), step: name }),
    z.strictObject({ kind: z.literal('outcome'), outcome }),
    z.strictObject({ kind: z.literal('ends_within'), seconds: z.int().min(1).max(86_400) }),
    z.strictObject({ kind: z.literal('signal'), code: name.describe('A code of the catalogue.') }),
    z.strictObject({ kind: z.literal('measure'), measure: z.enum(WATCH_MEASURES), ...bounds }),
    z.strictObject({ kind: z.literal('judged'), text: prose(1, 2000) }),
  ])
  .transform((code): WatchExpectation => code)
  .meta({ id: 'WatchExpectationCode', description: 'What is expected of the agent, as code reads it.' });

const shownScope = z.strictObject({
  text: z.string(),
  code: z
    .strictObject({
      kind: z.enum(WATCH_SCOPES),
      tool: z.string().nullable(),
      step: z.string().nullable(),
      intent: z.string().nullable(),
      outcome: outcome.nullable(),
      text: z.string().nullable(),
      act: z.literal('asks_for_person').nullable(),
      calls: callFilter.nullable(),
      following: z.boolean(),
    })
    .describe('What does not apply to the kind is null.'),
});

const shownExpectation = z.strictObject({
  text: z.string(),
  polarity: z.enum(POLARITIES),
  code: z.looseObject({ kind: z.string() }).describe('`judged` is what only a model can judge.'),
});

const alarm = z
  .union([
    z.strictObject({ days: z.int().min(1).max(MOST_DAYS), breaks: z.int().min(1).max(100_000) }),
    z.strictObject({ days: z.int().min(1).max(MOST_DAYS), share: share.refine((part) => part > 0, 'must be above 0') }),
  ])
  .meta({
    id: 'WatchAlarm',
    description: 'So many calls that break it, or such a share of at least 10 calls, over so many days.',
  });

const inWords = z.string().describe('What is looked at and expected, in words made of its code.');

export const watch = z
  .strictObject({
    object: z.literal('watch'),
    id: uuid,
    name: z.string(),
    lane: z.enum(LANES),
    state: z.enum(WATCH_STATES),
    revision: z.int().min(1),
    origin: z.enum(WATCH_ORIGINS),
    passRate: share.nullable().describe('Share of the calls on which it held, of those in scope that it judged.'),
    calls: count.describe('Calls behind the pass rate: of the backtest, and of live judging since.'),
    precision: share.nullable().describe('Share labelled right, of the flagged samples labelled on this revision.'),
    labelled: count,
    source: z
      .strictObject({
        agentVersion: z.int(),
        step: z.string().nullable().describe("The step's label; null for a line of the prompt."),
        line: z.int(),
        verbatim: z.boolean().describe("False once the line does not stand so in the agent's text any more."),
      })
      .nullable(),
    firstSample: z.strictObject({ inScope: count, flagged: count }).nullable(),
    scope: shownScope,
    expectation: shownExpectation,
    inWords,
    createdBy: z.string(),
    backtest: z
      .strictObject({
        watchRevision: z.int(),
        considered: count.describe('Calls looked at to find those in scope.'),
        inScope: count,
        flagged: count,
        createdAt: timestamp,
        updatedAt: timestamp,
      })
      .nullable(),
    samples: z.array(
      z.strictObject({
        callId: uuid,
        kind: z.enum(SAMPLE_KINDS),
        verdict: z.string(),
        quote: z.string(),
        turn: z.int(),
        label: z.enum(SIGNAL_LABELS).nullable(),
      }),
    ),
    labels: z.strictObject({ right: count, wrong: count, labelled: count, precision: share.nullable() }),
    goLiveBlock: z.string().nullable().describe('Why turning it on is refused; null when the bar is met.'),
    alarm: alarm.nullable().describe('It fails from here on, beside growing clearly over its own past.'),
    createdAt: timestamp,
    updatedAt: timestamp,
  })
  .meta({ id: 'Watch', description: 'An expectation that is checked on production calls.' });
export type WatchResource = z.infer<typeof watch>;

const rate = z.strictObject({
  passRate: share.nullable(),
  lower: share.describe('Lower bound of the 95 % interval.'),
  upper: share,
  calls: count,
});

const windowOfCalls = z.strictObject({ broken: count, calls: count });

export const watchResults = z
  .strictObject({
    object: z.literal('watch_results'),
    watchId: uuid,
    revision: z.int().min(1),
    all: rate,
    byVersion: z.array(rate.extend({ version: z.int() })).describe('Newest version first.'),
    byDay: z.array(rate.extend({ day: z.iso.date() })).describe('Oldest first; at most 90 days that have calls.'),
    precision: z
      .strictObject({ value: share, lower: share, upper: share, labelled: count })
      .nullable()
      .describe('Of the labels on this revision, with its 95 % interval; null until something is labelled.'),
    failing: z
      .strictObject({
        message: z.string(),
        day: z.iso.date(),
        days: z.int(),
        recent: windowOfCalls,
        past: windowOfCalls,
      })
      .nullable()
      .describe('Set while it reaches its limit or fails clearly more than its own past.'),
    failingRule: z.string(),
    backtest: z
      .strictObject({
        revision: z.int(),
        status: z.enum(BACKTEST_STATUSES),
        candidates: count.describe('Calls that the record does not rule out: the most that it will look at.'),
        considered: count,
        inScope: count,
        flagged: count,
        reason: z.string().nullable(),
      })
      .nullable(),
    sourceNote: z.string().nullable().describe('What has become of the line that it was read from; null for others.'),
  })
  .meta({ id: 'WatchResults', description: 'How often a watch held, by version and day.' });
export type WatchResultsResource = z.infer<typeof watchResults>;

const scopeGiven = z
  .strictObject({ text: prose(1, 500).optional(), code: scopeCode.optional() })
  .refine(({ text, code }) => text !== undefined || code !== undefined, 'must have text or code')
  .describe('In words, in code or both; left out: all calls.');

const expectationGiven = z.strictObject({
  text: prose(1, 2000),
  polarity: z.enum(POLARITIES).optional().describe('Left out: as the words say, else `must`.'),
  code: expectationCode.optional().describe('Left out: rules read the words.'),
});

export const watchWords = z.strictObject({ scope: scopeGiven.optional(), expectation: expectationGiven });

export const newWatch = watchWords.extend({ name, lane: z.enum(LANES), alarm: alarm.nullable().optional() });
export type NewWatch = z.infer<typeof newWatch>;

export const watchChange = z.strictObject({
  name: name.optional(),
  lane: z.enum(LANES).optional(),
  alarm: alarm.nullable().optional().describe('Null takes it away.'),
  scope: scopeGiven.optional(),
  expectation: expectationGiven.optional(),
  revision: z.int().min(1).optional().describe('Refused with 409 where another one is in force by now.'),
});

export const watchReading = z
  .strictObject({
    object: z.literal('watch_reading'),
    scope: shownScope,
    expectation: shownExpectation,
    inWords,
    needsModel: z.boolean().describe('True where rules found no form that code decides wholly.'),
    unread: z.array(z.string()).describe('The words that could not be put into code.'),
    nearest: z
      .strictObject({ inWords: z.string(), scope: shownScope, expectation: shownExpectation })
      .nullable()
      .describe('What code decides without the words that were not read; null where it decides nothing, or all.'),
    problem: z
      .strictObject({ param: z.string(), message: z.string() })
      .nullable()
      .describe('Why it would be refused: it could never hold, would always hold, or would never apply.'),
  })
  .meta({ id: 'WatchReading', description: 'What rules make of the words of a watch.' });
export type WatchReadingResource = z.infer<typeof watchReading>;

export const newWatchLabel = z.strictObject({
  callId: uuid,
  label: z.enum(SIGNAL_LABELS).describe('`right`: the agent did break what is expected on this call.'),
  revision: z
    .int()
    .min(1)
    .optional()
    .describe('The revision whose sample was looked at; refused with 409 where another one is in force by now.'),
});
