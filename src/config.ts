import { z } from 'zod';
import { type TokenPrice, wholePrice } from './domain/limits/model-cost.ts';
import type { NewWorkspaceTerms } from './domain/limits/plans.ts';
import { PLANS, ROLES, type Role } from './domain/vocabulary.ts';
import { takeSecretFiles } from './secret-files.ts';
import { messageOf } from './user-facing-error.js';

const port = z.coerce.number().int().min(1).max(65_535);
const flag = z.enum(['1', 'true', '0', 'false']).transform((text) => text === '1' || text === 'true');

/** An empty setting is one that is not set, as Compose files write it. */
const text = z
  .string()
  .optional()
  .transform((given) => given || undefined);
/** A whole number within bounds; as where it is unset where it is empty. */
const whole = (least: number, most: number) => {
  const words = `must be a whole number from ${least} to ${most}`;
  return z.coerce.number<string>(words).int(words).min(least, words).max(most, words);
};
const SHARE = 'must be from 0 to 1';
const TRACE_ADDRESS = 'must be an address with {traceId} in it';
const modelUrl = text.pipe(z.url({ protocol: /^https?$/ }).optional());
const usdPerMillion = z.number().min(0);
/** `{"a-model": {"input": 0.15, "output": 0.6, "cachedInput": 0.015, "cacheWrite": 0.15}}`, or one number for input and output. */
const modelPrices = z.record(
  z.string(),
  z.union([
    z.strictObject({
      input: usdPerMillion,
      output: usdPerMillion,
      cachedInput: usdPerMillion.optional(),
      cacheWrite: usdPerMillion.optional(),
    }),
    usdPerMillion.transform((price) => ({ input: price, output: price })),
  ]),
);

const isLoopback = (hostname: string) => ['localhost', '127.0.0.1', '[::1]'].includes(hostname);

/** How far the server of an address is trusted, as PostgreSQL's drivers name it. */
const TLS_MODES = ['disable', 'prefer', 'require', 'verify-ca', 'verify-full', 'no-verify'];

/** One that means TLS and misspells it must not be reached in the open. */
const databaseAddress = z
  .string()
  .min(1)
  .refine(
    (text) => {
      const [, query = ''] = text.split('?');
      return new URLSearchParams(query).getAll('sslmode').every((mode) => TLS_MODES.includes(mode));
    },
    `sslmode must be one of ${TLS_MODES.join(', ')}`,
  );

/** First parts of our own addresses: below one of them nobody could tell which is meant. */
const OWN_PATHS =
  /^\/(?:a|agents|app|assets|billing|fixtures|hooks|ingest|invitations|links|mcp|otlp|reference|schemas|settings|sign-in|system|v1|waiting)(?:\/|$)/;
const BASE_PATH = /^(?:\/[A-Za-z0-9._~-]+)*$/;

/** Scheme, host, port, and the path below which a proxy passes requests on; without a slash at its end. */
const publicAddress = z
  .url({ protocol: /^https?$/ })
  .transform((text) => new URL(text))
  .refine(
    ({ href, origin, pathname }) => href === `${origin}${pathname}` && BASE_PATH.test(pathname.replace(/\/$/, '')),
    'must be an address such as https://earshot.example.com or https://example.com/earshot',
  )
  .refine(
    ({ pathname }) => !OWN_PATHS.test(pathname),
    'must not begin with a path that Earshot uses itself, such as /app or /v1: use another one, such as /earshot',
  )
  .transform(({ href }) => href.replace(/\/$/, ''));

/** Kept as it is written: the provider must name itself by the very same text. */
const issuer = z
  .url({ protocol: /^https?$/ })
  .refine(
    (text) => text.startsWith('https:') || isLoopback(new URL(text).hostname),
    'must begin with https://, as who reads it on the way could sign in as anybody',
  );

