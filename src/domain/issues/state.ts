import type { JsonObject } from '../json.ts';
import type { Place } from '../signals/signal.ts';
import type { Impact, IssueClass, Lane, Section, Severity } from '../vocabulary.ts';
import type { VersionCalls } from './by-version.ts';
import type { FixDocument } from './live.ts';
import type { PriorityParts } from './priority.ts';

/** Everything that the grouping computes about one issue; the row's other columns belong to people and to its identity. */
export interface IssueState {
  issueId: string;
  title: string;
  klass: IssueClass;
  lane: Lane | null;
  severity: Severity;
  confirmed: boolean;
  withdrawn: boolean;
  causeCode: string | null;
  causeLabel: string | null;
  causeDetail: string | null;
  causeEstablished: boolean;
  section: Section;
  sectionNote: string | null;
  target: Place;
  symptoms: { code: string; label: string; count: number }[];
  intentSlug: string | null;
  likelyCause: string | null;
  recommendation: string | null;
  volume: number;
  rate: number;
  failedOutcomeShare: number;
  impact: Impact;
  confidence: number;
  orderKey: number;
  priorityParts: PriorityParts;
  downstreamOfId: string | null;
  firstSeenVersion: number | null;
  lastSeenVersion: number | null;
  firstSeenAt: string | null;
  lastSeenAt: string | null;
  fellOnLive: boolean;
  /** Calls on which the caller spoke; see `byVersion`. */
  callsByVersion: VersionCalls;
  fix: FixDocument;
  /** Of an outcome issue: what it is called now, and how it came about. Its key stays. */
  outcome?: { code: string; countOnly: boolean; diagnosis: JsonObject };
}
