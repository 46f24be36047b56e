import type { IssueAtWork, IssueChange } from '../../contract/issue-lifecycle.ts';
import { publishEvents } from '../../db/events/events.ts';
import {
  beginSnooze,
  endSnooze,
  type LockedIssue,
  lockIssue,
  setOwner,
  setStatus,
} from '../../db/issues/change-issue.ts';
import { orderGraceLook } from '../../db/issues/grace.ts';
import { addHistory } from '../../db/issues/issue-history.ts';
import { findIssue } from '../../db/issues/read-issues.ts';
import { readCare, readResolution } from '../../db/issues/read-lifecycle.ts';
import { findMemberOrInvited, type WorkspaceMember } from '../../db/system/members.ts';
import { findMembership } from '../../db/system/people.ts';
import { announceOfIssue } from '../../db/webhooks/issue-deliveries.ts';
import { changeByPerson, type StatusChange } from '../../domain/issues/status-by-person.ts';
import type { IssueStatus, WorkspaceEventKind } from '../../domain/vocabulary.ts';
import { dayInWords } from '../../domain/words.ts';
import { newId } from '../../ids.ts';
import { coordinatorOf } from '../../services/agents/coordinator-input.ts';
import { addToOutbox } from '../../services/outbox/add-to-outbox.ts';
import { regroupEntry } from '../../temporal/agent-coordinator.ts';
import { Failure } from '../failure.ts';
import type { Context } from '../operation.ts';
import { ParamProblem, readNamed, readTime } from '../params.ts';
import { scopeOf } from '../scope-of.ts';
import { issueParent } from './parent.ts';
import { presentIssueAtWork } from './present-lifecycle.ts';

const YEAR_MS = 366 * 86_400_000;

/** What a person changes about an issue, with who and why in its history, in the request's transaction. */
export async function applyChange(context: Context, change: IssueChange): Promise<IssueAtWork> {
  checkChange(change);
  const { em, agent } = context;
  const { id } = context.parent(issueParent);
  const { personId } = context.person();
  const issue = await lockIssue(em, agent.id, id);
  const statusChange = change.status === undefined ? null : decideStatus(context, issue, change);
  const acts: Act[] = [];
  if (statusChange) acts.push(await applyStatus(context, issue, statusChange, change.reason ?? null));
  const to = statusChange?.status ?? issue.status;
  if (change.ownerId !== undefined) acts.push(...(await applyOwner(context, issue, change.ownerId)));
  if (change.snoozedUntil !== undefined) acts.push(...(await applySnooze(context, issue, change.snoozedUntil)));
  if (acts.length > 0) {
    const entries = acts.map((act) => ({
      issueId: id,
      from: act.from ?? to,
      to,
      trigger: act.trigger,
      personId,
      reason: act.reason,
    }));
    await addHistory(em, agent.id, entries);
    await orderGraceLook(em, agent.id);
    await publishEvents(
      em,
      agent.id,
      [...new Set(acts.map(({ event }) => event))].map((kind) => ({ kind, ref: id })),
    );
  }
  const changed = await findIssue(em, scopeOf(agent), id);
  if (!changed) throw new Error('An issue that was just changed is not there.');
  return presentIssueAtWork(changed, agent, await readCare(em, changed), await readResolution(em, changed));
}

interface Act {
  trigger: string;
  /** Where it was the status that changed: what it was. */
  from: IssueStatus | null;
  reason: string | null;
  event: WorkspaceEventKind;
}

function checkChange(change: IssueChange): void {
  if (Object.keys(change).length === 0) throw new Failure('invalid_body', 'Name at least one thing to change.');
  const { status, version, rejected } = change;
  if (version !== undefined && status !== 'fix_deployed') {
    throw new Failure('invalid_parameter', 'version goes with the status fix_deployed only.', { param: 'version' });
  }
  if (rejected === true && status !== 'resolved') {
    throw new Failure('invalid_parameter', 'rejected goes with the status resolved only.', { param: 'rejected' });
  }
  const only = Object.keys(change).every((name) => name === 'reason' || name === 'rejected');
  if (only) throw new Failure('invalid_body', 'reason and rejected say more about a change; name the change too.');
}

