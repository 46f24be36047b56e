import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { IdentityError } from '../../src/identity/identity-error.ts';
import type { Authenticator } from '../../src/operations/access/authenticate.ts';
import { listSignInMethods, SIGN_ON_PATH } from '../../src/operations/access/list-sign-in-methods.ts';
import {
  ATTEMPT_SECONDS,
  beginSingleSignOn,
  CALLBACK_PATH,
  finishSingleSignOn,
} from '../../src/operations/access/single-sign-on.ts';
import type { RawRequest } from '../../src/operations/admission.ts';
import { Failure } from '../../src/operations/failure.ts';
import type { Services } from '../../src/operations/services.ts';
import { anonymousRequest } from '../anonymous-request.ts';
import { writeRefreshCookie } from './refresh-cookie.ts';

const COOKIE = 'earshot_sign_on';
const POLICY = "default-src 'none'; frame-ancestors 'none'; base-uri 'none'; form-action 'none'";

type Shown = { redirect: string } | { status: number; title: string; text: string };

/**
 * The two addresses that a browser visits to sign in at the organization's provider: one that sends it there, and one
 * that it comes back to. They are pages and not operations: what they answer is for the person.
 */
export function addSingleSignOn(
  app: FastifyInstance,
  { services, authenticator }: { services: Services; authenticator: Authenticator },
): void {
  // The browser comes back from another site, which a stricter cookie would not survive.
  const cookie = {
    httpOnly: true,
    sameSite: 'lax',
    path: `${app.basePath}${SIGN_ON_PATH}`,
    secure: app.secureCookies,
  } as const;

  const visit = (url: string, act: (raw: RawRequest, request: FastifyRequest, reply: FastifyReply) => Promise<Shown>) =>
    app.get(url, async (request, reply) => {
      request.operationId = 'singleSignOn';
      const raw = anonymousRequest(request);
      const shown = await authenticator
        .authenticate(raw, listSignInMethods)
        .then(() => act(raw, request, reply))
        .catch((error: unknown) => refused(raw, error));
      return send(reply.headers(raw.headers), shown);
    });

  visit(SIGN_ON_PATH, async (_raw, _request, reply) => {
    const { url, kept } = await beginSingleSignOn(services);
    reply.setCookie(COOKIE, kept, { ...cookie, maxAge: ATTEMPT_SECONDS });
    return { redirect: url };
  });

  visit(CALLBACK_PATH, async (_raw, request, reply) => {
    const kept = request.cookies[COOKIE] ?? null;
    reply.clearCookie(COOKIE, cookie);
    const answer = Object.fromEntries(new URL(request.raw.url ?? '/', services.publicUrl).searchParams);
    const { email, refreshSecret } = await finishSingleSignOn(services, { answer, kept });
    writeRefreshCookie(reply, refreshSecret);
    return { status: 200, title: 'You are signed in', text: `You are signed in as ${email}.` };
  });

  async function refused(raw: RawRequest, error: unknown): Promise<Shown> {
    const title = 'You are not signed in';
    if (error instanceof Failure) {
      const failure = error.status === 401 ? await authenticator.failed(raw, error) : error;
      return { status: failure.status, title, text: failure.message };
    }
    if (!(error instanceof IdentityError)) throw error;
    services.log.warn({ requestId: raw.requestId, kind: error.kind }, 'a sign-in at the provider did not succeed');
    if (error.kind === 'not_proved') return refused(raw, new Failure('invalid_credentials', error.message));
    return { status: error.kind === 'provider_away' ? 503 : 403, title, text: error.message };
  }
}

function send(reply: FastifyReply, shown: Shown): FastifyReply {
  reply.header('cache-control', 'no-store').header('referrer-policy', 'no-referrer');
  if ('redirect' in shown) return reply.redirect(shown.redirect, 303);
  const { status, title, text } = shown;
  return reply
    .code(status)
    .header('content-type', 'text/html; charset=utf-8')
    .header('content-security-policy', POLICY)
    .send(
      `<!doctype html>\n<html lang="en">\n<meta charset="utf-8">\n<title>Earshot: ${title}</title>\n<main><h1>${title}</h1><p>${escape(text)}</p><p><a href="${reply.server.basePath}/">Go to Earshot</a></p></main>\n</html>\n`,
    );
}

const escape = (text: string) =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;');
