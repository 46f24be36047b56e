import type { CardInput } from './copilot.ts';

const QUOTED_AT_MOST = 160;

/** Words of others in a sentence of ours, on one line and never longer than one. */
function quoted(value: unknown): string {
  const text = typeof value === 'string' ? value.replaceAll(/\s+/g, ' ').trim() : '';
  return `“${text.length > QUOTED_AT_MOST ? `${text.slice(0, QUOTED_AT_MOST - 1).toWellFormed()}…` : text}”`;
}

const lengthOf = (value: unknown): number => (Array.isArray(value) ? value.length : 0);
const counted = (count: number, noun: string) => `${count} ${noun}${count === 1 ? '' : 's'}`;

/**
 * Everything that may be proposed, by the id of its operation, and what confirming it would do. What approves, publishes or
 * turns something on is never here: a person goes and does that where its consequences are shown. A run is, for a goal
 * whose plan a person has approved, and its card says what it may cost.
 */
const PROPOSALS: Record<string, (input: CardInput) => string> = {
  createTest: ({ body }) =>
    body.spec === undefined
      ? `Make a test of the call ${String(body.sourceCallId ?? body.callId)}${body.title === undefined ? '' : `, titled ${quoted(body.title)}`}.`
      : `Create the test ${quoted(body.title)}.`,
  replaceTestSpec: ({ path, body }) =>
    `Replace the spec of the test ${path.testId}, which is at revision ${String(body.revision)}.`,
  createWatch: ({ body }) => `Write the watch ${quoted(body.name)}, as a draft.`,
  setIssueStatus: ({ path, body }) =>
    `${body.rejected === true ? 'Reject' : 'Set'} the issue ${path.issueId}${body.rejected === true ? '' : ` to ${String(body.status)}`}, because ${quoted(body.reason)}.`,
  createGoal: ({ body }) =>
    `Open the goal ${quoted(body.title)}${body.testCaseIds === undefined ? '' : ` with a plan of ${counted(lengthOf(body.testCaseIds), 'test')}`}. Its plan waits for approval.`,
  changeGoal: ({ path, body }) =>
    `Change the goal ${path.goalId}${body.title === undefined ? '' : `: title ${quoted(body.title)}`}${
      body.testCaseIds === undefined
        ? ''
        : `: a plan of ${counted(lengthOf(body.testCaseIds), 'test')}, which waits for approval`
    }.`,
  createDraft: ({ body }) =>
    `Begin a draft${body.title === undefined ? '' : ` titled ${quoted(body.title)}`} with ${counted(lengthOf(body.changes), 'change')}. Nothing changes at the platform.`,
  changeDraft: ({ path, body }) =>
    `Lay ${counted(lengthOf(body.changes), 'change')} over the draft ${path.draftId}. Nothing changes at the platform.`,
  startRun: (input) => runSummary(input),
};

const runSummary = ({ body }: CardInput): string => {
  const tests =
    body.all === true ? 'all tests' : Array.isArray(body.testIds) ? counted(body.testIds.length, 'test') : 'a test set';
  const callers = lengthOf(body.personas);
  const what = [
    body.version === undefined || body.version === null ? null : `against version ${String(body.version)}`,
    body.draftId === undefined || body.draftId === null ? null : `with the text of the draft ${String(body.draftId)}`,
    callers === 0 ? null : `by ${counted(callers, 'persona')}`,
    body.repeats === undefined || body.repeats === null ? null : `${String(body.repeats)} times each`,
  ].filter((one) => one !== null);
  return `Start a run of ${[tests, ...what].join(' ')} for the goal ${String(body.goalId)}.`;
};

export const PROPOSABLE: readonly string[] = Object.keys(PROPOSALS);

/** What a card would do, by rule: a model's own words could dress it as something else. */
export function summaryOf(operation: string, input: CardInput): string {
  const summary = PROPOSALS[operation];
  if (!summary) throw new Error(`${operation} can not be proposed.`);
  return summary(input);
}
