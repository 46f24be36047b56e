import { DELIVERY_STATES, type DeliveryState } from '../../../src/domain/vocabulary.ts';

/** What the log of deliveries is narrowed to, as it stands in the address; the name is the API's. */
export interface DeliveryFilters {
  state?: DeliveryState;
}

export function readDeliveryFilters(search: Record<string, unknown>): DeliveryFilters {
  const state = DELIVERY_STATES.find((each) => each === search['state']);
  return state ? { state } : {};
}
