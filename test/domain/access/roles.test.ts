import { expect, test } from 'vitest';
import { APPROVES_FROM, CHANGES_FROM, roleRefusal } from '../../../src/domain/access/roles.ts';
import { ROLES } from '../../../src/domain/vocabulary.ts';

test.each([
  [CHANGES_FROM, ['viewer']],
  [APPROVES_FROM, ['viewer', 'member']],
  ['admin', ['viewer', 'member', 'approver']],
] as const)('what takes %s is refused to %s, with the reason', (least, refused) => {
  expect(ROLES.filter((role) => roleRefusal(least, role) !== null)).toEqual(refused);
});

test('a refusal names the roles that may, and the one that asks', () => {
  expect(roleRefusal('approver', 'member')).toBe('This takes the role approver or admin; yours here is member.');
  expect(roleRefusal('admin', 'approver')).toBe('Only an admin of this workspace can do this.');
});
