import { loadAccount, type PolledAccount } from '../../src/db/connections/accounts.ts';
import type { EntityManager } from '../../src/db/database.ts';
import {
  agentsWithDueCalls,
  noteQuietPolls,
  type PolledAgent,
  polledAgents,
  type RefusedFirst,
  refusedFirstImports,
} from '../../src/db/imports/account-polls.ts';
import type { PlatformConnection } from '../../src/platforms/platform-connection.ts';
import { type PlatformAdapter, PlatformError } from '../../src/platforms/port.ts';
import type { AccountLook, LookBack } from '../../src/temporal/account-poller.ts';
import type { ImportLane } from '../../src/temporal/import-calls.ts';
import type { ActivityDeps } from '../deps.ts';
import { readWaitingCalls } from '../import-calls/import-record.ts';
import { READ_AGAIN_AT_MS } from '../import-calls/list-page.ts';
import { openAccountGate } from '../shared/account-gate.ts';
import { openConnectionKey } from '../shared/agent-platform.ts';
import { isPassing, platformWait, refusalOf } from '../shared/failures.ts';
import { withHeartbeat } from '../shared/with-heartbeat.ts';
import { withKeyNoted } from '../shared/with-key-noted.ts';
import { listAccount } from './list-account.ts';
import { lookBack } from './look-back.ts';
import { failPoll, orderFirstAgain, orderLook, orderPoll } from './order-polls.ts';
import { takeChangedVersions } from './take-changed-versions.ts';

/** An agent whose bookmark is older would have the list of all others read as far back: it looks by itself. */
const FAR_BEHIND_MS = 6 * 3_600_000;
/** A wait that the platform asks for is told at each agent where it is longer. */
const SHORT_WAIT_MS = 300_000;

export interface AccountRequest {
  workspaceId: string;
  connectionId: string;
  /** Whether the list is read to the end of its window, for calls that showed in it late. */
  isWhole: boolean;
  /** The look before failed too. */
  hasFailed: boolean;
  /** Left out where it looks no further back than the polls. */
  lookBack?: LookBack | null;
}

const NOTHING: AccountLook = { there: true, agents: 0, news: 0, apart: 0, wait: null, refused: null };

/**
 * A whole poll of all agents of an account whose last poll is over: one list of their calls. An agent with something new
 * gets an import in its live lane, one that the list does not reach looks by itself, and the polls of all others are noted.
 */
export function createPollAccount(deps: ActivityDeps) {
  return async function pollAccount(request: AccountRequest): Promise<AccountLook> {
    return withHeartbeat(
      () => ({}),
      async () => {
        const em = deps.database.within(request.workspaceId);
        const account = await loadAccount(em, request.connectionId);
        if (account === null) return { ...NOTHING, there: false };
        const agents = await polledAgents(em, account);
        const refused = await refusedFirstImports(em, account);
        if (agents.length + refused.length === 0) return NOTHING;
        try {
          return await look(deps, em, { account, agents, refused, request });
        } catch (error) {
          if (error instanceof PlatformError) return trouble(em, agents, error, request.hasFailed);
          throw error;
        }
      },
    );
  };
}

interface Look {
  account: PolledAccount;
  agents: readonly PolledAgent[];
  refused: readonly RefusedFirst[];
  request: AccountRequest;
}

async function look(deps: ActivityDeps, em: EntityManager, asked: Look): Promise<AccountLook> {
  const { account, agents, refused, request } = asked;
  const platform = openAccount(deps, em, account);
  const found = agents.length === 0 ? NOTHING : await lookForNews(deps, em, platform, asked);
  const due = refused.filter(({ isDue }) => isDue);
  if (agents.length === 0 && due.length > 0) {
    await withKeyNoted(em, account, () => platform.adapter.checkKey(platform.connection));
  }
  for (const first of due) await orderFirstAgain(em, first);
  const looked = { ...found, agents: agents.length + due.length };
  if (!request.lookBack) return looked;
  const reading = { deps, em, ...openAccount(deps, em, account, 'backfill') };
  return { ...looked, lookedBack: await lookBack(reading, account, request.lookBack) };
}

