import type { z } from 'zod';
import type { ErrorCode } from '../contract/error.ts';
import type { AgentView } from '../db/agents/read-agents.ts';
import type { EntityManager } from '../db/database.ts';
import { CHANGES_FROM } from '../domain/access/roles.ts';
import type { Role } from '../domain/vocabulary.ts';
import type { Params, ParamValues } from './params.ts';
import type { KeyPrincipal, PersonPrincipal, Principal } from './principal.ts';
import type { Services } from './services.ts';
import type { Surface } from './surface.ts';

/** `public` needs no principal: signing in and what belongs to it. */
export type Scope = 'read' | 'write' | 'person' | 'public';

export type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';

/** A resource named by the path, loaded within what is already known to be in reach. */
export interface Parent<T> {
  /** Name of the path parameter. */
  param: string;
  /** Answered when it does not exist, which is the same as when it may not be seen. */
  notFound: ErrorCode;
  /** `text` for names that are no ids, such as the secret of a link. */
  format: 'uuid' | 'text';
  /** What the parameter can be, where it is neither an id nor any text: for the documents, `load` refuses the rest. */
  schema?: z.ZodType;
  load(em: EntityManager, id: string, scope: ParentScope): Promise<T | null>;
}

export interface ParentScope {
  principal: Principal;
  /** The agent of the path, where the path has one. */
  agent: AgentView | null;
}

export interface Input<Q extends Params, B> {
  query: ParamValues<Q>;
  body: B;
  /** Set where the definition takes lines and the request sent them. */
  lines: AsyncIterable<Uint8Array> | null;
}

/** What a verb is given: the runner has checked scope and reach and has loaded the parents. */
export interface Context {
  services: Services;
  /** The unit of work of this request; inside the transaction where the operation has one. */
  em: EntityManager;
  requestId: string;
  principal: Principal;
  /** What asks for its caller; null where the caller asks by a plain request. */
  via: 'mcp' | 'copilot' | null;
  /** The principal of an operation that is not public. */
  caller(): KeyPrincipal | PersonPrincipal;
  /** The principal of a person operation. */
  person(): PersonPrincipal;
  /** The agent of the path. */
  agent: AgentView;
  parent<T>(parent: Parent<T>): T;
  /** The refresh secret that came with the request, apart from its body. */
  refreshSecret: string | null;
  /** By what a browser that signed in before is known; null for one that is not. */
  device: string | null;
  /** Lets the browser be known from now on. */
  keepDevice(device: string): void;
  /** The event after which a stream is to go on; null for one that begins. */
  lastEventId: string | null;
  /** Header `Range` of the request; null where the whole is asked for. */
  range: string | null;
  /** Hands a refresh secret to the surface, or takes it away with null. */
  keepRefreshSecret(secret: { value: string; expiresAt: Date } | null): void;
  /**
   * Writes the audit entry of an operation that keeps its own transactions, in one of them; the runner does so for the
   * others.
   */
  audited(em: EntityManager, document: unknown): Promise<void>;
  /**
   * Keeps what an operation with its own transactions answers, for a repeated request, in the last of them: else a lost
   * answer to its COMMIT would have the work done again.
   * @returns what it was given.
   */
  kept<T>(em: EntityManager, result: T): Promise<T>;
  /** Makes the list envelope from up to `limit + 1` rows. */
  page<Row, Item>(rows: Row[], limit: number, present: (row: Row) => Item, position: (row: Row) => unknown): Page<Item>;
}

export interface Page<Item> {
  object: 'list';
  data: Item[];
  hasMore: boolean;
  nextCursor: string | null;
}

/** One definition from which the HTTP route, the OpenAPI entry, the tools and the permission tests are made. */
export interface Definition<Q extends Params, B extends z.ZodType | null, R extends z.ZodType, P = undefined>
  extends Described<Q, B> {
  response: R;
  /** HTTP status of success. */
  status?: 200 | 201 | 202;
  /** What takes long and changes nothing, before the transaction is opened; `run` is given what came of it. */
  prepare?(context: Context, input: InputOf<Q, B>): Promise<P>;
  /** A stored document is of the response's shape, as whoever stored it made sure. */
  run(context: Context, input: InputOf<Q, B>, prepared: P): Promise<z.input<R> | StoredDocument>;
}

