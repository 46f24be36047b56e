import { BASE } from './base-path.ts';
import type { components } from './schema.d.ts';
import { createStore } from './store.ts';

type Schemas = components['schemas'];
type SessionToken = Schemas['SessionToken'];

/**
 * `expired`: a session that was there has ended, so the page stays and asks who is there. `nowhere`: somebody is signed in
 * who belongs to no workspace yet.
 */
export type SessionState = 'unknown' | 'signed-out' | 'signed-in' | 'expired' | 'nowhere';

export const sessionState = createStore<SessionState>('unknown');

/** Whether the server answered last time it was asked; since when it does not. */
export const unreachableSince = createStore<Date | null>(null);

const WORKSPACE_KEY = 'earshot.workspace';

/** A token this close to its end is renewed before it is used. */
const MARGIN_MS = 10_000;
const NOT_FOUND = 404;

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

/** Takes what signing in answered. It is for the person's usual workspace: a tab in another one asks for a token anew. */
export function keepToken(signedIn: SessionToken): void {
  if (chosenWorkspace() === null) take(signedIn);
  sessionState.set('signed-in');
}

function take({ token: value, expiresAt }: SessionToken): string {
  token = { value, usableUntil: Date.parse(expiresAt) - MARGIN_MS };
  sessionState.set('signed-in');
  return value;
}

/** Of this tab alone: another one may be in another workspace. */
export const chosenWorkspace = () => sessionStorage.getItem(WORKSPACE_KEY);

/** Begins anew in another workspace, with nothing left that was read in this one. */
export function enterWorkspace(workspaceId: string): void {
  sessionStorage.setItem(WORKSPACE_KEY, workspaceId);
  location.assign(`${BASE}/`);
}

/** What the server refused is not used again. */
export function dropToken(): void {
  token = null;
}

/** The page in front of everything, for whoever has no workspace to go to. */
export const doorFor = (state: SessionState) => (state === 'nowhere' ? '/invitations' : '/sign-in');

export async function signOut(): Promise<void> {
  const value = await currentToken();
  await fetch(`${BASE}/app/session`, { method: 'DELETE', headers: value ? { authorization: `Bearer ${value}` } : {} });
  token = null;
  sessionStorage.removeItem(WORKSPACE_KEY);
  sessionState.set('signed-out');
}

async function renew(): Promise<string | null> {
  const workspaceId = chosenWorkspace();
  const answer = await reach(fetch(`${BASE}/app/session`, { method: 'POST', ...bodyFor(workspaceId) }));
  if (answer.ok) return take((await answer.json()) as SessionToken);
  if (answer.status === NOT_FOUND && workspaceId !== null) {
    // Whoever is here now does not belong to it any longer.
    sessionStorage.removeItem(WORKSPACE_KEY);
    return renew();
  }
  if (answer.status !== 401) {
    const refused: unknown = await answer.json();
    if ((refused as Schemas['Error']).error.code !== 'no_workspace') throw refused;
    token = null;
    sessionState.set('nowhere');
    return null;
  }
  token = null;
  sessionState.set(sessionState.get() === 'signed-in' || sessionState.get() === 'expired' ? 'expired' : 'signed-out');
  return null;
}

const bodyFor = (workspaceId: string | null) =>
  workspaceId === null
    ? {}
    : { headers: { 'content-type': 'application/json' }, body: JSON.stringify({ workspaceId }) };

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
