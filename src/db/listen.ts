import pg from 'pg';
import { APPLICATION_ROLE } from './scope.ts';

const RECONNECT_MS = 1_000;

export interface Listener {
  close(): Promise<void>;
}

/**
 * Calls back for each notification on a channel with its payload, and without one whenever it begins to listen, over a
 * connection of its own. A lost connection is opened again by
 * itself; what was sent meanwhile is missed, so the caller also looks by the clock.
 */
export function listen(url: string, channel: string, onNotification: (payload?: string) => void): Listener {
  let client: pg.Client | null = null;
  let closed = false;
  let timer: NodeJS.Timeout | null = null;

  async function open(): Promise<void> {
    const opening = new pg.Client({ connectionString: url, application_name: 'earshot-listen', keepAlive: true });
    client = opening;
    opening.on('notification', ({ payload }) => onNotification(payload));
    opening.on('error', () => reopen(opening));
    opening.on('end', () => reopen(opening));
    try {
      await opening.connect();
      await opening.query(`set role ${APPLICATION_ROLE}`);
      await opening.query(`listen ${pg.escapeIdentifier(channel)}`);
      onNotification();
    } catch {
      reopen(opening);
    }
  }

  function reopen(lost: pg.Client): void {
    if (closed || client !== lost) return;
    client = null;
    lost.end().catch(() => {});
    timer = setTimeout(() => void open(), RECONNECT_MS);
  }

  void open();
  return {
    async close() {
      closed = true;
      if (timer) clearTimeout(timer);
      await client?.end().catch(() => {});
    },
  };
}
