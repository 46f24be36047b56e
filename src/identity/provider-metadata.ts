import { createLocalJWKSet, type JWTVerifyGetKey } from 'jose';
import { z } from 'zod';
import type { Outbound } from '../outbound/outbound.ts';
import { IdentityError } from './identity-error.ts';

const TIMEOUT_MS = 10_000;
const MAX_BYTES = 256 * 1024;
/** Keys and addresses of a provider change rarely; an unknown key asks anew before. */
const KEPT_MS = 3_600_000;
/** Unknown keys in forged tokens must not make us knock at the provider for each. */
const ANEW_AFTER_MS = 30_000;

const metadata = z.object({
  issuer: z.string(),
  authorization_endpoint: z.url(),
  token_endpoint: z.url(),
  jwks_uri: z.url(),
  userinfo_endpoint: z.url().optional(),
  token_endpoint_auth_methods_supported: z.array(z.string()).optional(),
});
export type ProviderMetadata = z.infer<typeof metadata>;

const keySet = z.object({ keys: z.array(z.record(z.string(), z.unknown())) });

/** What the provider says of itself, read when it is first needed and kept for a while. */
export interface ProviderDocuments {
  /** @throws IdentityError `provider_away` */
  metadata(): Promise<ProviderMetadata>;
  /** @param anew reads the keys again, where they were not read just now. @throws IdentityError `provider_away` */
  keys(anew: boolean): Promise<JWTVerifyGetKey>;
}

export function createProviderDocuments(issuer: string, outbound: Outbound, now: () => Date): ProviderDocuments {
  let about: { value: ProviderMetadata; atMs: number } | null = null;
  let keys: { value: JWTVerifyGetKey; atMs: number } | null = null;

  async function read<T>(url: string, schema: z.ZodType<T>): Promise<T> {
    const answer = await outbound.request({ url, method: 'GET', timeoutMs: TIMEOUT_MS, maxBytes: MAX_BYTES });
    const parsed = answer.status === 200 ? schema.safeParse(answer.json) : null;
    if (!parsed?.success) throw away(`${new URL(url).host} does not answer as OpenID Connect asks.`);
    return parsed.data;
  }

  const documents: ProviderDocuments = {
    async metadata() {
      const nowMs = now().getTime();
      if (about && nowMs - about.atMs < KEPT_MS) return about.value;
      const value = await orAway(read(`${issuer.replace(/\/$/, '')}/.well-known/openid-configuration`, metadata));
      if (value.issuer !== issuer) throw away('The provider names another issuer than the one that is configured.');
      about = { value, atMs: nowMs };
      return value;
    },
    async keys(anew) {
      const nowMs = now().getTime();
      if (keys && nowMs - keys.atMs < (anew ? ANEW_AFTER_MS : KEPT_MS)) return keys.value;
      const { jwks_uri } = await documents.metadata();
      const value = createLocalJWKSet(await orAway(read(jwks_uri, keySet)));
      keys = { value, atMs: nowMs };
      return value;
    },
  };
  return documents;
}

const away = (why: string, cause?: unknown) =>
  new IdentityError('provider_away', `The sign-in provider cannot be used now: ${why} Try again in a moment.`, cause);

/** Whatever the outbound module says, in words for the person who signs in. */
export async function orAway<T>(work: Promise<T>): Promise<T> {
  try {
    return await work;
  } catch (error) {
    if (error instanceof IdentityError) throw error;
    throw away(error instanceof Error && error.name === 'OutboundError' ? error.message : 'it broke off.', error);
  }
}