/** Newest first, with commas between them. */
const earlierSecrets = z
  .string()
  .default('')
  .transform((given) => given.split(',').filter(Boolean))
  .pipe(z.array(z.string().min(32, 'must be secrets of at least 32 characters, with commas')));

/** Networks or addresses, with commas between them. */
const networks = z
  .string()
  .default('')
  .transform((given) =>
    given
      .split(',')
      .map((entry) => entry.trim())
      .filter(Boolean),
  )
  .pipe(
    z.array(
      z.union(
        [z.ipv4(), z.ipv6(), z.cidrv4(), z.cidrv6()],
        'must be networks such as 10.0.0.0/8 or fd00::/8, with commas',
      ),
    ),
  );

/** `earshot@example.com`, or with a name before it in angle brackets. */
const mailFrom = text.pipe(
  z
    .string()
    .regex(/^([^<>\r\n]{1,100} <[^\s<>@]+@[A-Za-z0-9.-]+>|[^\s<>@]+@[A-Za-z0-9.-]+)$/, 'must be an e-mail address')
    .optional(),
);

/** Where a process listens: an address of its machine with a port. */
const listenAddress = text.pipe(
  z
    .string()
    .regex(
      /^(\d{1,3}(\.\d{1,3}){3}|\[[0-9a-fA-F:]+\]):\d{1,5}$/,
      'must be an address with a port, such as 127.0.0.1:9464',
    )
    .optional(),
);

/** Names after the @ of addresses, with commas between them; `*` for any. */
const mailDomains = text.pipe(
  z
    .string()
    .regex(/^(\*|[A-Za-z0-9.-]+)( *, *[A-Za-z0-9.-]+)*$/, 'must be domains such as example.com, with commas, or *')
    .transform((given) => given.split(',').map((domain) => domain.trim().toLowerCase()))
    .default([]),
);

const NEW_USD = 'must be USD over 30 days such as 5, or unlimited';
const NEW_MIB = 'must be a whole number of MiB such as 1024, or unlimited';
/** Null: unlimited; undefined: not set. */
const orUnlimited = (amount: z.ZodType<number, string>, error: string) =>
  z.union([z.literal('unlimited').transform(() => null), amount], error).optional();

