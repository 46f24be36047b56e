import type { Lane, TestExpectation } from '../vocabulary.ts';
import type { TestSpec } from './spec.ts';

/** A test that comes with an agent, before it is anybody's row. */
export interface ReadyTest {
  title: string;
  lane: Lane | null;
  expect: TestExpectation;
  guard: boolean;
  spec: TestSpec;
}
