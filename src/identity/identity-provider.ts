import { createHash, randomBytes } from 'node:crypto';
import { z } from 'zod';
import type { Outbound } from '../outbound/outbound.ts';
import { readIdToken } from './id-token.ts';
import { IdentityError } from './identity-error.ts';
import { createProviderDocuments, orAway, type ProviderMetadata } from './provider-metadata.ts';

const TIMEOUT_MS = 10_000;
const MAX_BYTES = 256 * 1024;

export interface IdentityOptions {
  issuer: string;
  clientId: string;
  clientSecret: string;
  outbound: Outbound;
  now(): Date;
}

/** What a sign-in that was begun is recognised by when it comes back; kept by the browser, sealed. */
export interface SignInAttempt {
  state: string;
  nonce: string;
  verifier: string;
}

export interface Identity {
  issuer: string;
  /** The provider's own name of the person, which is never given to another. */
  subject: string;
  /** In lower case; the provider says that it was checked. */
  email: string;
}

/** Signing in at an organization's own provider, by OpenID Connect's authorization code flow with PKCE. */
export interface IdentityProvider {
  /** @returns where the browser goes, and what to keep until it comes back. @throws IdentityError */
  begin(redirectUri: string): Promise<{ url: string; attempt: SignInAttempt }>;
  /** @param answer the query that the browser came back with. @throws IdentityError */
  finish(answer: Record<string, string>, attempt: SignInAttempt, redirectUri: string): Promise<Identity>;
}

const tokens = z.object({ id_token: z.string(), access_token: z.string().optional() });
const userInfo = z.object({ sub: z.string(), email: z.string().optional(), email_verified: z.boolean().optional() });

type UserInfo = z.infer<typeof userInfo>;

export function createIdentityProvider(options: IdentityOptions): IdentityProvider {
  const { issuer, clientId, clientSecret, outbound, now } = options;
  const documents = createProviderDocuments(issuer, outbound, now);

  async function redeem(code: string, { verifier }: SignInAttempt, redirectUri: string) {
    const about = await documents.metadata();
    const form = new URLSearchParams({
      grant_type: 'authorization_code',
      code,
      redirect_uri: redirectUri,
      code_verifier: verifier,
    });
    const byBody = sendsSecretInBody(about);
    if (byBody) {
      form.set('client_id', clientId);
      form.set('client_secret', clientSecret);
    }
    const answer = await orAway(
      outbound.request({
        url: about.token_endpoint,
        method: 'POST',
        headers: {
          'content-type': 'application/x-www-form-urlencoded',
          ...(byBody ? {} : { authorization: `Basic ${basic(clientId, clientSecret)}` }),
        },
        text: form.toString(),
        timeoutMs: TIMEOUT_MS,
        maxBytes: MAX_BYTES,
      }),
    );
    if (answer.status >= 500)
      throw new IdentityError('provider_away', 'The sign-in provider is out of order. Try again in a moment.');
    const parsed = answer.status === 200 ? tokens.safeParse(answer.json) : null;
    if (!parsed?.success) {
      throw new IdentityError('not_proved', 'The sign-in provider did not confirm this sign-in. Begin again.');
    }
    return parsed.data;
  }

  /** Some providers put the address into the token only when asked here. */
  async function askUserInfo(accessToken: string | undefined, subject: string): Promise<UserInfo> {
    const { userinfo_endpoint: url } = await documents.metadata();
    if (url === undefined || accessToken === undefined) return { sub: subject };
    const headers = { authorization: `Bearer ${accessToken}` };
    const answer = await orAway(
      outbound.request({ url, method: 'GET', headers, timeoutMs: TIMEOUT_MS, maxBytes: MAX_BYTES }),
    );
    const parsed = answer.status === 200 ? userInfo.safeParse(answer.json) : null;
    return parsed?.success && parsed.data.sub === subject ? parsed.data : { sub: subject };
  }

  return {
    async begin(redirectUri) {
      const about = await documents.metadata();
      const attempt = { state: secret(), nonce: secret(), verifier: secret() };
      const url = new URL(about.authorization_endpoint);
      for (const [name, value] of Object.entries({
        response_type: 'code',
        client_id: clientId,
        redirect_uri: redirectUri,
        scope: 'openid email profile',
        state: attempt.state,
        nonce: attempt.nonce,
        code_challenge: createHash('sha256').update(attempt.verifier).digest('base64url'),
        code_challenge_method: 'S256',
      })) {
        url.searchParams.set(name, value);
      }
      return { url: url.href, attempt };
    },

    async finish(answer, attempt, redirectUri) {
      if (answer['state'] !== attempt.state) {
        throw new IdentityError('not_proved', 'This sign-in was not begun in this browser. Begin again.');
      }
      if (answer['iss'] !== undefined && answer['iss'] !== issuer) {
        throw new IdentityError('not_proved', 'This sign-in came from another provider. Begin again.');
      }
      if (answer['error'] !== undefined) {
        throw new IdentityError('declined', 'The sign-in provider did not let you in. Ask whoever runs it.');
      }
      const { code } = answer;
      if (code === undefined) throw new IdentityError('not_proved', 'The sign-in provider sent no code. Begin again.');
      const { id_token: idToken, access_token: accessToken } = await redeem(code, attempt, redirectUri);
      const claims = await readIdToken(idToken, { issuer, clientId, nonce: attempt.nonce, documents, now: now() });
      const { email, email_verified: isVerified } =
        claims.email === undefined ? await askUserInfo(accessToken, claims.sub) : claims;
      if (email === undefined || isVerified !== true) {
        throw new IdentityError(
          'declined',
          'The sign-in provider does not say that your e-mail address is verified. Ask whoever runs it.',
        );
      }
      return { issuer, subject: claims.sub, email: email.toLowerCase() };
    },
  };
}

const secret = () => randomBytes(32).toString('base64url');

/** The standard's default is the header. */
function sendsSecretInBody({ token_endpoint_auth_methods_supported: methods }: ProviderMetadata): boolean {
  return methods !== undefined && !methods.includes('client_secret_basic') && methods.includes('client_secret_post');
}

/** Both parts are encoded as a form would before they are joined (RFC 6749, 2.3.1). */
function basic(clientId: string, clientSecret: string): string {
  const encode = (text: string) => new URLSearchParams({ text }).toString().slice('text='.length);
  return Buffer.from(`${encode(clientId)}:${encode(clientSecret)}`).toString('base64');
}
