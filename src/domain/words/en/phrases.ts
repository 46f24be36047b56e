import type { PhraseLists } from '../phrase-shape.ts';
import { AGENT } from './agent.ts';
import { CALLER } from './caller.ts';

export const ENGLISH: PhraseLists = { language: 'en', caller: CALLER, agent: AGENT };
