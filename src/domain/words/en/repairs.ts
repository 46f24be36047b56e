/** How callers correct what they have just said, in English. */
export const REPAIRS: Record<string, readonly string[]> = {
  /** What follows takes the place of what was said, even with a few words between. */
  repair: [
    'no [no/oh] wait/hang+on/hold+on/sorry/actually',
    'oh/uh/um/hmm/ah/er no sorry/wait/actually',
    'wait/sorry/actually/hang+on/hold+on no',
    'scratch/strike/forget/ignore that',
    'i mean/meant',
    "that's/it's/that+was/it+was/that+is my/the/our/an old one/number/address/place/code/email/card",
    'what am i saying',
    'or rather',
    'correction',
    'my mistake/bad',
    'i misspoke',
    'let me correct [that/myself]',
    'i take that back',
    "i/i've/i+have changed my mind",
    'on second thought/thoughts',
    'come to think of it',
    'it/that should/must be',
    'i got that/it wrong',
    'did i say',
  ],
  /** The same, and what follows is a wish even in a question. */
  remakes: ['make that/it', 'change/switch that/it/this to'],
  /** These repair only where the new value follows at once. */
  repair_weak: ['no/nope/wait/actually/sorry/pardon/rather/well', 'hang/hold on', 'excuse me'],
  /** These stand behind the new value. */
  repair_behind: ['actually/instead/rather', 'i mean/meant', 'i should say'],
  /** "I can't make it": to be able to come. */
  manages: ["can't/cannot/can/could/couldn't/won't/will/not/to/i'll/we'll/might/may/would make it/that"],
  /** The second value stands beside the first. */
  adds: ['also/too/either/both', 'as well', 'would do'],
  /** Questions that wish for something. */
  wishes: ['can/could/may/might i/we'],
  /** Two values of one list. */
  joins: ['and/or'],
};
