import { readConfig } from '../../src/config.ts';
import { type Database, openDatabase, RoleRefusedError } from '../../src/db/database.ts';
import { prepareSchema } from '../../src/db/migrate.ts';
import { NewerDatabaseError, SchemaBehindError } from '../../src/db/schema.ts';
import { ensureDemoAgents } from '../../src/operations/setup/demo-agents.ts';
import { ensureFirstWorkspace } from '../../src/operations/setup/first-workspace.ts';
import { createVault } from '../../src/secrets.ts';
import { keepHashingKey, WrongSecretError } from '../../src/services/secrets/hashing-key.ts';
import { installationId } from '../../src/services/secrets/installation-id.ts';
import { fileTrouble, UserFacingError } from '../../src/user-facing-error.js';

/** Shown once, when they are made; null afterwards. */
export interface FirstSecrets {
  /** Where the first person sets a password. */
  signInLink: string | null;
  key: string | null;
  session: string | null;
}

export interface DemoAgent {
  agentId: string;
  workspaceId: string;
  name: string;
}

/** What a start puts into the database, and the connection to look at it. */
export interface FirstData {
  database: Database;
  /** What the migration did, in words. */
  schema: string;
  /** @param renewSecrets makes the command line's key and session anew. */
  ensureWorkspace(renewSecrets: boolean): Promise<FirstSecrets>;
  ensureDemo(): Promise<DemoAgent[]>;
  /** By which Temporal's namespace knows whose it is. */
  installation(): Promise<string>;
  close(): Promise<void>;
}

const POOL_MAX = 4;
const STATEMENT_TIMEOUT_MS = 60_000;

/**
 * Opens the database and brings its schema up to date.
 * @param env as the processes get it.
 * @param url where the server listens: of the sign-in link, unless `EARSHOT_PUBLIC_URL` says where it is reached.
 * @throws UserFacingError when a newer Earshot has migrated the database, or the application's role may not be taken on.
 */
export async function openFirstData(env: NodeJS.ProcessEnv, url: string): Promise<FirstData> {
  const config = readConfig(env);
  const vault = createVault(config.secret, config.earlierSecrets);
  const ran = await prepareSchema(config).catch((error: unknown) => {
    throw explained(error);
  });
  const database = await openDatabase({
    url: config.databaseUrl,
    poolMax: POOL_MAX,
    applicationName: 'earshot-start',
    statementTimeoutMs: STATEMENT_TIMEOUT_MS,
    onIdleError: () => {},
  });
  try {
    await database.check();
    await keepHashingKey(database, vault);
    return {
      database,
      schema: ran.length > 0 ? `migrated (${ran.length} new)` : 'up to date',
      ensureWorkspace: (renewSecrets) =>
        ensureFirstWorkspace({
          database,
          vault,
          publicUrl: config.publicUrl ?? url,
          firstAdmin: config.firstAdmin,
          renewSecrets,
        }),
      installation: () => installationId(database, vault),
      async ensureDemo() {
        if (!config.demoUrl) return [];
        const { DEMO_AGENTS, DEMO_GOALS, DEMO_TESTS } = await import('../demo-platform/agents.ts');
        const { agents } = await ensureDemoAgents({
          database,
          vault,
          demoUrl: config.demoUrl,
          demoAgents: DEMO_AGENTS.map((agent) => ({
            ...agent,
            tests: DEMO_TESTS.get(agent.providerAgentId) ?? [],
            goal: DEMO_GOALS.get(agent.providerAgentId),
          })),
          polling: config,
        });
        return agents;
      },
      close: () => database.close(),
    };
  } catch (error) {
    await database.close();
    throw explained(error);
  }

  function explained(error: unknown): unknown {
    if (error instanceof RoleRefusedError || error instanceof SchemaBehindError || error instanceof WrongSecretError)
      return new UserFacingError(error.message);
    if (error instanceof NewerDatabaseError) {
      return new UserFacingError(
        `${error.message} Update the project, or start with EARSHOT_DATA (or DATABASE_URL) set to another place.`,
      );
    }
    return fileTrouble(error, config.dataFolder) ?? error;
  }
}
