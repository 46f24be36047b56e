import { createSteps } from '../../packages/embedded/steps.js';

const steps = createSteps(process.stderr);

/** A line for the person who watches the run; the closing summary repeats what begins with "Tests that need". */
export function say(text: string): void {
  steps.say(text);
}

/** Shows that something takes its time. */
export function waiting(title: string) {
  const step = steps.begin(title, { everyMs: 10_000 });
  return { progress: step.progress, end: step.dropped };
}
