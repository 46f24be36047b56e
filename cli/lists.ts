import type { Client } from './client.ts';

interface Page<T> {
  data: T[];
  nextCursor: string | null;
}

const PAGE = 100;

/** The items of a list to its end, or to `most` of them, of which a page is held at a time. */
export async function* walk<T>(
  read: (path: string) => Promise<Page<T>>,
  path: string,
  most = Number.POSITIVE_INFINITY,
): AsyncGenerator<T> {
  let cursor: string | null = null;
  let left = most;
  do {
    const next: string = cursor === null ? '' : `&cursor=${encodeURIComponent(cursor)}`;
    const page: Page<T> = await read(`${path}${path.includes('?') ? '&' : '?'}limit=${Math.min(PAGE, left)}${next}`);
    yield* page.data;
    cursor = page.nextCursor;
    left -= page.data.length;
  } while (cursor !== null && left > 0);
}

/** Reads a list to its end, or to `most` items. */
export async function readAll<T>(read: (path: string) => Promise<Page<T>>, path: string, most?: number): Promise<T[]> {
  const items: T[] = [];
  for await (const item of walk(read, path, most)) items.push(item);
  return items;
}

export const readList = <T>(client: Client, path: string, most?: number) =>
  readAll<T>((page) => client.read<Page<T>>(page), path, most);

/** Query text of the options that were given. */
export function query(values: Record<string, string | number | boolean | undefined>): string {
  const given = Object.entries(values).filter(([, value]) => value !== undefined);
  return given.length === 0
    ? ''
    : `?${given.map(([name, value]) => `${name}=${encodeURIComponent(String(value))}`).join('&')}`;
}
