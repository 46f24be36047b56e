import type { CallResource, CallSignals, CallWithTranscript } from '../src/contract/call.ts';
import { PROGRAM } from '../src/layout.ts';
import { agentFlag, chooseAgent } from './choose-agent.ts';
import { type Found, findAnywhere, isUuid, notFound } from './find-anywhere.ts';
import { query, readList } from './lists.ts';
import { proofLine } from './proof-lines.ts';
import type { Session } from './session.ts';
import { openClock } from './times.ts';
import { redactedInWords } from './wait-for-imports.ts';

export interface CallOptions {
  agent?: string;
  outcome?: string;
  version?: string;
  signal?: string;
  issue?: string;
  intent?: string;
  filter?: string;
  from?: string;
  before?: string;
  limit?: number;
}

const SHOWN = 25;

export async function showCalls(session: Session, options: CallOptions): Promise<void> {
  const { print, json } = session;
  const agent = await chooseAgent(session, options.agent);
  const calls = await readCalls(session, agent.id, options, options.limit ?? SHOWN);
  if (json) return print.json(calls);
  if (calls.length === 0) return print.line('No calls.');
  const clock = openClock();
  print.table(
    ['', clock.head('Start'), 'Outcome', 'Intent'],
    calls.map((call, at) => [
      String(at + 1),
      call.startedAt === null ? '' : clock.minute(call.startedAt),
      (call.outcome ?? 'unknown').replaceAll('_', ' '),
      call.intent.label,
    ]),
    calls.map(({ objective, signalCodes, found = [] }) => [
      objective,
      signalCodes.join(' '),
      ...found.map(({ turn, text }) => `turn ${turn}: ${text}`),
    ]),
  );
  const isId = calls.some(({ providerCallId }) => providerCallId === '1');
  print.note(`The first one word for word: ${PROGRAM} calls ${isId ? "'#1'" : '1'}${agentFlag(agent, options.agent)}`);
}

const readCalls = ({ client }: Session, agentId: string, options: CallOptions, most: number) =>
  readList<CallResource>(
    client,
    `/v1/agents/${agentId}/calls${query({
      outcome: options.outcome,
      version: options.version,
      signal: options.signal,
      issueId: options.issue,
      intent: options.intent,
      filter: options.filter,
      startedFrom: options.from,
      startedBefore: options.before,
    })}`,
    most,
  );

/** @param wanted its id, its id at the platform, of whichever agent, or its number in the list of the same filters (`#3` in any case). */
export async function showCall(session: Session, wanted: string, options: CallOptions): Promise<void> {
  const { client, print, json } = session;
  const { agent, thing } = await findCall(session, wanted, options);
  const base = `/v1/agents/${agent.id}/calls/${thing.id}`;
  const call = await client.read<CallWithTranscript>(base);
  const signals = await client.read<CallSignals>(`${base}/signals`);
  if (json) return print.json({ call, signals });
  print.line(`${call.startedAt ?? 'no start time'}  ${call.outcome ?? 'unknown'}`);
  print.line(call.objective);
  if (call.answeredBy) print.line(`Answered by ${answerersOf(call.answeredBy)}`);
  if (call.modelReading) print.line(readingInWords(call.modelReading));
  const redacted = redactedInWords(call.redacted ?? {});
  if (redacted !== null) print.line(redacted);
  if (call.redactedNames === 'waiting') print.line('Names wait for the model that reads the call.');
  // A server of an earlier release says nothing of it.
  for (const warning of (call as Partial<CallWithTranscript>).warnings ?? []) print.line(`Noted: ${warning}`);
  for (const { id, url } of tracesOf(call)) print.line(`Trace ${url ?? id}`);
  print.line();
  if (call.transcriptReason !== null) print.line(call.transcriptReason);
  for (const turn of call.transcript ?? []) {
    const said = turn.toolCall
      ? `${turn.text === '' ? '' : `${turn.text} `}→ ${turn.toolCall.name} ${JSON.stringify(turn.toolCall.args)}`
      : turn.toolResult
        ? `← ${turn.toolResult.name ?? ''} ${turn.toolResult.verdict} ${JSON.stringify(turn.toolResult.body)}`
        : turn.keys
          ? `pressed ${turn.keys}`
          : turn.wordsMissing
            ? '(words missing)'
            : turn.text;
    print.line(`${String(turn.index).padStart(3)} ${(turn.keys ? 'keypad' : turn.role).padEnd(7)} ${said}`);
    for (const signal of signals.detected?.filter((each) => each.turnIndex === turn.index) ?? []) {
      print.line(`    !! ${signal.code}: ${signal.detail}`);
      const proof = proofLine(signal);
      if (proof !== null) print.line(`       ${proof}`);
    }
  }
}

const answerersOf = ({ before, value }: NonNullable<CallWithTranscript['answeredBy']>) =>
  [...before.map((voice) => voice.value), value].map((one) => one.replaceAll('_', ' ')).join(', then ');

/** A server of an earlier release says nothing of traces. */
const tracesOf = ({ traces }: Partial<Pick<CallWithTranscript, 'traces'>>) => traces ?? [];

async function findCall(session: Session, wanted: string, options: CallOptions): Promise<Found<{ id: string }>> {
  const [, number = null] = /^#?([1-9]\d{0,4})$/.exec(wanted) ?? [];
  const byId = wanted.startsWith('#') && number !== null ? null : await findById(session, wanted, options);
  const found = byId ?? (number === null ? null : await findNumber(session, Number(number), options));
  if (!found) throw notFound('call', wanted, options.agent);
  if (byId !== null && number !== null)
    session.print.note(`The call with the id ${wanted}; by its number in the list: '#${number}'`);
  return found;
}

const findById = (session: Session, wanted: string, options: CallOptions) =>
  findAnywhere(session, options.agent, (agent) => readCall(session, agent.id, wanted));

async function findNumber(session: Session, number: number, options: CallOptions) {
  const agent = await chooseAgent(session, options.agent);
  const thing = (await readCalls(session, agent.id, options, number))[number - 1];
  return thing ? { agent, thing } : null;
}

async function readCall(session: Session, agentId: string, wanted: string): Promise<{ id: string } | null> {
  const base = `/v1/agents/${agentId}/calls`;
  if (isUuid(wanted)) {
    const own = await findAnywhere(session, agentId, () => session.client.read<CallResource>(`${base}/${wanted}`));
    if (own) return own.thing;
  }
  const [call] = await readList<CallResource>(session.client, `${base}${query({ providerCallId: wanted })}`, 1);
  return call ?? null;
}

const READING_STATES = {
  waiting: 'Waits to be read by a model.',
  given_up: 'Not read by a model.',
  left: 'Outside of the share that a model reads.',
} as const;

function readingInWords({ state, model, usd, reason }: NonNullable<CallWithTranscript['modelReading']>): string {
  const what = state === 'read' ? `Read by ${model} for ${usd.toFixed(4)} USD.` : READING_STATES[state];
  return reason === null ? what : `${what} ${reason}`;
}
