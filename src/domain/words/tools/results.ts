/**
 * By what a tool's answer says that it worked, failed or was turned down: fields, statuses and words, in the languages in which
 * services are written. Names of fields are compared in lower case, without accents and without `_` and `-`. What a
 * single tool says otherwise is taught per agent (`tool-result-rules.ts`).
 */

/** Fields in which an answer is wrapped by whoever carries it. */
export const ENVELOPES = words(
  'data result results body response responses item output outputs content json payload value text toolresult functionresponse structuredcontent parts return returnvalue',
);

/** Yes or no, where no means that it did not work. */
export const WORKED = words(
  'success ok successful succeeded issuccess issuccessful isok exito exitoso erfolg erfolgreich succes reussi reussite sucesso successo riuscito gelukt sukces lyckades',
);

/** Yes or no, where yes means that it did not work. */
export const FAILED = words(
  'iserror haserror haserrors isfailed failed failure timedout istimeout fehlgeschlagen echec fallo fallido falha fehler erreur',
);

/** Fields that hold an error where they are filled. */
export const ERRORS = words('error errors fehler erreur erreurs errores errore erro erros exception');

/** Fields that tell what became of it. */
export const STATUSES = words('status state statut estado stato ergebnis resultat resultado outcome');
/** Something broke. */
export const FAULT_STATUSES = words('error exception timeout timed_out internal_error fehler erreur errore erro crash');
/** It did not work, or was turned down: the words beside it tell which. */
export const FAILED_STATUSES = words(
  'failed failure fail unsuccessful ko nok fehlgeschlagen echec echoue fallido fallo falha falhou fallito mislukt',
);
/** The business said no. */
export const REFUSED_STATUSES = words(
  'refused rejected declined denied unavailable not_available not_found no_match ineligible abgelehnt verweigert nicht_verfuegbar refuse refusee indisponible rechazado rechazada denegado no_disponible recusado rifiutato geweigerd',
);
export const DONE_STATUSES = words(
  'ok okay success successful succeeded done complete completed confirmed booked created sent accepted approved scheduled reserved cancelled canceled updated exito erfolg erfolgreich succes sucesso successo',
);

/** Fields that hold a status of HTTP. `code` counts only where nothing of a business stands beside it. */
export const HTTP_STATUSES = words('status statuscode httpstatus httpstatuscode responsecode code');

export const ANSWERED_STATUSES: readonly number[] = [200, 201, 202, 204];

/** Fields in which the error says what it is, the best first. */
export const MESSAGES = words(
  'message errormessage reason detail details error errors msg description mensaje nachricht meldung messaggio mensagem motivo grund raison fehler erreur exception',
);
export const ERROR_CODES = words('errortype errorcode code error');

/** Fields that belong to the answer and not to what was asked for. */
export const ABOUT_ANSWER = words(
  'type role tool toolname toolcallid tooluseid callid requestid traceid index timestamp durationms annotations meta retryable stack stacktrace instance',
);
/** Fields that name what was made or found, and stand beside an error too. */
export const ABOUT_RECORD = words('id name title path time duration');

/** Values that say no in a field of `WORKED`, or yes in one of `FAILED`. */
export const NO_VALUES = words('false 0 no n nein non ko nok falso faux falsch');
export const YES_VALUES = words('true 1 yes y ja oui si ok');

/** Yes-or-no fields by which a business says no. */
export const DENIALS =
  /^(is_?)?(available|availability|found|verified|authenticated|eligible|approved|matched|match|allowed|open|bookable|saved|booked|cancell?ed|sent|placed|applied|changed|updated|completed|accepted|confirmed|valid|scheduled|added|verfuegbar|verfügbar|gefunden|frei|bestaetigt|bestätigt|gebucht|disponible|encontrado|trouve|trouvé|reserve|reservado|reservada|confirmado|confirme)$/i;

/** An error field filled with these is empty. */
export const NO_ERROR = new Set([
  '',
  'none',
  'null',
  'no',
  'false',
  'n/a',
  'ok',
  '0',
  'success',
  'keine',
  'aucune',
  'ninguno',
]);

/** How prose begins that tells of something broken. */
export const BROKEN_PROSE =
  /^\W{0,5}(?:axios ?error|(?:internal (?:server )?|type|value|key|runtime|network|http|api|fetch|connection|timeout|tool|function|unexpected|unknown)? ?error\b|exception\b|traceback\b|timeout\b|timed out\b|request (?:failed|timed out)|no result returned|bad gateway|gateway time-?out|service unavailable|something went wrong|econn[a-z]{1,12}\b|http ?[45]\d\d\b|fehler\b|erreur\b|errore\b|erro\b)/i;

