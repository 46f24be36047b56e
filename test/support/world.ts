import type { FastifyInstance, InjectOptions } from 'fastify';
import { sql } from 'kysely';
import { pino } from 'pino';
import { expect } from 'vitest';
import { buildApp } from '../../api/app.ts';
import { readConfig } from '../../src/config.ts';
import { insertAgent } from '../../src/db/agents/write-agents.ts';
import { insertKey } from '../../src/db/system/keys.ts';
import { insertMembership } from '../../src/db/system/members.ts';
import { ensureSystemWorkspace, insertWorkspaceWithAdmin } from '../../src/db/system/setup.ts';
import type { KeyAccess, Role } from '../../src/domain/vocabulary.ts';
import { newId } from '../../src/ids.ts';
import { newKeySecret, secretHash } from '../../src/operations/access/secrets.ts';
import { issueToken, openSession } from '../../src/operations/access/sessions.ts';
import type { AuditLog } from '../../src/operations/admission.ts';
import { createServices } from '../../src/operations/create-services.ts';
import type { Operation } from '../../src/operations/operation.ts';
import type { Services } from '../../src/operations/services.ts';
import { createTestDatabase, type TestDatabase } from './database.ts';
import { testAnalyser } from './test-analyser.ts';

/** Answers are checked against the contract by its schemas; beyond that, tests look into them freely. */
// oxlint-disable-next-line typescript/no-explicit-any
export type Loose = any;

export interface Answered {
  status: number;
  body: Loose;
  headers: Record<string, string>;
  text: string;
}

export interface Asked {
  /** A key or a session token. */
  as?: string;
  body?: unknown;
  headers?: Record<string, string>;
  payload?: string | Buffer;
  /** The client's address. */
  from?: string;
}

/** A database, the application over it, and one workspace with an admin, keys and an agent. */
export interface World {
  database: TestDatabase;
  services: Services;
  app: FastifyInstance;
  workspaceId: string;
  personId: string;
  readKey: string;
  writeKey: string;
  agentId: string;
  /** Lines that the process logged. */
  logged: string[];
  get(url: string, as?: string): Promise<Answered>;
  ask(method: InjectOptions['method'], url: string, asked?: Asked): Promise<Answered>;
  makeKey(made?: { workspaceId?: string; access?: KeyAccess; agentId?: string | null }): Promise<string>;
  /** A session token of a person of the workspace; the admin where nobody is named. */
  token(who?: { workspaceId: string; personId: string }): Promise<string>;
  makeMember(role: Role): Promise<{ workspaceId: string; personId: string }>;
  makeWorkspace(): Promise<{ workspaceId: string; personId: string }>;
  /** A workspace whose admin runs the installation too, as the first one does. */
  makeWorkspaceOfOperator(): Promise<{ workspaceId: string; personId: string }>;
  makeAgent(made?: {
    workspaceId?: string;
    /** A shared demo agent, which belongs to the system's workspace whatever else is said. */
    readOnly?: boolean;
    provider?: 'retell' | 'file' | 'demo';
  }): Promise<string>;
  close(): Promise<void>;
}

export interface WorldOptions {
  audit?: AuditLog;
  /** The clock of the API. Without one it stands still, so that no token expires while the machine is busy. */
  now?: () => Date;
  /** True where limits are what is tested: else every request meets full buckets. */
  limited?: boolean;
  trustedProxies?: readonly string[];
  /** Address of the Temporal UI; none where it is left out. */
  temporalUi?: string;
  /** Instead of the table. */
  operations?: readonly Operation[];
  /** Where recordings are heard; nowhere where it is left out. */
  recordings?: Services['recordings'];
  /** The models that the process asks; none where it is left out. */
  ai?: Services['ai'];
}

