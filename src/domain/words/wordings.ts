export const OPT_OUT_LINE =
  /\b(?:opt(?:s|ed|ing)?[- ]?out|do[- ]not[- ]call|don['’]t call|unsubscrib\w*|remove \w+ (?:\w+ )?from|off (?:the|our) list|not interested|no longer wish|stop calling|nicht mehr an(?:rufen|gerufen)|kein interesse|no (?:llamar|me llamen)|ne plus appeler)\b/i;

export const PERSIST_LINE =
  /\b(?:overcome|handle|counter|push past|work through)\s+(?:\w+\s+){0,2}(?:objections?|refusals?)|\b(?:do not|don['’]t|never) (?:take|accept) no\b|\b(?:try|ask|offer) (?:\w+\s+){0,3}(?:again|at least (?:twice|two|three)) (?:\w+\s+){0,4}(?:refus|declin|say no|says no|not interested)/i;

export const MACHINE_LINE =
  /\b(?:voice ?mail|answering machine|mailbox|machine|anrufbeantworter|buzón|contestador|répondeur)\b/i;

/** Tried and not managed; "I can't do that" is a rule. */
export const COULD_NOT =
  /\bcouldn['\u2019]?t\b|\bcould not\b|n['\u2019]t able\b|\bnot (?:been )?able\b|\bdidn['\u2019]t (?:go|work)\b|\bkonnte\b|\bhat nicht geklappt\b|\bno (?:he podido|pude|ha sido posible)\b|\bn['\u2019](?:ai|a) pas (?:pu|réussi|fonctionné)\b/i;
