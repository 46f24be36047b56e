/** Grows whenever the same call could be read differently; stored beside each analysis. */
export const ANALYSER_VERSION = 16;

/** How the call ended, among what could not be computed: coverage counts it with its reason, as it does the codes. */
export const OUTCOME_CODE = 'outcome';
