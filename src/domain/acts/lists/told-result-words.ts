import { wordSet } from './question-words.ts';

/** Words in the names of fields that hold what was planned, and what is expected in its place; names are read without accents. */
export const PLANNED_FIELDS = wordSet(`
  scheduled planned original originally timetabled previous previously promised
  geplant geplante geplanter ursprunglich ursprungliche planmassig planmassige
  programado programada previsto prevista
  prevu prevue initial initiale
`);
export const EXPECTED_FIELDS = wordSet(`
  expected estimated actual revised updated new current eta etd
  erwartet erwartete erwarteter voraussichtlich voraussichtliche neu neue neuer tatsachlich tatsachliche aktuell aktuelle
  estimado estimada nuevo nueva real
  estime estimee nouveau nouvelle actuel actuelle reel reelle
`);

/** Beginnings of the words by which an agent says that something comes at another time than planned, or does not come. */
export const OFF_PLAN_STEMS = `
  late delay behind postpon push moved instead original resched cancel was were
  verspät später verschob statt ursprünglich ausgefallen fällt
  retras tarde aplaz cambi cancel
  retard tard report décal annul
`
  .trim()
  .split(/\s+/);

/** Words of a sentence that tells when to be there, or when something closes, so that its time is none of what was booked. */
export const BESIDE_WORDS = wordSet(`
  before early earlier ahead arrive arriving closes closing check check-in checkin doors latest
  vorher früher spätestens davor einlass schließt
  antes llegar llegue cierra cierre
  avant arriver arrivez ferme fermeture tard
`);

/** Words that say that an amount is a part of another one. */
export const SHARE_WORDS = wordSet(`
  half quarter third percent deposit
  hälfte viertel drittel prozent anzahlung
  mitad cuarto tercio ciento depósito
  moitié quart tiers pourcent acompte
`);

/** Words of a sentence that tells when the caller will hear, and not when a thing is done. */
export const MESSAGE_WORDS = wordSet(`
  email e-mail mail text sms message reminder confirmation letter call phone ring hear link
  nachricht bestätigung erinnerung brief anruf melden
  correo mensaje recordatorio confirmación carta llamada llamamos
  mél courriel message rappel confirmation courrier lettre appel
`);
