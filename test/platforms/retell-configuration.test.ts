import { describe, expect, test } from 'vitest';
import type { JsonObject } from '../../src/domain/json.ts';
import { changesBetween } from '../../src/domain/versions/changes.ts';
import { canonicalDocument } from '../../src/platforms/canonical.ts';
import { readConfiguration } from '../../src/platforms/retell/configuration.ts';
import { RETELL_RECIPE } from '../../src/platforms/retell/recipe.ts';

const digest = (secret: string) => `#${secret.length}`;

const flow: JsonObject = {
  global_prompt: 'You are {{agent_name}} of {{place}}.',
  model_choice: { type: 'cascading', model: 'gpt-4.1' },
  start_node_id: 'n1',
  start_speaker: 'agent',
  default_dynamic_variables: { agent_name: 'Robin' },
  tools: [
    {
      type: 'custom',
      tool_id: 't1',
      name: 'look_up',
      description: 'Looks',
      timeout_ms: 8_000,
      speak_during_execution: true,
      parameters: { type: 'object' },
    },
  ],
  nodes: [
    {
      id: 'n1',
      type: 'conversation',
      name: 'Greet',
      instruction: { type: 'static_text', text: 'Hello' },
      edges: [
        { id: 'e', transition_condition: { type: 'prompt', prompt: 'Wants a visit' }, destination_node_id: 'n2' },
      ],
    },
    {
      id: 'n2',
      type: 'function',
      name: 'Look up',
      tool_id: 't1',
      edges: [],
      else_edge: { id: 'x', destination_node_id: 'n3' },
    },
    { id: 'n3', type: 'transfer_call', name: 'Hand over' },
    { type: 'conversation', name: 'without an id' },
  ],
};

const agent: JsonObject = { agent_name: 'Front desk', language: 'en-US', voice_id: 'v1' };

describe('reading a configuration', () => {
  test('a conversation flow: prompt, tools, steps with their tools and edges', () => {
    const read = readConfiguration({ agent, engine: flow, components: [] });
    expect(read).toMatchObject({
      name: 'Front desk',
      language: 'en-US',
      voice: 'v1',
      model: 'gpt-4.1',
      firstMessage: 'Hello',
      startNodeId: 'n1',
    });
    expect(
      read.tools.map(({ id, name, kind, timeoutMs, speaksDuring }) => [id, name, kind, timeoutMs, speaksDuring]),
    ).toEqual([
      ['t1', 'look_up', 'other', 8_000, true],
      ['transfer_call', 'transfer_call', 'transfer', null, null],
    ]);
    expect(read.nodes.map(({ id, label, toolName }) => [id, label, toolName])).toEqual([
      ['n1', 'Greet', null],
      ['n2', 'Look up', 'look_up'],
      ['n3', 'Hand over', 'transfer_call'],
    ]);
    expect(read.nodes.map(({ edges }) => edges)).toEqual([
      [{ to: 'n2', condition: 'Wants a visit' }],
      [{ to: 'n3', condition: null }],
      [],
    ]);
    expect(read.variables).toEqual({ agent_name: 'Robin', place: null });
  });

  test('a single prompt, with states as steps', () => {
    const read = readConfiguration({
      agent,
      engine: {
        general_prompt: 'Help.',
        begin_message: 'Hi',
        model: 'm',
        general_tools: [
          { type: 'end_call', name: 'end_call' },
          { type: 'transfer_call', name: 'to_desk' },
          { type: 'x' },
        ],
        states: [
          {
            name: 'booking',
            state_prompt: 'Book.',
            edges: [{ destination_state_name: 'done', description: 'Booked' }],
            tools: [{ type: 'custom', name: 'book' }],
          },
        ],
      },
      components: [],
    });
    expect(read).toMatchObject({ prompt: 'Help.', firstMessage: 'Hi', model: 'm' });
    expect(read.tools.map(({ name, kind }) => [name, kind])).toEqual([
      ['end_call', 'end_call'],
      ['to_desk', 'transfer'],
      ['book', 'other'],
    ]);
    expect(read.nodes).toMatchObject([{ id: 'booking', kind: 'state', edges: [{ to: 'done', condition: 'Booked' }] }]);
  });

  test("an agent on the customer's own server has a name and nothing made up", () => {
    const read = readConfiguration({ agent, engine: null, components: [] });
    expect(read).toMatchObject({ name: 'Front desk', prompt: null, tools: [], nodes: [] });
  });

  test('parts of another type than documented stay empty', () => {
    const read = readConfiguration({
      agent: { agent_name: 7, language: ['de-DE', 'en-US'] },
      engine: { nodes: 'x', tools: {}, global_prompt: 5 },
      components: [],
    });
    expect(read).toMatchObject({ name: 'Unnamed agent', language: 'de-DE', prompt: null, nodes: [], tools: [] });
  });
});

