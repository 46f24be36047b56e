import { cutText } from '../text.ts';
import { placeAt } from './places.ts';
import type { CallReading } from './reading.ts';
import type { Detection } from './signal.ts';

const TEMPLATE =
  /\{\{[^{}\n]{0,80}\}\}|\$\{[^{}\n]{1,80}\}|<%[^%\n]{1,80}%>|\[(?:insert|your|customer|caller|agent|company|first|last)[ _][a-z _]{1,30}\]/i;
const RAW_VALUE = /\b(?:undefined|NaN|\[object Object\])|\[object Object\]|\bnull\b/;
const RAW_BESIDE_NULL = /\b(?:undefined|NaN)\b|\[object Object\]/;
/** Languages in which "null" is the figure 0. */
const COUNTS_FROM_NULL = /^(?:de|da|nb|nn|no)\b/;
const RAW_JSON = /\{\s?"[\w -]{1,60}"\s?:/;
/** Where these words belong to the matter of the talk: "the agreement is null and void". */
const MEANT = /\bnull and void\b|\bundefined (?:behaviou?r|term|variable)/i;

/** What should have been filled in and is spoken as it stands: at most one per turn of the agent. */
export function spokenPlaceholders(reading: CallReading): Detection[] {
  const rawValue = COUNTS_FROM_NULL.test(reading.language ?? '') ? RAW_BESIDE_NULL : RAW_VALUE;
  return reading.agent.flatMap((turn) => {
    const { text } = turn.turn;
    if (!/[{[<$]|null|NaN|undefined/.test(text)) return [];
    const match = TEMPLATE.exec(text) ?? RAW_JSON.exec(text) ?? (MEANT.test(text) ? null : rawValue.exec(text));
    if (match === null) return [];
    return [
      {
        turnIndex: turn.index,
        quote: cutText(text, match[0].length, match.index),
        detail: `The agent said "${match[0].slice(0, 60)}" as it stands.`,
        place: placeAt(reading, turn.index),
        confidence: 1,
      },
    ];
  });
}
