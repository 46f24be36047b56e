import { isJsonObject, type Json } from '../json.ts';
import { parseJson } from '../parse-json.ts';
import { type Sameness, sameText } from './same-text.ts';

/** Where a call's arguments leave what was wanted, in names from the root, and what stands there. */
export interface Difference {
  sameness: Exclude<Sameness, 'same'>;
  path: string;
  wanted: Json;
  given: Json | undefined;
}

/**
 * Whether a tool's arguments hold what was wanted. Further arguments don't matter, in inner objects neither; lists have
 * the same length and order. A number or boolean may stand in a text, texts may differ in case, accents and how a value
 * is written (see `sameText`); names are exact, null is only null.
 * @returns null where they do.
 */
export function differenceOf(wanted: Json, given: Json | undefined, path = ''): Difference | null {
  const different = (sameness: Difference['sameness']): Difference => ({ sameness, path, wanted, given });
  if (given === undefined) return different('different');
  if (Array.isArray(wanted)) {
    const list = read(given);
    if (!Array.isArray(list) || list.length !== wanted.length) return different('different');
    return worst(wanted.map((one, at) => differenceOf(one, list[at], `${path}[${at}]`)));
  }
  if (isJsonObject(wanted)) {
    const object = read(given);
    if (!isJsonObject(object)) return different('different');
    return worst(
      Object.entries(wanted).map(([name, one]) =>
        differenceOf(
          one,
          Object.hasOwn(object, name) ? object[name] : undefined,
          path === '' ? name : `${path}.${name}`,
        ),
      ),
    );
  }
  const sameness = sameScalar(wanted, given);
  return sameness === 'same' ? null : different(sameness);
}

/** Some platforms hand over arguments as a text that holds JSON. */
function read(given: Json): Json {
  return typeof given === 'string' ? (parseJson(given) ?? given) : given;
}

/** What is surely different counts before what is unclear. */
function worst(differences: readonly (Difference | null)[]): Difference | null {
  const found = differences.filter((one) => one !== null);
  return found.find(({ sameness }) => sameness === 'different') ?? found[0] ?? null;
}

function sameScalar(wanted: string | number | boolean | null, given: Json): Sameness {
  if (wanted === null || given === null) return wanted === given ? 'same' : 'different';
  if (typeof given === 'object') return 'different';
  if (typeof wanted === 'boolean' || typeof given === 'boolean') {
    return String(wanted).trim().toLowerCase() === String(given).trim().toLowerCase() ? 'same' : 'different';
  }
  return sameText(String(wanted), String(given));
}