describe('what is left to compare', () => {
  const capture = (over: { agent?: JsonObject; engine?: JsonObject }) => {
    const captured = { agent: { ...agent, ...over.agent }, engine: { ...flow, ...over.engine }, components: [] };
    return readConfiguration(captured, canonicalDocument(captured, RETELL_RECIPE, digest));
  };

  test('a setting, a knowledge base and the kind of agent show among the changes, once each', () => {
    const before = capture({ agent: { interruption_sensitivity: 0.8 }, engine: { knowledge_base_ids: ['kb_1'] } });
    const after = capture({ agent: { interruption_sensitivity: 0.5 }, engine: { knowledge_base_ids: ['kb_2'] } });
    const shown = changesBetween(before, after).map(({ kind, before: was, after: is }) => [kind, was, is]);
    expect(shown).toContainEqual(['setting_changed', '0.8', '0.5']);
    expect(shown.filter(([kind]) => String(kind).startsWith('knowledge'))).not.toEqual([]);
    expect(changesBetween(before, before)).toEqual([]);
    expect(before.kind).toBe('flow');
  });

  test('prompts, tools and steps are no settings, and secrets show as digests only', () => {
    const { settings } = capture({ agent: { webhook_url: 'https://x', hook_token: 's3cret-value' } });
    expect(Object.keys(settings ?? {}).filter((path) => /prompt|nodes|tools|webhook/.test(path))).toEqual([]);
    expect(JSON.stringify(settings)).not.toContain('s3cret-value');
    expect(settings).toMatchObject({ 'agent.hook_token': expect.any(String) });
  });

  test('a version that was captured before settings were read is not taken for one without them', () => {
    const now = capture({ agent: { interruption_sensitivity: 0.8 } });
    const { settings: _settings, knowledge: _knowledge, kind: _kind, ...earlier } = now;
    expect(changesBetween(earlier, now)).toEqual([]);
  });
});

describe('the document that is hashed', () => {
  const text = (body: JsonObject) => JSON.stringify(canonicalDocument(body, RETELL_RECIPE, digest));

  test('order of keys, of nodes and of tools makes no difference; order of edges does', () => {
    const nodes = flow.nodes as JsonObject[];
    expect(text({ b: 1, a: { d: 2, c: 3 } })).toBe(text({ a: { c: 3, d: 2 }, b: 1 }));
    expect(text({ nodes })).toBe(text({ nodes: nodes.toReversed() }));
    expect(text({ edges: [{ id: 'a' }, { id: 'b' }] })).not.toBe(text({ edges: [{ id: 'b' }, { id: 'a' }] }));
  });

  test('ids, times, titles, layout and webhooks are not behaviour', () => {
    const moved = {
      version: 7,
      last_modification_timestamp: 5,
      version_title: 'New',
      display_position: { x: 1 },
      webhook_url: 'https://x',
      notes: 'n',
      is_published: true,
    };
    expect(text({ global_prompt: 'a', ...moved })).toBe(text({ global_prompt: 'a' }));
    expect(text({ global_prompt: 'b' })).not.toBe(text({ global_prompt: 'a' }));
  });

  test('secrets are digests: a change shows, the secret does not', () => {
    const body = (secret: string): JsonObject => ({
      tools: [
        {
          tool_id: 't',
          headers: { Authorization: secret, nested: [secret] },
          cal_api_key: secret,
          url: `https://u:${secret}@api.example.com/x?token=${secret}&page=1`,
        },
      ],
    });
    const written = text(body('s3cret-value'));
    expect(written).not.toContain('s3cret-value');
    expect(written).toContain('page=1');
    expect(written).not.toBe(text(body('another-secret')));
  });

  test('equal texts in another Unicode form are equal', () => {
    expect(text({ a: 'é' })).toBe(text({ a: 'é' }));
  });
});
