import { enterWithIngestToken, type IngestHolder } from '../../db/system/ingest-tokens.ts';
import { enter, takeFrom } from '../../db/system/limits.ts';
import { INGEST_BUCKETS, type IngestBucket } from '../../domain/limits/rate-limits.ts';
import type { RawRequest } from '../admission.ts';
import { Failure } from '../failure.ts';
import type { Services } from '../services.ts';
import { hasIngestForm, KEY_PREFIX, secretHash } from './secrets.ts';

/**
 * Whose ingest token a request shows, with one token drawn from its own bucket and each of its workspace's.
 * @throws Failure 401 for anything but a token in force, 429 for an address that failed too often or an empty bucket.
 */
export async function enterIngest(services: Services, request: RawRequest): Promise<IngestHolder> {
  const em = services.database.unscoped();
  const { outcome } = await enter(em, {
    credential: { kind: 'none' },
    address: request.address,
    counts: false,
    buckets: [],
  });
  if (outcome === 'shut_out') {
    throw new Failure(
      'too_many_failed_authentications',
      'Too many failed attempts came from this address. Wait for them to age out, then try again.',
      { retryAfterSeconds: 60 },
    );
  }
  const token = readToken(request.authorization);
  const entered = hasIngestForm(token) ? await enterWithIngestToken(em, secretHash(token)) : null;
  if (entered === null) throw refusalOf(token);
  const { holder, refused, retryAfterSeconds } = entered;
  if (retryAfterSeconds !== null) {
    throw new Failure('rate_limited', WORDS[refused ?? 'ingest'], { retryAfterSeconds });
  }
  return holder;
}

const WORDS: Record<IngestBucket, string> = {
  ingest: 'Too many requests with this token.',
  ingest_requests: 'Too many requests with ingest tokens of this workspace.',
  ingest_kib: 'Too many bytes were sent with ingest tokens of this workspace.',
  ingest_spans: 'Too many spans were sent with ingest tokens of this workspace.',
};

/** Takes what a request held, once it is known: whatever became of it, it was read. */
export async function chargeIngest(
  { database }: Pick<Services, 'database'>,
  { workspaceId }: IngestHolder,
  { bytes, spans }: { bytes: number; spans: number },
): Promise<void> {
  const of = (bucket: IngestBucket, tokens: number) => ({
    name: `${bucket}:${workspaceId}`,
    perMinute: INGEST_BUCKETS[bucket].perMinute,
    tokens,
  });
  await takeFrom(database.unscoped(), [of('ingest_kib', Math.floor(bytes / 1024)), of('ingest_spans', spans)]);
}

function readToken(authorization: string | null): string {
  const bearer = /^bearer[ \t]+(\S.*)$/i.exec(authorization?.trim() ?? '')?.[1];
  if (bearer !== undefined) return bearer;
  throw new Failure('missing_authorization', 'This needs a header "Authorization: Bearer <ingest token>".');
}

function refusalOf(token: string): Failure {
  const why = token.startsWith(KEY_PREFIX)
    ? 'This is an API key, which lets no calls in. Make an ingest token: POST /app/connections/<id>/tokens.'
    : 'This ingest token is unknown or was revoked.';
  return new Failure('invalid_ingest_token', why);
}
