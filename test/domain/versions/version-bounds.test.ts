import { expect, test } from 'vitest';
import type { AgentConfiguration } from '../../../src/domain/versions/configuration.ts';
import { tooLargeFor, VERSION_AT_MOST } from '../../../src/domain/versions/version-bounds.ts';

const EMPTY: AgentConfiguration = {
  name: 'Front desk',
  language: null,
  prompt: null,
  firstMessage: null,
  model: null,
  voice: null,
  tools: [],
  nodes: [],
  startNodeId: null,
  variables: {},
};
const step = (text: string | null, ways = 0): AgentConfiguration['nodes'][number] => ({
  id: 'a',
  label: 'A',
  kind: 'conversation',
  text,
  toolName: null,
  edges: Array.from({ length: ways }, () => ({ to: null, condition: null })),
});
const tool: AgentConfiguration['tools'][number] = {
  id: 't',
  name: 't',
  description: '',
  kind: 'other',
  parameters: null,
  timeoutMs: null,
  speaksDuring: null,
};
const times = <One>(count: number, one: One): One[] => Array.from({ length: count }, () => one);
const { characters, lines, tools, steps, ways } = VERSION_AT_MOST;

test.each<[string, number, (held: number) => Partial<AgentConfiguration>]>([
  ['lines', lines, (held) => ({ prompt: '\n'.repeat(held - 1) })],
  ['lines', lines, (held) => ({ prompt: 'a', nodes: [step('\n'.repeat(held - 2))] })],
  ['tools', tools, (held) => ({ tools: times(held, tool) })],
  ['steps', steps, (held) => ({ nodes: times(held, step(null)) })],
  ['ways', ways, (held) => ({ nodes: [step(null, held - 1), step(null, 1)] })],
])('a version holds %s up to a bound, and what is beyond is said', (name, most, holding) => {
  expect(tooLargeFor({}, { ...EMPTY, ...holding(most) })).toBeNull();
  expect(tooLargeFor({}, { ...EMPTY, ...holding(most + 1) })).toBe(`It has ${most + 1} ${name}; ${most} are read.`);
});

test('document and configuration are as long together as they may be', () => {
  const others = JSON.stringify({ a: '' }).length + JSON.stringify(EMPTY).length;
  expect(tooLargeFor({ a: 'x'.repeat(characters - others) }, EMPTY)).toBeNull();
  expect(tooLargeFor({ a: 'x'.repeat(characters - others + 1) }, EMPTY)).toMatch(/characters; \d+ are read/);
});
