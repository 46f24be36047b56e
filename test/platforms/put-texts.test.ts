import { expect, test } from 'vitest';
import { clinicFlow } from '../../packages/demo-platform/clinic/configuration.ts';
import { parcelPrompt } from '../../packages/demo-platform/parcel/configuration.ts';
import { partsOf, withTexts } from '../../src/domain/drafts/parts.ts';
import type { JsonObject } from '../../src/domain/json.ts';
import { readConfiguration as readElevenLabs } from '../../src/platforms/elevenlabs/configuration.ts';
import { putElevenLabsTexts } from '../../src/platforms/elevenlabs/put-texts.ts';
import { readConfiguration } from '../../src/platforms/retell/configuration.ts';
import { putRetellTexts } from '../../src/platforms/retell/put-texts.ts';
import { readAssistant } from '../../src/platforms/vapi/configuration.ts';
import { putVapiTexts } from '../../src/platforms/vapi/put-texts.ts';

const STATES: JsonObject = {
  general_prompt: 'Be kind.',
  begin_message: 'Hello.',
  general_tools: [{ type: 'custom', name: 'look_up', description: 'Looks up.', headers: { key: 'secret' } }],
  states: [
    {
      name: 'greet',
      state_prompt: 'Greet.',
      edges: [{ description: 'They want a visit.', destination_state_name: 'book' }],
      tools: [{ type: 'custom', name: 'greet_tool', description: 'Greets.' }],
    },
    { name: 'book', state_prompt: 'Book.', edges: [] },
  ],
  starting_state: 'greet',
};

/** Variables without a default are read from the texts themselves. */
const read = (engine: JsonObject) => ({
  ...readConfiguration({ agent: {}, engine, components: [] }),
  variables: {},
});

test.each<[string, JsonObject]>([
  ['a flow', clinicFlow(3)],
  ['a prompt', parcelPrompt(6)],
  ['a prompt with states', STATES],
])('every text of %s goes back to where it was read from', (_, engine) => {
  const before = read(engine);
  for (const { path, kind } of partsOf(before)) {
    if (kind === 'tool' && path.includes('transfer_call')) continue;
    const texts = { [path]: 'Other words.' };
    expect({ path, read: read(putRetellTexts(engine, texts)) }).toEqual({ path, read: withTexts(before, texts) });
  }
});

test('nothing but the text is touched', () => {
  expect(putRetellTexts(STATES, {})).toEqual(STATES);
  const written = putRetellTexts(STATES, { '/prompt': 'Be quick.' });
  expect(written).toEqual({ ...STATES, general_prompt: 'Be quick.' });
});

test.each(['/nodes/gone/text', '/nodes/greet/edges/7/condition', '/tools/gone/description', '/firstMessage/x'])(
  'a text without a place (%s) is refused, and not lost',
  (path) => {
    expect(() => putRetellTexts(STATES, { [path]: 'x' })).toThrow(path);
  },
);

const ASSISTANT: JsonObject = {
  name: 'Vets',
  firstMessage: 'Hello.',
  model: {
    model: 'gpt-4.1',
    messages: [{ role: 'system', content: 'Be kind.' }],
    tools: [{ type: 'function', function: { name: 'look_up', description: 'Looks up.' } }],
  },
};

test('every text of an assistant goes back to where it was read from', () => {
  const of = (assistant: JsonObject) => readAssistant({ assistant, sharedTools: [] }, {});
  for (const { path } of partsOf(of(ASSISTANT))) {
    const texts = { [path]: 'Other words.' };
    expect({ path, read: of(putVapiTexts(ASSISTANT, texts)) }).toEqual({ path, read: withTexts(of(ASSISTANT), texts) });
  }
  expect(putVapiTexts(ASSISTANT, {})).toEqual(ASSISTANT);
});

test('a prompt of several messages is changed at the platform', () => {
  const model = { messages: ['Be kind.', 'Be quick.'].map((content) => ({ role: 'system', content })) };
  expect(() => putVapiTexts({ ...ASSISTANT, model }, { '/prompt': 'x' })).toThrow('/prompt');
});

const NODES: JsonObject = {
  start: { type: 'start', edge_order: ['b', 'a'] },
  book: { type: 'override_agent', label: 'Book', additional_prompt: 'Book it.' },
  end: { type: 'end' },
};
const EDGES: JsonObject = {
  a: { source: 'start', target: 'book', forward_condition: { type: 'llm', condition: 'They want a visit.' } },
  b: { source: 'start', target: 'end', forward_condition: { type: 'llm', condition: 'They say goodbye.' } },
  c: { source: 'book', target: 'end', forward_condition: { type: 'unconditional' } },
};
const CONFIG: JsonObject = { agent: { first_message: 'Hello.', prompt: { prompt: 'Be kind.', llm: 'm' } }, tts: {} };

test.each<[string, JsonObject]>([
  ['a prompt', { name: 'Vets', conversation_config: CONFIG }],
  ['a workflow', { name: 'Vets', conversation_config: CONFIG, workflow: { nodes: NODES, edges: EDGES } }],
])('every text of %s of ElevenLabs goes back to where it was read from', (_, agent) => {
  const of = (given: JsonObject) => ({ ...readElevenLabs({ agent: given, tools: [] }, {}), variables: {} });
  const paths = partsOf(of(agent)).map(({ path }) => path);
  expect(paths.length).toBeGreaterThan(1);
  for (const path of paths) {
    const texts = { [path]: 'Other words.' };
    expect({ path, read: of(putElevenLabsTexts(agent, texts)) }).toEqual({ path, read: withTexts(of(agent), texts) });
  }
  expect(putElevenLabsTexts(agent, {})).toEqual(agent);
  expect(() => putElevenLabsTexts(agent, { '/tools/t1/description': 'x' })).toThrow('/tools/t1/description');
});
