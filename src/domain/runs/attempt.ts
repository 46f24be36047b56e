import type { Turn } from '../calls/call.ts';
import type { TestSpec } from '../tests/spec.ts';
import type { AttemptResult, Decider, Severity } from '../vocabulary.ts';

/** The persona of a cell that is played by the test's own caller. */
export const OWN_CALLER = '@source';

/** Whether the lines that stand in a test are said in the manner of whoever plays it, for which a model words them. */
export const isWorded = (persona: string, { caller: { script } }: TestSpec): boolean =>
  persona !== OWN_CALLER && script !== null;

/** What scored a result. Results of different epochs are not compared. */
export interface Epoch {
  /** `script` where callers are only scripted. */
  simulatorModel: string;
  /** `none` where no judge is configured. */
  judgeModel: string;
  /** `sha256:<hex>` of what the judge is told, or `none`. */
  judgePromptHash: string;
  scorerVersion: string;
}

/** A simulated call as it was played, before anybody judges it. */
export interface PlayedCall {
  turns: Turn[];
  /** Who ended it; `limit`: the last turn that the test allows; null: it broke off with `trouble`. */
  endedBy: 'agent' | 'caller' | 'transfer' | 'limit' | null;
  /** Steps that were active, in order, ids of the agent's flow; empty for an agent without one. */
  steps: string[];
  /** Tools that answered with the fixed not-available error. */
  noFixture: string[];
  /** Why it could not be played to its end, in words: the platform, the simulator or a tool. */
  trouble: string | null;
}

/** One answer about one criterion: of the judge, or of code. */
export interface CriterionAnswer {
  met: boolean | null;
  /** Turn that shows it, or null. */
  turn: number | null;
  /** An exact part of that turn, or null. */
  quote: string | null;
  because: string;
}

export interface CriterionVerdict {
  criterionId: string;
  text: string;
  required: boolean;
  /** Null: undecided. */
  met: boolean | null;
  /** Why, in a sentence; also why it is undecided. */
  because: string;
  decidedBy: { kind: Decider; model: string | null; answers: CriterionAnswer[] };
  evidenceTurn: number | null;
  quote: string | null;
}

/** A finding of our own detectors on the simulated call. */
export interface Problem {
  code: string;
  title: string;
  severity: Severity;
  detail: string;
}

/** A finding with what shows it. */
export interface Finding extends Problem {
  turnIndex: number;
  /** An exact part of that turn, or empty. */
  quote: string;
}

/** All that our own detectors say about one simulated call. */
export interface Findings {
  found: Finding[];
  /** Codes that showed only where a tool had no fixture: the test's doing. */
  withoutFixture: string[];
  /** Codes that the call can't settle, with why. */
  open: { code: string; reason: string }[];
}

/** Whether the simulated caller kept to its facts and goal. */
export interface CallerDrift {
  drifted: boolean;
  reasons: string[];
  notes: string | null;
}

/** What scoring an attempt brought. Replaced as a whole by a rescore, which keeps the earlier one. */
export interface AttemptScore {
  /** 0: the first; n: of the run's n-th rescore. */
  nth: number;
  epoch: Epoch;
  result: AttemptResult;
  /** One line. */
  reason: string | null;
  verdicts: CriterionVerdict[];
  problems: Problem[];
  /** Null where there is nothing to compare the caller with. */
  callerDrift: CallerDrift | null;
  /** ISO 8601. */
  scoredAt: string;
}
