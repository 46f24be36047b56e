import { PROGRAM, START } from '../src/layout.ts';
import { wrap } from './lay-out.ts';
import { table } from './up-table.ts';

/** An agent of the result, as the API shows it. */
interface Agent {
  id: string;
  name: string;
  counts: { calls: number; openIssues: number };
}

interface Issue {
  id: string;
  code: string;
  title: string;
  section: string;
  volume: number;
  failedOutcomeShare: number;
  location: { label: string };
  symptoms: { code: string }[];
}

/** What the board says beside its issues. */
interface Board {
  summary: string;
  ranks: { issueId: string; reason: string }[];
}

interface Signal {
  code: string;
  evidenceQuote: string;
}

export interface ResultOptions {
  url: string;
  key: string | null;
  /** Where the first person sets a password; null when that is done. */
  signInLink: string | null;
  temporalUi: string | null;
  /** The agents that the start brought along, by their ids; the first is shown. */
  agentIds: string[];
  /** Whether everything ends after this: then there is no address to go to. */
  once: boolean;
  /** How wide a line may be. */
  width: number;
}

const ISSUES_SHOWN = 5;
/** In so many of an issue's calls a quote is looked for. */
const CALLS_ASKED = 5;

/** What a person sees at the end of a start: the top issues with the words that show them, where to look, what to try. */
export async function describeResult(options: ResultOptions): Promise<string> {
  const lines: string[] = [];
  const agentId = options.agentIds[0];
  if (options.key && agentId) lines.push(...(await describeIssues(options, options.key, agentId)), '');
  if (options.once)
    lines.push(`\`${START}\` keeps it running: the API reference, the Temporal UI and a link to sign in.`);
  else lines.push(...addresses(options), '', ...nextThings(options), '');
  return lines.join('\n');
}

async function describeIssues({ url, width }: ResultOptions, key: string, agentId: string): Promise<string[]> {
  const get = <T>(path: string) => getJson<T>(`${url}${path}`, key);
  const agent = await get<Agent>(`/v1/agents/${agentId}`);
  const { data: issues } = await get<{ data: Issue[] }>(`/v1/agents/${agentId}/issues?limit=${ISSUES_SHOWN}`);
  const heading = `${agent.name}: ${agent.counts.calls} calls read, ${agent.counts.openIssues} open issues.`;
  const { summary, ranks } = await get<Board>(`/v1/agents/${agentId}/board`);
  if (issues.length === 0) return [heading, summary];
  const reasons = new Map(ranks.map(({ issueId, reason }) => [issueId, reason]));
  const quotes = await Promise.all(issues.map((issue) => quoteOf(get, agentId, issue)));
  const rows = issues.map((issue, at) => ({
    cells: [
      String(at + 1),
      issue.title,
      issue.location.label,
      String(issue.volume),
      `${Math.round(issue.failedOutcomeShare * 100)} %`,
      issue.section.replaceAll('_', ' '),
    ],
    below: [
      quotes[at] ? `“${quotes[at]}”` : 'shown by the whole call, not by one line',
      ...wrap(reasons.get(issue.id) ?? '', width - MARGIN),
    ],
  }));
  return [
    `${heading} The first ${issues.length}:`,
    '',
    ...table(['', 'Issue', 'Where', 'Calls', 'Ended badly', 'Section'], rows, width),
  ];
}

/** The exact words of a call that show the issue. */
async function quoteOf(get: <T>(path: string) => Promise<T>, agentId: string, issue: Issue): Promise<string | null> {
  const codes = new Set([issue.code, ...issue.symptoms.map((symptom) => symptom.code)]);
  const { data: calls } = await get<{ data: { id: string }[] }>(
    `/v1/agents/${agentId}/issues/${issue.id}/calls?limit=${CALLS_ASKED}`,
  );
  for (const call of calls) {
    const { detected } = await get<{ detected: Signal[] | null }>(`/v1/agents/${agentId}/calls/${call.id}/signals`);
    const shown = (detected ?? []).filter((signal) => codes.has(signal.code) && signal.evidenceQuote !== '');
    const best = shown.find((signal) => signal.code === issue.code) ?? shown[0];
    if (best) return best.evidenceQuote.replaceAll(/\s+/g, ' ');
  }
  return null;
}

/** Left of the lines under a row, and some room. */
const MARGIN = 8;

function addresses({ url, signInLink, temporalUi }: ResultOptions): string[] {
  return [
    signInLink
      ? `  Web app         ${signInLink}  (sets the first person's password; works once)`
      : `  Web app         ${url}`,
    `  API reference   ${url}/reference`,
    ...(temporalUi ? [`  Temporal UI     ${temporalUi}`] : []),
  ];
}

function nextThings({ key, agentIds }: ResultOptions): string[] {
  const things = [
    ...(key && agentIds.length > 0
      ? [[`issues --agent ${agentIds[0]}`, 'the whole list; add --json for programs']]
      : []),
    ['import calls.jsonl', 'your own calls, one JSON object a line (docs/record.md shows the shape)'],
    ['doctor', 'what runs, what is missing, and how to get it'],
  ];
  return [
    '  Try next, in another terminal:',
    ...things.flatMap(([command, what], at) => [`  ${at + 1}. ${PROGRAM} ${command}`, `       ${what}`]),
  ];
}

async function getJson<T>(address: string, key: string): Promise<T> {
  const answer = await fetch(address, { headers: { authorization: `Bearer ${key}` } });
  if (!answer.ok) throw new Error(`The API answered ${answer.status} to ${new URL(address).pathname}.`);
  return (await answer.json()) as T;
}
