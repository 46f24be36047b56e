import type { DetectedSignal } from '../src/contract/call.ts';

/** A server of an earlier release sends no proof. */
type Shown = Pick<DetectedSignal, 'evidenceQuote'> & Partial<Pick<DetectedSignal, 'proof'>>;

/** The quotes that a finding stands on, side by side: `Told: "49 pounds" · Prompt, line 12: "a call-out is 59 pounds"`. */
export function proofLine({ evidenceQuote, proof = [] }: Shown): string | null {
  if (proof.length === 0) return null;
  const told = evidenceQuote === '' ? [] : [`Said: "${oneLine(evidenceQuote)}"`];
  return [...told, ...proof.map((one) => `${sourceOf(one)}: "${oneLine(one.quote)}"`)].join(' · ');
}

function sourceOf({ in: source, index }: DetectedSignal['proof'][number]): string {
  if (source === 'prompt') return index === null ? 'Prompt' : `Prompt, line ${index}`;
  if (source === 'tool') return index === null ? 'Tool' : `Tool, turn ${index}`;
  return `Turn ${index ?? ''}`.trim();
}

const oneLine = (text: string) => text.replaceAll(/\s+/g, ' ').trim();
