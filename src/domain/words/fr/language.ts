import { foldFrench } from '../folding.ts';
import type { LanguageData } from '../language.ts';
import { ACT_WORDS } from './act-words.ts';
import { AGENT } from './agent.ts';
import { CALLER } from './caller.ts';
import { GRAMMAR } from './grammar.ts';
import { MACHINES } from './machine.ts';
import { REFUSAL_PHRASES } from './refusals.ts';
import { ASKING, STOP_WORDS, VALUE_WORDS } from './words.ts';

export const FRENCH: LanguageData = {
  phrases: {
    language: 'fr',
    caller: CALLER,
    agent: AGENT,
    barriers: ['pas', 'jamais', 'rien', 'aucun', 'aucune', 'ne', "n'"],
  },
  words: ACT_WORDS,
  grammar: GRAMMAR,
  stopWords: STOP_WORDS,
  valueWords: VALUE_WORDS,
  refusals: REFUSAL_PHRASES,
  machines: MACHINES,
  asking: ASKING,
  fold: foldFrench,
};
