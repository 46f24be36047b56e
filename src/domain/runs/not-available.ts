/** What a tool without a fixture answers, always the same, so that it can be recognised. */
export const NOT_AVAILABLE = { error: 'not_available', message: 'This tool is not available in a test call.' } as const;