const environment = z.object({
  DATABASE_URL: databaseAddress,
  EARSHOT_MIGRATION_URL: text.pipe(databaseAddress.optional()),
  EARSHOT_SECRET: z.string().min(32, 'must have at least 32 characters'),
  EARSHOT_SECRET_EARLIER: earlierSecrets,
  EARSHOT_PORT: port.default(4100),
  EARSHOT_HOST: z.string().default('127.0.0.1'),
  EARSHOT_DATA: z.string().default('.earshot'),
  EARSHOT_LOG_LEVEL: z.enum(['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent']).default('info'),
  EARSHOT_OUTBOUND_ALLOW: networks,
  EARSHOT_TRUSTED_PROXIES: networks,
  EARSHOT_DEMO_URL: z.url().optional(),
  EARSHOT_ADMIN_EMAIL: text.pipe(z.email().optional()),
  EARSHOT_ADMIN_PASSWORD: text.pipe(z.string().min(10).optional()),
  EARSHOT_PUBLIC_URL: publicAddress.optional(),
  EARSHOT_OIDC_ISSUER: text.pipe(issuer.optional()),
  EARSHOT_OIDC_CLIENT_ID: text,
  EARSHOT_OIDC_CLIENT_SECRET: text,
  EARSHOT_OIDC_NAME: text.pipe(z.string().max(60).default('Single sign-on')),
  EARSHOT_OIDC_SCOPE: text.pipe(
    z
      .string()
      .refine(
        (scopes) => scopes.split(' ').includes('openid'),
        'must be scopes with spaces between them, including openid',
      )
      .default('openid email profile'),
  ),
  EARSHOT_OIDC_GROUPS_CLAIM: text.pipe(z.string().default('groups')),
  EARSHOT_OIDC_ROLES: text.transform((given, context) => {
    if (given === undefined) return null;
    try {
      return new Map(Object.entries(z.record(z.string(), z.enum(ROLES)).parse(JSON.parse(given))));
    } catch {
      context.addIssue(`must be JSON such as {"voice-admins": "admin", "voice": "member"}, of ${ROLES.join(', ')}`);
      return z.NEVER;
    }
  }),
  EARSHOT_TEMPORAL_UI: text.pipe(z.url().optional()),
  EARSHOT_TEMPORAL_CODEC: text.pipe(z.enum(['on', 'off'], 'must be on or off').default('off')),
  EARSHOT_TRACE_URL: z
    .string()
    .regex(/^https?:\/\/\S+$/, TRACE_ADDRESS)
    .includes('{traceId}', TRACE_ADDRESS)
    .optional(),
  OTEL_EXPORTER_OTLP_ENDPOINT: text,
  OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: text,
  OTEL_SDK_DISABLED: text,
  OTEL_TRACES_SAMPLER_ARG: text.pipe(z.coerce.number<string>(SHARE).min(0, SHARE).max(1, SHARE).default(1)),
  OTEL_BSP_SCHEDULE_DELAY: text.pipe(whole(0, 600_000).default(5_000)),
  EARSHOT_POLL_SECONDS: z.coerce.number().min(1).default(60),
  EARSHOT_NO_POLL: flag.optional(),
  EARSHOT_METRICS_TOKEN: text.pipe(z.string().min(16, 'must have at least 16 characters').optional()),
  EARSHOT_WORKER_METRICS: listenAddress,
  EARSHOT_WORKER_HEALTH: listenAddress,
  EARSHOT_WORKFLOW_BUNDLE: z.string().min(1).optional(),
  EARSHOT_SMTP_URL: text.pipe(
    z
      .url({ protocol: /^smtps?$/, error: 'must be an address such as smtps://user:password@mail.example.com' })
      .optional(),
  ),
  EARSHOT_MAIL_FROM: mailFrom,
  EARSHOT_MAIL_DOMAINS: mailDomains,
  EARSHOT_PLATFORM_REQUESTS_A_SECOND: text.pipe(whole(1, 1_000).optional()),
  EARSHOT_STORAGE_MIB: text.pipe(whole(1, 1_000_000_000).optional()),
  EARSHOT_WORKSPACES_A_PERSON: text.pipe(whole(0, 100_000).default(3)),
  EARSHOT_SINGLE_TENANT: text.pipe(z.enum(['on', 'off'], 'must be on or off').default('off')),
  EARSHOT_NEW_WORKSPACE_PLAN: text.pipe(z.enum(PLANS, `must be one of ${PLANS.join(', ')}`).optional()),
  EARSHOT_NEW_WORKSPACE_AI_USD: text.pipe(
    orUnlimited(z.coerce.number<string>(NEW_USD).min(0, NEW_USD).max(1_000_000_000, NEW_USD), NEW_USD),
  ),
  EARSHOT_NEW_WORKSPACE_STORAGE_MIB: text.pipe(orUnlimited(whole(1, 1_000_000_000), NEW_MIB)),
  EARSHOT_DATABASE_CONNECTIONS: text.pipe(whole(2, 200).optional()),
  EARSHOT_ANALYSIS_SLOTS: text.pipe(whole(1, 100).default(6)),
  EARSHOT_CONVERSATION_SLOTS: text.pipe(whole(1, 200).default(10)),
  EARSHOT_DELIVERY_SLOTS: text.pipe(whole(1, 500).default(40)),
  EARSHOT_CACHED_WORKFLOWS: text.pipe(whole(10, 10_000).default(300)),
  EARSHOT_READING_PROCESSES: text.pipe(whole(1, 64).default(2)),
  EARSHOT_DRAIN_SECONDS: text.pipe(whole(0, 300).default(0)),
});

