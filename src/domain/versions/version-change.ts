import type { Place } from '../signals/signal.ts';

/** One difference between two captured configurations, at the smallest part that a person changes. */
export interface VersionChange {
  kind: ChangeKind;
  /** The same place that issues name, so that the two can be laid side by side. */
  place: Place;
  /** What changed, in words. */
  detail: string;
  before: string | null;
  after: string | null;
}

export type Part = (typeof PARTS)[number];

type Verb = (typeof VERBS)[number];

export type ChangeKind = `${Part}_${Verb}` | 'model_changed' | 'voice_changed' | 'setting_changed';

const PARTS = ['node', 'edge', 'tool', 'prompt', 'knowledge', 'variable'] as const;

const VERBS = ['added', 'removed', 'changed'] as const;

export const CHANGE_KINDS: readonly ChangeKind[] = [
  ...PARTS.flatMap((part) => VERBS.map((verb): ChangeKind => `${part}_${verb}`)),
  'model_changed',
  'voice_changed',
  'setting_changed',
];
