import { expect, test } from 'vitest';
import { analyseCall } from '../../../../src/domain/signals/analyse-call.ts';
import type { NodeDefinition } from '../../../../src/domain/versions/configuration.ts';
import { scripted } from '../scripted-call.ts';

const node = (id: string, ...to: (string | null)[]): NodeDefinition => ({
  id,
  label: id,
  kind: 'conversation',
  text: null,
  toolName: null,
  edges: to.map((one) => ({ to: one, condition: null })),
});

/** Steps that are reported as skipped on a call that walks a path through a flow which begins at `start`. */
function skipped(nodes: NodeDefinition[], path: string[], startNodeId: string | null = 'start'): string[] {
  const lines = path.map((id) => ({ a: `This is ${id}.`, node: id }));
  const call = scripted([{ c: 'a rowing course please' }, ...lines], { configuration: { nodes, startNodeId } });
  return analyseCall(call, {}).signals.flatMap(({ code, place }) => (code === 'step_skipped' ? [place.id] : []));
}

const LINE = [node('start', 'consent'), node('consent', 'swims'), node('swims', 'book'), node('book', null)];

test.each<[string, NodeDefinition[], string[], string[]]>([
  ['every step of a line', LINE, ['start', 'book'], ['consent', 'swims']],
  ['one step of a line', LINE, ['start', 'consent', 'book'], ['swims']],
  [
    'the step before a fork',
    [
      node('start', 'consent'),
      node('consent', 'adult', 'child'),
      node('adult', 'book'),
      node('child', 'book'),
      node('book'),
    ],
    ['start', 'adult', 'book'],
    ['consent'],
  ],
  [
    'a step on the only way into a loop',
    [
      node('start', 'consent'),
      node('consent', 'ask'),
      node('ask', 'check'),
      node('check', 'ask', 'book'),
      node('book'),
    ],
    ['start', 'ask', 'check', 'ask', 'check', 'book'],
    ['consent'],
  ],
])('%s is reported once', (_, nodes, path, expected) => {
  expect(skipped(nodes, path)).toEqual(expected);
});

test.each<[string, NodeDefinition[], string[]]>([
  ['all were visited', LINE, ['start', 'consent', 'swims', 'book']],
  ['they come later than usual', LINE, ['start', 'book', 'swims', 'consent']],
  ['the call ended before', LINE, ['start', 'consent']],
  [
    'another edge leads around it',
    [node('start', 'consent', 'book'), node('consent', 'book'), node('book')],
    ['start', 'book'],
  ],
  [
    'only one of two ways was taken',
    [node('start', 'adult', 'child'), node('adult', 'book'), node('child', 'book'), node('book')],
    ['start', 'child', 'book'],
  ],
  ['a step can be reached from anywhere', [...LINE, node('complaint', 'book')], ['start', 'complaint']],
  ['a step that can be reached from anywhere leads on', [...LINE, node('complaint', 'book')], ['complaint', 'book']],
  ['an edge leads nowhere', [node('start', null, 'book'), node('book')], ['start', 'book']],
  ['an edge leads to a step that is not there', [node('start', 'gone', 'book'), node('book')], ['start', 'book']],
  ['the call was at a step that is not in the flow', LINE, ['start', 'elsewhere']],
])('nothing is reported where %s', (_, nodes, path) => {
  expect(skipped(nodes, path)).toEqual([]);
});

test('a flow of which nobody knows where it begins is not judged', () => {
  expect(skipped(LINE, ['start', 'book'], null)).toEqual([]);
});

test('a flow of more steps than anybody draws is left alone', () => {
  const line = (length: number) =>
    Array.from({ length }, (_, at) => (at === length - 1 ? node(`s${at}`) : node(`s${at}`, `s${at + 1}`)));
  expect(skipped(line(40), ['s0', 's39'], 's0').length).toBeGreaterThan(0);
  expect(skipped(line(400), ['s0', 's399'], 's0')).toEqual([]);
});
