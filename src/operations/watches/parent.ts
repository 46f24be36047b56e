import { findWatch, type WatchView } from '../../db/watches/watches.ts';
import type { Parent } from '../operation.ts';
import { scopeOf } from '../scope-of.ts';

export const watchParent: Parent<WatchView> = {
  param: 'watchId',
  notFound: 'watch_not_found',
  format: 'uuid',
  load: async (em, id, { agent }) => (agent ? findWatch(em, scopeOf(agent), id) : null),
};
