import { PlatformError } from './port.ts';

/** A page as it came, how many items it was asked for, and how many the next one is to be asked for. */
export interface SizedPage<Body> {
  body: Body;
  size: number;
  next: number;
}

/**
 * Asks for a page of a list, and for half of it where that is too large, down to one item. Neighbors are most often as
 * large, so the next page begins with what was taken, and the one after it with twice as much.
 */
export async function inHalves<Body>(first: number, ask: (size: number) => Promise<Body>): Promise<SizedPage<Body>> {
  for (let size = first; ; size = Math.ceil(size / 2)) {
    try {
      return { body: await ask(size), size, next: size < first ? size : size * 2 };
    } catch (error) {
      const mayBeHalved = error instanceof PlatformError && error.kind === 'too_large' && size > 1;
      if (!mayBeHalved) throw error;
    }
  }
}