const AGENT_USD = 'must be USD a month such as 10, or unlimited';
const modelEnvironment = z.object({
  EARSHOT_MODEL_URL: modelUrl,
  EARSHOT_MODEL_KEY: text,
  EARSHOT_MODEL: text,
  EARSHOT_EMBEDDING_MODEL: text,
  EARSHOT_JUDGE_MODEL: text,
  EARSHOT_SIMULATOR_MODEL: text,
  EARSHOT_MODEL_READING: text.pipe(
    z.enum(['off', 'assist', 'decide'], 'must be off, assist or decide').default('decide'),
  ),
  EARSHOT_MODEL_AGENT_USD: text.pipe(
    z
      .union([z.literal('unlimited').transform(() => null), z.coerce.number<string>().min(0).max(100_000)], AGENT_USD)
      .default(10),
  ),
  EARSHOT_MODEL_SLOTS: text.pipe(whole(1, 100).default(4)),
  EARSHOT_MODEL_BATCH: text.pipe(z.enum(['on', 'off'], 'must be on or off').default('off')),
  EARSHOT_MODEL_PRICES: text.transform((given, context) => {
    if (given === undefined) return {};
    try {
      return modelPrices.parse(JSON.parse(given));
    } catch {
      context.addIssue('must be JSON such as {"a-model": {"input": 0.15, "output": 0.6}}, USD a million tokens');
      return z.NEVER;
    }
  }),
  ANTHROPIC_API_KEY: text,
  ANTHROPIC_BASE_URL: modelUrl,
});

/** A model that answers questions: where it is, and which one. */
export interface ChatModelConfig {
  protocol: 'openai' | 'anthropic';
  /** Without a slash at its end. */
  url: string;
  key: string | null;
  model: string;
  /** Who is asked, and pays. */
  account: { id: string; host: string };
}

/** The models that an operator configured. Everything works without any. */
export interface ModelConfig {
  chat: ChatModelConfig | null;
  embedding: { url: string; key: string | null; model: string } | null;
  /** Names of other models at the same endpoint for judging and for simulating callers; null: the one of `chat`. */
  judge: string | null;
  simulator: string | null;
  /** USD a million tokens, by model. */
  prices: Record<string, TokenPrice>;
  /** Questions that one worker asks at the same time. */
  slots: number;
  /** Backfills are asked through the provider's batch interface. */
  batches: boolean;
  /** What a model may do on the calls of an agent that is made, and what that may cost a UTC month; null: unlimited. */
  newAgents: { modelReading: 'off' | 'assist' | 'decide'; budgetUsd: number | null };
}

/** The provider of an organization's own sign-in. */
export interface OidcConfig {
  issuer: string;
  clientId: string;
  clientSecret: string;
  name: string;
  /** What is asked of it, with blanks between. */
  scope: string;
  groups: {
    /** The claim in which it names a person's groups. */
    claim: string;
    /** What each makes of its members. */
    roles: ReadonlyMap<string, Role>;
  } | null;
}