/** A document that is kept as bytes: it goes out as it is stored, never parsed and written anew. */
export class StoredDocument {
  readonly text: string;
  /** SHA-256 of the text, in hexadecimal: its entity tag. */
  readonly sha256: string;

  constructor(text: string, sha256: string) {
    this.text = text;
    this.sha256 = sha256;
  }
}

/** JSON lines that come to an end, events as long as the caller listens, or sound. */
export type StreamType = 'application/x-ndjson' | 'text/event-stream' | 'audio/*';

/** Bytes that somebody else keeps, with the headers that they come with. */
export interface Media {
  status: number;
  headers: Record<string, string>;
  body: AsyncIterable<Uint8Array>;
}

/** An operation that answers with sound, as a whole or the range of it that is asked for. */
export interface MediaDefinition<Q extends Params, B extends z.ZodType | null> extends Described<Q, B> {
  run(context: Context, input: InputOf<Q, B>): Promise<Media>;
}

/** An operation that answers with a stream of text; JSON lines unless it says otherwise. */
export interface StreamDefinition<Q extends Params, B extends z.ZodType | null> extends Described<Q, B> {
  streamType?: Exclude<StreamType, 'audio/*'>;
  run(context: Context, input: InputOf<Q, B>): Promise<AsyncIterable<string>>;
}

type InputOf<Q extends Params, B extends z.ZodType | null> = Input<Q, B extends z.ZodType ? z.infer<B> : undefined>;

interface Described<Q extends Params, B extends z.ZodType | null> {
  /** The operationId. */
  id: string;
  surface: Surface;
  method: Method;
  /** With `{agentId}` for parameters. */
  path: string;
  scope: Scope;
  /** The least role of a person who may. Left out: every member reads, and whoever is more than a viewer changes. */
  role?: Role;
  /** True for what only admins of the installation do, in whichever workspace they act; takes the role of admin too. */
  operatorOnly?: boolean;
  /** True for what a person decides in person: the copilot is refused as keys are. */
  inPerson?: boolean;
  tag: string;
  summary: string;
  description: string;
  /** For a model that picks among tools: in which situation this is the one to call. Said of operations under `/v1`. */
  whenToUse?: string;
  /** Children of the agent (or of the workspace), outermost first. The agent itself is not named here. */
  parents?: readonly Parent<unknown>[];
  query?: Q;
  /** Null or left out: the operation takes no body. */
  body?: B;
  /** True when the body may also be a stream of JSON lines. */
  takesLines?: boolean;
  /**
   * False for what changes nothing although it is asked by a POST, and for what is done by another operation that has its
   * own audit entry. Everything else that changes something has one, refused or not.
   */
  audits?: boolean;
  /** True where the body may name a caller: the audit entry then keeps the digest of its path alone, which nobody can guess back. */
  namesPeople?: boolean;
  /** True where it asks a model: draws from the workspace's bucket of AI-backed routes. */
  ai?: boolean;
  /** True where the answer shows a secret, such as a new key, a session or a link: it is never kept for a repeated request. */
  showsSecret?: boolean;
  /** False where a changing operation keeps its own transactions, or where a POST changes nothing. */
  transaction?: boolean;
  /** True where an answer may have megabytes: a few of those are made and sent at a time. */
  isLarge?: boolean;
  /** Codes that the work itself may refuse with, beside those that follow from the definition: for the documents. */
  refuses?: readonly ErrorCode[];
}

