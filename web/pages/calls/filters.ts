import { OUTCOMES, type Outcome } from '../../../src/domain/vocabulary.ts';

/** What the list of calls is narrowed to, as it stands in the address; the names are the API's. */
export interface CallFilters {
  outcome?: Outcome;
  version?: number;
  signal?: string;
  intent?: string;
  issueId?: string;
  /** A step of the flow, and the one that the call went on to. */
  step?: string;
  nextStep?: string;
  startedFrom?: string;
  startedBefore?: string;
  /** One line of words and fields. */
  filter?: string;
}

const TEXTS = ['signal', 'intent', 'issueId', 'step', 'nextStep', 'startedFrom', 'startedBefore', 'filter'] as const;

export function readCallFilters(search: Record<string, unknown>): CallFilters {
  const outcome = OUTCOMES.find((each) => each === search['outcome']);
  const version = Number(search['version'] ?? Number.NaN);
  const texts = TEXTS.flatMap((name) => {
    const value = search[name];
    return typeof value === 'string' && value !== '' ? [[name, value] as const] : [];
  });
  return {
    ...(outcome ? { outcome } : {}),
    ...(Number.isSafeInteger(version) && version >= 0 ? { version } : {}),
    ...Object.fromEntries(texts),
  };
}
