import { CATALOGUE, thresholdsOf } from '../../domain/signals/catalogue.ts';
import type { Thresholds } from '../../domain/signals/detector-input.ts';
import { Failure } from '../failure.ts';

/** Only numbers that some detector reads: a misspelt threshold would hold nothing. */
export function checkThresholds(thresholds: Thresholds): void {
  for (const [code, values] of Object.entries(thresholds)) {
    const entry = CATALOGUE.get(code);
    if (!entry) {
      throw new Failure('invalid_parameter', `There is no code ${code}.`, { param: `thresholds.${code}` });
    }
    const unknown = Object.keys(values).find((name) => !Object.hasOwn(entry.thresholds, name));
    if (unknown !== undefined) {
      const param = `thresholds.${code}.${unknown}`;
      throw new Failure('invalid_parameter', `${code} has no threshold ${unknown}.`, { param });
    }
  }
}

/** Codes that other thresholds would hold for. */
export function codesThatChange(before: Thresholds, after: Thresholds): string[] {
  return [...CATALOGUE.values()]
    .filter((entry) => {
      const [was, is] = [thresholdsOf(entry, before), thresholdsOf(entry, after)];
      return Object.keys(entry.thresholds).some((name) => was[name] !== is[name]);
    })
    .map(({ code }) => code);
}
