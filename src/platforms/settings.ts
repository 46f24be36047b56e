import { isJsonObject, type Json, type JsonObject } from '../domain/json.ts';

const SETTINGS_AT_MOST = 400;
const LONGEST_VALUE = 500;

/**
 * The scalars of a captured document by their path, such as `voice.speed`: what is left to compare once prompts, tools
 * and steps have been read. `told` names the paths that are told elsewhere, with all that lies under them.
 */
export function readSettings(document: JsonObject, told: readonly string[]): Record<string, string> {
  const settings: [string, string][] = [];
  const isTold = (path: string) => told.some((prefix) => path === prefix || path.startsWith(`${prefix}.`));
  const walk = (value: Json, path: string) => {
    if (settings.length >= SETTINGS_AT_MOST || isTold(path)) return;
    if (isJsonObject(value)) {
      for (const [name, entry] of Object.entries(value)) walk(entry, path === '' ? name : `${path}.${name}`);
    } else {
      settings.push([path, JSON.stringify(value).slice(0, LONGEST_VALUE)]);
    }
  };
  walk(document, '');
  return Object.fromEntries(settings);
}

/** Variables written as `{{name}}` anywhere in a document, with the defaults that are given for some of them. */
export function readVariables(
  defaults: Record<string, string | null>,
  document: JsonObject,
): Record<string, string | null> {
  const used = [...JSON.stringify(document).matchAll(/\{\{\s*([A-Za-z_][A-Za-z0-9_]{0,60})\s*\}\}/g)].map(
    (match) => match[1] ?? '',
  );
  return { ...Object.fromEntries(used.map((name) => [name, null])), ...defaults };
}
