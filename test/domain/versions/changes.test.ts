import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { changesBetween } from '../../../src/domain/versions/changes.ts';
import type { AgentConfiguration } from '../../../src/domain/versions/configuration.ts';
import { lineChanges } from '../../../src/domain/versions/line-changes.ts';

const AGENT: AgentConfiguration = {
  name: 'Clinic',
  language: 'en-US',
  prompt: 'You book appointments.\nAsk for the date of birth.\nNever give medical advice.',
  firstMessage: 'Hello, how can I help?',
  model: 'model-a',
  voice: 'voice-a',
  tools: [
    {
      id: 't1',
      name: 'find_slot',
      description: 'Finds a free time.',
      kind: 'other',
      parameters: null,
      timeoutMs: 5000,
      speaksDuring: true,
    },
  ],
  nodes: [
    {
      id: 'n1',
      label: 'Greet',
      kind: 'conversation',
      text: 'Greet.',
      toolName: null,
      edges: [{ to: 'n2', condition: 'wants to book' }],
    },
    {
      id: 'n2',
      label: 'Book',
      kind: 'conversation',
      text: 'Ask for the day.\nOffer a time.',
      toolName: null,
      edges: [],
    },
  ],
  startNodeId: 'n1',
  variables: { clinic: 'North' },
  knowledge: [{ id: 'k1', label: 'Price list', digest: 'aa' }],
  settings: { interruption_sensitivity: '0.8' },
};

const [tool] = AGENT.tools;
const [greet, book] = AGENT.nodes;
if (!tool || !greet || !book) throw new Error('the example has them');

