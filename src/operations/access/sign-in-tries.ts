import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto';
import { drawOne } from '../../db/system/limits.ts';
import { SIGN_IN_TRIES } from '../../domain/limits/rate-limits.ts';
import { Failure } from '../failure.ts';
import type { Context } from '../operation.ts';

/**
 * Checks a password within the tries that its account has, right ones too: each costs as much to check. Tries are counted
 * for an address whether or not anybody has it, and before the password is looked at, so that a refusal says nothing of
 * either. A browser that signed in to the account before has tries of its own: whoever uses up those of strangers does
 * not lock its owner out.
 * @throws Failure `rate_limited` @returns what `check` says
 */
export async function withinTries<T>(context: Context, email: string, check: () => Promise<T>): Promise<T> {
  const retryAfterSeconds = await drawTry(context, email);
  if (retryAfterSeconds !== null) {
    throw new Failure(
      'rate_limited',
      `Too many tries to sign in with this address. Try again in ${retryAfterSeconds} ${retryAfterSeconds === 1 ? 'second' : 'seconds'}.`,
      { retryAfterSeconds },
    );
  }
  return check();
}

/** @returns when there is another try, where none was left. */
export async function drawTry(context: Context, email: string): Promise<number | null> {
  const devices = createDevices(context);
  const known = devices.read(email);
  const name = `sign-in:${devices.digest(email)}${known === null ? '' : `:${known}`}`;
  return (await drawOne(context.em, name, SIGN_IN_TRIES)).retryAfterSeconds;
}

/** Lets the browser's next tries at this account be its own. */
export function rememberDevice(context: Context, email: string): void {
  const devices = createDevices(context);
  if (devices.read(email) === null) context.keepDevice(devices.issue(email));
}

/** A browser is known by a random name, signed together with the account that it signed in to. */
function createDevices({ services, device }: Context) {
  const key = services.vault.derive('device/1');
  const hmac = (text: string) => createHmac('sha256', key).update(text).digest('base64url').slice(0, 22);
  const sign = (name: string, email: string) => hmac(`${name} ${email}`);
  return {
    /** Buckets are named by it, because an address is nobody's business there. */
    digest: (email: string) => hmac(email),
    issue(email: string): string {
      const name = randomBytes(9).toString('base64url');
      return `${name}.${sign(name, email)}`;
    },
    read(email: string): string | null {
      const [name = '', signature = ''] = device?.split('.') ?? [];
      const given = Buffer.from(signature);
      const right = Buffer.from(sign(name, email));
      return name !== '' && given.length === right.length && timingSafeEqual(given, right) ? name : null;
    },
  };
}
