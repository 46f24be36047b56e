/** Waits for all, also where one fails: nothing goes on behind the back of what comes next. @throws what failed first */
export async function allEnded(works: readonly Promise<unknown>[]): Promise<void> {
  const ended = await Promise.allSettled(works);
  const failed = ended.find((one) => one.status === 'rejected');
  if (failed) throw failed.reason;
}
