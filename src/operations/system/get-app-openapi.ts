import { defineOperation } from '../operation.ts';
import { openapiDocument } from './get-openapi.ts';

export const getAppOpenapi = defineOperation({
  id: 'getAppOpenapi',
  surface: 'app',
  method: 'GET',
  path: '/app/openapi.json',
  scope: 'person',
  tag: 'System',
  summary: 'Read this description',
  description: 'The OpenAPI 3.1 document of what people do, for clients such as the web app.',
  response: openapiDocument,
  async run(context) {
    return context.services.openapi('app');
  },
});
