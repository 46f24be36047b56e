import { z } from 'zod';

const port = z.coerce.number().int().min(1).max(65_535);
const flag = z.enum(['1', 'true', '0', 'false']).transform((text) => text === '1' || text === 'true');

const environment = z.object({
  DATABASE_URL: z.string().min(1),
  EARSHOT_SECRET: z.string().min(32, 'must have at least 32 characters'),
  EARSHOT_PORT: port.default(4100),
  EARSHOT_HOST: z.string().default('127.0.0.1'),
  EARSHOT_DATA: z.string().default('.earshot'),
  EARSHOT_LOG_LEVEL: z.enum(['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent']).default('info'),
  EARSHOT_OUTBOUND_ALLOW: z.string().default(''),
  EARSHOT_DEMO_URL: z.url().optional(),
  EARSHOT_ADMIN_EMAIL: z.email().optional(),
  EARSHOT_ADMIN_PASSWORD: z.string().min(10).optional(),
  EARSHOT_TEMPORAL_UI: z.url().optional(),
  EARSHOT_POLL_SECONDS: z.coerce.number().min(1).default(60),
  EARSHOT_NO_POLL: flag.optional(),
  EARSHOT_WORKFLOW_BUNDLE: z.string().min(1).optional(),
});

/** The settings of a process, read once from its environment; nothing else reads `process.env`. */
export interface Config {
  databaseUrl: string;
  secret: string;
  host: string;
  port: number;
  dataFolder: string;
  logLevel: string;
  /** Networks (CIDR) that the outbound module may reach although they are private. */
  outboundAllow: string[];
  /** Where the demo platform listens; null when there is none. */
  demoUrl: string | null;
  firstAdmin: { email: string; password: string } | null;
  temporalUi: string | null;
  pollSeconds: number;
  polls: boolean;
  /** Path of a workflow bundle that was made before; null: the worker makes its own once. */
  workflowBundle: string | null;
}

/** Says in one sentence per variable what is wrong with it. */
export class ConfigError extends Error {
  override name = 'ConfigError';
}

/** @throws ConfigError naming each variable that is missing or malformed, without its value. */
export function readConfig(env: NodeJS.ProcessEnv = process.env): Config {
  const parsed = environment.safeParse(env);
  if (!parsed.success) {
    const problems = parsed.error.issues.map((issue) => `${issue.path.join('.')}: ${issue.message}`);
    throw new ConfigError(`The configuration is not usable. ${problems.join('; ')}`);
  }
  const values = parsed.data;
  const { EARSHOT_ADMIN_EMAIL: email, EARSHOT_ADMIN_PASSWORD: password } = values;
  return {
    databaseUrl: values.DATABASE_URL,
    secret: values.EARSHOT_SECRET,
    host: values.EARSHOT_HOST,
    port: values.EARSHOT_PORT,
    dataFolder: values.EARSHOT_DATA,
    logLevel: values.EARSHOT_LOG_LEVEL,
    outboundAllow: values.EARSHOT_OUTBOUND_ALLOW.split(',')
      .map((entry) => entry.trim())
      .filter(Boolean),
    demoUrl: values.EARSHOT_DEMO_URL ?? null,
    firstAdmin: email && password ? { email, password } : null,
    temporalUi: values.EARSHOT_TEMPORAL_UI ?? null,
    pollSeconds: values.EARSHOT_POLL_SECONDS,
    polls: values.EARSHOT_NO_POLL !== true,
    workflowBundle: values.EARSHOT_WORKFLOW_BUNDLE ?? null,
  };
}

/** Settings of the demo platform's process. */
export interface DemoConfig {
  /** 0: any free one. */
  port: number;
  dataFolder: string;
}

/** @throws ConfigError when the port is none. */
export function readDemoConfig(env: NodeJS.ProcessEnv = process.env): DemoConfig {
  const demoPort = z.coerce
    .number()
    .int()
    .min(0)
    .max(65_535)
    .safeParse(env.EARSHOT_DEMO_PORT ?? 0);
  if (!demoPort.success) throw new ConfigError('EARSHOT_DEMO_PORT must be a port, from 0 to 65535.');
  return { port: demoPort.data, dataFolder: env.EARSHOT_DATA ?? '.earshot' };
}
