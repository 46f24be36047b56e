import type { TestResource } from '../../src/contract/test.ts';

/**
 * Whether a spec as it stands in a file is the one that the server has. The server writes out what a file may leave
 * away, so what only the server has counts as equal where it is the default of its field.
 */
export function isSameSpec(inFile: unknown, onServer: TestResource['spec']): boolean {
  return isSame(withNamedFacts(inFile, onServer), onServer, '');
}

function isSame(given: unknown, stored: unknown, field: string): boolean {
  if (given === undefined) return isDefault(stored, field);
  if (Array.isArray(given) || Array.isArray(stored)) {
    if (!Array.isArray(given) || !Array.isArray(stored) || given.length !== stored.length) return false;
    return given.every((each, at) => isSame(each, stored[at], WRITTEN_OUT.has(field) ? `${field}[]` : 'json'));
  }
  if (!isObject(given) || !isObject(stored)) return given === stored;
  const keys = new Set([...Object.keys(given), ...Object.keys(stored)]);
  const isOurs = field === '' || field === 'caller' || field.endsWith('[]');
  return [...keys].every((key) => {
    // What stands inside a fixture, a fact or a check has no defaults.
    if (!isOurs) return Object.hasOwn(given, key) && isSame(given[key], stored[key], 'json');
    return isSame(given[key], stored[key], key);
  });
}

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

const WRITTEN_OUT = new Set(['fixtures', 'criteria']);

/** The defaults of the contract. */
const DEFAULTS: Record<string, (stored: unknown) => boolean> = {
  facts: (stored) => isObject(stored) && Object.keys(stored).length === 0,
  style: (stored) => stored === '',
  script: (stored) => stored === null,
  fixtures: (stored) => Array.isArray(stored) && stored.length === 0,
  match: (stored) => stored === null,
  times: (stored) => stored === null,
  id: (stored) => typeof stored === 'string' && /^c\d+_*$/.test(stored),
  required: (stored) => stored === true,
  check: (stored) => stored === null,
  maxTurns: (stored) => stored === 12,
  tier: (stored) => stored === 'text',
};

const isDefault = (stored: unknown, field: string) => DEFAULTS[field]?.(stored) === true;

/** Facts that a file lists as texts stand on the server by name. */
function withNamedFacts(spec: unknown, onServer: TestResource['spec']): unknown {
  if (!isObject(spec) || !isObject(spec['caller']) || !Array.isArray(spec['caller']['facts'])) return spec;
  const listed = Object.entries(onServer.caller.facts).map(([name, value]) =>
    /^fact \d+$/.test(name) ? value : `${name}: ${value}`,
  );
  const isEqual = JSON.stringify(listed.toSorted()) === JSON.stringify(spec['caller']['facts'].toSorted());
  return isEqual ? { ...spec, caller: { ...spec['caller'], facts: onServer.caller.facts } } : spec;
}