/** The settings of a process, read once from its environment; nothing else reads `process.env`. */
export interface Config {
  databaseUrl: string;
  /** Of the user who owns the tables, where that is another one than the processes have; null: it is the same. */
  migrationUrl: string | null;
  secret: string;
  /** Secrets from before, newest first: what was sealed under them still opens. */
  earlierSecrets: string[];
  host: string;
  port: number;
  dataFolder: string;
  logLevel: string;
  /** Networks (CIDR) that the outbound module may reach although they are private. */
  outboundAllow: string[];
  /** Networks (CIDR) of the proxies in front of the API, whose word on the client's address is taken. */
  trustedProxies: string[];
  /** Where the demo platform listens; null when there is none. */
  demoUrl: string | null;
  firstAdmin: { email: string; password: string } | null;
  /** Under which address people and clients reach this instance, without a slash at its end; null: where it listens. */
  publicUrl: string | null;
  /** The organization's own sign-in, by OpenID Connect; null where none is set up. */
  oidc: OidcConfig | null;
  /** How people get mail: the operator's server and the sender's address; null: they get none. */
  mail: { url: string; from: string } | null;
  /** Domains that channels may write to besides those of members; `*`: any. */
  mailDomains: string[];
  /** How much of its calls a workspace keeps at most where it has no number of its own; null: no bound. */
  storageMib: number | null;
  /** Requests that the workers ask of one platform account at most; null: no bound. */
  requestsASecond: number | null;
  /** How many workspaces one person may make. */
  workspacesAPerson: number;
  /** What a workspace may do that a person makes; the installation's own is unlimited. */
  newWorkspaces: NewWorkspaceTerms;
  temporalUi: string | null;
  /** Whether what workflows and activities carry is sealed in Temporal's histories. */
  sealsTemporal: boolean;
  /** Address of a trace in the operator's viewer, with `{traceId}`. */
  traceUrl: string | null;
  /** Where spans are sent is for OpenTelemetry's own variables to say; null: nothing is traced. */
  traces: { share: number; delayMs: number } | null;
  pollSeconds: number;
  polls: boolean;
  /** What a Prometheus server shows to read `/metrics`; null: there is no such address. */
  metricsToken: string | null;
  /** Where the worker's own metrics of Temporal's SDK are served; null: nowhere. */
  workerMetrics: string | null;
  /** Where the worker says how it is; null: nowhere. */
  workerHealth: string | null;
  /** Path of a workflow bundle that was made before; null: the worker makes its own once. */
  workflowBundle: string | null;
  models: ModelConfig;
  /** Most connections of this process to the database; null: as many as its kind takes. */
  databaseConnections: number | null;
  /** Simulated calls that one worker plays at the same time. */
  conversationSlots: number;
  /** What else a worker does at the same time, and workflows that it keeps in mind. */
  analysisSlots: number;
  deliverySlots: number;
  cachedWorkflows: number;
  /** Processes in which calls are read at the same time. */
  readingProcesses: number;
  /** How long an API that was asked to end goes on answering, so that balancers hear of it. */
  drainSeconds: number;
}

/** Where all workspaces are one organization's, nothing is bounded unless set; otherwise what costs the operator money or disk is. */
function readNewWorkspaces(values: z.infer<typeof environment>): NewWorkspaceTerms {
  const isSingle = values.EARSHOT_SINGLE_TENANT === 'on';
  const {
    EARSHOT_NEW_WORKSPACE_PLAN: plan = isSingle ? 'enterprise' : 'free_org',
    EARSHOT_NEW_WORKSPACE_AI_USD: aiAllowanceUsd = isSingle ? null : 0,
    EARSHOT_NEW_WORKSPACE_STORAGE_MIB: storageMib = isSingle || values.EARSHOT_STORAGE_MIB ? null : 1024,
  } = values;
  return { plan, aiAllowanceUsd, storageMib };
}

/** Says in one sentence per variable what is wrong with it. */
export class ConfigError extends Error {
  override name = 'ConfigError';
}

/**
 * @param env gets the secrets that files hold (`takeSecretFiles`).
 * @throws ConfigError naming each variable that is missing or malformed, without its value.
 */
