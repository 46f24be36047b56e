import { z } from 'zod';
import { PERSON_STATUSES } from '../domain/issues/status-by-person.ts';
import { ISSUE_STATUSES } from '../domain/vocabulary.ts';
import { count, share, timestamp, uuid } from './common.ts';
import { issue } from './issue.ts';
import { plainText, prose } from './text.ts';

/** When an issue counts as resolved, what it waits for, and how sure it is that it is gone. */
export const resolution = z
  .strictObject({
    state: z.enum([
      'resolved',
      'waits_for_time',
      'waits_for_calls',
      'waits_for_analysis',
      'waits_for_import',
      'not_timed',
    ]),
    dueAt: timestamp.nullable().describe('When it counts as resolved if nothing shows it until then.'),
    text: z.string(),
    lastSeenAt: timestamp.nullable(),
    callsWithout: count.describe('Calls since it was last seen on which it could be read.'),
    pastRate: share.describe('Share of such calls that showed it, up to the last one that did.'),
    rateUpper: share.describe('Upper 95 % bound of its rate now.'),
    chanceOfSilence: share.describe('How likely so much silence would be if nothing had changed.'),
    moreCallsUntilSure: count.nullable().describe('Calls without it until that chance is under 5 %.'),
    certainty: z.string().describe('The same in a sentence.'),
  })
  .meta({ id: 'IssueResolution' });
export type Resolution = z.infer<typeof resolution>;

/** A day on which an issue was far more common than in the 28 days before. */
export const spike = z
  .strictObject({
    day: z.string().describe('`YYYY-MM-DD`, UTC.'),
    calls: count,
    of: count,
    pastCalls: count,
    pastOf: count,
    growth: z.number().min(0).nullable().describe('Its rate over the usual one; null where it was never seen before.'),
    growthLower: z.number().min(0).describe('The lower bound of that.'),
    rule: z.string(),
  })
  .meta({ id: 'IssueSpike' });
export type SpikeResource = z.infer<typeof spike>;

const person = z.strictObject({ id: uuid, name: z.string() });

const care = {
  owner: person.nullable(),
  snooze: z
    .strictObject({
      since: timestamp,
      until: timestamp.nullable().describe('Null: until the issue grows or comes back.'),
      by: person.nullable(),
      rate: share.describe('Its rate over the seven days before.'),
    })
    .nullable(),
};

/** Who looks after an issue, for lists. */
export const issueCare = z
  .strictObject({ object: z.literal('issue_care'), issueId: uuid, ...care })
  .meta({ id: 'IssueCare' });

/** An issue as people work on it: the resource of the API, and what belongs to the workspace alone. */
export const issueAtWork = z
  .strictObject({
    object: z.literal('issue_at_work'),
    issue,
    rankReason: z.string().describe('Why it stands where it stands, in a line.'),
    rejected: z.boolean(),
    resolvedAt: timestamp.nullable(),
    ...care,
    resolution,
    spike: spike.nullable(),
    comments: count,
  })
  .meta({ id: 'IssueAtWork' });
export type IssueAtWork = z.infer<typeof issueAtWork>;

const status = {
  status: z
    .enum(PERSON_STATUSES)
    .describe('resolved can only be left for investigating, which takes the issue up again.'),
  version: z
    .int()
    .min(0)
    .max(2_147_483_647)
    .optional()
    .describe('With fix_deployed: the version that has the fix; the current one if left out.'),
  rejected: z.boolean().optional().describe('With resolved: it is no real problem, and stays resolved whatever comes.'),
  reason: plainText(1, 2000).optional().describe('Why, in words; kept in the history.'),
};

export const statusInput = z.strictObject(status);

export const issueChange = z.strictObject({
  ...status,
  status: status.status.optional(),
  ownerId: uuid.nullable().optional().describe('A member of the workspace; null for nobody.'),
  snoozedUntil: z
    .string()
    .max(40)
    .nullable()
    .optional()
    .describe(
      'A time with a zone, at most a year ahead; `growth` for until it grows or comes back; null ends the snooze. It ends early in any case when the issue grows or comes back. The board of the app shows it apart; lists of the API stay as they are.',
    ),
});
export type IssueChange = z.infer<typeof issueChange>;

export const historyEntry = z
  .strictObject({
    object: z.literal('issue_history_entry'),
    id: uuid,
    from: z.enum(ISSUE_STATUSES).nullable(),
    to: z.enum(ISSUE_STATUSES),
    trigger: z.string(),
    person: person.nullable().describe('Null where the analysis or the time did it.'),
    reason: z.string().nullable(),
    at: timestamp,
  })
  .meta({ id: 'IssueHistoryEntry' });

export const commentInput = z.strictObject({ text: prose(1, 10_000) });

export const comment = z
  .strictObject({ object: z.literal('issue_comment'), id: uuid, person, text: z.string(), createdAt: timestamp })
  .meta({ id: 'IssueComment' });
export type CommentResource = z.infer<typeof comment>;
