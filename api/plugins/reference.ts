import Fastify, { type FastifyInstance, type FastifyReply } from 'fastify';
import type { Services } from '../../src/operations/services.ts';

// The page brings its script along; it sets styles in place, and nothing may come from or go to another host.
const POLICY = [
  "default-src 'none'",
  "script-src 'self' 'unsafe-inline' 'unsafe-eval'",
  "style-src 'self' 'unsafe-inline'",
  "img-src 'self' data: blob:",
  "font-src 'self' data:",
  "connect-src 'self'",
  "frame-ancestors 'none'",
  "base-uri 'none'",
].join('; ');

/** The reference page at `/reference`, with try-it, made from the OpenAPI documents. */
export function addReference(app: FastifyInstance, openapi: Services['openapi']): void {
  // The page's script is 4 MB of text that takes 23 MB once loaded: only a process that somebody asks for it has it.
  let page: Promise<FastifyInstance> | null = null;
  const json = (reply: FastifyReply, document: object) =>
    guard(reply).header('content-type', 'application/json; charset=utf-8').send(JSON.stringify(document));

  app.get('/reference/openapi.json', async (_request, reply) => json(reply, openapi('v1')));
  app.get('/reference/app.json', async (_request, reply) => json(reply, openapi('app')));
  for (const url of ['/reference', '/reference/', '/reference/js/scalar.js']) {
    app.get(url, async (request, reply) => {
      page ??= loadPage();
      const answer = await (await page).inject({ method: 'GET', url });
      guard(reply).code(answer.statusCode);
      for (const name of ['content-type', 'location']) {
        const value = answer.headers[name];
        if (value !== undefined) reply.header(name, value);
      }
      return reply.send(request.method === 'HEAD' ? '' : answer.rawPayload);
    });
  }
  app.addHook('onClose', async () => {
    await (await page)?.close();
  });
}

const guard = (reply: FastifyReply) =>
  reply.header('content-security-policy', POLICY).header('referrer-policy', 'no-referrer');

async function loadPage(): Promise<FastifyInstance> {
  const { default: scalar } = await import('@scalar/fastify-api-reference');
  const page = Fastify({ logger: false });
  await page.register(scalar, {
    routePrefix: '/reference',
    configuration: {
      sources: [
        { title: 'Earshot API', slug: 'api', url: '/reference/openapi.json' },
        { title: 'For its own clients', slug: 'app', url: '/reference/app.json' },
      ],
      withDefaultFonts: false,
      hideClientButton: true,
      telemetry: false,
      // What the page offers beside the reference talks to its maker's hosts.
      showDeveloperTools: 'never',
      agent: { disabled: true },
      mcp: { disabled: true },
    },
  });
  return page;
}
