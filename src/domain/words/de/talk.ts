import type { TalkWords } from '../talk-words.ts';

export const TALK: TalkWords = {
  hesitant: 'ähm äh öhm tja',
  polite: 'bitte danke dankeschön',
  beside: 'vorher früher spätestens davor einlass schließt',
  shares: 'hälfte viertel drittel prozent anzahlung',
  onTheWay:
    'nachricht bestätigung erinnerung brief anruf melden raus verschickt versandt bearbeitet voll geschlossen wenn',
  conditions: `
    wenn falls sobald nachdem bevor ob soll sollen sollte kann können könnte möchte möchten wollen würde würden werde werden wird muss müsste nicht nie
    noch dass damit weil laut steht offenbar scheinbar
  `,
  own: 'ich wir erfolgreich',
  booked: 'bestätigt gebucht reserviert vereinbart',
  noTermBehind: 'die diese dieser diesen der den alle seit vor letzten nächsten',
  passed: 'her übrig',
  periods: 'stunde stunden tage tages tagen woche wochen monat monate monats monaten jahr jahre jahres jahren',
  prices: 'preise/gebühren',
  onTop: 'mehr/zusätzlich/zuschlag/aufpreis',
  percent: 'prozent',
  orderConditions: 'wenn falls sobald wo',
  orderOthers: 'anrufer kunde kunden gast gäste patienten kannst können darfst dürfen',
  lists: 'und oder',
  limits: 'bis zu/höchstens/maximal/mindestens',
  persons: 'ich wir sie du es er',
  relative: 'das was',
  whats: '',
  murmurs: '',
  unreal: 'wenn falls hatte',
  ahead: 'werde würde',
  numbers: `
    null eins zwei drei vier fünf sechs sieben acht neun zehn elf zwölf zwanzig dreißig hundert tausend halb viertel
  `,
  dates: `
    montag dienstag mittwoch donnerstag freitag samstag sonntag januar februar märz april mai juni juli august september oktober november dezember
    vormittag nachmittag mittag übermorgen gestern
  `,
};
