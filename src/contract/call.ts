import { z } from 'zod';
import {
  ANSWERED_BY,
  CALLER_KINDS,
  CLAIM_VERDICTS,
  DIRECTIONS,
  ISSUE_CLASSES,
  LANES,
  OBSERVATION_KINDS,
  OUTCOMES,
  PROOF_SOURCES,
  SEVERITIES,
  SIGNAL_BASES,
  TIMINGS,
  TOOL_VERDICTS,
  TURN_ROLES,
} from '../domain/vocabulary.ts';
import { count, location, share, slugAndLabel, timestamp, uuid } from './common.ts';

const callFields = {
  object: z.literal('call'),
  id: uuid,
  providerCallId: z.string().describe("The platform's call id."),
  version: z.int().describe('The agent version that the call ran on.'),
  startedAt: timestamp.nullable().describe('Calls without a start time sort last.'),
  endedAt: timestamp.nullable(),
  durationMs: z.int(),
  direction: z.enum(DIRECTIONS),
  disconnectionReason: z.string(),
  outcome: z.enum(OUTCOMES).nullable().describe("Null where the record can't tell how the call ended."),
  outcomeConfidence: z
    .number()
    .min(0)
    .max(1)
    .nullable()
    .describe('How often outcomes by this rule are right; null before the first analysis.'),
  objective: z.string().describe('What the caller wanted.'),
  intent: slugAndLabel,
  useCase: slugAndLabel,
  subUseCase: slugAndLabel,
  callerPersona: slugAndLabel,
  caller: z.strictObject({ kind: z.enum(CALLER_KINDS), nth: z.int().min(1), of: z.int().min(1) }),
  counts: z.strictObject({
    turns: count,
    callerTurns: count,
    agentTurns: count,
    toolFailures: count,
    frictions: count,
  }),
  signalCodes: z.array(z.string()).describe('The codes detected on the call.'),
};

export const callExample = {
  object: 'call',
  id: '019d2a77-40a0-7d55-8c1e-5b8f2a9d3c01',
  providerCallId: 'call_5f1e',
  version: 4,
  startedAt: '2026-03-02T09:12:40.000Z',
  endedAt: '2026-03-02T09:15:04.120Z',
  durationMs: 144120,
  direction: 'inbound',
  disconnectionReason: 'user_hangup',
  outcome: 'abandoned',
  outcomeConfidence: 0.8,
  objective: 'I need to move my appointment to Friday.',
  intent: { slug: 'move_appointment', label: 'Move appointment' },
  useCase: { slug: 'appointments', label: 'Appointments' },
  subUseCase: { slug: 'move_appointment', label: 'Move appointment' },
  callerPersona: { slug: 'neutral', label: 'Neutral' },
  caller: { kind: 'repeat', nth: 2, of: 2 },
  counts: { turns: 14, callerTurns: 6, agentTurns: 6, toolFailures: 1, frictions: 1 },
  signalCodes: ['tool_failed', 'caller_left_mid_task'],
} as const;

const found = z
  .array(z.strictObject({ turn: count.describe('Its index in the transcript.'), text: z.string() }))
  .optional()
  .describe('Where a filter searches for words: for each of them its first turn, with what stands around it.');

export const call = z.strictObject({ ...callFields, found }).meta({ id: 'Call', examples: [callExample] });
export type CallResource = z.infer<typeof call>;

export const turn = z
  .strictObject({
    index: count,
    role: z.enum(TURN_ROLES),
    text: z.string(),
    wordsMissing: z
      .boolean()
      .describe('True where somebody spoke and what was said did not arrive; `text` is then empty.'),
    keys: z.string().nullable().describe('Keys that were pressed on the phone; null on all other turns.'),
    startMs: z.number().nullable(),
    endMs: z.number().nullable(),
    nodeId: z.string().nullable(),
    toolCall: z.strictObject({ id: z.string().nullable(), name: z.string(), args: z.json() }).nullable(),
    toolResult: z
      .strictObject({
        id: z.string().nullable(),
        name: z.string().nullable(),
        ok: z.boolean().nullable().describe('Null where nobody can tell; true also where the business said no.'),
        verdict: z.enum(TOOL_VERDICTS).describe('`refused`: the tool worked, and the business said no.'),
        body: z.json(),
        latencyMs: z.number().nullable(),
      })
      .nullable(),
  })
  .meta({
    id: 'Turn',
    description: 'One turn of the transcript; `index` is what signals, claims and quotes point at.',
  });

