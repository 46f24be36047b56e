import type { TryResult } from '../delivery/outcome.ts';
import { isJsonObject, type Json } from '../json.ts';
import { oneLine } from './escape.ts';

export interface SlackAnswer {
  status: number;
  text: string;
  json: Json | undefined;
  retryAfterMs: number | null;
}

const WORDS_AT_MOST = 120;

/** Says no to all that goes there: the hook or the conversation is gone, or may not be posted to. */
const LASTING_STATUSES = new Set([401, 403, 404, 410]);
const LASTING_ERRORS = new Set([
  'account_inactive',
  'channel_not_found',
  'invalid_auth',
  'is_archived',
  'missing_scope',
  'no_permission',
  'not_authed',
  'not_in_channel',
  'token_revoked',
]);

/** What an incoming webhook answers: the word `ok`, and by those that imitate it also nothing, `1` or a JSON that says so. */
export function readHookAnswer({ status, text, json, retryAfterMs }: SlackAnswer): TryResult {
  const words = oneLine(text, WORDS_AT_MOST);
  if (status < 200 || status >= 300) return refusedBy(status, words, retryAfterMs);
  const isTaken = /^(ok|1|)$/i.test(text.trim()) || (isJsonObject(json) && (json.ok === true || json.success === true));
  if (isTaken) return { status, retryAfterMs: null };
  return { status, refused: `It answered ${status}, but not as Slack does: “${words}”.`, isLasting: false };
}

/** What Slack's API answers to a message: 200 whatever comes of it, and in `ok` whether it was posted. */
export function readApiAnswer({ status, text, json, retryAfterMs }: SlackAnswer): TryResult {
  if (status < 200 || status >= 300) return refusedBy(status, oneLine(text, WORDS_AT_MOST), retryAfterMs);
  const { ok, ts, error } = isJsonObject(json) ? json : {};
  if (ok === true && typeof ts === 'string') return { status, retryAfterMs: null, ref: ts };
  if (ok === false && typeof error === 'string') {
    const code = oneLine(error, WORDS_AT_MOST);
    return { status, refused: `Slack refused it: ${code}.`, isLasting: LASTING_ERRORS.has(code) };
  }
  const words = oneLine(text, WORDS_AT_MOST);
  return { status, refused: `It answered ${status}, but not as Slack does: “${words}”.`, isLasting: false };
}

/** @param lasting statuses that say no to all that goes there. */
export function refusedBy(
  status: number,
  words: string,
  retryAfterMs: number | null,
  lasting: ReadonlySet<number> = LASTING_STATUSES,
): TryResult {
  if (status === 429 || status === 503) return { status, retryAfterMs };
  const said = words === '' ? '' : `: “${words}”`;
  return { status, refused: `It answered ${status}${said}.`, isLasting: lasting.has(status) };
}
