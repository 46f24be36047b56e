import type { Client } from './client.ts';

interface Page<T> {
  data: T[];
  nextCursor: string | null;
}

/** Reads a list to its end, or to `most` items. */
export async function readAll<T>(
  read: (path: string) => Promise<Page<T>>,
  path: string,
  most = Number.POSITIVE_INFINITY,
): Promise<T[]> {
  const items: T[] = [];
  let cursor: string | null = null;
  do {
    const limit = Math.min(100, most - items.length);
    const next: string = cursor === null ? '' : `&cursor=${encodeURIComponent(cursor)}`;
    const page: Page<T> = await read(`${path}${path.includes('?') ? '&' : '?'}limit=${limit}${next}`);
    items.push(...page.data);
    cursor = page.nextCursor;
  } while (cursor !== null && items.length < most);
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
