import type { Board } from '../src/contract/board.ts';
import type { CallResource, CallSignals, DetectedSignal } from '../src/contract/call.ts';
import type { IssueExplanation } from '../src/contract/explanation.ts';
import type { IssueResource } from '../src/contract/issue.ts';
import { PROGRAM } from '../src/layout.ts';
import { agentFlag, chooseAgent } from './choose-agent.ts';
import { findAnywhere, notFound } from './find-anywhere.ts';
import { query, readList } from './lists.ts';
import { type Printer, percent } from './print.ts';
import { EXIT, Problem } from './problem.ts';
import { proofLine } from './proof-lines.ts';
import type { Session } from './session.ts';

export interface IssueOptions {
  agent?: string;
  status?: string;
  klass?: string;
  resolved?: boolean;
  downstream?: boolean;
  limit?: number;
}

const QUOTES_SHOWN = 3;
const ROWS_SHOWN = 8;

export async function showIssues(session: Session, options: IssueOptions): Promise<void> {
  const { client, print, json } = session;
  const agent = await chooseAgent(session, options.agent);
  const filter = query({
    status: options.status,
    klass: options.klass,
    includeResolved: options.resolved,
    includeDownstream: options.downstream,
  });
  const issues = await readList<IssueResource>(client, `/v1/agents/${agent.id}/issues${filter}`, options.limit);
  if (json) return print.json(issues);
  const board = await client.read<Board>(`/v1/agents/${agent.id}/board`);
  if (issues.length === 0) {
    print.line(filter === '' ? 'No issues.' : 'No issues of this kind.');
    return showRest(print, board);
  }
  const reasons = new Map(board.ranks.map(({ issueId, reason }) => [issueId, reason]));
  print.table(
    ['', 'Issue', 'Place', 'Calls', 'Ended badly', 'Section'],
    issues.map((issue, at) => [
      String(at + 1),
      issue.title,
      issue.location.label,
      String(issue.volume),
      percent(issue.failedOutcomeShare),
      issue.section.replaceAll('_', ' '),
    ]),
    issues.map((issue) => [standingOf(issue), reasons.get(issue.id) ?? '']),
  );
  showRest(print, board);
  const flag = agentFlag(agent, options.agent);
  if (filter === '') print.note(`The words behind the first one: ${PROGRAM} issues 1${flag}`);
}

function standingOf({ status, fellOnLive, causeSummary }: IssueResource): string {
  const state = `${status.replaceAll('_', ' ')}${fellOnLive ? ', fell on live' : ''}`;
  return causeSummary === '' ? state : `${state}; cause: ${causeSummary}`;
}

/** What is on the board of no issue: calls that ended badly without a finding, and what was seen and could not be. */
function showRest(print: Printer, { unexplained, summary }: Board): void {
  if (unexplained.length > 0) {
    print.line();
    print.line('Ended badly without a finding:');
    for (const { calls, title } of unexplained.slice(0, ROWS_SHOWN)) print.line(`  ${calls} ${title}`);
  }
  print.line();
  print.line(summary);
}

/** @param wanted an issue's number in the list, or its id, of whichever agent. */
export async function showIssue(session: Session, wanted: string, options: { agent?: string }): Promise<void> {
  const { client, print, json } = session;
  const found = /^[1-9]\d{0,4}$/.test(wanted)
    ? await findNumber(session, Number(wanted), options.agent)
    : await findAnywhere(session, options.agent, ({ id }) =>
        client.read<IssueResource>(`/v1/agents/${id}/issues/${encodeURIComponent(wanted)}`),
      );
  if (!found) throw notFound('issue', wanted, options.agent);
  const { agent, thing: issue } = found;
  const base = `/v1/agents/${agent.id}/issues/${issue.id}`;
  const explanation = await client.read<IssueExplanation>(`${base}/explanation`);
  const quotes = await readQuotes(session, agent.id, issue);
  if (json) return print.json({ issue, explanation, quotes });
  print.line(`${issue.title}  (${issue.section.replaceAll('_', ' ')}, ${issue.status.replaceAll('_', ' ')})`);
  if (issue.sectionNote) print.line(issue.sectionNote);
  print.line();
  print.line(`Rank            ${explanation.rank.reason}`);
  print.line(`Place           ${issue.location.kind} ${issue.location.label}`);
  print.line(`Cause           ${issue.causeSummary}${issue.cause?.detail ? `. ${issue.cause.detail}` : ''}`);
  if (issue.recommendation) print.line(`What to do      ${issue.recommendation}`);
  const { ofAllCalls, ofComputableCalls, endedBadly } = explanation.numbers;
  for (const { calls, of, rate, meaning } of [ofAllCalls, ofComputableCalls, endedBadly]) {
    print.line(`${`${calls} of ${of}`.padEnd(15)} ${rate === null ? '' : `${percent(rate)}: `}${meaning}`);
  }
  const { resolution, spike } = explanation;
  print.line(`Over time       ${resolution.text} ${resolution.certainty}`);
  if (spike)
    print.line(
      `Spike           ${spike.calls} of ${spike.of} calls on ${spike.day}, ${spike.pastCalls} of ${spike.pastOf} in the 28 days before`,
    );
  for (const { callId, quote, detail, proof } of quotes) {
    print.line();
    print.line(quote === '' ? detail : `“${quote}”  ${detail}`);
    if (proof !== null) print.line(`    ${proof}`);
    print.line(`    ${PROGRAM} calls ${callId}`);
  }
}

async function findNumber(session: Session, number: number, wantedAgent: string | undefined) {
  const agent = await chooseAgent(session, wantedAgent);
  const issues = await readList<IssueResource>(session.client, `/v1/agents/${agent.id}/issues`, number);
  const thing = issues[number - 1];
  if (!thing) throw new Problem(`The list has ${issues.length} issues.`, EXIT.failed);
  return { agent, thing };
}

async function readQuotes({ client }: Session, agentId: string, issue: IssueResource) {
  const codes = new Set([issue.code, ...issue.symptoms.map((symptom) => symptom.code)]);
  const calls = await readList<CallResource>(client, `/v1/agents/${agentId}/issues/${issue.id}/calls`, QUOTES_SHOWN);
  const quotes: (Pick<DetectedSignal, 'code' | 'turnIndex' | 'detail'> & {
    callId: string;
    quote: string;
    proof: string | null;
  })[] = [];
  for (const call of calls) {
    const { detected } = await client.read<CallSignals>(`/v1/agents/${agentId}/calls/${call.id}/signals`);
    const signal = detected?.find((each) => codes.has(each.code) && each.location.id === issue.location.id);
    if (!signal) continue;
    const { code, turnIndex, evidenceQuote: quote, detail } = signal;
    quotes.push({ callId: call.id, code, turnIndex, quote, detail, proof: proofLine(signal) });
  }
  return quotes;
}
