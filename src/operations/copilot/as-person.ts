import type { Json } from '../../domain/json.ts';
import type { Answer, Query, RawRequest } from '../admission.ts';
import { createContext } from '../context.ts';
import { Failure, toEnvelope } from '../failure.ts';
import { readInput } from '../input.ts';
import type { RawBody } from '../json-body.ts';
import type { Operation } from '../operation.ts';
import { createRunner } from '../perform.ts';
import type { PersonPrincipal } from '../principal.ts';
import type { Services } from '../services.ts';

/** One request of the copilot, with the rights of the person whom it serves and no others. */
export interface PersonRequest {
  operation: Operation;
  tool: string;
  path: Record<string, string>;
  query(): Query;
  body: RawBody;
  idempotencyKey?: string;
}

/** Requests in the name of a person who was let in already: by the one way into every operation, as surface `copilot`. */
export function createPersonRunner(services: Services, person: PersonPrincipal, { requestId }: { requestId: string }) {
  const authenticator = {
    authenticate: async () => person,
    failed: async (_request: RawRequest, failure: Failure) => failure,
  };
  const runner = createRunner(services, authenticator);
  // What is only proposed is no write yet, refused or not.
  const unaudited = createRunner(services, authenticator, {});
  const toRaw = ({ tool, path, idempotencyKey }: PersonRequest): RawRequest => ({
    requestId,
    address: '',
    authorization: null,
    refreshSecret: null,
    path,
    surface: 'copilot',
    tool,
    idempotencyKey: idempotencyKey ?? null,
    headers: {},
  });
  return {
    /** @throws Failure */
    async perform(request: PersonRequest): Promise<Answer> {
      const admission = await runner.admit(request.operation, toRaw(request));
      return runner.finish(admission, request.query, request.body);
    },
    /** Everything up to the work itself. @throws Failure */
    async check(request: PersonRequest): Promise<void> {
      const { cursorScope } = createContext(services, {}, await unaudited.admit(request.operation, toRaw(request)));
      await readInput(request.operation, cursorScope, services.cursors, request.query(), request.body);
    },
  };
}
export type PersonRunner = ReturnType<typeof createPersonRunner>;

/** What an operation answers, as a model reads it. A failure is an answer too. */
export async function outcomeOf(work: () => Promise<{ status: number; text: string }>) {
  try {
    return await work();
  } catch (error) {
    if (!(error instanceof Failure)) throw error;
    return { status: error.status, text: JSON.stringify(toEnvelope(error, null)) };
  }
}

export const isArguments = (input: Json | undefined): input is { [key: string]: Json } =>
  typeof input === 'object' && input !== null && !Array.isArray(input);
