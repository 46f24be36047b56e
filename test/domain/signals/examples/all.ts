import type { Example } from './example.ts';
import { FLOW_EXAMPLES } from './flow.ts';
import { HEARING } from './hearing.ts';
import { INTEGRATIONS } from './integrations.ts';
import { LEDGER } from './ledger.ts';
import { SPEAKING } from './speaking.ts';
import { TAKEN_OVER } from './taken-over.ts';
import { TALK } from './talk.ts';
import { UNDERSTANDING } from './understanding.ts';

export const EXAMPLES: readonly Example[] = [
  ...HEARING,
  ...UNDERSTANDING,
  ...FLOW_EXAMPLES,
  ...SPEAKING,
  ...INTEGRATIONS,
  ...LEDGER,
  ...TALK,
  ...TAKEN_OVER,
];
