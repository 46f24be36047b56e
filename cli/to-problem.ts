import type { ErrorEnvelope } from '../src/contract/error.ts';
import { EXIT, ServerProblem } from './problem.ts';

const BY_BUDGET = ['quota_exceeded', 'budget_exceeded'];

/** What an answer that is no success means to the one who gave the command. */
export async function toProblem(response: Response, url: string): Promise<ServerProblem> {
  const { status } = response;
  const answer = {
    status,
    code: null,
    param: null,
    retryAfterSeconds: secondsOf(response.headers.get('retry-after')),
  };
  const exitCode = status === 401 || status === 403 ? EXIT.unusable : EXIT.failed;
  try {
    const { error }: ErrorEnvelope = JSON.parse(await response.text());
    const said = `${error.message} (${error.code}${error.requestId ? `, ${error.requestId}` : ''})`;
    // A key of one server that is shown to another is refused like a wrong one.
    const message = status === 401 ? `${said} The server is ${url}; EARSHOT_URL names another.` : said;
    const refusedBy = BY_BUDGET.includes(error.code) ? EXIT.refused : exitCode;
    return new ServerProblem(message, refusedBy, { ...answer, code: error.code, param: error.param });
  } catch {
    const message = `The server at ${url} answered ${status}. It does not look like an Earshot server.`;
    return new ServerProblem(message, exitCode, answer);
  }
}

function secondsOf(header: string | null): number | null {
  return header !== null && /^\d{1,6}$/.test(header) ? Number(header) : null;
}

/** Why no server answered. */
export function reasonOf(error: unknown): string {
  const cause = error instanceof Error ? error.cause : undefined;
  if (cause instanceof Error && 'code' in cause && typeof cause.code === 'string') return cause.code;
  if (cause instanceof Error) return cause.message;
  return error instanceof Error ? error.message : String(error);
}
