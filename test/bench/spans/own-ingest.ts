import { setTimeout as sleep } from 'node:timers/promises';
import { insertIngestToken } from '../../../src/db/system/ingest-tokens.ts';
import { newId } from '../../../src/ids.ts';
import { newIngestSecret, secretHash } from '../../../src/operations/access/secrets.ts';
import { createVault } from '../../../src/secrets.ts';
import { SETTLE_SIGNALS, settleId } from '../../../src/temporal/settle-spans.ts';
import { storeAgent, TEST_SECRET } from '../../support/pipeline.ts';
import { letWaitPass } from '../../support/sent-spans.ts';
import type { RunWorld } from '../runs/world.ts';
import { makeKey, type ServerProcess, startProductApi } from '../servers.ts';
import type { SentCall } from './calls.ts';
import type { Receiver } from './send.ts';

/** A token sends so many requests at once before it has to wait: agents on several machines have one each. */
const CALLS_A_TOKEN = 1000;
const LOOK_EVERY_MS = 50;
const PAGE = 100;

/** Our API and worker, with an agent that sends its spans. */
export class OwnIngest implements Receiver {
  readonly #world: RunWorld;
  readonly #agent: { workspaceId: string; agentId: string };
  readonly #tokens: readonly string[];
  readonly #key: string;
  #api: ServerProcess;

  private constructor(
    world: RunWorld,
    agent: { workspaceId: string; agentId: string },
    { tokens, key }: { tokens: readonly string[]; key: string },
  ) {
    this.#world = world;
    this.#agent = agent;
    this.#tokens = tokens;
    this.#key = key;
    this.#api = world.api;
  }

  /** With tokens for so many calls. */
  static async open(world: RunWorld, calls: number): Promise<OwnIngest> {
    const em = world.database.em();
    const agent = await storeAgent(em, createVault(TEST_SECRET), { provider: 'livekit', baseUrl: null });
    const { client } = world.database;
    await client.query(`update workspaces set plan = 'enterprise' where id = $1`, [agent.workspaceId]);
    const personId = newId();
    const key = await makeKey(world.database, { ...agent, personId });
    const tokens: string[] = [];
    while (tokens.length * CALLS_A_TOKEN < calls) tokens.push(await makeToken(world, agent, personId));
    return new OwnIngest(world, agent, { tokens, key: key.secret });
  }

  get url(): string {
    return `${this.#api.url}/otlp`;
  }

  get pid(): number {
    return this.#api.child.pid ?? 0;
  }

  headersOf = (at: number) => ({ authorization: `Bearer ${this.#tokens[at % this.#tokens.length]}` });

  /** As though the minute were over in which spans that come late are waited for. */
  async passWait(): Promise<void> {
    await letWaitPass(this.#world.database, this.#agent);
    const { client } = this.#world.temporal.gateway;
    await client.workflow.getHandle(settleId(this.#agent.agentId)).signal(SETTLE_SIGNALS.moved);
  }

  kill(): void {
    this.#api.child.kill('SIGKILL');
  }

  async startAgain(): Promise<void> {
    await this.#api.stop();
    this.#api = await startProductApi(this.#world.database, this.#world.env);
  }

  async stopAgain(): Promise<void> {
    if (this.#api !== this.#world.api) await this.#api.stop();
  }

  /** Waits until as many calls are read, or `withinMs` brought no more. */
  async untilRead(calls: number, withinMs: number): Promise<void> {
    let before = -1;
    for (let quietSince = Date.now(); ; await sleep(LOOK_EVERY_MS)) {
      const { rows } = await this.#world.database.client.query<{ calls: number }>(
        `select count(*)::int as calls from calls where agent_id = $1 and state = 'analysed'`,
        [this.#agent.agentId],
      );
      const there = rows[0]?.calls ?? 0;
      if (there >= calls) return;
      if (there !== before) quietSince = Date.now();
      else if (Date.now() - quietSince > withinMs) return;
      before = there;
    }
  }

  /** How many of these the list of calls shows. */
  async listed(calls: readonly SentCall[]): Promise<number> {
    const known = new Set<string>();
    for (let cursor: string | null = ''; cursor !== null; ) {
      const query = new URLSearchParams({ limit: String(PAGE), ...(cursor ? { cursor } : {}) });
      const answer = await fetch(`${this.#api.url}/v1/agents/${this.#agent.agentId}/calls?${query.toString()}`, {
        headers: { authorization: `Bearer ${this.#key}` },
      });
      if (answer.status === 429) {
        await sleep(1_000 * Number(answer.headers.get('retry-after') ?? 1));
        continue;
      }
      const page = (await answer.json()) as { data: { providerCallId: string }[]; nextCursor: string | null };
      for (const { providerCallId } of page.data) known.add(providerCallId);
      cursor = page.nextCursor;
    }
    return calls.filter(({ ref }) => known.has(ref)).length;
  }
}

async function makeToken(world: RunWorld, agent: { workspaceId: string; agentId: string }, personId: string) {
  const { rows } = await world.database.client.query<{ id: string }>(
    'select connection_id as id from agents where id = $1',
    [agent.agentId],
  );
  const secret = newIngestSecret();
  await insertIngestToken(world.database.unscoped(), {
    ...agent,
    connectionId: rows[0]?.id ?? '',
    name: 'a token of the benches',
    secretHash: secretHash(secret),
    prefix: secret.slice(0, 10),
    createdBy: personId,
  });
  return secret;
}
