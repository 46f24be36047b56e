/** Who reads beside the rules: nobody, whoever answered the recorded questions, the same one wrong on purpose, or a configured model. */
export const READER_KINDS = ['none', 'recorded', 'wrong', 'live'] as const;
export type ReaderKind = (typeof READER_KINDS)[number];
