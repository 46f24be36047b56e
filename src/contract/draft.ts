import { z } from 'zod';
import { QUICK_CHECKS } from '../domain/drafts/check.ts';
import { DRAFT_PART_KINDS } from '../domain/drafts/parts.ts';
import {
  CELL_RESULTS,
  DRAFT_STATUSES,
  GATE_MODES,
  GATE_REASONS,
  RUN_STATUSES,
  RUN_TRIGGERS,
} from '../domain/vocabulary.ts';
import { timestamp, uuid } from './common.ts';
import { plainText, prose } from './text.ts';

const hash = z.string().regex(/^sha256:[0-9a-f]{64}$/);
const path = z
  .string()
  .min(1)
  .max(1000)
  .describe('A JSON pointer with ids in the place of positions, such as `/prompt` or `/nodes/<id>/text`.');
const line = z.strictObject({ line: z.int().min(1), text: z.string() });

const shownChange = z.strictObject({
  path: z.string(),
  find: z.string().nullable(),
  replace: z.string().nullable(),
  text: z.string().nullable().describe('The whole text, where it was given whole.'),
});

const partDiff = z.strictObject({
  path: z.string(),
  kind: z.enum(DRAFT_PART_KINDS),
  label: z.string(),
  before: z.string(),
  after: z.string(),
  lines: z
    .array(z.strictObject({ before: line.nullable(), after: line.nullable() }))
    .describe('Lines that went, came or were rewritten; none where only blanks differ.'),
});

const quickCheck = z.strictObject({
  check: z.enum(QUICK_CHECKS),
  label: z.string(),
  ok: z.boolean(),
  findings: z.array(
    z.strictObject({ path: z.string().nullable(), line: z.int().min(1).nullable(), message: z.string() }),
  ),
});

const suiteGate = z
  .strictObject({
    mode: z.enum(GATE_MODES).describe('`ran` for people; `passed` for keys: every test has to have passed.'),
    ok: z.boolean(),
    reason: z.enum(GATE_REASONS).nullable(),
    detail: z.string().nullable(),
    batchId: uuid.nullable().describe('The newest run of exactly this text.'),
  })
  .meta({ id: 'SuiteGate', description: 'Whether the whole accepted suite ran on exactly this text.' });

const runOfText = z.strictObject({
  id: uuid,
  status: z.enum(RUN_STATUSES),
  trigger: z.enum(RUN_TRIGGERS).nullable(),
  passed: z.int().min(0),
  cells: z.int().min(0),
  createdAt: timestamp,
});

const issueName = z
  .strictObject({ id: uuid, key: z.string(), title: z.string() })
  .meta({ id: 'IssueName', description: 'An issue, with its lasting name.' });

const evidence = z.strictObject({
  issue: issueName.nullable(),
  comparison: z.strictObject({ id: uuid, fromVersion: z.int(), toVersion: z.int() }).nullable(),
  tests: z
    .array(z.strictObject({ testId: uuid, title: z.string(), result: z.enum(CELL_RESULTS).nullable() }))
    .describe('The suite and the new cases, each with its newest result on exactly this text.'),
});

export const draftListed = z
  .strictObject({
    object: z.literal('draft'),
    id: uuid,
    agentId: uuid,
    title: z.string(),
    rationale: z.string(),
    status: z.enum(DRAFT_STATUSES),
    baseVersion: z.int(),
    baseHash: hash,
    draftHash: hash.describe('Of the texts over their base; a publish must confirm it.'),
    revision: z.int().min(1).describe('Bumped by every change to the text; a publish must confirm it.'),
    stale: z.boolean().describe('True when the draft is based on a version that is no longer live.'),
    canPublish: z.boolean(),
    publishBlockedReason: z.string().nullable(),
    newCaseIds: z.array(uuid),
    suiteGate,
    changedParts: z.int().min(0).describe('How many parts of the text it changes.'),
    runs: z.array(runOfText).describe('Runs of exactly this text, newest first.'),
    evidence,
    publishedVersion: z.int().nullable(),
    publishedAt: timestamp.nullable(),
    rolledBackVersion: z
      .int()
      .nullable()
      .describe('The version that restored the earlier text, where the draft was rolled back.'),
    rolledBackAt: timestamp.nullable(),
    publishFailure: z.string().nullable().describe('Why the last publish of it came to nothing.'),
    createdBy: z.string(),
    createdAt: timestamp,
    updatedAt: timestamp,
  })
  .meta({ id: 'DraftListed', description: 'A draft without its texts, as lists show it.' });
export type DraftListedResource = z.infer<typeof draftListed>;

export const draft = draftListed
  .extend({
    target: z
      .strictObject({ path: z.string(), label: z.string() })
      .nullable()
      .describe('The part to change, of a draft that began from an issue.'),
    changes: z.array(shownChange).describe('As they were laid one over the other.'),
    diff: z.array(partDiff),
    quickChecks: z.array(quickCheck),
  })
  .meta({ id: 'Draft', description: "A change of an agent's text that is tested before it is published." });
export type DraftResource = z.infer<typeof draft>;

const LONGEST_TEXT = 100_000;
const title = plainText(1, 200);
const rationale = prose(0, 10_000);
const newCaseIds = z.array(uuid).max(200);

/** Flat, because a model's tools have flat arguments: which fields belong together is checked beside it. */
const change = z
  .strictObject({
    path,
    text: prose(0, LONGEST_TEXT).optional().describe('The whole new text.'),
    find: z.string().min(1).max(LONGEST_TEXT).optional().describe('Words that stand there exactly once.'),
    replace: prose(0, LONGEST_TEXT).optional().describe('What stands in their place.'),
  })
  .refine(
    ({ text, find, replace }) =>
      (text !== undefined && find === undefined && replace === undefined) ||
      (text === undefined && find !== undefined && replace !== undefined),
    'must have either text, or find and replace',
  );
export type GivenChange = z.infer<typeof change>;

const changes = z.array(change).max(100);

export const newDraft = z.strictObject({
  title: title.optional().describe('Left out: as what it begins with says.'),
  rationale: rationale.optional(),
  changes: changes.optional(),
  newCaseIds: newCaseIds.optional().describe('Left out: the tests that what it begins with touches.'),
  issueId: uuid.optional().describe('Opens the thing to change, with the recommendation as the rationale.'),
  comparisonId: uuid.optional(),
});

export const draftChange = z.strictObject({
  title: title.optional(),
  rationale: rationale.optional(),
  changes: changes.optional().describe('Further changes, applied to the current text.'),
  newCaseIds: newCaseIds.optional(),
  revision: z.int().min(1).optional().describe('Refused with 409 where another one is in force by now.'),
});

export const publishConfirmation = z.strictObject({
  draftHash: hash.describe('Of the text that was looked at.'),
  revision: z.int().min(1),
});

export const agentText = z
  .strictObject({
    object: z.literal('agent_text'),
    version: z.int().nullable().describe('Null where the live version was never captured: it has no parts then.'),
    hash: hash.nullable(),
    parts: z.array(
      z.strictObject({ path: z.string(), kind: z.enum(DRAFT_PART_KINDS), label: z.string(), text: z.string() }),
    ),
  })
  .meta({ id: 'AgentText', description: 'The texts of the live version that a draft can change, by their paths.' });
