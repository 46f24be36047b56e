import { createListener } from '../../src/sound/hear.ts';

/** For activities of calls without recordings. */
export const NO_SOUND = {
  recordings: { open: async () => ({ kind: 'none' }) as const },
  listener: createListener(),
};
