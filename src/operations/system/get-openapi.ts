import { z } from 'zod';
import { defineOperation } from '../operation.ts';

export const openapiDocument = z.looseObject({ openapi: z.literal('3.1.0') }).meta({ id: 'OpenApiDocument' });

export const getOpenapi = defineOperation({
  id: 'getOpenapi',
  surface: 'v1',
  method: 'GET',
  path: '/v1/openapi.json',
  scope: 'read',
  tag: 'Access',
  summary: 'Read this description',
  description: 'The OpenAPI 3.1 document of this API. Each operation declares its scope in `x-scope`.',
  whenToUse: 'Only for writing a client of the HTTP API; it is long, and no other tool needs it.',
  response: openapiDocument,
  async run(context) {
    return context.services.openapi('v1');
  },
});
