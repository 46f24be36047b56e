import {
  AuthorizationResponseError,
  authorizationCodeGrant,
  buildAuthorizationUrl,
  ClientError,
  type Configuration,
  calculatePKCECodeChallenge,
  fetchUserInfo,
  ResponseBodyError,
  randomNonce,
  randomPKCECodeVerifier,
  randomState,
  WWWAuthenticateChallengeError,
} from 'openid-client';
import { z } from 'zod';
import { IdentityError } from './identity-error.ts';
import { awayBy, causeOf, createProviderClient, type ProviderOptions } from './provider-client.ts';

const LEEWAY_SECONDS = 30;
/** Fetched a moment ago, so it was made a moment ago. */
const OLDEST_SECONDS = 600;

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
  /** What it calls the person; null where it does not say. */
  name: string | null;
}

/** Signing in at an organization's own provider, by OpenID Connect's authorization code flow with PKCE. */
export interface IdentityProvider {
  /** @returns where the browser goes, and what to keep until it comes back. @throws IdentityError */
  begin(redirectUri: string): Promise<{ url: string; attempt: SignInAttempt }>;
  /** @param answer the query that the browser came back with. @throws IdentityError */
  finish(answer: Record<string, string>, attempt: SignInAttempt, redirectUri: string): Promise<Identity>;
}

const address = z.object({ email: z.string().optional(), email_verified: z.boolean().optional() });
const claims = address.extend({
  sub: z.string().min(1),
  iat: z.number(),
  azp: z.string().optional(),
  name: z.string().optional().catch(undefined),
});

type Address = z.infer<typeof address>;

export function createIdentityProvider(options: ProviderOptions): IdentityProvider {
  const { issuer, clientId, now } = options;
  const openClient = createProviderClient(options);

  return {
    async begin(redirectUri) {
      const attempt = { state: randomState(), nonce: randomNonce(), verifier: randomPKCECodeVerifier() };
      const url = await authorizationUrl(await openClient(), attempt, redirectUri);
      return { url, attempt };
    },

    async finish(answer, attempt, redirectUri) {
      if (answer['state'] !== attempt.state) throw notProved('This sign-in was not begun in this browser.');
      if (answer['iss'] !== undefined && answer['iss'] !== issuer) {
        throw notProved('This sign-in came from another provider.');
      }
      const client = await openClient();
      const url = new URL(redirectUri);
      url.search = new URLSearchParams(answer).toString();
      const tokens = await redeem(client, url, attempt);
      const said = readClaims(tokens.claims(), clientId, now());
      const { email, email_verified: isVerified } =
        said.email === undefined ? await askUserInfo(client, tokens.access_token, said.sub) : said;
      if (email === undefined || isVerified !== true) {
        throw declined('The sign-in provider does not say that your e-mail address is verified.');
      }
      return { issuer, subject: said.sub, email: email.toLowerCase(), name: said.name ?? null };
    },
  };
}

async function authorizationUrl(client: Configuration, attempt: SignInAttempt, redirectUri: string): Promise<string> {
  const parameters = {
    redirect_uri: redirectUri,
    scope: 'openid email profile',
    state: attempt.state,
    nonce: attempt.nonce,
    code_challenge: await calculatePKCECodeChallenge(attempt.verifier),
    code_challenge_method: 'S256',
  };
  try {
    return buildAuthorizationUrl(client, parameters).href;
  } catch (error) {
    throw awayBy(error);
  }
}

/** Tokens whose signature, issuer, audience, nonce and time are proved. */
async function redeem(client: Configuration, url: URL, { state, nonce, verifier }: SignInAttempt) {
  const checks = { expectedState: state, expectedNonce: nonce, pkceCodeVerifier: verifier, idTokenExpected: true };
  try {
    return await authorizationCodeGrant(client, url, checks);
  } catch (error) {
    throw refusal(error);
  }
}

function refusal(error: unknown): IdentityError {
  if (error instanceof AuthorizationResponseError) return declined('The sign-in provider did not let you in.');
  if (error instanceof ResponseBodyError || error instanceof WWWAuthenticateChallengeError) {
    return notProved('The sign-in provider did not confirm this sign-in.', error);
  }
  if (error instanceof ClientError && error.code === 'OAUTH_RESPONSE_IS_NOT_CONFORM') return awayBy(error);
  return causeOf(error) ?? noProof(error);
}

/** What the library leaves to us: who asked for the token, where one audience alone is named, and its age. */
function readClaims(payload: unknown, clientId: string, now: Date): z.infer<typeof claims> {
  const parsed = claims.safeParse(payload);
  if (!parsed.success) throw noProof(parsed.error);
  const { azp = clientId, iat } = parsed.data;
  const ageSeconds = now.getTime() / 1000 - iat;
  if (azp !== clientId || ageSeconds > OLDEST_SECONDS + LEEWAY_SECONDS || ageSeconds < -LEEWAY_SECONDS) throw noProof();
  return parsed.data;
}

/** Some providers put the address into the token only when asked here. */
async function askUserInfo(client: Configuration, accessToken: string, subject: string): Promise<Address> {
  if (client.serverMetadata().userinfo_endpoint === undefined) return {};
  try {
    return address.parse(await fetchUserInfo(client, accessToken, subject));
  } catch (error) {
    const away = causeOf(error);
    if (away) throw away;
    return {};
  }
}

const noProof = (cause?: unknown) => notProved('What the sign-in provider sent does not prove who you are.', cause);

const notProved = (why: string, cause?: unknown) => new IdentityError('not_proved', `${why} Begin again.`, cause);

const declined = (why: string) => new IdentityError('declined', `${why} Ask whoever runs it.`);
