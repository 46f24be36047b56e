import { setTimeout as sleep } from 'node:timers/promises';
import type { AgentResource } from '../src/contract/agent.ts';
import type { WatchResource } from '../src/contract/watch.ts';
import { chooseAgent } from './choose-agent.ts';
import { query, readList } from './lists.ts';
import { percent } from './print.ts';
import { EXIT, Problem } from './problem.ts';
import type { Session } from './session.ts';

interface Chosen {
  agent?: string;
}

const LOOK_AGAIN_MS = 500;

export async function showWatches(session: Session, options: Chosen & { state?: string }): Promise<void> {
  const { print, json } = session;
  const agent = await chooseAgent(session, options.agent);
  const watches = await listWatches(session, agent, options.state);
  if (json) return print.json(watches);
  if (watches.length === 0) return print.line('No watches.');
  print.table(
    ['', 'Watch', 'State', 'Holds', 'Calls', 'Labelled', 'From'],
    watches.map((watch, at) => [
      String(at + 1),
      watch.name,
      watch.state,
      watch.passRate === null ? '' : percent(watch.passRate),
      String(watch.calls),
      String(watch.labelled),
      sourceOf(watch),
    ]),
  );
}

export async function showWatch(session: Session, wanted: string, options: Chosen): Promise<void> {
  const { watch } = await findWatch(session, wanted, options);
  printWatch(session, watch);
}

/** Starts the backtest and waits until there are samples. */
export async function backtestWatch(session: Session, wanted: string, options: Chosen): Promise<void> {
  const { agent, watch } = await findWatch(session, wanted, options);
  const path = `agents/${agent.id}/watches/${watch.id}`;
  let now = await session.client.person<WatchResource>('POST', `/app/${path}/backtest`);
  while (now.state === 'backtesting') {
    await sleep(LOOK_AGAIN_MS);
    now = await session.client.read<WatchResource>(`/v1/${path}`);
  }
  printWatch(session, now);
}

/** @param given the sample by its number or its call's id, and the word on it. */
export async function labelSample(
  session: Session,
  wanted: string,
  given: { call: string; label: string },
  options: Chosen,
): Promise<void> {
  const { agent, watch } = await findWatch(session, wanted, options);
  const callId = watch.samples[Number(given.call) - 1]?.callId ?? given.call;
  const body = { callId, label: given.label, revision: watch.revision };
  const path = `/v1/agents/${agent.id}/watches/${watch.id}/labels`;
  printStanding(session, await session.client.person<WatchResource>('POST', path, body));
}

export async function decideWatch(
  session: Session,
  wanted: string,
  decision: 'turn-on' | 'pause',
  options: Chosen,
): Promise<void> {
  const { agent, watch } = await findWatch(session, wanted, options);
  const path = `/app/agents/${agent.id}/watches/${watch.id}/${decision}`;
  printStanding(session, await session.client.person<WatchResource>('POST', path));
}

/** @param calls how many broken ones are too many, or a share such as `5%`; undefined takes the limit away. */
export async function limitWatch(
  session: Session,
  wanted: string,
  calls: string | undefined,
  options: Chosen & { days: string },
): Promise<void> {
  const { agent, watch } = await findWatch(session, wanted, options);
  const days = Number(options.days);
  const most = calls?.endsWith('%') ? { share: Number(calls.slice(0, -1)) / 100 } : { breaks: Number(calls) };
  const body = { alarm: calls === undefined ? null : { days, ...most } };
  const path = `/app/agents/${agent.id}/watches/${watch.id}`;
  printStanding(session, await session.client.person<WatchResource>('PATCH', path, body));
}

const listWatches = ({ client }: Session, agent: AgentResource, state?: string) =>
  readList<WatchResource>(client, `/v1/agents/${agent.id}/watches${query({ state })}`);

/** @param wanted its id, or its number in the list. */
async function findWatch(session: Session, wanted: string, options: Chosen) {
  const agent = await chooseAgent(session, options.agent);
  const watches = await listWatches(session, agent);
  const watch = watches.find(({ id }) => id === wanted.toLowerCase()) ?? watches[Number(wanted) - 1];
  if (!watch) throw new Problem(`There is no watch ${wanted} of ${agent.name}.`, EXIT.failed);
  return { agent, watch };
}

const sourceOf = ({ source, createdBy }: WatchResource) =>
  source === null
    ? createdBy
    : `${source.step ?? 'prompt'}, line ${source.line}${source.verbatim ? '' : ' (not in the text any more)'}`;

function printWatch({ print, json }: Session, watch: WatchResource): void {
  if (json) return print.json(watch);
  const { scope, expectation, samples } = watch;
  print.line(`${watch.name} (${watch.state}, revision ${watch.revision})`);
  print.line(watch.inWords);
  print.line(`On: ${scope.text} [${JSON.stringify(scope.code)}]`);
  print.line(`Expected (${expectation.polarity}): ${expectation.text} [${JSON.stringify(expectation.code)}]`);
  print.line(`From: ${sourceOf(watch)}`);
  if (watch.passRate !== null) print.line(`Holds on ${percent(watch.passRate)} of ${watch.calls} calls.`);
  if (watch.backtest) {
    const { considered, inScope, flagged } = watch.backtest;
    print.line(`Backtest: ${considered} calls looked at, ${inScope} in scope, ${flagged} flagged.`);
  }
  print.table(
    ['', 'Kind', 'Verdict', 'Quote', 'Label', 'Call'],
    samples.map((sample, at) => [
      String(at + 1),
      sample.kind,
      sample.verdict,
      sample.quote,
      sample.label ?? '',
      sample.callId,
    ]),
  );
  if (watch.alarm) print.line(`Limit: ${limitInWords(watch.alarm)}`);
  if (watch.goLiveBlock !== null) print.line(`Not ready to be turned on: ${watch.goLiveBlock}`);
}

function limitInWords(alarm: NonNullable<WatchResource['alarm']>): string {
  const most = 'share' in alarm ? `${percent(alarm.share)} of the calls` : `${alarm.breaks} calls`;
  return `${most} in ${alarm.days} ${alarm.days === 1 ? 'day' : 'days'}`;
}

function printStanding({ print, json }: Session, watch: WatchResource): void {
  if (json) return print.json(watch);
  const { right, labelled } = watch.labels;
  print.line(`${watch.name} is ${watch.state}; ${right} of ${labelled} labels are right.`);
  if (watch.alarm) print.line(`Limit: ${limitInWords(watch.alarm)}`);
  if (watch.goLiveBlock !== null) print.line(`Not ready to be turned on: ${watch.goLiveBlock}`);
}
