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
import { fieldOf } from '../domain/json.ts';
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
  /** Groups that the provider counts them to; null where nobody asked. */
  groups: string[] | null;
}

/** Signing in at an organization's own provider, by OpenID Connect's authorization code flow with PKCE. */
export interface IdentityProvider {
  /** @returns where the browser goes, and what to keep until it comes back. @throws IdentityError */
  begin(redirectUri: string): Promise<{ url: string; attempt: SignInAttempt }>;
  /** Reads what it says of itself. @throws IdentityError */
  check(): Promise<void>;
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

const groupNames = z.union([z.array(z.string()), z.string()]);

type Address = z.infer<typeof address>;

export function createIdentityProvider(options: ProviderOptions): IdentityProvider {
  const { issuer, clientId, groupsClaim, now } = options;
  const openClient = createProviderClient(options);

  return {
    async begin(redirectUri) {
      const attempt = { state: randomState(), nonce: randomNonce(), verifier: randomPKCECodeVerifier() };
      const url = await authorizationUrl(await openClient(), options.scope, attempt, redirectUri);
      return { url, attempt };
    },

    async check() {
      await openClient();
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
      const inToken = tokens.claims();
      const said = readClaims(inToken, clientId, now());
      const isWhole = said.email !== undefined && (groupsClaim === null || fieldOf(inToken, groupsClaim) !== undefined);
      const asked = isWhole ? {} : await askUserInfo(client, tokens.access_token, said.sub);
      const { email, email_verified: isVerified } = said.email === undefined ? readAddress(asked) : said;
      if (email === undefined || isVerified !== true) {
        throw declined('The sign-in provider does not say that your e-mail address is verified.');
      }
      return {
        issuer,
        subject: said.sub,
        email: email.toLowerCase(),
        name: said.name ?? null,
        groups: groupsClaim === null ? null : readGroups([inToken, asked], groupsClaim),
      };
    },
  };
}

async function authorizationUrl(
  client: Configuration,
  scope: string,
  attempt: SignInAttempt,
  redirectUri: string,
): Promise<string> {
  const parameters = {
    redirect_uri: redirectUri,
    scope,
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

/**
 * Who is in no group is often told so by no claim at all. One that is named and not sent, as for people with very many
 * groups, says nothing, and no role may be made of that.
 */
function readGroups(documents: readonly unknown[], claim: string): string[] {
  const named = documents.map((document) => fieldOf(document, claim)).find((value) => value !== undefined);
  const isElsewhere = documents.some((document) => fieldOf(fieldOf(document, '_claim_names'), claim) !== undefined);
  const parsed = groupNames.safeParse(named ?? []);
  if (!parsed.success || (named === undefined && isElsewhere)) {
    throw declined('The sign-in provider does not say in which groups you are.');
  }
  return [parsed.data].flat();
}

const readAddress = (document: unknown): Address => address.safeParse(document).data ?? {};

/** Some providers put the address, or the groups, into the token only when asked here. */
async function askUserInfo(client: Configuration, accessToken: string, subject: string): Promise<unknown> {
  if (client.serverMetadata().userinfo_endpoint === undefined) return {};
  try {
    return await fetchUserInfo(client, accessToken, subject);
  } catch (error) {
    const away = causeOf(error);
    if (away) throw away;
    return {};
  }
}

const noProof = (cause?: unknown) => notProved('What the sign-in provider sent does not prove who you are.', cause);

const notProved = (why: string, cause?: unknown) => new IdentityError('not_proved', `${why} Begin again.`, cause);

const declined = (why: string) => new IdentityError('declined', `${why} Ask whoever runs it.`);
