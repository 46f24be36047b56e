import cookie from '@fastify/cookie';
import Fastify, { type FastifyInstance, type FastifyReply, type FastifyRequest } from 'fastify';
import { basePathOf, withinBase } from '../src/domain/base-path.ts';
import { createAuthenticator } from '../src/operations/access/authenticate.ts';
import type { AuditLog } from '../src/operations/admission.ts';
import { createAuditLog } from '../src/operations/audit/audit-log.ts';
import { Failure } from '../src/operations/failure.ts';
import type { Operation } from '../src/operations/operation.ts';
import { createRunner, routeNotFound } from '../src/operations/perform.ts';
import type { Principal } from '../src/operations/principal.ts';
import type { Services } from '../src/operations/services.ts';
import { checkTable, OPERATIONS } from '../src/operations/table.ts';
import { addAppRoutes } from './app-routes.ts';
import { clientNetwork } from './client-network.ts';
import { newRequestId, sendFailure } from './envelopes.ts';
import { createLargeAnswers } from './large-answers.ts';
import { addMcpRoutes } from './mcp/routes.ts';
import { addHealthRoutes, type HealthDeps } from './plugins/health.ts';
import { addIngest } from './plugins/ingest.ts';
import { addPlatformEvents } from './plugins/platform-events.ts';
import { addReference } from './plugins/reference.ts';
import { admit } from './plugins/routes.ts';
import { addSchemas } from './plugins/schemas.ts';
import { addSingleSignOn } from './plugins/single-sign-on.ts';
import { answerClientError, answerExpectation } from './plugins/sockets.ts';
import { addTemporalCodec } from './plugins/temporal-codec.ts';
import { addTracing } from './plugins/tracing.ts';
import { addWebApp, sendNotFound, wantsPage } from './plugins/web-app.ts';
import { addV1Routes } from './v1.ts';

export interface AppDeps {
  services: Services;
  health: HealthDeps;
  /** What a Prometheus server must show; null or left out: nobody is served. */
  metricsToken?: string | null;
  /** Networks of proxies in front, whose word on the client's address is taken; none unless set. */
  trustedProxies?: readonly string[];
  audit?: AuditLog;
  /** Other operations than the table's, for tests of what follows from a definition. */
  operations?: readonly Operation[];
}

const HEADERS_WITHIN_MS = 20_000;
/** An upload of 64 MiB over a slow line takes its time. */
const REQUEST_WITHIN_MS = 300_000;
/** Of this host alone: what else is below the domain is not ours to decide. */
const TLS_FOR_A_YEAR = 'max-age=31536000';
/** Longer than Node lets an address be, so that the operation itself answers an over-long id. */
const MAX_PARAM_LENGTH = 32_768;