async function lookForNews(
  deps: ActivityDeps,
  em: EntityManager,
  platform: AccountPlatform,
  { account, agents, request: { isWhole } }: Look,
): Promise<AccountLook> {
  const isFar = ({ bookmarkAt, nowAt }: PolledAgent) => Date.parse(nowAt) - Date.parse(bookmarkAt) > FAR_BEHIND_MS;
  const near = agents.filter((agent) => !isFar(agent));
  const found = await withKeyNoted(em, account, () => listAccount({ deps, em, ...platform }, near, isWhole));
  const due = await agentsWithDueCalls(em, near, READ_AGAIN_AT_MS);
  const left = await withLeftCalls(em, agents);
  const hasNews = ({ agentId, isAnnounced }: PolledAgent) =>
    isAnnounced || left.has(agentId) || due.has(agentId) || found.news.has(agentId);
  const news = agents.filter(hasNews);
  const quiet = agents.filter((agent) => !hasNews(agent));
  const isApart = (agent: PolledAgent) => isFar(agent) || found.unread.has(agent.agentId);
  for (const agent of news) await orderPoll(em, agent);
  for (const agent of quiet.filter(isApart)) await orderLook(em, agent);
  const noted = quiet.filter((agent) => !isApart(agent));
  const seen = noted.flatMap(({ agentId }) => {
    const poll = found.seen.get(agentId);
    return poll ? [{ agentId, ...poll }] : [];
  });
  await noteQuietPolls(em, { workspaceId: account.workspaceId, to: agents[0]?.nowAt ?? '' }, seen);
  await takeChangedVersions(deps, em, platform, noted);
  return { ...NOTHING, news: news.length, apart: quiet.length - noted.length };
}

/** Agents with calls that a crash left without their analysis, and that nothing holds back. */
async function withLeftCalls(em: EntityManager, agents: readonly PolledAgent[]): Promise<Set<string>> {
  const left = new Set<string>();
  for (const { agentId, workspaceId } of agents.filter(({ waits }) => waits)) {
    const waiting = await readWaitingCalls(em, { workspaceId, agentId, importId: null, limit: 1 });
    if (waiting.others.length > 0) left.add(agentId);
  }
  return left;
}

interface AccountPlatform {
  adapter: PlatformAdapter;
  connection: PlatformConnection;
}

/** @throws PlatformError with what to do when the account cannot be reached by what is stored */
function openAccount(
  deps: ActivityDeps,
  em: EntityManager,
  account: PolledAccount,
  lane: ImportLane = 'live',
): AccountPlatform {
  const adapter = deps.platforms.adapter(account.platform);
  const baseUrl = account.baseUrl ?? adapter.defaultBaseUrl;
  if (baseUrl === null) {
    const message = `The platform (${account.platform}) has no address. Set one in the connection of the agent.`;
    throw new PlatformError('address_refused', message);
  }
  const gate = openAccountGate(deps, em, account, { lane });
  return { adapter, connection: { baseUrl, apiKey: openConnectionKey(deps, account), account: gate } };
}

/**
 * What a platform does not answer is told at each agent by an import that waits for it, where it lasts; what a person
 * has to fix ends each agent's poll with that reason.
 */
async function trouble(
  em: EntityManager,
  agents: readonly PolledAgent[],
  error: PlatformError,
  hasFailed: boolean,
): Promise<AccountLook> {
  const tried = { ...NOTHING, agents: agents.length };
  if (!isPassing(error)) {
    const refused = refusalOf(error);
    for (const agent of agents) await failPoll(em, agent, refused);
    return { ...tried, refused };
  }
  const isLong = error.kind === 'rate_limited' ? (error.retryAfterMs ?? 0) > SHORT_WAIT_MS : hasFailed;
  if (isLong) for (const agent of agents) await orderPoll(em, agent);
  return { ...tried, news: isLong ? agents.length : 0, wait: platformWait(error) };
}
