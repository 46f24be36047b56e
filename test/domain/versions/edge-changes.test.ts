import { describe, expect, test } from 'vitest';
import type { NodeDefinition } from '../../../src/domain/versions/configuration.ts';
import { changeOfEdges } from '../../../src/domain/versions/edge-changes.ts';
import { configurationOf, nodeNamed } from '../../support/played.ts';

type Way = [to: string | null, condition: string | null];
type Told = [kind: string, detail: string, before: string | null, after: string | null];

const edges = (ways: Way[]): NodeDefinition['edges'] => ways.map(([to, condition]) => ({ to, condition }));
const version = (ways: Way[] | null) =>
  configurationOf({
    nodes: [
      ...(ways === null ? [] : [{ ...nodeNamed('n1', 'Greeting'), edges: edges(ways) }]),
      nodeNamed('n2', 'Booking'),
      nodeNamed('n3', 'Closing'),
    ],
  });
const changes = (before: Way[] | null, after: Way[] | null): Told[] =>
  changeOfEdges(version(before), version(after)).map((one) => [one.kind, one.detail, one.before, one.after]);

const WANTS: Way = ['n2', 'wants a table'];

describe('the ways between two steps', () => {
  test.each<[rule: string, before: Way[], after: Way[], told: Told[]]>([
    ['the same ones in another order are no change', [WANTS, ['n3', 'bye']], [['n3', 'bye'], WANTS], []],
    ['one more', [], [WANTS], [['edge_added', 'Way from “Greeting” to “Booking” was added', null, 'wants a table']]],
    [
      'one fewer',
      [WANTS],
      [],
      [['edge_removed', 'Way from “Greeting” to “Booking” was removed', 'wants a table', null]],
    ],
    [
      'another condition',
      [WANTS],
      [['n2', 'asks']],
      [['edge_changed', 'Way from “Greeting” to “Booking” was changed', 'wants a table', 'asks']],
    ],
    [
      'no condition any more',
      [WANTS],
      [['n2', null]],
      [['edge_changed', 'Way from “Greeting” to “Booking” was changed', 'wants a table', 'always']],
    ],
    [
      'another step is another way',
      [WANTS],
      [['n3', 'wants a table']],
      [
        ['edge_added', 'Way from “Greeting” to “Closing” was added', null, 'wants a table'],
        ['edge_removed', 'Way from “Greeting” to “Booking” was removed', 'wants a table', null],
      ],
    ],
    [
      'of two that are alike one went',
      [WANTS, WANTS],
      [WANTS],
      [['edge_removed', 'Way from “Greeting” to “Booking” was removed', 'wants a table', null]],
    ],
    [
      'one that leads nowhere ends the call',
      [],
      [[null, 'bye']],
      [['edge_added', 'Way from “Greeting” to the end was added', null, 'bye']],
    ],
    [
      'one to a step that nobody knows is named by its id',
      [],
      [['n9', null]],
      [['edge_added', 'Way from “Greeting” to “n9” was added', null, 'always']],
    ],
  ])('%s', (_, before, after, told) => {
    expect(changes(before, after)).toEqual(told);
  });

  test('those of a step that came or went are told with the step', () => {
    expect(changes(null, [WANTS])).toEqual([]);
    expect(changes([WANTS], null)).toEqual([]);
  });

  test('stand at the step that they lead from', () => {
    expect(changeOfEdges(version([]), version([WANTS]))[0]?.place).toEqual({
      kind: 'node',
      id: 'n1',
      label: 'Greeting',
    });
  });
});
