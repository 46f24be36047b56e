import { wordSet } from './question-words.ts';

/** Words of a sentence that tells when to be there, or when something closes, so that its time is none of what was booked. */
export const BESIDE_WORDS = wordSet(`
  before early earlier ahead arrive arriving closes closing check-in checkin doors latest
  vorher früher spätestens davor einlass schließt
  antes llegar llegue cierra cierre
  avant arriver arrivez ferme fermeture tard
`);

/** Words that say that an amount is a part of another one. */
export const SHARE_WORDS = wordSet(`
  half quarter third percent deposit
  hälfte viertel drittel prozent anzahlung
  mitad tercio ciento depósito
  moitié quart tiers pourcent acompte
`);

/** Words of a sentence that tells when the caller will hear, or what is done on the way, and not when the thing itself comes. */
export const ON_THE_WAY_WORDS = wordSet(`
  email e-mail mail text sms message reminder confirmation letter call phone ring hear link
  leaves leave ships ship goes process processed full closed open if still pay discount
  nachricht bestätigung erinnerung brief anruf melden raus verschickt versandt bearbeitet voll geschlossen wenn
  correo mensaje recordatorio confirmación carta llamada llamamos sale procesa cerrado si
  mél courriel message rappel confirmation courrier lettre appel part traité fermé
`);
