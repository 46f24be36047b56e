/** How callers correct what they have just said, in German. */
export const REPAIRS: Record<string, readonly string[]> = {
  repair: [
    'nein/nee/ne/nö [nein] moment/warte/warten+sie/halt/sorry/entschuldigung/verzeihung/quatsch/doch',
    'ach/oh/äh/ähm nein/nee/ne/quatsch',
    'moment/halt/warte/stopp/sorry/entschuldigung nein/nee/doch/lieber',
    'quatsch/korrektur/vielmehr/stattdessen/sondern',
    'ich meine/meinte/mein',
    'besser gesagt',
    'beziehungsweise nein',
    'doch lieber/nicht',
    'lieber doch',
    'hab/habe mich ~2 versprochen/vertan/geirrt',
    'mein fehler',
    'ich korrigiere [mich]',
    'streichen/vergessen sie das',
    'muss/sollte/soll ~1 heißen',
  ],
  remakes: ['machen/sagen/nehmen wir [doch/lieber]', 'machen sie [doch/lieber]'],
  repair_weak: [
    'nein/nee/ne/nö/moment/warte/halt/stopp/entschuldigung/sorry/pardon/verzeihung/lieber/eigentlich/naja',
    'warten sie',
    'na ja',
  ],
  repair_behind: ['lieber/doch/stattdessen/eigentlich', 'meine/meinte ich'],
  adds: ['auch/ebenfalls/genauso'],
  wishes: ['kann/könnte/könnten/dürfte/dürften/können/darf ich/wir'],
  joins: ['und/oder'],
};
