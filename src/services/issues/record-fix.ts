import type { EntityManager } from '../../db/database.ts';
import { publishEvent } from '../../db/events/events.ts';
import { findFixedIn, findRolledBack, type LockedIssue, lockIssue, setStatus } from '../../db/issues/change-issue.ts';
import { orderGraceLook } from '../../db/issues/grace.ts';
import { addHistory } from '../../db/issues/issue-history.ts';
import { changeByPerson, type StatusChange } from '../../domain/issues/status-by-person.ts';
import { newId } from '../../ids.ts';
import { type CoordinatorInput, regroupEntry } from '../../temporal/agent-coordinator.ts';
import { addToOutbox } from '../outbox/add-to-outbox.ts';

export interface Fix {
  issueId: string;
  version: number;
  /** Who published it. */
  personId: string;
  reason: string;
  graceDays: number;
}

export interface WithdrawnFix {
  /** The version that has the fix, and is no longer live. */
  version: number;
  /** The version that was made by taking it back. */
  liveVersion: number;
  personId: string;
  graceDays: number;
}

/**
 * Takes the fixes of a version back, because it was rolled back, in the caller's transaction: its issues are under
 * investigation again, those that count as resolved by it too, and stand where the calls put them.
 */
export async function withdrawFixes(
  tx: EntityManager,
  coordinator: CoordinatorInput,
  { version, liveVersion, personId, graceDays }: WithdrawnFix,
): Promise<void> {
  const { agentId } = coordinator;
  for (const issueId of await findFixedIn(tx, agentId, version)) {
    const issue = await lockIssue(tx, agentId, issueId);
    if (issue.withdrawn || issue.rejected || !issue.isProblem) continue;
    const change = takenBack(issue);
    const reason = `Version ${version}, which had the fix, was rolled back. Version ${liveVersion} is live, without the fix.`;
    await setFix(tx, coordinator, { issue, change, graceDays, trigger: 'rolled_back', personId, reason });
  }
}

/**
 * Takes back the fixes that were rolled back at the platform itself, within a grouping that holds the agent's lock and
 * brings its issues to where the calls put them. @returns how many
 */
export async function withdrawRolledBack(tx: EntityManager, agentId: string): Promise<number> {
  const found = await findRolledBack(tx, agentId);
  for (const { issueId, fixVersion, liveVersion, sameAs, graceDays } of found) {
    const issue = await lockIssue(tx, agentId, issueId);
    await setStatus(tx, issue, takenBack(issue), graceDays);
    const says = liveVersion === sameAs ? 'is live again' : `is live, and says the same as version ${sameAs}`;
    const reason = `Version ${liveVersion} ${says}: version ${fixVersion}, which had the fix, was rolled back at the platform.`;
    const told = { from: issue.status, to: 'investigating', trigger: 'rolled_back', personId: null, reason } as const;
    await addHistory(tx, agentId, [{ issueId, ...told }]);
  }
  return found.length;
}

/** Who goes back to investigating has no fix, and begins anew where it counted as resolved. */
const takenBack = ({ status }: LockedIssue) =>
  ({ status: 'investigating', rejected: false, fixVersion: null, reopens: status === 'resolved' }) as const;

/** Says of an issue that a version has its fix, in the caller's transaction. One that is resolved or gone stays as it is. */
export async function recordFix(tx: EntityManager, coordinator: CoordinatorInput, fix: Fix): Promise<void> {
  const { agentId } = coordinator;
  const { issueId, version, personId, reason, graceDays } = fix;
  const issue = await lockIssue(tx, agentId, issueId);
  const change = changeByPerson(issue, { status: 'fix_deployed', rejected: false, version }, version);
  if (change === null || 'refused' in change) return;
  await setFix(tx, coordinator, { issue, change, graceDays, trigger: 'published', personId, reason });
}

interface FixSet {
  issue: LockedIssue;
  change: StatusChange;
  graceDays: number;
  trigger: string;
  personId: string;
  reason: string;
}

async function setFix(tx: EntityManager, coordinator: CoordinatorInput, set: FixSet): Promise<void> {
  const { agentId, workspaceId } = coordinator;
  const { issue, change, graceDays, ...told } = set;
  await setStatus(tx, issue, change, graceDays);
  await addHistory(tx, agentId, [{ issueId: issue.id, from: issue.status, to: change.status, ...told }]);
  await orderGraceLook(tx, agentId);
  const entry = regroupEntry(coordinator, { messageId: newId(), mode: 'incremental' });
  await addToOutbox(tx, { entry, workspaceId, agentId });
  await publishEvent(tx, { agentId, kind: 'issue.changed', ref: issue.id });
}
