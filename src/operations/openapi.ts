import { z } from 'zod';
import {
  ERROR_CODES,
  ERROR_TYPES,
  type ErrorCode,
  type ErrorEnvelope,
  type ErrorStatus,
  errorEnvelope,
} from '../contract/error.ts';
import { keysOf } from '../domain/keys-of.ts';
import type { OpenApiDocument, Schema } from './openapi-document.ts';
import type { Operation } from './operation.ts';
import { pathSchema } from './path-schema.ts';

type ToSchema = (schema: z.ZodType, io: 'input' | 'output') => Schema;

/** The OpenAPI 3.1 document of one surface, made from the operation table and the schemas that the runner validates with. */
export function makeOpenApi(
  operations: readonly Operation[],
  about: { title: string; description: string; serverUrl: string },
): OpenApiDocument {
  const schemas: Record<string, Schema> = {};
  const toSchema: ToSchema = (schema, io) => hoist(schema, io, schemas);
  const paths: OpenApiDocument['paths'] = {};
  for (const operation of operations) {
    const path = paths[operation.path] ?? {};
    path[operation.method.toLowerCase()] = describe(operation, toSchema);
    paths[operation.path] = path;
  }
  return {
    openapi: '3.1.0',
    info: { title: about.title, version: '1.0.0', description: about.description },
    servers: [{ url: about.serverUrl }],
    tags: [...new Set(operations.map((operation) => operation.tag))].map((name) => ({ name })),
    paths,
    components: {
      responses: errorResponses(operations, toSchema),
      schemas: Object.fromEntries(Object.entries(schemas).toSorted(([a], [b]) => (a < b ? -1 : 1))),
      securitySchemes: {
        bearer: { type: 'http', scheme: 'bearer', description: 'An API key (`svc_…`) or a session token.' },
      },
    },
    security: [{ bearer: [] }],
  };
}

/** Schemas with an id become components; everything else stays where it is. */
function hoist(schema: z.ZodType, io: 'input' | 'output', schemas: Record<string, Schema>): Schema {
  const { $schema: _dialect, $defs, ...own } = z.toJSONSchema(schema, { target: 'draft-2020-12', io });
  for (const [name, definition] of Object.entries($defs ?? {})) {
    schemas[name] = repoint(withoutId(definition));
  }
  const id = own.id;
  const body = repoint(withoutId(own));
  if (typeof id !== 'string') return body;
  schemas[id] = body;
  return { $ref: `#/components/schemas/${id}` };
}

function withoutId({ id: _id, ...schema }: Schema): Schema {
  return schema;
}

function repoint(schema: Schema): Schema {
  return Object.fromEntries(
    Object.entries(schema).map(([key, inner]) => [
      key,
      key === '$ref' && typeof inner === 'string'
        ? inner.replace('#/$defs/', '#/components/schemas/')
        : // Examples are data, not schemas.
          key === 'examples' || key === 'default' || key === 'const' || key === 'enum'
          ? inner
          : repointIn(inner),
    ]),
  );
}

function repointIn(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(repointIn);
  return typeof value === 'object' && value !== null ? repoint({ ...value }) : value;
}

function describe(operation: Operation, toSchema: ToSchema): Schema {
  const errors = errorsOf(operation);
  return {
    operationId: operation.id,
    tags: [operation.tag],
    summary: operation.summary,
    description: operation.description,
    'x-scope': operation.scope,
    ...(operation.scope === 'public' ? { security: [] } : { 'x-role': operation.role }),
    'x-error-codes': Object.fromEntries(errors),
    parameters: [
      ...operation.pathParams.map((name) => ({
        name,
        in: 'path',
        required: true,
        schema: toSchema(pathSchema(operation, name), 'input'),
      })),
      ...Object.entries(operation.query).map(([name, param]) => ({
        name,
        in: 'query',
        required: false,
        description: param.description,
        schema: toSchema(param.schema, 'input'),
        // Arrays are repeated or comma separated.
        ...(param.many ? { style: 'form', explode: true } : {}),
      })),
      ...(operation.streamType === 'text/event-stream' ? [LAST_EVENT_ID] : []),
      ...(operation.streamType === 'audio/*' ? [RANGE] : []),
    ],
    ...(operation.body || operation.takesLines ? { requestBody: requestBody(operation, toSchema) } : {}),
    responses: {
      [operation.status]: success(operation, toSchema),
      ...(operation.streamType === 'audio/*' ? { 206: success(operation, toSchema) } : {}),
      ...Object.fromEntries(
        errors.map(([status, codes]) => [
          status,
          { $ref: `#/components/responses/Error${status}`, description: codes.join(', ') },
        ]),
      ),
    },
  };
}

