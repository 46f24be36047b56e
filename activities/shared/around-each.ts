export type Activities = Record<string, (...args: never[]) => Promise<unknown>>;

/** The activities of a factory, each run by `run` within what is done around it. */
export function aroundEach<Made extends Activities>(
  activities: Made,
  around: (run: () => Promise<unknown>, input: unknown) => Promise<unknown>,
): Made {
  const wrapped = Object.entries(activities).map(([name, run]) => [
    name,
    (...args: never[]) => around(() => run(...args), args[0]),
  ]);
  // Each takes and gives what the activity of its name does.
  return Object.fromEntries(wrapped) as Made;
}
