import { approval, decisionReason, run } from '../../contract/run.ts';
import { publishEvent } from '../../db/events/events.ts';
import { type Decision, decideRun } from '../../db/runs/decide-runs.ts';
import { findRun, type RunView } from '../../db/runs/runs.ts';
import { APPROVES_FROM } from '../../domain/access/roles.ts';
import { newId } from '../../ids.ts';
import { addToOutbox } from '../../services/outbox/add-to-outbox.ts';
import { decideEntry } from '../../temporal/run-tests.ts';
import { Failure } from '../failure.ts';
import { type Context, defineOperation } from '../operation.ts';
import { scopeOf } from '../scope-of.ts';
import { runParent } from './parent.ts';
import { presentRun } from './present.ts';

const path = (act: string) => `/app/agents/{agentId}/runs/{runId}/${act}`;
const common = {
  surface: 'app',
  method: 'POST',
  scope: 'person',
  tag: 'Runs',
  refuses: ['run_decided'],
} as const;

export const approveRun = defineOperation({
  ...common,
  id: 'approveRun',
  path: path('approve'),
  // It spends past what admins set.
  role: APPROVES_FROM,
  summary: 'Approve an automatic run that is over its budget',
  description:
    'By approvers and admins only. `all` plays every cell although the budget does not cover them; `covered` plays what it covers. The first decision stands: whoever comes second gets 409 run_decided. It goes on as soon as Temporal has the message.',
  parents: [runParent],
  body: approval,
  response: run,
  async run(context, { body }) {
    const mode = body?.mode ?? 'all';
    const which = mode === 'all' ? 'to play all of it over the budget' : 'to play what the budget covers';
    return decide(context, {
      decision: 'approved',
      reason: null,
      mode,
      message: `Approved ${which}; it goes on as soon as Temporal has the message.`,
    });
  },
});

export const refuseRun = defineOperation({
  ...common,
  id: 'refuseRun',
  path: path('refuse'),
  summary: 'Refuse an automatic run that is over its budget',
  description: 'Nothing of it is played. The first decision stands: whoever comes second gets 409 run_decided.',
  parents: [runParent],
  body: decisionReason,
  response: run,
  async run(context, { body }) {
    return end(context, 'refused', body?.reason);
  },
});

export const cancelRun = defineOperation({
  ...common,
  id: 'cancelRun',
  path: path('cancel'),
  summary: 'Cancel a run',
  description:
    'Cells that have their result keep it, the others are not run, and what they would have cost is given back. A run that is over, or was refused or cancelled before, answers 409 run_decided.',
  parents: [runParent],
  body: decisionReason,
  response: run,
  async run(context, { body }) {
    return end(context, 'cancelled', body?.reason);
  },
});

function end(context: Context, decision: 'refused' | 'cancelled', given: string | undefined) {
  const reason = given?.trim() ?? null;
  const because = reason === null ? '' : `: ${reason.replace(/[.!]$/, '')}`;
  const ended = decision === 'refused' ? 'Refused' : 'Cancelled';
  const message = `${ended} by a person${because}; it ends once Temporal has received the message.`;
  return decide(context, { decision, reason, mode: null, message });
}

/** Settles who is first on the run's row, with the audit entry and the message to the workflow in one transaction. */
async function decide(context: Context, made: Omit<Decision, 'personId'>) {
  const { em, agent } = context;
  const row = context.parent(runParent);
  const decided = await decideRun(em, row.id, { ...made, personId: context.person().personId });
  if (!decided) throw await tooLate(context, row);
  const retry = row.retries;
  const entry = decideEntry({ runId: row.id, retry }, { decisionId: newId(), decision: made.decision });
  await addToOutbox(em, { entry, workspaceId: agent.workspaceId, agentId: agent.id });
  await publishEvent(em, { agentId: agent.id, kind: 'run.changed', ref: row.id });
  const now = await findRun(em, scopeOf(agent), row.id);
  return presentRun(now ?? row);
}

async function tooLate({ em, agent }: Context, row: RunView): Promise<Failure> {
  const now = (await findRun(em, scopeOf(agent), row.id)) ?? row;
  const words = now.decision
    ? `Somebody decided this run before: it was ${now.decision}.`
    : now.finishedAt !== null
      ? `This run is over (${now.status}).`
      : `This run waits for no decision (${now.status}).`;
  return new Failure('run_decided', words);
}
