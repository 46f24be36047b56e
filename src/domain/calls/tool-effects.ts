import type { ToolDefinition } from '../versions/configuration.ts';
import {
  ASKS,
  CHECKS_IN,
  KEYPAD,
  KEYS,
  NO_CALL,
  PRESSES,
  READS,
  TELLS_OF_DEED,
  TRANSFERS,
  WRITES,
} from '../words/tools/names.ts';

/** `keys`: it presses keys of the phone. */
export type ToolEffect = 'write' | 'read' | 'transfer' | 'end' | 'keys' | 'unknown';

export function effectOf(words: readonly string[], definition: ToolDefinition | null): ToolEffect {
  if (definition?.kind === 'transfer') return 'transfer';
  if (definition?.kind === 'end_call') return 'end';
  if (pressesKeys(words)) return 'keys';
  const joined = words.join(' ');
  const first = words[0] ?? '';
  if (TRANSFERS.has(first)) return NO_CALL.test(joined) ? 'write' : 'transfer';
  if (
    /\bhand (?:off|over)\b|\bconnect (?:to )?(?:human|agent|person|representative)\b|\b(?:human|agent) (?:transfer|handoff)\b/.test(
      joined,
    )
  )
    return 'transfer';
  if (/^(?:end call|hang ?up|endcall|end the call|terminate call)\b/.test(joined)) return 'end';
  if (CHECKS_IN.test(joined)) return 'write';
  if (READS.has(first) || ASKS.test(joined) || TELLS_OF_DEED.test(joined)) return 'read';
  if (WRITES.has(first)) return 'write';
  for (const word of words) if (READS.has(word)) return 'read';
  for (const word of words) if (WRITES.has(word)) return 'write';
  return 'unknown';
}

/** `send_dtmf`, `press_key`, `enterDigits` */
export function pressesKeys(words: readonly string[]): boolean {
  if (words.some((word) => KEYPAD.has(word))) return true;
  return PRESSES.has(words[0] ?? '') && words.some((word) => KEYS.has(word));
}
