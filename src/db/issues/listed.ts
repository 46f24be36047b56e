import { type ExpressionBuilder, expressionBuilder } from 'kysely';
import type { Tables } from '../tables.ts';

type Issues = ExpressionBuilder<Tables, 'issues'>;

/** What stands on a board as a problem and is not resolved, of whatever kind the board shows. */
export const isOpenProblem = (eb: Issues) =>
  eb.and([
    eb('issues.section', '<>', 'hidden'),
    eb('issues.withdrawnAt', 'is', null),
    eb('issues.status', '<>', 'resolved'),
    eb('issues.klass', '<>', 'behaviour'),
  ]);

/** The issues of an agent's default list: of the kind that its board shows. Stands within other statements too. */
export const listedIssues = (agentId: string) =>
  expressionBuilder<Tables>()
    .selectFrom('issues')
    .innerJoin('agents as listing', 'listing.id', 'issues.agentId')
    .where('issues.agentId', '=', agentId)
    .whereRef('issues.source', '=', 'listing.boardSource')
    .where(isOpenProblem);

export const countListed = (agentId: string) =>
  listedIssues(agentId).select(({ fn }) => fn.countAll<number>().as('issues'));
