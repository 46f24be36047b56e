import type { Role } from '../../../src/domain/vocabulary.ts';

/** What each role may do, least first. */
export const ROLE_WORDS: Record<Role, { label: string; may: string }> = {
  viewer: { label: 'Viewer', may: 'reads everything but settings of admins, and changes nothing' },
  member: { label: 'Member', may: 'works: issues, tests, watches, drafts, imports' },
  approver: { label: 'Approver', may: 'works, and approves runs over their budget' },
  admin: { label: 'Admin', may: 'also manages members, keys, connections, webhooks and money' },
};