/** A definition whose own types are forgotten: what the runner and the surfaces work with. */
export interface Operation {
  id: string;
  surface: Surface;
  method: Method;
  path: string;
  /** Names of the path's parameters, in order. */
  pathParams: readonly string[];
  scope: Scope;
  /** The least role of a person who may. */
  role: Role;
  operatorOnly: boolean;
  inPerson: boolean;
  /** True when it changes something: refused on the shared demo agents. */
  changes: boolean;
  tag: string;
  summary: string;
  description: string;
  whenToUse: string | null;
  parents: readonly Parent<unknown>[];
  query: Params;
  body: z.ZodType | null;
  takesLines: boolean;
  /** Null: it answers with a stream. */
  response: z.ZodType | null;
  streamType: StreamType;
  status: 200 | 201 | 202;
  /** Whether an audit entry is written whoever acts; of a key, through MCP or by the copilot one always is. */
  audits: boolean;
  namesPeople: boolean;
  ai: boolean;
  showsSecret: boolean;
  transaction: boolean;
  isLarge: boolean;
  refuses: readonly ErrorCode[];
  prepare(context: Context, input: Input<Params, unknown>): Promise<unknown>;
  run(context: Context, input: Input<Params, unknown>, prepared: unknown): Promise<unknown>;
}

export function defineOperation<
  R extends z.ZodType,
  Q extends Params = Record<never, never>,
  B extends z.ZodType | null = null,
  P = undefined,
>(definition: Definition<Q, B, R, P>): Operation {
  return {
    ...describe<Q, B, P>(definition),
    response: definition.response,
    streamType: 'application/x-ndjson',
    status: definition.status ?? 200,
  };
}

export function defineStream<Q extends Params = Record<never, never>, B extends z.ZodType | null = null>(
  definition: StreamDefinition<Q, B>,
): Operation {
  return {
    ...describe(definition),
    response: null,
    streamType: definition.streamType ?? 'application/x-ndjson',
    status: 200,
  };
}

export function defineMedia<Q extends Params = Record<never, never>, B extends z.ZodType | null = null>(
  definition: MediaDefinition<Q, B>,
): Operation {
  return { ...describe(definition), response: null, streamType: 'audio/*', status: 200 };
}

function describe<Q extends Params, B extends z.ZodType | null, P = undefined>(
  definition: Described<Q, B> & {
    prepare?(context: Context, input: InputOf<Q, B>): Promise<P>;
    run(context: Context, input: InputOf<Q, B>, prepared: P): Promise<unknown>;
  },
): Omit<Operation, 'response' | 'streamType' | 'status'> {
  const changes = definition.method !== 'GET';
  return {
    id: definition.id,
    surface: definition.surface,
    method: definition.method,
    path: definition.path,
    pathParams: [...definition.path.matchAll(/\{(\w+)\}/g)].map((match) => match[1] ?? ''),
    scope: definition.scope,
    operatorOnly: definition.operatorOnly ?? false,
    role: definition.operatorOnly
      ? 'admin'
      : (definition.role ?? (changes && definition.scope !== 'read' ? CHANGES_FROM : 'viewer')),
    inPerson: definition.inPerson ?? false,
    changes,
    tag: definition.tag,
    summary: definition.summary,
    description: definition.description,
    whenToUse: definition.whenToUse ?? null,
    parents: definition.parents ?? [],
    query: definition.query ?? {},
    body: definition.body ?? null,
    takesLines: definition.takesLines ?? false,
    audits: definition.audits ?? (changes && (definition.scope === 'person' || definition.scope === 'write')),
    namesPeople: definition.namesPeople ?? false,
    ai: definition.ai ?? false,
    showsSecret: definition.showsSecret ?? false,
    transaction: definition.transaction ?? changes,
    isLarge: definition.isLarge ?? false,
    refuses: definition.refuses ?? [],
    // The runner has parsed query and body by this definition's own schemas, which the erased type no longer shows.
    prepare: async (context, input) => definition.prepare?.(context, input as InputOf<Q, B>),
    run: (context, input, prepared) => definition.run(context, input as InputOf<Q, B>, prepared as P),
  };
}
