import { expect, test } from 'vitest';
import { decideSchemaFit } from '../../src/db/schema-fit.ts';

const [FIRST, SECOND, THIRD] = [
  'Migration20261121000000',
  'Migration20261122000000_outbox',
  'Migration20261123000000_audit',
] as const;
const ADDS = 'Migration20261201000000_sites';
const DROPS_FROM_SECOND = 'Migration20261202000000_drops_outbox_from_20261122000000';
const DROPS_FROM_THIRD = 'Migration20261202000000_drops_audit_from_20261123000000';
const DROPS_FROM_LATER = 'Migration20261202000000_drops_sites_from_20261201000000';
const KNOWN = [THIRD, FIRST, SECOND];

test.each([
  ['what it knows, in any order', [SECOND, THIRD, FIRST], KNOWN, { is: 'fits' }],
  ['an empty database', [], KNOWN, { is: 'behind', missing: [FIRST, SECOND, THIRD] }],
  ['without the newest', [FIRST, SECOND], KNOWN, { is: 'behind', missing: [THIRD] }],
  ['without one in between', [FIRST, THIRD], KNOWN, { is: 'behind', missing: [SECOND] }],
  ['with a later one that adds', [...KNOWN, ADDS], KNOWN, { is: 'fits' }],
  ['with one that takes away what it does without', [...KNOWN, ADDS, DROPS_FROM_SECOND], KNOWN, { is: 'fits' }],
  ['with one that takes away what its release has stopped to use', [...KNOWN, DROPS_FROM_THIRD], KNOWN, { is: 'fits' }],
  [
    'with one that takes away what it uses',
    [...KNOWN, ADDS, DROPS_FROM_LATER],
    KNOWN,
    { is: 'newer', unknown: [DROPS_FROM_LATER] },
  ],
  [
    'with an earlier one that it does not know',
    [...KNOWN, 'Migration20261122120000_others'],
    KNOWN,
    { is: 'newer', unknown: ['Migration20261122120000_others'] },
  ],
  ['of another line, which lacks some and has others', [FIRST, SECOND, ADDS], KNOWN, { is: 'newer', unknown: [ADDS] }],
  ['of something else', ['2019_init'], KNOWN, { is: 'newer', unknown: ['2019_init'] }],
] as const)('a schema %s', (_name, executed, known, fit) => {
  expect(decideSchemaFit(executed, known)).toEqual(fit);
});
