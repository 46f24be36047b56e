import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { parse } from 'yaml';
import { readConfig } from '../../src/config.ts';
import { ROOT } from '../../src/layout.ts';

const read = (file: string) => readFileSync(join(ROOT, 'deploy', file), 'utf8');
const GIVEN: Record<string, string> = {
  EARSHOT_HOSTNAME: 'earshot.example.com',
  EARSHOT_SECRET: 's'.repeat(44),
  EARSHOT_DB_PASSWORD: 'p',
  TEMPORAL_DB_PASSWORD: 't',
  EARSHOT_ADMIN_EMAIL: 'ops@example.com',
  EARSHOT_ADMIN_PASSWORD: 'a long enough password',
};

interface Service {
  command?: string[];
  read_only?: boolean;
  restart?: string;
  environment?: Record<string, string>;
  healthcheck?: object;
  depends_on?: Record<string, object>;
  networks?: string[];
}

/** As Compose reads it: a variable that nobody named is an error. */
const compose: { services: Record<string, Service> } = parse(
  read('compose.yaml').replaceAll(/\$\{(\w+)(:\?|:-(\w+))\}/g, (_all, name: string, _how, otherwise?: string) => {
    const value = GIVEN[name] ?? otherwise;
    if (value === undefined) throw new Error(`${name} is not in .env.example.`);
    return value;
  }),
  { merge: true },
);

test('what Compose needs stands in .env.example', () => {
  const named = read('.env.example').match(/^\w+(?==)/gm);
  expect(named?.sort()).toEqual(Object.keys(GIVEN).sort());
});

test.each(['migrate', 'api', 'worker'])('%s starts with settings that it accepts, and may write nowhere', (name) => {
  const service = compose.services[name];
  expect(service).toMatchObject({ command: [name], read_only: true, networks: ['inside'] });
  expect(readConfig(service?.environment ?? {}).publicUrl).toBe('https://earshot.example.com');
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
  const { settings } = parse(read('helm/earshot/values.yaml'));
  const secret = { DATABASE_URL: 'postgres://earshot@db/earshot', EARSHOT_SECRET: 's'.repeat(44) };
  expect(readConfig({ ...settings, ...secret }).trustedProxies).not.toHaveLength(0);
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
