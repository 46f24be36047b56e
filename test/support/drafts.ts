import { insertDraft, type NewDraft } from '../../src/db/drafts/drafts.ts';
import { draftHashOf } from '../../src/domain/drafts/apply-changes.ts';
import type { AgentConfiguration } from '../../src/domain/versions/configuration.ts';
import type { World } from './world.ts';

/** An agent with a prompt, two steps, one tool and a variable. */
export const frontDesk = (set: Partial<AgentConfiguration> = {}): AgentConfiguration => ({
  name: 'Front desk',
  kind: 'states',
  language: 'en-US',
  prompt: 'You are the front desk.\nAlways say "This call is recorded."\nUse find_times before you offer a time.',
  firstMessage: 'Hello {{first_name}}, how can I help?',
  model: 'a-model',
  voice: 'a-voice',
  tools: [
    {
      id: 'tool_1',
      name: 'find_times',
      description: 'Finds free times.',
      kind: 'other',
      parameters: { type: 'object', properties: { from_date: { type: 'string' } } },
      timeoutMs: null,
      speaksDuring: null,
    },
  ],
  nodes: [
    {
      id: 'greet',
      label: 'Greet',
      kind: 'state',
      text: 'Ask what the caller wants.',
      toolName: null,
      edges: [{ to: 'book', condition: 'The caller wants a visit.' }],
    },
    { id: 'book', label: 'Book', kind: 'state', text: 'Offer a time.', toolName: 'find_times', edges: [] },
  ],
  startNodeId: 'greet',
  variables: { first_name: null },
  ...set,
});

interface Owner {
  workspaceId: string;
  agentId: string;
}

const BASE_HASH = `sha256:${'0'.repeat(64)}`;

/** A draft that changes the prompt of an agent, over a base that is not the live one. @returns its id. */
export async function makeDraft(
  { database }: Pick<World, 'database'>,
  owner: Owner,
  set: Partial<NewDraft> = {},
): Promise<string> {
  const texts = { '/prompt': 'You are the front desk.\nBe brief.' };
  return insertDraft(database.within(owner.workspaceId), {
    ...owner,
    title: 'Shorter',
    rationale: 'Callers wait.',
    newCaseIds: [],
    issueId: null,
    comparisonId: null,
    targetPath: '/prompt',
    baseVersion: 1,
    baseHash: BASE_HASH,
    base: frontDesk(),
    texts,
    changes: [{ path: '/prompt', text: texts['/prompt'] }],
    draftHash: draftHashOf(BASE_HASH, texts),
    createdBy: '0198f2a4-5b1c-7d3e-8f90-1a2b3c4d5e72',
    ...set,
  });
}