export function readConfig(env: NodeJS.ProcessEnv = process.env): Config {
  const values = parseEnvironment(environment, env);
  const { EARSHOT_ADMIN_EMAIL: email, EARSHOT_ADMIN_PASSWORD: password } = values;
  return {
    databaseUrl: values.DATABASE_URL,
    migrationUrl: values.EARSHOT_MIGRATION_URL ?? null,
    secret: values.EARSHOT_SECRET,
    earlierSecrets: values.EARSHOT_SECRET_EARLIER,
    host: values.EARSHOT_HOST,
    port: values.EARSHOT_PORT,
    dataFolder: values.EARSHOT_DATA,
    logLevel: values.EARSHOT_LOG_LEVEL,
    outboundAllow: values.EARSHOT_OUTBOUND_ALLOW,
    trustedProxies: values.EARSHOT_TRUSTED_PROXIES,
    demoUrl: values.EARSHOT_DEMO_URL ?? null,
    firstAdmin: email && password ? { email, password } : null,
    publicUrl: values.EARSHOT_PUBLIC_URL ?? null,
    oidc: readOidc(values),
    mail: readMail(values),
    mailDomains: values.EARSHOT_MAIL_DOMAINS,
    storageMib: values.EARSHOT_STORAGE_MIB ?? null,
    requestsASecond: values.EARSHOT_PLATFORM_REQUESTS_A_SECOND ?? null,
    workspacesAPerson: values.EARSHOT_WORKSPACES_A_PERSON,
    newWorkspaces: readNewWorkspaces(values),
    temporalUi: values.EARSHOT_TEMPORAL_UI ?? null,
    sealsTemporal: values.EARSHOT_TEMPORAL_CODEC === 'on',
    traceUrl: values.EARSHOT_TRACE_URL ?? null,
    traces: readTraces(values),
    pollSeconds: values.EARSHOT_POLL_SECONDS,
    polls: values.EARSHOT_NO_POLL !== true,
    metricsToken: values.EARSHOT_METRICS_TOKEN ?? null,
    workerMetrics: values.EARSHOT_WORKER_METRICS ?? null,
    workerHealth: values.EARSHOT_WORKER_HEALTH ?? null,
    workflowBundle: values.EARSHOT_WORKFLOW_BUNDLE ?? null,
    models: readModelConfig(env),
    databaseConnections: values.EARSHOT_DATABASE_CONNECTIONS ?? null,
    conversationSlots: values.EARSHOT_CONVERSATION_SLOTS,
    analysisSlots: values.EARSHOT_ANALYSIS_SLOTS,
    deliverySlots: values.EARSHOT_DELIVERY_SLOTS,
    cachedWorkflows: values.EARSHOT_CACHED_WORKFLOWS,
    readingProcesses: values.EARSHOT_READING_PROCESSES,
    drainSeconds: values.EARSHOT_DRAIN_SECONDS,
  };
}

function parseEnvironment<Schema extends z.ZodType>(schema: Schema, env: NodeJS.ProcessEnv): z.output<Schema> {
  try {
    takeSecretFiles(env);
  } catch (error) {
    throw new ConfigError(`The configuration is not usable. ${messageOf(error)}`);
  }
  const parsed = schema.safeParse(env);
  if (parsed.success) return parsed.data;
  const problems = parsed.error.issues.map((issue) => `${issue.path.join('.')}: ${issue.message}`);
  throw new ConfigError(`The configuration is not usable. ${problems.join('; ')}`);
}

const ANTHROPIC_URL = 'https://api.anthropic.com';
/** A key alone is enough to begin with: quick, and among the cheapest of its provider. */
const ANTHROPIC_MODEL = 'claude-haiku-4-5';

