import type { EntityManager } from '../../db/database.ts';
import { publishEvent } from '../../db/events/events.ts';
import { lockIssue, setStatus } from '../../db/issues/change-issue.ts';
import { orderGraceLook } from '../../db/issues/grace.ts';
import { addHistory } from '../../db/issues/issue-history.ts';
import { changeByPerson } from '../../domain/issues/status-by-person.ts';
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

/** Says of an issue that a version has its fix, in the caller's transaction. One that is resolved or gone stays as it is. */
export async function recordFix(tx: EntityManager, coordinator: CoordinatorInput, fix: Fix): Promise<void> {
  const { agentId, workspaceId } = coordinator;
  const { issueId, version, personId, reason, graceDays } = fix;
  const issue = await lockIssue(tx, agentId, issueId);
  const change = changeByPerson(issue, { status: 'fix_deployed', rejected: false, version }, version);
  if (change === null || 'refused' in change) return;
  await setStatus(tx, issue, change, graceDays);
  const told = { trigger: 'published', from: issue.status, to: change.status, personId, reason };
  await addHistory(tx, agentId, [{ issueId, ...told }]);
  await orderGraceLook(tx, agentId);
  const entry = regroupEntry(coordinator, { messageId: newId(), mode: 'incremental' });
  await addToOutbox(tx, { entry, workspaceId, agentId });
  await publishEvent(tx, { agentId, kind: 'issue.changed', ref: issueId });
}
