import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import Fastify, { type FastifyInstance, type FastifyReply } from 'fastify';
import { pageBelow } from '../../src/domain/base-path.ts';
import type { Services } from '../../src/operations/services.ts';

const FOLDER = fileURLToPath(new URL('../../web/reference', import.meta.url));
const SCRIPT = '/reference/js/scalar.js';

/** Of the frame, which has the API's origin: as strict as the app's. */
const FRAME_POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self'",
  "connect-src 'self'",
  "frame-src 'self'",
  "form-action 'none'",
  "frame-ancestors 'none'",
  "base-uri 'none'",
].join('; ');
/**
 * Of the page inside, whose script makes code and styles as it runs: its origin is nobody's, wherever it is opened, and
 * nothing may come from or go to another host.
 */
const PAGE_POLICY = [
  'sandbox allow-scripts allow-forms allow-downloads allow-popups',
  "default-src 'none'",
  "script-src 'self' 'unsafe-eval'",
  "style-src 'self' 'unsafe-inline'",
  "img-src 'self' data: blob:",
  "font-src 'self' data:",
  "form-action 'none'",
  "frame-ancestors 'self'",
  "base-uri 'none'",
].join('; ');
const FILES = [
  { urls: ['/reference', '/reference/'], file: 'frame.html', policy: FRAME_POLICY },
  { urls: ['/reference/frame.css'], file: 'frame.css', policy: FRAME_POLICY },
  { urls: ['/reference/frame.js'], file: 'frame.js', policy: FRAME_POLICY },
  { urls: ['/reference/page'], file: 'page.html', policy: PAGE_POLICY },
  { urls: ['/reference/page.js'], file: 'page.js', policy: PAGE_POLICY },
];

/** The reference page at `/reference`, with try-it, made from the OpenAPI documents. */
export function addReference(app: FastifyInstance, openapi: Services['openapi']): void {
  // The page's script is 4 MB of text that takes 23 MB once loaded: only a process that somebody asks for it has it.
  let script: Promise<Buffer> | null = null;
  const json = (reply: FastifyReply, document: object) =>
    guard(reply, FRAME_POLICY).header('content-type', 'application/json; charset=utf-8').send(JSON.stringify(document));

  for (const { urls, file, policy } of FILES) {
    for (const url of urls) {
      app.get(url, async (_request, reply) => sendFile(guard(reply, policy), file));
    }
  }
  app.get('/reference/openapi.json', async (_request, reply) => json(reply, openapi('v1')));
  app.get('/reference/app.json', async (_request, reply) => json(reply, openapi('app')));
  app.get(SCRIPT, async (_request, reply) => {
    script ??= loadScript();
    return guard(reply, PAGE_POLICY)
      .header('content-type', 'text/javascript; charset=utf-8')
      .send(await script);
  });
}

async function sendFile(reply: FastifyReply, file: string): Promise<FastifyReply> {
  if (!file.endsWith('.html')) return reply.sendFile(file, FOLDER, { cacheControl: false });
  const html = pageBelow(await readFile(join(FOLDER, file), 'utf8'), reply.server.basePath);
  return reply.header('content-type', 'text/html; charset=utf-8').send(html);
}

const guard = (reply: FastifyReply, policy: string) =>
  reply.header('content-security-policy', policy).header('referrer-policy', 'no-referrer');

/** The package gives its script to nobody but a server that it is a part of. */
async function loadScript(): Promise<Buffer> {
  const { default: scalar } = await import('@scalar/fastify-api-reference');
  const server = Fastify({ logger: false });
  await server.register(scalar, { routePrefix: '/reference', configuration: { content: {} } });
  const { rawPayload } = await server.inject({ method: 'GET', url: SCRIPT });
  await server.close();
  return rawPayload;
}
