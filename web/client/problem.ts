import type { Schemas } from './api.ts';
import { unreachableSince } from './session.ts';

/** What went wrong, in words for the reader. */
export interface Problem {
  kind: 'missing' | 'not_allowed' | 'away' | 'refused' | 'failed';
  text: string;
  /** The field at fault, where there is one. */
  param: string | null;
  requestId: string | null;
}

const AWAY: Problem = {
  kind: 'away',
  text: 'The server does not answer. What you see was loaded before; nothing was changed.',
  param: null,
  requestId: null,
};
const FAULT: Problem = {
  kind: 'failed',
  text: 'This part of the page has a fault. Reload the page; what is stored on the server is safe.',
  param: null,
  requestId: null,
};

/** What the page itself refuses to send, in words for the reader. */
export class Unsendable extends Error {}

type Envelope = Schemas['Error'];

/** A refusal of the server as it stands in its answer; else the line, else a fault of the page itself. */
export function problemOf(error: unknown): Problem {
  if (error instanceof Unsendable) return { kind: 'refused', text: error.message, param: null, requestId: null };
  if (!isEnvelope(error)) return unreachableSince.get() === null ? FAULT : AWAY;
  const { type, message, param, requestId } = error.error;
  return { kind: kindOf(type), text: message, param: param ?? null, requestId: requestId ?? null };
}

function kindOf(type: string): Problem['kind'] {
  if (type === 'not_found_error') return 'missing';
  if (type === 'permission_error') return 'not_allowed';
  return type === 'api_error' ? 'failed' : 'refused';
}

function isEnvelope(error: unknown): error is Envelope {
  return typeof error === 'object' && error !== null && 'error' in error && typeof error.error === 'object';
}
