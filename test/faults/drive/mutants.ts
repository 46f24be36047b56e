import type { INVARIANTS } from './check.ts';

/** A way in which the product could break a promise, as a change of one place of its code. */
export interface Mutant {
  /** What the broken product does. */
  does: string;
  file: string;
  /** Stands once in the file. */
  find: string;
  replace: string;
  /** The invariant that has to notice. */
  breaks: (typeof INVARIANTS)[number]['name'];
  /** Names of the faults that bring it out, or leave time for it; any where left out. */
  only?: readonly string[];
}

export const MUTANTS: readonly Mutant[] = [
  {
    does: 'does a repeated request again',
    file: 'src/operations/idempotency.ts',
    find: 'if (VISIBLE.test(key)) return key;',
    replace: 'if (VISIBLE.test(key)) return null;',
    breaks: 'what is there was asked for once and is there once',
  },
  {
    does: 'answers before what it stored is on disk',
    file: 'src/db/orm.ts',
    find: 'application_name: options.applicationName,',
    replace: "application_name: options.applicationName, options: '-c synchronous_commit=off',",
    breaks: 'what was acknowledged is there',
    only: ['PostgreSQL killed'],
  },
  {
    does: 'says that a key is revoked, and leaves it in force',
    file: 'src/db/system/keys.ts',
    find: ".where('revokedAt', 'is', null)\n    .set({ revokedAt: now })\n    .returning('id')",
    replace: ".where('revokedAt', 'is', null)\n    .set({ revokedAt: null })\n    .returning('id')",
    breaks: 'a revoked key is refused from the next request on',
  },
  {
    does: 'tells a stranger that an agent is there',
    file: 'src/operations/perform.ts',
    find: "throw new Failure('agent_not_found'",
    replace: "throw new Failure('admin_only'",
    breaks: 'nobody sees what is next door',
  },
  {
    does: 'says that calls are erased, and keeps them',
    file: 'src/services/erasures/erase-calls.ts',
    find: '  await eraseRows(em, ids, issueIds, removed);\n',
    replace: '',
    breaks: 'what was erased stays away',
    only: ['receiver fails'],
  },
  {
    does: 'begins each page of a list with the last row of the page before',
    file: 'src/operations/context.ts',
    find: 'services.cursors.seal(cursorScope, position(last))',
    replace: 'services.cursors.seal(cursorScope, position(shown.at(-2) ?? last))',
    breaks: 'a list shows what was there exactly once',
  },
  {
    does: 'charges twice for a run',
    file: 'src/db/runs/budgets.ts',
    find: 'greatest(0, spent.platform - (',
    replace: 'greatest(0, spent.platform * 2 - (',
    breaks: 'money is spent once and within its budget',
  },
  {
    does: 'audits a write twice',
    file: 'src/operations/perform.ts',
    find: '      await audit.wrote?.(transaction, admission, input.body, answer.status, answer.body);\n',
    replace:
      '      await audit.wrote?.(transaction, admission, input.body, answer.status, answer.body);\n      await audit.wrote?.(transaction, admission, input.body, answer.status, answer.body);\n',
    breaks: 'every write with a key is audited once',
  },
  {
    does: 'takes any answer of a receiver for a delivery',
    file: 'src/domain/delivery/outcome.ts',
    find: 'if (status >= 200 && status < 300)',
    replace: 'if (status >= 200)',
    breaks: 'every run is told of, always in the same words',
    only: ['receiver fails'],
  },
  {
    does: 'takes an approval and tells nobody',
    file: 'src/operations/runs/decide.ts',
    find: '  await addToOutbox(em, { entry, workspaceId: agent.workspaceId, agentId: agent.id });\n',
    replace: '',
    breaks: 'an approval that was taken takes effect once',
  },
  {
    does: 'forgets what Temporal did not take',
    file: 'src/services/outbox/open-outbox.ts',
    find: 'markOutboxEntryUnsent(system(), id, error, againInSeconds)',
    replace: 'markOutboxEntrySent(system(), id)',
    breaks: 'what was begun ends',
    only: ['Temporal killed', 'network to temporal lost'],
  },
];
