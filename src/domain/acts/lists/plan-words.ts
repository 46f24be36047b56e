import { wordSet } from './question-words.ts';

/** Words in the names of fields that hold what was planned, and what is expected in its place or has come of it. */
export const PLANNED_FIELDS = wordSet(`
  scheduled planned plan original originally timetabled timetable previous previously promised regular
  geplant ursprünglich planmäßig
  programado programada previsto prevista original
  prévu prévue initial initiale
`);
export const EXPECTED_FIELDS = wordSet(`
  expected estimated estimate actual revised updated new current latest eta etd now
  erwartet voraussichtlich neu neue neuer tatsächlich aktuell
  estimado estimada nuevo nueva actual real
  estimé estimée nouveau nouvelle actuel actuelle réel réelle
`);

/** Beginnings of the words by which an agent says that something comes at another time than planned, or not at all. */
export const OFF_PLAN_STEMS = [
  'late',
  'delay',
  'behind',
  'postpon',
  'push',
  'moved',
  'instead',
  'original',
  'was',
  'were',
  'cancel',
  'resched',
  'verspät',
  'später',
  'verschob',
  'statt',
  'ausgefallen',
  'retras',
  'tarde',
  'aplaz',
  'cambiad',
  'retard',
  'tard',
  'report',
  'décal',
  'annul',
];
