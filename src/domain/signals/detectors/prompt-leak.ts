import { says } from '../../acts/spoken-turn.ts';
import { quotePhrase } from '../../calls/quotes.ts';
import { cutText } from '../../text.ts';
import type { Detector } from '../catalogue-entry.ts';
import { PROMPT_LEAK } from '../entries/claims.ts';
import { placeAt } from '../places.ts';

/** The agent speaks of its own machinery: its prompt, its tools' names, "as an AI language model". */
export const promptLeak: Detector = {
  entry: PROMPT_LEAK,
  detect(reading) {
    if (reading.agent.length === 0) return { reason: 'The agent said nothing on this call.' };
    const names = [
      ...new Set([
        ...reading.tools.map((use) => use.name),
        ...(reading.configuration?.tools.map((tool) => tool.name) ?? []),
      ]),
    ].filter((name) => name.length >= 6 && /[a-z0-9]_[a-z0-9]|[a-z][A-Z]/.test(name));
    return reading.agent.flatMap((turn) => {
      const { text } = turn.turn;
      const name = names.find((one) => text.includes(one));
      const phrase = says(turn, 'machine_talk');
      if (name === undefined && !phrase) return [];
      return [
        {
          turnIndex: turn.index,
          quote:
            name === undefined ? quotePhrase(turn, 'machine_talk') : cutText(text, name.length, text.indexOf(name)),
          detail:
            name === undefined
              ? 'The agent speaks of its own instructions or model.'
              : `The agent says the name of its tool "${name}".`,
          place: placeAt(reading, turn.index),
          confidence: name === undefined ? 0.6 : 1,
        },
      ];
    });
  },
};