describe('what changed between two configurations', () => {
  it.each<
    [
      string,
      Partial<AgentConfiguration>,
      { kind: string; place?: string; before?: string | null; after?: string | null },
    ]
  >([
    [
      'a rewritten prompt line',
      { prompt: AGENT.prompt?.replace('the date of birth', 'the full date of birth') ?? null },
      {
        kind: 'prompt_changed',
        place: 'prompt',
        before: 'Ask for the date of birth.',
        after: 'Ask for the full date of birth.',
      },
    ],
    [
      'a new prompt line',
      { prompt: `${AGENT.prompt}\nSpeak slowly.` },
      { kind: 'prompt_added', before: null, after: 'Speak slowly.' },
    ],
    [
      'a prompt line taken out',
      { prompt: 'You book appointments.\nNever give medical advice.' },
      { kind: 'prompt_removed', before: 'Ask for the date of birth.', after: null },
    ],
    ['another greeting', { firstMessage: 'Good day.' }, { kind: 'prompt_changed', after: 'Good day.' }],
    ['a tool removed', { tools: [] }, { kind: 'tool_removed', place: 't1' }],
    [
      'a tool’s time limit',
      { tools: [{ ...tool, timeoutMs: 2000 }] },
      { kind: 'tool_changed', before: '5000', after: '2000' },
    ],
    [
      'a step added',
      { nodes: [...AGENT.nodes, { ...book, id: 'n3', label: 'Confirm' }] },
      { kind: 'node_added', place: 'n3' },
    ],
    [
      'a step’s text',
      { nodes: [greet, { ...book, text: 'Ask for the day.\nOffer two times.' }] },
      { kind: 'node_changed', place: 'n2', before: 'Offer a time.', after: 'Offer two times.' },
    ],
    [
      'a way’s condition',
      { nodes: [{ ...greet, edges: [{ to: 'n2', condition: 'asks for a time' }] }, book] },
      { kind: 'edge_changed', place: 'n1', before: 'wants to book', after: 'asks for a time' },
    ],
    ['a way removed', { nodes: [{ ...greet, edges: [] }, book] }, { kind: 'edge_removed', place: 'n1', after: null }],
    ['another model', { model: 'model-b' }, { kind: 'model_changed', before: 'model-a', after: 'model-b' }],
    ['another voice', { voice: 'voice-b' }, { kind: 'voice_changed' }],
    [
      'a setting',
      { settings: { interruption_sensitivity: '0.2' } },
      { kind: 'setting_changed', before: '0.8', after: '0.2' },
    ],
    [
      'a new variable',
      { variables: { clinic: 'North', city: null } },
      { kind: 'variable_added', place: 'variable:city' },
    ],
    [
      'new content of a document',
      { knowledge: [{ id: 'k1', label: 'Price list', digest: 'bb' }] },
      { kind: 'knowledge_changed', place: 'k1' },
    ],
    [
      'a prompt taken out',
      { prompt: 'You book appointments.\nAsk for the date of birth.' },
      { kind: 'prompt_removed', place: 'prompt', before: 'Never give medical advice.', after: null },
    ],
    [
      'a tool added',
      { tools: [tool, { ...tool, id: 't2', name: 'book_slot', description: 'Books.' }] },
      { kind: 'tool_added', place: 't2', before: null, after: 'Books.' },
    ],
    [
      'a tool’s name',
      { tools: [{ ...tool, name: 'seek' }] },
      { kind: 'tool_changed', before: 'find_slot', after: 'seek' },
    ],
    [
      'a tool’s description',
      { tools: [{ ...tool, description: 'Seeks.' }] },
      { kind: 'tool_changed', after: 'Seeks.' },
    ],
    ['a tool’s kind', { tools: [{ ...tool, kind: 'transfer' }] }, { kind: 'tool_changed', after: 'transfer' }],
    [
      'a tool’s arguments',
      { tools: [{ ...tool, parameters: { type: 'object' } }] },
      { kind: 'tool_changed', before: null, after: '{"type":"object"}' },
    ],
    [
      'whether a tool speaks',
      { tools: [{ ...tool, speaksDuring: false }] },
      { kind: 'tool_changed', before: 'true', after: 'false' },
    ],
    ['a tool’s time limit lifted', { tools: [{ ...tool, timeoutMs: null }] }, { kind: 'tool_changed', after: null }],
    ['a step removed', { nodes: [greet] }, { kind: 'node_removed', place: 'n2', before: book.text, after: null }],
    ['a step’s name', { nodes: [greet, { ...book, label: 'Order' }] }, { kind: 'node_changed', before: 'Book' }],
    ['a step’s kind', { nodes: [greet, { ...book, kind: 'tool' }] }, { kind: 'node_changed', after: 'tool' }],
    [
      'a step’s tool',
      { nodes: [greet, { ...book, toolName: 'x' }] },
      { kind: 'node_changed', before: null, after: 'x' },
    ],
    ['another language', { language: null }, { kind: 'setting_changed', place: 'agent', before: 'en-US', after: null }],
    ['another name', { name: 'Praxis' }, { kind: 'setting_changed', before: 'Clinic', after: 'Praxis' }],
    ['another first step', { startNodeId: 'n2' }, { kind: 'setting_changed', before: 'n1', after: 'n2' }],
    [
      'a new setting',
      { settings: { ...AGENT.settings, pace: '1' } },
      { kind: 'setting_changed', before: null, after: '1' },
    ],
    ['a setting gone', { settings: {} }, { kind: 'setting_changed', place: 'platform', before: '0.8', after: null }],
    ['a variable gone', { variables: {} }, { kind: 'variable_removed', before: 'North', after: null }],
    ['a default gone', { variables: { clinic: null } }, { kind: 'variable_changed', before: 'North', after: null }],
    ['a document gone', { knowledge: [] }, { kind: 'knowledge_removed', place: 'k1', before: 'Price list' }],
    [
      'a document added',
      {
        knowledge: [
          { id: 'k1', label: 'Price list', digest: 'aa' },
          { id: 'k2', label: 'Hours', digest: 'bb' },
        ],
      },
      { kind: 'knowledge_added', place: 'k2', after: 'Hours' },
    ],
    [
      'a document’s name',
      { knowledge: [{ id: 'k1', label: 'Prices', digest: 'aa' }] },
      { kind: 'knowledge_changed', before: 'Price list', after: 'Prices' },
    ],
  ])('tells %s, and nothing else', (_, edit, expected) => {
    const changes = changesBetween(AGENT, { ...AGENT, ...edit });
    expect(changes).toHaveLength(1);
    const [change] = changes;
    expect(change?.kind).toBe(expected.kind);
    if (expected.place !== undefined) expect(change?.place.id).toBe(expected.place);
    if ('before' in expected) expect(change?.before).toBe(expected.before);
    if ('after' in expected) expect(change?.after).toBe(expected.after);
  });

  it('tells nothing of documents, settings and a kind that one side did not record', () => {
    const { knowledge: _documents, settings: _settings, ...without } = AGENT;
    const whole: AgentConfiguration = { ...AGENT, kind: 'flow' };
    expect(changesBetween(without, whole)).toEqual([]);
    expect(changesBetween(whole, without)).toEqual([]);
  });

  it('tells another kind of agent where both sides recorded one', () => {
    expect(changesBetween({ ...AGENT, kind: 'flow' }, { ...AGENT, kind: 'prompt' })).toMatchObject([
      { kind: 'setting_changed', detail: 'Kind of agent was changed', before: 'flow', after: 'prompt' },
    ]);
  });

  it('tells steps first, then ways, tools and the prompt', () => {
    const after = { ...AGENT, name: 'x', model: 'y', prompt: null, tools: [], nodes: [{ ...greet, edges: [] }] };
    expect([...new Set(changesBetween(AGENT, after).map(({ kind }) => kind))]).toEqual([
      'node_removed',
      'edge_removed',
      'tool_removed',
      'prompt_removed',
      'model_changed',
      'setting_changed',
    ]);
  });

  it('tells nothing where nothing changed, also when steps are listed in another order', () => {
    expect(changesBetween(AGENT, { ...AGENT, nodes: [book, greet] })).toEqual([]);
  });
});

describe('lines of a text', () => {
  const text = fc.array(fc.constantFrom('one', 'two words', 'three', 'four five six', '', '  seven'), {
    maxLength: 12,
  });

  it('rebuilds the later text from the earlier one and its changes', () => {
    fc.assert(
      fc.property(text, text, (before, after) => {
        const changes = lineChanges(before.join('\n'), after.join('\n'));
        const gone = new Set(changes.map(({ before: line }) => line?.line));
        const come = new Set(changes.map(({ after: line }) => line?.line));
        const kept = (lines: string[], without: Set<number | undefined>) =>
          lines.map((line) => line.trimEnd()).filter((line, index) => line.trim() !== '' && !without.has(index + 1));
        expect(kept(before, gone)).toEqual(kept(after, come));
      }),
    );
  });

  it('takes two thousand lines in one reading', () => {
    const lines = Array.from({ length: 1_900 }, (_, index) => `rule number ${index}`);
    const edited = lines.map((line, index) => (index % 400 === 0 ? `${line} and more` : line));
    expect(lineChanges(lines.join('\n'), edited.join('\n'))).toHaveLength(5);
  });
});
