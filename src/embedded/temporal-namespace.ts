import { Connection } from '@temporalio/client';
import { msToTs } from '@temporalio/common/lib/time.js';
import proto, { type temporal } from '@temporalio/proto';

const { IndexedValueType } = proto.temporal.api.enums.v1;
const DAY_MS = 86_400_000;
/** The server's names of the types that a flag, or our own list, spells in one word. */
const TYPES: Record<string, temporal.api.enums.v1.IndexedValueType> = {
  Text: IndexedValueType.INDEXED_VALUE_TYPE_TEXT,
  Keyword: IndexedValueType.INDEXED_VALUE_TYPE_KEYWORD,
  Int: IndexedValueType.INDEXED_VALUE_TYPE_INT,
  Double: IndexedValueType.INDEXED_VALUE_TYPE_DOUBLE,
  Bool: IndexedValueType.INDEXED_VALUE_TYPE_BOOL,
  Datetime: IndexedValueType.INDEXED_VALUE_TYPE_DATETIME,
  KeywordList: IndexedValueType.INDEXED_VALUE_TYPE_KEYWORD_LIST,
};

/** Whether a Temporal server answers there, within a second. */
export async function answersAt(address: string): Promise<boolean> {
  let connection: Connection | undefined;
  try {
    connection = await Connection.connect({ address, connectTimeout: '1s' });
    const { workflowService } = connection;
    await connection.withDeadline(Date.now() + 2_000, () => workflowService.getSystemInfo({}));
    return true;
  } catch {
    return false;
  } finally {
    await connection?.close();
  }
}

/**
 * Registers what the server does not have yet: its flag for search attributes works only when a namespace is made.
 * @returns the names that were added.
 */
export async function addSearchAttributes(
  connection: Connection,
  namespace: string,
  wanted: Record<string, string>,
): Promise<string[]> {
  const { customAttributes } = await connection.operatorService.listSearchAttributes({ namespace });
  const missing = Object.entries(wanted).filter(([name]) => !(name in (customAttributes ?? {})));
  if (missing.length === 0) return [];
  const searchAttributes = Object.fromEntries(
    missing.map(([name, type]) => [name, TYPES[type] ?? IndexedValueType.INDEXED_VALUE_TYPE_KEYWORD]),
  );
  await connection.operatorService.addSearchAttributes({ namespace, searchAttributes });
  return missing.map(([name]) => name);
}

/** How long closed workflows stay readable; without it they vanish after a day. */
export async function setRetention(connection: Connection, namespace: string, days: number): Promise<void> {
  await connection.workflowService.updateNamespace({
    namespace,
    config: { workflowExecutionRetentionTtl: msToTs(days * DAY_MS) },
  });
}