export async function createWorld(options: WorldOptions = {}): Promise<World> {
  const database = await createTestDatabase();
  const madeAt = new Date();
  const logged: string[] = [];
  const log = pino({ level: 'debug' }, { write: (line: string) => void logged.push(line) });
  const config = readConfig({
    DATABASE_URL: database.url,
    EARSHOT_SECRET: 'a secret of the tests, 32 characters or more',
    // A look that comes by the clock would ask the platform of a test amid its own requests.
    EARSHOT_POLL_SECONDS: '86400',
    ...(options.temporalUi && { EARSHOT_TEMPORAL_UI: options.temporalUi }),
  });
  const services: Services = {
    ...createServices({
      config,
      database,
      log,
      ai: options.ai ?? null,
      recordings: options.recordings ?? null,
      analyser: testAnalyser(),
    }),
    now: options.now ?? (() => madeAt),
  };
  const ready = { ok: true, message: 'Answers.' };
  const app = await buildApp({
    services,
    health: {
      database: async () => ready,
      readiness: async () => ({ ready: true, database: ready, temporal: ready, workers: { ...ready, seen: 1 } }),
      accepting: () => true,
    },
    ...(options.audit ? { audit: options.audit } : {}),
    ...(options.trustedProxies ? { trustedProxies: options.trustedProxies } : {}),
    ...(options.operations ? { operations: options.operations } : {}),
  });

  const makeWorkspace: World['makeWorkspace'] = () =>
    insertWorkspaceWithAdmin(database.em(), {
      workspaceName: 'A workspace',
      email: `${newId()}@example.com`,
      name: 'An admin',
      passwordHash: null,
    });
  const first = await makeWorkspace();

  const world: World = {
    database,
    services,
    app,
    workspaceId: first.workspaceId,
    personId: first.personId,
    readKey: '',
    writeKey: '',
    agentId: '',
    logged,
    get: (url, as = world.readKey) => world.ask('GET', url, { as }),
    async ask(method, url, { as, body, headers = {}, payload, from } = {}) {
      if (!options.limited) await forgetBuckets(database);
      const response = await app.inject({
        method: method ?? 'GET',
        url,
        ...(from ? { remoteAddress: from } : {}),
        headers: {
          ...(as ? { authorization: `Bearer ${as}` } : {}),
          ...(body === undefined ? {} : { 'content-type': 'application/json' }),
          ...headers,
        },
        ...(body === undefined ? (payload === undefined ? {} : { payload }) : { payload: JSON.stringify(body) }),
      });
      const isJson = (response.headers['content-type'] ?? '').includes('application/json');
      return {
        status: response.statusCode,
        body: isJson && response.body !== '' ? JSON.parse(response.body) : null,
        headers: response.headers as Record<string, string>,
        text: response.body,
      };
    },
    async makeKey({ workspaceId = first.workspaceId, access = 'read', agentId = null } = {}) {
      const secret = newKeySecret();
      await insertKey(database.em(), {
        workspaceId,
        name: 'a key of the tests',
        access,
        agentId,
        monthlyBudgetUsd: access === 'write' ? 50 : null,
        secretHash: secretHash(secret),
        prefix: secret.slice(0, 10),
        createdBy: first.personId,
      });
      return secret;
    },
    async token(who = first) {
      const session = await openSession(database.em(), services, { ...who, rotates: true });
      return (await issueToken(services, { ...who, id: session.sessionId })).token;
    },
    async makeMember(role) {
      const personId = newId();
      const db = database.em().getKysely();
      await sql`insert into people (id, email, name) values (${personId}, ${`${personId}@example.com`}, 'A member')`.execute(
        db,
      );
      await sql`
        insert into memberships (workspace_id, person_id, role) values (${first.workspaceId}, ${personId}, ${role})
      `.execute(db);
      return { workspaceId: first.workspaceId, personId };
    },
    makeWorkspace,
    async makeWorkspaceOfOperator() {
      const { workspaceId } = await makeWorkspace();
      await insertMembership(database.em(), { workspaceId, personId: first.personId, role: 'admin' });
      return { workspaceId, personId: first.personId };
    },
    async makeAgent({ workspaceId = first.workspaceId, readOnly = false, provider = 'retell' } = {}) {
      const id = await insertAgent(database.em(), {
        workspaceId: readOnly ? await ensureSystemWorkspace(database.em()) : workspaceId,
        connectionId: null,
        name: 'An agent',
        provider,
        providerAgentId: newId(),
        source: provider,
        setupStatus: 'approved',
        onboardingStep: 'done',
        readOnly,
      });
      if (id === null) throw new Error('the agent was there already');
      return id;
    },
    async close() {
      await app.close();
      await database.drop();
    },
  };
  world.readKey = await world.makeKey();
  world.writeKey = await world.makeKey({ access: 'write' });
  world.agentId = await world.makeAgent();
  return world;
}

/** A missing bucket is full. What is drawn from at this moment stays. */
export async function forgetBuckets(database: TestDatabase): Promise<void> {
  await sql`
    delete from buckets where name in (select name from buckets for update skip locked)
  `.execute(database.em().getKysely());
}

/** Every error has the same shape, and names its request. */
export function expectFailure(answer: Answered, status: number, code: string, param: string | null = null): void {
  expect({ status: answer.status, code: answer.body?.error?.code, param: answer.body?.error?.param }).toEqual({
    status,
    code,
    param,
  });
  expect(answer.body.error.requestId).toBe(answer.headers['request-id']);
  expect(answer.body.error.requestId).toMatch(/^req_[0-9a-f]{24}$/);
}
