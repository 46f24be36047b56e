import type { Answered, World } from './world.ts';

/** The secret of a one-time link, which is what follows its #. */
export const secretOf = (answer: Answered | string): string =>
  new URL(typeof answer === 'string' ? answer : answer.body.link).hash.slice(1);

export const readLink = (world: World, answer: Answered): Promise<Answered> =>
  world.ask('POST', '/app/links/read', { body: { secret: secretOf(answer) } });

export const useLink = (world: World, answer: Answered, body: Record<string, unknown>): Promise<Answered> =>
  world.ask('POST', '/app/links/use', { body: { secret: secretOf(answer), ...body } });

/** The refresh secret that an answer set. */
export const cookieOf = (answer: Answered): string =>
  /earshot_session=([^;]*)/.exec([answer.headers['set-cookie'] ?? ''].flat().join())?.[1] ?? '';

/** What the session of a refresh secret asks below its cookie. */
export const bySession = (
  world: World,
  cookie: string,
  method: 'GET' | 'POST',
  path: string,
  body?: Record<string, unknown>,
): Promise<Answered> =>
  world.ask(method, `/app/session${path}`, {
    headers: { cookie: `earshot_session=${cookie}` },
    ...(body === undefined ? {} : { body }),
  });
