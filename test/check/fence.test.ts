import { expect, test } from 'vitest';
import { checkFence } from './fence.ts';

const findings = (path: string, text: string) => checkFence([{ path, text }]);

test.each([
  'select id from workspaces where is_system',
  'update outbox_entries set sent_at = now()',
  'insert into people (id) values (1)',
  'select 1 from agents a join sessions s on true',
  'delete from buckets',
  "db(em).selectFrom('workspaces as w')",
  "db(em).selectFrom('agents').innerJoin('people as p', 'p.id', 'agents.personId')",
  "db(em).updateTable('sessions')",
])('a query of a workspace does not ask what has no row security: %s', (statement) => {
  expect(findings('src/db/calls/calls.ts', statement)).toEqual([expect.stringContaining('src/db/system/')]);
  expect(findings('src/db/system/outbox.ts', statement)).toEqual([]);
});

test('the name of a person may stand beside what they did', () => {
  expect(
    findings('src/db/calls/comments.ts', 'from issue_comments c left join people p on p.id = c.person_id'),
  ).toEqual([]);
  expect(findings('src/db/comments/list.ts', ".leftJoin('people as p', 'p.id', 'c.personId')")).toEqual([]);
});
