import { setTimeout as sleep } from 'node:timers/promises';
import type { SentCall } from './calls.ts';

/** Senders at once, as processes of agents would be. */
const SENDERS = 8;
const RETRY_MS = 100;

export interface Receiver {
  url: string;
  /** Of the call of this number. */
  headersOf(at: number): Record<string, string>;
}

/**
 * Sends calls, each in one request, until all are taken or the receiver is gone; one that has no room is asked again.
 * @returns those that were answered
 */
export async function sendCalls(
  receiver: Receiver,
  calls: readonly SentCall[],
  onAnswered: (answered: number) => void = () => {},
): Promise<SentCall[]> {
  const answered: SentCall[] = [];
  const left = calls.entries();
  async function sendNext(): Promise<void> {
    for (const [at, call] of left) {
      if (!(await isTaken(receiver, call, at))) return;
      answered.push(call);
      onAnswered(answered.length);
    }
  }
  await Promise.all(Array.from({ length: SENDERS }, sendNext));
  return answered;
}

/** @returns false where nobody answers any more. */
async function isTaken(receiver: Receiver, call: SentCall, at: number): Promise<boolean> {
  for (;;) {
    const answer = await fetch(`${receiver.url}/v1/traces`, {
      method: 'POST',
      headers: { 'content-type': 'application/x-protobuf', ...receiver.headersOf(at) },
      body: call.body,
    }).catch(() => null);
    if (answer === null) return false;
    const body = await answer.arrayBuffer().catch(() => null);
    if (body === null) return false;
    if (answer.status === 200) return true;
    if (answer.status !== 503 && answer.status !== 429) throw new Error(`A call was answered with ${answer.status}.`);
    await sleep(RETRY_MS);
  }
}