/** Builds the HTTP application; it never listens. Plugins in the order in which a request meets them. */
export async function buildApp({
  services,
  health,
  metricsToken = null,
  trustedProxies = [],
  audit = createAuditLog(services.vault),
  operations = OPERATIONS,
}: AppDeps): Promise<FastifyInstance> {
  checkTable(operations);
  const { log } = services;
  const authenticator = createAuthenticator(services);
  const runner = createRunner(services, authenticator, audit);

  const basePath = basePathOf(services.publicUrl);
  const app = Fastify({
    logger: false,
    rewriteUrl: ({ url = '/' }) => withinBase(url, basePath),
    genReqId: newRequestId,
    requestIdHeader: false,
    trustProxy: trustedProxies.length === 0 ? false : [...trustedProxies],
    requestTimeout: REQUEST_WITHIN_MS,
    forceCloseConnections: 'idle',
    return503OnClosing: false,
    http: { requireHostHeader: false, headersTimeout: HEADERS_WITHIN_MS },
    schemaController: { compilersFactory: { buildValidator: noSchemas, buildSerializer: noSchemas } },
    routerOptions: { maxParamLength: MAX_PARAM_LENGTH, querystringParser: () => ({}) },
    clientErrorHandler: (error, socket) => void answerClientError(error, socket, authenticator.look),
    frameworkErrors: (error, request, reply) => void answerUnreadable(error, request, reply),
  });
  /** An address that cannot be read: no hook runs for it, and it still tells a stranger nothing. */
  async function answerUnreadable(error: unknown, request: FastifyRequest, reply: FastifyReply): Promise<void> {
    try {
      if (isGuarded(request.raw.url)) await admit(runner, null, request, reply);
    } catch (refused) {
      if (!isRouteNotFound(refused)) return void sendFailure(refused, request, reply, log);
    }
    sendFailure(error, request, reply, log);
  }
  app.server.on(
    'checkExpectation',
    (request, response) => void answerExpectation(request, response, authenticator.look),
  );

  app.decorateRequest('operationId', null);
  app.decorateRequest('admission', null);
  app.decorateRequest('principal', null);
  const isReachedByTls = services.publicUrl.startsWith('https:');
  app.decorate('secureCookies', isReachedByTls);
  app.decorate('basePath', basePath);
  app.decorate('largeAnswers', createLargeAnswers());
  await app.register(cookie);
  addTracing(app);
  app.addHook('onRequest', async (request, reply) => {
    reply.header('request-id', request.id).header('x-content-type-options', 'nosniff');
    if (isReachedByTls) reply.header('strict-transport-security', TLS_FOR_A_YEAR);
  });
  app.addHook('onRequest', async (request, reply) => {
    if (!namesTwoHosts(request.raw.rawHeaders)) return;
    reply.headers(await authenticator.look(clientNetwork(request.ip))).header('connection', 'close');
    throw new Failure('invalid_parameter', 'The request names more than one host.');
  });
  app.addHook('onResponse', async (request, reply) => {
    log.info(
      {
        requestId: request.id,
        operation: request.operationId,
        method: request.method,
        status: reply.statusCode,
        durationMs: Math.round(reply.elapsedTime),
        address: request.ip,
        ...whoOf(request.principal),
      },
      'answered',
    );
  });
  // Streams of events end by themselves only when they are told; the end of the process waits for them.
  app.addHook('preClose', async () => {
    await Promise.all([services.events.close(), services.answers.close()]);
  });
  app.addHook('onClose', async () => {
    await Promise.all([authenticator.settle(), services.analyser.close()]);
  });

  // The runner reads bodies itself, once it knows who asks for what.
  app.removeAllContentTypeParsers();
  app.addContentTypeParser('*', (_request, _payload, done) => done(null));

  app.setErrorHandler((error, request, reply) => sendFailure(error, request, reply, log));
  const refuseRoute = async (request: FastifyRequest, reply: FastifyReply): Promise<never> => {
    if (isGuarded(request.raw.url)) await admit(runner, null, request, reply);
    throw routeNotFound();
  };
  app.setNotFoundHandler(async (request, reply) =>
    !isGuarded(request.raw.url) && wantsPage(request) ? sendNotFound(app, reply) : refuseRoute(request, reply),
  );
  // Fastify knows this method, and asks for a media type before it says that no route has it.
  app.addHook('onRequest', async (request, reply) => {
    if (request.method === 'QUERY') await refuseRoute(request, reply);
  });

  addV1Routes(app, runner, operations);
  addAppRoutes(app, runner, operations);
  addMcpRoutes(app, { services, authenticator, audit, operations });
  addHealthRoutes(app, health);
  // Loaded where somebody asks for it: the others go without the package.
  if (metricsToken !== null) (await import('./plugins/metrics.ts')).addMetrics(app, { services, token: metricsToken });
  addPlatformEvents(app, { services, authenticator });
  addIngest(app, { services, authenticator });
  addWebApp(app);
  addSingleSignOn(app, { services, authenticator });
  addReference(app, services.openapi);
  addSchemas(app);
  const { temporalUi } = services;
  if (temporalUi !== null) addTemporalCodec(app, { services, authenticator, temporalUi });
  return app;
}

/** Operations check and present by themselves: Fastify's own compilers of schemas, which it would load, have no work here. */
function noSchemas(): never {
  throw new Error('Routes have no schemas of their own: an operation says what it takes and answers.');
}

/** Ids of who asked, for the log; nothing of somebody who is not known. */
function whoOf(principal: Principal | null): { workspaceId?: string; keyId?: string; personId?: string } {
  if (principal === null || principal.kind === 'nobody') return {};
  const { workspaceId } = principal;
  return principal.kind === 'key'
    ? { workspaceId, keyId: principal.keyId }
    : { workspaceId, personId: principal.personId };
}

/** Node takes the first: what stands in front may have gone by another. */
const namesTwoHosts = (rawHeaders: readonly string[]) =>
  rawHeaders.filter((name, at) => at % 2 === 0 && name.toLowerCase() === 'host').length > 1;

/** Below these, an unknown address tells a stranger no more than a known one. */
const isGuarded = (url: string | undefined) => /^\/(v1|app)([/?]|$)/.test(url ?? '');

const isRouteNotFound = (error: unknown) =>
  typeof error === 'object' && error !== null && 'code' in error && error.code === 'route_not_found';
