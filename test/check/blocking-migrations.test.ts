import { expect, test } from 'vitest';
import { blockingStatements } from './blocking-migrations.ts';

const migration = (...statements: string[]) => statements.map((one) => `this.addSql(\`${one};\`);`).join('\n');

test.each([
  ['an index', 'create index "calls_x" on "calls" ("agent_id")'],
  ['a unique one', 'create unique index calls_x on calls (agent_id) where state is null'],
  ['a check', 'alter table "calls" add constraint "calls_x" check (x > 0)'],
  ['a foreign key', 'alter table "calls"\n  add constraint "x" foreign key ("agent_id") references "agents" ("id")'],
  ['a unique key', 'alter table "calls" add constraint "x" unique ("agent_id")'],
  ['a column with a check', 'alter table "calls" add column "x" int not null default 0 check (x >= 0)'],
  ['a stored column', 'alter table "calls" add column "x" int not null generated always as (- y) stored'],
  ['not null', 'alter table "calls" alter column "x" set not null'],
  ['another type', 'alter table "calls" alter column "x" type bigint'],
])('%s on a table with rows is refused', (_what, statement) => {
  expect(blockingStatements(migration(statement))).toEqual([expect.stringContaining('calls')]);
});

test.each([
  ['a table of its own', migration('create table "x" ("id" uuid not null)', 'create index "x_id" on "x" ("id")')],
  ['a concurrent index', `this.addIndex('calls_x', 'on "calls" ("agent_id")');`],
  ['a constraint for what comes', migration('alter table "calls" add constraint "x" check (y > 0) not valid')],
  ['one that is validated', migration('alter table "calls" validate constraint "x"')],
  [
    'not null after a check that was validated',
    migration('alter table "calls" validate constraint "x"', 'alter table "calls" alter column "y" set not null'),
  ],
  ['a plain column', migration('alter table "calls" add column "x" text null')],
  ['a unique key of an index', migration('alter table "calls" add constraint "x" unique using index "calls_x"')],
  [
    'a reason',
    `readonly blocksBecause = 'Plans have one row a workspace.';\n${migration('create index "p" on "plans" ("x")')}`,
  ],
])('%s is let through', (_what, text) => {
  expect(blockingStatements(text)).toEqual([]);
});
