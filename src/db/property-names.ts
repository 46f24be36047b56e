import { CamelCasePlugin, type PluginTransformResultArgs, type QueryResult, type UnknownRow } from 'kysely';

/**
 * Columns by the names of their properties, in statements that are built and in the answers of those that are written out
 * alike. What is inside of documents keeps its names.
 */
export class PropertyNames extends CamelCasePlugin {
  constructor() {
    super({ maintainNestedObjectKeys: true });
  }

  /** The name of the column that holds a property. */
  columnOf(property: string): string {
    return this.snakeCase(property);
  }

  /** By the first row, whose columns are those of all: most answers need one look only. */
  override transformResult({ result }: PluginTransformResultArgs): Promise<QueryResult<UnknownRow>> {
    const [first] = result.rows;
    const columns = first ? Object.keys(first) : [];
    if (!columns.some((column) => column.includes('_'))) return Promise.resolve(result);
    const names = columns.map((column) => [column, this.camelCase(column)] as const);
    const rows = result.rows.map((row) => {
      const named: UnknownRow = {};
      for (const [column, name] of names) named[name] = row[column];
      return named;
    });
    return Promise.resolve({ ...result, rows });
  }
}
