import type { Brief } from '../versions/brief.ts';

/** What a test is made for, beside the call that plays it. */
export type TestOrigin =
  | { kind: 'call' }
  | { kind: 'issue'; code: string; title: string }
  | { kind: 'intent'; label: string }
  | { kind: 'rule'; rule: Brief['rules'][number] };
