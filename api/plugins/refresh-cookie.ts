import type { FastifyReply, FastifyRequest } from 'fastify';

const NAME = 'earshot_session';
const DEVICE = 'earshot_device';
const DEVICE_SECONDS = 365 * 86_400;

declare module 'fastify' {
  interface FastifyInstance {
    /** Whether browsers reach this instance over https, so that cookies are never sent in the open. */
    secureCookies: boolean;
    /** Below which path browsers reach this instance: `/earshot`, or nothing. */
    basePath: string;
  }
}

export function readRefreshCookie(request: FastifyRequest): string | null {
  return cookiesOf(request)[NAME] ?? null;
}

export function readDeviceCookie(request: FastifyRequest): string | null {
  return cookiesOf(request)[DEVICE] ?? null;
}

/** An address that cannot be read is answered before any cookie is. */
function cookiesOf(request: FastifyRequest): Record<string, string | undefined> {
  const cookies: Record<string, string | undefined> | undefined = request.cookies;
  return cookies ?? {};
}

/** No proof of anything: it only keeps the tries of a browser that signed in before apart from those of strangers. */
export function writeDeviceCookie(reply: FastifyReply, device: string): void {
  reply.setCookie(DEVICE, device, {
    httpOnly: true,
    sameSite: 'strict',
    path: `${reply.server.basePath}/app/sign-in`,
    secure: reply.server.secureCookies,
    maxAge: DEVICE_SECONDS,
  });
}

/** Scripts of a page can't read it, other sites can't send it, and only the session's own routes receive it. */
export function writeRefreshCookie(reply: FastifyReply, secret: { value: string; expiresAt: Date } | null): void {
  const options = {
    httpOnly: true,
    sameSite: 'strict',
    path: `${reply.server.basePath}/app/session`,
    secure: reply.server.secureCookies,
  } as const;
  if (secret) reply.setCookie(NAME, secret.value, { ...options, expires: secret.expiresAt });
  else reply.clearCookie(NAME, options);
}