function decideStatus(context: Context, issue: LockedIssue, change: IssueChange): StatusChange | null {
  const { status, rejected = false, version = null } = change;
  if (status === undefined) return null;
  const decided = changeByPerson(issue, { status, rejected, version }, context.agent.currentVersion);
  if (decided !== null && 'refused' in decided) {
    throw new Failure('issue_status_refused', decided.refused, { param: 'status' });
  }
  return decided;
}

/** A resolved issue leads nothing and stands on no board, so the agent is grouped again. */
async function applyStatus(
  context: Context,
  issue: LockedIssue,
  change: StatusChange,
  reason: string | null,
): Promise<Act> {
  const { em, agent, services } = context;
  await setStatus(em, issue, change, agent.graceDays);
  const { id: agentId, workspaceId, name, provider } = agent;
  const coordinator = coordinatorOf({ agentId, workspaceId, name, provider }, services.polling);
  await addToOutbox(em, {
    entry: regroupEntry(coordinator, { messageId: newId(), mode: 'incremental' }),
    workspaceId,
    agentId,
  });
  const fix = change.status === 'fix_deployed' ? `Fixed in version ${change.fixVersion}.` : null;
  const said = [change.rejected ? 'Rejected: no real problem.' : fix, reason].filter((part) => part !== null);
  return {
    trigger: change.rejected ? 'rejected' : 'person',
    from: issue.status,
    reason: said.length === 0 ? null : said.join(' '),
    event: change.status === 'resolved' && issue.status !== 'resolved' ? 'issue.resolved' : 'issue.changed',
  };
}

async function applyOwner(context: Context, issue: LockedIssue, ownerId: string | null): Promise<Act[]> {
  if (ownerId?.toLowerCase() === issue.ownerId?.toLowerCase()) return [];
  const { em } = context;
  const { workspaceId } = context.person();
  const member = ownerId === null ? null : await findMemberOrInvited(em, workspaceId, ownerId);
  if (ownerId !== null && (!member || member.invitedUntil !== null)) {
    throw new Failure('member_not_found', 'No member of this workspace has this id.', { param: 'ownerId' });
  }
  await setOwner(em, issue.id, ownerId);
  if (member) await tellOwner(context, issue, member);
  const reason = member ? `${member.name} looks after it.` : 'Nobody looks after it any more.';
  return [{ trigger: 'owner', from: null, reason, event: 'issue.changed' }];
}

/** Who takes an issue on by themselves need not be told. */
async function tellOwner(context: Context, issue: LockedIssue, { personId, name }: WorkspaceMember): Promise<void> {
  const own = context.person();
  const others = [personId].filter((id) => id !== own.personId);
  const by = await findMembership(context.em, own);
  await announceOfIssue(context.em, context.agent.id, issue.id, {
    event: 'issue.assigned',
    eventKey: `issue:${issue.id}/${context.requestId}`,
    more: { ownerId: personId, ownerName: name, personName: by?.name ?? '' },
    personIds: others,
  });
}

async function applySnooze(context: Context, issue: LockedIssue, until: string | null): Promise<Act[]> {
  const { em } = context;
  if (until === null) {
    if (!issue.snoozed) return [];
    await endSnooze(em, issue.id);
    return [{ trigger: 'snooze_ended', from: null, reason: 'Ended by a person.', event: 'issue.changed' }];
  }
  const time = until === 'growth' ? null : readNamed('snoozedUntil', () => readUntil(context, until), ', or be growth');
  await beginSnooze(em, issue, { until: time, personId: context.person().personId });
  const reason =
    time === null
      ? 'Until it grows or comes back.'
      : `Until ${dayInWords(new Date(time))}, or until it grows or comes back.`;
  return [{ trigger: 'snoozed', from: null, reason, event: 'issue.changed' }];
}

function readUntil(context: Context, text: string): string {
  const until = readTime(text);
  const aheadMs = Date.parse(until) - context.services.now().getTime();
  if (aheadMs <= 0) throw new ParamProblem('must lie in the future');
  if (aheadMs > YEAR_MS) throw new ParamProblem('must lie at most a year ahead');
  return until;
}
