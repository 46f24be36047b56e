import type { CallResource, CallSignals, CallWithTranscript } from '../src/contract/call.ts';
import { chooseAgent } from './choose-agent.ts';
import { query, readList } from './lists.ts';
import type { Session } from './session.ts';

export interface CallOptions {
  agent?: string;
  outcome?: string;
  version?: string;
  signal?: string;
  issue?: string;
  intent?: string;
  from?: string;
  before?: string;
  limit?: number;
}

const SHOWN = 25;

export async function showCalls(session: Session, options: CallOptions): Promise<void> {
  const { client, print, json } = session;
  const agent = await chooseAgent(session, options.agent);
  const filter = query({
    outcome: options.outcome,
    version: options.version,
    signal: options.signal,
    issueId: options.issue,
    intent: options.intent,
    startedFrom: options.from,
    startedBefore: options.before,
  });
  const calls = await readList<CallResource>(client, `/v1/agents/${agent.id}/calls${filter}`, options.limit ?? SHOWN);
  if (json) return print.json(calls);
  if (calls.length === 0) return print.line('No calls.');
  print.table(
    ['Start', 'Outcome', 'Intent', 'What the caller wanted', 'Signals', 'Id'],
    calls.map((call) => [
      call.startedAt?.slice(0, 16).replace('T', ' ') ?? '',
      (call.outcome ?? 'unknown').replaceAll('_', ' '),
      call.intent.label,
      call.objective,
      call.signalCodes.join(' '),
      call.id,
    ]),
  );
}

export async function showCall(session: Session, id: string, options: { agent?: string }): Promise<void> {
  const { client, print, json } = session;
  const agent = await chooseAgent(session, options.agent);
  const base = `/v1/agents/${agent.id}/calls/${encodeURIComponent(id)}`;
  const call = await client.read<CallWithTranscript>(base);
  const signals = await client.read<CallSignals>(`${base}/signals`);
  if (json) return print.json({ call, signals });
  print.line(`${call.startedAt ?? 'no start time'}  ${call.outcome ?? 'unknown'}  ${call.objective}`);
  print.line();
  for (const turn of call.transcript ?? []) {
    const said = turn.toolCall
      ? `${turn.text} → ${turn.toolCall.name} ${JSON.stringify(turn.toolCall.args)}`
      : turn.toolResult
        ? `← ${turn.toolResult.name ?? ''} ${JSON.stringify(turn.toolResult.body)}`
        : turn.text;
    print.line(`${String(turn.index).padStart(3)} ${turn.role.padEnd(6)} ${said}`);
    for (const signal of signals.detected?.filter((each) => each.turnIndex === turn.index) ?? []) {
      print.line(`    !! ${signal.code}: ${signal.detail}`);
    }
  }
}
