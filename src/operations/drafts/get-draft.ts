import { agentText, draft } from '../../contract/draft.ts';
import { liveBase } from '../../db/drafts/draft-base.ts';
import { partsOf } from '../../domain/drafts/parts.ts';
import { Failure } from '../failure.ts';
import { defineOperation } from '../operation.ts';
import { draftParent } from './parent.ts';
import { presentDraft } from './present.ts';

export const getDraft = defineOperation({
  id: 'getDraft',
  surface: 'v1',
  method: 'GET',
  path: '/v1/agents/{agentId}/drafts/{draftId}',
  scope: 'read',
  tag: 'Drafts',
  summary: 'Read a draft',
  description:
    'With its difference from the version that it is based on, what rules say of it, the runs of exactly this text, and whether it can be published.',
  whenToUse: 'Call it to see what a draft changes, how its text did in tests, and why it is not published.',
  parents: [draftParent],
  isLarge: true,
  response: draft,
  async run(context) {
    return presentDraft(context, context.parent(draftParent));
  },
});

export const getAgentText = defineOperation({
  id: 'getAgentText',
  surface: 'v1',
  method: 'GET',
  path: '/v1/agents/{agentId}/text',
  scope: 'read',
  tag: 'Drafts',
  summary: 'Read the text of the live version, part by part',
  description:
    'What a draft can change: the prompt, the first message, the text of each step and state, the conditions between steps, the descriptions of tools.',
  whenToUse: 'Call it before writing a draft, to name the parts by their paths.',
  isLarge: true,
  response: agentText,
  async run({ em, agent }) {
    const base = await liveBase(em, agent.id);
    if (base === null) return { object: 'agent_text' as const, version: null, hash: null, parts: [] };
    const parts = partsOf(base.configuration).map(({ path, kind, label, text }) => ({ path, kind, label, text }));
    return { object: 'agent_text' as const, version: base.version, hash: base.hash, parts };
  },
});

export const noBase = () =>
  new Failure(
    'draft_base_missing',
    'The configuration of the live version was never read from the platform, so there is no text to change.',
  );
