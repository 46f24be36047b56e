import { z } from 'zod';
import {
  FIX_STATES,
  IMPACTS,
  ISSUE_CLASSES,
  ISSUE_SOURCES,
  ISSUE_STATUSES,
  LANES,
  SECTIONS,
} from '../domain/vocabulary.ts';
import { count, location, share, timestamp, uuid } from './common.ts';

const cause = z
  .strictObject({
    code: z.string().nullable().describe('Null for outcome issues.'),
    label: z.string(),
    detail: z.string().nullable(),
  })
  .meta({ id: 'IssueCause', description: 'A hypothesis until a change proves it.' });

const target = z
  .strictObject({ kind: z.string(), id: z.string(), label: z.string() })
  .meta({ id: 'IssueTarget', description: 'The thing to change; issues are grouped on it.' });

const fix = z
  .strictObject({
    state: z.enum(FIX_STATES),
    version: z.int().nullable(),
    liveDays: z.number().min(0),
    graceDays: z.int().min(1).max(90),
    text: z.string(),
  })
  .meta({ id: 'IssueFix' });

const byVersion = z.strictObject({ version: z.int(), calls: count, total: count, rate: share }).meta({
  id: 'IssueByVersion',
  description: 'Linked calls on which the caller spoke, of all such calls of the version.',
});

const issueFields = {
  object: z.literal('issue'),
  id: uuid,
  key: z.string().describe('Stable: the same problem at the same place keeps its key when calls are analysed again.'),
  code: z.string().describe('A code of the catalogue, or `outcome.<lane>`.'),
  title: z.string(),
  klass: z.enum(ISSUE_CLASSES),
  lane: z.enum(LANES).nullable(),
  status: z.enum(ISSUE_STATUSES),
  source: z.enum(ISSUE_SOURCES),
  countOnly: z.boolean().describe('True for a count of calls that ended badly at one step with no cause established.'),
  location,
  cause: cause.nullable(),
  causeEstablished: z.boolean(),
  causeSummary: z.string(),
  section: z.enum(SECTIONS),
  sectionNote: z.string().nullable(),
  target,
  symptoms: z.array(z.strictObject({ code: z.string(), label: z.string(), count })),
  intentSlug: z.string().nullable().describe('Set when the issue is specific to one intent.'),
  likelyCause: z.string().nullable(),
  recommendation: z.string().nullable(),
  volume: count.describe('Calls affected.'),
  rate: share.describe('Share of all analysed calls affected.'),
  failedOutcomeShare: share.describe('Share of affected calls that ended badly.'),
  impact: z.enum(IMPACTS),
  confidence: share.describe('Not a probability; for comparing issues.'),
  priorityScore: z.number().min(0).describe("The board's rank; higher first."),
  downstreamOf: z.string().nullable().describe('Key of the issue that this one follows from.'),
  consequences: z.array(z.strictObject({ id: uuid, key: z.string(), title: z.string(), volume: count })),
  firstSeenVersion: z.int().nullable(),
  lastSeenVersion: z.int().nullable(),
  fellOnLive: z.boolean().describe('True when the live version fixed it.'),
  diagnosis: z.record(z.string(), z.json()).nullable(),
  createdAt: timestamp,
  updatedAt: timestamp,
  evidenceCalls: count.describe('Calls linked as evidence.'),
  byVersion: z.array(byVersion).describe('Newest first.'),
  graceDays: z.int().min(1).max(90),
  fix,
};

const issueExample = {
  object: 'issue',
  id: '019d2b01-7a00-7e10-a1c2-0d4e5f607182',
  key: 'iss_8f2c61d0',
  code: 'tool_failed',
  title: 'A tool failed: find_slots',
  klass: 'technical',
  lane: 'integrations',
  status: 'discovered',
  source: 'detector',
  countOnly: false,
  location: { kind: 'tool', id: 'find_slots', label: 'find_slots' },
  cause: { code: 'service_unavailable', label: 'The service behind the tool was down', detail: 'It answered 503.' },
  causeEstablished: true,
  causeSummary: 'The service behind the tool was down',
  section: 'fix',
  sectionNote: 'The fix belongs to whoever runs the failing service; the agent can at most soften it for callers.',
  target: { kind: 'tool', id: 'find_slots', label: 'find_slots' },
  symptoms: [{ code: 'tool_failed', label: 'A tool failed', count: 31 }],
  intentSlug: null,
  likelyCause: 'The service behind the tool was down.',
  recommendation: 'Have find_slots retried once, and let the agent offer a call back when it stays down.',
  volume: 31,
  rate: 0.0382,
  failedOutcomeShare: 0.71,
  impact: 'medium',
  confidence: 0.91,
  priorityScore: 41.3,
  downstreamOf: null,
  consequences: [],
  firstSeenVersion: 2,
  lastSeenVersion: 4,
  fellOnLive: false,
  diagnosis: null,
  createdAt: '2026-02-11T10:00:00.000Z',
  updatedAt: '2026-03-02T09:15:04.120Z',
  evidenceCalls: 31,
  byVersion: [{ version: 4, calls: 12, total: 300, rate: 0.04 }],
  graceDays: 7,
  fix: { state: 'no_change', version: null, liveDays: 0, graceDays: 7, text: 'No fix is recorded for this issue.' },
} as const;

export const issue = z.strictObject(issueFields).meta({ id: 'Issue', examples: [issueExample] });
export type IssueResource = z.infer<typeof issue>;
