import type { AgentConfiguration } from '../versions/configuration.ts';
import type { WatchForm } from '../watches/watch.ts';
import type { PartDiff } from './diff.ts';

export const QUICK_CHECKS = [
  'variables_exist',
  'tools_exist',
  'steps_lead_on',
  'watches_hold',
  'rules_agree',
  'length_fits',
  'required_words_stay',
] as const;
export type QuickCheckCode = (typeof QUICK_CHECKS)[number];

export interface QuickFinding {
  /** The part where it shows; null where something is gone. */
  path: string | null;
  /** Counted from 1 in the part's text; null where it is about no one line. */
  line: number | null;
  message: string;
}

export interface QuickCheck {
  check: QuickCheckCode;
  label: string;
  ok: boolean;
  findings: QuickFinding[];
}

/** A watch that is live, as far as a text can break it. */
export interface LiveWatch {
  name: string;
  form: WatchForm;
  /** The line of the agent's text that it was read from; null for one that a person wrote. */
  sourceText: string | null;
}

/** What is checked: a draft over its base, with all that both are held against. */
export interface DraftUnderCheck {
  base: AgentConfiguration;
  draft: AgentConfiguration;
  diff: readonly PartDiff[];
  watches: readonly LiveWatch[];
}
