import { type NewRunRequest, newRun, run } from '../../contract/run.ts';
import { type DraftView, findDraft } from '../../db/drafts/drafts.ts';
import { findRun } from '../../db/runs/runs.ts';
import { Failure } from '../failure.ts';
import { requireApproved } from '../goals/require-approved.ts';
import { type Context, defineOperation } from '../operation.ts';
import { scopeOf } from '../scope-of.ts';
import { choosePersonas, chooseTests } from './choose-tests.ts';
import { openRun } from './open-run.ts';
import { presentRun } from './present.ts';

export const startRun = defineOperation({
  id: 'startRun',
  surface: 'v1',
  method: 'POST',
  path: '/v1/agents/{agentId}/runs',
  scope: 'write',
  tag: 'Runs',
  summary: 'Play tests against a version',
  description:
    "Simulated calls, one a test and persona, against one version of the agent. Name exactly one of testIds, testSetId and all: true. The plan's simulated test calls must cover the whole run (402 quota_exceeded); where a budget covers a part, fewer cells are run and the message says so; where it can't pay one cell, 402 budget_exceeded. Test calls and money that were not used are given back at the end. With goalId it is for that goal, whose plan a person has approved (409 plan_not_approved). Poll the run until its status is complete, refused or failed, then read its result.",
  whenToUse: 'Use it to find out whether a version of the agent does what its tests ask for.',
  body: newRun,
  refuses: [
    'quota_exceeded',
    'budget_exceeded',
    'testing_not_configured',
    'test_not_found',
    'test_set_not_found',
    'persona_not_found',
    'draft_not_found',
    'draft_discarded',
    'goal_not_found',
    'goal_closed',
    'plan_not_approved',
  ],
  status: 201,
  response: run,
  async run(context, { body }) {
    refuseTwoTexts(body);
    const { em, agent, services } = context;
    const { tests, testSetId } = await chooseTests(em, agent, body);
    const personas = await choosePersonas(em, agent.workspaceId, body.personas);
    const draft = await chooseDraft(context, body);
    const goalId = await requireApproved(context, body.goalId ?? null, tests);
    const asked = {
      agent,
      kind: 'run',
      tests,
      testSetId,
      personas,
      version: body.version ?? null,
      draft,
      shadow: body.shadow === true,
      repeats: body.repeats ?? null,
      goalId,
      hasToolAddress: services.isNamed,
      ...askedBy(context),
    } as const;
    return presentMade(context, await openRun(em, asked, services.models));
  },
});

function refuseTwoTexts({ draftId, version }: NewRunRequest): void {
  if (!draftId || typeof version !== 'number') return;
  const message = 'A draft is played in the place of a version: name one of the two.';
  throw new Failure('invalid_parameter', message, { param: 'draftId' });
}

/** The draft that a request names, with its text in force; null: none. */
async function chooseDraft({ em, agent }: Context, { draftId }: NewRunRequest): Promise<DraftView | null> {
  if (!draftId) return null;
  const draft = await findDraft(em, scopeOf(agent), draftId.toLowerCase());
  if (!draft) throw new Failure('draft_not_found', 'There is no draft with this id here.', { param: 'draftId' });
  if (draft.status === 'discarded') throw new Failure('draft_discarded', 'The draft was discarded.');
  return draft;
}

/** Who pays and who is named: a key by its budget, a person by the agent's alone. */
export function askedBy(context: Context) {
  const caller = context.caller();
  return caller.kind === 'key'
    ? ({ trigger: 'ci', createdBy: `key:${caller.keyId}`, apiKeyId: caller.keyId } as const)
    : ({ trigger: 'manual', createdBy: caller.personId, apiKeyId: null } as const);
}

export async function presentMade({ em, agent }: Context, runId: string | null) {
  const made = runId === null ? null : await findRun(em, scopeOf(agent), runId);
  if (!made) throw new Error('A run that was just made is not there.');
  return presentRun(made);
}
