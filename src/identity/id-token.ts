import { errors, type JWTPayload, jwtVerify } from 'jose';
import { z } from 'zod';
import { IdentityError } from './identity-error.ts';
import type { ProviderDocuments } from './provider-metadata.ts';

/** Signatures with a key of the provider's; never `none`, never one with the client's own secret. */
const ALGORITHMS = [
  'RS256',
  'RS384',
  'RS512',
  'PS256',
  'PS384',
  'PS512',
  'ES256',
  'ES384',
  'ES512',
  'EdDSA',
  'Ed25519',
];
const LEEWAY_SECONDS = 30;
/** Fetched a moment ago, so it was made a moment ago. */
const OLDEST_SECONDS = 600;

const claims = z.object({
  sub: z.string().min(1),
  email: z.string().optional(),
  email_verified: z.boolean().optional(),
});
export type IdTokenClaims = z.infer<typeof claims>;

export interface Expected {
  issuer: string;
  clientId: string;
  nonce: string;
  documents: ProviderDocuments;
  now: Date;
}

/** @throws IdentityError when the token is not the provider's, not for us, not of this sign-in, or too old. */
export async function readIdToken(token: string, expected: Expected): Promise<IdTokenClaims> {
  const payload = await verify(token, expected);
  if (payload['nonce'] !== expected.nonce) throw notProved();
  const isForSeveral = Array.isArray(payload.aud) && payload.aud.length > 1;
  if ((isForSeveral || payload['azp'] !== undefined) && payload['azp'] !== expected.clientId) throw notProved();
  const parsed = claims.safeParse(payload);
  if (!parsed.success) throw notProved(parsed.error);
  return parsed.data;
}

async function verify(token: string, expected: Expected, anew = false): Promise<JWTPayload> {
  try {
    const { payload } = await jwtVerify(token, await expected.documents.keys(anew), {
      algorithms: ALGORITHMS,
      issuer: expected.issuer,
      audience: expected.clientId,
      clockTolerance: LEEWAY_SECONDS,
      maxTokenAge: OLDEST_SECONDS,
      currentDate: expected.now,
      requiredClaims: ['sub', 'exp', 'iat', 'nonce'],
    });
    return payload;
  } catch (error) {
    // A key that the provider made since.
    if (error instanceof errors.JWKSNoMatchingKey && !anew) return verify(token, expected, true);
    if (error instanceof errors.JOSEError) throw notProved(error);
    throw error;
  }
}

const notProved = (cause?: unknown) =>
  new IdentityError('not_proved', 'What the sign-in provider sent does not prove who you are. Begin again.', cause);
