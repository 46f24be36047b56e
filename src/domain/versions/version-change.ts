import type { Place } from '../signals/signal.ts';
import type { ChangeKind } from './changes.ts';

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
