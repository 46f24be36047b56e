import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto';
import { drawOne } from '../../db/system/limits.ts';
import { SIGN_IN_TRIES } from '../../domain/limits/rate-limits.ts';
import { Failure } from '../failure.ts';
import type { Context } from '../operation.ts';
import { matchingHashes } from './passwords.ts';

interface Tried {
  personId: string;
  passwordHash: string | null;
}

/**
 * Which of the hashes kept at an address a password is of, within the tries that there are, right ones too: each costs as
 * much to check. Tries are counted for an address whether or not anybody has it, and before the password is looked at, so
 * that a refusal says nothing of either. A browser that signed in to an account before has tries of its own at that
 * account and no other: whoever uses up those of strangers does not lock its owner out, and whoever has an account under
 * the address of somebody else gains none at theirs.
 * @returns `retryAfterSeconds` where there was no try left.
 */
export async function matchWithinTries(
  context: Context,
  { email, password }: { email: string; password: string },
  accounts: readonly Tried[],
): Promise<{ right: string[] } | { retryAfterSeconds: number }> {
  const devices = createDevices(context);
  const own = accounts.find(({ personId }) => devices.read(personId) !== null);
  const match = (some: readonly Tried[]) =>
    matchingHashes(
      context.services.vault,
      email,
      password,
      some.flatMap(({ passwordHash }) => passwordHash ?? []),
    );
  if (own !== undefined) {
    const name = `sign-in:${devices.digest(email)}:${devices.read(own.personId)}`;
    const { retryAfterSeconds } = await drawOne(context.em, name, SIGN_IN_TRIES);
    if (retryAfterSeconds !== null) return { retryAfterSeconds };
    const right = await match([own]);
    if (right.length > 0) return { right };
  }
  const others = accounts.filter((one) => one !== own);
  if (own !== undefined && others.length === 0) return { right: [] };
  const retryAfterSeconds = await drawTry(context, email);
  return retryAfterSeconds === null ? { right: await match(others) } : { retryAfterSeconds };
}

/** Draws from the tries of strangers. @returns when there is another one, where none was left. */
export async function drawTry(context: Context, name: string): Promise<number | null> {
  const bucket = `sign-in:${createDevices(context).digest(name)}`;
  return (await drawOne(context.em, bucket, SIGN_IN_TRIES)).retryAfterSeconds;
}

export const tooManyTries = (retryAfterSeconds: number) =>
  new Failure(
    'rate_limited',
    `Too many tries to sign in with this address. Try again in ${retryAfterSeconds} ${retryAfterSeconds === 1 ? 'second' : 'seconds'}.`,
    { retryAfterSeconds },
  );

/** Lets the browser's next tries at this account be its own. */
export function rememberDevice(context: Context, personId: string): void {
  const devices = createDevices(context);
  if (devices.read(personId) === null) context.keepDevice(devices.issue(personId));
}

/** A browser is known by a random name, signed together with the account that it signed in to. */
function createDevices({ services, device }: Context) {
  const key = services.vault.derive('device/2');
  const hmac = (text: string) => createHmac('sha256', key).update(text).digest('base64url').slice(0, 22);
  const sign = (name: string, personId: string) => hmac(`${name} ${personId}`);
  return {
    /** Buckets are named by it, because an address is nobody's business there. */
    digest: (email: string) => hmac(email),
    issue(personId: string): string {
      const name = randomBytes(9).toString('base64url');
      return `${name}.${sign(name, personId)}`;
    },
    read(personId: string): string | null {
      const [name = '', signature = ''] = device?.split('.') ?? [];
      const given = Buffer.from(signature);
      const right = Buffer.from(sign(name, personId));
      return name !== '' && given.length === right.length && timingSafeEqual(given, right) ? name : null;
    },
  };
}
