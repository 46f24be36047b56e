import type { CallerKind, Direction, Outcome } from '../vocabulary.ts';

/** What is stored of a call apart from its words. */
export interface StoredFacts {
  version: number;
  /** ISO 8601 UTC. */
  startedAt: string | null;
  durationMs: number;
  direction: Direction;
  disconnectionReason: string;
  costUsd: number | null;
  callerKind: CallerKind;
  callerSpoke: boolean;
  outcome: Outcome | null;
  outcomeConfidence: number | null;
  endedBadly: boolean;
  intentSlug: string | null;
  useCaseSlug: string | null;
  callerTurns: number;
  agentTurns: number;
  toolResults: number | null;
  toolFailures: number;
  frictions: number;
  responseMedianMs: number | null;
  responseSlowMs: number | null;
  signalCodes: readonly string[];
}

/** What formulas read of a call: longer texts are cut, and no list has more entries. */
export const TEXT_AT_MOST = 500;
export const LIST_AT_MOST = 200;
/** What was sent beside a call. */
export const FIELDS_AT_MOST = 1_000;

/** Types as CEL names them. */
export type FactType =
  | 'double'
  | 'string'
  | 'bool'
  | 'list<string>'
  | 'map<string, string>'
  | 'google.protobuf.Timestamp';

interface Fact {
  type: FactType;
  about: string;
  /** Undefined where the record does not say it. */
  of(call: StoredFacts): number | string | boolean | readonly string[] | Date | undefined;
}

const seconds = (ms: number | null) => (ms === null ? undefined : ms / 1000);

/** What a formula can name: numbers are doubles, and what a call does not say is unknown and not zero. */
export const FACTS: Readonly<Record<string, Fact>> = {
  duration_s: {
    type: 'double',
    about: 'Length of the call in seconds.',
    of: ({ durationMs }) => (durationMs > 0 ? durationMs / 1000 : undefined),
  },
  cost_usd: { type: 'double', about: 'What the platform charged.', of: ({ costUsd }) => costUsd ?? undefined },
  turns: { type: 'double', about: 'Spoken turns.', of: ({ callerTurns, agentTurns }) => callerTurns + agentTurns },
  caller_turns: { type: 'double', about: 'Turns of the caller.', of: ({ callerTurns }) => callerTurns },
  agent_turns: { type: 'double', about: 'Turns of the agent.', of: ({ agentTurns }) => agentTurns },
  response_s: {
    type: 'double',
    about: 'Median wait for an answer in seconds.',
    of: ({ responseMedianMs }) => seconds(responseMedianMs),
  },
  slow_response_s: {
    type: 'double',
    about: 'Wait of the slowest tenth of answers in seconds.',
    of: ({ responseSlowMs }) => seconds(responseSlowMs),
  },
  tool_results: { type: 'double', about: 'Results of tools.', of: ({ toolResults }) => toolResults ?? undefined },
  tool_failures: { type: 'double', about: 'Failed results of tools.', of: ({ toolFailures }) => toolFailures },
  frictions: { type: 'double', about: 'Signals of friction.', of: ({ frictions }) => frictions },
  outcome: {
    type: 'string',
    about: 'resolved, unresolved, abandoned, transferred, or no_contact.',
    of: ({ outcome }) => outcome ?? undefined,
  },
  outcome_confidence: {
    type: 'double',
    about: 'How sure the outcome is, 0 to 1.',
    of: ({ outcomeConfidence }) => outcomeConfidence ?? undefined,
  },
  ended_badly: {
    type: 'bool',
    about: 'Whether the caller did not get what they wanted.',
    of: (call) => call.endedBadly,
  },
  caller_spoke: { type: 'bool', about: 'Whether the caller said anything.', of: (call) => call.callerSpoke },
  caller_kind: { type: 'string', about: 'new, repeat, or unknown.', of: ({ callerKind }) => callerKind },
  intent: { type: 'string', about: 'Slug of the intent.', of: ({ intentSlug }) => intentSlug ?? undefined },
  use_case: { type: 'string', about: 'Slug of the use case.', of: ({ useCaseSlug }) => useCaseSlug ?? undefined },
  direction: { type: 'string', about: 'inbound, outbound, or web.', of: ({ direction }) => direction },
  end_reason: { type: 'string', about: "The platform's end reason.", of: (call) => call.disconnectionReason },
  version: { type: 'double', about: 'Version of the agent.', of: ({ version }) => version },
  started_at: {
    type: 'google.protobuf.Timestamp',
    about: 'Start of the call, such as in started_at.getHours("Europe/Berlin").',
    of: ({ startedAt }) => (startedAt === null ? undefined : new Date(startedAt)),
  },
  signals: { type: 'list<string>', about: 'Codes of the signals found on the call.', of: (call) => call.signalCodes },
};

/** Variables with which the call began: the one fact that is not among the columns of a call. */
export const METADATA = 'metadata';
export const METADATA_TYPE: FactType = 'map<string, string>';