/** How prose begins that tells of something that did not work: a subject of a few words may stand before. */
export const FAILED_PROSE: readonly RegExp[] = [
  /^\W{0,5}(?:sorry,? |unfortunately,? )?(?:(?:the|your|this|our) )?(?:[\w-]+ ){0,3}?(?:failed\b|failure\b|unable to\b|not able to\b|could(?: not|n['’]t)\b|can(?: ?not|['’]t)\b|did(?: not|n['’]t) (?:work|succeed|go through)\b|was(?: not|n['’]t) (?:able|possible|successful|completed|saved|booked|sent)\b)/i,
  /^\W{0,5}(?:leider )?(?:(?:der|die|das|ihre?|dieser?|dieses) )?(?:[\p{L}-]+ ){0,3}?(?:konnten? (?:[\p{L}-]+ ){0,4}?nicht(?!\p{L})|nicht möglich(?!\p{L})|fehlgeschlagen(?!\p{L})|ist fehlgeschlagen(?!\p{L}))/iu,
  /^\W{0,5}(?:lo siento,? )?(?:(?:el|la|su|los|las) )?(?:[\p{L}-]+ ){0,3}?(?:no (?:se )?(?:pudo|ha podido|pudimos|fue posible|ha sido posible)(?!\p{L})|fall[oó](?!\p{L})|imposible(?!\p{L}))/iu,
  /^\W{0,5}(?:désolé,? )?(?:(?:le|la|l['’]|votre|les) ?)?(?:[\p{L}-]+ ){0,3}?(?:impossible (?:de|d['’])|échec(?!\p{L})|a échoué(?!\p{L})|n['’]a pas (?:pu|été|abouti)(?!\p{L})|n['’]ont pas pu(?!\p{L}))/iu,
  /^\W{0,5}(?:[\p{L}-]+ ){0,4}?(?:não (?:foi possível|pôde|conseguimos)(?!\p{L})|falhou(?!\p{L})|non (?:è stato possibile|è riuscit[oa])(?!\p{L})|impossibile(?!\p{L})|fallit[oa](?!\p{L})|kon(?:den)? (?:[\p{L}-]+ ){0,3}?niet(?!\p{L})|mislukt(?!\p{L})|nie (?:udało|można|znaleziono)(?!\p{L})|kunde inte(?!\p{L})|misslyckades(?!\p{L}))/iu,
];

/** What was looked for was not there: an answer, and no breakdown. */
export const NOT_FOUND_PROSE =
  /\b(?:find|found|locate|located|match|verify|identify|authenticate|retrieve an?y|gefunden|finden|encontr(?:ar|ado|ó)|localizar|trouv(?:er|é)|localiser|encontrar|trovare|trovato|znaleziono|vinden|gevonden)\b/iu;

/** Words by which prose, or a status, says that it was done; without accents. */
export const DONE_PROSE =
  /\b(?:success(?:ful(?:ly)?)?|done|ok|okay|completed?|confirmed|booked|created|sent|saved|scheduled|rescheduled|registered|added|removed|deleted|processed|accepted|reserved|placed|submitted|approved|issued|changed|moved|refunded|paid|activated|updated|cancell?ed|recorded|logged|notified|assigned|transferred|delivered|queued|dispatched|erfolgreich|erledigt|gebucht|bestaetigt|angelegt|erstellt|gesendet|gespeichert|storniert|geaendert|eingetragen|notiert|gemeldet|angenommen|geloescht|abgesagt|verschoben|uebermittelt|aufgenommen|erfasst|reserviert|bestellt|reservad[oa]|confirmad[oa]|cread[oa]|enviad[oa]|guardad[oa]|cancelad[oa]|anulad[oa]|registrad[oa]|modificad[oa]|exito|listo|hecho|reservee?|confirmee?|creee?|envoyee?|enregistree?|annulee?|modifiee?|deposee?|succes|fait|sucesso|feito|successo|fatto|gelukt|bevestigd)\b/i;

/** What was cut out or never kept. */
export const REMOVED_PROSE = /^\W*(?:redacted|omitted|truncated|masked|not (?:stored|recorded))\W*$/i;

function words(row: string): ReadonlySet<string> {
  return new Set(row.split(' '));
}

/** Fields in which a tool answers in words. */
export const SPEAKING =
  /(message|status|reason|detail|note|outcome|confirmation|result|response|answer|text|msg|output|content|mensaje|nachricht|meldung|hinweis|motivo|grund|raison|resultado|ergebnis|antwort|respuesta|mensagem|messaggio)$/i;

/** Lists of what was searched for: empty ones are an answer, and the answer is no. */
export const FOUND_LISTS =
  /^(items?|results?|data|records?|matches|slots?|available_?slots?|availability|openings|options|times|available_?times|appointments?|flights?|rooms?|tables?|hits|entries|list|products?)$/i;

export const FOUND_COUNTS = /^(total|count|total_?items|total_?results|num_?results|results_?count)$/i;

export const BROKEN =
  /\b(?:econn\w*|enotfound|getaddrinfo|connect(?:ion|ed)?|network|socket|server|servidor|serveur|service|internal|interno|interne|exception|traceback|down for|database|datenbank|base de datos|gateway|token|credentials?|unauthorized|forbidden|null|undefined|upstream|backend|(?:returned|responded with|answered) 5\d\d)\b/i;

/** Words with which any service says that something went wrong, whatever it was. */
export const EMPTY_WORDS = new Set(
  `a an and are as at be been but by can can't cannot could couldn't do does don't did didn't due for from has have i in internal is it its later me
  moment my not now of on or our please right so sorry that the then there this time to try trying unable us was wasn't we were will with
  won't you your again while when during due error errors err exception exceptions fail failed fails failing failure fault happened occurred
  occur invalid unknown unexpected unsuccessful went wrong something problem problems issue issues trouble request requests response result results server service system
  tool function call api http https code status message null undefined true false none complete completed process processed
  processing perform execute executed execution operation action handle support contact administrator team retry unspecified generic bad
  fehler fehlgeschlagen ein eine der die das ist nicht konnte es bitte später erneut versuchen etwas schief gelaufen
  el la un una los se ha ocurrido no pudo por favor más tarde intente fallo le les une erreur est survenue veuillez réessayer plus tard`
    .split(/\s+/)
    .filter((word) => word !== ''),
);
