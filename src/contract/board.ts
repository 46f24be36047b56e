import { z } from 'zod';
import { ISSUE_SOURCES } from '../domain/vocabulary.ts';
import { count, uuid } from './common.ts';

const rank = z
  .strictObject({ issueId: uuid, rank: z.int().min(1), reason: z.string() })
  .meta({ id: 'RankOfIssue', description: 'Why a listed issue stands where it stands, in a line.' });

const unexplained = z
  .strictObject({
    title: z.string(),
    calls: count,
    refusal: z.string().nullable().describe('What a tool answered last, without numbers and names of one call.'),
    intentSlug: z.string().nullable(),
    ending: z.string().nullable().describe('How most of them ended.'),
    callIds: z.array(uuid).describe('Some of them, newest first.'),
  })
  .meta({
    id: 'UnexplainedCalls',
    description: 'Calls that ended badly without a finding and have something in common. A count, never an issue.',
  });

const hidden = z
  .strictObject({
    folded: count.describe('Under the issue that they follow from, or that the same change fixes.'),
    tooSmall: count.describe('Too rare to be confirmed.'),
    heldBack: count.describe('On calls that fare no worse than others.'),
    snoozed: count,
    resolved: count,
    text: z.string().describe('The same in a sentence; empty where nothing is hidden.'),
  })
  .meta({ id: 'HiddenIssues', description: 'How many issues the open list leaves out, and why.' });

const missing = z
  .strictObject({
    reason: z.string(),
    codes: z.array(z.string()).describe('Codes that could be computed on no call for this reason.'),
    remedy: z.string().nullable().describe('What would change that; null where nothing would.'),
  })
  .meta({ id: 'MissingData' });

/** What the board says beside its issues: why they stand as they do, what was seen without making one, what is missing. */
export const board = z
  .strictObject({
    object: z.literal('board'),
    source: z.enum(ISSUE_SOURCES).describe('The kind of issues that the board of this agent shows.'),
    summary: z.string(),
    calls: count.describe('All analysed calls.'),
    endedBadly: count,
    endedBadlyListed: count.describe('Of them with a listed issue, or one that is folded under it.'),
    endedBadlyCounted: count.describe('Of the others in a row of `unexplained`.'),
    signals: count,
    callsWithSignals: count,
    ranks: z.array(rank).describe('In the order of the list of issues, at most 100.'),
    hidden,
    unexplained: z.array(unexplained).describe('The largest first, at most 20.'),
    unconfirmed: z
      .array(z.strictObject({ issueId: uuid, title: z.string(), place: z.string(), calls: count }))
      .describe('Patterns that are too small to be confirmed, the largest first, at most 10.'),
    missing: z.array(missing).describe('What could be computed on no call, and what would change that.'),
  })
  .meta({
    id: 'Board',
    examples: [
      {
        object: 'board',
        source: 'detector',
        summary:
          'No issue is confirmed on 20 calls. 2 signals were noticed on 2 calls. 9 calls ended badly, 6 more in rows that say what they have in common.',
        calls: 20,
        endedBadly: 9,
        endedBadlyListed: 0,
        endedBadlyCounted: 6,
        signals: 2,
        callsWithSignals: 2,
        ranks: [],
        hidden: {
          folded: 0,
          tooSmall: 1,
          heldBack: 0,
          snoozed: 0,
          resolved: 0,
          text: 'Not on the open list: 1 too rare to be confirmed.',
        },
        unexplained: [
          {
            title: 'Calls about “book table” after find_table said “No table free”',
            calls: 6,
            refusal: 'find_table said “No table free”',
            intentSlug: 'book_table',
            ending: 'The business said no, and nothing else was found',
            callIds: ['019d2a77-40a0-7d55-8c1e-5b8f2a9d3c01'],
          },
        ],
        unconfirmed: [
          { issueId: '019d2a77-40a0-7d55-8c1e-5b8f2a9d3c02', title: 'Tool failed', place: 'find_table', calls: 2 },
        ],
        missing: [
          {
            reason: 'The call has no exact times.',
            codes: ['dead_air', 'turn_latency_high'],
            remedy: 'Import records whose turns and tool results have exact times (`startMs`, `endMs`, `latencyMs`).',
          },
        ],
      },
    ],
  });
export type Board = z.infer<typeof board>;
