import { isJsonObject, type Json, type JsonObject } from '../json.ts';
import { namesOf } from '../json-order.ts';

/** What is wrong with arguments by their schema: names of missing, mistyped and not allowed ones. */
export interface ArgumentFaults {
  missing: string[];
  wrongType: string[];
  notAllowed: string[];
}

/**
 * Checks arguments against the parts of JSON Schema that tools use: required, type, enum. A schema that says more is
 * not judged by it, so nothing is called invalid that could be valid.
 */
export function checkArguments(schema: Json, args: Json): ArgumentFaults {
  const faults: ArgumentFaults = { missing: [], wrongType: [], notAllowed: [] };
  if (!isJsonObject(schema)) return faults;
  const given = isJsonObject(args) ? args : {};
  const properties = isJsonObject(schema['properties']) ? schema['properties'] : {};
  const required = Array.isArray(schema['required']) ? schema['required'] : [];
  for (const name of required) {
    if (typeof name !== 'string') continue;
    const value = given[name];
    if (value === null && mayBeNull(properties[name])) continue;
    if (value === undefined || value === null || (typeof value === 'string' && value.trim() === ''))
      faults.missing.push(name);
  }
  for (const name of namesOf(properties)) {
    const property = properties[name];
    const value = given[name];
    if (value === undefined || value === null || value === '' || !isJsonObject(property)) continue;
    if (!hasType(property, value)) faults.wrongType.push(name);
    else if (Array.isArray(property['enum']) && !property['enum'].some((one) => isSame(one, value)))
      faults.notAllowed.push(name);
  }
  return faults;
}

/** Where models have to give every argument, null stands for one that is left out. */
function mayBeNull(property: Json | undefined): boolean {
  if (!isJsonObject(property)) return false;
  if (property['nullable'] === true || property['type'] === 'null') return true;
  return (
    [property['type'], property['enum']].some(
      (list) => Array.isArray(list) && list.some((one) => one === 'null' || one === null),
    ) || [property['anyOf'], property['oneOf']].some((list) => Array.isArray(list) && list.some(mayBeNull))
  );
}

/** Numbers and yes or no may be passed as text. */
function isSame(allowed: Json, value: Json): boolean {
  if (allowed === value) return true;
  return typeof value === 'string' && typeof allowed !== 'object' && String(allowed) === value.trim();
}

function hasType(property: JsonObject, value: Json): boolean {
  const type = property['type'];
  const types =
    typeof type === 'string' ? [type] : Array.isArray(type) ? type.filter((one) => typeof one === 'string') : [];
  return types.length === 0 || types.some((one) => fits(one, value));
}

function fits(type: string, value: Json): boolean {
  switch (type) {
    case 'string':
      return typeof value === 'string';
    case 'number':
      return typeof value === 'number' || isNumeric(value);
    case 'integer':
      return Number.isInteger(typeof value === 'string' ? Number(value) : value);
    case 'boolean':
      return typeof value === 'boolean' || value === 'true' || value === 'false';
    case 'array':
      return Array.isArray(value);
    case 'object':
      return isJsonObject(value);
    default:
      return true;
  }
}

/** Platforms often pass numbers as text, and their servers take them. */
function isNumeric(value: Json): boolean {
  return typeof value === 'string' && value.trim() !== '' && Number.isFinite(Number(value));
}
