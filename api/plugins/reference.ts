import scalar from '@scalar/fastify-api-reference';
import type { FastifyInstance } from 'fastify';
import type { OpenApiDocument } from '../../src/operations/openapi.ts';

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

/** The reference page at `/reference`, with try-it, made from the OpenAPI document. */
export async function addReference(app: FastifyInstance, openapi: () => OpenApiDocument): Promise<void> {
  await app.register(scalar, {
    routePrefix: '/reference',
    configuration: {
      content: openapi,
      title: 'Earshot API',
      withDefaultFonts: false,
      hideClientButton: true,
      telemetry: false,
    },
    hooks: {
      onRequest: (_request, reply, done) => {
        reply.header('content-security-policy', POLICY).header('referrer-policy', 'no-referrer');
        done();
      },
    },
  });
}
