import type { Connection } from '@temporalio/client';
import proto from '@temporalio/proto';
import { SEARCH_ATTRIBUTES } from './search-attributes.ts';

const { IndexedValueType } = proto.temporal.api.enums.v1;
const INDEXED_VALUE_TYPES = {
  Keyword: IndexedValueType.INDEXED_VALUE_TYPE_KEYWORD,
} as const satisfies Record<(typeof SEARCH_ATTRIBUTES)[keyof typeof SEARCH_ATTRIBUTES], number>;

/** The search attributes of the product with the server's numbers of their types. */
export function searchAttributeTypes(): Record<string, number> {
  return Object.fromEntries(Object.entries(SEARCH_ATTRIBUTES).map(([name, type]) => [name, INDEXED_VALUE_TYPES[type]]));
}

/**
 * Registers the search attributes that the namespace lacks. Flags of the dev server hold only for a new namespace, so
 * every start asks.
 * @returns the names that were added.
 * @throws where an attribute exists with another type.
 */
export async function addMissingSearchAttributes(connection: Connection, namespace: string): Promise<string[]> {
  const { customAttributes } = await connection.operatorService.listSearchAttributes({ namespace });
  const missing: Record<string, number> = {};
  for (const [name, type] of Object.entries(searchAttributeTypes())) {
    const there: number | undefined = customAttributes[name];
    if (there === undefined) missing[name] = type;
    else if (there !== type) {
      throw new Error(`The search attribute ${name} of namespace ${namespace} has another type. Remove or rename it.`);
    }
  }
  const names = Object.keys(missing);
  if (names.length > 0) await connection.operatorService.addSearchAttributes({ namespace, searchAttributes: missing });
  return names;
}
