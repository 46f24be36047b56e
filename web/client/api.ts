import createFetchClient, { type Middleware } from 'openapi-fetch';
import createQueryClient from 'openapi-react-query';
import { BASE } from './base-path.ts';
import type { components, paths } from './schema.d.ts';
import { currentToken, dropToken, reach, sessionState } from './session.ts';
import { untilSignedIn } from './sign-in-again.ts';

export type Schemas = components['schemas'];

/** By nothing, or by the cookie of the session. */
const PUBLIC = /^\/app\/(sign-in|sign-in-methods|links\/|session\/)/;

const authorize: Middleware = {
  async onRequest({ request, schemaPath }) {
    if (PUBLIC.test(schemaPath)) return request;
    request.headers.set('authorization', `Bearer ${await nextToken()}`);
    return request;
  },
};

/** The token of whoever is signed in, or of whoever signs in next. */
export async function nextToken(): Promise<string> {
  return (await currentToken()) ?? untilSignedIn();
}

/** A token that the server took back in the meantime is renewed once, and the request sent again. */
export async function send(request: Request): Promise<Response> {
  const again = request.clone();
  const answer = await reach(fetch(request));
  const refused = answer.status === 401 && request.headers.has('authorization');
  if (!refused || sessionState.get() === 'signed-out') return answer;
  dropToken();
  again.headers.set('authorization', `Bearer ${await nextToken()}`);
  return reach(fetch(again));
}

const client = createFetchClient<paths>({
  baseUrl: `${location.origin}${BASE}`,
  fetch: send,
  querySerializer: { array: { style: 'form', explode: false } },
});
client.use(authorize);

/** The typed client: every path, parameter and answer comes from the OpenAPI documents. */
export const http = client;
export const api = createQueryClient(client);
