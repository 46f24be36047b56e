import { setTimeout as sleep } from 'node:timers/promises';
import type { ModelReadingResource, plannedReading } from '../src/contract/model-reading.ts';
import { PROGRAM } from '../src/layout.ts';
import { agentFlag, chooseAgent, requireAgent } from './choose-agent.ts';
import type { Session } from './session.ts';

type Planned = ReturnType<(typeof plannedReading)['parse']>;

interface Options {
  agent?: string;
}

const FIRST_GAP_MS = 300;
const LONGEST_GAP_MS = 2_000;
/** Afterwards it goes on without anybody who looks on. */
const WATCHED_AT_MOST_MS = 10 * 60_000;

const pathOf = (agentId: string) => `/app/agents/${agentId}/model-reading`;
export const readStanding = ({ client }: Session, agentId: string) =>
  client.person<ModelReadingResource>('GET', pathOf(agentId));

export async function showReading(session: Session, options: Options): Promise<void> {
  const { print, json } = session;
  const agent = await chooseAgent(session, options.agent);
  const standing = await readStanding(session, agent.id);
  if (json) return print.json(standing);
  for (const line of inWords(standing)) print.line(line);
  if (standing.pause) print.note(`Try it now: ${PROGRAM} reading try-now${agentFlag(agent, options.agent)}`);
}

export async function tryReadingNow(session: Session, options: Options): Promise<void> {
  const { client, print, json } = session;
  const agent = await requireAgent(session, options.agent);
  const standing = await client.person<ModelReadingResource>('POST', `${pathOf(agent.id)}/try-now`);
  if (json) return print.json(standing);
  print.line(`One call is tried at once. See how it goes: ${PROGRAM} reading${agentFlag(agent, options.agent)}`);
}

/** Has earlier calls read, or says what that would cost. */
export async function readEarlierCalls(
  session: Session,
  options: Options & { newest?: number; from?: string; before?: string; yes?: boolean },
): Promise<void> {
  const { client, print, json } = session;
  const agent = await requireAgent(session, options.agent);
  const body = { newest: options.newest, from: options.from, to: options.before };
  if (options.yes !== true) {
    const planned = await client.person<Planned>('POST', `${pathOf(agent.id)}/history/preview`, body);
    if (json) return print.json(planned);
    if (planned.calls === 0) return print.line('No earlier call is left to be read.');
    print.line(planned.estimate === null ? `${planned.calls} calls.` : `${planned.estimate.text}.`);
    if (planned.leftUsd !== null) print.line(`${planned.leftUsd.toFixed(2)} USD are left of this month.`);
    print.note('Nothing was ordered; with --yes they are read.');
    return;
  }
  const standing = await client.person<ModelReadingResource>('POST', `${pathOf(agent.id)}/history`, body);
  if (json) return print.json(standing);
  print.line(progressOf(standing));
}

/**
 * Says what reading by a model does after an import, and looks on until it is done, pauses, or takes long.
 * @returns null where none reads the agent's calls.
 */
export async function watchReading(session: Session, agentId: string): Promise<ModelReadingResource | null> {
  const { print } = session;
  let standing = await readStanding(session, agentId);
  const { model, mode } = standing;
  if (model === null || mode === 'off') return null;
  print.note(`${whatItReads(model.name, standing)}${aboutOf(standing)}`);
  const began = performance.now();
  for (let gapMs = FIRST_GAP_MS; isGoingOn(standing); gapMs = Math.min(gapMs * 1.5, LONGEST_GAP_MS)) {
    if (performance.now() - began > WATCHED_AT_MOST_MS) break;
    await sleep(gapMs);
    standing = await readStanding(session, agentId);
    print.progress('Read by the model', countsOf(standing));
  }
  print.endProgress();
  return standing;
}

/** What became of it, in a sentence. */
export function progressOf({ model, calls, month, pause }: ModelReadingResource): string {
  const given = calls.givenUp > 0 ? `, ${calls.givenUp} given up` : '';
  const left = calls.left > 0 ? `, ${calls.left} outside of the share` : '';
  const counts = `${calls.read} calls read, ${calls.waiting} waiting${given}${left}`;
  const why = pause === null ? '' : ` Paused: ${pause.reason}`;
  return `${model?.name ?? 'No model'}: ${counts}; ${moneyOf(month.usd)} this month.${why}`;
}

const isGoingOn = ({ calls, pause }: ModelReadingResource) => calls.waiting > 0 && pause === null;

const countsOf = ({ calls, month }: ModelReadingResource) =>
  `${calls.read} of ${calls.read + calls.waiting} calls, ${moneyOf(month.usd)} this month`;

function inWords(standing: ModelReadingResource): string[] {
  const { model, month, notes, estimate } = standing;
  if (model === null) return ['No model is configured: calls are read by rules alone.'];
  const cached =
    month.cachedShare === null ? '' : `, ${Math.round(month.cachedShare * 100)} % of the input from caches`;
  return [
    whatItReads(model.name, standing),
    progressOf(standing),
    `${month.questions} questions this month${cached}.`,
    ...(estimate === null ? [] : [`${estimate.text}.`]),
    ...notes,
  ];
}

export function whatItReads(model: string, standing: ModelReadingResource): string {
  const { mode, share, sharePercent } = standing;
  if (mode === 'off') return `${model} reads no calls of this agent.`;
  const which = share === 'all' ? 'all calls' : `calls at which something points, and ${sharePercent} % of the others`;
  return `${model} reads ${which}, ${boundOf(standing)}.`;
}

const boundOf = ({ model, budgetUsd }: ModelReadingResource) =>
  model?.priced === false
    ? 'at a cost that is not known, as EARSHOT_MODEL_PRICES has no price for it'
    : budgetUsd === null
      ? 'without a bound'
      : `for at most ${budgetUsd.toFixed(2)} USD a month`;

/** The estimate of 1,000 calls, for those that wait. */
function aboutOf({ estimate, calls }: ModelReadingResource): string {
  if (estimate === null || calls.waiting === 0) return '';
  const part = calls.waiting / estimate.calls;
  const tokens = Math.round((estimate.inputTokens + estimate.outputTokens) * part).toLocaleString('en-US');
  const money = estimate.usd === null ? 'no price is set for it' : moneyOf(estimate.usd * part);
  return ` ${calls.waiting} calls wait: about ${tokens} tokens, ${money}.`;
}

const moneyOf = (usd: number) => `${usd.toFixed(usd >= 1 ? 2 : 4)} USD`;
