import type { components } from './schema.d.ts';
import { createStore } from './store.ts';

type SessionToken = components['schemas']['SessionToken'];

/** `expired`: a session that was there has ended, so the page stays and asks who is there. */
export type SessionState = 'unknown' | 'signed-out' | 'signed-in' | 'expired';

export const sessionState = createStore<SessionState>('unknown');

/** Whether the server answered last time it was asked; since when it does not. */
export const unreachableSince = createStore<Date | null>(null);

/** A token this close to its end is renewed before it is used. */
const MARGIN_MS = 10_000;

let token: { value: string; usableUntil: number } | null = null;
let renewal: Promise<string | null> | null = null;

/** The token of whoever is signed in, renewed where it has run out; null where nobody is. */
export async function currentToken(): Promise<string | null> {
  if (token && Date.now() < token.usableUntil) return token.value;
  renewal ??= renew().finally(() => {
    renewal = null;
  });
  return renewal;
}

/** Takes what signing in answered. */
export function keepToken({ token: value, expiresAt }: SessionToken): string {
  token = { value, usableUntil: Date.parse(expiresAt) - MARGIN_MS };
  sessionState.set('signed-in');
  return value;
}

/** What the server refused is not used again. */
export function dropToken(): void {
  token = null;
}

export async function signOut(): Promise<void> {
  const value = await currentToken();
  await fetch('/app/session', { method: 'DELETE', headers: value ? { authorization: `Bearer ${value}` } : {} });
  token = null;
  sessionState.set('signed-out');
}

async function renew(): Promise<string | null> {
  const answer = await reach(fetch('/app/session', { method: 'POST' }));
  if (answer.ok) return keepToken((await answer.json()) as SessionToken);
  if (answer.status !== 401) throw await answer.json();
  token = null;
  sessionState.set(sessionState.get() === 'signed-in' || sessionState.get() === 'expired' ? 'expired' : 'signed-out');
  return null;
}

/** Notes whether the server could be reached at all. */
export async function reach(answering: Promise<Response>): Promise<Response> {
  try {
    const answer = await answering;
    unreachableSince.set(null);
    return answer;
  } catch (error) {
    if (!(error instanceof DOMException && error.name === 'AbortError')) {
      unreachableSince.set(unreachableSince.get() ?? new Date());
    }
    throw error;
  }
}
