import { installationCheck } from '../../contract/installation.ts';
import { readDatabaseStanding } from '../../db/system/database-standing.ts';
import { installationKeysBefore } from '../../db/system/installation-keys.ts';
import { standingsAlive } from '../../db/system/processes.ts';
import { type Asked, findingsOf } from '../../domain/installation/findings.ts';
import { PACKAGE } from '../../layout.ts';
import { installationId } from '../../services/secrets/installation-id.ts';
import { defineOperation } from '../operation.ts';

const ANSWERS_WITHIN_MS = 20_000;

export const checkInstallation = defineOperation({
  id: 'checkInstallation',
  surface: 'app',
  method: 'GET',
  path: '/app/installation/check',
  scope: 'person',
  operatorOnly: true,
  tag: 'Installation',
  summary: 'Check the installation',
  description:
    'By admins of the installation: asks everything that it depends on as it stands now, which takes up to 20 seconds, and the model a few tokens.',
  response: installationCheck,
  async run({ services, em }) {
    const { database, vault, checks, identity, reader } = services;
    const [temporal, model, mail, signIn] = await Promise.all([
      askOf('Temporal', checks.temporal),
      askOf(reader?.model ?? 'the model', checks.model && answering(checks.model)),
      askOf('the mail server', checks.mail && answering(checks.mail)),
      askOf(identity?.name ?? 'the provider', checks.signIn && answering(checks.signIn)),
    ]);
    const processes = await standingsAlive(em);
    const { at, ...standing } = await readDatabaseStanding(em);
    const findings = findingsOf({
      version: PACKAGE.version,
      installation: await installationId(database, vault),
      processes,
      database: { ...standing, pool: database.connections() },
      keysBefore: (await installationKeysBefore(em, vault.sealedBegins.text)).length,
      temporal,
      model,
      mail,
      signIn,
    });
    return {
      object: 'installation_check' as const,
      at,
      ok: findings.every(({ state }) => state !== 'wrong'),
      findings,
      processes: processes.map(({ kind, host, pid, standing: said, seenAtMs }) => ({
        kind,
        host,
        pid,
        version: said?.version ?? null,
        clockDifferenceMs: said && Math.round(said.clockMs - seenAtMs),
        freeBytes: said?.freeBytes ?? null,
      })),
    };
  },
});

const answering = (check: () => Promise<void>) => async () => {
  await check();
  return true as const;
};

/** Null where there is nothing to ask. What does not answer in time counts as one that does not answer. */
async function askOf<Answer>(name: string, check: (() => Promise<Answer>) | null): Promise<Asked<Answer> | null> {
  if (check === null) return null;
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Error('no answer in time')), ANSWERS_WITHIN_MS);
  });
  try {
    return { name, answer: await Promise.race([check(), late]), trouble: null };
  } catch (error) {
    return { name, answer: null, trouble: error instanceof Error ? error.message : String(error) };
  } finally {
    clearTimeout(timer);
  }
}
