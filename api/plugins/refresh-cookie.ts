import type { FastifyReply, FastifyRequest } from 'fastify';

const NAME = 'earshot_session';

export function readRefreshCookie(request: FastifyRequest): string | null {
  // An address that cannot be read is answered before any cookie is.
  const cookies: Record<string, string | undefined> | undefined = request.cookies;
  return cookies?.[NAME] ?? null;
}

/** Scripts of a page can't read it, other sites can't send it, and only the session's own routes receive it. */
export function writeRefreshCookie(
  request: FastifyRequest,
  reply: FastifyReply,
  secret: { value: string; expiresAt: Date } | null,
): void {
  const options = {
    httpOnly: true,
    sameSite: 'strict',
    path: '/app/session',
    secure: request.protocol === 'https',
  } as const;
  if (secret) reply.setCookie(NAME, secret.value, { ...options, expires: secret.expiresAt });
  else reply.clearCookie(NAME, options);
}
