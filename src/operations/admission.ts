import type { AgentView } from '../db/agents/read-agents.ts';
import type { EntityManager } from '../db/database.ts';
import type { Failure } from './failure.ts';
import type { Media, Operation, Parent, StoredDocument } from './operation.ts';
import type { Principal } from './principal.ts';

/** A request as any surface hands it over: raw values, nothing checked. */
export interface RawRequest {
  requestId: string;
  /** The client's address, for limits by address. */
  address: string;
  authorization: string | null;
  refreshSecret: string | null;
  /** What a browser that signed in before is known by. */
  device?: string | null;
  /** Path parameters by name. */
  path: Record<string, string>;
  /** Header `Last-Event-ID`, of a stream that is taken up again. */
  lastEventId?: string | null;
  /** Header `Range`, of what is played from somewhere within. */
  range?: string | null;
  /** Where it came in, when not over plain HTTP. */
  surface?: 'mcp' | 'copilot';
  /** Name of the tool, where a model's client asks; left out over plain HTTP. */
  tool?: string;
  /** The header of that name as it came; every POST takes one. */
  idempotencyKey?: string | null;
  /** Answer headers that belong to access control (limits, replays); filled also when the request is refused. */
  headers: Record<string, string>;
}

/** A request that has passed everything up to the 404s; its query and body have not been looked at. */
export interface Admission {
  operation: Operation;
  request: RawRequest;
  principal: Principal;
  /** The unit of work of this request: within the caller's workspace, or nobody's. */
  readonly em: EntityManager;
  agent: AgentView | null;
  parents: Map<Parent<unknown>, unknown>;
  /** What the request asks for, once it has been read and found sound. */
  args: { query: unknown; body: unknown } | null;
}

/** Every value of every name of a query, as text. */
export type Query = Record<string, string[]>;

export interface Answer {
  status: number;
  /** A document; null for a streaming operation. */
  body: unknown;
  /** The bytes to send in the place of `body`, where they are kept. */
  stored?: StoredDocument | undefined;
  stream: AsyncIterable<string> | null;
  /** What to send in the place of both. */
  media?: Media;
  /** Undefined: leave it as it is. Null: take it away. */
  refreshSecret: { value: string; expiresAt: Date } | null | undefined;
  /** Undefined: leave it as it is. */
  device?: string | undefined;
}

/** What is told of each operation, beside its own business. */
export interface AuditLog {
  /** Inside the transaction, after the work: what is written here commits or fails with it. */
  wrote?(em: EntityManager, admission: Admission, body: unknown, status: number, document: unknown): Promise<void>;
  /** After a refusal that came once the agent was known. Its own transaction. */
  refused?(admission: Admission, failure: Failure): Promise<void>;
}
