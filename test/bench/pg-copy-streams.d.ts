declare module 'pg-copy-streams' {
  import type { Duplex, Readable, Writable } from 'node:stream';
  import type { Submittable } from 'pg';
  export function from(statement: string): Writable & Submittable;
  export function to(statement: string): Readable & Submittable;
  export function both(statement: string): Duplex & Submittable;
}
