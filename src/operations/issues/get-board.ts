import { type Board, board } from '../../contract/board.ts';
import { readComputability } from '../../db/evidence/read-coverage.ts';
import { countHidden, readBoardCounts, readUnconfirmed, readUnexplained } from '../../db/issues/read-board.ts';
import { listBoard } from '../../db/issues/read-issues.ts';
import { readAgentCosts } from '../../db/metrics/agent-costs.ts';
import { hiddenText, summarise } from '../../domain/issues/board-summary.ts';
import { groupUnexplained } from '../../domain/issues/unexplained.ts';
import { remedyFor } from '../../domain/signals/remedies.ts';
import { costGap, withGap } from '../../domain/signals/renew-cost.ts';
import { type Context, defineOperation } from '../operation.ts';
import { scopeOf } from '../scope-of.ts';
import { reasonOf } from './present-rank.ts';

const RANKS_TOLD = 100;

export const getBoard = defineOperation({
  id: 'getBoard',
  surface: 'v1',
  method: 'GET',
  path: '/v1/agents/{agentId}/board',
  scope: 'read',
  tag: 'Issues',
  summary: 'Read why the issues stand as they do, and what is no issue',
  description:
    'For each listed issue the reason for its rank; calls that ended badly without a finding, by the last refusal and what the caller wanted; patterns that are too small to be confirmed; and what could not be computed for want of data.',
  whenToUse:
    'Call it beside the list of issues: to say why the first one is first, and above all when the list is short or empty.',
  response: board,
  async run(context): Promise<Board> {
    const { em, agent } = context;
    const scope = scopeOf(agent);
    const filter = {
      source: agent.boardSource,
      statuses: null,
      classes: null,
      includeResolved: false,
      includeDownstream: false,
    };
    const listed = (await listBoard(em, scope, filter, { after: null, limit: RANKS_TOLD })).slice(0, RANKS_TOLD);
    const counts = await readBoardCounts(em, scope, agent.boardSource);
    const { rows, left } = groupUnexplained(await readUnexplained(em, scope, agent.boardSource));
    const hidden = await countHidden(em, scope, agent.boardSource);
    const unconfirmed = await readUnconfirmed(em, scope, agent.boardSource);
    const missing = await readMissing(context);
    const counted = rows.reduce((sum, row) => sum + row.calls, 0);
    const { calls, endedBadly, explained, signals, callsWithSignals } = counts;
    const facts = { ...counts, hidden, counted, listed: agent.openIssueCount, unconfirmed, missing, left };
    return {
      object: 'board',
      source: agent.boardSource,
      summary: summarise(facts),
      calls,
      endedBadly,
      endedBadlyListed: explained,
      endedBadlyCounted: counted,
      signals,
      callsWithSignals,
      ranks: listed.map((issue, at) => ({ issueId: issue.id, rank: at + 1, reason: reasonOf(issue, agent) })),
      hidden: { ...hidden, text: hiddenText(hidden) },
      unexplained: rows,
      unconfirmed: unconfirmed.map(({ id, ...pattern }) => ({ issueId: id, ...pattern })),
      missing,
    };
  },
});

/** Codes that could be computed on no call, by the commonest reason; the reason with the most codes first. */
async function readMissing({ em, agent }: Context): Promise<Board['missing']> {
  const gap = costGap(await readAgentCosts(em, agent.id), agent.thresholds);
  const profiles = await readComputability(em, scopeOf(agent));
  const all = profiles.reduce((sum, { calls }) => sum + calls, 0);
  const byCode = new Map<string, { calls: number; reasons: Map<string, number> }>();
  for (const profile of profiles) {
    for (const { code, reason } of withGap(profile.notComputable, gap)) {
      const known = byCode.get(code) ?? { calls: 0, reasons: new Map() };
      known.calls += profile.calls;
      known.reasons.set(reason, (known.reasons.get(reason) ?? 0) + profile.calls);
      byCode.set(code, known);
    }
  }
  const nowhere = [...byCode].flatMap(([code, { calls, reasons }]) => {
    const [top] = [...reasons].toSorted(([a, x], [b, y]) => y - x || (a < b ? -1 : 1));
    return all > 0 && calls >= all && top ? [{ code, reason: top[0] }] : [];
  });
  return [...Map.groupBy(nowhere, ({ reason }) => remedyFor(reason) ?? reason)]
    .map(([, same]) => ({
      reason: same[0]?.reason ?? '',
      codes: same.map(({ code }) => code).sort(),
      remedy: remedyFor(same[0]?.reason ?? ''),
    }))
    .sort((a, b) => b.codes.length - a.codes.length || (a.reason < b.reason ? -1 : 1));
}
