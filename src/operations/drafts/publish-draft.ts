import { draft, publishConfirmation } from '../../contract/draft.ts';
import { lockAgent } from '../../db/agents/lock-agent.ts';
import type { EntityManager } from '../../db/database.ts';
import { writtenHash } from '../../db/drafts/draft-base.ts';
import { findDraft, lockDraft } from '../../db/drafts/drafts.ts';
import { insertPublication, isAgentPublishing } from '../../db/drafts/publications.ts';
import { publishEvent } from '../../db/events/events.ts';
import type { PublicationKind } from '../../domain/vocabulary.ts';
import { coordinatorOf } from '../../services/agents/coordinator-input.ts';
import { addToOutbox } from '../../services/outbox/add-to-outbox.ts';
import { publishEntry } from '../../temporal/publish-draft.ts';
import { Failure } from '../failure.ts';
import { type Context, defineOperation } from '../operation.ts';
import { refuseOtherRevision } from '../refuse-other-revision.ts';
import { scopeOf } from '../scope-of.ts';
import { holdOpenDraft } from './change-draft.ts';
import { draftParent } from './parent.ts';
import { judgeDraft, presentNow, readSurroundings, surroundedBy } from './present.ts';

export const publishDraft = defineOperation({
  id: 'publishDraft',
  surface: 'app',
  method: 'POST',
  path: '/app/agents/{agentId}/drafts/{draftId}/publish',
  scope: 'person',
  tag: 'Drafts',
  summary: 'Publish a draft',
  description:
    'Confirms hash and revision of the text that was looked at. Refused while its suite has not run on exactly this text, and where the agent has changed at the platform. The text is then written, read back and compared; the draft is `published` once the platform says what it says, else it is a draft again, with the reason.',
  parents: [draftParent],
  body: publishConfirmation,
  refuses: ['draft_published', 'draft_discarded', 'draft_stale', 'draft_blocked', 'revision_conflict'],
  response: draft,
  async run(context, { body }) {
    const row = await holdOpenDraft(context);
    refuseOtherRevision('draft', body.revision, row.revision);
    if (body.draftHash !== row.draftHash) {
      const message = 'The text of the draft is another one by now. Read it again first.';
      throw new Failure('revision_conflict', message, { param: 'draftHash' });
    }
    const { stale, blocked } = judgeDraft(row, await readSurroundings(surroundedBy(context), [row]));
    if (blocked !== null) throw new Failure(stale ? 'draft_stale' : 'draft_blocked', blocked);
    return order(context, { draftId: row.id, revision: row.revision, kind: 'publish' }, row.baseVersion);
  },
});

export const rollBackDraft = defineOperation({
  id: 'rollBackDraft',
  surface: 'app',
  method: 'POST',
  path: '/app/agents/{agentId}/drafts/{draftId}/rollback',
  scope: 'person',
  tag: 'Drafts',
  summary: 'Take a published draft back',
  description:
    'Makes the earlier text live again, as a new version. Refused where the published version is no longer live: somebody has changed the agent since.',
  parents: [draftParent],
  refuses: ['draft_stale', 'draft_blocked'],
  response: draft,
  async run(context) {
    const { em, agent } = context;
    const { id } = context.parent(draftParent);
    await lockDraft(em, id);
    const row = await findDraft(em, scopeOf(agent), id);
    if (row?.status !== 'published' || row.publishedVersion === null || row.rolledBackAt !== null) {
      throw new Failure('draft_blocked', 'Only what was published and not taken back can be taken back.');
    }
    if (row.liveHash === null || writtenHash(row.liveHash) !== writtenHash(row.publishedHash ?? '')) {
      throw new Failure('draft_stale', 'The agent has changed at the platform since the draft was published.');
    }
    return order(context, { draftId: id, revision: row.revision, kind: 'rollback' }, row.publishedVersion);
  },
});

/** The row that says so, and the order for the workflow, beside each other. */
async function order(
  context: Context,
  key: { draftId: string; revision: number; kind: PublicationKind },
  baseVersion: number,
) {
  const { em, agent, services } = context;
  const { id: agentId, workspaceId, name, provider } = agent;
  const { personId } = context.person();
  await refuseSecond(em, agentId);
  await insertPublication(em, { ...key, workspaceId, agentId, baseVersion, requestedBy: personId });
  const coordinator = coordinatorOf({ agentId, workspaceId, name, provider }, services.polling);
  await addToOutbox(em, { entry: publishEntry({ ...key, coordinator }), workspaceId, agentId });
  await publishEvent(em, { agentId, kind: 'draft.changed', ref: key.draftId });
  return presentNow(context, key.draftId);
}

/** One text of an agent is on its way at a time: two would each see a change by somebody else in the other. */
async function refuseSecond(em: EntityManager, agentId: string): Promise<void> {
  await lockAgent(em, agentId);
  if (!(await isAgentPublishing(em, agentId))) return;
  throw new Failure('draft_blocked', 'Another text of this agent is being published.');
}
