import { ATTACKERS } from './attackers.ts';
import { ATTACKS } from './attacks.ts';
import type { TestPack } from './pack.ts';

/** In the order of lists. */
export const TEST_PACKS: readonly TestPack[] = [ATTACKS, ATTACKERS];
