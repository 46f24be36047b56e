import { expect, test } from 'vitest';
import { contractingStatements } from './contracting-migrations.ts';

const EARLIER = ['Migration20261123000000_audit.ts'];
const found = (statement: string, name = 'Migration20261201000000_x') =>
  contractingStatements(`this.addSql(\`${statement}\`);`, name, EARLIER);

test.each([
  'drop table "calls"',
  'drop function if exists enter(text)',
  'alter table "calls" drop column "x"',
  'alter table "calls" drop x',
  'alter table "calls" rename column "x" to "y"',
  'alter table "calls" rename to "talks"',
  'alter table "calls" alter column "x" set not null',
  'alter table "calls" alter column "x" type bigint',
  'alter table "calls" add column "x" int not null',
])('%s needs a name that says from when on processes do without it', (statement) => {
  expect(found(statement)).toEqual([expect.stringContaining(statement)]);
  expect(found(statement, 'Migration20261201000000_x_from_20261123000000')).toEqual([]);
  expect(found(statement, 'Migration20261201000000_x_from_20261122000000')).toEqual([
    expect.stringContaining('20261122000000'),
  ]);
});

test.each([
  'create table "x" ("id" uuid not null); alter table "x" add column "y" int not null',
  'alter table "calls" add column "x" int null',
  'alter table "calls" add column "x" int not null default 0',
  'alter table "calls" drop constraint "calls_x"',
  'drop index concurrently if exists "calls_x"',
  'create or replace function enter(text) returns void as $$ $$ language sql',
])('%s only adds', (statement) => {
  expect(found(statement)).toEqual([]);
});
