import type { ApiKeyResource } from '../src/contract/key.ts';
import { PROGRAM } from '../src/layout.ts';
import { agentFlag, chooseAgent, requireAgent } from './choose-agent.ts';
import { readAll } from './lists.ts';
import { Problem } from './problem.ts';
import type { Session } from './session.ts';

/** Settings of an agent that have one value; thresholds and wordings are lists, which `--json` and the web app show. */
export interface SettingsChange {
  name?: string;
  graceDays?: number;
  boardSource?: string;
  testBudgetUsd?: number | null;
  simulatedCallUsd?: number | null;
  autoRuns?: boolean;
  modelReading?: string;
  modelShare?: string;
  modelSharePercent?: number;
  modelBudgetUsd?: number | null;
  redaction?: Redaction;
  hearRecordings?: boolean;
}

interface Redaction {
  kinds: string[];
  patterns: { name: string; pattern: string }[];
}

type SettingsInForce = Required<SettingsChange> & { thresholds: Record<string, Record<string, number>> };

export async function showSettings(session: Session, options: { agent?: string }): Promise<void> {
  const agent = await chooseAgent(session, options.agent);
  const settings = await session.client.person<SettingsInForce>('GET', `/app/agents/${agent.id}/settings`);
  if (session.json) return session.print.json(settings);
  printSettings(session, settings);
}

export async function setSettings(
  session: Session,
  change: SettingsChange,
  { redact, redactPattern, ...options }: { agent?: string; redact?: string; redactPattern?: string[] },
): Promise<void> {
  const { client, print, json } = session;
  const isRedacting = redact !== undefined || redactPattern !== undefined;
  if (Object.keys(change).length === 0 && !isRedacting) {
    throw new Problem(`Name a setting: ${PROGRAM} settings set --help`);
  }
  const agent = await requireAgent(session, options.agent);
  const redaction: Partial<Redaction> = {
    ...(redact === undefined ? {} : { kinds: redact === 'none' ? [] : redact.split(',').map((kind) => kind.trim()) }),
    ...(redactPattern === undefined ? {} : { patterns: redactPattern.map(patternOf) }),
  };
  const inForce = isRedacting
    ? (await client.person<SettingsInForce>('GET', `/app/agents/${agent.id}/settings`)).redaction
    : null;
  const changed = inForce === null ? change : { ...change, redaction: { ...inForce, ...redaction } };
  await client.person('PATCH', `/app/agents/${agent.id}`, changed);
  const settings = await client.person<SettingsInForce>('GET', `/app/agents/${agent.id}/settings`);
  if (json) return print.json(settings);
  printSettings(session, settings);
}

/** What tests may cost: the agent's month, and the month of each key that may start them. */
export async function showBudget(session: Session, options: { agent?: string }): Promise<void> {
  const { client, print, json } = session;
  const agent = await chooseAgent(session, options.agent);
  const settings = await client.person<SettingsInForce>('GET', `/app/agents/${agent.id}/settings`);
  const all = await readAll<ApiKeyResource>((path) => client.person('GET', path), '/app/keys');
  const keys = all.filter(({ access, agentId }) => access === 'write' && (agentId ?? agent.id) === agent.id);
  const { testBudgetUsd } = settings;
  if (json) return print.json({ agentId: agent.id, testBudgetUsd, keys });
  print.line(`${agent.name}: ${usd(testBudgetUsd)} a month for simulated calls.`);
  for (const { name, monthlyBudgetUsd, spentThisMonthUsd } of keys) {
    print.line(
      `  key ${name}: ${usd(monthlyBudgetUsd)} a month, ${spentThisMonthUsd.toFixed(2)} USD spent in this one`,
    );
  }
  print.note(`Change it: ${PROGRAM} budget set 25${agentFlag(agent, options.agent)}`);
}

function printSettings({ print }: Session, settings: SettingsInForce): void {
  print.table(
    ['Setting', 'Value'],
    [
      ['Name', settings.name],
      ['Days without it until an issue is resolved', String(settings.graceDays)],
      ['Board', settings.boardSource],
      ['Budget of tests', `${usd(settings.testBudgetUsd)} a month`],
      ['Price of a simulated call', settings.simulatedCallUsd === null ? 'usual' : usd(settings.simulatedCallUsd)],
      ['Tests a new version by itself', settings.autoRuns ? 'yes' : 'no'],
      ['Model on calls', settings.modelReading],
      ['Calls that it reads', shareOf(settings)],
      ['Budget of reading by it', `${usd(settings.modelBudgetUsd)} a month`],
      ['Redacted at import', redactionInWords(settings.redaction)],
      ['Measures recordings', settings.hearRecordings ? 'yes' : 'no'],
      ['Custom thresholds', Object.keys(settings.thresholds).join(', ') || 'none'],
    ],
  );
}

function patternOf(given: string): { name: string; pattern: string } {
  const at = given.indexOf('=');
  if (at < 1) throw new Problem(`--redact-pattern ${given}: give name=pattern.`);
  return { name: given.slice(0, at), pattern: given.slice(at + 1) };
}

const redactionInWords = ({ kinds, patterns }: Redaction) =>
  [...kinds.map((kind) => kind.replaceAll('_', ' ')), ...patterns.map(({ name }) => name)].join(', ') || 'nothing';

const usd = (amount: number | null) => (amount === null ? 'unlimited' : `${amount.toFixed(2)} USD`);

const shareOf = ({ modelShare, modelSharePercent }: SettingsInForce) =>
  modelShare === 'all' ? 'all' : `those at which something points, and ${modelSharePercent} % of the others`;