const claim = z
  .strictObject({
    turn: count,
    text: z.string(),
    kind: z.string(),
    backedBy: count.nullable().describe('Turn of the tool result that decides the verdict.'),
    verdict: z.enum(CLAIM_VERDICTS),
  })
  .meta({
    id: 'Claim',
    description: 'Something that the agent said it did or read out, tied to the result that backs it.',
  });

const outcomeReason = z
  .strictObject({
    rule: z.string().describe('The rule that decided.'),
    turns: z.array(count),
    text: z.string(),
    confidence: z.number().min(0).max(1),
  })
  .meta({ id: 'OutcomeReason', description: 'Why this outcome: the turns and facts that decided.' });

const handOff = z
  .strictObject({
    reason: z
      .enum(['asked', 'blocked', 'unknown'])
      .describe('`asked`: the caller wanted a person; `blocked`: the agent could not go on.'),
    right: z.boolean().nullable().describe('Null where nothing on the call says whether it was needed.'),
    turns: z.array(count),
    text: z.string(),
  })
  .meta({ id: 'HandOff', description: 'What led to a hand-off: apart from the fact that it happened.' });

const voice = z.strictObject({ value: z.enum(ANSWERED_BY), turns: z.array(count) });

const answeredBy = z
  .strictObject({
    ...voice.shape,
    text: z.string(),
    basis: z.enum(['platform', 'rules', 'model']).describe('Whose word it is.'),
    before: z.array(voice).describe('What answered before, in order, such as a menu before a person.'),
  })
  .meta({
    id: 'AnsweredBy',
    description: 'Who was on the far side, with the turns that show it. What machines say is no request of a caller.',
  });

export const callWithTranscript = z
  .strictObject({
    ...callFields,
    transcript: z.array(turn).nullable().describe('Null once its retention is over.'),
    turnPage: z
      .strictObject({
        turns: count.describe('Of the whole transcript.'),
        next: count.nullable().describe('`turnsAfter` of the next page; null on the last one.'),
      })
      .optional()
      .describe('Where `transcript` is a page of it: which one comes next. Left out where it is the whole.'),
    timing: z
      .enum(TIMINGS)
      .nullable()
      .describe('How far the times of turns can be trusted; null without a transcript.'),
    transcriptReason: z.string().nullable().describe('Why there is no transcript; null where there is one.'),
    claims: z.array(claim),
    outcomeReason: outcomeReason.nullable(),
    answeredBy: answeredBy.nullable().describe('Null on calls that were read before it was kept.'),
    handOff: handOff.nullable().describe('Null where the call was not handed over.'),
    modelReading: z
      .strictObject({
        state: z.enum(['waiting', 'read', 'given_up', 'left']).describe('`left`: outside of the share that is read.'),
        model: z.string().nullable().describe('Which model read it; null where none has.'),
        usd: z.number().min(0).describe('What the questions about it cost; 0 where the model has no price.'),
        reason: z.string().nullable().describe('Why it was given up, or which findings of the model were not taken.'),
      })
      .nullable()
      .describe('How a model read the call beside the rules; null where none was asked to.'),
    metadata: z
      .record(z.string(), z.union([z.string(), z.number(), z.boolean()]))
      .describe('What was sent beside the call, and the variables that it began with, by the names that filters take.'),
    tags: z.array(z.string()).describe('Tags that people gave the call, in the order of the alphabet.'),
    redactedNames: z
      .enum(['waiting', 'by_reader', 'by_rules'])
      .nullable()
      .describe(
        'Who said which names to leave out: `waiting`: rules did, and the model that reads the call is still to say more; `by_rules`: no model reads it for names. Null where names are not left out.',
      ),
    redacted: z
      .record(z.string(), z.int().min(1))
      .describe('How often each kind of personal data was left out when the call was imported; empty where none was.'),
    warnings: z
      .array(z.string())
      .describe('What was noted as its record was read, such as a time without a zone that was left out.'),
    traces: z
      .array(
        z.strictObject({ id: z.string(), url: z.string().nullable().describe('In the trace viewer of the operator.') }),
      )
      .describe('Traces whose spans the call was made of, by the ids of their sender.'),
  })
  .meta({
    id: 'CallWithTranscript',
    examples: [
      {
        ...callExample,
        transcript: [
          {
            index: 0,
            role: 'caller',
            text: 'I need to move my appointment to Friday.',
            wordsMissing: false,
            keys: null,
            startMs: 900,
            endMs: 3400,
            nodeId: null,
            toolCall: null,
            toolResult: null,
          },
        ],
        timing: 'exact',
        transcriptReason: null,
        claims: [],
        outcomeReason: { rule: 'write_confirmed', turns: [7, 8], text: 'The appointment was moved.', confidence: 0.9 },
        answeredBy: { value: 'person', turns: [0], text: 'A person answered.', basis: 'rules', before: [] },
        handOff: null,
        modelReading: { state: 'read', model: 'a-model', usd: 0.0009, reason: null },
        metadata: { campaign: 'autumn', tier: 'gold' },
        tags: ['vip'],
        redactedNames: null,
        redacted: {},
        warnings: [],
        traces: [],
      },
    ],
  });
