import { type QueryDefinition, type SignalDefinition, setHandler } from '@temporalio/workflow';

/** What a workflow hears and tells, each with the words that Temporal's UI shows beside its name. */

export function onSignal<Args extends unknown[]>(
  signal: SignalDefinition<Args>,
  description: string,
  handler: (...args: Args) => void | Promise<void>,
): void {
  setHandler(signal, handler, { description });
}

export function onQuery<Result>(query: QueryDefinition<Result>, description: string, handler: () => Result): void {
  setHandler(query, handler, { description });
}
