import { draft, draftChange } from '../../contract/draft.ts';
import { liveBase } from '../../db/drafts/draft-base.ts';
import {
  type DraftView,
  describeDraft,
  discardDraft as discard,
  findDraft,
  lockDraft,
  openDraftRevision,
} from '../../db/drafts/drafts.ts';
import { publishEvent } from '../../db/events/events.ts';
import { draftHashOf } from '../../domain/drafts/apply-changes.ts';
import { laidOver } from '../../domain/drafts/rebase.ts';
import { authorOf } from '../author-of.ts';
import { Failure } from '../failure.ts';
import { type Context, defineOperation } from '../operation.ts';
import { refuseOtherRevision } from '../refuse-other-revision.ts';
import { scopeOf } from '../scope-of.ts';
import { noBase } from './get-draft.ts';
import { keepChanges, layChanges, readChanges, requireCases } from './lay-changes.ts';
import { draftParent } from './parent.ts';
import { presentNow } from './present.ts';

export const changeDraft = defineOperation({
  id: 'changeDraft',
  surface: 'v1',
  method: 'PATCH',
  path: '/v1/agents/{agentId}/drafts/{draftId}',
  scope: 'person',
  tag: 'Drafts',
  summary: 'Change a draft',
  description:
    'Further changes are applied to the current text; each that alters it bumps the revision and voids every test of the text before. Title, rationale and new cases change nothing else. A draft that is published or being published stays as it is.',
  parents: [draftParent],
  body: draftChange,
  refuses: ['draft_published', 'draft_discarded', 'revision_conflict', 'test_not_found'],
  response: draft,
  async run(context, { body }) {
    if (Object.keys(body).every((field) => field === 'revision')) {
      throw new Failure('invalid_body', 'Name something to change.');
    }
    const before = await holdOpenDraft(context);
    refuseOtherRevision('draft', body.revision, before.revision);
    const newCaseIds = body.newCaseIds ? await requireCases(context, body.newCaseIds) : before.newCaseIds;
    const { title = before.title, rationale = before.rationale } = body;
    await describeDraft(context.em, before.id, { title, rationale, newCaseIds });
    await rewrite(context, before, readChanges(body.changes ?? []));
    return told(context, before.id);
  },
});

async function rewrite(context: Context, before: DraftView, laid: DraftView['changes']): Promise<void> {
  const texts = layChanges(before.base, before.texts, laid);
  const draftHash = draftHashOf(before.baseHash, texts);
  if (draftHash === before.draftHash) return;
  const changes = keepChanges([...before.changes, ...laid]);
  const createdBy = authorOf(context.caller());
  await openDraftRevision(context.em, before, { ...before, texts, changes, draftHash, createdBy });
}

export const rebaseDraft = defineOperation({
  id: 'rebaseDraft',
  surface: 'app',
  method: 'POST',
  path: '/app/agents/{agentId}/drafts/{draftId}/rebase',
  scope: 'person',
  tag: 'Drafts',
  summary: 'Lay a draft over the live version',
  description:
    'Where the agent has changed at the platform since the draft began. Refused where a part that the draft changes has changed there too: which words are meant then is for a person to say.',
  parents: [draftParent],
  refuses: ['draft_base_missing', 'draft_published', 'draft_discarded', 'draft_stale'],
  response: draft,
  async run(context) {
    const before = await holdOpenDraft(context);
    const live = await liveBase(context.em, context.agent.id);
    if (live === null) throw noBase();
    if (live.hash === before.baseHash) return presentNow(context, before.id);
    const moved = laidOver(before.base, live.configuration, before.texts);
    if ('conflicts' in moved) {
      const message = `These parts have changed at the platform too: ${moved.conflicts.join(', ')}.`;
      throw new Failure('draft_stale', message);
    }
    const { texts } = moved;
    const base = { baseVersion: live.version, baseHash: live.hash, base: live.configuration };
    const draftHash = draftHashOf(live.hash, texts);
    const createdBy = authorOf(context.caller());
    await openDraftRevision(context.em, before, { ...before, ...base, texts, draftHash, createdBy });
    return told(context, before.id);
  },
});

export const discardDraft = defineOperation({
  id: 'discardDraft',
  surface: 'app',
  method: 'POST',
  path: '/app/agents/{agentId}/drafts/{draftId}/discard',
  scope: 'person',
  tag: 'Drafts',
  summary: 'Discard a draft',
  description: 'It stays readable and can no longer be changed, played or published.',
  parents: [draftParent],
  refuses: ['draft_published', 'draft_discarded'],
  response: draft,
  async run(context) {
    const { id } = await holdOpenDraft(context);
    await discard(context.em, id);
    return told(context, id);
  },
});

/** The draft as it is once nobody else is at it. @throws Failure 409 where it is not to be changed any more. */
export async function holdOpenDraft(context: Context): Promise<DraftView> {
  const { em, agent } = context;
  const { id } = context.parent(draftParent);
  await lockDraft(em, id);
  const standing = await findDraft(em, scopeOf(agent), id);
  if (!standing) throw new Error('A draft that was just found is not there.');
  switch (standing.status) {
    case 'published':
      throw new Failure('draft_published', 'The draft is published. Begin another one.');
    case 'publishing':
      throw new Failure('draft_published', 'The draft is being published.');
    case 'discarded':
      throw new Failure('draft_discarded', 'The draft was discarded.');
    case 'draft':
    case 'testing':
      return standing;
    default:
      return standing.status satisfies never;
  }
}

async function told(context: Context, draftId: string) {
  await publishEvent(context.em, { agentId: context.agent.id, kind: 'draft.changed', ref: draftId });
  return presentNow(context, draftId);
}
