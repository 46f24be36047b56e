import type { Json } from '../json.ts';
import type { IssueClass, Lane, Severity } from '../vocabulary.ts';
import type { DetectorInput } from './detector-input.ts';
import type { CallReading } from './reading.ts';
import type { Cause, Detection, NotComputable, Place } from './signal.ts';

/** Data that a detector needs; named as `coverage` shows them. */
export type DataNeed =
  /** Of both sides. */
  | 'words_of_the_talk'
  | 'words_of_the_agent'
  | 'words_of_the_caller'
  /** Of both sides. */
  | 'turn_times'
  | 'times_of_the_agent'
  | 'word_times'
  | 'tool_results'
  | 'tool_times'
  | 'flow_nodes'
  | 'prompt'
  | 'tool_schemas'
  | 'platform_latency'
  | 'end_reason'
  | 'caller_history'
  | 'spoken_channel'
  | 'start_variables'
  | 'cost'
  | 'recording'
  | 'reader';

/** One row of the cause table of a code: which facts must be present for the cause to be established on a call. */
export interface CauseRow {
  code: string;
  label: string;
  category: string;
  party: Cause['party'];
  /** True when the fix belongs to whoever runs the failing service, not to the agent. */
  outside: boolean;
  /** One sentence of what to change, with `{place}` for the label of the issue's place and `{target}` for what to change. */
  recommendation: string;
  /**
   * Where the cause lies, which is what has to change: left out where that is the place of the signal. `variant` is
   * empty where the evidence named none.
   */
  target?(variant: string): CauseTarget;
  /** For rows with variants: the label of one of them; left out where all are called the same. */
  labelOf?(variant: string): string;
  /**
   * @param reading null where a code is renewed without its talk; then only facts count.
   * @returns what shows that all evidence is present, else null.
   */
  evidence(facts: Record<string, Json>, detection: Detection, reading: CallReading | null): string | Evidence | null;
}

/** What shows a cause, where one row stands for several: which tool it was, or what the tool said. */
export interface Evidence {
  detail: string;
  /** Part of the cause's code, so calls of different variants are different problems. Never a number or a name of one call. */
  variant: string;
}

/** The label is null where other signals know what the place is called. */
export type CauseTarget = Omit<Place, 'label'> & { label: string | null };

export interface CatalogueEntry {
  code: string;
  title: string;
  /** What kind of fault it is, by which issues are filtered; `behaviour` is the caller's own and needs no cause. */
  klass: IssueClass;
  /** Who of the customer's people looks into it; null where that depends on the call. */
  lane: Lane | null;
  severity: Severity;
  /** Defaults; a duration or an amount has its unit in the name (`longestMs`), a count has none. An agent may set others. */
  thresholds: Record<string, number>;
  needs: readonly DataNeed[];
  /**
   * True where it takes understanding of words: on a call that a reader has read, such a signal of the rules counts only
   * where the reader found it too. False for what the record shows without a word, which stands on every call.
   */
  meaning: boolean;
  /** What the code is not, for the reader. */
  isNot: string;
  /** A checked fact: confirmed at three calls. */
  fact: boolean;
  /** It is itself the bad ending, or known only once the call is over: never a cause of how it ended. */
  ending: boolean;
  /** Share of reached, computable calls below which the code is noise; facts have 0. */
  noiseFloor: number;
  section: 'fix' | 'improve';
  /** The board metric that an `improve` must move; null for `fix`. */
  metric: string | null;
  /** True when the code is its own cause (`placeholder_spoken`). */
  selfCause: boolean;
  /** What such a cause is called, as the title alone only says what happened. */
  selfLabel?: string | undefined;
  causes: readonly CauseRow[];
  /** True for what is only worth noting (a business said no): kept as an observation, never a signal, so never an issue. */
  observation?: boolean;
  /**
   * True where rules were wrong too often on calls of businesses that they were not made on: what they find is a candidate,
   * and only a reader's finding or a person's is a signal.
   */
  suspected?: boolean;
  /** What to look at when no cause is established; never a change. `{place}` is the place's label. */
  check: string;
}

export interface Detector {
  entry: CatalogueEntry;
  /** Pure: the same call, configuration and thresholds give the same answer. */
  detect(reading: CallReading, input: DetectorInput, thresholds: Record<string, number>): Detection[] | NotComputable;
}
