import { z } from 'zod';
import { runsInstallation } from '../../db/system/setup.ts';
import { UnknownSecretError } from '../../secrets.ts';
import type { RemotePayload } from '../../temporal/payload-codec.ts';
import { requireSession } from '../access/require-session.ts';
import { Failure } from '../failure.ts';
import type { Services } from '../services.ts';

const base64 = z.string().regex(/^[A-Za-z0-9+/_-]*={0,2}$/);
const remotePayloads = z.object({
  payloads: z
    .array(z.object({ metadata: z.record(z.string(), base64).optional(), data: base64.optional() }))
    .max(10_000),
});

/**
 * Opens payloads of Temporal's histories for the Temporal UI, in the session of a browser in which an admin of the
 * installation is signed in. @throws Failure 401, 403, 400
 */
export async function openPayloads(
  services: Services,
  { refreshSecret, readBody }: { refreshSecret: string | null; readBody(): Promise<unknown> },
): Promise<{ payloads: RemotePayload[] }> {
  await admitOperator(services, refreshSecret);
  const body = remotePayloads.safeParse(await readBody());
  if (!body.success) throw new Failure('invalid_body', 'The body must be payloads as Temporal exchanges them.');
  // The messages of the protocol take 20 MB: a process that no UI asks goes without.
  const { openRemotePayloads } = await import('../../temporal/payload-codec.ts');
  try {
    return { payloads: await openRemotePayloads(services.vault, body.data.payloads) };
  } catch (error) {
    throw new Failure('invalid_body', error instanceof UnknownSecretError ? error.message : 'A payload was altered.');
  }
}

async function admitOperator(services: Services, refreshSecret: string | null): Promise<void> {
  const em = services.database.unscoped();
  const { personId } = await requireSession(em, services, refreshSecret, NOT_SIGNED_IN);
  if (!(await runsInstallation(em, personId))) {
    throw new Failure('admin_only', 'Only an admin of the installation reads the payloads of Temporal.');
  }
}

const NOT_SIGNED_IN = 'Sign in to Earshot in this browser, then reload the page of the workflow.';
