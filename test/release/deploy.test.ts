import { mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { parse } from 'yaml';
import { readConfig } from '../../src/config.ts';
import { ROOT } from '../../src/layout.ts';
import { SECRET_VARIABLES } from '../../src/secret-files.ts';

const read = (file: string) => readFileSync(join(ROOT, 'deploy', file), 'utf8');
const image = (name: string) => `docker.io/library/${name}@sha256:${'0'.repeat(64)}`;
const GIVEN: Record<string, string> = {
  EARSHOT_HOSTNAME: 'earshot.example.com',
  EARSHOT_ADMIN_EMAIL: 'ops@example.com',
  NODE_IMAGE: image('node'),
  POSTGRES_IMAGE: image('postgres'),
  TEMPORAL_IMAGE: image('temporal'),
  CADDY_IMAGE: image('caddy'),
};
/** What deploy/prepare.sh writes. */
const SECRETS: Record<string, string> = {
  'database-url': 'postgres://earshot_service:p@postgres:5432/earshot',
  'migration-url': 'postgres://earshot_owner:p@postgres:5432/earshot',
  'earshot-secret': 's'.repeat(48),
  'admin-password': 'a long enough password',
};

interface Service {
  image: string;
  command?: string[];
  read_only?: boolean;
  restart?: string;
  environment?: Record<string, string>;
  secrets?: string[];
  healthcheck?: object;
  depends_on?: Record<string, object>;
  networks?: string[];
}

/** As Compose reads it: a variable that nobody named is an error, but for one that is empty unless set. */
const compose: { services: Record<string, Service>; secrets: Record<string, { file: string }> } = parse(
  read('compose.yaml').replaceAll(/\$\{(\w+)(:\?|:-(\w*))\}/g, (_all, name: string, _how, otherwise?: string) => {
    const value = GIVEN[name] ?? otherwise;
    if (value === undefined) throw new Error(`${name} is not in .env.example.`);
    return value === '' ? "''" : value;
  }),
  { merge: true },
);

/** As the container has it: files with what its secrets hold, empty where nobody entered anything. */
function environmentOf({ environment = {}, secrets = [] }: Service): Record<string, string> {
  const folder = mkdtempSync(join(tmpdir(), 'earshot-secrets-'));
  for (const name of secrets) writeFileSync(join(folder, name), `${SECRETS[name] ?? ''}\n`);
  return Object.fromEntries(
    Object.entries(environment).map(([name, value]) => [name, value.replace(/^\/run\/secrets/, folder)]),
  );
}

test('what Compose needs stands in .env.example', () => {
  const named = new Set(read('.env.example').match(/^\w+(?==)/gm));
  const asked = new Set([...read('compose.yaml').matchAll(/\$\{(\w+)/g)].map(([, name]) => name));
  asked.delete('EARSHOT_IMAGE');
  expect(named).toEqual(asked);
  for (const name of Object.keys(GIVEN)) expect(named).toContain(name);
});

test('what others made is named by its digest, which nobody can replace', () => {
  const others = Object.values(compose.services).map((service) => service.image);
  expect(others.filter((name) => name !== 'earshot' && !/@sha256:[0-9a-f]{64}$/.test(name))).toEqual([]);
  expect(read('Containerfile').match(/^(?:ARG|FROM) .*/gm)).toEqual([
    'ARG NODE_IMAGE',
    'FROM ${NODE_IMAGE} AS build',
    'FROM ${NODE_IMAGE}',
  ]);
});

test("no variable holds a secret, each is a file that prepare.sh makes, and only the migration has the owner's", () => {
  const ends = /(PASSWORD|PWD|SECRET|KEY|TOKEN|_URL)$/;
  const shown = Object.values(compose.services).flatMap(({ environment = {} }) =>
    Object.entries(environment).filter(([name, value]) => ends.test(name) && !/^(https:.*|)$/.test(value)),
  );
  expect(shown).toEqual([]);
  const script = read('prepare.sh');
  for (const [name, { file }] of Object.entries(compose.secrets)) {
    expect(file).toBe(`secrets/${name}`);
    expect(script).toMatch(new RegExp(`\\b${name}\\b`));
  }
  const holders = (secret: string) =>
    Object.entries(compose.services).flatMap(([name, { secrets = [] }]) => (secrets.includes(secret) ? [name] : []));
  expect(holders('migration-url')).toEqual(['migrate']);
  expect(holders('superuser-password')).toEqual(['postgres']);
  expect(holders('admin-password')).toEqual(['api']);
});

test.each(['migrate', 'api', 'worker'])('%s starts with settings that it accepts, and may write nowhere', (name) => {
  const service = compose.services[name];
  expect(service).toMatchObject({ command: [name], read_only: true, networks: ['inside'] });
  const { databaseUrl, migrationUrl, firstAdmin, publicUrl } = readConfig(environmentOf(service ?? { image: '' }));
  expect(databaseUrl).toBe(SECRETS['database-url']);
  expect(migrationUrl).toBe(name === 'migrate' ? SECRETS['migration-url'] : null);
  expect(firstAdmin?.password).toBe(name === 'api' ? SECRETS['admin-password'] : undefined);
  expect(publicUrl).toBe(name === 'migrate' ? null : 'https://earshot.example.com');
});

test('each process that stays is looked after, and waits for the schema', () => {
  for (const name of ['api', 'worker']) {
    expect(compose.services[name]).toMatchObject({ restart: 'unless-stopped', healthcheck: expect.anything() });
    expect(Object.keys(compose.services[name]?.depends_on ?? {})).toContain('migrate');
  }
  for (const { depends_on: needed = {} } of Object.values(compose.services)) {
    expect(Object.keys(compose.services)).toEqual(expect.arrayContaining(Object.keys(needed)));
  }
});

test('the settings of the chart are accepted beside its secret', () => {
  const { settings, secret, trustedProxies } = parse(read('helm/earshot/values.yaml'));
  const given: Record<string, string> = {
    DATABASE_URL: 'postgres://earshot@db/earshot',
    EARSHOT_SECRET: 's'.repeat(44),
    EARSHOT_ADMIN_PASSWORD: 'a long enough password',
  };
  const keys: string[] = [...secret.keys, ...secret.apiKeys];
  expect(SECRET_VARIABLES).toEqual(expect.arrayContaining(keys));
  const config = readConfig({ ...settings, ...Object.fromEntries(keys.map((key) => [key, given[key]])) });
  expect(config.firstAdmin).not.toBeNull();
  // Whose word on addresses is taken is for who knows the cluster to say.
  expect([trustedProxies, config.trustedProxies]).toEqual([[], []]);
});

test('a worker is asked at its own health address, for whether it lives and whether it takes work', () => {
  const chart = read('helm/earshot/templates/worker.yaml');
  const asked = [...chart.matchAll(/(\w+Probe):\s+httpGet: \{ path: (\S+), port: (\w+) \}/g)].map((found) =>
    found.slice(1),
  );
  expect(asked).toEqual([
    ['startupProbe', '/healthz', 'health'],
    ['livenessProbe', '/healthz', 'health'],
    ['readinessProbe', '/workz', 'health'],
  ]);
  const [, port] = /name: health, containerPort: (\d+)/.exec(chart) ?? [];
  expect(read('helm/earshot/templates/_helpers.tpl')).toContain(`EARSHOT_WORKER_HEALTH, value: 0.0.0.0:${port} `);
  expect(JSON.stringify(compose.services['worker']?.healthcheck)).toContain('127.0.0.1:9465/healthz');
});

test.each(['api', 'worker', 'migrate'])('the unit of %s runs that process of the package', (name) => {
  const unit = read(`systemd/earshot-${name}.service`);
  expect(unit).toContain(`ExecStart=/opt/earshot/node_modules/.bin/earshot-server ${name}\n`);
  expect(unit).toContain('DynamicUser=yes\n');
});
