import {
  allowInsecureRequests,
  type ClientAuth,
  ClientSecretBasic,
  ClientSecretPost,
  type Configuration,
  type CustomFetch,
  customFetch,
  discovery,
  enableNonRepudiationChecks,
} from 'openid-client';
import type { Outbound } from '../outbound/outbound.ts';
import { IdentityError } from './identity-error.ts';

const TIMEOUT_MS = 10_000;
const MAX_BYTES = 256 * 1024;
/** A provider may change its keys at any time, and unknown keys in forged tokens must not make us knock for each. */
const KEPT_MS = 30_000;

export interface ProviderOptions {
  issuer: string;
  clientId: string;
  clientSecret: string;
  scope: string;
  /** The claim that names a person's groups; null: they are of no interest. */
  groupsClaim: string | null;
  outbound: Outbound;
  now(): Date;
}

/** @returns what the provider says of itself, with the keys that were read since: asked when needed, kept for a moment. */
export function createProviderClient(options: ProviderOptions): () => Promise<Configuration> {
  let kept: { client: Configuration; atMs: number } | null = null;
  return async () => {
    const nowMs = options.now().getTime();
    if (kept && nowMs - kept.atMs < KEPT_MS) return kept.client;
    const client = await discover(options);
    kept = { client, atMs: nowMs };
    return client;
  };
}

async function discover({ issuer, clientId, clientSecret, outbound }: ProviderOptions): Promise<Configuration> {
  const server = new URL(issuer);
  // Without it the library takes what comes from the token endpoint for proved by TLS, and reads no signature.
  const execute = [enableNonRepudiationChecks];
  if (server.protocol === 'http:') execute.push(allowInsecureRequests);
  const client = await discovery(server, clientId, undefined, bySecret(clientSecret), {
    execute,
    [customFetch]: fetchThrough(outbound),
  }).catch((error: unknown) => {
    throw awayBy(error);
  });
  // The library lets some providers name another issuer, and so every tenant of theirs.
  if (client.serverMetadata().issuer !== issuer) {
    throw away('The provider names another issuer than the one that is configured.');
  }
  return client;
}

/** The standard's default is the header. */
function bySecret(secret: string): ClientAuth {
  return (server, client, body, headers) => {
    const methods = server.token_endpoint_auth_methods_supported ?? ['client_secret_basic'];
    const isSentInBody = !methods.includes('client_secret_basic') && methods.includes('client_secret_post');
    const authenticate = isSentInBody ? ClientSecretPost(secret) : ClientSecretBasic(secret);
    return authenticate(server, client, body, headers);
  };
}

function fetchThrough(outbound: Outbound): CustomFetch {
  return async (url, { method, headers, body }) => {
    const answer = await outbound
      .request({
        url,
        method: method === 'POST' ? 'POST' : 'GET',
        headers,
        ...(body ? { text: String(body) } : {}),
        timeoutMs: TIMEOUT_MS,
        maxBytes: MAX_BYTES,
      })
      .catch((error: Error) => {
        throw away(error.message, error);
      });
    if (answer.status >= 500) throw away(`${new URL(url).host} is out of order.`);
    return new Response(answer.text || null, { status: answer.status, headers: answer.headers });
  };
}

/** @param error what the library threw, which has what our own fetch threw as its cause. */
export function awayBy(error: unknown): IdentityError {
  return causeOf(error) ?? away('It does not answer as OpenID Connect asks.', error);
}

/** @returns what our own fetch threw, or null where the library itself found something wrong. */
export function causeOf(error: unknown): IdentityError | null {
  return error instanceof Error && error.cause instanceof IdentityError ? error.cause : null;
}

const away = (why: string, cause?: unknown) =>
  new IdentityError('provider_away', `The sign-in provider cannot be used now: ${why} Try again in a moment.`, cause);
