import type { DraftListedResource, DraftResource } from '../../contract/draft.ts';
import type { EntityManager } from '../../db/database.ts';
import { liveWatchTexts, writtenHash } from '../../db/drafts/draft-base.ts';
import { acceptedSuite, keptTests, runsOfTexts, type TextRun } from '../../db/drafts/draft-runs.ts';
import { type DraftRow, type DraftView, findDraft } from '../../db/drafts/drafts.ts';
import type { LiveWatch } from '../../domain/drafts/check.ts';
import { partsOf } from '../../domain/drafts/parts.ts';
import { publishingRefused } from '../../domain/drafts/publishing-terms.ts';
import {
  publishBlockedReason,
  resultsOnText,
  type SuiteGate,
  type SuiteTest,
  suiteGate,
} from '../../domain/drafts/suite-gate.ts';
import type { GateMode, Platform } from '../../domain/vocabulary.ts';
import type { Context } from '../operation.ts';
import { scopeOf } from '../scope-of.ts';

/** Of which agent drafts are read, and how much is asked of their tests. */
export interface DraftReader {
  em: EntityManager;
  agent: { id: string; provider: Platform };
  mode: GateMode;
}

/** Of a key all tests have to have passed; people decide about failures themselves. */
export const surroundedBy = ({ em, agent, caller }: Context): DraftReader => ({
  em,
  agent,
  mode: caller().kind === 'key' ? 'passed' : 'ran',
});

/** What drafts of one agent are held against, read once for all of them. */
export interface DraftSurroundings {
  provider: Platform;
  mode: GateMode;
  suite: readonly SuiteTest[];
  /** Tests that the drafts bring, in the suite or not. */
  newCases: readonly SuiteTest[];
  watches: readonly LiveWatch[];
  runs: ReadonlyMap<string, readonly TextRun[]>;
}

export async function readSurroundings(
  { em, agent, mode }: DraftReader,
  drafts: readonly DraftRow[],
): Promise<DraftSurroundings> {
  return {
    provider: agent.provider,
    mode,
    suite: await acceptedSuite(em, agent.id),
    newCases: await keptTests(em, agent.id, [...new Set(drafts.flatMap(({ newCaseIds }) => newCaseIds))]),
    watches: await liveWatchTexts(em, agent.id),
    runs: await runsOfTexts(
      em,
      drafts.map(({ id }) => id),
    ),
  };
}

/** Whether a draft may be published as it stands, and on what that is decided. */
export function judgeDraft(
  row: DraftRow,
  around: DraftSurroundings,
): { gate: SuiteGate; suite: SuiteTest[]; stale: boolean; blocked: string | null } {
  const own = around.newCases.filter(
    ({ id }) => row.newCaseIds.includes(id) && !around.suite.some((test) => test.id === id),
  );
  const suite = [...around.suite, ...own];
  const gate = suiteGate(around.mode, suite, around.runs.get(row.id) ?? []);
  const stale = isStale(row);
  const hasChanges = row.changedPaths.length > 0;
  const unsupported = publishingRefused(around.provider, { kind: row.baseKind ?? undefined }, row.changedPaths);
  const blocked = publishBlockedReason({ status: row.status, stale, hasChanges, gate, unsupported });
  return { gate, suite, stale, blocked };
}

/** What was published or given up is compared with nothing any more. */
function isStale({ status, liveHash, baseHash }: DraftRow): boolean {
  if (status === 'published' || status === 'discarded') return false;
  return liveHash === null || writtenHash(liveHash) !== baseHash;
}

export function presentListed(row: DraftRow, around: DraftSurroundings): DraftListedResource {
  const { gate, suite, stale, blocked } = judgeDraft(row, around);
  const runs = around.runs.get(row.id) ?? [];
  return {
    object: 'draft',
    id: row.id,
    agentId: row.agentId,
    title: row.title,
    rationale: row.rationale,
    status: row.status,
    baseVersion: row.baseVersion,
    baseHash: row.baseHash,
    draftHash: row.draftHash,
    revision: row.revision,
    stale,
    canPublish: blocked === null,
    publishBlockedReason: blocked,
    newCaseIds: row.newCaseIds,
    suiteGate: gate,
    changedParts: row.changedPaths.length,
    runs: runs.map(presentRunOfText),
    evidence: {
      issue: row.issue,
      comparison: row.comparison,
      tests: resultsOnText(suite, runs).map(({ id, title, result }) => ({ testId: id, title, result })),
    },
    publishedVersion: row.publishedVersion,
    publishedAt: row.publishedAt,
    rolledBackVersion: row.rolledBackVersion,
    rolledBackAt: row.rolledBackAt,
    publishFailure: row.publishFailure,
    createdBy: row.createdBy,
    createdAt: row.createdAt,
    updatedAt: row.updatedAt,
  };
}

function presentRunOfText({ runId, status, trigger, cells, createdAt }: TextRun): DraftResource['runs'][number] {
  const passed = cells.filter(({ result }) => result === 'passed').length;
  return { id: runId, status, trigger, passed, cells: cells.length, createdAt };
}

export async function presentDraft(context: Context, row: DraftView): Promise<DraftResource> {
  const around = await readSurroundings(surroundedBy(context), [row]);
  const { diff, quickChecks } = await context.services.drafts.read(row, around.watches);
  const target = partsOf(row.base).find(({ path }) => path === row.targetPath);
  return {
    ...presentListed(row, around),
    target: target ? { path: target.path, label: target.label } : null,
    changes: row.changes.map(({ path, find, replace, text }) => ({
      path,
      find: find ?? null,
      replace: replace ?? null,
      text: text ?? null,
    })),
    diff: diff.map(({ path, kind, label, before, after, lines }) => ({ path, kind, label, before, after, lines })),
    quickChecks,
  };
}

/** The draft as it is now. */
export async function presentNow(context: Context, draftId: string): Promise<DraftResource> {
  const row = await findDraft(context.em, scopeOf(context.agent), draftId);
  if (!row) throw new Error('A draft that was just written is not there.');
  return presentDraft(context, row);
}
