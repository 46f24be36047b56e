import { expect, test } from 'vitest';
import type { Json } from '../../../src/domain/json.ts';
import { checkArguments } from '../../../src/domain/signals/json-schema.ts';

const SCHEMA: Json = {
  type: 'object',
  required: ['kiln', 'cone'],
  properties: {
    kiln: { type: 'string', enum: ['gas', 'electric'] },
    cone: { type: 'integer' },
    weight: { type: 'number' },
    shelf: { type: ['integer', 'null'] },
    level: { type: 'integer', enum: [1, 2, 3] },
    rush: { type: 'boolean' },
    pieces: { type: 'array' },
    owner: { type: 'object' },
    anything: {},
  },
};

const faultsOf = (args: Json) => {
  const { missing, wrongType, notAllowed } = checkArguments(SCHEMA, args);
  return [
    ...missing.map((name) => `no ${name}`),
    ...wrongType.map((name) => `type of ${name}`),
    ...notAllowed.map((name) => `value of ${name}`),
  ];
};
const given = (over: { [name: string]: Json }) => faultsOf({ kiln: 'gas', cone: 6, ...over });

test.each<[string, { [name: string]: Json }]>([
  ['no more than is required', {}],
  ['a number as text', { cone: '6', weight: ' 2.5 ' }],
  ['a whole number with a point', { cone: 6.0 }],
  ['a yes or no as text', { rush: 'true' }],
  ['nothing for what may be left out', { weight: null, rush: '' }],
  ['one of two types', { shelf: 3 }],
  ['null for what may be null', { shelf: null }],
  ['an allowed number as text', { level: '2' }],
  ['a list and a thing', { pieces: [], owner: {} }],
  ['anything where the schema says nothing', { anything: [1], unknown: true }],
])('%s is valid', (_, args) => {
  expect(given(args)).toEqual([]);
});

test.each<[string, { [name: string]: Json }, string[]]>([
  ['a broken number', { cone: 6.5 }, ['type of cone']],
  ['a word for a number', { weight: 'heavy' }, ['type of weight']],
  ['an empty text for what is required', { kiln: '  ' }, ['no kiln', 'value of kiln']],
  ['null for what is required', { cone: null }, ['no cone']],
  ['a number for a text', { kiln: 3 }, ['type of kiln']],
  ['a value that is not on the list', { kiln: 'wood' }, ['value of kiln']],
  ['another case of a value on the list', { kiln: 'Gas' }, ['value of kiln']],
  ['a number that is not on the list', { level: 4 }, ['value of level']],
  ['the same as text', { level: '4' }, ['value of level']],
  ['a word for a yes or no', { rush: 'maybe' }, ['type of rush']],
  ['a thing for a list', { pieces: {} }, ['type of pieces']],
  ['a list for a thing', { owner: [] }, ['type of owner']],
])('%s is invalid', (_, args, faults) => {
  expect(given(args)).toEqual(faults);
});

test.each<[string, Json]>([
  ['a type of null', { type: ['string', 'null'] }],
  ['the older word for it', { type: 'string', nullable: true }],
  ['a choice that holds null', { anyOf: [{ type: 'string' }, { type: 'null' }] }],
  ['a list of values that holds null', { enum: ['matt', null] }],
])('a required argument may be null where the schema says so by %s', (_, glaze) => {
  const schema: Json = { required: ['glaze'], properties: { glaze } };
  expect(checkArguments(schema, { glaze: null }).missing).toEqual([]);
  expect(checkArguments(schema, {}).missing).toEqual(['glaze']);
});

test.each<[string, Json, Json]>([
  ['no schema', null, { kiln: 'wood' }],
  ['a schema that is a text', 'object', { kiln: 'wood' }],
  ['a schema whose parts are of other types', { required: 'kiln', properties: [] }, {}],
  ['names that are no texts', { required: [1, null] }, {}],
  ['a type that nobody knows', { properties: { kiln: { type: 'furnace' } } }, { kiln: 1 }],
  ['a property that is no object', { properties: { kiln: true } }, { kiln: 1 }],
])('nothing is judged by %s', (_, schema, args) => {
  expect(checkArguments(schema, args)).toEqual({ missing: [], wrongType: [], notAllowed: [] });
});

test.each<[string, Json]>([
  ['null', null],
  ['a text', 'gas'],
  ['a list', ['gas', 6]],
])('arguments that are %s hold nothing that is required', (_, args) => {
  expect(checkArguments(SCHEMA, args).missing).toEqual(['kiln', 'cone']);
});