export type CallWithTranscript = z.infer<typeof callWithTranscript>;

const detected = z
  .strictObject({
    code: z.string(),
    title: z.string(),
    severity: z.enum(SEVERITIES),
    klass: z.enum(ISSUE_CLASSES),
    confidence: share,
    location,
    detail: z.string(),
    cause: z
      .strictObject({ code: z.string(), label: z.string(), detail: z.string().nullable() })
      .describe('`not_established` when no cause could be shown.'),
    turnIndex: count,
    evidenceQuote: z.string().describe('An exact part of the cited turn; empty for a signal about the whole call.'),
    basis: z.enum(SIGNAL_BASES).describe('`rules`: found by code. `model`: found by a model that read the call.'),
    proof: z
      .array(
        z.strictObject({
          in: z
            .enum(PROOF_SOURCES)
            .describe("Where the quote stands: a turn's words, the agent's text, or a call or result of a tool."),
          index: count
            .nullable()
            .describe("The turn, or the line of the agent's text from 1; null: a tool, by its name."),
          quote: z.string().describe('An exact part of what it is quoted from.'),
        }),
      )
      .describe('What the evidence was held against by the model that read the call; empty where code found it alone.'),
  })
  .meta({ id: 'DetectedSignal', description: 'A symptom noticed on one call, not a diagnosed issue.' });

const observation = z
  .strictObject({
    rule: z.string(),
    kind: z.enum(OBSERVATION_KINDS),
    label: z.string(),
    turnIndex: count,
    detail: z.string(),
    basis: z.enum(['checked', 'phrases', 'model']),
  })
  .meta({ id: 'Observation', description: 'Evidence for an issue, and never an issue on its own.' });

export type DetectedSignal = z.infer<typeof detected>;

export const callSignals = z
  .strictObject({
    object: z.literal('call_signals'),
    callId: uuid,
    detected: z.array(detected).nullable().describe('Null until the call is analysed.'),
    observations: z.array(observation).nullable().describe('Null when the call was not read this way.'),
  })
  .meta({
    id: 'CallSignals',
    examples: [
      {
        object: 'call_signals',
        callId: '019d2a77-40a0-7d55-8c1e-5b8f2a9d3c01',
        detected: [
          {
            code: 'tool_failed',
            title: 'A tool failed',
            severity: 'high',
            klass: 'technical',
            confidence: 1,
            location: { kind: 'tool', id: 'find_slots', label: 'find_slots' },
            detail: 'The result says that the service answered 503.',
            cause: { code: 'not_established', label: 'Cause not established.', detail: null },
            turnIndex: 7,
            evidenceQuote: 'service unavailable',
            basis: 'rules',
            proof: [],
          },
        ],
        observations: [],
      },
    ],
  });
export type CallSignals = z.infer<typeof callSignals>;

export const signal = z
  .strictObject({
    object: z.literal('signal'),
    code: z.string(),
    title: z.string(),
    klass: z.enum(ISSUE_CLASSES),
    lane: z.enum(LANES).nullable(),
    severity: z.enum(SEVERITIES),
    kept: z
      .enum(['signal', 'observation'])
      .describe('As what a call keeps it: observations are only noted, make no issue, and no call is listed by them.'),
    note: z.string().nullable().describe('What it takes to be found as a signal; null where rules find it so.'),
  })
  .meta({
    id: 'Signal',
    description: 'A code of the catalogue.',
    examples: [
      {
        object: 'signal',
        code: 'tool_failed',
        title: 'A tool failed',
        klass: 'technical',
        lane: 'integrations',
        severity: 'high',
        kept: 'signal',
        note: null,
      },
    ],
  });