/** @throws ConfigError naming each variable that is malformed, or that another one needs. */
export function readModelConfig(env: NodeJS.ProcessEnv = process.env): ModelConfig {
  const values = parseEnvironment(modelEnvironment, env);
  const { EARSHOT_MODEL: model, EARSHOT_EMBEDDING_MODEL: embedding, ANTHROPIC_API_KEY: anthropicKey } = values;
  const url = values.EARSHOT_MODEL_URL?.replace(/(?<!\/)\/+$/, '');
  const key = values.EARSHOT_MODEL_KEY ?? null;
  if (url === undefined && embedding !== undefined) {
    throw new ConfigError('EARSHOT_EMBEDDING_MODEL needs EARSHOT_MODEL_URL, the address that it is asked at.');
  }
  if (url !== undefined && model === undefined && embedding === undefined) {
    throw new ConfigError('EARSHOT_MODEL_URL needs EARSHOT_MODEL, the name of the model to ask there.');
  }
  let chat: ChatModelConfig | null = null;
  if (url !== undefined && model !== undefined)
    chat = { protocol: 'openai', url, key, model, account: operatorsAccount(url) };
  else if (anthropicKey !== undefined) {
    const anthropicUrl = (values.ANTHROPIC_BASE_URL ?? ANTHROPIC_URL).replace(/(?<!\/)\/+$/, '');
    const account = operatorsAccount(anthropicUrl);
    chat = { protocol: 'anthropic', url: anthropicUrl, key: anthropicKey, model: model ?? ANTHROPIC_MODEL, account };
  }
  return {
    chat,
    embedding: url !== undefined && embedding !== undefined ? { url, key, model: embedding } : null,
    judge: values.EARSHOT_JUDGE_MODEL ?? null,
    simulator: values.EARSHOT_SIMULATOR_MODEL ?? null,
    prices: Object.fromEntries(
      Object.entries(values.EARSHOT_MODEL_PRICES).map(([name, told]) => [
        name,
        wholePrice(told, chat?.protocol ?? 'openai'),
      ]),
    ),
    slots: values.EARSHOT_MODEL_SLOTS,
    batches: values.EARSHOT_MODEL_BATCH === 'on',
    newAgents: { modelReading: values.EARSHOT_MODEL_READING, budgetUsd: values.EARSHOT_MODEL_AGENT_USD },
  };
}

const operatorsAccount = (url: string) => ({ id: `operator ${url}`, host: new URL(url).host });

/** Origins of models that the operator set by hand: reached as they are, also on this machine. */
export function modelOrigins({ chat, embedding }: ModelConfig): string[] {
  return [chat?.url, embedding?.url].filter((url) => typeof url === 'string');
}

function readTraces(values: z.infer<typeof environment>): Config['traces'] {
  const endpoint = values.OTEL_EXPORTER_OTLP_TRACES_ENDPOINT ?? values.OTEL_EXPORTER_OTLP_ENDPOINT;
  if (endpoint === undefined || values.OTEL_SDK_DISABLED?.toLowerCase() === 'true') return null;
  return { share: values.OTEL_TRACES_SAMPLER_ARG, delayMs: values.OTEL_BSP_SCHEDULE_DELAY };
}

function readOidc(values: z.infer<typeof environment>): Config['oidc'] {
  const {
    EARSHOT_OIDC_ISSUER: issuer,
    EARSHOT_OIDC_CLIENT_ID: clientId,
    EARSHOT_OIDC_CLIENT_SECRET: clientSecret,
  } = values;
  const { EARSHOT_OIDC_NAME: name, EARSHOT_OIDC_SCOPE: scope } = values;
  const { EARSHOT_OIDC_GROUPS_CLAIM: claim, EARSHOT_OIDC_ROLES: roles } = values;
  if (issuer && clientId && clientSecret) {
    return { issuer, clientId, clientSecret, name, scope, groups: roles && { claim, roles } };
  }
  if (issuer || clientId || clientSecret) {
    throw new ConfigError(
      'The configuration is not usable. EARSHOT_OIDC_ISSUER, EARSHOT_OIDC_CLIENT_ID and EARSHOT_OIDC_CLIENT_SECRET belong together: set all three, or none.',
    );
  }
  return null;
}

function readMail({ EARSHOT_SMTP_URL: url, EARSHOT_MAIL_FROM: from }: z.infer<typeof environment>): Config['mail'] {
  if (url && from) return { url, from };
  if (url || from) {
    throw new ConfigError(
      'The configuration is not usable. EARSHOT_SMTP_URL and EARSHOT_MAIL_FROM belong together: set both, or none.',
    );
  }
  return null;
}

/** Where people reach this instance: as the operator named it, or where it listens. */
export function publicUrlOf({ publicUrl, host, port }: Pick<Config, 'publicUrl' | 'host' | 'port'>): string {
  return publicUrl ?? `http://${host.includes(':') ? `[${host}]` : host}:${port}`;
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
