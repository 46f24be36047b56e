/**
 * How messages begin that hold what was said before, or what a model is to know, and nobody's words: summaries stand
 * among what the caller said, since some models take no others.
 */
const BEGINS =
  /^\W{0,4}(?:(?:here(?:'s| is)|this is|below is|the following is)\b.{0,40}\b(?:summary|recap|context|history)\b|(?:(?:conversation|chat|call|dialog(?:ue)?|context|history|previous|earlier|prior|running|rolling|message)[\s_-]+){0,3}(?:summary|summari[sz]ed|recap|synopsis)\b|summary of\b|(?:previous|earlier|prior) (?:conversation|messages?|turns?|dialog(?:ue)?|context)\b|(?:conversation|chat|message|call|dialog(?:ue)?)[\s_-]+(?:so far|history|context|log)\b|(?:context|background|memory|memories|retrieved documents?|relevant documents?|system (?:note|message|reminder)|reminder)\s*[:\]]|zusammenfassung\b|bisheriges gespräch\b|resumen\b|résumé\b)/i;
const TAGGED =
  /^\s{0,20}<\/?[\w-]{0,40}(?:summary|history|context|memory|memories|reminder|instructions?)[\w-]{0,40}[\s>]/i;
/** Told of the caller, as nobody tells of themselves. */
const OF_THE_CALLER =
  /^\W{0,3}(?:the |our )?(?:user|caller|customer|client|guest|patient|human)\b(?! ?(?:number|id|service|support|name))\s+\w+/i;
const OF_THE_CALLER_LENGTH = 40;

/** Whether a message reads as though nobody had said it. */
export function looksLikeContext(text: string): boolean {
  if (BEGINS.test(text) || TAGGED.test(text)) return true;
  return text.length >= OF_THE_CALLER_LENGTH && OF_THE_CALLER.test(text);
}
