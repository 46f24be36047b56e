import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import fastifyStatic from '@fastify/static';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { pageBelow } from '../../src/domain/base-path.ts';

const BUILT = fileURLToPath(new URL('../../web/dist', import.meta.url));
const POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self'",
  "font-src 'self'",
  // Recordings are fetched with the reader's token, which an address can't carry, and played from memory.
  'media-src blob:',
  "connect-src 'self'",
  "form-action 'none'",
  "frame-ancestors 'none'",
  "base-uri 'none'",
].join('; ');
/** Every address of the app; which page it shows is decided in the browser. */
const PAGES = [
  '/',
  '/sign-in',
  '/links',
  '/invitations',
  '/agents',
  '/agents/*',
  '/a/*',
  '/waiting',
  '/settings',
  '/settings/*',
  '/system',
];
/** Beside the page, under names without a digest. */
const FILES = ['/theme.js', '/icon.svg', '/notices.txt'];
const NOT_BUILT = `The web app is not built yet: \`npm start\` builds it, or \`npm run build\`.
In a terminal, \`npx earshot sign-in --link <this address>\` uses a one-time link.
`;

/** The web app as files that were built before: a page for each of its addresses, and assets that never change. */
export function addWebApp(app: FastifyInstance, folder = BUILT): void {
  app.register(fastifyStatic, {
    root: join(folder, 'assets'),
    prefix: '/assets/',
    immutable: true,
    maxAge: '365d',
    preCompressed: true,
    decorateReply: true,
  });
  // As answers name the page of plans.
  app.get('/billing', async (_request, reply) => reply.redirect(`${app.basePath}/settings/plan`));
  for (const url of PAGES) app.get(url, async (_request, reply) => sendPage(reply, folder, app.basePath));
  for (const url of FILES) {
    app.get(url, async (_request, reply) => reply.sendFile(url.slice(1), folder, { cacheControl: false }));
  }
}

/** Somebody who follows an address that nothing has, and no program. */
export function wantsPage({ method, headers }: FastifyRequest): boolean {
  return (method === 'GET' || method === 'HEAD') && (headers.accept ?? '').split(',').some(isHtml);
}

const isHtml = (accepted: string) => accepted.trim().toLowerCase().startsWith('text/html');

/** The app's own page for an address that it does not know either. */
export async function sendNotFound(app: FastifyInstance, reply: FastifyReply): Promise<FastifyReply> {
  return sendPage(reply.code(404), BUILT, app.basePath);
}

async function sendPage(reply: FastifyReply, folder: string, basePath: string): Promise<FastifyReply> {
  reply
    .header('content-security-policy', POLICY)
    .header('referrer-policy', 'no-referrer')
    .header('cache-control', 'no-cache');
  const page = join(folder, 'index.html');
  if (existsSync(page)) {
    const html = pageBelow(await readFile(page, 'utf8'), basePath);
    return reply.header('content-type', 'text/html; charset=utf-8').send(html);
  }
  return reply.code(503).header('content-type', 'text/plain; charset=utf-8').send(NOT_BUILT);
}
