/** Token buckets of the contract: `burst` is the capacity, `perMinute` the refill. */
export const RATE_LIMITS = {
  requests: { perMinute: 600, burst: 120 },
  writes: { perMinute: 60, burst: 20 },
  workspace: { perMinute: 600, burst: 600 },
} as const;
