const DAY_MS = 86_400_000;

/** The time so many days from now. */
export const inDays = (days: number) => new Date(Date.now() + days * DAY_MS).toISOString();
