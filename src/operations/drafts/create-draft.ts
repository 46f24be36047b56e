import { draft, newDraft } from '../../contract/draft.ts';
import { liveBase } from '../../db/drafts/draft-base.ts';
import { insertDraft } from '../../db/drafts/drafts.ts';
import { publishEvent } from '../../db/events/events.ts';
import { draftHashOf } from '../../domain/drafts/apply-changes.ts';
import { authorOf } from '../author-of.ts';
import { defineOperation } from '../operation.ts';
import { beginWith } from './begin-with.ts';
import { noBase } from './get-draft.ts';
import { keepChanges, layChanges, readChanges, requireCases } from './lay-changes.ts';
import { presentNow } from './present.ts';

export const createDraft = defineOperation({
  id: 'createDraft',
  surface: 'app',
  method: 'POST',
  path: '/app/agents/{agentId}/drafts',
  scope: 'person',
  tag: 'Drafts',
  summary: 'Begin a draft',
  description:
    'Over the live version as it was captured: from scratch, from an issue (its target is opened, its recommendation is the rationale, the tests that touch it are chosen) or from a comparison. Nothing changes at the platform.',
  body: newDraft,
  refuses: ['draft_base_missing', 'issue_not_found', 'comparison_not_found', 'test_not_found'],
  response: draft,
  async run(context, { body }) {
    const { em, agent } = context;
    const base = await liveBase(em, agent.id);
    if (base === null) throw noBase();
    const beginning = await beginWith(context, body, base.configuration);
    const changes = readChanges(body.changes ?? []);
    const texts = layChanges(base.configuration, {}, changes);
    const draftId = await insertDraft(em, {
      ...beginning,
      title: body.title ?? beginning.title,
      rationale: body.rationale ?? beginning.rationale,
      newCaseIds: body.newCaseIds ? await requireCases(context, body.newCaseIds) : beginning.newCaseIds,
      workspaceId: agent.workspaceId,
      agentId: agent.id,
      baseVersion: base.version,
      baseHash: base.hash,
      base: base.configuration,
      texts,
      changes: keepChanges(changes),
      draftHash: draftHashOf(base.hash, texts),
      createdBy: authorOf(context.caller()),
    });
    await publishEvent(em, { agentId: agent.id, kind: 'draft.changed', ref: draftId });
    return presentNow(context, draftId);
  },
});