const LAST_EVENT_ID = {
  name: 'Last-Event-ID',
  in: 'header',
  required: false,
  description: 'The `id` of the last event that was read: the stream goes on after it.',
  schema: { type: 'string', pattern: '^(0|[1-9][0-9]{0,17})$' },
};

const RANGE = {
  name: 'Range',
  in: 'header',
  required: false,
  description: 'One range of bytes, such as `bytes=0-1048575`; the answer is then 206, where the platform cuts it out.',
  schema: { type: 'string', pattern: '^bytes=([0-9]{1,15}-[0-9]{0,15}|-[0-9]{1,15})$' },
};

function requestBody(operation: Operation, toSchema: ToSchema): Schema {
  return {
    required: operation.body !== null && !operation.body.safeParse(undefined).success,
    content: {
      ...(operation.body ? { 'application/json': { schema: toSchema(operation.body, 'input') } } : {}),
      ...(operation.takesLines ? { 'application/x-ndjson': { schema: { type: 'string' } } } : {}),
    },
  };
}

const ACCESS_HEADERS = { 'Request-Id': { schema: { type: 'string', pattern: '^req_[0-9a-f]+$' } } };

function success(operation: Operation, toSchema: ToSchema): Schema {
  const content = operation.response
    ? { 'application/json': { schema: toSchema(operation.response, 'output') } }
    : { [operation.streamType]: { schema: { type: 'string' } } };
  return { description: operation.summary, headers: ACCESS_HEADERS, content };
}

function errorStatuses(operation: Operation): ErrorStatus[] {
  const statuses: ErrorStatus[] =
    operation.scope === 'public' ? [400, 401, 404, 429, 500] : [400, 401, 403, 404, 429, 500];
  if (operation.changes && operation.scope !== 'public') statuses.push(409);
  return [...new Set([...statuses, ...operation.refuses.map((code) => ERROR_CODES[code])])];
}

/** Codes that an operation can answer with, by status: named in the document, so that a client can be written from it alone. */
function errorCodes(operation: Operation, status: ErrorStatus): ErrorCode[] {
  const codes = keysOf(ERROR_CODES).filter((code) => ERROR_CODES[code] === status);
  const refused = operation.refuses.filter((code) => ERROR_CODES[code] === status);
  if (status === 402) return refused;
  if (status === 404) {
    const own = operation.parents.map((parent) => parent.notFound);
    return [
      ...(operation.pathParams.includes('agentId') ? (['agent_not_found'] as const) : []),
      ...own,
      ...refused,
      'route_not_found',
    ];
  }
  if (status === 403) {
    const ofRole = operation.role === 'admin' ? 'admin_only' : 'role_required';
    if (operation.scope === 'person') return ['people_only', 'demo_read_only', ofRole];
    return operation.scope === 'write' ? ['demo_read_only', 'key_read_only', ofRole] : ['people_only'];
  }
  if (status === 400) {
    const hasCursor = Object.values(operation.query).some((param) => param.isCursor);
    return [
      'invalid_parameter',
      ...(operation.changes ? (['invalid_body'] as const) : []),
      ...(hasCursor ? (['invalid_cursor'] as const) : []),
      ...refused,
    ];
  }
  if (status === 409) return [...(operation.changes ? (['idempotency_conflict'] as const) : []), ...refused];
  if (status === 401) {
    return operation.scope === 'public'
      ? ['invalid_credentials']
      : ['missing_authorization', 'invalid_api_key', 'invalid_token'];
  }
  return codes;
}

/** Statuses that an operation refuses with, each with its codes. */
const errorsOf = (operation: Operation) =>
  errorStatuses(operation).map((status): [ErrorStatus, ErrorCode[]] => [status, errorCodes(operation, status)]);

/** One a status: which of its codes an operation answers with stands at the operation, in `x-error-codes`. */
function errorResponses(operations: readonly Operation[], toSchema: ToSchema): Record<string, Schema> {
  const byStatus = Map.groupBy(operations.flatMap(errorsOf), ([status]) => status);
  return Object.fromEntries(
    [...byStatus]
      .toSorted(([a], [b]) => a - b)
      .map(([status, errors]) => {
        const codes = new Set(errors.flatMap(([, answered]) => answered));
        const examples = Object.fromEntries([...codes].map((code) => [code, { value: exampleOf(code, status) }]));
        const content = { 'application/json': { schema: toSchema(errorEnvelope, 'output'), examples } };
        return [`Error${status}`, { description: ERROR_TYPES[status], headers: ACCESS_HEADERS, content }];
      }),
  );
}

function exampleOf(code: ErrorCode, status: ErrorStatus): ErrorEnvelope {
  return {
    error: {
      type: ERROR_TYPES[status],
      code,
      message: 'What is wrong, in a sentence.',
      param: status === 400 ? 'limit' : null,
      requestId: 'req_0123456789abcdef01234567',
    },
  };
}
