/** The versions that are looked at, and how, as it stands in the address. */
export interface FlowFilters {
  version?: number;
  against?: number;
  view?: 'table';
}

export function readFlowFilters(search: Record<string, unknown>): FlowFilters {
  const [version, against] = [versionOf(search['version']), versionOf(search['against'])];
  return {
    ...(version === null ? {} : { version }),
    ...(against === null ? {} : { against }),
    ...(search['view'] === 'table' ? { view: 'table' } : {}),
  };
}

function versionOf(value: unknown): number | null {
  const version = Number(value ?? Number.NaN);
  return Number.isSafeInteger(version) && version >= 0 ? version : null;
}
