/** Exporters send every few seconds and try again; spans that close late come in that long after the end of a call. */
export const SETTLE_SECONDS = 60;
/** A call whose end never came in is taken to be over after that long without a span. */
export const SILENCE_SECONDS = 15 * 60;
