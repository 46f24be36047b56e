/** How callers correct what they have just said, in French. */
export const REPAIRS: Record<string, readonly string[]> = {
  repair: [
    'non [non] attendez/attends/pardon/désolé/désolée/plutôt/excusez/finalement',
    'ah/oh/euh/enfin non',
    'attendez/attends/pardon/désolé/désolée non/plutôt',
    'je veux/voulais dire',
    'ou plutôt',
    'correction/rectification',
    'je me trompe',
    'me suis trompé/trompée',
    'oubliez ça',
    "j'ai changé d'avis",
    'je corrige/rectifie',
    'en fait non/plutôt',
    'ça devrait être',
  ],
  remakes: ['disons/mettons/mettez/prenons plutôt', 'changez ça'],
  repair_weak: ['non/pardon/attendez/attends/plutôt/désolé/désolée/finalement/oups/enfin', 'en fait', 'excusez moi'],
  repair_behind: ['plutôt/finalement', 'en fait', 'à la place'],
  adds: ['aussi/également', 'non plus'],
  wishes: ['puis/pourrais je', 'je peux/pourrais', 'on peut/pourrait', 'peut on'],
  joins: ['et/ou'],
};
