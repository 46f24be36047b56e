import { randomBytes } from 'node:crypto';
import { type Browser, type BrowserContext, type CDPSession, chromium, type Page } from 'playwright-core';
import { buildWeb } from '../../../packages/embedded/web-build.ts';
import { loadForAnalysis } from '../../../src/db/analysis/load-for-analysis.ts';
import { storeCalls } from '../../../src/db/calls/store-calls.ts';
import { analyseCall } from '../../../src/domain/signals/analyse-call.ts';
import { newId } from '../../../src/ids.ts';
import { hashPassword } from '../../../src/operations/access/passwords.ts';
import { storeAnalyses } from '../../../src/services/analysis/store-analyses.ts';
import { recomputeIssues } from '../../../src/services/issues/recompute-issues.ts';
import { testVault } from '../../support/analysed-calls.ts';
import { findBrowser } from '../../support/browser.ts';
import { EMAIL, PASSWORD, signIn } from '../../support/web-visitor.ts';
import { type BenchAgent, loadHistory, makeBenchAgent } from '../data.ts';
import type { BenchDatabase } from '../database.ts';
import { refill, startProductApi } from '../servers.ts';
import { syntheticCalls } from '../synthetic-calls.ts';

const TURNS = 400;

/** Addresses of the pages, in a workspace with a long history. */
export interface Places {
  /** A list with nothing in it: what the frame costs on every page. */
  empty: string;
  issues: string;
  calls: string;
  longCall: string;
  of(place: string): string;
}

export interface WebWorld {
  places: Places;
  /** A window that takes nothing from a cache, signed in. */
  open(): Promise<Window>;
}

export interface Window {
  page: Page;
  devtools: CDPSession;
  close(): Promise<void>;
}

/** The delivered app, its API on a history of so many calls, and a browser whose reader is signed in. */
export async function withWebWorld<T>(
  database: BenchDatabase,
  calls: number,
  work: (world: WebWorld) => Promise<T>,
): Promise<T> {
  await buildWeb();
  const agent = await makeBenchAgent(database.client);
  await loadHistory(database.client, agent, calls);
  await recomputeIssues(database.within(agent.workspaceId), agent.agentId, 'full');
  const longCall = await storeLongCall(database, agent);
  await insertReader(database, agent);
  await database.client.query('vacuum analyze');
  const api = await startProductApi(database);
  const browser = await openQuietBrowser();
  try {
    const context = await signIntoContext(browser, api.url);
    const of = (place: string) => `${api.url}/a/${agent.agentId}/${place}`;
    const places = {
      empty: of('goals'),
      issues: of('issues'),
      calls: of('calls'),
      longCall: of(`calls/${longCall}`),
      of,
    };
    const open = async () => {
      await refill(database);
      return openWindow(context);
    };
    return await work({ places, open });
  } finally {
    await browser.close();
    await api.stop();
  }
}

async function storeLongCall(database: BenchDatabase, { workspaceId, agentId }: BenchAgent): Promise<string> {
  const em = database.within(workspaceId);
  const scope = { workspaceId, agentId };
  const calls = syntheticCalls(1, TURNS).map((call) => ({ payload: {}, call }));
  const { callIds } = await storeCalls(em, { ...scope, importId: null, vault: testVault, calls });
  const loaded = await loadForAnalysis(em, agentId, callIds);
  const analyses = loaded.map(({ callId, call, configuration, payloadDigest }) => ({
    callId,
    payloadDigest,
    analysis: analyseCall({ call, configuration, agentCosts: null }, {}),
  }));
  await storeAnalyses(em, { ...scope, analyses });
  const [callId] = callIds;
  if (callId === undefined) throw new Error('The long call was not stored.');
  return callId;
}

async function insertReader({ client }: BenchDatabase, { workspaceId }: BenchAgent): Promise<void> {
  const personId = newId();
  await client.query('insert into people (id, email, name, password_hash, proved_at) values ($1, $2, $3, $4, now())', [
    personId,
    EMAIL,
    'A reader',
    await hashPassword({ hashingKey: randomBytes(32) }, EMAIL, PASSWORD),
  ]);
  await client.query(`insert into memberships (workspace_id, person_id, role) values ($1, $2, 'admin')`, [
    workspaceId,
    personId,
  ]);
}

function openQuietBrowser(): Promise<Browser> {
  const executablePath = findBrowser();
  if (executablePath === null) throw new Error('There is no browser: name one in EARSHOT_TEST_BROWSER.');
  // What a memory figure is worth needs a collection that can be asked for.
  const args = ['--js-flags=--expose-gc', ...(process.getuid?.() === 0 ? ['--no-sandbox'] : [])];
  return chromium.launch({ executablePath, args });
}

/** One for all windows: a session goes on in the cookie that its last window was given. */
async function signIntoContext(browser: Browser, url: string): Promise<BrowserContext> {
  const context = await browser.newContext({ viewport: { width: 1280, height: 900 } });
  const page = await context.newPage();
  await page.goto(`${url}/sign-in`);
  await signIn(page);
  await page.getByRole('heading', { level: 1, name: 'Issues' }).waitFor();
  await page.close();
  return context;
}

async function openWindow(context: BrowserContext): Promise<Window> {
  const page = await context.newPage();
  const devtools = await context.newCDPSession(page);
  await devtools.send('Network.enable');
  await devtools.send('Network.setCacheDisabled', { cacheDisabled: true });
  return { page, devtools, close: () => page.close() };
}

/** Until what the page asked for is there: its skeletons are gone, those among them that are not seen yet. */
export async function untilLoaded(page: Page): Promise<void> {
  await page.getByRole('navigation', { name: 'Pages of the agent' }).waitFor();
  await page.getByRole('heading', { level: 1 }).waitFor();
  await page.locator('[aria-label=Loading]').first().waitFor({ state: 'detached' });
}
